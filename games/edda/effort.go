package edda

import (
	"slices"
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Effort is the answer during a throw: whether to make a special effort, and how to pay for it.
// ED-15
type Effort struct {
	Pay       string     `json:"pay" form:"choice=none|condition|memory"`
	Memory    string     `json:"memory" form:"choice"` // ED-14: index of the memory
	Condition form.Trait `json:"condition" form:"choice=fatigue,open,required,default=fatigue,for=pay:condition"`
	Kind      string     `json:"kind" form:"choice=body|mind,set=nature"`
	Size      int        `json:"size" form:"min=1,max=6,default=1"`
}

var effortForm = form.Of[Effort]()

// The answers that odds assume: no effort, or one for a step of fatigue.
var (
	rested = Effort{Pay: "none", Condition: fatigue, Kind: "body", Size: 1}
	tired  = Effort{Pay: "condition", Condition: fatigue, Kind: "body", Size: 1}
)

// isMade reports whether a special effort is made.
func (e Effort) isMade() bool { return e.Pay == "condition" || e.Pay == "memory" }

// price returns the event that pays for an effort. sheet is the payer's. ED-14, ED-15
func (e Effort) price(who string, sheet any) rule.Event {
	if e.Pay == "memory" {
		at, _ := strconv.Atoi(e.Memory)
		hero, _ := sheet.(Hero)
		called := MemoryCalled{Who: who, At: at}
		for _, m := range pick(hero.Memories, []form.Ref{form.Ref(e.Memory)}) {
			called.Memory, called.Calls = m.Text, min(m.Calls+1, maxCalls)
		}
		return called
	}
	return take(who, sheet, e.condition(), "effort")
}

// condition returns the condition that pays.
func (e Effort) condition() Condition { return newCondition(e.Condition, e.Kind, e.Size) }

// toss is one throw of a pool, with the special effort that is possible.
type toss struct {
	who    string // "" for nobody
	sheet  any
	plan   Action // a hero's, from which the pool is counted
	pool   int
	extra  int    // ED-22: how many of its dice a faded strength gives
	sure   int    // ED-22: successes without dice
	label  string // purpose of the dice: "pool", "against"
	again  string // purpose of the dice thrown again
	need   int    // fewer successes are a fiasco
	assume string // when odds assume an effort: "never", "fiasco", "always"
	form   *form.Form
	spent  bool       // the action has already had its effort
	price  rule.Event // what paid for it in an earlier throw
	// the pool of this throw, if it has changed since the last one of the action
	recount *PoolCounted
}

// newToss returns the throw of a pool; who is "" for a bare one.
func newToss(who string, sheet any, pool int, label, assume string, need int) toss {
	t := toss{
		who:    who,
		sheet:  sheet,
		pool:   pool,
		label:  label,
		again:  label + "-again",
		assume: assume,
		need:   need,
		form:   noMemories,
	}
	if who == "" {
		t.form = noSheet
	}
	if hero, ok := sheet.(Hero); ok {
		t.form = hero.effortForm()
	}
	return t
}

// thrown is the result of a throw for the rest of an action.
type thrown struct {
	hits   int
	effort Effort
}

// throw throws the pool, asks for the special effort before the outcome is recorded, and throws the
// failed dice again. ED-03, ED-15
func (t toss) throw(r *rule.Run) thrown {
	hits := r.Count(dice.Pool{N: t.pool, Sides: 6, For: t.label}, success)
	left := max(0, t.pool) - hits // ED-03: a pool of 0 or less has no dice
	hits += t.sure
	if left == 0 || t.spent { // ED-15: once in an action
		return thrown{hits: hits}
	}
	effort := rule.Ask(r, t.question(hits, left))
	if !effort.isMade() {
		return thrown{hits: hits}
	}
	if t.who != "" {
		r.Record(effort.price(t.who, t.sheet))
		if out(t.paid(effort)) { // ED-11: takes effect at once
			r.Record(LeftScene{Who: t.who})
		}
	}
	return thrown{hits: hits + r.Count(dice.Pool{N: left, Sides: 6, For: t.again}, success), effort: effort}
}

// paid returns the sheet after paying for an effort.
func (t toss) paid(effort Effort) any { return game.After(t.sheet, effort.price(t.who, t.sheet)) }

// next returns the next throw of the action, after one with an effort or without. It counts what the
// sheet is by then: with the condition that paid for the effort, and with what others have changed
// in s. ED-02, ED-04, ED-15, ED-19
func (t toss) next(s game.Scene, effort Effort) toss {
	t = t.plain()
	t.recount = nil
	t.plan.Fade = ""
	hero, ok := t.sheet.(Hero)
	if !ok { // without a sheet, nothing limits it
		if effort.Pay == "condition" {
			t.pool -= effort.condition().Size
		}
		t.spent = t.spent || effort.isMade()
		return t
	}
	if effort.isMade() {
		t.spent, t.price = true, effort.price(t.who, t.sheet)
	}
	had, before := len(hero.Conditions), total(hero.addends(t.plan))
	if hero, _ = game.Sheet[Hero](s, t.who); t.price != nil {
		hero = game.After(hero, t.price)
	}
	t.sheet = hero
	for at := had; at < len(hero.Conditions); at++ {
		t.plan.Conditions = append(slices.Clone(t.plan.Conditions), place(at))
	}
	counted := PoolCounted{Who: t.who, Pool: hero.addends(t.plan), Left: hero.excludedAddends(t.plan)}
	if change := total(counted.Pool) - before; change != 0 {
		t.pool += change
		t.recount = &counted
	}
	return t
}

// plain returns the throw without what a faded strength gives. ED-22
func (t toss) plain() toss {
	t.pool -= t.extra
	t.extra, t.sure = 0, 0
	return t
}

// question returns the question for the roller. Its subject shows the dice but not the verdict.
// ED-15
func (t toss) question(hits, left int) rule.Question[Effort] {
	q := rule.Question[Effort]{
		ID: "edda.effort", To: t.who, Form: t.form, Standard: rested, Weigh: []string{"pay"},
		Rival: t.label == "against",
		About: AboutEffort{Who: t.who, Hits: hits, Left: left},
	}
	if t.assume == "always" || t.assume == "fiasco" && hits < t.need {
		q.Standard = tired
	}
	if hero, ok := t.sheet.(Hero); ok {
		q.Check = hero.checkEffort
	} else {
		q.To = game.GM // Fate answers for its own characters and for nobody
	}
	return q
}

// noMemories is the form of an effort that only a condition can pay for.
var noMemories = effortForm.With(
	"pay",
	form.Option{Value: "none"},
	form.Option{Value: "condition"},
).With(
	"memory",
	form.Option{},
)

// noSheet is the form if there is no sheet for a condition in people's own words.
var noSheet = noMemories.Without("condition")

// effortForm returns the form with the memories that can be used. ED-14
func (h Hero) effortForm() *form.Form {
	if len(h.Memories) == 0 {
		return noMemories
	}
	memories := append([]form.Option{{}}, game.EachAt(h.Memories, func(i int, m Memory) form.Option {
		return form.Option{
			Value: strconv.Itoa(i),
			Text:  m.Text + " " + strconv.Itoa(m.Calls) + "/" + strconv.Itoa(maxCalls),
		}
	})...)
	return effortForm.With("memory", memories...)
}

// checkEffort refuses efforts that the form allows but the rules don't.
func (h Hero) checkEffort(e Effort) error {
	switch {
	case e.Pay == "condition" && e.Memory != "": // ED-15
		return game.Refuse("ED-15", "edda.refusal.second-effort")
	case e.Pay == "memory" && e.Memory == "": // ED-14
		return game.Refuse("ED-14", "edda.refusal.no-memory")
	}
	for _, m := range pick(h.Memories, []form.Ref{form.Ref(e.Memory)}) {
		if e.Pay == "memory" && m.Calls >= maxCalls { // ED-16
			return game.Refuse("ED-16", "edda.refusal.called-out")
		}
	}
	return nil
}

// markSuccesses marks the dice that count. ED-03
func markSuccesses(t rule.Throw) []game.Mark {
	marks := make([]game.Mark, len(t.Faces))
	for i, face := range t.Faces {
		if t.Sides == 6 && success.Has(face) {
			marks[i] = game.Deciding
		}
	}
	return marks
}
