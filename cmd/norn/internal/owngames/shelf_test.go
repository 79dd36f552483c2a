package owngames

import (
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/games"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/relay/local"
	"norn/script"
	"norn/table"
	"norn/table/request"
	"norn/web"
	"norn/web/api"
)

// A folder that appears while a server runs is a game of its; one that goes is offered no more, while its tables go on.
func TestFoldersComeAndGo(t *testing.T) {
	all := t.TempDir()
	write := func(name, from, to string) {
		t.Helper()
		dir := filepath.Join(all, name)
		if _, err := os.Stat(dir); err != nil {
			if err := os.CopyFS(dir, script.First()); err != nil {
				t.Fatal(err)
			}
		}
		star := filepath.Join(dir, "game.star")
		text, err := os.ReadFile(star)
		if err == nil {
			err = os.WriteFile(star, []byte(strings.ReplaceAll(string(text), from, to)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("lantern", "Keep", "Hold")
	var heard []string
	clock := time.Now()
	norn, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	with, err := Installed(norn, []string{"serve", "--games", all}, cli.Getenv(nil), func() time.Time { return clock }, func(err error) { heard = append(heard, err.Error()) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	log := slog.New(slog.DiscardHandler)
	host := table.New(table.Config{Games: with.Library, Words: with.Words, Journal: store, Relay: local.New(), Now: time.Now, Entropy: rand.NewChaCha8([32]byte{1}), Log: log, Version: "devel"})
	t.Cleanup(func() { host.Close() })
	answers := api.New(api.Config{Host: host, Words: with.Words, Games: with.Library, Log: log})
	pages := web.New(web.Config{Host: host, Words: with.Words, Games: with.Library, Log: log, API: answers})
	get := func(path string) string {
		clock = clock.Add(lookAgain + 1)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Body.String()
	}
	offers := func(when, path string, yes bool, text string) {
		t.Helper()
		if strings.Contains(get(path), text) != yes {
			t.Errorf("%s: %s says %s: %t", when, path, text, !yes)
		}
	}
	made, err := host.Create(t.Context(), request.NewTable{Game: "lantern", Name: "Here", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}

	write("torch", "Lantern", "Torch")
	offers("a new folder", "/", true, `value="torch"`)
	offers("a new folder", "/api/v1/games", true, `"torch"`)
	offers("a new folder", "/api/openapi.json", true, `"torch.dare.args"`)
	offers("a new folder", "/odds/torch/dare", true, "Risk")
	write("torch", "Risk", "Danger")
	offers("a newer text", "/odds/torch/dare", true, "Danger")
	write("torch", "risk = ", "peril = ")
	write("torch", "risk", "peril")
	offers("a newer text", "/api/openapi.json", true, `"peril"`)
	offers("a newer text", "/api/v1/odds/torch/dare?peril=2", true, `"peril"`)
	write("torch", "Torch", "Flame")
	offers("another id", "/", true, `value="flame"`)
	offers("another id", "/", false, `value="torch"`)
	write("flame", "Lantern", "Flame")
	get("/")
	if len(heard) != 1 || !strings.Contains(heard[0], "the id flame already") {
		t.Errorf("it says %q", heard)
	}

	if err := os.RemoveAll(filepath.Join(all, "lantern")); err != nil {
		t.Fatal(err)
	}
	offers("a folder that's gone", "/", false, `value="lantern"`)
	offers("a folder that's gone", "/api/openapi.json", false, "lantern.dare.args")
	if _, err := host.Create(t.Context(), request.NewTable{Game: "lantern", Name: "Gone", Lang: lang.En}); err == nil {
		t.Error("a table is opened of a game that's gone")
	}
	gm, err := host.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
	if err == nil {
		_, err = gm.Make(t.Context(), request.Move{Move: game.PlainDice, Args: []byte(`{"notation":"2d6"}`), Nonce: "n"})
	}
	if err != nil {
		t.Errorf("its table: %v", err)
	}
	write("lantern", "Keep", "Keep")
	offers("a folder that's back", "/", true, `value="lantern"`)
}
