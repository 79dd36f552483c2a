package eclipse

import "norn/game"

// between suggests a new day, and for each character a long recharge and an end of what a result
// left behind. EP-14, EP-20, EP-21
func between(s game.Scene, who string) []game.Suggestion {
	if who == "" {
		if len(everybody(s)) == 0 {
			return nil
		}
		return []game.Suggestion{{Move: "new-day"}}
	}
	hero, ok := sheetOf(s, who)
	if !ok {
		return nil
	}
	var all []game.Suggestion
	if hero.Pools.missing().Sum() > 0 {
		all = append(all, game.Suggestion{Move: "long-recharge"})
	}
	if len(hero.Effects) > 0 {
		all = append(all, game.Suggestion{Move: "settle", Args: Settle{Effect: "0"}})
	}
	return all
}
