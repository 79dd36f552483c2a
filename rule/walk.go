package rule

import (
	"fmt"

	"norn/chance"
)

// Limits bound an exact walk.
type Limits struct {
	Branches int          // most runs of the rule and its parts; 0 is DefaultBranches
	Stop     func() error // asked now and then; an error ends the walk with it; may be nil
	Reverse  bool         // walk branches last to first: the law must come out the same
}

// DefaultBranches is how many branches a walk may take when nobody says.
const DefaultBranches = 2_000_000

// LimitError reports a rule with more branches than a walk may take.
type LimitError struct{ Branches int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the exact odds need more than %d branches", e.Branches)
}

// Walk runs a rule through every branch of chance and returns the exact law
// of its result. Questions are answered by the policy. Errors are a
// *LimitError, a *FreeError and what Limits.Stop returns.
func Walk[T comparable](f func(*Run) T, policy Policy, limits Limits) (*chance.Law[T], error) {
	if limits.Branches == 0 {
		limits.Branches = DefaultBranches
	}
	w := &walker{policy: policy, shared: &allowance{limits: limits}}
	var law *chance.Law[T]
	(&Run{}).attempt(func() { law = walk(w, f) })
	if w.shared.err != nil {
		return nil, w.shared.err
	}
	return law, nil
}

// walker goes depth first through the branches of one rule or part: it keeps
// the way taken so far and runs the rule again for each next leaf.
type walker struct {
	policy Policy
	shared *allowance
	way    []branch
	depth  int
	ahead  *ahead // set where it looks ahead from a trail or for the best choices
}

// allowance is what a walk and the walks of its parts share.
type allowance struct {
	limits Limits
	runs   int
	err    error
}

// branch is one point of chance on the way: the law of what it can show and
// which of it this run sees.
type branch struct {
	law     any
	weights []chance.Weight
	total   chance.Weight
	at      int
	left    int // how many come after at

	together []any   // laws of all parts run together, in the branch of the first
	decided  int     // which of them has choices to make, -1 for none
	undone   *undone // set where the branch isn't one of chance alone

	before, over chance.Weight // product of the weights and totals on the way to here
}

// stop ends the walk with an error.
func (w *walker) stop(err error) {
	w.shared.err = err
	panic(stopped{})
}

func (w *walker) limit() int { return w.shared.limits.Branches }

// branch returns the next point of chance on the way, one with a nil law if
// this run is the first to come there.
func (w *walker) branch() *branch {
	if w.depth == len(w.way) {
		b := branch{before: chance.W(1), over: chance.W(1)}
		if w.depth > 0 {
			b.before, b.over = w.way[w.depth-1].here()
		}
		w.way = append(w.way, b)
		if w.shared.limits.Reverse {
			w.way[w.depth].left = -1
		}
	}
	w.depth++
	return &w.way[w.depth-1]
}

// open gives a new branch its law and takes the first of it.
func (b *branch) open(law any, weights []chance.Weight, total chance.Weight) {
	reverse := b.left < 0
	b.law, b.weights, b.total = law, weights, total
	b.left = len(weights) - 1
	if reverse {
		b.at = b.left
	}
}

// here returns the products up to and with what the branch shows now.
func (b *branch) here() (weight, total chance.Weight) {
	return b.before.Times(b.weights[b.at]), b.over.Times(b.total)
}

// advance moves to the next leaf and tells whether there is one.
func (w *walker) advance() bool {
	for len(w.way) > 0 {
		b := &w.way[len(w.way)-1]
		if b.left > 0 {
			b.left--
			b.at++
			if w.shared.limits.Reverse {
				b.at -= 2
			}
			return true
		}
		w.way = w.way[:len(w.way)-1]
	}
	return false
}

// walk gathers the law of f.
func walk[T comparable](w *walker, f func(*Run) T) *chance.Law[T] {
	var mix chance.Mix[T]
	for {
		w.spend()
		w.depth = 0
		value := f(w.start())
		weight, total := chance.W(1), chance.W(1)
		if n := len(w.way); n > 0 {
			weight, total = w.way[n-1].here()
		}
		mix.Add(value, weight, total)
		if !w.advance() {
			return mix.Law()
		}
	}
}

// spend counts one run against the limits.
func (w *walker) spend() {
	s := w.shared
	s.runs++
	if s.runs > s.limits.Branches {
		w.stop(&LimitError{Branches: s.limits.Branches})
	}
	if s.limits.Stop != nil && s.runs%256 == 0 {
		if err := s.limits.Stop(); err != nil {
			w.stop(err)
		}
	}
}

// walkPart walks a part on its own, under the whole walk's policy and limits.
func walkPart[T comparable](w *walker, f func(*Run) T) *chance.Law[T] {
	return walk(&walker{policy: w.policy, shared: w.shared}, f)
}
