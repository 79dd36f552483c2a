package edda

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// party is one who takes part in an action: the acting hero, an opponent,
// somebody who joins in, or nobody in particular with a bare pool.
type party struct {
	who    string
	bare   int // the pool of a bare throw
	plan   Action
	asked  bool // the player says only now what goes into the pool
	label  string
	assume string
	need   int
}

// share is what a party's throw comes to, as far as the rest of an action can
// see.
type share struct {
	thrown
	weak bool
	fade string
}

var planForm = form.Of[Action]()

// toss is the party's throw, by the pool that its sheet and its plan come to.
func (p party) toss(s game.Scene) toss {
	switch sheet := s.Cast[p.who].Sheet.(type) {
	case Hero:
		t := newToss(p.who, sheet, total(sheet.addends(p.plan)), p.label, p.assume, p.need)
		if p.plan.certain() > 0 {
			t.extra, t.sure = miracleDice, miracleSure
		}
		return t
	case Fated:
		return newToss(p.who, sheet, sheet.dice(), p.label, p.assume, p.need)
	}
	t := newToss("", nil, p.bare, p.label, p.assume, p.need)
	t.extra, t.sure = p.plan.bare()
	t.pool += t.extra
	return t
}

// plain says the party's pool and plan without its sheet. The dice of a miracle come with the plan.
// ED-22
func (p party) plain(s game.Scene) (pool int, plan Action) {
	t := p.toss(s)
	if _, ok := game.Sheet[Hero](s, p.who); ok && p.plan.certain() == 0 {
		p.plan.Miracle = "none"
	}
	return t.pool - t.extra, p.plan
}

// join is a party's throw at the table: the dice and the special effort, its
// plan being closed. It tells nothing of how it comes out.
func (p party) join(r *rule.Run, s game.Scene) share {
	r.SetRoller(p.who)
	t := p.begin(r, s)
	got := t.throw(r)
	p.endCircumstances(r, s)
	return p.share(got)
}

func (p party) share(got thrown) share {
	return share{thrown: got, weak: p.plan.Weakness, fade: p.plan.Fade}
}

// askPlans closes the plans of all who take part and didn't choose the action,
// side by side: no die falls and nobody learns another's before. ED-01
func askPlans(r *rule.Run, s game.Scene, all ...party) []party {
	var asked []int
	var parts []func(*rule.Run) *Action
	for i, p := range all {
		if hero, ok := game.Sheet[Hero](s, p.who); ok && p.asked {
			asked = append(asked, i)
			parts = append(parts, func(r *rule.Run) *Action { return p.choose(r, s, hero) })
		}
	}
	if len(parts) == 0 {
		return all
	}
	for i, plan := range rule.Together(r, parts...) {
		all[asked[i]].plan = *plan
	}
	return all
}

// choose asks a hero what to put into the action until Fate agrees. ED-01, ED-21
func (p party) choose(r *rule.Run, s game.Scene, hero Hero) *Action {
	r.SetRoller(p.who)
	for plan := p.plan; ; {
		plan = rule.Ask(r, rule.Question[Action]{
			ID: "edda.plan", To: p.who, Form: hero.fit(planForm), Standard: plan,
			About: game.AboutWho{Who: p.who}, Check: hero.allow, Sealed: true,
		})
		if fateAgrees(r, s, p.who, "", &plan, staked{}, beside) {
			return &plan
		}
	}
}

// begin tells what goes into the pool and what is left out, and fades the
// strength that pays for more. ED-02, ED-13, ED-22
func (p party) begin(r *rule.Run, s game.Scene) toss {
	if hero, ok := game.Sheet[Hero](s, p.who); ok {
		for _, fades := range hero.fading(p.who, p.plan.Fade) {
			r.Record(fades)
		}
		r.Record(PoolCounted{Who: p.who, Pool: hero.addends(p.plan), Left: hero.excludedAddends(p.plan)})
	} else if p.who != "" {
		r.Record(Threw{Who: p.who})
	}
	return p.toss(s)
}

// endCircumstances ends the circumstances that were for this action alone. ED-06
func (p party) endCircumstances(r *rule.Run, s game.Scene) {
	difficulties, advantages := circumstancesOf(s.Cast[p.who].Sheet)
	if _, ok := game.Sheet[Hero](s, p.who); ok { // only what was ticked; of Fate's characters all counts
		difficulties, advantages = pick(difficulties, p.plan.Difficulties), pick(advantages, p.plan.Advantages)
	}
	usedUp(r, p.who, "difficulty", difficulties)
	usedUp(r, p.who, "advantage", advantages)
}

// verdict is how an action came out for one who took part.
type verdict int

const (
	even verdict = iota // ED-05: a draw is neither
	good
	bad
)

// verdictOf reads successes against what was needed. ED-04
func verdictOf(hits, need int) verdict {
	if hits < need {
		return bad
	}
	return good
}

// lost is what somebody has lost: a contest, by so many successes and to whom (by is 0 for who
// hasn't), or joint work, about which Fate was asked for all at once. ED-05, ED-09
type lost struct {
	by   int
	to   string
	work *Failure
}

// settle brings an action's end home to one who took part: the weakness (ED-18),
// a memory to rethink (ED-16), leaving the world (ED-23), what Fate makes of a
// fiasco or of what the winner has left (ED-05, ED-10), leaving the scene
// (ED-11). done are other changes to them that were told already.
func settle(r *rule.Run, s game.Scene, who string, got share, how verdict, lost lost, done ...rule.Event) {
	sheet := s.Cast[who].Sheet
	if sheet == nil {
		return
	}
	hero, isHero := sheet.(Hero)
	if isHero {
		for _, e := range hero.fading(who, got.fade) { // told before the throw
			sheet = game.After(sheet, rule.Event(e))
		}
	}
	if got.effort.isMade() { // so was its price
		sheet = game.After(sheet, got.effort.price(who, sheet))
	}
	for _, e := range done {
		if c, ok := game.AsChange(e); ok && c.Whose() == who {
			sheet = c.Apply(sheet)
		}
	}
	before := out(sheet)                        // that, too
	judged := isHero && got.weak && lost.by > 0 // ED-18: Fate's card says whether that was a fiasco
	if judged {
		var failed bool
		sheet, failed = yield(r, who, sheet, lost, true)
		if how = even; failed { // with others, too, who has successes of their own
			how = bad
		}
	}
	if isHero {
		hero = sheet.(Hero)
		if got.weak {
			hero = hero.learn(r, who, how)
		}
		if got.effort.Pay == "memory" {
			hero = hero.rethinkMemory(r, who, got.effort.Memory)
		}
		if hero = hero.linger(r, who); hero.Oblivion() {
			r.Record(Oblivion{Who: who})
			return
		}
		sheet = hero
	}
	switch {
	case judged:
	case lost.by > 0:
		sheet, _ = yield(r, who, sheet, lost, false)
	case lost.work != nil: // ED-09
		if lost.work.Write && slices.Contains(lost.work.Who, form.Ref(who)) {
			sheet = game.After(sheet, lost.work.take(r, who, sheet))
		}
	case how == bad && isHero:
		sheet = hero.suffer(r, who)
	}
	if out(sheet) && !before {
		r.Record(LeftScene{Who: who})
	}
}
