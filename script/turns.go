package script

import (
	"cmp"
	"slices"

	"norn/game"
)

// orderings maps a script's words to a move's effect on the order of turns.
var orderings = map[string]game.Ordering{"joins": game.OrderThrown, "ends": game.OrderActed, "over": game.OrderOver}

// turns parses the move's effect on turns.
func (m *move) turns(d *given) error {
	m.turn = orderings[d.text("turn")]
	switch {
	case m.turn == "":
	case len(m.by) == 0 && m.turn != game.OrderOver:
		return wrong("turn-by", "Turn", d.text("turn"))
	case len(m.fields) > 0 && m.turn == game.OrderActed:
		return wrong("turn-fields")
	}
	return nil
}

// setTurnOrder sets the game's order of turns: those who joined, the highest number first.
func (p *program) setTurnOrder() error {
	of := map[game.Ordering]*move{}
	for _, m := range p.book.moves {
		if m.turn == game.OrderActed && of[m.turn] != nil {
			return at(m.pos, wrong("turn-twice", "Move", of[m.turn].name))
		}
		of[m.turn] = m
	}
	joins, ends := of[game.OrderThrown], of[game.OrderActed]
	switch {
	case joins == nil && ends == nil:
		return nil
	case ends == nil:
		return at(joins.pos, wrong("turn-no-end"))
	case joins == nil:
		return at(ends.pos, wrong("turn-no-join"))
	}
	p.game.Going = func(s game.Scene, thrown []game.OrderThrow) []game.Encounter {
		all := game.VisibleThrows(s, thrown)
		if len(all) == 0 {
			return nil
		}
		slices.SortStableFunc(all, func(a, b game.OrderThrow) int { return cmp.Compare(b.Outcome.N, a.Outcome.N) })
		return []game.Encounter{game.InTurn{
			All: all, Round: "script.turns.round", Ends: ends.id,
			With: newOf(ends.shape).Interface(),
		}}
	}
	return nil
}
