package table_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"norn/game"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
	"norn/table/view"
)

// An operator gives a game master a new link when all are lost; the log says so, the old link stops
// working, and nothing else changes.
func TestRestoreGivesAGameMasterANewLink(t *testing.T) {
	d := played(t)
	ctx := t.Context()
	made, err := d.host.Restore(ctx, d.id, "")
	if err != nil || made.ID != d.gm.ID() || made.Role != game.Master || made.Secret == d.secrets[d.gm.ID()] {
		t.Fatalf("restored: %+v, %v", made, err)
	}
	if _, err := d.gm.View(ctx); code(err) != refusal.CodeNotFound {
		t.Errorf("the old link: %v", err)
	}
	d.gm = d.enter(made.Secret)
	log, err := d.anna.Last(ctx, 1)
	if err != nil || len(log) != 1 || log[0].Kind != view.KindRestored || log[0].Seat.ID != "" ||
		!strings.Contains(log[0].Lines[0].Text, "new link for") {
		t.Errorf("the log tells %+v, %v", log, err)
	}
	var seen bytes.Buffer
	if err := d.anna.ExportSeen(ctx, &seen); err != nil {
		t.Fatal(err)
	}
	for what, file := range map[string][]byte{"the table": d.export(), "what Anna sees": seen.Bytes()} {
		if _, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if strings.Contains(string(file), made.Secret) {
			t.Errorf("%s: the secret is in the file", what)
		}
	}

	if _, err := d.host.Restore(ctx, "aaaaaaaaaaaaaaaa", ""); code(err) != refusal.CodeNotFound {
		t.Errorf("no such table: %v", err)
	}
	for _, id := range []string{d.anna.ID(), "s99"} {
		if _, err := d.host.Restore(ctx, d.id, id); code(err) != refusal.CodeInvalid {
			t.Errorf("the seat %s: %v", id, err)
		}
	}
	second, err := table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: "Second", Role: string(game.Master)}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.host.Restore(ctx, d.id, ""); code(err) != refusal.CodeInvalid {
		t.Errorf("one of two game masters: %v", err)
	}
	if made, err = d.host.Restore(ctx, d.id, second.ID); err != nil || d.enter(made.Secret).ID() != second.ID {
		t.Errorf("the second: %+v, %v", made, err)
	}
	if d.enter(d.secrets[d.anna.ID()]) == nil {
		t.Error("Anna's link is gone")
	}
}

// A log doesn't verify if a seat at the table makes such a link for a game master, or if there's
// one for a player.
func TestLogWithLinksRestoredByASeatDoesNotVerify(t *testing.T) {
	d := newDesk(t)
	if _, err := d.host.Restore(t.Context(), d.id, ""); err != nil {
		t.Fatal(err)
	}
	entries := d.stored()
	last := &entries[len(entries)-1]
	whole := *last
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); err != nil {
		t.Fatalf("as it was written: %v", err)
	}
	for what, change := range map[string]func(*journal.Entry){
		"by a player": func(e *journal.Entry) { e.Seat = d.anna.ID() },
		"by a GM":     func(e *journal.Entry) { e.Seat = d.gm.ID() },
		"for a player": func(e *journal.Entry) {
			e.Body = bytes.Replace(e.Body, []byte(`"id":"s1"`), []byte(`"id":"s2"`), 1)
		},
		"for nobody": func(e *journal.Entry) {
			e.Body = bytes.Replace(e.Body, []byte(`"id":"s1"`), []byte(`"id":"s9"`), 1)
		},
		"another name": func(e *journal.Entry) {
			e.Body = bytes.Replace(e.Body, []byte(`"name":"`), []byte(`"name":"X`), 1)
		},
		"another role": func(e *journal.Entry) {
			e.Body = bytes.Replace(e.Body, []byte(`"role":"gm"`), []byte(`"role":"player"`), 1)
		},
		"of another kind": func(e *journal.Entry) {
			e.Body, e.Seat = bytes.Replace(e.Body, []byte(`"kind":"restored"`), []byte(`"kind":"seat"`), 1), d.gm.ID()
		},
	} {
		*last = whole
		last.Body = json.RawMessage(bytes.Clone(whole.Body))
		change(last)
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); err == nil {
			t.Errorf("%s: it verifies", what)
		}
	}
}

// Seats may rename themselves, also by the check of a log; only a GM may rename others.
func TestSeatsRenameThemselvesAndOnlyGMsOthers(t *testing.T) {
	d := newDesk(t)
	for _, s := range []*table.Seat{d.anna, d.guest, d.gm} {
		if _, err := table.Do(t.Context(), s, act.RenameSeat, act.RenameRequest{Seat: s.ID(), Name: "New " + s.ID()},
			""); err != nil {
			t.Errorf("%s: %v", s.ID(), err)
		}
	}
	if _, err := table.Do(t.Context(), d.anna, act.RenameSeat, act.RenameRequest{Seat: d.anna.ID(), Name: " "},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("no name: %v", err)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	entries := d.stored()
	entries[len(entries)-1].Seat = d.anna.ID() // renames the GM
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); err == nil {
		t.Error("a player who names a game master's seat verifies")
	}
}

// SeatsOpenedBy finds the seats that other secrets of the same table open.
func TestSeatsOpenedByFindsSeatsOfOtherSecrets(t *testing.T) {
	d := newDesk(t)
	ids, err := d.anna.SeatsOpenedBy(t.Context(), []string{d.secrets["s1"], "nonsense", "", d.secrets["s2"]})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "seats", []string{"s1", "", "", "s2"}, ids)
	if _, err := table.Do(t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.anna.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.anna.SeatsOpenedBy(context.Background(),
		[]string{d.secrets["s1"]}); code(err) != refusal.CodeNotFound {
		t.Errorf("whose seat is gone: %v", err)
	}
}

// A new link is made by the edition that the table plays by, and doesn't switch to another.
func TestRestoreKeepsTheTablesEdition(t *testing.T) {
	d := newDesk(t)
	g := newer(3, nil)
	d.upgrade(g)
	for _, edition := range []string{"1", "3"} {
		made, err := d.host.Restore(t.Context(), d.id, "")
		if err != nil {
			t.Fatal(err)
		}
		d.gm, d.secrets[d.gm.ID()] = d.enter(made.Secret), made.Secret
		if v := d.view(d.gm); v.Edition != edition {
			t.Errorf("the table is played by %q, want %q", v.Edition, edition)
		}
		if _, err := verify.File([]*game.Game{g}, words, bytes.NewReader(d.export())); err != nil {
			t.Errorf("by edition %s: %v", edition, err)
		}
		if edition == "1" {
			d.take()
		}
	}
}
