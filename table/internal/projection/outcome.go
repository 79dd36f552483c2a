package projection

import (
	"slices"

	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// outcomeSeen returns the outcome of a character's roll, nil if the game doesn't show it.
func outcomeSeen(e *visibility.Eye, m *state.Move, told game.Resolved) *view.Outcome {
	told, ok := e.Resolution(m, told)
	if !ok {
		return nil
	}
	kind := outcomeOf(e.Table.Game, m.Def, told.Outcome.ID)
	word := e.Table.Game.MoveWord(m.Def, "outcome", kind.ID)
	shown := &view.Outcome{
		ID: kind.ID, Tone: kind.Tone,
		Text: e.Voice.Say(word, "N", told.Outcome.N),
	}
	if text := game.BandText(e.Voice.Speaker, m.Args, told.Outcome); text != "" {
		shown.Text = text
	}
	if kind.Counts {
		n := told.Outcome.N // a copy: a pointer to the field would hold the whole event in memory
		shown.N = &n
	}
	if e.Sees(told.Who) {
		shown.Character = told.Who
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
