package table_test

import (
	"fmt"
	"strings"
	"testing"

	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// A recap lists who did what, remarkable rolls, and changes on the sheets that its reader sees, for
// one session.
func TestRecapListsOnlyWhatItsReaderSaw(t *testing.T) {
	d := newDesk(t)
	recap := func(s interface{ ID() string }, n int) view.Recap {
		told, err := d.enter(d.secrets[s.ID()]).Recap(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":8,"doom":"SECRET end"}`)})
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	d.make(d.boris, request.Move{
		Move: "strike", Character: d.other, Args: raw(`{"target":"` + d.hero + `","bonus":3}`),
		Dice: []int{1, 1, 1, 1, 1},
	})
	undone := d.make(d.boris, request.Move{Move: "rest", Character: d.other})
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(undone.Entry.Seq)}, ""); err != nil {
		t.Fatal(err)
	}
	d.make(d.gm, request.Move{Move: "rest", Character: d.other, Secret: true})
	told := recap(d.anna, 1)
	said := text(t, told)
	same(t, "who did what", []view.Deed{
		{
			Character: d.hero, Name: "Lira", Moves: 2, Made: []view.Often{{Move: "rest", Name: "rest", N: 2}},
			Came: []view.Came{{Outcome: "rested", Name: "rested", Tone: game.Good, N: 2}},
		},
		{
			Character: d.other, Name: "Orm", Moves: 1, Made: []view.Often{{Move: "strike", Name: "strike", N: 1}},
			Came: []view.Came{{Outcome: "miss", Name: "miss", Tone: game.Bad, N: 1}},
		},
	}, named(told.Deeds))
	if told.Best != nil || told.Worst != nil {
		t.Error("who may not know the odds is told what stands out")
	}
	if his := recap(d.boris, 1); his.Worst == nil || his.Worst.P != "1/32" || his.Worst.Who != "Orm" ||
		his.Best != nil {
		t.Errorf("the throws: %+v, %+v", his.Best, his.Worst)
	}
	if strings.Contains(said, "SECRET") || len(told.Changes) != 2 || !strings.Contains(said, "3 → 9") {
		t.Errorf("the changes: %s", said)
	}
	if gm := text(t, recap(d.gm, 1)); !strings.Contains(gm, "SECRET end") {
		t.Errorf("the game master's: %s", gm)
	}
	if _, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)})
	same(t, "what has ended stays", said, text(t, recap(d.anna, 1)))
	if now := recap(d.anna, 2); len(now.Deeds) != 0 || len(now.Changes) != 1 ||
		!strings.Contains(text(t, now), "9 → 1") {
		t.Errorf("the next session's: %+v", now)
	}
	if none := recap(d.anna, 3); len(none.Deeds)+len(none.Changes) != 0 {
		t.Errorf("a session to come has %+v", none)
	}
}

// A recap covers the whole session however often sheets change, also an older one, and after a
// snapshot.
func TestRecapCoversAWholeLongSession(t *testing.T) {
	d := newDesk(t)
	for i := range 2*view.MostTouches + 3 {
		d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(fmt.Sprintf(`{"luck":%d}`, i%10))})
	}
	d.endSession()
	for i := range view.MostTouches + 1 {
		d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(fmt.Sprintf(`{"luck":%d}`, 8-i%9))})
	}
	for range 2 {
		for session, want := range map[int]string{1: "3 → 2", 2: "2 → 3"} {
			if told, err := d.gm.Recap(t.Context(), session); err != nil || !strings.Contains(text(t, told), want) {
				t.Errorf("session %d lacks %q: %s, %v", session, want, text(t, told), err)
			}
		}
		d.reopen()
	}
}

// named replaces the names of moves by their ids.
func named(deeds []view.Deed) []view.Deed {
	for _, d := range deeds {
		for i := range d.Made {
			d.Made[i].Name = d.Made[i].Move
		}
		for i := range d.Came {
			d.Came[i].Name = d.Came[i].Outcome
		}
	}
	return deeds
}
