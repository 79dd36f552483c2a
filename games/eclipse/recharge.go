package eclipse

import (
	"norn/dice"
	"norn/game"
	"norn/rule"
)

// Points is an amount for each pool.
type Points struct {
	Insight int `json:"insight" form:"max=20"`
	Moxie   int `json:"moxie" form:"max=20"`
	Vigor   int `json:"vigor" form:"max=20"`
	Flex    int `json:"flex" form:"max=20"`
}

// Sum returns the amount over all pools.
func (p Points) Sum() int { return p.Insight + p.Moxie + p.Vigor + p.Flex }

// Of returns the amount for a pool.
func (p Points) Of(name string) int {
	return map[string]int{"insight": p.Insight, "moxie": p.Moxie, "vigor": p.Vigor, "flex": p.Flex}[name]
}

// missing returns the points that a recharge can restore. EP-21
func (p Pools) missing() Points {
	return Points{p.Insight.Missing(), p.Moxie.Missing(), p.Vigor.Missing(), p.Flex.Missing()}
}

// back returns the pools with points restored, at most to their start values. EP-21
func (p Pools) back(points Points) Pools {
	for _, name := range poolNames {
		at := p.at(name)
		at.Now += min(points.Of(name), at.Missing())
	}
	return p
}

// first distributes n points to the pools in order.
func (p Points) first(n int) Points {
	take := func(from int) int {
		k := min(from, n)
		n -= k
		return k
	}
	return Points{take(p.Insight), take(p.Moxie), take(p.Vigor), take(p.Flex)}
}

// Short holds the arguments of a recharge of ten minutes, which restores 1d6 points, twice a day;
// there are none. EP-21
type Short struct{}

// Split is the player's answer how to distribute them. EP-21
type Split struct {
	Back Points `json:"back"`
}

var recharged = []game.OutcomeKind{{ID: "recharged", Counts: true, Tone: game.Good}}

var shortMove = game.Define(game.MoveSpec[Short]{
	ID: "short-recharge", AtTable: true, Order: game.OrderOver, Kinds: []string{"character", "npc"},
	Outcomes: recharged,
	Allow: func(s game.Scene, _ Short) error {
		if hero, _ := sheetOf(s, s.Actor); hero.Day.Short >= 2 { // EP-21
			return game.Refuse("EP-21", "eclipse.refusal.third-short")
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, _ Short) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		return rule.Outcome{ID: "recharged", N: min(throwRecharge(r), hero.Pools.missing().Sum())}
	},
	Play: func(r *rule.Run, s game.Scene, _ Short) rule.Outcome {
		s = game.Lend(r, s)
		missing := func() Points {
			hero, _ := sheetOf(s, s.Actor)
			return hero.Pools.missing()
		}
		thrown := throwRecharge(r)
		back := missing()
		n := min(thrown, back.Sum())
		if n < back.Sum() && n > 0 {
			back = rule.AskAnew(r, func() rule.Question[Split] {
				n = min(thrown, missing().Sum()) // points may be spent meanwhile
				return splitQuestion(s, missing(), n)
			}).Back
		}
		result := rule.Outcome{ID: "recharged", N: n}
		r.Record(
			Recharged{Who: s.Actor, Kind: "short", Back: back, Minutes: 10, Hidden: unseen(s, s.Actor)},
			game.Resolved{Who: s.Actor, Outcome: result},
		)
		return result
	},
})

// throwRecharge throws for the points of a short recharge. EP-21
func throwRecharge(r *rule.Run) int { return r.Sum(dice.Pool{N: 1, Sides: 6, For: "recharge"}) }

// splitQuestion asks the player which pools get the points. EP-21
func splitQuestion(s game.Scene, missing Points, n int) rule.Question[Split] {
	return rule.Question[Split]{
		ID: "eclipse.split", To: s.Actor, Standard: Split{Back: missing.first(n)},
		About: AboutSplit{Who: s.Actor, N: n, Missing: missing},
		Check: func(a Split) error {
			within := true
			for _, name := range poolNames {
				within = within && a.Back.Of(name) <= missing.Of(name)
			}
			if a.Back.Sum() != n || !within {
				return &game.Refusal{Rule: "EP-21", Word: "eclipse.refusal.split", Data: data{"N": n}}
			}
			return nil
		},
	}
}

// Long holds the arguments of a long recharge, which restores everything, once a day; there are
// none. EP-21
type Long struct{}

var longMove = game.Define(game.MoveSpec[Long]{
	ID: "long-recharge", AtTable: true, Order: game.OrderOver, Kinds: []string{"character", "npc"}, Outcomes: recharged,
	Allow: func(s game.Scene, _ Long) error {
		if hero, _ := sheetOf(s, s.Actor); hero.Day.Long >= 1 { // EP-21
			return game.Refuse("EP-21", "eclipse.refusal.second-long")
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, _ Long) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		hours := 4 // EP-21
		if hero.Unmodified {
			hours = 8
		}
		back := hero.Pools.missing()
		result := rule.Outcome{ID: "recharged", N: back.Sum()}
		r.Record(
			Recharged{Who: s.Actor, Kind: "long", Back: back, Minutes: 60 * hours, Hidden: unseen(s, s.Actor)},
			game.Resolved{Who: s.Actor, Outcome: result},
		)
		return result
	},
})

// NewDay holds the arguments of the move that begins a day for everybody; there are none. Recharges
// start again, and boons end. EP-21, EP-20
type NewDay struct{}

var newDayMove = game.Define(game.MoveSpec[NewDay]{
	ID: "new-day", GMOnly: true, AtTable: true, Ends: offersEnd, Order: game.OrderOver,
	Outcomes: []game.OutcomeKind{{ID: "morning", Tone: game.Neutral}},
	Cast:     func(s game.Scene, _ NewDay) []string { return everybody(s) },
	Play: func(r *rule.Run, s game.Scene, _ NewDay) rule.Outcome {
		for _, who := range everybody(s) {
			r.Record(DayBegun{Who: who, Hidden: unseen(s, who)})
		}
		return rule.Outcome{ID: "morning"}
	},
})

// everybody returns the characters of a scene in a stable order.
func everybody(s game.Scene) []string {
	var all []string
	for _, id := range s.IDs() {
		if _, ok := sheetOf(s, id); ok {
			all = append(all, id)
		}
	}
	return all
}
