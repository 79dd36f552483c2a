package projection

import (
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// allThrows returns all throws of a record.
func allThrows(st ledger.Ledger, r *state.Record) []view.Throw {
	throws := make([]view.Throw, 0, len(r.Steps))
	for i, step := range r.Steps {
		if step.Dice == nil {
			continue
		}
		n := r.ThrowsBefore[step.Part]
		for _, before := range r.Steps[:i] {
			if before.Dice != nil && before.Part == step.Part {
				n++
			}
		}
		thrown := view.Throw{
			Part: step.Part, N: n, For: step.Dice.For, Sides: step.Dice.Sides, Faces: slices.Clone(step.Dice.Faces),
			Marks: marksIn(r, step.Part, n-r.ThrowsBefore[step.Part], step.Dice.Faces), Hand: step.Dice.Hand,
			Shown: st.Game.Showing(*step.Dice), Total: step.Dice.Total,
		}
		if thrown.Total { // no single die has decided
			thrown.Marks = make([]game.Mark, len(thrown.Faces))
		}
		if thrown.Marks == nil {
			thrown.Marks = r.Of.Def.Mark(r.Of.Args, *step.Dice)
		}
		if !thrown.Hand {
			thrown.Place = state.Place(thrown.Part, n)
		}
		throws = append(throws, thrown)
	}
	return throws
}

// marksIn returns how the n-th throw of a part counts, from the n-th event about that; nil if
// there's none.
func marksIn(r *state.Record, part string, n int, faces []int) []game.Mark {
	for i, event := range r.Decoded {
		if marked, ok := event.(game.Marked); ok && r.Parts[i] == part {
			if n == 0 {
				return marked.Marks(faces)
			}
			n--
		}
	}
	return nil
}

// threwIn returns the event that says who made a throw of a record, one of its own or the last
// before it; nil for the actor.
func threwIn(r *state.Record, t view.Throw) rule.Event {
	found, own := r.Throwers[t.Part], false
	if some, ok := found.(game.SomeDice); ok && !some.NamesThrow(t.N, t.For) {
		found = nil
	}
	for i, event := range r.Decoded {
		of, said := r.Parts[i]
		threw, ok := event.(game.DiceEvent)
		if !ok || !said || of != t.Part {
			continue
		}
		others := threw.Thrower() != r.Of.Actor
		switch some, ok := event.(game.SomeDice); {
		case ok && some.NamesThrow(t.N, t.For):
			if found, own = nil, true; others {
				found = event
			}
		case !ok && others && !own:
			found, own = event, true
		}
	}
	return found
}

// throwsSeen returns the throws of a move's record that the game shows the seat, with the names of
// characters other than the actor.
func throwsSeen(e *visibility.Eye, r *state.Record, all []view.Throw) []view.Throw {
	m := r.Of
	if len(r.Parts)+len(r.Throwers) == 0 && !slices.ContainsFunc(all, func(t view.Throw) bool {
		return !e.SeesThrow(m, t.Rule())
	}) {
		return slices.Clip(all)
	}
	seen := slices.DeleteFunc(slices.Clone(all), func(t view.Throw) bool { return !e.SeesThrow(m, t.Rule()) })
	for i, t := range seen {
		threw := threwIn(r, t)
		if threw == nil {
			continue
		}
		event, shown := e.Event(threw)
		if !shown {
			// the game hides the numbers of this event but not who rolled, unless the character
			// itself is hidden
			event = threw
		}
		if threw, ok := event.(game.DiceEvent); ok && (shown || e.Sees(threw.Thrower())) {
			seen[i].Whose = threw.ThrowerName(e.Voice)
		}
	}
	return seen
}

// checkOf returns what is needed to derive a move's dice.
func checkOf(st *state.State, m *state.Move) *view.Check {
	c := &view.Check{
		Table: st.ID, Session: m.Session.N, Commitment: m.Session.Commitment, Shares: []string{}, Move: m.ID,
		Nonce: m.Nonce,
	}
	c.Shares = append(c.Shares, m.Session.Shares...)
	if st.Sessions[m.Session.N-1].To > 0 {
		c.Secret = m.Session.Seal.Reveal()
	}
	return c
}
