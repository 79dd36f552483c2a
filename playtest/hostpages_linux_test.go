//go:build e2e

package playtest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// operator is on a fresh Debian on which somebody follows norn's pages for hosts. It has no systemd, so
// what systemctl would start is started here, as the user that the unit names.
type operator struct {
	t       *testing.T
	home    *server // at home, before the table moves
	service *server
	table   string
	secret  string
}

// Users of the root.
const (
	somebody = "anna"
	owner    = "norn" // of the tables
)

// as returns a command in the root as a user. sudo keeps the folder in which somebody types.
func as(user string, command ...string) []string {
	folder := "/home/" + somebody
	if user == owner {
		folder = "/var/lib/norn"
	}
	in := []string{"chroot"}
	if user != "root" {
		in = append(in, "--userspec="+user+":"+user)
	}
	return append(append(in, *debianRoot, "env", "HOME="+folder, "DEBIAN_FRONTEND=noninteractive", "sh", "-c",
		`if [ -d "$HOME" ]; then cd "$HOME"; fi; exec "$@"`, "sh"), command...)
}

// runs runs a command in the root and returns what it says.
func (h *operator) runs(user string, command ...string) string {
	h.t.Helper()
	in := as(user, command...)
	said, err := exec.CommandContext(h.t.Context(), in[0], in[1:]...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s as %s: %v\n%s", strings.Join(command, " "), user, err, said)
	}
	return string(said)
}

var codeLine = regexp.MustCompile(`(?m)^    (\S.*)$`)

// commandsOf returns the commands in the blocks of a page from a heading to the next of its kind; ""
// is the whole page. Lines of files that the page shows are left out.
func commandsOf(t *testing.T, page, heading string) (commands []string) {
	t.Helper()
	data, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if heading != "" {
		_, after, found := strings.Cut(text, "\n"+heading+"\n")
		if !found {
			t.Fatalf("%s has no %q", page, heading)
		}
		text, _, _ = strings.Cut(after, "\n## ")
	}
	for _, m := range codeLine.FindAllStringSubmatch(text, -1) {
		if begin, _, _ := strings.Cut(m[1], " "); slices.Contains([]string{"sudo", "norn"}, begin) {
			commands = append(commands, m[1])
		}
	}
	if len(commands) < 3 {
		t.Fatalf("%s shows %q: too few", page, commands)
	}
	return commands
}

// follow runs the commands of a page in their order. before has what a person does in between.
func (h *operator) follow(page, heading string, before map[string]func()) {
	h.t.Helper()
	met := map[string]bool{}
	for _, command := range commandsOf(h.t, page, heading) {
		for begin, do := range before {
			if strings.HasPrefix(command, begin) && !met[begin] {
				met[begin] = true
				do()
			}
		}
		h.t.Log("$", command)
		h.types(command)
	}
	for begin := range before {
		if !met[begin] {
			h.t.Errorf("%s doesn't say %q any more", page, begin)
		}
	}
}

// types does what a shell would do with a line of a page.
func (h *operator) types(line string) {
	h.t.Helper()
	words := strings.Fields(strings.NewReplacer(
		"./norn_…_amd64.deb", "/tmp/norn.deb", "TABLE", h.table, "ID", h.table, "2026-11-28T0315", h.newestBackup(),
	).Replace(line))
	user := somebody
	switch {
	case len(words) > 3 && words[0] == "sudo" && words[1] == "-u":
		user, words = words[2], words[3:]
	case words[0] == "sudo":
		user, words = "root", words[1:]
	case slices.Contains(words, "/var/lib/norn"): // the page says: as the user who owns the tables
		user = owner
	}
	switch {
	case words[0] == "systemctl":
		h.systemctl(words[1], words[2:])
	case words[0] == "apt":
		h.runs(user, append([]string{"apt-get", "--yes", "-o", "Dpkg::Options::=--force-confdef"}, words[1:]...)...)
	default:
		h.runs(user, words...)
	}
}

// newestBackup returns the name of the newest dated backup, or "".
func (h *operator) newestBackup() string {
	found, _ := filepath.Glob(filepath.Join(*debianRoot, "var/lib/norn-backup/20*")) // the pattern is valid
	if len(found) == 0 {
		return ""
	}
	return filepath.Base(slices.Max(found))
}

// unit returns a setting of an installed unit.
func (h *operator) unit(name, setting string) string {
	h.t.Helper()
	data, err := os.ReadFile(filepath.Join(*debianRoot, "usr/lib/systemd/system", name))
	if err != nil {
		h.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), setting+"="); ok {
			return value
		}
	}
	h.t.Fatalf("%s has no %s", name, setting)
	return ""
}

func (h *operator) systemctl(verb string, units []string) {
	h.t.Helper()
	units = slices.DeleteFunc(slices.Clone(units), func(unit string) bool { return unit == "--now" })
	for _, unit := range units {
		switch {
		case unit == "norn" && verb == "stop":
			h.service.stop()
		case unit == "norn":
			h.begins()
		case unit == "norn-backup.timer" && verb == "enable":
			h.nightPasses()
		default:
			h.t.Fatalf("systemctl %s %s: this test doesn't know what that does", verb, unit)
		}
	}
}

// begins starts norn.service, if it isn't running.
func (h *operator) begins() {
	h.t.Helper()
	user := h.unit("norn.service", "User")
	want := "norn serve --config /etc/norn/norn.toml --data /var/lib/norn"
	if run := h.unit("norn.service", "ExecStart"); run != want {
		h.t.Fatalf("the unit runs %q, not %q", run, want)
	}
	h.runs("root", "install", "-d", "-o", user, "-g", user, "-m", "0700", "/var/lib/norn")
	h.runs(user, strings.Fields(h.unit("norn.service", "ExecStartPre"))...)
	switch {
	case h.service == nil:
		h.service = &server{
			t: h.t, dir: "/var/lib/norn", more: []string{"--config", "/etc/norn/norn.toml"},
			norn: as(user, "norn"),
		}
		h.service.begin()
	case h.service.process.ProcessState != nil:
		h.service.start()
	}
	h.opens()
}

// opens checks that the table that came from home is served, to its old link.
func (h *operator) opens() {
	h.t.Helper()
	if status, answer := h.service.call(http.MethodGet, "/tables/"+h.table, h.secret, nil); status != http.StatusOK {
		h.t.Fatalf("the table's link opens %d %v", status, answer)
	}
}

// nightPasses does what the timer does at night.
func (h *operator) nightPasses() {
	h.t.Helper()
	user := h.unit("norn-backup.service", "User")
	for folder := range strings.FieldsSeq(h.unit("norn-backup.service", "StateDirectory")) {
		h.runs("root", "install", "-d", "-o", user, "-g", user, "-m", "0700", "/var/lib/"+folder)
	}
	if last := h.newestBackup(); last != "" { // of the night before
		h.runs(user, "mv", "/var/lib/norn-backup/"+last, "/var/lib/norn-backup/2026-01-01T0300")
	}
	h.runs(user, strings.Fields(h.unit("norn-backup.service", "ExecStart"))...)
	if h.newestBackup() == "" {
		h.t.Fatal("there is no backup after a night")
	}
}

// Somebody with a table at home rents a machine and follows the pages for hosts, one after the
// other, with no step of their own.
func TestAHostFollowsThePages(t *testing.T) {
	if *debianRoot == "" {
		t.Skip("`make packages` builds packages and a Debian to install them in")
	}
	_, newest, _ := strings.Cut(*packages, ",")
	h := &operator{t: t}
	data, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*debianRoot, "tmp", "norn.deb"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	h.runs("root", "useradd", "--create-home", somebody)

	h.follow("guide/en/home.md", "## A small server", map[string]func(){
		"norn export": func() {
			h.home = &server{t: t, dir: "/home/" + somebody + "/.local/share/norn", norn: as(somebody, "norn")}
			h.home.begin()
			opened := h.home.must(http.MethodPost, "/tables", "", body{"game": "spire", "name": "Friday", "lang": "en"})
			h.table, h.secret = opened["id"].(string), opened["seat"].(body)["secret"].(string)
		},
		"sudo norn import": func() { h.home.stop() },
	})
	h.opens()

	var second string
	h.follow("operate.md", "## Backup and restore", map[string]func(){
		"sudo -u norn norn backup": func() {
			opened := h.service.must(http.MethodPost, "/tables", "", body{"game": "edda", "name": "Gone", "lang": "en"})
			second = opened["id"].(string)
		},
		"sudo systemctl stop": func() {
			h.runs(owner, "norn", "delete", second, "--yes", "--data", "/var/lib/norn")
		},
	})
	h.opens()
	h.service.stop()
	h.service.start()
	if log := h.service.log.String(); !strings.Contains(log, second) {
		t.Errorf("the restored copy has a table that was deleted, and norn says only\n%s", log)
	}
	h.runs(owner, "norn", "delete", second, "--yes", "--data", "/var/lib/norn")

	h.follow("privacy.md", "", nil)
	if status, _ := h.service.call(http.MethodGet, "/tables/"+h.table, h.secret, nil); status != http.StatusNotFound {
		t.Errorf("the deleted table's link opens %d", status)
	}
	h.service.stop()
	for _, name := range []string{"Friday", "Gone"} {
		said, err := exec.CommandContext(t.Context(), "grep", "-rl", `"name":"`+name+`"`,
			filepath.Join(*debianRoot, "var/lib/norn")).CombinedOutput()
		if err == nil {
			t.Errorf("the words of %q are still in %s", name, said)
		}
	}
	h.runs("root", "apt-get", "--yes", "purge", "norn")
	h.runs("root", "rm", "-r", "/var/lib/norn", "/var/lib/norn-before", "/var/lib/norn-backup", "/backup")
	h.runs("root", "userdel", "--remove", somebody)
}
