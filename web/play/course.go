package play

import (
	"strings"

	"norn/game"
	"norn/table"
	oddspages "norn/web/odds"
)

// course are a move's steps, as a plot beside its odds.
func (v *visit) course(m *game.Move, before table.Before) []oddspages.Step {
	var steps []oddspages.Step
	for _, other := range before.Variants {
		if !other.Step {
			continue
		}
		s := oddspages.Step{Name: v.voice.Tell(other.Word, other.Data), Bars: v.words().Parts(m, other.Odds), Left: v.words().Counts(m, other.Odds)}
		heads := make([]string, len(m.Headlines))
		for i, h := range m.Headlines {
			heads[i] = v.Say(v.voice.Game.Word("headline", h.ID), "P", v.words().Percent(other.Odds.Any(h.Outcomes...)))
		}
		s.Said = v.Say("web.odds.variant", "Name", s.Name, "Chances", strings.Join(heads, " · "))
		steps = append(steps, s)
	}
	return steps
}
