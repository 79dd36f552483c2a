package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// pays returns the pool that pays for a test: the one asked for, or else the one for its aptitude,
// or else Flex. EP-20
func (c Character) pays(f footing, asked string) (string, error) {
	fits := c.purses(f)
	switch {
	case asked != "" && asked != f.pool && asked != "flex":
		return "", &game.Refusal{Rule: "EP-20", Word: "eclipse.refusal.wrong-pool", Data: data{"Pool": poolWord(asked)}}
	case asked == "" && len(fits) > 0:
		return fits[0], nil
	case slices.Contains(fits, asked):
		return asked, nil
	case asked == "":
		return "", game.Refuse("EP-20", "eclipse.refusal.no-points")
	}
	return "", &game.Refusal{Rule: "EP-20", Word: "eclipse.refusal.empty-pool", Data: data{"Pool": poolWord(asked)}}
}

// purses returns the pools that can pay for a test and have a point, its own first. EP-20
func (c Character) purses(f footing) []string {
	var fits []string
	for _, name := range []string{f.pool, "flex"} {
		if c.Pools.Of(name).Points() > 0 {
			fits = append(fits, name)
		}
	}
	return fits
}

// spentOut reports whether no pool has a point.
func (c Character) spentOut() bool {
	return !slices.ContainsFunc(poolNames, func(name string) bool { return c.Pools.Of(name).Points() > 0 })
}

// spend returns the event that n points of a pool are spent.
func (c Character) spend(s game.Scene, who, pool string, n int, use string) PointSpent {
	return PointSpent{
		Who:    who,
		Pool:   pool,
		N:      n,
		Use:    use,
		Left:   c.Pools.spend(pool, n).Of(pool).Points(),
		Hidden: unseen(s, who),
	}
}

// Point is the player's answer about spending a point after the roll. EP-20
type Point struct {
	Use  string `json:"use" form:"choice=keep|flip|raise|soften"`
	Pool string `json:"pool" form:"choice=|insight|moxie|vigor|flex"`
}

// Turn is one way to spend a point, with the resulting roll.
type Turn struct {
	Use     string `json:"use"`
	Roll    int    `json:"roll"`
	Outcome string `json:"outcome"`
	result  result
}

// Rival is the other side's roll, which is visible, too. EP-18
type Rival struct {
	Who     string `json:"who,omitempty"` // "" for a number without a character
	Roll    int    `json:"roll"`
	Outcome string `json:"outcome"`
}

// pursesOf returns the pools that can still pay for a test after its throw. Helpers can't pay.
// EP-17, EP-20
func (t attempt) pursesOf(s game.Scene) []string {
	hero, there := sheetOf(s, t.who)
	if !there || t.paid != "" || quiet(s, t.who) { // EP-20: one point a test; EP-09
		return nil
	}
	return hero.purses(t.footing)
}

// turn asks the roller whether to spend a point to change the roll in one of some ways. EP-22
func turn(r *rule.Run, s game.Scene, t attempt, done rolled, turns []Turn, rival *Rival) rolled {
	purses := t.pursesOf(s)
	if len(turns) == 0 || len(purses) == 0 {
		return done
	}
	point := rule.AskAnew(r, func() rule.Question[Point] {
		if purses = t.pursesOf(s); len(purses) == 0 { // spent meanwhile
			turns = nil
		}
		return pointQuestion(t, done, turns, purses, rival)
	})
	at := slices.IndexFunc(turns, func(u Turn) bool { return u.Use == point.Use })
	if at < 0 {
		return done
	}
	if point.Pool == "" {
		point.Pool = purses[0]
	}
	hero, _ := sheetOf(s, t.who)
	hero.turns(r, s, t.who, point, done.roll, turns[at].Outcome)
	return rolled{turns[at].Roll, turns[at].result}
}

// turns records that a point changes a roll. For the GM's own character, players see the change but
// not the pool. EP-20
func (c Character) turns(r *rule.Run, s game.Scene, who string, point Point, was int, outcome string) {
	spent := c.spend(s, who, point.Pool, 1, point.Use)
	if spent.Hidden {
		r.Record(spent, RollTurned{Who: who, Use: point.Use, Roll: was, Flipped: point.Use == "flip", Outcome: outcome})
		return
	}
	if point.Use == "flip" {
		spent.Roll, spent.Flipped = was, true
	}
	r.Record(spent)
}

// turns returns the ways in which a point would improve a roll. EP-20
func (t attempt) turns(done rolled, rules Settings) []Turn {
	var turns []Turn
	add := func(use string, roll int, x result) {
		turns = append(turns, Turn{Use: use, Roll: roll, Outcome: x.id(), result: x})
	}
	other := rolled{roll: flip(done.roll)}
	other.result = read(other.roll, t.target, t.lesser())
	if other.result < done.result || t.contest && standing(other, 0, 0, rules) > standing(done, 0, 0, rules) {
		add("flip", other.roll, other.result)
	}
	switch done.result {
	case success, superiorSuccess:
		add("raise", done.roll, done.result-1)
	case criticalFailure:
		add("soften", done.roll, failure)
	}
	return turns
}

// pointQuestion returns the question with the resulting roll for each choice. EP-22
func pointQuestion(t attempt, done rolled, turns []Turn, purses []string, rival *Rival) rule.Question[Point] {
	uses := append(
		[]form.Option{{Value: "keep"}},
		game.Each(turns, func(u Turn) form.Option { return form.Option{Value: u.Use} })...)
	f := form.Of[Point]().With("use", uses...)
	standard := Point{Use: "keep"}
	if len(purses) <= 1 {
		f = f.Without("pool")
	} else {
		standard.Pool = purses[0]
		pools := game.Each(purses, func(name string) form.Option { return form.Option{Value: name} })
		f = f.With("pool", pools...)
	}
	return rule.Question[Point]{
		ID: "eclipse.point", To: t.who, Form: f, Standard: standard, Weigh: []string{"use"},
		About: AboutPoint{
			Who:     t.who,
			Roll:    done.roll,
			Target:  t.target,
			Outcome: done.result.id(),
			Turns:   turns,
			Rival:   rival,
		},
	}
}

// Lift holds the arguments of the move that spends points on a lasting boon. EP-20
type Lift struct {
	Aptitude string `json:"aptitude" form:"choice=cog|int|ref|sav|som|wil"`
	Points   int    `json:"points" form:"min=1,max=2,default=1"`
}

var boonMove = game.Define(game.MoveSpec[Lift]{
	ID: "boon", AtTable: true, Kinds: []string{"character", "npc"},
	Instant:  func(game.Scene, Lift) bool { return true },
	Outcomes: []game.OutcomeKind{{ID: "lifted", Counts: true, Tone: game.Good}},
	Allow: func(s game.Scene, a Lift) error {
		hero, _ := sheetOf(s, s.Actor)
		pool := poolFor(a.Aptitude) // EP-20: not Flex
		if hero.Pools.Of(pool).Points() < a.Points {
			return &game.Refusal{Rule: "EP-20", Word: "eclipse.refusal.empty-pool", Data: data{"Pool": poolWord(pool)}}
		}
		if hero.boon(a.Aptitude) > 0 {
			return &game.Refusal{
				Rule: "EP-20",
				Word: "eclipse.refusal.boon-twice",
				Data: data{"Aptitude": aptitudeWord(a.Aptitude)},
			}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Lift) rule.Outcome { // EP-20
		hero, _ := sheetOf(s, s.Actor)
		result := rule.Outcome{ID: "lifted", N: 5 * a.Points}
		r.Record(
			hero.spend(s, s.Actor, poolFor(a.Aptitude), a.Points, "boon"),
			BoonGained{Who: s.Actor, Boon: Boon(a), Hidden: unseen(s, s.Actor)},
			game.Resolved{Who: s.Actor, Outcome: result},
		)
		return result
	},
})
