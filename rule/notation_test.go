package rule_test

import (
	"errors"
	"math/big"
	"strings"
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
		{"2d6!", rule.Total, 8, "5/54"},   // 2+6…: 3 and 5, and a six that explodes to 7 with a 1
		{"d10>=8!", rule.Successes, 2, "27/1000"},
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

// odometer is a source that goes through all combinations of faces.
type odometer struct {
	faces, sides []int
	at           int
}

func (o *odometer) Throw(_ string, p dice.Pool, buf []int) ([]int, error) {
	for range p.N {
		if o.at == len(o.faces) {
			o.faces, o.sides = append(o.faces, 1), append(o.sides, p.Sides)
		}
		buf = append(buf, o.faces[o.at])
		o.at++
	}
	return buf, nil
}

// next moves to the next combination and reports whether there is one.
func (o *odometer) next() bool {
	for o.at = 0; len(o.faces) > 0; {
		last := len(o.faces) - 1
		if o.faces[last]++; o.faces[last] <= o.sides[last] {
			return true
		}
		o.faces, o.sides = o.faces[:last], o.sides[:last]
	}
	return false
}

// byFaces computes the law of an expression from all combinations of faces. It returns nil if there are
// more than most.
func byFaces(t *testing.T, e dice.Expr, most int) map[rule.Outcome]*big.Rat {
	t.Helper()
	law := map[rule.Outcome]*big.Rat{}
	o := &odometer{}
	for going := true; going; going = o.next() {
		if most--; most < 0 {
			return nil
		}
		got, err := rule.Play(rule.Notation(e), rule.Options{Source: o})
		if err != nil {
			t.Fatal(err)
		}
		p := big.NewRat(1, 1)
		for _, sides := range o.sides {
			p.Mul(p, big.NewRat(1, int64(sides)))
		}
		if law[got.Value] == nil {
			law[got.Value] = new(big.Rat)
		}
		law[got.Value].Add(law[got.Value], p)
	}
	return law
}

// forms has an expression for each construct, with few enough faces to go through all combinations.
var forms = []string{
	"2d6+3", "d20 attack", "3d4-d6", "4d6kh3", "4d6dl1", "4d4kl2", "3d20km1", "3d6kh2kl1", "4d4dh1dl1", "5d3km3",
	"d{0,1,1,2}", "3d{-1,0,2}+1", "3d{sword,sword,shield,-}=sword", "d{red,red,green}", "4dF", "4dF+1 2+", "3dFkh2",
	"2dF.1", "d7", "3d1+d2",
	"1d4d6", "(d3-1)d4", "(d2+1)d6kh2", "2d2d2", "(2d4>=3)d6",
	"(2d6+1)*2", "2d6/2", "ceil(3d4/2)", "round(d10/4)", "-d6/4", "d6*d4", "d10/d3", "3-(d4-2)", "2d4+-1",
	"max(d8, 2d4)", "min(d6, d10)+1", "{2d4, d10}kh1", "{d4,d6,d8}kh2", "{d4,d6,d8}dl1", "{d4,d6,d8,d4}km2",
	"{d6,d8,2d4}>=5", "{d4,d6}",
	"d6+2 > d8", "d6 vs d6", "2d4 >= d8", "d6 = d4", "2d6 < d8+3", "2d6 <= 2d6",
	"2d3r1", "2d6ro<3", "2d6ro={1,6}", "d3ro1!", "2d4r1kh1", "4d4ro1>=3",
	"2d4!", "d3!>1", "d6!>4", "2d4!!", "2d4!p", "d6!!p", "d6!=3", "2d3!kh1", "2d3!pkh1", "2d3!kl1", "2d3!dl1",
	"2d3!!kh1", "2d3! straight", "2d4>=3!", "d4>=2f1!", "2d3>=4!!",
	"d3rb1!", "2d3rob1!", "d3rb1!!", "d3rl1!", "2d3rol1!", "d3rl1!!", "2d3rol1!kh1", "2d3rob1!kh1", "d3rb1!>=2", "d3rl<2!>=2",
	"2d2rob1! straight", "d3rol1!p", "d3rob1!p", "2d3rol1!okh1", "2d3!o", "2d3!!o", "2d3xo", "2d3x>2", "2d4e4",
	"3d4mi2", "3d4ma3", "2d4mi2ma3", "3d4min2kh2", "2d4u", "2d4ukh1", "2d4u>=3", "2d4u straight", "2d4r", "d4rr<3",
	"3d6even", "3d6odd", "4d4cs", "4d4cf<2", "2d6cs>4+1", "3d4d=1", "3d4d>2", "4dFdf-1", "3d4df1", "3d4sf1",
	"3d6>=5gl1", "4d4=4gl", "5d2>=2gl1", "3d4>=3gl<3", "3d4ro1>=3gl1", "2d4!!o>=5", "4d4f1", "3d4>=3f1",
	"d66", "d66sa", "d44sd", "d444", "1d66", "(4d4)kh3", "{2d4+d6}kh2", "(2d4+d6)kl1", "{2d3!!+d4}kh2", "4d4k6", "4d4kh0", "4d4dl4",
	"d6*1.5", "d10/2+d4/3", "-d6/2", "(d6-6)/2", "d6/4R", "d6/4U", "1d20<=(10+5)", "d6>=4", "d4+d6>=8", "d6<>3", "[[2d4+1]]", "/r 2d4",
	"2d4, d6", "2d4 [fire] + d4 [cold]", "5d2>=2gl1 # to the bone",
	"4d6>=5", "4d6>=5f1", "4d6>4f<3", "3d6={1,3..4}", "3d6<>3", "5d4=4", "4d6kh3cs>=5", "4d6>=4>=2", "2d6>=5-d6=1+1",
	"4d6 set", "5d4 set", "{d4,d6,2d4} set", "5d6 straight", "4d6kh3 straight", "5d4kl4 set", "{d4,d6,d8} straight",
	"2d6: miss 6-, weak 7-9, strong 10+", "2d6 doubles 12, snake 2", "2d6 7+", "2d6 6-", "2d6 vs 8", "d6-4 >= -1",
	"(2d6)>7",
	"3x2d4", "2xd6 4+", "2x3d4>=3", "d6; d4+1", "d6 4+; d8 5+", "d6 > d4; d6 3+",
	"d20+5 adv", "adv 15+", "dis+1", "d12 with disadvantage",
}

// The odds of each form must equal those of its throws exactly.
func TestOddsOfEachNotationFormMatchItsThrows(t *testing.T) {
	for _, text := range forms {
		e, err := dice.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		law, err := rule.Walk(rule.Notation(e), nil, rule.Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		most := 100_000
		if testing.Short() {
			most = 2_000
		}
		want := byFaces(t, e, most)
		if want == nil && testing.Short() {
			continue
		}
		if want == nil {
			t.Errorf("%s has too many combinations of faces", text)
			continue
		}
		if len(want) != len(law.Values) {
			t.Errorf("%s: %d outcomes priced, %d thrown", text, len(law.Values), len(want))
		}
		for outcome, p := range want {
			if got := law.Of(outcome); got.Cmp(p) != 0 {
				t.Errorf("%s: chance of %v is %s, by faces %s", text, outcome, got, p)
			}
		}
	}
}

// A live run must have the result that Judge computes from the same faces, for any notation.
func TestPlayedNotationAgreesWithExprThrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(forms).Draw(t, "text")
		e, err := dice.Parse(text)
		if err != nil {
			t.Skip(err)
		}
		var seed [32]byte
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		want := e.Throw(dice.NewStream(seed))
		got, err := rule.Play(rule.Notation(e), rule.Options{Source: rule.RollerSource(dice.NewStream(seed))})
		if err != nil {
			t.Fatal(err)
		}
		symbol := strings.HasPrefix(got.Value.ID, "band-") && len(e.Rolls()[0].Bands) == 0 // a symbol has no value
		if !e.Several() && !symbol && e.Rolls()[0].Against == nil && got.Value.N != want.Total() {
			t.Fatalf("%s: %v comes to %d, want %d", text, want, got.Value.N, want.Total())
		}
	})
}

// Large pools must be fast, and pools that are too large must be refused before the work begins.
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
				break // the others would only repeat it
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
