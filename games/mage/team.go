package mage

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Team holds the arguments of one task for which several people roll their own pools. Without a
// table they are bare pools. MG-16
type Team struct {
	Pools form.Faces `json:"pools" form:"max=12,bare"`
	Traits
	With       []form.Ref `json:"with" form:"min=1,max=11,required,table"`
	Difficulty int        `json:"difficulty" form:"max=20,default=6,fixed"`
	Threshold  int        `json:"threshold" form:"max=20"`
	Modifier   int        `json:"modifier" form:"min=-8,max=20"`
	Needs      int        `json:"needs" form:"min=1,max=99,default=1"` // required successes
	Willpower  bool       `json:"willpower" form:"table,once"`
	Ruins      string     `json:"ruins" form:"choice=itself|everything"` // what a botch ruins
	Try
	Taking
	ThresholdRule bool `json:"threshold-rule" form:"default=true,bare"`
}

var teamMove = game.Define(game.MoveSpec[Team]{
	ID: "team", Bare: true, AtTable: true, Ends: forgivingEnds, Kinds: people,
	Outcomes: []game.OutcomeKind{
		{ID: "success", Counts: true, Tone: game.Good},
		{ID: "short", Counts: true, Tone: game.Bad},
		{ID: "failure", Tone: game.Bad},
		{ID: "botch", Tone: game.Disaster},
	},
	Headlines: rollHeadlines,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return fitTraits(hero, f, form.Choices{
			"with": s.Others(people...), "again": attempts(hero), "action": dues(hero, false),
		})
	},
	Allow: allowTeam,
	Price: func(r *rule.Run, s game.Scene, a Team) rule.Outcome {
		return a.outcome(priceShares(r, a.tasks(s)))
	},
	Retry: func(s game.Scene, a Team, f game.Failure) Team {
		a.Try = a.retried(s, f)
		return a
	},
	Play: func(r *rule.Run, s game.Scene, a Team) rule.Outcome {
		s = game.Lend(r, s)
		if added := a.addedTo(s, a.Modifier, "difficulty"); added.isRefused(r) {
			a.Modifier, a.Try = added.withoutAdded(a.Modifier, a.Try)
		}
		band := a.band(s)
		worked := band.play(r, s, a.tasks(s))
		result := a.outcome(worked.share())
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		a.settle(r, s, succeeds(result), band.members(worked.threw)...)
		if !succeeds(result) {
			a.offerForgiving(r, s)
		}
		return result
	},
	Mark:     func(a Team, t rule.Throw) []game.Mark { return taskOf(standard, 0, a.aim(), false).mark(t.Faces) },
	Sources:  func(s game.Scene, a Team) []game.Source { return a.sources(s) },
	Variants: willing(func(a *Team) *bool { return &a.Willpower }),
	Strip: func(s game.Scene, a Team) Team {
		if s.Actor == "" {
			return a
		}
		tasks := a.tasks(s)
		a.Pools = nil
		for _, t := range tasks {
			a.Pools = append(a.Pools, t.pool)
		}
		_, a.Difficulty, a.Threshold, a.Modifier = tasks[0].plain() // all must meet the same numbers
		return a
	},
})

func (a Team) aim() aim { return aim{a.Difficulty, a.Modifier, a.Threshold} }

// band returns those who roll together. MG-16
func (a Team) band(s game.Scene) band {
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

// tasks returns everybody's throws, the leader's first; a retry is harder for all. MG-12, MG-16
func (a Team) tasks(s game.Scene) []task {
	if _, ok := sheetOf(s, s.Actor); ok {
		band := a.band(s)
		return band.tasks(s, a.aim().plus(a.harder(s, band.everybody()...)))
	}
	return game.Each(
		a.Pools,
		func(pool int) task { return taskOf(bareRules(s, a.ThresholdRule), pool, a.aim(), false) },
	)
}

// outcome returns the team's outcome: a success if all successes together are enough. MG-16
func (a Team) outcome(s share) rule.Outcome {
	switch {
	case s.isRuined(a.Ruins):
		return rule.Outcome{ID: "botch"}
	case s.won >= max(1, a.Needs):
		return rule.Outcome{ID: "success", N: s.won}
	case s.won > 0:
		return rule.Outcome{ID: "short", N: s.won}
	}
	return rule.Outcome{ID: "failure"}
}

func allowTeam(s game.Scene, a Team) error {
	hero, atTable := sheetOf(s, s.Actor)
	if atTable {
		return firstRefusal(
			allowTraits(
				hero,
				a.Traits,
				houseRules(s),
			),
			allowDifficulty(a.Difficulty),
			allowThreshold(a.Threshold, houseRules(s)),
			allowWillpower(
				hero,
				a.Willpower,
			),
			allowOnce(s, a.With...),
			a.allowRetry(s, a.band(s).everybody()...),
			a.allowTurn(hero, a.Traits, false),
		)
	}
	if len(a.Pools) == 0 {
		return game.Refuse("MG-16", "mage.refusal.no-pools")
	}
	for _, pool := range a.Pools {
		if err := allowPool(pool); err != nil {
			return err
		}
	}
	return firstRefusal(allowDifficulty(a.Difficulty), allowThreshold(a.Threshold, bareRules(s, a.ThresholdRule)))
}

// allowOnce refuses people who take part twice: as the actor, or among the others. MG-16
func allowOnce(s game.Scene, beside ...form.Ref) error {
	in := []string{s.Actor}
	for _, who := range form.IDs(beside...) {
		if slices.Contains(in, who) {
			return &game.Refusal{Rule: "MG-16", Word: "mage.refusal.twice", Data: data{"Name": s.Cast[who].Name}}
		}
		in = append(in, who)
	}
	return nil
}

// band is a group of people who roll together, on one side. MG-16
type band struct {
	leader    string
	traits    Traits
	at        turn   // MG-10: the leader's place in the turn
	text      string // the leader's action
	with      []string
	willpower bool // the leader's
	ruins     string
}

// everybody returns the leader and the helpers.
func (b band) everybody() []string { return append([]string{b.leader}, b.with...) }

// tasks returns the throws of a band, unless helpers choose otherwise. Pools are never combined.
// MG-16
func (b band) tasks(s game.Scene, met aim) []task {
	rules := houseRules(s)
	leader, _ := sheetOf(s, b.leader)
	tasks := []task{taskOf(rules, b.at.pool(leader, b.traits), met, b.willpower)}
	for _, who := range b.with {
		c, _ := sheetOf(s, who)
		usual := usually(c, b.traits, rules, false)
		t := taskOf(rules, usual.turn(c, false).pool(c, usual.Traits), met, false)
		if usual.Pass {
			t.pool = 0
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// share is the result of one or more members of a team.
type share struct {
	won     int
	botched bool // somebody has botched
	sound   bool // somebody has thrown without a botch
}

func (s share) with(o rule.Outcome) share {
	if o.ID == "botch" {
		s.botched = true
	} else {
		s.sound = true
	}
	s.won += successes(o)
	return s
}

// isRuined reports whether botches have ruined a joint throw. A botch ruins only the successes of
// who botched, unless it was agreed that it ruins everything; nothing is left if everybody botched.
// It doesn't matter who leads. MG-13, MG-15, MG-16
func (s share) isRuined(ruins string) bool { return s.botched && (ruins == "everything" || !s.sound) }

// priceShares throws one after another, without those who have no dice. The results of all but the
// last are merged.
func priceShares(r *rule.Run, tasks []task) share {
	if len(tasks) == 0 {
		return share{}
	}
	last := len(tasks) - 1
	before := rule.Part(r, func(r *rule.Run) share { return priceShares(r, tasks[:last]) })
	if tasks[last].pool <= 0 {
		return before
	}
	return before.with(tasks[last].settle(r))
}

// worked is the result of a band at the table. Its bits stand for the members, the leader first.
type worked struct {
	won            int
	threw, botched uint16
}

// share returns the result without who it was.
func (w worked) share() share {
	return share{won: w.won, botched: w.botched > 0, sound: w.threw&^w.botched > 0}
}

// with adds the result of a member.
func (w worked) with(at int, s share) worked {
	if s.botched {
		w.botched |= 1 << at
	}
	if s.botched || s.sound {
		w.threw |= 1 << at
	}
	w.won += s.won
	return w
}

// members returns the members whose bits are set.
func (b band) members(bits uint16) []string {
	var all []string
	for i, who := range b.everybody() {
		if bits&(1<<i) > 0 {
			all = append(all, who)
		}
	}
	return all
}

// play throws for a band in parallel, all against the numbers with which it began. Each helper chooses
// the traits, and whether to use Willpower. MG-16
func (b band) play(r *rule.Run, s game.Scene, tasks []task) worked {
	parts := []func(*rule.Run) share{func(r *rule.Run) share { return b.lead(r, game.Lend(r, s), tasks[0]) }}
	for i, who := range b.with {
		parts = append(parts, func(r *rule.Run) share {
			s := game.Lend(r, s)
			joins := rule.AskAnew(r, func() rule.Question[Joining] { return b.joinQuestion(s, who, tasks[i+1]) })
			helper, _ := sheetOf(s, who)
			joins = joins.settle(usually(helper, b.traits, houseRules(s), false))
			if joins.Pass {
				r.Record(StayedOut{Who: who})
				return share{}
			}
			at, own := joins.turn(helper, false), tasks[i+1]
			own.pool, own.willpower = at.pool(helper, joins.Traits), joins.Willpower
			return share{}.with(own.play(r, s, who, at, Rolled{Traits: joins.Traits, Text: at.text}))
		})
	}
	var all worked
	for i, part := range rule.Together(r, parts...) {
		all = all.with(i, part)
	}
	return all
}

// lead makes the leader's throw.
func (b band) lead(r *rule.Run, s game.Scene, t task) share {
	return share{}.with(t.play(r, s, b.leader, b.at, Rolled{Traits: b.traits, Text: cmp.Or(b.text, b.at.text)}))
}

// Joining is the answer about how somebody takes part in another's throw, as a helper or to resist.
// Without traits it's the assumed pool. MG-09, MG-10, MG-12, MG-14, MG-16
type Joining struct {
	Traits
	Willpower bool `json:"willpower"`
	Taking
	Again string `json:"again" form:"choice"` // MG-12: the failed attempt of the side that resists
	Fast  bool   `json:"fast"`                // MG-12: retries aren't harder in a fast scene
	Leave bool   `json:"leave"`               // MG-09: resists without an action, if the Storyteller allows it
	Pass  bool   `json:"pass"`                // doesn't take part
}

var (
	resistingForm = form.Of[Joining]()
	joiningForm   = resistingForm.Without("again", "fast", "leave")
)

// turn returns the place of this throw in its roller's turn. A roll of Willpower is a reflex.
// MG-09, MG-10
func (a Joining) turn(c Character, answers bool) turn {
	if answers && a.free() {
		return turn{free: true, reflex: !a.Leave}
	}
	return a.Taking.turn(c, answers)
}

// settle resolves an answer: somebody who names traits or asks for leave takes part, whatever else
// is ticked; somebody who names none uses the assumed pool. MG-10
func (a Joining) settle(usual Joining) Joining {
	if a.Pass && a.none() && !a.Leave {
		return a
	}
	if a.Pass = false; a.none() {
		a.Traits = usual.Traits
	}
	return a
}

// free reports whether resisting in this way takes no action. MG-09
func (a Joining) free() bool { return a.Leave || a.Alone == "willpower" }

// usually returns what is assumed of somebody who isn't asked: the actor's traits; if those have no
// dice, or none by the place in the turn, the Attribute with their best Ability; and nothing if they
// have no action left.
func usually(c Character, t Traits, rules Settings, answers bool) Joining {
	a := Joining{Traits: t}
	if allowJoining(c, a, rules, answers) == nil {
		return a
	}
	best := slices.SortedFunc(slices.Values(c.abilities()), func(a, b ability) int { return b.dots - a.dots })
	if t.Attribute != "" && len(best) > 0 {
		if a.Ability = best[0].name; allowJoining(c, a, rules, answers) == nil {
			return a
		}
	}
	return Joining{Traits: t, Pass: true}
}

// allowJoining refuses what can't be used in another's throw. MG-09, MG-10
func allowJoining(c Character, a Joining, rules Settings, answers bool) error {
	if a.Pass {
		return nil
	}
	err := firstRefusal(allowTraits(c, a.Traits, rules), allowWillpower(c, a.Willpower), c.allowRetry(a.Again))
	switch {
	case err != nil || answers && a.free():
		return err
	case answers && a.Action == "" && a.allow(c) != nil:
		return game.Refuse("MG-09", "mage.refusal.no-answer")
	}
	return a.allowTurn(c, a.Traits, answers)
}

// joinQuestion returns the question for a helper's pool, which shows what it must meet. The default is
// the leader's traits.
func (b band) joinQuestion(s game.Scene, who string, met task) rule.Question[Joining] {
	c, _ := sheetOf(s, who)
	t := b.traits
	usual, rules := usually(c, t, houseRules(s), false), houseRules(s)
	return rule.Question[Joining]{
		ID: "mage.join", To: who, Form: fitJoining(c, joiningForm, t, false), Standard: Joining{Pass: usual.Pass},
		About: aboutJoining(who, b.leader, c, usual, false).meeting(met, b.ruins),
		Check: func(a Joining) error { return allowJoining(c, a.settle(usual), rules, false) },
	}
}

// aboutJoining returns the subject of that question: the default, or why there is none. MG-10
func aboutJoining(who, actor string, c Character, usual Joining, answers bool) AboutJoining {
	about := AboutJoining{Who: who, Actor: actor, Against: answers}
	switch {
	case !usual.Pass:
		about.Traits, about.Dice = usual.Traits, usual.turn(c, answers).pool(c, usual.Traits)
	case !c.isSpent() && len(c.open()) > 0:
		about.Spent = "dice"
	case !c.isSpent():
		about.Spent = "traits"
	case c.splits() > 0:
		about.Spent = "declared"
	default:
		about.Spent = "acted"
	}
	return about
}

// meeting returns the subject with what the pool must meet, and whether a botch ruins everything, as
// far as both are known before the answer. MG-16
func (a AboutJoining) meeting(met task, ruins string) AboutJoining {
	a.Difficulty, a.Threshold, a.Everything = met.difficulty, met.threshold, ruins == "everything"
	return a
}

// resistQuestion returns the question for the other side's pool. MG-14
func (a Resisted) resistQuestion(s game.Scene, who string, t Traits, leave bool) rule.Question[Joining] {
	c, _ := sheetOf(s, who)
	f := fitJoining(c, resistingForm, t, true)
	if tried := attempts(c); len(tried) > 1 {
		f = f.With("again", tried...)
	} else {
		f = f.Without("again", "fast")
	}
	if !leave || !c.inTurn() {
		f = f.Without("leave")
	}
	usual, rules := usually(c, t, houseRules(s), true), houseRules(s)
	return rule.Question[Joining]{
		ID: "mage.resist", To: who, Form: f, Standard: Joining{Pass: usual.Pass},
		About: aboutJoining(who, s.Actor, c, usual, true).meeting(a.other(s, usual)[0], a.Ruins),
		Check: func(with Joining) error { return allowJoining(c, with.settle(usual), rules, true) },
	}
}

func fitJoining(c Character, f *form.Form, t Traits, answers bool) *form.Form {
	if places := dues(c, answers); len(places) > 1 {
		f = f.With("action", places...)
	} else {
		f = f.Without("action")
	}
	f = fitTraits(c, f, form.Choices{})
	if field, _ := f.Field("ability"); t.Ability != "" &&
		!slices.ContainsFunc(field.Options, func(o form.Option) bool { return o.Value == string(t.Ability) }) {
		f = f.With("ability", append(slices.Clone(field.Options), abilityOption(t.Ability, "mage.group.untrained"))...)
	}
	return f
}

// Leave is the Storyteller's answer whether somebody may resist without an action. MG-09
type Leave struct {
	Allow bool `json:"allow" form:"default=true"`
}

// resistance asks the other side how it resists, and the Storyteller if it asks for leave; if that
// is refused, the side chooses again. MG-09, MG-14
func (a Resisted) resistance(r *rule.Run, s game.Scene) Joining {
	who := string(a.Against)
	with := a.resistsWith(r, s)
	fast := AboutAdded{Who: who, Fast: a.answer(with).isFast(s) && s.Cast[who].Owner != "", Free: true}
	if fast.isRefused(r) {
		with.Fast = false
	}
	return with
}

// resistsWith asks how the other side resists. MG-09, MG-14
func (a Resisted) resistsWith(r *rule.Run, s game.Scene) Joining {
	who, t := string(a.Against), a.Traits
	ask := func(leave bool) Joining {
		said := rule.AskAnew(r, func() rule.Question[Joining] { return a.resistQuestion(s, who, t, leave) })
		c, _ := sheetOf(s, who)
		return said.settle(usually(c, t, houseRules(s), true))
	}
	with := ask(true)
	if with.Pass || !with.Leave {
		return with
	}
	if s.Cast[who].Owner == "" { // the Storyteller has answered
		r.Record(Answered{Who: who, Leave: true})
		return with
	}
	says := rule.Ask(r, rule.Question[Leave]{
		ID: "mage.leave", To: game.GM, Standard: Leave{Allow: true}, About: AboutLeave{Who: who, Actor: s.Actor},
	})
	r.Record(Answered{Who: who, Leave: says.Allow})
	if says.Allow {
		return with
	}
	return ask(false)
}
