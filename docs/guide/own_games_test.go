package guide_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"norn/lang"
	"norn/script"
	"norn/script/check"
)

// Each step of the page on own games must be a playable game, and all steps together must pass the
// cases on the page.
func TestOwnGameInTheGuideIsPlayableAtEachStep(t *testing.T) {
	block := regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")
	for _, l := range lang.All {
		var game, words, look, cases string
		called := false
		for _, m := range block.FindAllStringSubmatch(read(t, filepath.Join(string(l), "own-games.md")), -1) {
			switch m[1] {
			case "python":
				game += m[2] + "\n"
				if _, err := script.Compile(script.Text{Game: game}); err != nil {
					t.Errorf("%s: %v in\n%s", l, err, m[2])
				}
			case "toml":
				if words = m[2]; strings.Contains(words, "[light]") {
					look = words
				}
			case "text":
				cases = m[2]
			case "starlark":
				if m[2] != script.Reference {
					t.Errorf("%s: what there is to call is now\n%s", l, script.Reference)
				}
				called = true
			}
		}
		if !called {
			t.Errorf("%s: it doesn't say what there is to call", l)
		}
		r, err := check.Folder(fstest.MapFS{
			"game.star": {Data: []byte(game)}, "words.toml": {Data: []byte(words)},
			"look.toml": {Data: []byte(look)}, "cases/dare.txt": {Data: []byte(cases)},
		})
		if err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		if r, err = check.Folder(fstest.MapFS{
			"game.star": {Data: []byte(game)}, "words.toml": {Data: []byte(words)},
			"cases/dare.txt": {Data: []byte(r.Updated["dare.txt"])},
		}); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		for _, fault := range r.Faults {
			t.Errorf("%s: %s", l, fault)
		}
		if !strings.Contains(r.Updated["dare.txt"], "tell game.sentence") || r.Cases != 7 {
			t.Errorf("%s: %d cases, that say\n%s", l, r.Cases, r.Updated["dare.txt"])
		}
	}
}
