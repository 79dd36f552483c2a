package table_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"norn/dice"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// The game master chooses whose notation the table reads. Rolls keep the reading they were made by,
// and the log verifies.
func TestTableReadsDiceAsTheGameMasterChose(t *testing.T) {
	d := newDesk(t)
	choose := func(as string) (view.Entry, error) {
		return table.Do(t.Context(), d.gm, act.ChooseReading, act.ReadingRequest{As: as}, "")
	}
	roll := func(args string) string {
		t.Helper()
		made, err := d.anna.Make(t.Context(), request.Move{Move: "dice", Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := d.journal.Read(t.Context(), d.id, made.Entry.Seq-1, 1)
		if err != nil || len(stored) != 1 {
			t.Fatal(stored, err)
		}
		_, as, _ := strings.Cut(string(stored[0].Body), `"as":"`)
		as, _, _ = strings.Cut(as, `"`)
		return as
	}
	const line = `{"notation":"4d6>3"}`
	same(t, "a new table", dice.Newest, roll(line))
	if _, err := table.Do(t.Context(), d.anna, act.ChooseReading, act.ReadingRequest{As: "roll20"}, ""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player chooses: %v", err)
	}
	if _, err := choose("fantasy"); code(err) != refusal.CodeInvalid {
		t.Errorf("an unknown reading: %v", err)
	}
	first, err := choose("dice-roller-parser")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the line", "Dice notation is now read as in dice-roller-parser", first.Lines[0].Text)
	d.reopen()
	same(t, "a player sees", "dice-roller-parser-3", d.view(d.anna).Values.Notation)
	same(t, "the line's roll", "dice-roller-parser-3", roll(line))
	if _, err := d.anna.Make(t.Context(), request.Move{Move: "dice", Args: json.RawMessage(`{"notation":"3d6!!"}`)}); err == nil {
		t.Error("what the program does by its own fault is thrown")
	}
	second, err := choose("norn-2")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "as before", dice.Second, roll(line))
	for _, c := range []struct {
		seq     uint64
		reading string
	}{{second.Seq, "dice-roller-parser-3"}, {first.Seq, dice.Newest}} {
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(c.seq)}, ""); err != nil {
			t.Fatal(err)
		}
		same(t, "undone", c.reading, d.view(d.anna).Values.Notation)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}
