package mage

import (
	"maps"
	"math/big"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Work holds the arguments of a roll towards the target of an extended action at the table, alone
// or with helpers. Without a table it's the whole action: Rolls of one pool. MG-13
type Work struct {
	Pool       int      `json:"pool" form:"min=-99,max=100,default=6,bare"`
	Difficulty int      `json:"difficulty" form:"max=20,default=6,bare"`
	Threshold  int      `json:"threshold" form:"max=20,bare"`
	Target     int      `json:"target" form:"min=1,max=100,default=5,bare"`
	Rolls      int      `json:"rolls" form:"min=1,max=100,default=5,bare"`
	On         form.Ref `json:"on" form:"required,table"`
	Traits
	Willpower bool       `json:"willpower" form:"table,once"`
	With      []form.Ref `json:"with" form:"max=11,table"`                    // MG-16
	Ruins     string     `json:"ruins" form:"choice=itself|everything,table"` // MG-16: what a helper's botch ruins
	Modifier  int        `json:"modifier" form:"min=-8,max=20"`
	Try
	Taking
	ThresholdRule bool `json:"threshold-rule" form:"default=true,bare"`
}

var extendedMove = game.Define(game.MoveSpec[Work]{
	ID: "extended", Bare: true, AtTable: true, Ends: forgivingEnds, Kinds: people,
	Outcomes: []game.OutcomeKind{
		{ID: "done", Counts: true, Less: true, Tone: game.Good},
		{ID: "botch", Counts: true, Tone: game.Disaster},
		{ID: "unfinished", Tone: game.Neutral},
		{ID: "failure", Tone: game.Bad},
	},
	Headlines: []game.Headline{{ID: "done", Outcomes: []string{"done"}}, {ID: "botch", Outcomes: []string{"botch"}}},
	Cast:      func(_ game.Scene, a Work) []string { return append(form.IDs(a.With...), string(a.On)) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		f = fitTraits(hero, f, form.Choices{
			"on": running(s), "with": s.Others(people...), "again": attempts(hero), "action": dues(hero, false),
		})
		if only, ok := onlyRunning(s); ok {
			f = f.Default("on", only)
		}
		return f
	},
	Allow: allowWork,
	Price: func(r *rule.Run, s game.Scene, a Work) rule.Outcome {
		s = withoutClock(s, a.On)
		if e, ok := game.Sheet[Extended](s, string(a.On)); ok {
			return a.outcome(e, priceShares(r, a.tasks(s, e)))
		}
		return gather(r, a.bare(s), a.Target, 0, a.Rolls).outcome()
	},
	Retry: func(s game.Scene, a Work, f game.Failure) Work {
		a.Try = a.retried(s, f)
		return a
	},
	Play:    playWork,
	Mark:    func(a Work, t rule.Throw) []game.Mark { return a.bare(game.Scene{}).mark(t.Faces) },
	Sources: func(s game.Scene, a Work) []game.Source { return a.sources(withoutClock(s, a.On)) },
	Variants: func(s game.Scene, a Work) []game.VariantOf[Work] {
		return willing(func(a *Work) *bool { return &a.Willpower })(withoutClock(s, a.On), a)
	},
	Strip: func(s game.Scene, a Work) Work { // only the next roll
		s = withoutClock(s, a.On)
		if e, ok := game.Sheet[Extended](s, string(a.On)); ok {
			a.Target, a.Rolls = e.Target-e.Gathered, 1
			a.Pool, a.Difficulty, a.Threshold, a.Modifier = a.tasks(s, e)[0].plain()
		}
		return a
	},
})

// progress is the state of an extended action.
type progress struct {
	gathered int
	how      string // "done" or "botch"; "" while it continues
	at       int    // the number of the roll at which it ended
}

func (p progress) outcome() rule.Outcome {
	switch {
	case p.how == "" && p.gathered == 0:
		return rule.Outcome{ID: "failure"}
	case p.how == "":
		return rule.Outcome{ID: "unfinished"}
	}
	return rule.Outcome{ID: p.how, N: p.at}
}

// gather makes that many rolls, or as many as needed if it's 0. Successes add up to the target, a
// failure adds nothing, a botch loses everything and ends the action. The results of all rolls but
// the last are merged. MG-13
func gather(r *rule.Run, t task, target, gathered, rolls int) progress {
	if rolls == 0 {
		return progress{gathered: gathered}
	}
	p := rule.Part(r, func(r *rule.Run) progress { return gather(r, t, target, gathered, rolls-1) })
	if p.how != "" {
		return p
	}
	switch o := rule.Part(r, t.settle); {
	case o.ID == "botch":
		return progress{how: "botch", at: rolls}
	case p.gathered+successes(o) >= target:
		return progress{how: "done", at: rolls}
	default:
		return progress{gathered: p.gathered + successes(o)}
	}
}

// bare returns the task of each roll without a table.
func (a Work) bare(s game.Scene) task {
	return taskOf(bareRules(s, a.ThresholdRule), a.Pool, aim{a.Difficulty, a.Modifier, a.Threshold}, false)
}

// band returns those who work together. MG-16
func (a Work) band(s game.Scene) band {
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

// tasks returns the throws for one roll at the table. MG-12, MG-13, MG-16
func (a Work) tasks(s game.Scene, e Extended) []task {
	band := a.band(s)
	return band.tasks(s, e.aim(false).plus(a.Modifier+a.harder(s, band.everybody()...)))
}

// outcome returns the outcome of one roll: at which roll the action is done or botched, or whether
// the roll has added anything. MG-13
func (a Work) outcome(e Extended, s share) rule.Outcome {
	switch {
	case s.isRuined(a.Ruins):
		return rule.Outcome{ID: "botch", N: e.Used + 1}
	case e.Gathered+s.won >= e.Target:
		return rule.Outcome{ID: "done", N: e.Used + 1}
	case s.won == 0: // MG-13: it adds nothing; MG-12: the next try is harder
		return rule.Outcome{ID: "failure"}
	}
	return rule.Outcome{ID: "unfinished"}
}

// withoutClock returns a scene in which the table's clock doesn't restrict people: a roll that
// takes an hour or a week isn't an action of a turn. MG-13
func withoutClock(s game.Scene, on form.Ref) game.Scene {
	if e, ok := game.Sheet[Extended](s, string(on)); !ok || e.Interval == "turn" {
		return s
	}
	s.Cast = maps.Clone(s.Cast)
	for id, m := range s.Cast {
		switch sheet := m.Sheet.(type) {
		case Character:
			m.Sheet = sheet.withoutTurn()
		case NPC:
			sheet.Character = sheet.withoutTurn()
			m.Sheet = sheet
		}
		s.Cast[id] = m
	}
	return s
}

// withoutTurn returns a sheet outside of any turn. MG-13
func (c Character) withoutTurn() Character {
	c.untimed, c.Actions = true, nil
	c.Clock.Counted, c.Clock.Acted, c.Clock.Bought, c.Clock.Declared = false, false, false, 0
	return c
}

func allowWork(s game.Scene, a Work) error {
	s = withoutClock(s, a.On)
	hero, atTable := sheetOf(s, s.Actor)
	if !atTable {
		return firstRefusal(
			allowPool(a.Pool),
			allowDifficulty(a.Difficulty),
			allowThreshold(a.Threshold, bareRules(s, a.ThresholdRule)),
		)
	}
	if err := allowRunning(s, string(a.On)); err != nil {
		return err
	}
	if e, _ := game.Sheet[Extended](s, string(a.On)); e.First != "" {
		return &game.Refusal{Rule: "MG-15", Word: "mage.refusal.contest", Data: data{"Name": s.Cast[string(a.On)].Name}}
	}
	return firstRefusal(
		allowTraits(hero, a.Traits, houseRules(s)), allowWillpower(hero, a.Willpower), allowOnce(s, a.With...),
		a.allowRetry(s, a.band(s).everybody()...), a.allowTurn(hero, a.Traits, false),
	)
}

// allowRunning refuses a roll for an extended action that has ended. MG-13
func allowRunning(s game.Scene, on string) error {
	if e, ok := game.Sheet[Extended](s, on); !ok || e.State != Running {
		return &game.Refusal{Rule: "MG-13", Word: "mage.refusal.closed", Data: data{"Name": s.Cast[on].Name}}
	}
	return nil
}

// playWork makes one roll for an extended action at the table: everybody throws, the successes are
// added, and the GM rules on a botch. MG-13
func playWork(r *rule.Run, s game.Scene, a Work) rule.Outcome {
	s = game.Lend(r, withoutClock(s, a.On))
	if added := a.addedTo(s, a.Modifier, "on"); added.isRefused(r) {
		a.Modifier, a.Try = added.withoutAdded(a.Modifier, a.Try)
	}
	on := string(a.On)
	e, _ := game.Sheet[Extended](s, on)
	tasks := a.tasks(s, e)
	band := a.band(s)
	worked := band.play(r, s, tasks)
	result := a.outcome(e, worked.share())
	gathered := Gathered{
		Who:      on,
		N:        worked.won,
		Now:      e.Gathered + worked.won,
		Target:   e.Target,
		Used:     e.Used + 1,
		Limit:    e.Limit,
		Dice:     tasks[0].pool,
		Interval: e.Interval,
	}
	if result.ID == "botch" {
		gathered.N, gathered.Now, gathered.Botch, gathered.By = -e.Gathered, 0, true, band.members(worked.botched)
	}
	e = game.RecordOn(r, e, gathered)
	switch {
	case result.ID == "botch":
	case result.ID == "done":
		r.Record(Closed{Who: on, State: Done})
	case e.RemainingRolls() == 0:
		r.Record(Closed{Who: on, State: Out})
	}
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	advanced := result.ID != "botch" && worked.won > 0
	a.settle(r, s, advanced, band.members(worked.threw)...)
	if !advanced {
		a.offerForgiving(r, s)
	}
	if result.ID == "botch" {
		r.Release(append(form.IDs(a.With...), s.Actor)...)
		if e = ruin(r, s, on, e, s.Actor, band.members(worked.botched), false); e.State == Running && e.RemainingRolls() == 0 {
			r.Record(Closed{Who: on, State: Out})
		}
	}
	return result
}

// Ruin is the GM's answer about a botch in an extended action. MG-13
type Ruin struct {
	Do   string `json:"do" form:"choice=raise|end|destroy|lose,set=ruin,default=raise"`
	By   int    `json:"by" form:"min=1,max=9,default=1"` // added to the difficulty
	Text string `json:"text" form:"prose"`
}

// ruin asks the GM what else a botch does, after its side has lost everything it gathered, and
// names who botched. second is the other side of a contest, with its own difficulty. MG-13, MG-15,
// MG-16
func ruin(r *rule.Run, s game.Scene, on string, e Extended, who string, botchers []string, second bool) Extended {
	says := rule.Ask(r, rule.Question[Ruin]{
		ID: "mage.ruin", To: game.GM, Standard: Ruin{Do: "end", By: 1},
		About: AboutAction{Who: botchers[0], On: on, Also: botchers[1:]},
	})
	if says.Text != "" {
		r.Record(Happened{Who: botchers[0], Text: says.Text})
	}
	switch says.Do {
	case "end":
		return game.RecordOn(r, e, Closed{Who: on, State: Ended})
	case "destroy":
		return game.RecordOn(r, e, Closed{Who: on, State: Destroyed})
	case "raise":
		met := taskOf(houseRules(s), 0, e.aim(second).plus(says.By), false)
		harder := Harder{
			Who:       on,
			By:        says.By,
			Now:       met.difficulty,
			Threshold: met.threshold,
			Raised:    says.By + e.raisedBy(second),
			Rival:     second,
		}
		if e.First != "" {
			harder.Side = who
		}
		return game.RecordOn(r, e, harder)
	}
	return e
}

// raisedBy returns what botches have added to a side's difficulty. MG-13, MG-15
func (e Extended) raisedBy(second bool) int {
	if second {
		return e.RivalRaised
	}
	return e.Raised
}

// maxBranches bounds the forecast of an extended action, which is made for every page.
const maxBranches = 20_000

// forecast returns the chance to reach the target in the rolls left, with the dice of the last one,
// or nil if it's unknown. large means that it could be computed, but with too many branches.
func forecast(e Extended, rules Settings) (p *big.Rat, large bool) {
	if e.State != Running || e.First != "" || e.Pool == 0 || e.RemainingRolls() <= 0 {
		return nil, false
	}
	t := taskOf(rules, e.Pool, e.aim(false), false)
	law, err := rule.Walk(func(r *rule.Run) bool {
		return gather(r, t, e.Target, e.Gathered, e.RemainingRolls()).how == "done"
	}, nil, rule.Limits{Branches: maxBranches})
	if err != nil {
		return nil, true
	}
	return law.Of(true), false
}
