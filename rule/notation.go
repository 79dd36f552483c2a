package rule

import (
	"math/bits"

	"norn/dice"
)

// Outcomes of plain notation; n is the total, or how many dice succeeded.
const (
	Total     = "total"
	Successes = "successes"
)

// Notation is the rule of dice in plain notation: the terms are thrown first to
// last and added up. It never asks anybody and tells nothing; a concrete run's
// trail holds one throw for each term with dice. An exact walk of dice too many
// to work out in a second or two ends with a *LimitError before it begins.
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
		return Outcome{ID: id, N: add(r, terms)}
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
	case t.Counts():
		return t.Sign * r.Count(t.Pool, t.Count)
	case t.Keep.N == 0:
		return t.Sign * r.Sum(t.Pool)
	}
	return t.Sign * r.Keep(t.Pool, t.Keep.N, t.Keep.Lowest)
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
