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
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/request"
	"norn/web"
	"norn/web/api"
)

// serving is a server with a folder of games.
type serving struct {
	t      *testing.T
	folder string
	clock  time.Time
	heard  []string // the reported faults of folders
	host   *table.Host
	pages  http.Handler
}

// newServing serves a folder that contains the game lantern.
func newServing(t *testing.T) *serving {
	t.Helper()
	s := &serving{t: t, folder: t.TempDir(), clock: time.Now()}
	s.write("lantern", "Keep", "Hold")
	norn, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	with, err := Install(norn, s.folder, func() time.Time {
		return s.clock
	}, func(err error) {
		s.heard = append(s.heard, err.Error())
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	log := slog.New(slog.DiscardHandler)
	s.host = table.New(table.Config{
		Games: with.Library, Words: with.Words, Journal: store, Relay: local.New(),
		Now: time.Now, Entropy: rand.NewChaCha8([32]byte{1}), Log: log, Version: "devel",
	})
	t.Cleanup(func() { s.host.Close() })
	answers := api.New(api.Config{Host: s.host, Words: with.Words, Games: with.Library, Log: log})
	s.pages = web.New(web.Config{Host: s.host, Words: with.Words, Games: with.Library, Log: log, API: answers})
	return s
}

// write replaces something in a game's text. A new game starts as the one of new-game.
func (s *serving) write(name, from, to string) {
	s.t.Helper()
	dir := filepath.Join(s.folder, name)
	if _, err := os.Stat(dir); err != nil {
		if err := os.CopyFS(dir, script.First()); err != nil {
			s.t.Fatal(err)
		}
	}
	star := filepath.Join(dir, "game.star")
	text, err := os.ReadFile(star)
	if err == nil {
		err = os.WriteFile(star, []byte(strings.ReplaceAll(string(text), from, to)), 0o644)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// get returns a page after the folder was examined again.
func (s *serving) get(path string) string {
	s.clock = s.clock.Add(lookAgain + 1)
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Body.String()
}

func (s *serving) offers(path, text string) {
	s.t.Helper()
	if !strings.Contains(s.get(path), text) {
		s.t.Errorf("%s doesn't say %s", path, text)
	}
}

func (s *serving) lacks(path, text string) {
	s.t.Helper()
	if strings.Contains(s.get(path), text) {
		s.t.Errorf("%s says %s", path, text)
	}
}

// A folder that appears while a server runs becomes one of its games. A folder that disappears is
// no longer offered, but its tables continue.
func TestAddedAndRemovedGamesAreNoticedWhileServing(t *testing.T) {
	s := newServing(t)
	made, err := s.host.Create(t.Context(), request.NewTable{Game: "lantern", Name: "Here", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string, do func(t *testing.T)) {
		t.Run(name, func(t *testing.T) { s.t = t; do(t) })
		s.t = t
	}
	step("a new folder is offered", func(t *testing.T) {
		s.write("torch", "Lantern", "Torch")
		s.offers("/", `value="torch"`)
		s.offers("/api/v1/games", `"torch"`)
		s.offers("/api/openapi.json", `"torch.dare.args"`)
		s.offers("/odds/torch/dare", "Risk")
	})
	step("a newer text is shown", func(t *testing.T) {
		s.write("torch", "Risk", "Danger")
		s.offers("/odds/torch/dare", "Danger")
		s.write("torch", "risk = ", "peril = ")
		s.write("torch", "risk", "peril")
		s.offers("/api/openapi.json", `"peril"`)
		s.offers("/api/v1/odds/torch/dare?peril=2", `"peril"`)
	})
	step("another id replaces the first", func(t *testing.T) {
		s.write("torch", "Torch", "Flame")
		s.offers("/", `value="flame"`)
		s.lacks("/", `value="torch"`)
	})
	step("an id that another folder has is a fault", func(t *testing.T) {
		s.write("flame", "Lantern", "Flame")
		s.get("/")
		if len(s.heard) != 1 || !strings.Contains(s.heard[0], "already a game with the id flame") {
			t.Errorf("it says %q", s.heard)
		}
	})
	step("a folder that's gone is not offered, and its table goes on", func(t *testing.T) {
		if err := os.RemoveAll(filepath.Join(s.folder, "lantern")); err != nil {
			t.Fatal(err)
		}
		s.lacks("/", `value="lantern"`)
		s.lacks("/api/openapi.json", "lantern.dare.args")
		if _, err := s.host.Create(t.Context(),
			request.NewTable{Game: "lantern", Name: "Gone", Lang: lang.En}); err == nil {
			t.Error("a table is opened of a game that's gone")
		}
		gm, err := s.host.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
		if err == nil {
			_, err = gm.Make(t.Context(), request.Move{
				Move: game.PlainDice, Args: []byte(`{"notation":"2d6"}`),
				Nonce: "n",
			})
		}
		if err != nil {
			t.Errorf("its table: %v", err)
		}
	})
	step("a folder that's back is offered", func(t *testing.T) {
		s.write("lantern", "Keep", "Keep")
		s.offers("/", `value="lantern"`)
	})
}
