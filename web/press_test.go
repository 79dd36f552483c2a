//go:build press

package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime/coverage"
	"testing"

	"norn/game"
	"norn/games"
)

// Writes what one press of Roll on a page runs, for tools/press.sh: counters of a build with coverage,
// cleared before the request, of a move that is made and of one that is refused.
func TestCountWhatOnePressRuns(t *testing.T) {
	into := os.Getenv("NORN_PRESS")
	for _, id := range []string{"spire", "mage"} {
		g, _ := game.Find(games.All(), id)
		h, _ := hosted(t, g)
		gm := h.sits("gm")
		form := takeHero(t, gm).the(t, "data-form", "move")
		script := gm.script()
		press := func(name string, status int, values map[string]string) {
			sent := form.sends()
			sent.Set("_by", "throw")
			sent.Set("_touched", "")
			for name, text := range values {
				sent.Set(name, text)
			}
			write := func(dir string) {
				must(t, os.MkdirAll(dir, 0o755))
				must(t, coverage.WriteMetaDir(dir))
				must(t, coverage.WriteCountersDir(dir))
			}
			must(t, coverage.ClearCounters())
			got := script.post(gm.at("/move"), sent)
			write(filepath.Join(into, id+"-"+name))
			want(t, fmt.Sprint(id, " ", name), got.status, status)
		}
		wrong := map[string]string{"spire": "difficulty", "mage": "difficulty"}[id]
		press("refused-warm", http.StatusUnprocessableEntity, map[string]string{wrong: "99", "_touched": wrong, "_key": "a"})
		press("refused", http.StatusUnprocessableEntity, map[string]string{wrong: "99", "_touched": wrong, "_key": "b"})
		press("made", http.StatusNoContent, map[string]string{"_key": "c"})
	}
}
