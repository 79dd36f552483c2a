package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// elsewhere names the tests that run other commands, by how each begins.
var elsewhere = map[string]string{
	"make test":           "../../.ci/run:make test",
	"sudo apt install":    "../../playtest/package_linux_test.go:TestAPackageIsInstalledUpgradedAndRemoved",
	"sudo systemctl":      "deploy_test.go:TestSystemdAcceptsTheUnitFiles",
	"sh install.sh":       "../../tools/release/install_test.go:TestInstallScriptChangesNothingIfASumIsWrong",
	"sha256sum -c":        "../../tools/release/install_test.go:sha256sum -c SHA256SUMS",
	"docker load":         "../../tools/release/image_linux_test.go:docker load",
	"docker run":          "../../tools/release/image_linux_test.go:docker run",
	"norn mcp --link":     "../../playtest/agent_test.go:mcp",
	"norn character":      "character_test.go:TestCharacterIsCopiedToAnotherTableByTwoLinks",
	"norn list import":    "list_test.go:TestListsComeFromFilesAndFolders",
	"norn list copy":      "list_test.go:TestListIsCopiedToAnotherTableByTwoLinks",
	"norn move --from":    "move_test.go:move",
	"norn service":        "internal/server/service_test.go:TestAServiceIsWrittenAndRemoved",
	"norn serve --domain": "../../playtest/domain_test.go:TestADomainGetsItsCertificate",
	"norn serve --listen 0.0.0.0:8080 --journal": "../../playtest/nodes_test.go:--journal",
}

var (
	block       = regexp.MustCompile(`(?m)^    (?:\$ )?(.+)$`)
	inline      = regexp.MustCompile("`([^`]+)`")
	commandLine = regexp.MustCompile(`^(?:\./)?(norn|make|sudo|sh|sha256sum|docker|curl) \S`)
)

// readmeCommands lists the commands that README and docs/commands.md show, in their order, without
// comments.
func readmeCommands(t *testing.T) (all []string) {
	t.Helper()
	readme := text(t, "../../README.md") + text(t, "../../docs/commands.md")
	for line := range strings.Lines(readme) {
		found := append(block.FindAllStringSubmatch(line, -1), inline.FindAllStringSubmatch(line, -1)...)
		for _, f := range found {
			command, _, _ := strings.Cut(f[1], "  #")
			if commandLine.MatchString(command) {
				all = append(all, strings.TrimPrefix(strings.TrimSpace(command), "./"))
			}
		}
	}
	if len(all) < 30 {
		t.Fatalf("README and docs/commands.md show %q: too few", all)
	}
	return all
}

// runElsewhere reports whether another test runs a command. It fails if that test doesn't exist.
func runElsewhere(t *testing.T, command string) bool {
	t.Helper()
	for begin, where := range elsewhere {
		if strings.HasPrefix(command, begin) {
			file, what, _ := strings.Cut(where, ":")
			if !strings.Contains(text(t, file), what) {
				t.Errorf("%s: %s hasn't %q any more", command, file, what)
			}
			return true
		}
	}
	return false
}

// TestEveryCommandOfReadmeRuns runs each command of README and docs/commands.md in a home that
// contains only the tables of two evenings.
func TestEveryCommandOfReadmeRuns(t *testing.T) {
	all := readmeCommands(t)
	all = slices.DeleteFunc(all, func(command string) bool { return runElsewhere(t, command) })
	dir, played := leftBy(t, released)
	example := text(t, deployed+"norn.toml")
	makefile := text(t, "../../Makefile")
	own := t.TempDir()
	t.Chdir(own)
	t.Setenv("PATH", filepath.Join(own, "no-browser"))
	if err := os.WriteFile("norn.toml", []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range all {
		words := strings.Fields(strings.NewReplacer("ID", played.ID, "TABLE", played.ID, "~", own, "…", own+"/copy",
			"/var/lib/norn", dir).Replace(command))
		if words[0] == "sudo" { // sudo -u norn
			words = words[3:]
		}
		switch {
		case words[0] == "make":
			_, recipe, there := strings.Cut(makefile, "\n"+words[1]+": ")
			if !there || !strings.Contains(recipe[:200], "bin/norn serve --demo --listen") {
				t.Errorf("%s isn't norn serve --demo", command)
			}
		case words[0] == "curl":
			opensATable(t, command)
		case words[1] == "serve":
			s := serve(t, append(words[2:], "--data", t.TempDir())...)
			s.hear(t, `^(norn is open at .+)$`)
			s.end(t)
		default:
			args := words[1:]
			switch args[0] {
			case "import":
				args = append(args, "--data", t.TempDir())
			case "export", "seat", "delete", "prune":
				args = append(args, "--data", dir)
			case "backup":
				if !slices.Contains(args, "--data") {
					args = append(args, "--data", dir)
				}
			case "check-config":
				args = append(args, "norn.toml")
			}
			if slices.Contains([]string{"norn export", "norn odds", "norn roll --dice"}, command) {
				args = append(args, "--help") // README shows the bare name
			}
			var out, errs strings.Builder
			if status := run(t.Context(), home(), args, strings.NewReader(""), &out, &errs,
				[]string{"HOME=" + own}); status != cli.Done || out.Len() == 0 && args[0] != "export" {
				t.Errorf("%s: status %d: %s%s", command, status, &out, &errs)
			}
		}
	}
}

// opensATable sends the request of README's curl command.
func opensATable(t *testing.T, command string) {
	t.Helper()
	sent := regexp.MustCompile(`localhost:8080(\S+) -d '([^']+)' -H 'Content-Type: ([^']+)'`).FindStringSubmatch(command)
	if sent == nil {
		t.Fatalf("what does %s send?", command)
	}
	s := serve(t, "--data", t.TempDir())
	answer, err := http.Post(s.hear(t, `^norn is open at (.+)$`)+sent[1], sent[3], strings.NewReader(sent[2]))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", command, answer.Status)
	}
	s.end(t)
}
