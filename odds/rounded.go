package odds

import (
	"context"
	"math/big"
	"strings"

	"norn/distribution"
	"norn/rule"
)

// digits is the number of decimals of a chance whose fraction is too long to write.
const digits = 12

// WithFractions returns a context in which, if wanted, quoted odds have exact fractions, however
// long. A question may cost more then, and one that doesn't fit is refused: nothing is rounded or
// simulated.
func WithFractions(ctx context.Context, wanted bool) context.Context {
	return context.WithValue(ctx, fractionsKey{}, wanted)
}

type fractionsKey struct{}

func wantsFractions(ctx context.Context) bool { return ctx.Value(fractionsKey{}) == true }

// roundLaw returns the law with chances rounded to twelve digits that sum to 1. Rarer values are
// dropped.
func roundLaw(law *distribution.Law[rule.Outcome]) *distribution.Law[rule.Outcome] {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil)
	total := law.Total.Big()
	half := new(big.Int).Rsh(total, 1)
	all := &distribution.Law[rule.Outcome]{Total: distribution.WBig(scale)}
	rest, likeliest := new(big.Int).Set(scale), 0
	var parts []*big.Int
	for i, weight := range law.Weights {
		part := weight.Big()
		part.Mul(part, scale)
		part.Add(part, half)
		if part.Quo(part, total); part.Sign() == 0 {
			continue
		}
		rest.Sub(rest, part)
		parts, all.Values = append(parts, part), append(all.Values, law.Values[i])
		if part.Cmp(parts[likeliest]) > 0 {
			likeliest = len(parts) - 1
		}
	}
	if len(parts) == 0 {
		return law
	}
	parts[likeliest].Add(parts[likeliest], rest)
	for _, part := range parts {
		all.Weights = append(all.Weights, distribution.WBig(part))
	}
	return all
}

// Text formats a chance: a reduced fraction, or a decimal of twelve digits if the odds are rounded.
func (o *Odds) Text(p *big.Rat) string {
	if !o.Rounded {
		return p.RatString()
	}
	return strings.TrimSuffix(strings.TrimRight(p.FloatString(digits), "0"), ".")
}
