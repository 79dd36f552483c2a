package odds

import (
	"context"
	"math/big"

	"norn/distribution"
	"norn/rule"
)

// Course is the law of a state after each step, such as a fight round by round or an extended
// action throw by throw. Laws[k] is the exact law after k steps; Laws[0] is the start. A finished
// course is read-only.
type Course[S comparable] struct {
	Laws []*distribution.Law[S]
	done func(S) bool
}

// Chain computes a course exactly. step is the rule of one step. States that are done don't change
// any more, and the course ends early when all are done. Equal states are merged after every step,
// and a state that occurs again isn't walked again. Questions get their standard answers.
//
// limits.Branches bounds the whole course: runs of the rule and transitions between states. Errors
// are those of rule.Walk and of the context.
func Chain[S comparable](ctx context.Context, start S, step func(*rule.Run, S) S, done func(S) bool, steps int,
	limits rule.Limits,
) (*Course[S], error) {
	c := &chain[S]{step: step, known: map[S]*distribution.Law[S]{}, limits: limits, stop: ctx.Err}
	if c.limits.Branches == 0 {
		c.limits.Branches = rule.DefaultBranches
	}
	course := &Course[S]{Laws: []*distribution.Law[S]{distribution.Sure(start)}, done: done}
	for range steps {
		now := course.Laws[len(course.Laws)-1]
		var mix distribution.Mix[S]
		going := false
		for i, state := range now.Values {
			if done(state) {
				mix.Add(state, now.Weights[i], now.Total)
				continue
			}
			going = true
			law, err := c.from(state)
			if err != nil {
				return nil, err
			}
			total := now.Total.Times(law.Total)
			for j, next := range law.Values {
				mix.Add(next, now.Weights[i].Times(law.Weights[j]), total)
			}
		}
		if !going {
			break
		}
		course.Laws = append(course.Laws, mix.Law())
	}
	return course, nil
}

// chain is the working state of Chain.
type chain[S comparable] struct {
	step   func(*rule.Run, S) S
	known  map[S]*distribution.Law[S]
	limits rule.Limits
	stop   func() error
	spent  int // branches, to within a few hundred
}

// often is the number of runs between two calls of rule.Limits.Stop.
const often = 256

// from returns the law of one step from a state.
func (c *chain[S]) from(state S) (*distribution.Law[S], error) {
	law, ok := c.known[state]
	if !ok {
		var err error
		law, err = rule.Walk(func(r *rule.Run) S { return c.step(r, state) }, nil, rule.Limits{
			Branches: c.limits.Branches, Reverse: c.limits.Reverse, Stop: func() error { return c.spend(often) },
		})
		if err != nil {
			return nil, err
		}
		c.known[state] = law
	}
	return law, c.spend(len(law.Values))
}

// spend counts branches towards the limit and checks whether to stop.
func (c *chain[S]) spend(branches int) error {
	if c.spent += branches; c.spent > c.limits.Branches {
		return &rule.LimitError{Branches: c.limits.Branches}
	}
	return c.stop()
}

// At returns the law after k steps. After the end nothing changes.
func (c *Course[S]) At(k int) *distribution.Law[S] { return c.Laws[min(k, len(c.Laws)-1)] }

// FinishedBy returns the chance to be done by step k.
func (c *Course[S]) FinishedBy(k int) *big.Rat { return c.Any(k, c.done) }

// Any returns the chance to be in any of these states after k steps.
func (c *Course[S]) Any(k int, of func(S) bool) *big.Rat {
	return distribution.Map(c.At(k), of).Of(true)
}
