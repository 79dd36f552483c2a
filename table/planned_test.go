package table_test

import (
	"bytes"
	"testing"
	"time"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
)

// Only the game master sets the time of the next session, in their time zone; all see it. The end
// of the session removes its date.
func TestNextSessionIsSetByTheGMAndSeenByAll(t *testing.T) {
	d := newDesk(t)
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 27, 19, 0, 0, 0, kyiv)
	if _, err := table.Do(t.Context(), d.anna, act.PlanSession, act.PlanRequest{At: at},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player says so: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.PlanSession, act.PlanRequest{At: at.AddDate(300, 0, 0)},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("in 300 years: %v", err)
	}
	entry, err := table.Do(t.Context(), d.gm, act.PlanSession, act.PlanRequest{At: at}, "k")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the line", "Next session: 27 November 2026, 19:00 (Europe/Kyiv)", entry.Lines[0].Text)
	d.reopen()
	if next := d.view(d.anna).Next; next == nil || !next.At.Equal(at) || next.Seq != entry.Seq {
		t.Errorf("a player sees %+v", next)
	}
	if _, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	if d.view(d.anna).Next == nil {
		t.Error("the date to come is gone")
	}
	// unknown, and past
	for _, when := range []time.Time{{}, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)} {
		if _, err := table.Do(t.Context(), d.gm, act.PlanSession, act.PlanRequest{At: when}, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, ""); err != nil {
			t.Fatal(err)
		}
		if next := d.view(d.anna).Next; next != nil {
			t.Errorf("there's still %+v", next)
		}
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}
