package odds_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"norn/distribution"
	"norn/odds"
	"norn/rule"
)

// standing returns a standing with weights, best first.
func standing(t testing.TB, at int, ways ...int) odds.Standing {
	t.Helper()
	s, err := odds.ParseStanding(fmt.Sprintf("%d: %s", at, strings.Trim(fmt.Sprint(ways), "[]")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lawOf returns a law of outcomes with their weights.
func lawOf(weights map[rule.Outcome]uint64) *distribution.Law[rule.Outcome] {
	var mix distribution.Mix[rule.Outcome]
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	for o, w := range weights {
		mix.Add(o, distribution.W(w), distribution.W(total))
	}
	return mix.Law()
}

func TestStandingRanksAnOutcomeAmongItsChances(t *testing.T) {
	law := lawOf(map[rule.Outcome]uint64{
		{ID: "good", N: 1}: 10, {ID: "good", N: 2}: 6, {ID: "bad"}: 13,
		{ID: "bad", N: 4}: 7, {ID: "poor"}: 24,
	})
	worth := map[string]int{"good": 10} // bad and poor are equally good
	better := func(a, b rule.Outcome) int {
		if a.ID == "good" && b.ID == "good" {
			return b.N - a.N
		}
		return worth[b.ID] - worth[a.ID]
	}
	for _, v := range []struct {
		came             rule.Outcome
		kept             string
		better, orBetter string
		points           int
	}{
		{rule.Outcome{ID: "good", N: 2}, "0: 3 5 22", "0/1", "1/10", 95},
		{rule.Outcome{ID: "good", N: 1}, "1: 3 5 22", "1/10", "4/15", 82}, // 81⅔
		{rule.Outcome{ID: "bad", N: 7}, "2: 3 5 22", "4/15", "1/1", 37},   // 36⅔; its n counts nothing
		{rule.Outcome{ID: "poor"}, "2: 3 5 22", "4/15", "1/1", 37},
	} {
		s, ok := odds.Stand(law, v.came, better)
		if !ok || s.String() != v.kept || s.Better().String() != v.better || s.OrBetter().String() != v.orBetter ||
			s.Points() != v.points {
			t.Errorf("%v: %v %v, better %v, or better %v, %d points", v.came, ok, s, s.Better(), s.OrBetter(),
				s.Points())
		}
		again, err := odds.ParseStanding(s.String())
		if err != nil || again.String() != s.String() || again.Of.Cmp(s.Of) != 0 {
			t.Errorf("%v: read back as %v, %v", s, again, err)
		}
	}
	for what, came := range map[string]rule.Outcome{"another n": {ID: "good", N: 3}, "another outcome": {ID: "fair"}} {
		if s, ok := odds.Stand(law, came, better); ok {
			t.Errorf("%s stands: %v", what, s)
		}
	}
	if s, ok := odds.Stand(lawOf(map[rule.Outcome]uint64{{ID: "bad"}: 1, {ID: "poor"}: 1}), rule.Outcome{ID: "bad"},
		better); ok {
		t.Errorf("what can't come out better or worse stands: %v", s)
	}
	var tiny distribution.Mix[rule.Outcome]
	huge := distribution.WBig(new(big.Int).Lsh(big.NewInt(1), odds.StandingBits))
	rest := distribution.WBig(new(big.Int).Sub(huge.Big(), big.NewInt(1)))
	tiny.Add(rule.Outcome{ID: "good"}, distribution.W(1), huge)
	tiny.Add(rule.Outcome{ID: "bad"}, rest, huge)
	if s, ok := odds.Stand(tiny.Law(), rule.Outcome{ID: "bad"}, better); ok {
		t.Errorf("weights of %d bits are kept", s.Of.BitLen())
	}
}

func TestParseStandingRefusesMalformedText(t *testing.T) {
	for _, text := range []string{
		"", "1", "0:", "0: 1", "2: 1 2", "-1: 1 2", "0: 1 0", "0: 1 -2", "0: 1  2", "x: 1 2", "0: 1 x", "0 1 2",
		"0: 1 0x2",
		"0: 1 1" + strings.Repeat("0", 90), "0: 1 1" + strings.Repeat("0", 9000),
	} {
		if s, err := odds.ParseStanding(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// Counting all sequences is the reference. The result must be within the error it claims, which
// must be tiny.
func TestTogetherAgreesWithAllSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 21))
	tiny := big.NewRat(1, 1<<50)
	for range 60 {
		var throws []odds.Standing
		for range r.IntN(6) {
			ways := make([]int, 2+r.IntN(4))
			for i := range ways {
				ways[i] = 1 + r.IntN(1000)>>r.IntN(10)
			}
			throws = append(throws, standing(t, r.IntN(len(ways)), ways...))
		}
		luck := odds.Together(throws)
		want := bruteForce(throws)
		most := new(big.Rat).Add(luck.P, luck.Within)
		if luck.P.Cmp(want) > 0 || most.Cmp(want) < 0 || luck.Within.Cmp(tiny) > 0 || luck.Within.Sign() < 0 {
			t.Fatalf("%v: from %v to %v, counted %v", throws, luck.P, most, want)
		}
	}
	if none := odds.Together(nil); none.P.Cmp(big.NewRat(1, 2)) != 0 || none.Within.Sign() != 0 {
		t.Errorf("no throws: %v", none)
	}
}

func bruteForce(throws []odds.Standing) *big.Rat {
	points := 0
	for _, s := range throws {
		points += s.Points()
	}
	p := new(big.Rat)
	var walk func(i, sum int, chance *big.Rat)
	walk = func(i, sum int, chance *big.Rat) {
		if i == len(throws) {
			switch {
			case sum < points:
				p.Add(p, chance)
			case sum == points:
				p.Add(p, new(big.Rat).Mul(chance, big.NewRat(1, 2)))
			}
			return
		}
		for at, w := range throws[i].Ways {
			other := throws[i]
			other.At = at
			walk(i+1, sum+other.Points(), new(big.Rat).Mul(chance, w.Ratio(other.Of)))
		}
	}
	walk(0, 0, big.NewRat(1, 1))
	return p
}

// Fair sessions must fall equally often into each tenth: chi-square at 9 degrees of freedom, with
// fixed dice. A tie is placed at random within its range.
func TestFairSessionsAreUniformlyLucky(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	laws := [][]int{
		{1, 1, 1, 1, 1, 1},
		{36, 1200, 4000, 4764},
		{1, 98, 1},
		{30, 70},
		{1, 6, 15, 20, 15, 6, 1},
		{5, 15, 40, 40},
	}
	r := rand.New(rand.NewPCG(2026, 1))
	const sessions = 2000
	var tenths [10]int
	for range sessions {
		var throws []odds.Standing
		for i := range 30 {
			law := laws[(i+r.IntN(2))%len(laws)]
			total := 0
			for _, w := range law {
				total += w
			}
			drawn := r.IntN(total)
			at := slices.IndexFunc(law, func(w int) bool { drawn -= w; return drawn < 0 })
			throws = append(throws, standing(t, at, law...))
		}
		p, _ := odds.Together(throws).P.Float64()
		tenths[min(9, int(p*10))]++
	}
	chi := 0.0
	for _, n := range tenths {
		d := float64(n) - sessions/10
		chi += d * d / (sessions / 10)
	}
	if chi > 27.88 { // one in a thousand
		t.Errorf("chi-square %.1f: %v", chi, tenths)
	}
}

// A long session must be exact far beyond the digits that are shown.
func TestLuckOfFiveHundredThrowsIsPrecise(t *testing.T) {
	var throws []odds.Standing
	for i := range 500 {
		throws = append(throws, standing(t, i%7, 1, 13, 77, 286, 715, 1287, 7621))
	}
	if luck := odds.Together(throws); luck.Within.Cmp(big.NewRat(1, 1_000_000_000)) > 0 {
		t.Errorf("off by up to %v", luck.Within.FloatString(15))
	}
}

func BenchmarkTogether500(b *testing.B) {
	var throws []odds.Standing
	for i := range 500 {
		throws = append(throws, standing(b, i%7, 1, 13, 77, 286, 715, 1287, 7621))
	}
	for b.Loop() {
		odds.Together(throws)
	}
}
