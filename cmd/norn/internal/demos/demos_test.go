package demos

import (
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// Demos create their folder for the links: with PostgreSQL it may not exist yet.
func TestDemosCreateTheirFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "norn")
	if err := keep(filepath.Join(dir, File), map[string]Table{"spire/en": {Table: "t"}}); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, File): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// stage has demo tables of Spire with an edition of its rules.
type stage struct {
	t     *testing.T
	host  *table.Host
	demos *Demos
	spire *game.Game
	words lang.Speaker
	full  error // refuses new tables
}

// newStage opens the demo tables of a folder. newer is the number of editions since the first.
func newStage(t *testing.T, dir string, store journal.Journal, newer int) *stage {
	t.Helper()
	norn, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	found, _ := game.Find(norn.Games, "spire")
	spire := *found
	spire.Edition += newer
	host := table.New(table.Config{
		Games: game.Fixed{&spire}, Words: norn.Words, Journal: store, Relay: local.New(), Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{byte(newer)}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	t.Cleanup(func() { host.Close() })
	return &stage{t: t, host: host, demos: Open(host, dir), spire: &spire, words: norn.Words.In(lang.En)}
}

// visitor is a person at a seat of a demo table.
type visitor struct {
	*table.Seat
	stage *stage
	demo  Table
}

func (s *stage) visits(role game.Role) visitor {
	s.t.Helper()
	demo, err := s.demos.of(s.t.Context(), s.spire, s.words, role, func() error { return s.full })
	if err != nil {
		s.t.Fatal(err)
	}
	seat, err := s.host.Enter(s.t.Context(), demo.Table, demo.secret(role), lang.En)
	if err != nil {
		s.t.Fatal(err)
	}
	return visitor{seat, s, demo}
}

func (v visitor) view() *view.View {
	v.stage.t.Helper()
	shown, err := v.View(v.stage.t.Context())
	if err != nil {
		v.stage.t.Fatal(err)
	}
	return shown
}

// stays keeps a page of the visitor's open.
func (v visitor) stays() {
	v.stage.t.Helper()
	if err := v.StayOnline(v.stage.t.Context(), time.Hour); err != nil {
		v.stage.t.Fatal(err)
	}
}

func (v visitor) says(text string) {
	v.stage.t.Helper()
	if _, err := table.Do(v.stage.t.Context(), v.Seat, act.Talk, act.TalkRequest{Text: text}, ""); err != nil {
		v.stage.t.Fatal(err)
	}
}

// begins leaves the prepared roll open: its dice aren't entered yet.
func (v visitor) begins() {
	v.stage.t.Helper()
	entries, err := v.Log(v.stage.t.Context(), v.demo.Again-1, 1)
	if err != nil {
		v.stage.t.Fatal(err)
	}
	args, err := json.Marshal(entries[0].Args)
	if err != nil {
		v.stage.t.Fatal(err)
	}
	made, err := v.Make(v.stage.t.Context(),
		request.Move{Move: entries[0].Name, Character: v.demo.Hero, Args: args, ByHand: true})
	if err != nil || len(made.Open) == 0 {
		v.stage.t.Fatalf("%v, open are %v", err, made.Open)
	}
}

// A visitor finds a demo's story as it was prepared, whatever others have left open or are doing.
// Only a visitor of the other seat joins somebody who is there.
func TestNoVisitorIsBlockedByAnother(t *testing.T) {
	for name, c := range map[string]struct {
		before func(gm visitor)
		comes  game.Role
		shares bool
	}{
		"nobody has done anything":            {func(visitor) {}, game.Master, true},
		"somebody has left":                   {func(gm visitor) { gm.says("Bye") }, game.Master, false},
		"somebody has left a throw open":      {func(gm visitor) { gm.begins() }, game.Player, false},
		"somebody is there in the same seat":  {func(gm visitor) { gm.stays() }, game.Master, false},
		"somebody is there in the other seat": {func(gm visitor) { gm.stays() }, game.Player, true},
		"somebody in the other seat has begun to play": {func(gm visitor) {
			gm.stays()
			gm.says("Hello")
		}, game.Player, true},
		"somebody in the other seat has the hero's move": {func(gm visitor) {
			gm.stays()
			gm.begins()
		}, game.Player, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, err := sqlite.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			s := newStage(t, dir, store, 0)
			gm := s.visits(game.Master)
			c.before(gm)
			next := s.visits(c.comes)
			if shares := next.demo == gm.demo; shares != c.shares {
				t.Errorf("shares the table: %v, want %v", shares, c.shares)
			}
			if !slices.ContainsFunc(next.view().Questions, func(q view.Question) bool { return q.Mine }) {
				t.Error("no question waits for the visitor")
			}
			next.begins()
		})
	}
}

// Once an address has created as many tables as it may, its visitors share the newest demo.
func TestNewDemosPerAddressAreLimited(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := newStage(t, dir, store, 0)
	s.full = errors.New("too many")
	if _, err := s.demos.of(t.Context(), s.spire, s.words, game.Master, func() error {
		return s.full
	}); !errors.Is(err, s.full) {
		t.Errorf("the first table: %v", err)
	}
	s.full = nil
	gm := s.visits(game.Master)
	gm.begins()
	s.full = errors.New("too many")
	if next := s.visits(game.Master); next.demo != gm.demo {
		t.Error("a fresh table is opened all the same")
	}
}

// A demo uses the current rules: a table of older ones is left to its visitors.
func TestDemosUseTheCurrentRules(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	before := newStage(t, dir, store, 0).visits(game.Master)
	s := newStage(t, dir, store, 1)
	now := s.visits(game.Master)
	if v := now.view(); v.Newer != "" || v.Edition != s.spire.EditionID() || now.demo == before.demo {
		t.Errorf("edition %s, newer %q", v.Edition, v.Newer)
	}
}
