package table_test

import (
	"bytes"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
	"norn/table/view"
)

func TestClockTicksAndEachTickIsUndone(t *testing.T) {
	d := newDesk(t)
	set := func(r act.ClockRequest) view.Entry {
		t.Helper()
		e, err := table.Do(t.Context(), d.gm, act.SetClock, r, "")
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	added := set(act.ClockRequest{Name: " The watch ", Max: 4})
	same(t, "the line", "A clock: The watch, 0 of 4", added.Lines[0].Text)
	id := d.view(d.anna).Clocks[0].ID
	tick := func(by int) (view.Entry, error) {
		return table.Do(t.Context(), d.gm, act.TickClock, act.TickRequest{Clock: id, By: by}, "")
	}
	first, err := tick(1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a tick", "The watch: 0 → 1 of 4", first.Lines[0].Text)
	second, err := tick(9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "full", "The watch is full: 1 → 4 of 4", second.Lines[0].Text)
	if _, err := tick(1); code(err) != refusal.CodeRefused {
		t.Errorf("a full clock ticks: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.TickClock, act.TickRequest{Clock: id, By: 1},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player ticks: %v", err)
	}
	removed, err := table.Do(t.Context(), d.gm, act.RemoveClock, act.ClockNamed{Clock: id}, "")
	if err != nil {
		t.Fatal(err)
	}
	d.reopen()
	undo := func(seq uint64) error {
		_, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(seq)}, "")
		return err
	}
	if err := undo(first.Seq); code(err) != refusal.CodeLater {
		t.Errorf("an older tick is undone first: %v", err)
	}
	for _, c := range []struct {
		seq uint64
		at  int
	}{{removed.Seq, 4}, {second.Seq, 1}, {first.Seq, 0}} {
		if err := undo(c.seq); err != nil {
			t.Fatal(err)
		}
		same(t, "undone", c.at, d.view(d.anna).Clocks[0].At)
	}
	if err := undo(added.Seq); err != nil {
		t.Fatal(err)
	}
	same(t, "none is left", 0, len(d.view(d.gm).Clocks))
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// An invalid value of a clock is refused with the field and its range.
func TestInvalidClocksAreRefusedWithTheirField(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		field string
		act.ClockRequest
	}{
		{"max", act.ClockRequest{Name: "x", Max: 3}},
		{"max", act.ClockRequest{Name: "x", Max: 13}},
		{"max", act.ClockRequest{Name: "x", Max: 10000, Number: true}},
		{"at", act.ClockRequest{Name: "x", Max: 6, At: 7}},
		{"name", act.ClockRequest{Max: 6}},
		{"name", act.ClockRequest{Name: strings.Repeat("x", 81), Max: 6}},
		{"to", act.ClockRequest{Name: "x", Max: 6, To: []string{"s99"}}},
		{"id", act.ClockRequest{ID: "k99", Name: "x", Max: 6}},
	} {
		_, err := table.Do(t.Context(), d.gm, act.SetClock, c.ClockRequest, "")
		if code(err) != refusal.CodeInvalid || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%+v: %v", c.ClockRequest, err)
		}
	}
	if _, err := table.Do(t.Context(), d.anna, act.SetClock, act.ClockRequest{Name: "x", Max: 6},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player sets one: %v", err)
	}
}

// A hidden clock is in no player's view, log or file; when it's shown later, its past stays hidden.
func TestHiddenClockIsSeenOnlyByTheGM(t *testing.T) {
	d := newDesk(t)
	hidden, err := table.Do(t.Context(), d.gm, act.SetClock,
		act.ClockRequest{Name: "SECRET plot", Max: 6, Hidden: true}, "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the entry is secret", true, hidden.Secret)
	id := d.view(d.gm).Clocks[0].ID
	if _, err := table.Do(t.Context(), d.gm, act.TickClock, act.TickRequest{Clock: id, By: 2}, ""); err != nil {
		t.Fatal(err)
	}
	unseen := func(what string, s *table.Seat) {
		t.Helper()
		if sent := text(t, d.view(s), d.log(s)); strings.Contains(sent, "SECRET") || strings.Contains(sent, `"clock"`) {
			t.Errorf("%s: %s", what, sent)
		}
	}
	unseen("a player", d.anna)
	me := d.view(d.anna).Seat
	for _, r := range []act.ClockRequest{
		{ID: id, Name: "The plot", Max: 6, At: 2, To: []string{me}},
		{ID: id, Name: "The plot", Max: 6, At: 2, Hidden: true},
	} {
		if _, err := table.Do(t.Context(), d.gm, act.SetClock, r, ""); err != nil {
			t.Fatal(err)
		}
		seen := d.view(d.anna).Clocks
		same(t, "a player to whom it's shown", len(r.To), len(seen))
	}
	var lines []string
	for _, e := range d.log(d.anna) {
		for _, l := range e.Lines {
			if strings.HasPrefix(l.Type, "table.clock") {
				lines = append(lines, l.Text)
			}
		}
	}
	same(t, "what the player reads", "A clock: The plot, 2 of 6|The clock “The plot” is out of sight",
		strings.Join(lines, "|"))
}
