package script

import (
	"cmp"
	"fmt"
	"slices"

	"norn/game"
)

// orderings maps a script's words to a move's effect on the order of turns.
var orderings = map[string]game.Ordering{"joins": game.OrderThrown, "ends": game.OrderActed, "over": game.OrderOver}

// turns parses the move's effect on turns.
func (m *move) turns(d *given) error {
	said, err := d.word("turn")
	if err != nil || said == "" {
		return err
	}
	m.turn = orderings[said]
	switch {
	case m.turn == "":
		return fmt.Errorf("turn is \"joins\", \"ends\" or \"over\", not %q", said)
	case len(m.by) == 0 && m.turn != game.OrderOver:
		return fmt.Errorf("turns are those of sheets: a move with turn = %q says by = a sheet", said)
	case len(m.fields) > 0 && m.turn == game.OrderActed:
		return fmt.Errorf("a turn ends at one press: a move with turn = \"ends\" asks for nothing")
	}
	return nil
}

// setTurnOrder sets the game's order of turns: those who joined, the highest number first.
func (p *program) setTurnOrder() error {
	of := map[game.Ordering]*move{}
	for _, m := range p.book.moves {
		if m.turn == game.OrderActed && of[m.turn] != nil {
			return at(m.pos, "%s ends turns already; one move does", of[m.turn].name)
		}
		of[m.turn] = m
	}
	joins, ends := of[game.OrderThrown], of[game.OrderActed]
	switch {
	case joins == nil && ends == nil:
		return nil
	case ends == nil:
		return at(joins.pos, "who joins acts, and then it's the next one's turn: say by which move, move(…, turn = \"ends\")")
	case joins == nil:
		return at(ends.pos, "nobody joins the turns that it ends: say by which move, move(…, turn = \"joins\")")
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
