package edda

import (
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
		t.sure = p.plan.certain()
		return t
	case Fated:
		return newToss(p.who, sheet, sheet.dice(), p.label, p.assume, p.need)
	}
	return newToss("", nil, p.bare, p.label, p.assume, p.need)
}

// join is a party's whole throw at the table: what goes into it, the dice, the
// special effort. It tells nothing of how it comes out.
func (p party) join(r *rule.Run, s game.Scene) share {
	r.By(p.who)
	p = p.planned(r, s)
	t := p.begin(r, s)
	got := t.throw(r)
	p.used(r, s)
	return p.share(got)
}

func (p party) share(got thrown) share {
	return share{thrown: got, weak: p.plan.Weakness, fade: p.plan.Fade}
}

// planned asks a hero who didn't choose the action what to put into it, until
// Fate agrees. ED-01, ED-21
func (p party) planned(r *rule.Run, s game.Scene) party {
	hero, ok := game.Sheet[Hero](s, p.who)
	for ok && p.asked {
		p.plan = rule.Ask(r, rule.Question[Action]{
			ID: "edda.plan", To: p.who, Form: hero.fit(planForm), Standard: p.plan,
			About: AboutWho{Who: p.who}, Check: hero.allow,
		})
		p.asked = !agreed(r, s, p.who, "", p.plan)
	}
	return p
}

// begin tells what goes into the pool and fades the strength that pays for
// more. ED-02, ED-22
func (p party) begin(r *rule.Run, s game.Scene) toss {
	if hero, ok := game.Sheet[Hero](s, p.who); ok {
		for _, fades := range hero.fading(p.who, p.plan.Fade) {
			r.Tell(fades)
		}
		r.Tell(PoolCounted{Who: p.who, Pool: hero.addends(p.plan)})
	}
	return p.toss(s)
}

// used ends the circumstances that were for this action alone. ED-06
func (p party) used(r *rule.Run, s game.Scene) {
	difficulties, advantages := circumstancesOf(s.Cast[p.who].Sheet)
	if _, ok := game.Sheet[Hero](s, p.who); ok { // only what was ticked; of Fate's characters all counts
		difficulties, advantages = picked(difficulties, p.plan.Difficulties), picked(advantages, p.plan.Advantages)
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

// settle brings an action's end home to one hero: the weakness (ED-18), a
// condition from Fate (ED-10), a memory to rethink (ED-16), leaving the scene
// (ED-11) or the world (ED-23). against is what the opponent has left; done are
// other changes to the hero that were told already.
func settle(r *rule.Run, s game.Scene, who string, got share, how verdict, against int, done ...game.Change) {
	hero, ok := game.Sheet[Hero](s, who)
	if !ok {
		return
	}
	for _, e := range hero.fading(who, got.fade) { // told before the throw
		hero = e.Apply(hero).(Hero)
	}
	if got.effort.made() { // so was its price
		hero = got.effort.price(who, hero).Apply(hero).(Hero)
	}
	for _, e := range done {
		if e.Whose() == who {
			hero = e.Apply(hero).(Hero)
		}
	}
	if got.weak {
		hero = hero.learn(r, who, how)
	}
	if hero.Oblivion() {
		r.Tell(Oblivion{Who: who})
		return
	}
	if how == bad {
		hero = hero.suffer(r, who, against)
	}
	if got.effort.Pay == "memory" {
		hero = hero.rethinkCalled(r, who, got.effort.Memory)
	}
	if hero.Out() {
		r.Tell(LeftScene{Who: who})
	}
}

// tell reports a change and applies it to the rule's own copy of the sheet.
func tell(r *rule.Run, hero Hero, e game.Change) Hero {
	r.Tell(e)
	return e.Apply(hero).(Hero)
}
