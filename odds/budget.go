package odds

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"norn/dice"
	"norn/distribution"
	"norn/rule"
)

// These limits bound what one question may cost a server, from the question to the last byte of its
// answer: less than half a second and some tens of MiB. They count steps instead of time, so the
// same question always has the same answer.
const (
	QuoteBranches = 150_000   // in exact walks
	QuoteRuns     = 20_000    // runs of a simulation
	quoteDice     = 4_000_000 // dice that simulations throw
	quoteDigits   = 120_000   // size of the rows: words in their numbers, and digitsInRow for each row
	longDigits    = 240_000   // the same where fractions are asked for: those of 1000d6 fit
)

// leastRuns is the smallest number of runs that makes a useful simulation.
const leastRuns = 500

const (
	digitsInRow  = 4  // fixed cost of a row
	wordsRounded = 8  // words that are rounded at the cost of one that is written
	diceInRun    = 20 // fixed cost of a run
)

// budget tracks what a question may still cost. A question may be about several odds.
type budget struct {
	branches, dice, digits, runs int
	asked                        bool // for a simulation
}

func newBudget(ctx context.Context) *budget {
	if local, ok := ctx.Value(localKey{}).(budget); ok {
		return &local
	}
	b := &budget{branches: QuoteBranches, dice: quoteDice, digits: quoteDigits, runs: QuoteRuns}
	if wantsFractions(ctx) {
		b.digits = longDigits
	}
	return b
}

type budgetKey struct{}

// WithSharedBudget returns a context in which all quoted odds share what one question may cost. In
// other contexts each quote is a question of its own. Call WithFractions before it.
func WithSharedBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, budgetKey{}, newBudget(ctx))
}

func budgetOf(ctx context.Context) *budget {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok {
		return b
	}
	return newBudget(ctx)
}

// LocalRuns is the number of runs of a simulation on the reader's own machine.
const LocalRuns = 100_000

// Local returns a context in which quoted odds may cost what people wait for on their own machine:
// rule.DefaultBranches, and LocalRuns where that isn't enough. With runs above 0 nothing is worked out
// exactly; all odds are simulated with so many runs.
func Local(ctx context.Context, runs int) context.Context {
	b := budget{branches: rule.DefaultBranches, dice: math.MaxInt, digits: math.MaxInt, runs: LocalRuns}
	if runs > 0 {
		b.branches, b.runs, b.asked = 0, runs, true
	}
	return context.WithValue(ctx, localKey{}, b)
}

type localKey struct{}

// Share returns a context for the next of so many quotes that are still to come. The quote may
// throw its share of the dice that are left, so that all of them can be simulated.
func Share(ctx context.Context, quotes int) context.Context {
	return context.WithValue(ctx, shareKey{}, quotes)
}

type shareKey struct{}

func shareOf(ctx context.Context) int {
	if n, ok := ctx.Value(shareKey{}).(int); ok && n > 0 {
		return n
	}
	return 1
}

// These are the reasons for a LargeError: what of a question was too much.
const (
	LargeRows  = "rows"
	LargeDice  = "dice" // in each run of a simulation
	LargeSteps = "ways" // in which the dice may fall; Asked isn't known
)

// LargeError reports that a question costs more than it may, and how much would be allowed.
type LargeError struct {
	What        string
	Asked, Most int
}

func (e *LargeError) Error() string {
	if e.What == LargeSteps {
		return fmt.Sprintf("odds: more than %d steps are too many for fractions", e.Most)
	}
	return fmt.Sprintf("odds: %d %s are too many, %d would fit", e.Asked, e.What, e.Most)
}

// yielding returns a check of whether to stop. The check also yields the processor, so that long
// odds don't hold up short work such as moves and pages.
func yielding(ctx context.Context) func() error {
	return func() error {
		runtime.Gosched()
		return ctx.Err()
	}
}

// rows pays for a law as rows that are shown, or returns an error if it's too much.
func (b *budget) rows(law *distribution.Law[rule.Outcome]) error {
	each := digitsInRow + (law.Total.BitLen()+63)/64
	if most := b.digits / each; len(law.Values) > most {
		return &LargeError{LargeRows, len(law.Values), most}
	}
	b.digits -= len(law.Values) * each
	return nil
}

// rounds pays for rounding a law's chances and reports whether the budget was large enough.
func (b *budget) rounds(law *distribution.Law[rule.Outcome]) bool {
	cost := len(law.Values) * (1 + law.Total.BitLen()/64) / wordsRounded
	if cost > b.digits {
		return false
	}
	b.digits -= cost
	return true
}

// walk walks a rule within the branches left.
func (b *budget) walk(ctx context.Context, f func(*rule.Run) rule.Outcome, policy rule.Policy,
	granted *[]Granted,
) (*distribution.Law[rule.Outcome], error) {
	if b.branches <= 0 {
		return nil, &rule.LimitError{}
	}
	spent := 0
	law, err := rule.Walk(f, policy,
		rule.Limits{Branches: b.branches, Stop: yielding(ctx), Spent: &spent, AssumedAnswer: grant(granted)})
	b.branches -= spent
	return law, err
}

// simulate runs a rule as often as the dice left allow. It always throws the same dice.
func (b *budget) simulate(ctx context.Context, f func(*rule.Run) rule.Outcome,
	policy rule.Policy,
) (*distribution.Law[rule.Outcome], error) {
	most := b.dice / shareOf(ctx)
	thrown := &counted{roller: dice.NewStream([32]byte{})}
	defer func() { b.dice -= thrown.dice }()
	var mix distribution.Mix[rule.Outcome]
	runs := 0
	for ; runs < b.runs && thrown.dice < most; runs++ {
		if runs%64 == 0 {
			if err := yielding(ctx)(); err != nil {
				return nil, err
			}
		}
		if runs == 16 && thrown.dice/runs > most/leastRuns { // the dice won't allow enough runs
			break
		}
		outcome, err := rule.Simulate(f, thrown, policy)
		if err != nil {
			return nil, err
		}
		mix.Add(outcome, distribution.W(1), distribution.W(uint64(b.runs)))
		thrown.dice += diceInRun
	}
	if runs < min(leastRuns, b.runs) {
		each := diceInRun
		if runs > 0 {
			each = thrown.dice / runs
		}
		return nil, &LargeError{LargeDice, each - diceInRun, max(0, most/leastRuns-diceInRun)}
	}
	law := mix.Law()
	law.Total = distribution.W(uint64(runs))
	return law, nil
}

// counted is a roller that counts its dice.
type counted struct {
	roller dice.Roller
	dice   int
}

func (c *counted) Face(sides int) int {
	c.dice++
	return c.roller.Face(sides)
}
