package mage

import (
	"strconv"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// task is one pool with the numbers that it must meet.
type task struct {
	pool       int
	difficulty int
	threshold  int
	willpower  bool // MG-08: a point has bought a success
	ruleOfOne  bool // MG-05
	tease      bool // MG-03: it's impossible, though odds don't show that
	purpose    string
}

// taskOf makes a task by the house rules. Modifiers raise a difficulty to at most 9, and each
// further point becomes a threshold; a difficulty set to 10 stays 10. Without thresholds the
// difficulty stops at 10. MG-03, MG-20, MG-40
func taskOf(rules Settings, pool int, a aim, willpower bool) task {
	t := task{pool: pool, threshold: a.threshold, willpower: willpower, ruleOfOne: rules.RuleOfOne, purpose: "pool"}
	base, met := min(max(easiest, a.difficulty), hardest), a.difficulty+a.modifier
	if top := max(raised, base); met > top && rules.Thresholds && rules.ThresholdRule {
		t.threshold += met - top
		met = top
	}
	t.difficulty = min(max(easiest, met), hardest)
	return t
}

// plain returns the task as fields of a bare move: modifiers are included in the difficulty and the
// threshold. MG-20
func (t task) plain() (pool, difficulty, threshold, modifier int) {
	return t.pool, t.difficulty, t.threshold, 0
}

// seen holds the counts of a pool's faces.
type seen struct{ hits, ones int }

// throw throws the pool. Every face of at least the difficulty is a success, so a 10 always is.
// MG-03
func (t task) throw(r *rule.Run) seen {
	pool := dice.Pool{N: t.pool, Sides: 10, For: t.purpose}
	hit := dice.AtLeast(t.difficulty)
	if !t.ruleOfOne { // MG-40: 1s have no meaning, so they needn't be counted
		return seen{hits: r.Count(pool, hit)}
	}
	tally := r.Classes(pool, hit, dice.Exactly(1))
	return seen{hits: tally[0], ones: tally[1]}
}

// judge evaluates what a pool shows. The threshold cancels successes first, rolled ones before the
// one bought with Willpower. The 1s cancel rolled successes that remain. A roll is a botch if there
// was nothing for the 1s to cancel. n counts the net successes. MG-05, MG-06, MG-08, MG-21
func (t task) judge(s seen) rule.Outcome {
	left, bought := max(0, s.hits-t.threshold), 0
	if t.willpower && s.hits >= t.threshold { // MG-08: no 1 cancels it
		bought = 1
	}
	net := max(0, left-s.ones) + bought
	switch {
	case t.tease:
		return rule.Outcome{ID: "failure"}
	case net > 0:
		return rule.Outcome{ID: "success", N: net}
	case left == 0 && s.ones > 0:
		return rule.Outcome{ID: "botch"}
	}
	return rule.Outcome{ID: "failure"}
}

// settle throws and evaluates the pool.
func (t task) settle(r *rule.Run) rule.Outcome { return t.judge(t.throw(r)) }

// play makes one character's throw at the table, and records its costs and its result. Until the
// last throw it changes no sheet that others see, since the move may be secret. A declared point of
// Willpower that can't be paid by then buys nothing. MG-08, MG-09
func (t task) play(r *rule.Run, s game.Scene, who string, at turn, rolled Rolled) rule.Outcome {
	r.SetRoller(who)
	t.purpose = atTable + strconv.Itoa(t.difficulty)
	thrown := t.throw(r)
	c, _ := sheetOf(s, who)
	at.begin(r, who, c)
	if t.willpower && allowWillpower(c, true) != nil {
		t.willpower, rolled.Gone = false, true
	}
	if t.willpower {
		r.Record(WillpowerBought{Who: who, Left: c.Willpower.Temporary - 1, Untimed: c.untimed, Hidden: c.hidden})
	}
	rolled.Reflexive = at.reflex
	rolled.Who, rolled.Dice, rolled.Difficulty, rolled.Threshold = who, t.pool, t.difficulty, t.threshold
	rolled.Hits, rolled.Ones, rolled.Willpower, rolled.Outcome = thrown.hits, thrown.ones, t.willpower, t.judge(thrown)
	r.Record(rolled)
	return rolled.Outcome
}

// Dice at a table are labelled by their difficulty. Labels in older logs may say that other things
// decide, too.
const (
	atTable  = "difficulty-"
	hitsOnly = "hits-"
)

// mark marks the successes, crosses out those that the threshold and the 1s cancel, and marks the
// 1s of a botch. MG-05, MG-06, MG-21
func (t task) mark(faces []int) []game.Mark {
	marks := make([]game.Mark, len(faces))
	var s seen
	for i, face := range faces {
		switch {
		case face >= t.difficulty:
			marks[i] = game.Deciding
			s.hits++
		case face == 1 && t.ruleOfOne:
			s.ones++
		}
	}
	for taken := s.ones + t.threshold; taken > 0; taken-- {
		if low := lowest(faces, marks); low >= 0 {
			marks[low] = game.Cancelled
		}
	}
	if t.judge(s).ID == "botch" {
		for i, face := range faces {
			if face == 1 {
				marks[i] = game.Deciding
			}
		}
	}
	return marks
}

// Marks implements game.Marked: the event contains the numbers to meet. If there were 1s and the
// event has none, they have no meaning. MG-40
func (e Rolled) Marks(faces []int) []game.Mark {
	return task{
		difficulty: e.Difficulty,
		threshold:  e.Threshold,
		willpower:  e.Willpower,
		ruleOfOne:  e.Ones > 0,
	}.mark(
		faces,
	)
}

// lowest returns the index of the lowest success that still counts, or −1.
func lowest(faces []int, marks []game.Mark) int {
	at := -1
	for i, face := range faces {
		if marks[i] == game.Deciding && (at < 0 || face < faces[at]) {
			at = i
		}
	}
	return at
}

// succeeds reports whether a throw has net successes. MG-06
func succeeds(o rule.Outcome) bool { return o.ID == "success" }
