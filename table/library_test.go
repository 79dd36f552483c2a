package table

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"testing"
	"time"

	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table/refusal"
	"norn/table/request"
)

type changing struct{ games []*game.Game }

func (c *changing) Games() []*game.Game { return c.games }

// A table whose game is missing can't be read; once the game is added it can, even if the table is
// in memory.
func TestTableOfAMissingGameIsReadOnceItIsAdded(t *testing.T) {
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	words, err := lang.Load(Words)
	if err != nil {
		t.Fatal(err)
	}
	all := &changing{games.All()}
	begin := func() *Host {
		h := New(Config{
			Games: all, Words: words, Journal: j, Relay: local.New(), Now: time.Now, Entropy: rand.Reader,
			Log: slog.New(slog.DiscardHandler), Version: "test",
		})
		t.Cleanup(func() { h.Close() })
		return h
	}
	h := begin()
	made, err := h.Create(t.Context(), request.NewTable{Game: all.games[0].ID, Name: "Here", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	h.Close()

	all.games = nil
	h = begin()
	held, err := h.reach(made.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer h.release(held)
	for range 2 {
		if _, err := h.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En); !errors.As(err,
			new(*refusal.UnreadableError)) {
			t.Fatalf("without its game the table is entered: %v", err)
		}
	}
	var unreadable *refusal.UnreadableError
	if _, err := ReadHistory(t.Context(), nil, j, made.ID, words.In(lang.En)); !errors.As(err, &unreadable) ||
		unreadable.Game() != games.All()[0].ID {
		t.Errorf("its past is read without its game: %v", err)
	}
	all.games = games.All()
	seat, err := h.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
	if err != nil {
		t.Fatalf("with its game the table can't be entered: %v", err)
	}
	if v, err := seat.View(t.Context()); err != nil || v.Name != "Here" {
		t.Errorf("it's seen as %q, %v", v.Name, err)
	}
}
