package rule

import (
	"fmt"
	"math/bits"
	"sync"

	"norn/dice"
	"norn/distribution"
	"norn/form"
)

// Limits bound the work of an exact walk.
type Limits struct {
	Branches int          // maximum runs of the rule and its parts; 0 means DefaultBranches
	Stop     func() error // called now and then; an error ends the walk and is returned; may be nil
	Spent    *int         // set to the number of branches taken, or of what cost as much; may be nil
	Reverse  bool         // visit branches last to first: the law must be the same

	// called for each question that gets its standard answer, as often as it's asked; may be nil. It
	// returns what takes the question's form and that answer, nil if it needs neither
	AssumedAnswer func(question string) func(f *form.Form, answer any)
}

// DefaultBranches limits the branches of a walk without a limit of its own.
const DefaultBranches = 2_000_000

// LimitError reports a rule with more branches than a walk may take.
type LimitError struct{ Branches int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the exact odds need more than %d branches", e.Branches)
}

// Walk runs a rule through every branch of chance and returns the exact distribution of its result.
// The policy answers questions. Errors are a *LimitError, a *FreeError and those of Limits.Stop.
func Walk[T comparable](f func(*Run) T, policy Policy, limits Limits) (*distribution.Law[T], error) {
	if limits.Branches == 0 {
		limits.Branches = DefaultBranches
	}
	shared := allowances.Get().(*allowance)
	defer shared.release()
	shared.limits = limits
	w := shared.walker(policy)
	var law *distribution.Law[T]
	w.plain.attempt(func() { law = walk(w, f) })
	shared.reportSpent()
	return law, shared.err
}

// reportSpent stores the work done in Limits.Spent.
func (s *allowance) reportSpent() {
	if s.limits.Spent != nil {
		*s.limits.Spent = max(s.runs, s.work/stepsInBranch)
	}
}

// allowances pools allowances with their walkers and mixes, since most walks are short.
var allowances = sync.Pool{New: func() any { return new(allowance) }}

// release clears s except for its buffers and returns it to the pool.
func (s *allowance) release() {
	clear(s.laws)
	clear(s.parts)
	clear(s.products)
	*s = allowance{laws: s.laws, parts: s.parts, products: s.products, walkers: s.walkers, mixes: s.mixes}
	allowances.Put(s)
}

// walker returns a walker with an empty path.
func (s *allowance) walker(policy Policy) *walker {
	if last := len(s.walkers) - 1; last >= 0 {
		w := s.walkers[last]
		s.walkers = s.walkers[:last]
		w.policy = policy
		return w
	}
	w := &walker{policy: policy, shared: s}
	w.plain.walk = w
	return w
}

// mixOf returns an empty mix.
func mixOf[T comparable](s *allowance) *distribution.Mix[T] {
	for i, mix := range s.mixes {
		if mix, ok := mix.(*distribution.Mix[T]); ok {
			last := len(s.mixes) - 1
			s.mixes[i] = s.mixes[last]
			s.mixes = s.mixes[:last]
			return mix
		}
	}
	return new(distribution.Mix[T])
}

// walker visits the branches of one rule or part depth first. It keeps the path so far and runs the
// rule again for each leaf.
type walker struct {
	policy Policy
	shared *allowance
	way    []branch
	depth  int
	plain  Run    // the run of every branch without lookahead
	ahead  *ahead // set when looking ahead from a trail or for best choices
}

// allowance holds what the walks of a rule and of its parts share: limits, work and caches.
type allowance struct {
	limits Limits
	runs   int
	work   int // estimated steps of distributions
	err    error
	laws   map[view]any // of pools seen so far
	parts  map[any]any  // laws of parts by their keys

	products map[[2]distribution.Weight]distribution.Weight // of long totals

	walkers []*walker // free walkers
	mixes   []any     // empty mixes
}

// branch is one point of chance on the path: its distribution, and which value this run takes.
type branch struct {
	law     any
	weights []distribution.Weight
	total   distribution.Weight
	at      int
	left    int // how many values follow after at

	together []any         // laws of all parts run together, in the branch of the first
	results  any           // buffer for their results, reused in each run
	decided  int           // the index of the part that contains choices, or -1
	decision *decisionNode // set if the branch isn't pure chance

	before, over distribution.Weight // products of the weights before this branch, and of the totals including it
}

// stop ends the walk with an error.
func (w *walker) stop(err error) {
	w.shared.err = err
	panic(stopped{})
}

// branch returns the next point of chance on the path. Its law is nil if this run is the first to
// reach it.
func (w *walker) branch() *branch {
	if w.depth == len(w.way) {
		w.addBranch()
	}
	w.depth++
	return &w.way[w.depth-1]
}

// addBranch appends a new branch to the path.
func (w *walker) addBranch() {
	b := branch{before: distribution.W(1), over: distribution.W(1)}
	if w.depth > 0 {
		last := &w.way[w.depth-1]
		b.before, b.over = last.before.Times(last.weights[last.at]), last.over
	}
	w.way = append(w.way, b)
}

// open gives a new branch its distribution and selects the first value.
func (w *walker) open(b *branch, law any, weights []distribution.Weight, total distribution.Weight) {
	b.law, b.weights, b.total, b.over = law, weights, total, w.product(b.over, total)
	b.left = len(weights) - 1
	if n := words(b.over.BitLen()); n > 2 { // such long numbers make each branch more expensive
		w.spendWork(len(weights) * n * stepsInWord)
	}
	if w.shared.limits.Reverse {
		b.at = b.left
	}
}

// product multiplies totals. It caches long products, which many branches share.
func (w *walker) product(a, b distribution.Weight) distribution.Weight {
	if a.BitLen()+b.BitLen() <= 128 {
		return a.Times(b)
	}
	s := w.shared
	both := [2]distribution.Weight{a, b}
	p, known := s.products[both]
	if !known {
		p = a.Times(b)
		if s.products == nil || len(s.products) > maxProducts {
			s.products = make(map[[2]distribution.Weight]distribution.Weight)
		}
		s.products[both] = p
	}
	return p
}

// maxProducts bounds the cache of products.
const maxProducts = 1000

// advance moves to the next leaf and reports whether there is one.
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

// walk computes the distribution of f and gives the walker back.
func walk[T comparable](w *walker, f func(*Run) T) *distribution.Law[T] {
	var (
		law *distribution.Law[T] // the only branch's, as long as f returns just its value
		mix *distribution.Mix[T] // otherwise
		n   int                  // how many runs returned just that value
	)
	for going := true; going; going = w.advance() {
		w.spend()
		w.depth = 0
		value := f(w.start())
		if mix == nil {
			if n == 0 && len(w.way) == 1 && !w.shared.limits.Reverse {
				law, _ = w.way[0].law.(*distribution.Law[T])
			}
			if law != nil && len(w.way) == 1 && value == law.Values[n] {
				n++
				continue
			}
			mix = mixOf[T](w.shared)
			for i := range n {
				mix.Add(law.Values[i], law.Weights[i], law.Total)
			}
		}
		if n := len(w.way); n > 0 {
			last := &w.way[n-1]
			mix.AddTimes(value, last.before, last.weights[last.at], last.over)
		} else {
			mix.Add(value, distribution.W(1), distribution.W(1))
		}
	}
	if mix != nil {
		law = mix.Law()
		w.shared.mixes = append(w.shared.mixes, mix)
	}
	if w.ahead == nil {
		w.shared.walkers = append(w.shared.walkers, w)
	}
	return law
}

// spend counts one run against the limits.
func (w *walker) spend() {
	s := w.shared
	if s.runs++; s.runs > s.limits.Branches || s.runs%256 == 0 {
		w.checkLimits()
	}
}

// checkLimits ends a walk that has made too many runs or should stop.
func (w *walker) checkLimits() {
	if limit := w.shared.limits.Branches; w.shared.runs > limit {
		w.stop(&LimitError{Branches: limit})
	}
	w.spendWork(0)
}

// stepsInBranch is the cost of one run of a rule, in steps on machine words.
const stepsInBranch = 50

// stepsInWord is the cost that each word of a long weight adds to a branch.
const stepsInWord = 6

// spendWork counts the steps of a distribution. Call it before computing, so that one that is too
// large isn't begun.
func (w *walker) spendWork(steps int) {
	if err := w.checkWork(steps); err != nil {
		w.stop(err)
	}
}

func (w *walker) checkWork(steps int) error {
	s := w.shared
	if s.work += steps; s.work > s.limits.Branches*stepsInBranch {
		return &LimitError{Branches: s.limits.Branches}
	}
	if s.limits.Stop != nil {
		return s.limits.Stop()
	}
	return nil
}

// view identifies what a rule reads of a pool, other than by folds and single faces.
type view struct {
	n, sides int
	classes  int  // 0 for the total
	tallied  bool // the counts of all classes, not of just one
	faces    [distribution.MaxClasses]dice.Faces
}

// lawOf returns the distribution of a view, which it computes once in a walk.
func lawOf[T comparable](w *walker, v view, law func() *distribution.Law[T]) *distribution.Law[T] {
	if known, ok := w.shared.laws[v]; ok {
		return known.(*distribution.Law[T])
	}
	if w.shared.laws == nil {
		w.shared.laws = make(map[view]any)
	}
	made := law()
	w.shared.laws[v] = made
	return made
}

// classesOf returns the distribution of a pool's classes.
func (w *walker) classesOf(p dice.Pool, classes []dice.Faces) *distribution.Law[distribution.Tally] {
	v := view{n: p.N, sides: p.Sides, classes: len(classes), tallied: true}
	copy(v.faces[:], classes)
	return lawOf(w, v, func() *distribution.Law[distribution.Tally] {
		w.expect(p, len(classes)+1)
		return distribution.Classes(p, classes...)
	})
}

func (w *walker) countOf(p dice.Pool, hit dice.Faces) *distribution.Law[int] {
	v := view{n: p.N, sides: p.Sides, classes: 1}
	v.faces[0] = hit
	return lawOf(w, v, func() *distribution.Law[int] {
		w.expect(p, 2)
		return distribution.Count(p, hit)
	})
}

func (w *walker) sumOf(p dice.Pool) *distribution.Law[int] {
	return lawOf(w, view{n: p.N, sides: p.Sides}, func() *distribution.Law[int] {
		w.spendWork(max(0, p.N) * p.Sides * words(p.N*bits.Len(uint(p.Sides))))
		return distribution.Sum(p)
	})
}

// expect ends the walk if dice of so many kinds have more results than the walk may branch.
func (w *walker) expect(p dice.Pool, kinds int) {
	if limit := w.shared.limits.Branches; distribution.CountHands(dice.Pool{N: p.N, Sides: kinds}, limit) > limit {
		w.stop(&LimitError{Branches: limit})
	}
}

// walkPart walks a part separately, under the policy and limits of the whole walk.
func walkPart[T comparable](w *walker, f func(*Run) T) *distribution.Law[T] {
	return walk(w.shared.walker(w.policy), f)
}
