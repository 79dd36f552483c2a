package rule

import (
	"strconv"

	"norn/dice"
	"norn/distribution"
)

// Outcomes of plain notation. n is the total, or the number of successes. Notation with a goal
// reaches or misses it. Dice that are compared with other dice win, tie or lose by n. A value with
// a name has the outcome of its Band.
const (
	Total     = "total"
	Successes = "successes"
	Reached   = "reached"
	Missed    = "unreached"
	Glitched  = "glitched"        // n successes, and a glitch
	Critical  = "critical-glitch" // a glitch without successes
	Won       = "won"
	Tied      = "tied"
	Lost      = "lost"
)

// Band returns the outcome of a value in the i-th band of a notation, from 0.
func Band(i int) string { return "band-" + strconv.Itoa(i+1) }

// Notation returns the rule for dice in plain notation, which rolls them first to last. It asks
// nobody and records nothing. The trail has one roll for each handful, followed by those of dice
// that are rolled again. An exact walk of dice that would take more than a second or two ends with
// a *LimitError before it begins.
func Notation(e dice.Expr) func(*Run) Outcome {
	return func(r *Run) Outcome {
		if r.walking() {
			b := r.walk.branch()
			if b.law == nil {
				law := r.walk.notation(e)
				r.walk.open(b, law, law.Weights, law.Total)
			}
			return b.law.(*distribution.Law[Outcome]).Values[b.at]
		}
		take := r.take
		if e.NeedsTotals() {
			take = r.takeTotals
		}
		result, err := e.Value(take)
		if err != nil {
			r.play.fail(err)
		}
		return combine(e, result.Rolls)
	}
}

// ExplainNotation is Notation that also calls tell with a text that explains the value, if the
// faces alone don't explain it.
func ExplainNotation(e dice.Expr, tell func(text string)) func(*Run) Outcome {
	if e.Familiar() {
		return Notation(e)
	}
	plain := Notation(e)
	return func(r *Run) Outcome {
		if r.walking() || r.play.bare != nil { // nobody reads what a simulation throws
			return plain(r)
		}
		result, err := e.Judge(r.take)
		if err != nil {
			r.play.fail(err)
		}
		tell(result.Text)
		return combine(e, result.Rolls)
	}
}

// Dice rolls one expression of plain notation and returns its value: pools over any distribution,
// such as "10d10!!kh5". It ignores goals, names of values and repetitions.
func (r *Run) Dice(e dice.Expr) int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			law, err := distribution.Node(e.Node(), r.walk.workCounter())
			if err != nil {
				r.walk.stop(err)
			}
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[int]).Values[b.at]
	}
	value, err := e.First(r.take)
	if err != nil {
		r.play.fail(err)
	}
	return value
}

// take rolls a pool for an expression.
func (r *Run) take(p dice.Pool) ([]int, error) {
	return append([]int(nil), r.faces(p)...), nil
}

// takeTotals rolls a pool for an expression that needs only the totals of its dice.
func (r *Run) takeTotals(p dice.Pool) ([]int, error) {
	return append([]int(nil), r.facesOrTotal(p)...), nil
}

// combine returns the outcome of an expression's rolls. It adds several up, or counts successes if
// each has a goal.
func combine(e dice.Expr, rolls []dice.Rolled) Outcome {
	if len(rolls) == 0 {
		return Outcome{ID: Total}
	}
	if !e.Several() {
		return outcomeOf(rolls[0])
	}
	sum := Outcome{ID: Total}
	if hasGoal(rolls[0].Roll) || e.Counts() {
		sum.ID = Successes
	}
	for _, r := range rolls {
		sum.N += share(r)
	}
	return sum
}

// hasGoal reports whether a roll is compared with a number or with other dice.
func hasGoal(r dice.Roll) bool { return r.Goal.Given || r.Against != nil }

// share returns what one of several rolls adds to their common outcome.
func share(r dice.Rolled) int {
	if !hasGoal(r.Roll) {
		return r.Value
	}
	if outcomeOf(r).ID == Reached {
		return 1
	}
	return 0
}

func outcomeOf(r dice.Rolled) Outcome {
	switch roll := r.Roll; {
	case roll.Against != nil && roll.Against.Op == "vs":
		switch by := r.Value - r.Other; {
		case by > 0:
			return Outcome{ID: Won, N: by}
		case by < 0:
			return Outcome{ID: Lost, N: -by}
		}
		return Outcome{ID: Tied}
	case roll.Against != nil && roll.Against.Met(r.Value, r.Other), roll.Goal.Given && roll.Goal.Met(r.Value):
		return Outcome{ID: Reached, N: r.Value}
	case hasGoal(roll):
		return Outcome{ID: Missed, N: r.Value}
	default:
		id := Total
		if at := roll.Band(r.Value); at >= 0 {
			if id = Band(at); len(roll.Bands) == 0 { // the position of a symbol in its die has no meaning
				return Outcome{ID: id}
			}
		} else if roll.Counts() {
			id = Successes
		}
		switch {
		case r.Glitch && r.Value == 0:
			return Outcome{ID: Critical}
		case r.Glitch:
			id = Glitched
		}
		return Outcome{ID: id, N: r.Value}
	}
}

// Aim returns the outcome that an expression is rolled for if it is compared with something:
// Reached or Won; otherwise "".
func Aim(e dice.Expr) string {
	for _, r := range e.Rolls() {
		switch {
		case e.Several():
		case r.Against != nil && r.Against.Op == "vs":
			return Won
		case hasGoal(r):
			return Reached
		}
	}
	return ""
}

// maxWork bounds the steps on machine words of an exact walk of a notation.
const maxWork = 200_000_000

// workCounter returns a function that counts the steps of one expression and of the walk.
func (w *walker) workCounter() func(steps int) error {
	total := 0
	return func(steps int) error {
		if total += steps; steps < 0 || steps > maxWork || total > maxWork {
			return &LimitError{Branches: w.shared.limits.Branches}
		}
		return w.checkWork(steps)
	}
}

// notation returns the distribution of an expression.
func (w *walker) notation(e dice.Expr) *distribution.Law[Outcome] {
	spend := w.workCounter()
	must := func(err error) {
		if err != nil {
			w.stop(err)
		}
	}
	var sum *distribution.Law[int]
	for _, roll := range e.Rolls() {
		if roll.Glitches() {
			law, err := distribution.Glitches(roll.Of.(*dice.Dice), spend)
			must(err)
			return distribution.Map(law, func(h distribution.Hits) Outcome {
				return outcomeOf(dice.Rolled{Roll: roll, Value: h.N, Glitch: h.Glitch})
			})
		}
		law, err := distribution.Node(roll.Of, spend)
		must(err)
		of := func(value int) dice.Rolled { return dice.Rolled{Roll: roll, Value: value} }
		outcomes := nameOutcomes(law, func(value int) Outcome { return outcomeOf(of(value)) })
		shares := law
		if hasGoal(roll) {
			shares = distribution.Map(law, func(value int) int { return share(of(value)) })
		}
		if roll.Against != nil {
			other, err := distribution.Node(roll.Against.Of, spend)
			must(err)
			both, err := distribution.Set(law, other, func(value, other int) Outcome {
				return outcomeOf(dice.Rolled{Roll: roll, Value: value, Other: other})
			}, spend)
			must(err)
			outcomes = both
			shares = distribution.Map(both, func(o Outcome) int {
				if o.ID == Reached {
					return 1
				}
				return 0
			})
		}
		if !e.Several() {
			return outcomes
		}
		shares, err = distribution.Times(shares, roll.Times, spend)
		must(err)
		if sum == nil {
			sum = shares
		} else {
			sum, err = distribution.Plus(sum, shares, spend)
			must(err)
		}
	}
	if sum == nil {
		return distribution.Sure(Outcome{ID: Total})
	}
	id := Total
	if first := e.Rolls()[0]; hasGoal(first) || e.Counts() {
		id = Successes
	}
	return nameOutcomes(sum, func(n int) Outcome { return Outcome{ID: id, N: n} })
}

// nameOutcomes maps the values of a distribution one to one.
func nameOutcomes(law *distribution.Law[int], name func(int) Outcome) *distribution.Law[Outcome] {
	other := &distribution.Law[Outcome]{
		Values:  make([]Outcome, len(law.Values)),
		Weights: law.Weights,
		Total:   law.Total,
	}
	for i, value := range law.Values {
		other.Values[i] = name(value)
	}
	return other
}

func words(bits int) int { return 1 + bits/64 }
