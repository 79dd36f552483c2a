package projection

import (
	"slices"

	"norn/game"
	"norn/odds"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Fortune has the outcomes of a seat's rolls in a session, of those whose odds a reader may know.
// Computing the luck takes long but needs no table.
type Fortune struct {
	seat, name string
	moves      []string
	standings  []odds.Standing
}

// Fortunes returns the outcomes of all seats' rolls in a session, of those whose odds the seat may
// know.
func Fortunes(e *visibility.Eye, session int) []*Fortune {
	var all []*Fortune
	by := map[string]*Fortune{}
	open := map[string]bool{}
	for r := range e.Table.OfSession(session) {
		if r.Luck == "" || e.Table.Undone.Has(r) || !e.SeesEntry(r) || !knowsLuck(e, r.Of, open) {
			continue
		}
		standing, err := odds.ParseStanding(r.Luck)
		if err != nil { // can't happen: Decode has read it
			continue
		}
		t := by[r.Of.Seat]
		if t == nil {
			t = &Fortune{seat: r.Of.Seat, name: e.Table.Seats.Name(r.Of.Seat)}
			by[t.seat] = t
			all = append(all, t)
		}
		t.moves, t.standings = append(t.moves, r.Of.ID), append(t.standings, standing)
		if n := len(t.moves); n == 2*view.MostThrows {
			t.moves, t.standings = slices.Clone(t.moves[n-view.MostThrows:]),
				slices.Clone(t.standings[n-view.MostThrows:])
		}
	}
	return all
}

// Luck computes the luck of the newest rolls together.
func (t *Fortune) Luck() view.SeatLuck {
	first := max(0, len(t.moves)-view.MostThrows)
	luck := odds.Together(t.standings[first:])
	told := view.SeatLuck{
		Seat: t.seat, Name: t.name, Throws: luck.Throws, Points: luck.Points,
		LuckierThan: luck.P.RatString(), Within: luck.Within.RatString(), Probability: odds.Float(luck.P),
		Moves: make([]view.MoveLuck, luck.Throws),
	}
	for i := range told.Moves {
		told.Moves[i] = view.MoveLuck{Move: t.moves[first+i], Luck: view.LuckOf(t.standings[first+i])}
	}
	return told
}

// luckSeen returns the luck of a record's roll, for game masters and players of the actor.
// Seat.Luck returns it to others, as far as they may know it.
func luckSeen(e *visibility.Eye, r *state.Record) *view.Luck {
	if r.Luck == "" || !seesLuck(e, r.Of) {
		return nil
	}
	return new(r.LuckView)
}

// seesLuck reports whether the seat could have asked for the true odds of a move before it was
// made. Sheets of players' kinds needn't be visible for that: View.Odds keeps out of odds what
// players hide from each other.
func seesLuck(e *visibility.Eye, m *state.Move) bool {
	if !e.SeesOdds(m.Def) {
		return false
	}
	return e.Viewer.IsGM() || !m.Def.GMOnly && m.Actor != "" && e.Plays(m.Actor) &&
		!slices.ContainsFunc(m.Cast, func(id string) bool {
			return !e.Plays(id) && !kindOf(e, id).Player && !liesOpen(e, id)
		})
}

// knowsLuck reports whether seesLuck holds, or the seat sees all sheets that the odds depend on.
// open caches which sheets it sees.
func knowsLuck(e *visibility.Eye, m *state.Move, open map[string]bool) bool {
	if seesLuck(e, m) {
		return true
	}
	if !e.SeesOdds(m.Def) || m.Def.GMOnly {
		return false
	}
	return !slices.ContainsFunc(m.Cast, func(id string) bool {
		whole, known := open[id]
		if !known {
			whole = liesOpen(e, id)
			open[id] = whole
		}
		return !whole
	})
}

// kindOf returns the kind of a character's sheet.
func kindOf(e *visibility.Eye, id string) (kind game.Kind) {
	if c := e.Table.Characters.Of(id); c != nil {
		kind, _ = e.Table.Game.Kind(c.Kind)
	}
	return kind
}

// liesOpen reports whether the seat sees all of a character's sheet.
func liesOpen(e *visibility.Eye, id string) bool {
	c := e.Table.Characters.Of(id)
	return c != nil && len(visibility.RedactedMembers(nil, c.Sheet, e.Sheet(c))) == 0
}

// isThing reports whether a character is a thing, such as a fight: moves with it aren't its deeds.
func isThing(e *visibility.Eye, id string) bool { return kindOf(e, id).Thing }
