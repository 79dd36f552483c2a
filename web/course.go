package web

import (
	"slices"
	"strings"

	"norn/game"
	"norn/odds"
	"norn/page"
	"norn/table"
)

// step is how a move may stand if it's broken off sooner.
type step struct {
	Name string
	Said string // the name and the chances in words
	Bars []page.Bar
	Left []page.Bar // the counts of the outcome that has them
}

// course are a move's steps, as a plot beside its odds.
func (v *visit) course(m *game.Move, before table.Before) []step {
	var steps []step
	for _, other := range before.Variants {
		if !other.Step {
			continue
		}
		s := step{Name: v.voice.Tell(other.Word, other.Data), Bars: v.parts(m, other.Odds), Left: v.counts(m, other.Odds)}
		heads := make([]string, len(m.Headlines))
		for i, h := range m.Headlines {
			heads[i] = v.Say(v.voice.Game.Word("headline", h.ID), "P", v.chance(other.Odds.Any(h.Outcomes...)))
		}
		s.Said = v.Say("web.odds.variant", "Name", s.Name, "Chances", strings.Join(heads, " · "))
		steps = append(steps, s)
	}
	return steps
}

// parts are the chances of a move's outcomes, as the parts of one bar.
func (v *visit) parts(m *game.Move, o *odds.Odds) []page.Bar {
	var bars []page.Bar
	for _, kind := range m.Outcomes {
		if p := o.Any(kind.ID); p.Sign() > 0 {
			bars = append(bars, page.Bar{
				ID: kind.ID, Label: v.short(kind.ID), Tone: string(kind.Tone), P: odds.Float(p), Shown: v.chance(p), Exact: v.Fraction(p),
			})
		}
	}
	return bars
}

// mostCounts is how many counts are drawn side by side.
const mostCounts = 40

// counts are the counts of the one outcome of several that has them; none
// where there's nothing to see.
func (v *visit) counts(m *game.Move, o *odds.Odds) []page.Bar {
	counted := slices.DeleteFunc(slices.Clone(o.Rows), func(row odds.Row) bool { return !row.Counts })
	if len(counted) < 2 || len(counted) > mostCounts {
		return nil
	}
	var bars []page.Bar
	for _, row := range counted {
		bars = append(bars, page.Bar{
			Label: v.Number(row.N), Tone: string(m.Outcome(row.Outcome).Tone),
			P: odds.Float(row.P), Shown: v.chance(row.P), Exact: v.Fraction(row.P),
		})
	}
	return bars
}
