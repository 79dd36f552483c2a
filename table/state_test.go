package table_test

import (
	"testing"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

func TestOlderStatesAreNotChangedByLaterEntries(t *testing.T) {
	d := played(t)
	d.share(d.boris, "another")
	if _, err := table.Do(t.Context(), d.gm, act.CallMove, act.CallRequest{Move: "swap", Character: form.Ref(d.hero)},
		""); err != nil {
		t.Fatal(err)
	}
	d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	haunt := d.make(d.gm, request.Move{
		Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`),
		Nonce: "n",
	}).Entry
	d.answerOf(d.hero)
	d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":2}`)}, "luck")
	renamed := "Oren"
	e := d.change(d.gm, act.ChangeRequest{ID: d.other, Name: &renamed}, "name")
	d.undo(e.Seq)
	d.answerOf(d.other)
	d.make(d.gm, request.Move{
		Move: "strike", Character: d.shade, Args: raw(`{"target":"` + d.hero + `"}`),
		ByHand: true,
	})
	if _, err := table.Do(t.Context(), d.gm, act.Configure, act.ConfigureRequest{Settings: raw(`{"limit":7}`)},
		""); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "a note"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.StarMove,
		act.StarRequest{Character: form.Ref(d.hero), Move: "rest", On: true}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.boris.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	states, err := d.gm.Steady(t.Context())
	if err != nil || states < 25 {
		t.Errorf("%d states, from %d on: %v", states, haunt.Seq, err)
	}
}
