package check_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"norn/game"
	"norn/lang"
	"norn/script"
	"norn/script/check"
)

var update = flag.Bool("update", false, "write what happened into the cases")

// The example games must pass the checks for norn's own games.
func TestTheExamplesPassTheCheck(t *testing.T) {
	games, err := filepath.Glob("../../examples/*/game.star")
	if err != nil {
		t.Fatal(err)
	}
	games = append(games, "../first/game.star")
	if testing.Short() {
		games = games[len(games)-1:]
	}
	for _, path := range games {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			r, err := check.Folder(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				for name, text := range r.Updated {
					if err := os.WriteFile(filepath.Join(dir, "cases", name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				return
			}
			for _, fault := range faultsOf(r) {
				t.Error(fault)
			}
			for l, texts := range r.Texts {
				t.Errorf("%s lacks %q", l, texts)
			}
		})
	}
}

// Only languages with some translations in words.toml can lack others; a translation of a text that
// the game doesn't have is a fault.
func TestBegunTranslationReportsMissingAndExtraWords(t *testing.T) {
	game, err := fs.ReadFile(script.First(), "game.star")
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Folder(fstest.MapFS{
		"game.star":  {Data: game},
		"words.toml": {Data: []byte("[ru]\n\"Hero\" = \"Герой\"\n\"rules\" = \"Правила\"\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Texts[lang.Uk]) != 0 || len(r.Texts[lang.Ru]) == 0 || slices.Contains(r.Texts[lang.Ru], "Hero") {
		t.Errorf("missing are %q", r.Texts)
	}
	if !slices.ContainsFunc(faultsOf(r), func(f string) bool { return strings.Contains(f, `words.toml: [ru] "rules"`) }) {
		t.Errorf("the faults are %q", faultsOf(r))
	}
}

// For a rule too large for exact odds, the report says what to do, at the limit of norn odds.
func TestReportSaysWhatToDoIfOddsAreTooLarge(t *testing.T) {
	rule := func(throws string) fstest.MapFS {
		return fstest.MapFS{
			"game.star": {Data: []byte("game(\"Large\")\nhero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 4))\n" +
				"done = good(\"done\")\nill = bad(\"ill\")\ndef dare(me):\n" +
				"    all = 0\n    for i in range(9):\n        all = all + " + throws +
				"\n    return done if all > 50 else ill\nmove(dare, \"Dare\", by = hero)\n")},
			"cases/a.txt": {Data: []byte("# it goes\nmove dare {}\ndice 1 2 3 4 5 6 7 8 9\n")},
		}
	}
	for throws, want := range map[string]bool{
		"roll(d10) * (i + 1)": true, "(sum(9, d10) if i == 0 else 0)": false,
		"(part(lambda: roll(d10) + roll(d10) + roll(d10)) if i < 2 else 0)": false,
	} {
		r, err := check.Folder(rule(throws))
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(faultsOf(r), func(f string) bool {
			return strings.Contains(f, "2,000,000 branches; if only the result")
		}); got != want {
			t.Errorf("%s: %q", throws, faultsOf(r))
		}
	}
}

// faultsOf returns the faults of a report in English.
func faultsOf(r *check.Report) []string { return game.Each(r.Faults, error.Error) }
