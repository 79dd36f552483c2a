package table_test

import (
	"bytes"
	"errors"
	"testing"

	"norn/game"
	"norn/journal"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// The sum is the same each time, and any change of the table changes it.
func TestChecksumChangesWithAnyChangeAtTheTable(t *testing.T) {
	d := newDesk(t)
	games := []*game.Game{toy}
	read := func() []journal.Entry {
		t.Helper()
		entries, err := d.journal.Read(t.Context(), d.id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	seen := map[[32]byte]string{}
	look := func(after string) {
		t.Helper()
		sum, err := table.Sum(games, d.id, read())
		again, err2 := table.Sum(games, d.id, read())
		if err != nil || err2 != nil || sum != again {
			t.Fatalf("%s: %x and %x, %v, %v", after, sum, again, err, err2)
		}
		if before, twice := seen[sum]; twice {
			t.Errorf("%s: the sum is that of %s", after, before)
		}
		seen[sum] = after
	}
	look("the opening")
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero, Key: "k"})
	look("a move")
	open := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`)})
	look("a question")
	if _, err := d.gm.Answer(t.Context(), request.Answer{Question: open.Open[0].ID, Answer: raw(`{}`)}); err != nil {
		t.Fatal(err)
	}
	look("its answer")

	// The same entries with a name changed, as in a faulty copy.
	changed := read()
	changed[0].Body = bytes.Replace(changed[0].Body, []byte("Tuesday"), []byte("Tuesdaz"), 1)
	if sum, err := table.Sum(games, d.id, changed); err != nil || seen[sum] != "" {
		t.Errorf("a changed name: %x, %v", sum, err)
	}
	var unreadable *refusal.UnreadableError
	if _, err := table.Sum(nil, d.id, read()); !errors.As(err, &unreadable) || unreadable.Seq != 1 {
		t.Errorf("without the game: %v", err)
	}
}
