package check_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"norn/script/check"
)

var update = flag.Bool("update", false, "write what happened into the cases")

// The games that are shown as examples stand all that norn's own stand.
func TestExamples(t *testing.T) {
	games, err := filepath.Glob("../../examples/*/game.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(games, "../first/game.star") {
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
			for _, fault := range r.Faults {
				t.Error(fault)
			}
			for l, texts := range r.Texts {
				t.Errorf("%s lacks %q", l, texts)
			}
		})
	}
}
