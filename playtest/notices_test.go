package playtest

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The licences of everything in the binary are distributed with it: each module that it was built
// from, Go itself, and each package of the bundle. No title lacks its text.
func TestLicencesOfEverythingInTheBinaryAreIncluded(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../cmd/norn/notices/modules.txt"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no licences are gathered: make notices does it")
	}
	out, err := exec.Command(binary, "notices").CombinedOutput()
	if err != nil {
		t.Fatalf("%v, %s (make notices gathers them)", err, out)
	}
	texts := map[string]string{}
	for part := range strings.SplitSeq("\n"+string(out), "\n== ") {
		title, text, _ := strings.Cut(part, " ==\n")
		texts[title] = text
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"norn", "Go " + info.GoVersion}
	for _, module := range info.Deps {
		wanted = append(wanted, module.Path+" "+module.Version)
	}
	if len(wanted) < 20 {
		t.Fatalf("the binary knows only %v", wanted)
	}
	for _, title := range wanted {
		if len(texts[title]) < 200 {
			t.Errorf("no licence of %s", title)
		}
	}
	var bundled struct{ Dependencies map[string]string }
	data, err := os.ReadFile("../package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &bundled); err != nil {
		t.Fatal(err)
	}
	for name, version := range bundled.Dependencies {
		if !strings.Contains(string(out), "\n"+name+" "+version+"\n\n") {
			t.Errorf("no licence of %s %s, which is bundled", name, version)
		}
	}
}
