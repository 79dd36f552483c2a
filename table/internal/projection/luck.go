package projection

import (
	"slices"

	"norn/game"
	"norn/odds"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Fortune is what a seat threw in a session, as far as a reader may know its
// odds. Reckoning their luck takes a while and no table.
type Fortune struct {
	seat, name string
	moves      []string
	standings  []odds.Standing
}

// Fortunes are what seats threw in a session, as far as the seat may know the odds.
func Fortunes(e visibility.Eye, session int) []*Fortune {
	var all []*Fortune
	by := map[string]*Fortune{}
	open := map[string]bool{}
	for r := range e.Table.OfSession(session) {
		if r.Luck == "" || e.Table.Undone.Has(r) || !e.SeesEntry(r) || !knowsLuck(e, r.Of, open) {
			continue
		}
		standing, err := odds.ParseStanding(r.Luck)
		if err != nil { // decode has read it
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

// Luck is that of the newest throws, together.
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

// luckSeen is that of a record's throw, for the game master and who plays the acting
// character; Seat.Luck tells others, as far as they may know.
func luckSeen(e visibility.Eye, r *state.Record) *view.Luck {
	if r.Luck == "" || !seesLuck(e, r.Of) {
		return nil
	}
	return new(r.LuckView)
}

// seesLuck tells whether the seat could have asked for the odds of a move before
// it was made, and they were the true ones.
func seesLuck(e visibility.Eye, m *state.Move) bool {
	if !e.SeesOdds(m.Def) {
		return false
	}
	return e.Viewer.IsGM() || !m.Def.GMOnly && m.Actor != "" && e.Plays(m.Actor) &&
		!slices.ContainsFunc(m.Cast, func(id string) bool {
			return !e.Plays(id) && !kindOf(e, id).Player && !liesOpen(e, id)
		})
}

// knowsLuck is seesLuck, or all that the odds were made of lies open to the seat.
// open remembers which characters do.
func knowsLuck(e visibility.Eye, m *state.Move, open map[string]bool) bool {
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

// kindOf is what a character's sheet is of; what players hide of theirs from each other, View.Odds keeps out of odds.
func kindOf(e visibility.Eye, id string) (kind game.Kind) {
	if c := e.Table.Characters.Of(id); c != nil {
		kind, _ = e.Table.Game.Kind(c.Kind)
	}
	return kind
}

// liesOpen tells whether a character's sheet lies open to the seat.
func liesOpen(e visibility.Eye, id string) bool {
	c := e.Table.Characters.Of(id)
	return c != nil && len(visibility.RedactedMembers(nil, c.Sheet, e.Sheet(c))) == 0
}

// isThing tells whether a character is a thing, such as a fight: what is done with it isn't its deed.
func isThing(e visibility.Eye, id string) bool { return kindOf(e, id).Thing }
