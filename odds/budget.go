package odds

import (
	"context"
	"fmt"
	"runtime"

	"norn/dice"
	"norn/distribution"
	"norn/rule"
)

// What one question may cost a server, from the question to the last byte of its answer: less than
// half a second and some tens of MiB. It's counted and not timed, so the same question always has
// the same answer.
const (
	QuoteBranches = 150_000   // of exact walks
	QuoteRuns     = 20_000    // throws of a simulation
	quoteDice     = 4_000_000 // that simulations throw
	quoteDigits   = 120_000   // of the rows: words of the numbers that they're made of, and some for each row
)

// leastRuns is how many throws tell anything.
const leastRuns = 500

const (
	digitsInRow  = 4  // what a row costs, long numbers or not
	wordsRounded = 8  // that are rounded at the cost of one that is written
	diceInRun    = 20 // what a throw costs, dice or not
)

// budget is what is left for a question. A question may be about several odds.
type budget struct{ branches, dice, digits int }

func usual() *budget { return &budget{QuoteBranches, quoteDice, quoteDigits} }

type budgetKey struct{}

// WithSharedBudget is a context in which all odds that are quoted share what one question may cost.
// In any other each quote is a question of its own.
func WithSharedBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, budgetKey{}, usual())
}

func budgetOf(ctx context.Context) *budget {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok {
		return b
	}
	return usual()
}

// Share is a context for the next of so many quotes that are still to come: it may throw its share of the dice that are
// left, so that all can be simulated where one can.
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

// What of a question was too much.
const (
	LargeRows = "rows"
	LargeDice = "dice" // in each throw of a simulation
)

// LargeError says that a question costs more than it may, and what would fit.
type LargeError struct {
	What        string
	Asked, Most int
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("odds: %d %s are too many, %d would fit", e.Asked, e.What, e.Most)
}

// yielding tells whether to stop, and lets go before the long work of odds what is short: moves and pages.
func yielding(ctx context.Context) func() error {
	return func() error {
		runtime.Gosched()
		return ctx.Err()
	}
}

// rows takes what a law costs as rows that are read, or tells that it's too much.
func (b *budget) rows(law *distribution.Law[rule.Outcome]) error {
	each := digitsInRow + (law.Total.BitLen()+63)/64
	if most := b.digits / each; len(law.Values) > most {
		return &LargeError{LargeRows, len(law.Values), most}
	}
	b.digits -= len(law.Values) * each
	return nil
}

// rounds takes what rounding a law's chances costs, and tells whether that was left.
func (b *budget) rounds(law *distribution.Law[rule.Outcome]) bool {
	cost := len(law.Values) * (1 + law.Total.BitLen()/64) / wordsRounded
	if cost > b.digits {
		return false
	}
	b.digits -= cost
	return true
}

// walk walks a rule with the branches that are left.
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

// simulate throws a rule as often as the dice that it may throw allow, always the same ones.
func (b *budget) simulate(ctx context.Context, f func(*rule.Run) rule.Outcome,
	policy rule.Policy,
) (*distribution.Law[rule.Outcome], error) {
	most := b.dice / shareOf(ctx)
	thrown := &counted{roller: dice.NewStream([32]byte{})}
	defer func() { b.dice -= thrown.dice }()
	var mix distribution.Mix[rule.Outcome]
	runs := 0
	for ; runs < QuoteRuns && thrown.dice < most; runs++ {
		if runs%64 == 0 {
			if err := yielding(ctx)(); err != nil {
				return nil, err
			}
		}
		if runs == 16 && thrown.dice/runs > most/leastRuns { // it won't become enough
			break
		}
		outcome, err := rule.Simulate(f, thrown, policy)
		if err != nil {
			return nil, err
		}
		mix.Add(outcome, distribution.W(1), distribution.W(QuoteRuns))
		thrown.dice += diceInRun
	}
	if runs < leastRuns {
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
