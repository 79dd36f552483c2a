package game_test

import (
	"slices"
	"testing"

	"norn/game"
	"norn/games"
	"norn/rule"
)

func TestOutcomesAreOrderedFromBestToWorst(t *testing.T) {
	m := game.Move{Outcomes: []game.OutcomeKind{
		{ID: "lost", Counts: true, Less: true, Tone: game.Bad},
		{ID: "set", Tone: game.Neutral},
		{ID: "superb", Counts: true, Tone: game.Good},
		{ID: "fair", Tone: game.Good},
		{ID: "mixed", Tone: game.Mixed},
		{ID: "dream", Tone: game.Triumph},
		{ID: "ruin", Tone: game.Disaster},
	}}
	best := []rule.Outcome{
		{ID: "dream"},
		{ID: "superb", N: 4},
		{ID: "superb", N: 1},
		{ID: "fair"},
		{ID: "mixed"},
		{ID: "set"},
		{ID: "lost", N: 1},
		{ID: "lost", N: 3},
		{ID: "ruin"},
	}
	for i, a := range best {
		for j, b := range best {
			if got := m.Better(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v and %v: %d", a, b, got)
			}
		}
	}
	if m.Better(rule.Outcome{ID: "fair", N: 1}, rule.Outcome{ID: "fair", N: 2}) != 0 {
		t.Error("an n that counts nothing makes a difference")
	}
}

// A move's outcomes have a total order, whatever they count; a bad one is never better than a good
// one.
func TestEveryMoveOrdersItsOutcomes(t *testing.T) {
	for _, g := range games.All() {
		for i := range g.Moves {
			m := &g.Moves[i]
			var all []rule.Outcome
			for _, kind := range m.Outcomes {
				all = append(all, rule.Outcome{ID: kind.ID}, rule.Outcome{ID: kind.ID, N: 2})
				if kind.Less && !kind.Counts {
					t.Errorf("%s: %s counts nothing, so less of it is no better", m.ID, kind.ID)
				}
			}
			slices.SortFunc(all, m.Better)
			for i := range all {
				for j := range all[:i] {
					if m.Better(all[j], all[i]) > 0 {
						t.Errorf("%s %s: %v stands before %v", g.ID, m.ID, all[j], all[i])
					}
				}
			}
			worst := func(o rule.Outcome) bool {
				tone := m.Outcome(o.ID).Tone
				return tone == game.Bad || tone == game.Disaster
			}
			if first := slices.IndexFunc(all, worst); first >= 0 &&
				slices.ContainsFunc(all[first:], func(o rule.Outcome) bool { return !worst(o) }) {
				t.Errorf("%s %s: something bad is better than something good: %v", g.ID, m.ID, all)
			}
		}
	}
}
