package web_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The browsers that scripts and styles are built for are those that pages, README and the guide
// name, in each language.
func TestSupportedBrowsersAreTheSameInPagesAndDocs(t *testing.T) {
	read := func(path string) string {
		data, err := os.ReadFile(path)
		must(t, err)
		return string(data)
	}
	if _, err := os.Stat("dist/manifest.json"); err != nil {
		t.Skip("there is no bundle: make bundle builds it")
	}
	target := regexp.MustCompile(`target: \["chrome(\d+)", "firefox(\d+)", "safari([\d.]+)"\]`).FindStringSubmatch(read("bundle.mjs"))
	if target == nil {
		t.Fatal("bundle.mjs names no browsers")
	}
	told := map[string]string{"README.md": read("../README.md")}
	h := open(t)
	for _, l := range []string{"en", "ru", "uk"} {
		told[l+"/players.md"] = read("../docs/guide/" + l + "/players.md")
		reader := h.stranger()
		reader.lang = l
		note := reader.get("/").all(func(n *node) bool { return n.is("too-old") })
		if len(note) != 1 {
			t.Fatalf("%d notes to old browsers, want 1", len(note))
		}
		if _, hidden := note[0].attrs["hidden"]; !hidden {
			t.Error("the note is seen without styles")
		}
		told["the page in "+l] = note[0].says()
	}
	for where, text := range told {
		for _, version := range target[1:] {
			if !strings.Contains(text, " "+version) {
				t.Errorf("%s doesn't name version %s", where, version)
			}
		}
	}
}
