package rule_test

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"norn/dice"
	"norn/rule"

	"pgregory.net/rapid"
)

func parse(t testing.TB, text string) dice.Expr {
	t.Helper()
	e, err := dice.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOddsOfNotationAreExact(t *testing.T) {
	for _, c := range []struct {
		text, outcome string
		n             int
		chance        string
	}{
		{"2d6", rule.Total, 7, "1/6"},
		{"d%", rule.Total, 100, "1/100"},
		{"2d6+3", rule.Total, 5, "1/36"},
		{"-2d6+3", rule.Total, -9, "1/36"},
		{"5", rule.Total, 5, "1"},
		{"4d6kh3", rule.Total, 18, "7/432"},   // 21 of 1296
		{"4d6kl3", rule.Total, 18, "1/1296"},  // all sixes
		{"2d20kh1", rule.Total, 20, "39/400"}, // advantage
		{"2d20kl1", rule.Total, 20, "1/400"},  // disadvantage
		{"4d6dl1", rule.Total, 3, "1/1296"},   // kh3 by another name
		{"d4+d6", rule.Total, 10, "1/24"},     // parts merged
		{"7d10>=6", rule.Successes, 7, "1/128"},
		{"2d10>=6-d10=1", rule.Successes, -1, "1/40"},
		{"1d6=6+2", rule.Successes, 3, "1/6"},
		{"4dF", rule.Total, 4, "1/81"},
		{"4dF", rule.Total, 0, "19/81"},
		{"2dFkh1", rule.Total, -1, "1/9"},
		{"d6!", rule.Total, 5, "1/6"},
		{"d6!", rule.Total, 6, "0"},
		{"d6!", rule.Total, 13, "1/216"},
		{"d2!", rule.Total, 22, "1/2048"}, // all ten explosions
		{"d2!", rule.Total, 21, "1/2048"}, // all ten, and a one: no eleventh
		{"2d6!", rule.Total, 8, "5/54"},   // 2+6…: 3 and 5, and a six that comes to 7 beside a 1
		{"d10!>=8", rule.Successes, 2, "27/1000"},
		{"d20+5 15+", rule.Reached, 15, "1/20"},
		{"d20+5 15+", rule.Missed, 14, "1/20"},
		{"2d6 6-", rule.Reached, 6, "5/36"},
	} {
		law, err := rule.Walk(rule.Notation(parse(t, c.text)), nil, rule.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		want, _ := new(big.Rat).SetString(c.chance)
		if got := law.Of(rule.Outcome{ID: c.outcome, N: c.n}); got.Cmp(want) != 0 {
			t.Errorf("%s: chance of %s %d is %s, want %s", c.text, c.outcome, c.n, got, want)
		}
	}
}

// A concrete run comes to what the expression itself judges, for any notation
// and any faces.
func TestNotationThrowsWhatTheExpressionJudges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{
			"3d6+2", "4d6kh3", "4d6kl2", "5d10dh2", "7d10>=6", "3d10=1", "2d6+1d8-3", "2d10>=6-d10=1", "-d4", "9d6<3", "3d6kh1+2d8kl1",
			"4dF+1", "3dFkh2", "20d2!", "3d6!-1d4!", "5d2!=1", "9d2!=2", "2d6+1 8+",
		}).Draw(t, "text")
		e, err := dice.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var seed [32]byte
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		want := e.Throw(dice.NewStream(seed))
		got, err := rule.Play(rule.Notation(e), rule.Options{Source: rule.Free(dice.NewStream(seed))})
		if err != nil {
			t.Fatal(err)
		}
		if got.Value.N != want.Total {
			t.Fatalf("%s: %v comes to %d, want %d", text, want, got.Value.N, want.Total)
		}
		var faces []int
		for _, term := range want.Terms {
			faces = append(faces, term.Faces...)
		}
		var thrown []int
		for _, step := range got.Trail {
			thrown = append(thrown, step.Dice.Faces...)
		}
		if !slices.Equal(thrown, faces) {
			t.Fatalf("%s: the trail holds %v, want %v", text, thrown, faces)
		}
	})
}

// Large pools are quick, and what can't be is refused before it begins.
func TestNotationRefusesWhatIsTooLarge(t *testing.T) {
	for _, text := range []string{"100d6", "100d6kh3", "100d10>=6-100d10=1", "1000d6"} {
		law, err := rule.Walk(rule.Notation(parse(t, text)), nil, rule.Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sum := new(big.Rat)
		for i := range law.Values {
			sum.Add(sum, new(big.Rat).SetFrac(law.Weights[i].Big(), law.Total.Big()))
			if i > 600 {
				break // the rest is more of the same
			}
		}
		if len(law.Values) <= 600 && sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%s: the chances sum to %s", text, sum)
		}
	}
	for _, text := range []string{"1000d1000", "1000d1000kh500", "1000d6kl999", "100d100+100d100"} {
		_, err := rule.Walk(rule.Notation(parse(t, text)), nil, rule.Limits{})
		var limit *rule.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a *rule.LimitError", text, err)
		}
	}
}
