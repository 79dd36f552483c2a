package mage

import (
	"strconv"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// task is what one pool is thrown against.
type task struct {
	pool       int
	difficulty int
	threshold  int
	willpower  bool // a point has bought a success. MG-08
	ruleOfOne  bool // MG-05
	tease      bool // MG-03: nothing can come of it, though odds are those of what could
	purpose    string
}

// taskOf puts a task together as the house rules say. Modifiers raise a
// difficulty to 9, and each further point is a threshold; one that is set at 10
// stays there. Without thresholds all stops at 10. MG-03, MG-20, MG-40
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

// plain are the fields that say the task off a table: what modifies the difficulty has gone into it
// and into the threshold. MG-20
func (t task) plain() (pool, difficulty, threshold, modifier int) {
	return t.pool, t.difficulty, t.threshold, 0
}

// seen is what a pool shows.
type seen struct{ hits, ones int }

// throw throws the pool. A face of the difficulty or more is a success, so a
// 10 always is. MG-03
func (t task) throw(r *rule.Run) seen {
	pool := dice.Pool{N: t.pool, Sides: 10, For: t.purpose}
	hit := dice.AtLeast(t.difficulty)
	if !t.ruleOfOne { // MG-40: 1s mean nothing, so nobody looks at them
		return seen{hits: r.Count(pool, hit)}
	}
	tally := r.Classes(pool, hit, dice.Exactly(1))
	return seen{hits: tally[0], ones: tally[1]}
}

// judge reads what a pool shows. The threshold takes successes first, the rolled
// ones before what Willpower has bought; of the rolled ones that are left the 1s
// cancel some. A roll is a botch when nothing was left for the 1s to cancel. n
// counts the net successes. MG-05, MG-06, MG-08, MG-21
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

// settle throws and judges.
func (t task) settle(r *rule.Run) rule.Outcome { return t.judge(t.throw(r)) }

// play is one character's throw at the table: it throws, and tells what it took
// and what fell. While dice are still to come nothing has changed on a sheet that
// others see: the move may be a secret one.
func (t task) play(r *rule.Run, who string, c Character, at turn, rolled Rolled) rule.Outcome {
	r.SetRoller(who)
	t.purpose = atTable + strconv.Itoa(t.difficulty)
	s := t.throw(r)
	at.begin(r, who, c)
	if t.willpower {
		r.Record(WillpowerBought{Who: who, Left: c.Willpower.Temporary - 1, Untimed: c.untimed, Hidden: c.hidden})
	}
	rolled.Reflexive = at.reflex
	rolled.Who, rolled.Dice, rolled.Difficulty, rolled.Threshold = who, t.pool, t.difficulty, t.threshold
	rolled.Hits, rolled.Ones, rolled.Willpower, rolled.Outcome = s.hits, s.ones, t.willpower, t.judge(s)
	r.Record(rolled)
	return rolled.Outcome
}

// Dice at a table are labelled by their difficulty. Those of older logs may say
// that it isn't all that decides.
const (
	atTable  = "difficulty-"
	hitsOnly = "hits-"
)

// mark fills the successes, strikes those that the threshold and the 1s take,
// and fills the 1s of a botch. MG-05, MG-06, MG-21
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

// Marks implements game.Marked: what the dice were thrown against stands in
// the event. Where 1s fell and none is told of, they mean nothing. MG-40
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

// lowest finds the lowest success that still counts, −1 for none.
func lowest(faces []int, marks []game.Mark) int {
	at := -1
	for i, face := range faces {
		if marks[i] == game.Deciding && (at < 0 || face < faces[at]) {
			at = i
		}
	}
	return at
}

// succeeds tells whether a throw has net successes. MG-06
func succeeds(o rule.Outcome) bool { return o.ID == "success" }
