package lab

import (
	"math"

	"norn/lang"
)

// differences says in words how each side differs from the first one: in its first headline, or in its
// average where both only count. It says nothing of sides that have neither in common.
func differences(say lang.Speaker, sides []Side) (all []string) {
	for i := 1; i < len(sides); i++ {
		if text := sides[i].differs(say, &sides[0]); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func (s *Side) differs(say lang.Speaker, first *Side) string {
	data := []any{"Name", s.Name, "First", first.Name}
	switch {
	case s.Only && first.Only:
		by := s.Average - first.Average
		data = append(data, "By", say.Decimal(math.Abs(by), 2))
		switch n := hundredths(by); {
		case n == 0:
			return say.Say("bare.same-average", data...)
		case n > 0:
			return say.Say("bare.greater", data...)
		}
		return say.Say("bare.smaller", data...)
	case !s.Only && !first.Only && len(s.Heads) > 0 && len(first.Heads) > 0:
		by := s.Heads[0].P - first.Heads[0].P
		n := hundredths(by)
		data = append(data, "What", s.Heads[0].Label, "N", max(n, -n))
		switch {
		case math.Abs(by) < 1e-12:
			return say.Say("bare.same-chance", data...)
		case n == 0:
			return say.Say("bare.close", data...)
		case n > 0:
			return say.Say("bare.higher", data...)
		}
		return say.Say("bare.lower", data...)
	}
	return ""
}

// hundredths rounds a number to hundredths, half away from zero.
func hundredths(x float64) int { return int(math.Round(100*x + math.Copysign(1e-9, x))) }
