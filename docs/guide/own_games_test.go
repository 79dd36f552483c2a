package guide_test

import (
	"os"
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
			}
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

// The page of all that a text can call is made of the table that reads the text.
func TestReferenceIsThatOfTheTable(t *testing.T) {
	all := words(t)
	for _, l := range lang.All {
		file := filepath.Join(string(l), "own-games-reference.md")
		page := read(t, filepath.Join(string(l), "own-games.md"))
		want := script.Reference(all.In(l)) + page[strings.LastIndex(page, "\n["):] // the way to all pages
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if read(t, file) != want {
			t.Errorf("%s isn't that of the table; write it with -update", file)
		}
	}
}
