package godbound

import "norn/game"

// between suggests experience and Dominion for the session, and what a month, a rest or a new level
// brings. GB-18, GB-19, GB-24, GB-25; time is the GM's. GB-28
func between(s game.Scene, who string) []game.Suggestion {
	if who == "" {
		if len(s.Others(heroes...)) == 0 {
			return nil
		}
		all := []game.Suggestion{{Move: "session", Ticked: true, Asked: []string{"who"}}}
		if len(s.Others("hero")) > 0 {
			all = append(all, game.Suggestion{Move: "adventure", Ticked: true})
		}
		return append(all, game.Suggestion{Move: "scene"}, game.Suggestion{Move: "dawn"})
	}
	hero, ok := game.Sheet[Hero](s, who)
	if !ok || alive(s, who) != nil {
		return nil
	}
	var all []game.Suggestion
	if hero.RemainingHP() < hero.HP {
		all = append(all, game.Suggestion{Move: "rest"})
	}
	if hero.Divinity == "free" || hero.Divinity == "cult" && hero.Level >= 2 {
		all = append(all, game.Suggestion{Move: "month"})
	}
	if hero.Level < maxLevel {
		all = append(all, game.Suggestion{Move: "level"})
	}
	return all
}
