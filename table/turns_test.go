package table_test

import (
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// A roll for the order counts until the character rolls again or the roll is undone; players don't
// see secret rolls and hidden characters. A seat that may make the move can pass the turn.
func TestTurnOrderFollowsTheNewestRollsPlayersSee(t *testing.T) {
	d := newDesk(t)
	order := func(s interface{ ID() string }) (names []string) {
		for _, on := range d.view(d.enter(d.secrets[s.ID()])).Turns {
			for _, p := range on.Order {
				names = append(names, p.Character)
			}
		}
		return names
	}
	same(t, "nobody has thrown", []string(nil), order(d.gm))
	d.make(d.anna, request.Move{Move: "draw", Character: d.hero})
	second := d.make(d.boris, request.Move{Move: "draw", Character: d.other})
	hidden := d.add(d.gm, act.CharacterRequest{Name: "Gnasher", Kind: "hero", Hidden: true})
	d.make(d.gm, request.Move{Move: "draw", Character: hidden})
	same(t, "for the game master", []string{d.hero, d.other, hidden}, order(d.gm))
	same(t, "for a player", []string{d.hero, d.other}, order(d.anna))
	d.reopen()
	same(t, "after a restart", []string{d.hero, d.other, hidden}, order(d.gm))
	if v := d.view(d.gm).Turns[0]; v.Pass == nil || v.Pass.Move != "omen" || string(v.Pass.Args) != `{"text":"on"}` {
		t.Errorf("the game master passes by %+v", v.Pass)
	}
	if v := d.view(d.anna).Turns[0]; v.Pass != nil {
		t.Errorf("a player passes by %+v", v.Pass)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(second.Entry.Seq)}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "undone", []string{d.hero}, order(d.anna))
	d.make(d.boris, request.Move{Move: "draw", Character: d.other})
	d.make(d.anna, request.Move{Move: "draw", Character: d.hero})
	same(t, "thrown again", []string{d.hero}, order(d.anna))
	if _, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "the next session", []string(nil), order(d.gm))
}
