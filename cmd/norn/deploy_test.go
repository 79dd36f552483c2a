package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"norn/cmd/norn/internal/cli"
)

const deployed = "../../deploy/"

func text(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checked runs check-config with a file and an environment.
func checked(t *testing.T, file string, env ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr strings.Builder
	args := []string{"check-config"}
	if file != "" {
		args = append(args, file)
	}
	status = run(t.Context(), home(), args, strings.NewReader(""), &stdout, &stderr,
		append(env, "HOME="+t.TempDir(), "LC_ALL=C"))
	return status, stdout.String(), stderr.String()
}

// The example configuration is valid as it is and with every line uncommented, and contains every
// setting.
func TestTheExampleConfigurationNamesEverySetting(t *testing.T) {
	if status, _, errs := checked(t, deployed+"norn.toml"); status != cli.Done {
		t.Errorf("norn.toml: %s", errs)
	}
	// A commented line replaces the line of the same key above it.
	lines := map[string]string{} // by key
	for line := range strings.Lines(text(t, deployed+"norn.toml")) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "# ")
		if key, _, ok := strings.Cut(line, " = "); ok && regexp.MustCompile(`^[a-z_]+$`).MatchString(key) {
			lines[key] = line
		}
	}
	var all []string
	for _, line := range lines {
		all = append(all, line)
	}
	file := filepath.Join(t.TempDir(), "norn.toml")
	if err := os.WriteFile(file, []byte(strings.Join(all, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := checked(t, file)
	if status != cli.Done || strings.Contains(out, "# default") || lines["games"] == "" { // the flag of games is none of serve's own
		t.Errorf("with every line in use: %s%s", out, errs)
	}
}

// A file with a password in it that everybody can read is warned of; the same file for its owner
// and group isn't, nor is one without secrets.
func TestCheckConfigWarnsOfSecretsThatEverybodyCanRead(t *testing.T) {
	for _, c := range []struct {
		text string
		mode os.FileMode
		warn bool
	}{
		{`telegram_token = "123456:ABC"`, 0o644, true},
		{`telegram_token = "123456:ABC"`, 0o640, false},
		{`journal = "postgres://norn:secret@db.example/norn"`, 0o604, true},
		{`journal = "postgres://norn@db.example/norn"`, 0o644, false},
		{`journal_password = ""`, 0o644, false},
	} {
		file := filepath.Join(t.TempDir(), "norn.toml")
		if err := os.WriteFile(file, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		status, _, errs := checked(t, file)
		if warned := strings.Contains(errs, "others on this machine can read it"); status != cli.Done || warned != c.warn {
			t.Errorf("%s, %o: status %d, %q", c.text, c.mode, status, errs)
		}
	}
}

// A unit consists of known sections of "Name=value" lines, and starts norn with a valid
// configuration.
func TestUnitFilesStartNornWithAValidConfiguration(t *testing.T) {
	for _, name := range []string{"norn.service", "norn-node.service"} {
		unit := text(t, deployed+name)
		section, set := "", map[string]string{}
		for line := range strings.Lines(unit) {
			line = strings.TrimSpace(line)
			switch key, value, ok := strings.Cut(line, "="); {
			case line == "" || strings.HasPrefix(line, "#"):
			case slices.Contains([]string{"[Unit]", "[Service]", "[Install]"}, line):
				section = line
			case !ok || section == "" || !regexp.MustCompile(`^[A-Z][A-Za-z]+$`).MatchString(key):
				t.Errorf("%s: what is %q?", name, line)
			case set[section+key] != "" && key != "SystemCallFilter": // its lines add up
				t.Errorf("%s: %s stands twice", name, key)
			default:
				set[section+key] = value
			}
		}
		for _, key := range []string{
			"[Unit]Description", "[Service]ExecStart", "[Service]Restart",
			"[Install]WantedBy",
		} {
			if set[key] == "" {
				t.Errorf("%s: %s is missing", name, key)
			}
		}
		for _, key := range []string{"[Service]ExecStartPre", "[Service]ExecStart"} {
			command := append(strings.Fields(set[key])[1:], "--help") // flags are checked before help is printed
			if status, _, errs := norn(t, command...); status != cli.Done {
				t.Errorf("%s: %s: %s", name, set[key], errs)
			}
		}
		// The environment that the comment of a node's unit shows.
		var env []string
		for _, found := range regexp.MustCompile(`(?m)^#   (NORN_\w+=.*)$`).FindAllStringSubmatch(unit, -1) {
			env = append(env, found[1])
		}
		if name == "norn-node.service" && len(env) != 5 {
			t.Errorf("%s shows %v", name, env)
		}
		if status, _, errs := checked(t, "", env...); status != cli.Done {
			t.Errorf("%s: %s", name, errs)
		}
	}
}

// The nightly backup runs as the service's user, writes only into its own folder, and is off until
// somebody enables its timer.
func TestBackupUnitRunsAValidCommandAsTheServicesUser(t *testing.T) {
	unit := text(t, deployed+"norn-backup.service")
	command := regexp.MustCompile(`(?m)^ExecStart=norn (.*)$`).FindStringSubmatch(unit)
	if command == nil {
		t.Fatal("it starts nothing")
	}
	if status, _, errs := norn(t, append(strings.Fields(command[1]), "--help")...); status != cli.Done {
		t.Error(errs)
	}
	for _, line := range []string{"User=norn", "StateDirectory=norn norn-backup", "ProtectSystem=strict"} {
		if !strings.Contains(unit, "\n"+line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if !strings.HasSuffix(command[1], " /var/lib/norn-backup") {
		t.Errorf("it writes elsewhere: %s", command[1])
	}
	if strings.Contains(unit, "[Install]") || !strings.Contains(text(t, deployed+"norn-backup.timer"), "[Install]") {
		t.Error("the timer can be enabled, not the service")
	}
}

// Alerts and dashboard ask for metrics that norn has.
func TestAlertsAndDashboardUseMetricsThatNornHas(t *testing.T) {
	known := ""
	for _, path := range []string{"../../internal/meter/meter.go", "../../internal/meter/journal.go", "internal/server/serve.go"} {
		known += text(t, path)
	}
	for _, file := range []string{"watch/alerts.yml", "watch/dashboard.json"} {
		found := regexp.MustCompile(`norn_[a-z_]+`).FindAllString(text(t, deployed+file), -1)
		if len(found) < 4 {
			t.Errorf("%s asks for %v", file, found)
		}
		for _, name := range found {
			if !strings.Contains(known, `"`+strings.TrimSuffix(name, "_bucket")+`"`) {
				t.Errorf("%s: norn has no %s", file, name)
			}
		}
	}
	var rules map[string]any
	if err := yaml.Unmarshal([]byte(text(t, deployed+"watch/alerts.yml")), &rules); err != nil {
		t.Error(err)
	}
	if !json.Valid([]byte(text(t, deployed+"watch/dashboard.json"))) {
		t.Error("the dashboard isn't JSON")
	}
}

// systemd, where it is installed, finds nothing wrong with the units except that norn isn't
// installed. Elsewhere only the test above checks them, and this one is skipped.
func TestSystemdAcceptsTheUnitFiles(t *testing.T) {
	analyse, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd-analyze isn't here: it wasn't asked")
		return
	}
	for _, name := range []string{"norn.service", "norn-node.service", "norn-backup.service", "norn-backup.timer"} {
		// the exit status is an error where norn isn't installed
		said, _ := exec.CommandContext(t.Context(), analyse, "verify", deployed+name).CombinedOutput()
		for line := range strings.Lines(string(said)) {
			if strings.HasPrefix(line, name) && !strings.Contains(line, "Command norn is not executable") {
				t.Error(strings.TrimSpace(line))
			}
		}
	}
}

// The image is built from files of the repository, its environment is valid, and its tables are in
// a volume.
func TestImageIsBuiltFromFilesOfTheRepository(t *testing.T) {
	file := text(t, deployed+"Dockerfile")
	copied := 0
	for _, found := range regexp.MustCompile(`(?m)^COPY ([^-].*) \S+$`).FindAllStringSubmatch(file, -1) {
		for path := range strings.FieldsSeq(found[1]) {
			if _, err := os.Stat(filepath.Join(deployed, "..", path)); err != nil {
				t.Error(err)
			}
			copied++
		}
	}
	if copied < 6 {
		t.Errorf("%d paths are copied", copied)
	}
	env := regexp.MustCompile(`NORN_\w+=\S+`).FindAllString(file, -1)
	if status, out, errs := checked(t, "", env...); status != cli.Done || strings.Count(out, "# NORN_") != len(env) ||
		len(env) == 0 {
		t.Errorf("its environment: %s%s", out, errs)
	}
	if folder, _ := strings.CutPrefix(env[len(env)-1], "NORN_DATA="); !strings.Contains(file, "\nVOLUME "+folder+"\n") {
		t.Errorf("%s is no volume", folder)
	}
}

// The compose file is valid YAML for compose: it has known keys, existing services, volumes and
// files, and an environment that norn accepts.
func TestComposeFileIsValid(t *testing.T) {
	type service struct {
		Image       string            `yaml:"image"`
		Build       map[string]string `yaml:"build"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		DependsOn   yaml.Node         `yaml:"depends_on"`
		Volumes     []string          `yaml:"volumes"`
		Ports       []string          `yaml:"ports"`
		Tmpfs       []string          `yaml:"tmpfs"`
		Healthcheck map[string]any    `yaml:"healthcheck"`
		Restart     string            `yaml:"restart"`
		ReadOnly    bool              `yaml:"read_only"`
		CapDrop     []string          `yaml:"cap_drop"`
		SecurityOpt []string          `yaml:"security_opt"`
		Grace       string            `yaml:"stop_grace_period"`
		Memory      string            `yaml:"mem_limit"`
		Tasks       int               `yaml:"pids_limit"`
	}
	var compose struct {
		Name     string             `yaml:"name"`
		Norn     any                `yaml:"x-norn"`
		Services map[string]service `yaml:"services"`
		Volumes  map[string]any     `yaml:"volumes"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(text(t, deployed+"compose.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&compose); err != nil {
		t.Fatal(err)
	}
	norns := 0
	for name, s := range compose.Services {
		if s.Image == "" {
			t.Errorf("%s has no image", name)
		}
		if file := s.Build["dockerfile"]; file != "" {
			text(t, filepath.Join(deployed, s.Build["context"], file))
		}
		for _, volume := range s.Volumes {
			from, _, _ := strings.Cut(volume, ":")
			if strings.HasPrefix(from, "./") {
				text(t, deployed+from)
			} else if _, ok := compose.Volumes[from]; !ok {
				t.Errorf("%s: there is no volume %s", name, from)
			}
		}
		var needed []string
		switch s.DependsOn.Kind {
		case yaml.MappingNode:
			for i := 0; i < len(s.DependsOn.Content); i += 2 {
				needed = append(needed, s.DependsOn.Content[i].Value)
			}
		case yaml.SequenceNode:
			for _, n := range s.DependsOn.Content {
				needed = append(needed, n.Value)
			}
		}
		for _, other := range needed {
			if _, ok := compose.Services[other]; !ok {
				t.Errorf("%s needs %s, which isn't there", name, other)
			}
		}
		if s.Image != "norn" {
			continue
		}
		norns++
		var env []string
		for key, value := range s.Environment {
			env = append(env, key+"="+strings.ReplaceAll(value, "$", ""))
		}
		status, out, errs := checked(t, "", env...)
		if status != cli.Done || strings.Count(out, "# NORN_") != len(env) {
			t.Errorf("%s: its environment: %s%s", name, out, errs)
		}
		if !strings.Contains(text(t, deployed+"Caddyfile"), name+":8080") {
			t.Errorf("the proxy knows nothing of %s", name)
		}
	}
	if norns != 3 {
		t.Errorf("%d norns, want 3", norns)
	}
}
