package odds

import "math/big"

// sum adds fractions whose denominators mostly divide one another, as those of a law do. It reduces
// only the result, because reducing long fractions takes most of the time.
type sum struct{ above, below, part, rest big.Int }

// add adds n·p.
func (s *sum) add(p *big.Rat, n int) {
	if s.below.Sign() == 0 {
		s.below.SetInt64(1)
	}
	if s.below.Cmp(p.Denom()) < 0 { // below is the longer denominator
		s.widen(p.Denom())
	}
	s.part.QuoRem(&s.below, p.Denom(), &s.rest)
	if s.rest.Sign() != 0 {
		s.widen(p.Denom())
		s.part.Quo(&s.below, p.Denom())
	}
	s.part.Mul(&s.part, p.Num())
	s.part.Mul(&s.part, s.rest.SetInt64(int64(n)))
	s.above.Add(&s.above, &s.part)
}

// widen makes below a multiple of a denominator.
func (s *sum) widen(denominator *big.Int) {
	s.rest.GCD(nil, nil, &s.below, denominator)
	s.part.Quo(denominator, &s.rest)
	s.below.Mul(&s.below, &s.part)
	s.above.Mul(&s.above, &s.part)
}

func (s *sum) rat() *big.Rat {
	if s.below.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(&s.above, &s.below)
}
