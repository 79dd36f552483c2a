package projection

import (
	"slices"

	"norn/game"
	"norn/lang"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// outcomeSeen returns the outcome of a character's roll, nil if the game doesn't show it.
func outcomeSeen(e *visibility.Eye, m *state.Move, told game.Resolved) *view.Outcome {
	seen, ok := resolutionSeen(e, m, told)
	if !ok {
		return nil
	}
	return wordOutcome(e.Table.Game, e.Voice.Speaker, m, seen)
}

// outcomeSeen returns the outcome of the record's move. Seats that see the same of it share it.
func (all *sharedParts) outcomeSeen(e *visibility.Eye, r *state.Record) *view.Outcome {
	seen, ok := resolutionSeen(e, r.Of, game.Resolved{Who: r.Of.Actor, Outcome: *r.Result})
	if !ok {
		return nil
	}
	if last := all.outcome.Load(); last != nil && last.speaker == e.Voice.Speaker && last.seen == seen {
		return last.shown
	}
	shown := wordOutcome(e.Table.Game, e.Voice.Speaker, r.Of, seen)
	all.outcome.Store(&wordedOutcome{e.Voice.Speaker, seen, shown})
	return shown
}

// resolutionSeen returns what the seat sees of an outcome, without a character that it doesn't see;
// false for nothing.
func resolutionSeen(e *visibility.Eye, m *state.Move, told game.Resolved) (game.Resolved, bool) {
	seen, ok := e.Resolution(m, told)
	if !e.Sees(seen.Who) {
		seen.Who = ""
	}
	return seen, ok
}

// wordOutcome puts what a seat sees of an outcome into words. It doesn't know the seat, so the
// result is the same for all who see that.
func wordOutcome(g *game.Game, s lang.Speaker, m *state.Move, seen game.Resolved) *view.Outcome {
	kind := outcomeOf(g, m.Def, seen.Outcome.ID)
	shown := &view.Outcome{
		ID: kind.ID, Tone: kind.Tone, Text: s.Say(g.MoveWord(m.Def, "outcome", kind.ID), "N", seen.Outcome.N),
		Character: seen.Who,
	}
	if text := game.BandText(s, m.Args, seen.Outcome); text != "" {
		shown.Text = text
	}
	if kind.Counts {
		n := seen.Outcome.N // a copy: a pointer to the field would hold the whole event in memory
		shown.N = &n
	}
	return shown
}

// outcomeOf describes an outcome. It may belong to another move, which the rule has resolved on the
// way.
func outcomeOf(g *game.Game, def *game.Move, id string) game.OutcomeKind {
	has := func(m *game.Move) bool {
		return slices.ContainsFunc(m.Outcomes, func(o game.OutcomeKind) bool { return o.ID == id })
	}
	if !has(def) {
		for i := range g.Moves {
			if has(&g.Moves[i]) {
				return g.Moves[i].Outcome(id)
			}
		}
	}
	return def.Outcome(id)
}
