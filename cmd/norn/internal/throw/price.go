package throw

import (
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// priced is a throw with its odds.
type priced struct {
	*throw
	odds *odds.Odds
}

// simulation is how often odds that are too large are rolled instead.
const simulation = 100_000

// price computes the odds, or simulates them with this number of runs. Those that are too large to
// work out exactly are simulated as well, which the output says.
func price(p *cli.Program, c *cobra.Command, t *throw, runs int) (*priced, error) {
	var (
		o   *odds.Odds
		err error
	)
	if runs > 0 {
		o, err = odds.Simulate(c.Context(), t.rule, t.kinds(), nil, dice.NewStream(seed()), runs)
	} else {
		o, err = odds.Price(c.Context(), t.rule, t.kinds(), nil, rule.Limits{})
		if _, large := errors.AsType[*rule.LimitError](err); large {
			o, err = odds.Simulate(c.Context(), t.rule, t.kinds(), nil, dice.NewStream(seed()), simulation)
		}
	}
	if err != nil {
		return nil, err
	}
	return &priced{throw: t, odds: o}, nil
}

// MarshalJSON writes the throw's members, then those of the odds.
func (o *priced) MarshalJSON() ([]byte, error) { return members(o.throw, o.odds) }

// members combines the members of two values in one object.
func members(first, second any) ([]byte, error) {
	head, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	tail, err := json.Marshal(second)
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), tail[1:]...), nil
}

// only returns the outcome's id if there is a single one and it counts something: then only its
// numbers matter.
func (o *priced) only() string {
	id := o.odds.Rows[0].Outcome
	for _, row := range o.odds.Rows {
		if row.Outcome != id || !row.Counts {
			return ""
		}
	}
	return id
}
