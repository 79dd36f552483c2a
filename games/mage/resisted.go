package mage

import (
	"reflect"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Resisted holds the arguments of a roll against somebody else's. Each side has its own difficulty,
// threshold, modifier, trait, retry and helpers; an empty number is that of the extended action.
// Without a table, and against somebody without a sheet, the other side is a bare pool. MG-14,
// MG-15
type Resisted struct {
	Pool int `json:"pool" form:"min=-99,max=100,default=6,bare"`
	Traits
	Against    form.Ref    `json:"against" form:"table"`
	Difficulty form.Number `json:"difficulty,omitzero" form:"max=20,usual=6,fixed"`
	Threshold  form.Number `json:"threshold,omitzero" form:"max=20,usual=0"`
	Modifier   int         `json:"modifier" form:"min=-8,max=20"`
	Willpower  bool        `json:"willpower" form:"table,once"`
	Try
	Taking
	AgainstPool       int         `json:"against-pool" form:"min=-99,max=100,default=6"`
	AgainstDifficulty form.Number `json:"against-difficulty,omitzero" form:"max=20,usual=6"`
	AgainstThreshold  form.Number `json:"against-threshold,omitzero" form:"max=20,usual=0"`
	AgainstModifier   int         `json:"against-modifier" form:"min=-8,max=20"`
	AgainstAttempt    string      `json:"against-attempt" form:"text,table,for=against"`       // MG-12: the other side's attempt
	Opposing          string      `json:"opposing" form:"choice,table"`                        // the other trait to roll against
	AgainstOpposing   string      `json:"against-opposing" form:"choice,table,beside=against"` // another trait for the other side
	With              []form.Ref  `json:"with" form:"max=11,table"`                            // MG-16
	AgainstWith       []form.Ref  `json:"against-with" form:"max=11,table"`                    // MG-16
	Ruins             string      `json:"ruins" form:"choice=itself|everything,table"`         // MG-16
	On                form.Ref    `json:"on" form:"table"`                                     // MG-15: the extended action
	ThresholdRule     bool        `json:"threshold-rule" form:"default=true,bare"`
}

var resistedMove = game.Define(game.MoveSpec[Resisted]{
	ID: "resisted", Bare: true, AtTable: true, Ends: forgivingEnds, Kinds: people,
	Outcomes: []game.OutcomeKind{
		{ID: "win", Counts: true, Tone: game.Good},
		{ID: "their-botch", Tone: game.Good},
		{ID: "draw", Tone: game.Neutral},
		{ID: "lose", Counts: true, Less: true, Tone: game.Bad},
		{ID: "botch", Tone: game.Disaster},
	},
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}, {ID: "lose", Outcomes: []string{"lose"}}},
	Cast: func(_ game.Scene, a Resisted) []string {
		return append(
			form.IDs(a.Against, a.On),
			form.IDs(append(a.With[:len(a.With):len(a.With)], a.AgainstWith...)...)...)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		others := s.Others(people...)
		return fitTraits(hero, f, form.Choices{
			"against": others, "with": others, "against-with": others, "on": running(s), "opposing": opposable(),
			"against-opposing": opposable(), "again": attempts(hero), "action": dues(hero, false),
		})
	},
	Allow: allowResisted,
	Price: func(r *rule.Run, s game.Scene, a Resisted) rule.Outcome {
		s = withoutClock(s, a.On)
		with := a.usual(s)
		sides := rule.Together(r,
			func(r *rule.Run) side { return a.side(priceShares(r, a.own(s))) },
			func(r *rule.Run) side {
				if with.Pass {
					return side{}
				}
				return a.side(priceShares(r, a.other(s, with)))
			},
		)
		return compare(sides[0], sides[1])
	},
	Retry: func(s game.Scene, a Resisted, f game.Failure) Resisted {
		a.Try = a.retried(s, f)
		return a
	},
	Play: playResisted,
	Mark: func(a Resisted, t rule.Throw) []game.Mark {
		own := t.For != "against"
		return taskOf(bareRules(game.Scene{}, a.ThresholdRule), 0, a.aim(game.Scene{}, own), false).mark(t.Faces)
	},
	Sources: func(s game.Scene, a Resisted) []game.Source { return a.sources(withoutClock(s, a.On)) },
	Variants: func(s game.Scene, a Resisted) []game.VariantOf[Resisted] {
		return willing(func(a *Resisted) *bool { return &a.Willpower })(withoutClock(s, a.On), a)
	},
	Strip: func(s game.Scene, a Resisted) Resisted {
		s = withoutClock(s, a.On)
		if s.Actor != "" {
			own, other := a.own(s)[0], a.other(s, a.usual(s))[0]
			a.Pool, a.Difficulty, a.Threshold, a.Modifier = own.pool, form.NewNumber(
				own.difficulty,
			), form.NewNumber(
				own.threshold,
			), 0
			a.AgainstPool, a.AgainstDifficulty, a.AgainstThreshold, a.AgainstModifier = other.pool, form.NewNumber(
				other.difficulty,
			), form.NewNumber(
				other.threshold,
			), 0
		}
		return a
	},
})

// usual returns the assumed resistance of the other side.
func (a Resisted) usual(s game.Scene) Joining {
	foe, ok := sheetOf(s, string(a.Against))
	if !ok {
		return Joining{}
	}
	return usually(foe, a.Traits, houseRules(s), true)
}

// own returns the throws of the acting side. MG-12, MG-14, MG-16
func (a Resisted) own(s game.Scene) []task {
	if _, ok := sheetOf(s, s.Actor); !ok {
		return []task{taskOf(bareRules(s, a.ThresholdRule), a.Pool, a.aim(s, true), false)}
	}
	band := a.band(s)
	return band.tasks(s, a.aim(s, true).plus(a.harder(s, band.everybody()...)))
}

func (a Resisted) band(s game.Scene) band {
	hero, _ := sheetOf(s, s.Actor)
	return band{
		leader:    s.Actor,
		traits:    a.Traits,
		at:        a.turn(hero, false),
		text:      a.tryName(),
		with:      form.IDs(a.With...),
		willpower: a.Willpower,
		ruins:     a.Ruins,
	}
}

// other returns the throws of the side that resists, with its choices. MG-12, MG-14, MG-16
func (a Resisted) other(s game.Scene, with Joining) []task {
	if _, ok := sheetOf(s, string(a.Against)); !ok {
		rules := houseRules(s)
		if _, atTable := sheetOf(s, s.Actor); !atTable {
			rules = bareRules(s, a.ThresholdRule)
		}
		t := taskOf(rules, a.AgainstPool, a.aim(s, false), false)
		t.purpose = "against"
		return []task{t}
	}
	band := a.rivals(s, with)
	return band.tasks(s, a.aim(s, false).plus(a.answer(with).harder(s, band.everybody()...)))
}

// answer returns the attempt of the other side. MG-12
func (a Resisted) answer(with Joining) Try {
	return Try{Attempt: a.AgainstAttempt, Again: with.Again, Fast: with.Fast}
}

func (a Resisted) rivals(s game.Scene, with Joining) band {
	foe, _ := sheetOf(s, string(a.Against))
	return band{
		leader: string(a.Against), traits: with.Traits, at: with.turn(foe, true), text: a.answer(with).tryName(),
		with: form.IDs(a.AgainstWith...), willpower: with.Willpower, ruins: a.Ruins,
	}
}

// aim returns the numbers that one side must meet: those given for it, or else a trait of the other
// side, the extended action's numbers, or the defaults. MG-14, MG-15
func (a Resisted) aim(s game.Scene, own bool) aim {
	difficulty, threshold, modifier, trait, rival := a.Difficulty, a.Threshold, a.Modifier, a.Opposing, string(
		a.Against,
	)
	if !own {
		difficulty, threshold, modifier, rival = a.AgainstDifficulty, a.AgainstThreshold, a.AgainstModifier, s.Actor
		if a.AgainstOpposing != "" {
			trait = a.AgainstOpposing
		}
	}
	usual := aim{difficulty: usualDifficulty}
	if e, ok := game.Sheet[Extended](s, string(a.On)); ok {
		usual = e.aim(own == (e.First != "" && string(e.First) != s.Actor))
	}
	if c, ok := sheetOf(s, rival); ok && trait != "" {
		usual.difficulty = c.Attributes.Of(trait) + c.Rating(trait) + c.Ability(form.Trait(trait))
	}
	return aim{difficulty.Or(usual.difficulty), modifier + usual.modifier, threshold.Or(usual.threshold)}
}

// contestSums are the arguments that determine the difficulty of a contest: a number, a trait of
// the other side, or its extended action. MG-14, MG-15, MG-32
var contestSums = []string{"difficulty", "opposing", "on"}

// usualPool is the default pool of somebody without a sheet.
const usualPool = 6

// addedByPlayer returns what a player adds to a contest that the Storyteller has called for,
// including the numbers that the sides must meet. MG-32
func (a Resisted) addedByPlayer(s game.Scene) AboutAdded {
	about := a.Try.addedTo(s, a.Modifier, contestSums...)
	bare := a.withoutAdded(s)
	bare.Modifier, bare.Fast = a.Modifier, a.Fast
	about.Sides = !reflect.DeepEqual(a, bare)
	return about
}

// withoutAdded returns the contest without what a player adds to a call. MG-32
func (a Resisted) withoutAdded(s game.Scene) Resisted {
	isLoose := func(name string) bool { return isLoose(s, name, contestSums...) }
	a.Modifier, a.Try = a.Try.addedTo(s, a.Modifier, contestSums...).withoutAdded(a.Modifier, a.Try)
	if isLoose("difficulty") {
		a.Difficulty = form.Number{}
	}
	if isLoose("opposing") {
		a.Opposing = ""
	}
	if isLoose("against-opposing") {
		a.AgainstOpposing = ""
	}
	if _, there := sheetOf(s, string(a.Against)); !there && isLoose("against-pool") { // otherwise odds assume it
		a.AgainstPool = usualPool
	}
	if isLoose("threshold") {
		a.Threshold = form.Number{}
	}
	if isLoose("against-difficulty") {
		a.AgainstDifficulty = form.Number{}
	}
	if isLoose("against-threshold") {
		a.AgainstThreshold = form.Number{}
	}
	if isLoose("against-modifier") {
		a.AgainstModifier = 0
	}
	return a
}

// usualDifficulty is the default difficulty. MG-03
const usualDifficulty = 6

// side is the result of one side. MG-14, MG-16
type side struct {
	won     int
	botched bool
}

// side returns the result of one side's throws. MG-16
func (a Resisted) side(s share) side {
	if s.isRuined(a.Ruins) {
		return side{botched: true}
	}
	return side{won: s.won}
}

// successes returns the net successes of a throw, 0 unless it's a success. MG-14
func successes(o rule.Outcome) int {
	if succeeds(o) {
		return o.N
	}
	return 0
}

// compare returns who wins, and by how much. If neither side has a success, a botch is still worse
// than a failure. MG-06, MG-14
func compare(own, other side) rule.Outcome {
	switch {
	case own.won > other.won:
		return rule.Outcome{ID: "win", N: own.won - other.won}
	case own.won < other.won:
		return rule.Outcome{ID: "lose", N: other.won - own.won}
	case own.botched && !other.botched:
		return rule.Outcome{ID: "botch"}
	case other.botched && !own.botched:
		return rule.Outcome{ID: "their-botch"}
	}
	return rule.Outcome{ID: "draw"}
}

func allowResisted(s game.Scene, a Resisted) error {
	s = withoutClock(s, a.On)
	hero, atTable := sheetOf(s, s.Actor)
	_, seen := sheetOf(s, string(a.Against))
	foe := isPerson(s, string(a.Against))
	rules := houseRules(s)
	if !atTable {
		rules = bareRules(s, a.ThresholdRule)
	}
	set := firstRefusal(
		allowDifficulty(a.Difficulty.Or(usualDifficulty)), allowDifficulty(a.AgainstDifficulty.Or(usualDifficulty)),
		allowThreshold(a.Threshold.Or(0), rules), allowThreshold(a.AgainstThreshold.Or(0), rules),
	)
	if !atTable {
		return firstRefusal(allowPool(a.Pool), allowPool(a.AgainstPool), set)
	}
	switch {
	case string(a.Against) == s.Actor:
		return &game.Refusal{Rule: "MG-14", Word: "mage.refusal.twice", Data: data{"Name": s.Cast[s.Actor].Name}}
	case !foe && (a.Opposing != "" || a.On != "" || len(a.AgainstWith) > 0):
		return game.Refuse("MG-14", "mage.refusal.no-opponent")
	case a.Opposing != "" && !a.Difficulty.IsZero(), a.AgainstOpposing != "" && !a.AgainstDifficulty.IsZero():
		return game.Refuse("MG-14", "mage.refusal.trait-or-difficulty")
	case !seen:
		if err := allowPool(a.AgainstPool); err != nil {
			return err
		}
	}
	beside := append([]form.Ref{a.Against}, append(a.With[:len(a.With):len(a.With)], a.AgainstWith...)...)
	return firstRefusal(
		allowTraits(hero, a.Traits, houseRules(s)),
		set,
		allowWillpower(hero, a.Willpower),
		allowOnce(s, beside...),
		a.allowRetry(s, a.band(s).everybody()...),
		Try{Attempt: a.AgainstAttempt}.allowRetry(s, append([]string{string(a.Against)}, form.IDs(a.AgainstWith...)...)...),
		a.allowTurn(hero, a.Traits, false),
		allowContest(s, a),
	)
}

// playResisted asks the other side before any throw how it resists, throws for both sides, and
// applies the difference. MG-12, MG-14, MG-15
func playResisted(r *rule.Run, s game.Scene, a Resisted) rule.Outcome {
	s = game.Lend(r, withoutClock(s, a.On))
	if a.addedByPlayer(s).isRefused(r) {
		a = a.withoutAdded(s)
	}
	_, there := sheetOf(s, string(a.Against))
	with := Joining{}
	if there {
		with = a.resistance(r, s)
	}
	own, rivals := a.band(s), a.rivals(s, with)
	sides := rule.Together(r,
		func(r *rule.Run) worked { return own.side(r, game.Lend(r, s), a.own(s)) },
		func(r *rule.Run) worked {
			s := game.Lend(r, s)
			tasks := a.other(s, with)
			switch {
			case with.Pass:
				r.Record(StayedOut{Who: string(a.Against), Against: true})
				return worked{}
			case !there:
				o := tasks[0].play(r, s, "", turn{free: true}, Rolled{})
				return worked{}.with(0, share{}.with(o))
			}
			return rivals.side(r, s, tasks)
		},
	)
	first, second := sides[0], sides[1]
	result := compare(a.side(first.share()), a.side(second.share()))
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	a.settle(r, s, result.ID == "win", own.members(first.threw)...)
	if result.ID == "lose" || result.ID == "botch" {
		a.offerForgiving(r, s)
	}
	if !with.Pass && there {
		a.answer(with).settle(r, s, result.ID == "lose", rivals.members(second.threw)...)
	}
	if a.On != "" {
		score(r, s, a, scoring{a.side(first.share()), own.members(first.botched)},
			scoring{a.side(second.share()), rivals.members(second.botched)})
	}
	return result
}

// side throws for one side of a resisted roll: the leader, and helpers in parallel.
func (b band) side(r *rule.Run, s game.Scene, tasks []task) worked {
	if len(b.with) > 0 {
		return b.play(r, s, tasks)
	}
	return worked{}.with(0, b.lead(r, s, tasks[0]))
}

// scoring is the result of a side of a contest, with those who botched.
type scoring struct {
	side
	botchers []string
}

// allowContest refuses a contest that has ended, and one between other people. MG-13, MG-15
func allowContest(s game.Scene, a Resisted) error {
	e, ok := game.Sheet[Extended](s, string(a.On))
	if !ok {
		return nil
	}
	if err := allowRunning(s, string(a.On)); err != nil {
		return err
	}
	own, other := form.Ref(s.Actor), a.Against
	same := e.First == own && e.Second == other || e.First == other && e.Second == own
	if e.First != "" && !same {
		return &game.Refusal{
			Rule: "MG-15",
			Word: "mage.refusal.other-sides",
			Data: data{
				"First":  s.Cast[string(e.First)].Name,
				"Second": s.Cast[string(e.Second)].Name,
				"Name":   s.Cast[string(a.On)].Name,
			},
		}
	}
	return nil
}

// score adds the difference to the winning side's total; the first side to reach its target wins.
// The side that rolled first gathers for the action's target. A botch loses what its side has
// gathered, and the GM rules on it. MG-13, MG-15
func score(r *rule.Run, s game.Scene, a Resisted, first, second scoring) {
	e, _ := game.Sheet[Extended](s, string(a.On))
	scored := Scored{
		Who: string(a.On), First: s.Actor, Second: string(a.Against),
		Gathered: e.Gathered, Opposed: e.Opposed, Target: e.Target, Used: e.Used + 1, Interval: e.Interval,
	}
	if e.First == a.Against {
		scored.First, scored.Second = scored.Second, scored.First
		first, second = second, first
	}
	if target := e.rivalTarget(); target != e.Target {
		scored.RivalTarget = &target
	}
	if first.botched {
		scored.FirstLost, scored.Gathered = scored.Gathered, 0
	}
	if second.botched {
		scored.SecondLost, scored.Opposed = scored.Opposed, 0
	}
	scored.Gathered += max(0, first.won-second.won)
	scored.Opposed += max(0, second.won-first.won)
	e = game.RecordOn(r, e, scored)
	switch target := e.rivalTarget(); {
	case e.Gathered >= e.Target:
		r.Record(Closed{Who: scored.Who, State: Done, By: scored.First})
		return
	case target > 0 && e.Opposed >= target:
		r.Record(Closed{Who: scored.Who, State: Lost, By: scored.Second})
		return
	}
	r.Release(
		append(
			form.IDs(append(append([]form.Ref{a.Against}, a.With...), a.AgainstWith...)...),
			s.Actor,
		)...) // only the action can still change
	if first.botched {
		e = ruin(r, s, scored.Who, e, scored.First, first.botchers, false)
	}
	if second.botched && e.State == Running {
		e = ruin(r, s, scored.Who, e, scored.Second, second.botchers, true)
	}
	if e.State == Running && e.RemainingRolls() == 0 {
		r.Record(Closed{Who: scored.Who, State: Out})
	}
}
