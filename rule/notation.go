package rule

import (
	"math/bits"

	"norn/dice"
	"norn/distribution"
)

// Outcomes of plain notation; n is the total, or how many dice succeeded. Notation with a goal reaches or misses it.
const (
	Total     = "total"
	Successes = "successes"
	Reached   = "reached"
	Missed    = "unreached"
)

// Notation is the rule of dice in plain notation: the terms are thrown first to
// last and added up. It never asks anybody and tells nothing; a concrete run's
// trail holds one throw for each term with dice, and after it those of the dice that are
// thrown again. An exact walk of dice too many to work out in a second or two ends with
// a *LimitError before it begins.
func Notation(e dice.Expr) func(*Run) Outcome {
	terms := e.Terms()
	id := Total
	if e.Counts() {
		id = Successes
	}
	large := work(terms) > mostWork
	return func(r *Run) Outcome {
		if r.walk != nil && large {
			r.walk.stop(&LimitError{Branches: r.walk.shared.limits.Branches})
		}
		n := add(r, terms)
		switch goal := e.Goal(); {
		case goal.Given && goal.Met(n):
			return Outcome{ID: Reached, N: n}
		case goal.Given:
			return Outcome{ID: Missed, N: n}
		}
		return Outcome{ID: id, N: n}
	}
}

// add throws all terms. What all but the last come to is a part of its own, so
// an exact walk meets each subtotal once.
func add(r *Run, terms []dice.Term) int {
	if len(terms) == 0 {
		return 0
	}
	last := len(terms) - 1
	if last == 0 {
		return value(r, terms[0])
	}
	return Part(r, func(r *Run) int { return add(r, terms[:last]) }) + value(r, terms[last])
}

// value throws one term through the narrowest view that shows what counts.
func value(r *Run, t dice.Term) int {
	switch {
	case t.IsConstant():
		return t.Sign * t.Constant
	case t.Explodes:
		return t.Sign * r.exploding(t)
	case t.Counts():
		return t.Sign * r.Count(t.Pool, t.Count)
	case t.Keep.N == 0 && t.Fate:
		return t.Sign * (r.Sum(t.Pool) - 2*t.Pool.N)
	case t.Keep.N == 0:
		return t.Sign * r.Sum(t.Pool)
	case t.Fate:
		return t.Sign * (r.Keep(t.Pool, t.Keep.N, t.Keep.Lowest) - 2*t.Keep.N)
	}
	return t.Sign * r.Keep(t.Pool, t.Keep.N, t.Keep.Lowest)
}

// exploding throws dice of which each is thrown again for its highest face.
func (r *Run) exploding(t dice.Term) int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			v := view{n: t.Pool.N, sides: t.Pool.Sides, exploding: true}
			v.faces[0] = t.Count
			law := seen(r.walk, v, func() *distribution.Law[int] {
				r.walk.reckon(explodingWork(t))
				return distribution.Exploding(t.Pool, dice.MaxExplosions, t.Worth)
			})
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[int]).Values[b.at]
	}
	total, throws := 0, 1
	for p := t.Pool; p.N > 0; throws++ {
		faces := r.faces(p)
		for _, face := range faces {
			total += t.Worth(face)
		}
		p = t.Again(faces, throws)
	}
	return total
}

// explodingWork reckons the steps on machine words of the law of dice that explode: the last two halves are added.
func explodingWork(t dice.Term) int {
	values := explodingValues(t)
	return values * values / 2 * words((dice.MaxExplosions+1)*t.Pool.N*bits.Len(uint(t.Pool.Sides)))
}

func explodingValues(t dice.Term) int {
	return t.Pool.N*(dice.MaxExplosions+1)*t.Worth(t.Pool.Sides) + t.Pool.N + 1
}

// mostWork is how many steps on machine words an exact walk of a notation may
// need, as work reckons them.
const mostWork = 200_000_000

// work reckons, roughly and from above, what an exact walk of the terms costs.
func work(terms []dice.Term) int {
	steps, totals, size := 0, 1, 0 // size is that of a weight in bits
	for _, t := range terms {
		if t.IsConstant() {
			continue
		}
		n, width := t.Pool.N, t.Pool.N*bits.Len(uint(t.Pool.Sides))
		values := n*(t.Pool.Sides-1) + 1
		switch {
		case t.Explodes:
			values, width = explodingValues(t), width*(dice.MaxExplosions+1)
			steps += explodingWork(t)
		case t.Counts():
			values = n + 1
		case t.Keep.N > 0:
			values = t.Keep.N*(t.Pool.Sides-1) + 1
			steps += keepWork(t.Pool, t.Keep.N)
		}
		size += width
		steps += 8 * totals * values * words(size)
		totals += values
	}
	return steps + totals*size // bringing each fraction to its lowest terms
}

func words(bits int) int { return 1 + bits/64 }
