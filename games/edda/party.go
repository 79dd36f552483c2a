package edda

import (
	"maps"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// party is a participant in an action: the acting hero, an opponent, a helper, or nobody with a
// bare pool.
type party struct {
	who    string
	bare   int // the pool of a bare throw
	plan   Action
	asked  bool   // the player is asked for the plan
	deed   string // of the action, for that question
	label  string
	assume string
	need   int
}

// share is the result of a party's throw on which the rest of an action depends.
type share struct {
	thrown
	weak bool
	fade string
}

var planForm = form.Of[Action]()

// toss returns the party's throw, with the pool of its sheet and plan.
func (p party) toss(s game.Scene) toss {
	switch sheet := s.Cast[p.who].Sheet.(type) {
	case Hero:
		t := newToss(p.who, sheet, total(sheet.addends(p.plan)), p.label, p.assume, p.need)
		t.plan = p.plan
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

// plain returns the party's pool and plan as a bare throw. The dice of a miracle are in the plan.
// ED-22
func (p party) plain(s game.Scene) (pool int, plan Action) {
	t := p.toss(s)
	if _, ok := game.Sheet[Hero](s, p.who); ok && p.plan.certain() == 0 {
		p.plan.Miracle = "none"
	}
	return t.pool - t.extra, p.plan
}

// join makes a party's throw at the table after its plan is made: the dice and the special effort.
// It records no result.
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

// joining returns the parts in which everybody throws. The strengths that pay for it fade in s, which
// goes on to follow what others change, and not yet where they throw.
func joining(s game.Scene, all []party) []func(*rule.Run) share {
	before := s
	before.Cast = maps.Clone(s.Cast)
	var parts []func(*rule.Run) share
	for _, p := range all {
		p.fade(s)
		parts = append(parts, func(r *rule.Run) share {
			lendAll(r)
			return p.join(r, before)
		})
	}
	return parts
}

// fade applies that the strength which pays for the plan fades. ED-21
func (p party) fade(s game.Scene) {
	hero, _ := game.Sheet[Hero](s, p.who)
	for _, fades := range hero.fading(p.who, p.plan.Fade) {
		s.Take(fades)
	}
}

// askPlans asks everybody who didn't choose the action for their plans, in parallel: nobody throws
// or sees another's plan before. ED-01
func askPlans(r *rule.Run, s game.Scene, deed string, all ...party) []party {
	var asked []int
	var parts []func(*rule.Run) *Action
	for i, p := range all {
		p.deed = deed
		if _, ok := game.Sheet[Hero](s, p.who); ok && p.asked {
			asked = append(asked, i)
			parts = append(parts, func(r *rule.Run) *Action { return p.choose(r, s) })
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

// choose asks a hero for the plan until Fate agrees. ED-01, ED-21
func (p party) choose(r *rule.Run, s game.Scene) *Action {
	r.SetRoller(p.who)
	s = game.Lend(r, s)
	for plan := p.plan; ; {
		plan = rule.AskAnew(r, func() rule.Question[Action] {
			hero, _ := game.Sheet[Hero](s, p.who)
			return rule.Question[Action]{
				ID: "edda.plan", To: p.who, Form: hero.fit(planForm), Standard: plan,
				About: AboutPlan{Who: p.who, By: s.Actor, Deed: p.deed}, Check: hero.allow, Sealed: true,
			}
		})
		if fateAgrees(r, s, p.who, "", &plan, staked{}, beside) {
			return &plan
		}
	}
}

// begin records what is in the pool and what is left out, and fades the strength that pays for
// more. ED-02, ED-13, ED-22
func (p party) begin(r *rule.Run, s game.Scene) toss {
	t := p.toss(s)
	if hero, ok := game.Sheet[Hero](s, p.who); ok {
		for _, fades := range hero.fading(p.who, p.plan.Fade) {
			r.Record(fades)
		}
		p.fade(s)
		r.Record(PoolCounted{Who: p.who, Pool: hero.addends(p.plan), Left: hero.excludedAddends(p.plan)})
	} else if p.who != "" {
		r.Record(Threw{Who: p.who})
	}
	return t
}

// endCircumstances ends the circumstances that were for this action only. ED-06
func (p party) endCircumstances(r *rule.Run, s game.Scene) {
	difficulties, advantages := circumstancesOf(s.Cast[p.who].Sheet)
	if _, ok := game.Sheet[Hero](s, p.who); ok { // a hero's if they were ticked; all of Fate's characters'
		difficulties, advantages = pick(difficulties, p.plan.Difficulties), pick(advantages, p.plan.Advantages)
	}
	usedUp(r, p.who, "difficulty", difficulties)
	usedUp(r, p.who, "advantage", advantages)
}

// verdict is the result of an action for one participant.
type verdict int

const (
	even verdict = iota // ED-05: a draw is neither good nor bad
	good
	bad
)

// verdictOf compares successes with the number needed. ED-04
func verdictOf(hits, need int) verdict {
	if hits < need {
		return bad
	}
	return good
}

// lost describes a loss: of a contest, by how many successes and to which side (by is 0 otherwise), or
// of joint work, about which Fate was asked for all together. drawn is set if neither side won. ED-05,
// ED-09
type lost struct {
	by    int
	to    string
	work  *ruled
	drawn bool
}

// settle applies the end of an action to one participant: the weakness (ED-18), a memory to rethink
// (ED-16), leaving the world (ED-23), Fate's answer about a fiasco or the winner's surplus (ED-05,
// ED-10), leaving the scene (ED-11). done holds other changes to them, recorded before.
func settle(r *rule.Run, s game.Scene, who string, got share, how verdict, lost lost, done ...rule.Event) {
	sheet := s.Cast[who].Sheet
	if sheet == nil {
		return
	}
	if got.effort.isMade() { // its price was also recorded
		sheet = game.After(sheet, got.effort.price(who, sheet))
	}
	for _, e := range done {
		if c, ok := game.AsChange(e); ok && c.Whose() == who {
			sheet = c.Apply(sheet)
		}
	}
	_, isHero := sheet.(Hero)
	p := personOf(r, who, sheet)
	before := out(sheet)                        // after both of these
	judged := isHero && got.weak && lost.by > 0 // ED-18: Fate's answer says whether it was a fiasco
	if judged {
		failed := p.yield(lost, true)
		if how = even; failed { // in joint work, too, in which everybody has their own successes
			how = bad
		}
	}
	if isHero {
		if got.weak {
			p.learn(how)
		}
		if got.effort.Pay == "memory" {
			p.rethinkMemory(got.effort.Memory)
		}
		if p.linger(); p.hero().Oblivion() {
			r.Record(Oblivion{Who: who})
			return
		}
	}
	switch {
	case judged:
	case lost.by > 0:
		p.yield(lost, false)
	case lost.work != nil: // ED-09
		lost.work.impose(p)
	case lost.drawn: // ED-05: nothing follows
	case how == bad && isHero:
		p.suffer()
	}
	if out(p.sheet) && !before {
		r.Record(LeftScene{Who: who})
	}
}
