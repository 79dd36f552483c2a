package bare

import (
	"cmp"
	"math/big"
	"strings"

	"norn/lang"
	"norn/odds"
)

// Differences says in words how the odds of each throw differ from those of the first: in their first
// headline, or in their average where both only count. It says nothing of those that have neither in
// common. names are the throws' names.
func Differences(say lang.Speaker, throws []Throw, names []string, sides []*odds.Odds) []string {
	var all []string
	for i := 1; i < len(sides); i++ {
		if text := difference(say, throws, names, sides, i); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func difference(say lang.Speaker, throws []Throw, names []string, sides []*odds.Odds, i int) string {
	a, of := throws[0].chief(say, sides[0])
	b, what := throws[i].chief(say, sides[i])
	data := []any{"Name", names[i], "First", names[0], "What", what}
	switch {
	case of != "" && what != "":
		by := b.Sub(b, a)
		points := hundredths(by)
		switch {
		case by.Sign() == 0:
			return say.Say("bare.same-chance", data...)
		case points == 0:
			return say.Say("bare.close", data...)
		case points > 0:
			return say.Say("bare.higher", append(data, "N", points)...)
		}
		return say.Say("bare.lower", append(data, "N", -points)...)
	case of == "" && what == "" && sides[0].Only() != "" && sides[i].Only() != "":
		by := sides[i].Mean()
		switch by.Sub(by, sides[0].Mean()); {
		case hundredths(by) == 0:
			return say.Say("bare.same-average", data...)
		case by.Sign() > 0:
			return say.Say("bare.greater", append(data, "By", say.Decimal(odds.Float(by), 2))...)
		}
		return say.Say("bare.smaller", append(data, "By", say.Decimal(odds.Float(by.Neg(by)), 2))...)
	}
	return ""
}

// hundredths rounds a number to hundredths.
func hundredths(x *big.Rat) int {
	twice := new(big.Rat).Mul(x, big.NewRat(200, 1)) // rounds half away from zero
	n := int(new(big.Int).Quo(twice.Num(), twice.Denom()).Int64())
	return (n + cmp.Compare(n, 0)) / 2
}

// chief returns the chance of a throw's first headline and what it's the chance of, "" for none.
func (t Throw) chief(say lang.Speaker, o *odds.Odds) (chance *big.Rat, what string) {
	say = t.Game.Speak(say)
	for _, h := range t.Move.Headlines {
		word := t.Game.Word("headline", h.ID)
		if say.Has(word) && (len(h.Among) == 0 || o.Any(h.Among...).Sign() > 0) && len(h.Outcomes) > 0 && o.Only() == "" {
			return o.Any(h.Outcomes...), strings.TrimSpace(say.Say(word, "P", ""))
		}
	}
	return nil, ""
}
