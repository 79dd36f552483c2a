// Package odds turns the laws of rules into what people read: rows of outcomes with exact chances,
// expectations, the chance of "any of these" and of "at least so many".
//
// Chances are exact reduced fractions that sum to 1 unless the odds are marked as simulated or
// rounded. Floats are made only for display. The package knows no game and no rule text. It starts
// no goroutine.
package odds

import (
	"context"
	"math"
	"math/big"
	"slices"

	"norn/distribution"
	"norn/form"
	"norn/rule"
)

// Kind describes one outcome of a move and whether its n counts something. Rows have the order of
// the kinds.
type Kind struct {
	ID     string
	Counts bool
}

// Row is one outcome and its chance.
type Row struct {
	Outcome string
	N       int
	Counts  bool // N has a meaning
	P       *big.Rat
}

// Odds are the joint distribution of a move's outcomes.
type Odds struct {
	Rows  []Row
	Runs  int  // number of runs of a simulation; 0 for exact odds
	Asked bool // simulated because that was asked for

	Rounded bool // exact, but with chances of twelve digits, because the fractions would be very long

	Policy  *Policy   // the best choices that lead to them; nil for odds without any
	Granted []Granted // the standard answers that were assumed, one for each question
}

// Granted is a question that got its standard answer.
type Granted struct {
	Question string
	Form     *form.Form
	Answer   any
}

// grant returns a function that records the first answer to each question.
func grant(all *[]Granted) func(string) func(*form.Form, any) {
	return func(question string) func(*form.Form, any) {
		if slices.ContainsFunc(*all, func(g Granted) bool { return g.Question == question }) {
			return nil
		}
		return func(f *form.Form, answer any) { *all = append(*all, Granted{question, f, answer}) }
	}
}

// Price walks a rule and returns its exact odds. Errors are those of
// rule.Walk and of the context.
func Price(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, policy rule.Policy,
	limits rule.Limits,
) (*Odds, error) {
	var granted []Granted
	limits.Stop, limits.AssumedAnswer = ctx.Err, grant(&granted)
	law, err := rule.Walk(f, policy, limits)
	if err != nil {
		return nil, err
	}
	odds := Of(law, kinds)
	odds.Granted = granted
	return odds, nil
}

// Of returns the odds of a law. Outcomes whose n counts nothing are merged.
func Of(law *distribution.Law[rule.Outcome], kinds []Kind) *Odds {
	idle := func(o rule.Outcome) bool { // an outcome whose n has no meaning
		i := place(kinds, o.ID)
		return o.N != 0 && i < len(kinds) && !kinds[i].Counts
	}
	if slices.ContainsFunc(law.Values, idle) {
		law = distribution.Map(law, func(o rule.Outcome) rule.Outcome {
			if idle(o) {
				o.N = 0
			}
			return o
		})
	}
	odds := &Odds{Rows: make([]Row, len(law.Values))}
	ends := make([]int, len(kinds)+2) // where the rows of each kind end; the last entry is for outcomes of no kind
	for _, o := range law.Values {
		ends[place(kinds, o.ID)+1]++
	}
	for k := range kinds {
		ends[k+1] += ends[k]
	}
	chances := law.Chances()
	for i, o := range law.Values {
		k := place(kinds, o.ID)
		odds.Rows[ends[k]] = Row{Outcome: o.ID, N: o.N, Counts: k < len(kinds) && kinds[k].Counts, P: chances[i]}
		ends[k]++
	}
	from := 0
	byN := func(a, b Row) int { return a.N - b.N }
	for _, end := range ends[:len(kinds)+1] {
		if rows := odds.Rows[from:end]; !slices.IsSortedFunc(rows, byN) {
			slices.SortFunc(rows, byN)
		}
		from = end
	}
	return odds
}

func place(kinds []Kind, id string) int {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.ID == id }); i >= 0 {
		return i
	}
	return len(kinds)
}

// Any returns the chance of any of the outcomes.
func (o *Odds) Any(outcomes ...string) *big.Rat {
	var p sum
	for _, row := range o.Rows {
		if slices.Contains(outcomes, row.Outcome) {
			p.add(row.P, 1)
		}
	}
	return p.rat()
}

// AtLeast returns the chance of one outcome with n or more.
func (o *Odds) AtLeast(outcome string, n int) *big.Rat {
	var p sum
	for _, row := range o.Rows {
		if row.Outcome == outcome && row.N >= n {
			p.add(row.P, 1)
		}
	}
	return p.rat()
}

// Mean returns the mean of n, counting 0 where n counts nothing.
func (o *Odds) Mean() *big.Rat {
	var mean sum
	for _, row := range o.Rows {
		if row.Counts {
			mean.add(row.P, row.N)
		}
	}
	return mean.rat()
}

// ExpectedOf returns the mean of n given one outcome, or nil if the outcome is impossible.
func (o *Odds) ExpectedOf(outcome string) *big.Rat {
	p := o.Any(outcome)
	if p.Sign() == 0 {
		return nil
	}
	var mean sum
	for _, row := range o.Rows {
		if row.Outcome == outcome {
			mean.add(row.P, row.N)
		}
	}
	return p.Quo(mean.rat(), p)
}

// Only returns the outcome if a single one is possible and its n counts something, otherwise "".
func (o *Odds) Only() string {
	if slices.ContainsFunc(o.Rows, func(r Row) bool { return !r.Counts || r.Outcome != o.Rows[0].Outcome }) {
		return ""
	}
	return o.Rows[0].Outcome
}

// Counts reports whether any row's n counts something.
func (o *Odds) Counts() bool {
	return slices.ContainsFunc(o.Rows, func(r Row) bool { return r.Counts })
}

// StandardError returns the standard error of a simulated row's probability, or 0 for exact odds.
// It's for display.
func (o *Odds) StandardError(row Row) float64 {
	if o.Runs == 0 {
		return 0
	}
	p := Float(row.P)
	return math.Sqrt(p * (1 - p) / float64(o.Runs))
}

// Float returns a fraction for display.
func Float(p *big.Rat) float64 {
	f, _ := p.Float64()
	return f
}
