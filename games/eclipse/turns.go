package eclipse

import (
	"cmp"
	"slices"

	"norn/game"
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

func (all initiatives) Scene(v game.Voice) string { return v.Say("eclipse.move.initiative") }

func (all initiatives) Turn(game.Voice) string { return "" }

func (all initiatives) Order(v game.Voice) []game.Place {
	return game.Each(all, func(d game.Drawn) game.Place { return game.Place{Who: d.Who, Note: v.Number(d.Outcome.N)} })
}

// Nobody keeps turns but the people at the table.
func (all initiatives) Pass() (move, actor string, args any) { return "", "", nil }
