package table_test

import (
	"testing"

	"norn/table/request"
)

// A state stays what it is, whatever comes after it.
func TestAStateDoesNotChangeOnceItIsMade(t *testing.T) {
	d := played(t)
	d.share(d.boris, "another")
	if _, err := d.gm.Call(t.Context(), request.Call{Move: "swap", Character: d.hero}); err != nil {
		t.Fatal(err)
	}
	d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	haunt := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`), Nonce: "n"}).Entry
	d.answerOf(d.hero)
	d.change(d.anna, request.Change{ID: d.hero, Sheet: raw(`{"luck":2}`), Key: "luck"})
	renamed := "Oren"
	e := d.change(d.gm, request.Change{ID: d.other, Name: &renamed, Key: "name"})
	d.undo(e.Seq)
	d.answerOf(d.other)
	d.make(d.gm, request.Move{Move: "strike", Character: d.shade, Args: raw(`{"target":"` + d.hero + `"}`), ByHand: true})
	if _, err := d.gm.Configure(t.Context(), raw(`{"limit":7}`), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.gm.Note(t.Context(), "", "a note", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.anna.SetFavourite(t.Context(), d.hero, "rest", true, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.gm.RevokeSeat(t.Context(), d.boris.ID(), ""); err != nil {
		t.Fatal(err)
	}
	states, err := d.gm.Steady(t.Context())
	if err != nil || states < 25 {
		t.Errorf("%d states, from %d on: %v", states, haunt.Seq, err)
	}
}
