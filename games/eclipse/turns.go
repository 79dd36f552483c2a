package eclipse

import (
	"cmp"
	"slices"

	"norn/game"
	"norn/rule"
)

// initiatives are those who threw for it: who bought the first place, then by what they threw. EP-23
type initiatives []game.Drawn

func ordered(s game.Scene, thrown []game.Drawn) []game.Going {
	all := slices.DeleteFunc(slices.Clone(thrown), func(d game.Drawn) bool { return s.Cast[d.Who].ID == "" })
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b game.Drawn) int {
		if first := a.Outcome.ID == "first"; first != (b.Outcome.ID == "first") {
			if first {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Outcome.N, a.Outcome.N)
	})
	return []game.Going{initiatives(all)}
}

func (all initiatives) Scene(v game.Voice) string {
	return v.Say("eclipse.turns.round", "N", all[0].Round)
}

// Turn names the first who hasn't acted.
func (all initiatives) Turn(v game.Voice) string { return v.Name(all.now()) }

func (all initiatives) now() string {
	i := slices.IndexFunc(all, func(d game.Drawn) bool { return !d.Acted })
	return all[max(0, i)].Who
}

func (all initiatives) Order(v game.Voice) []game.Place {
	return game.Each(all, func(d game.Drawn) game.Place {
		return game.Place{Who: d.Who, Note: v.Number(d.Outcome.N), Acted: d.Acted, Now: d.Who == all.now()}
	})
}

// Pass is whose turn it is, who has acted then.
func (all initiatives) Pass() (move, actor string, args any) { return "turn", all.now(), EndTurn{} }

// EndTurn ends somebody's turn. Nothing else counts turns: who defends makes a move, too. EP-23
type EndTurn struct{}

var turnMove = game.Define(game.Of[EndTurn]{
	ID: "turn", AtTable: true, Order: game.OrderActed, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "acted", Tone: game.Neutral}},
	Play:     func(*rule.Run, game.Scene, EndTurn) rule.Outcome { return rule.Outcome{ID: "acted"} },
})
