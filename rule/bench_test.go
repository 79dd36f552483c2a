package rule_test

import (
	"math/big"
	"slices"
	"testing"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// notations are plain notations whose odds are also computed by hand.
var notations = []struct {
	text string
	hand func() []odds.Row
}{
	{"9d8", func() []odds.Row { return sumByHand(9, 8) }},
	{"100d6", func() []odds.Row { return sumByHand(100, 6) }},
	{"1000d6", func() []odds.Row { return sumByHand(1000, 6) }},
	{"200d20", func() []odds.Row { return sumByHand(200, 20) }},
	{"20d10kh10", func() []odds.Row { return keptByHand(20, 10, 10) }},
	{"4d6kh3", func() []odds.Row { return keptByHand(4, 6, 3) }},
}

func priced(t testing.TB, text string) func() []odds.Row {
	t.Helper()
	e, err := dice.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f := rule.Notation(e)
	kinds := []odds.Kind{{ID: rule.Total, Counts: true}}
	return func() []odds.Row {
		o, err := odds.Price(t.Context(), f, kinds, nil, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return o.Rows
	}
}

func TestNotationOddsAgreeWithHandWrittenLoops(t *testing.T) {
	for _, n := range notations {
		got, want := priced(t, n.text)(), n.hand()
		if len(got) != len(want) {
			t.Fatalf("%s: %d rows, by hand %d", n.text, len(got), len(want))
		}
		for i, w := range want {
			if g := got[i]; g.Outcome != w.Outcome || g.N != w.N || g.Counts != w.Counts || g.P.Cmp(w.P) != 0 {
				t.Fatalf("%s: row %d is %v, by hand %v", n.text, i, g, w)
			}
		}
	}
}

func BenchmarkNotationOdds(b *testing.B) {
	for _, n := range notations {
		rows := priced(b, n.text)
		b.Run(n.text+"/rule", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rows()
			}
		})
		b.Run(n.text+"/by-hand", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.hand()
			}
		})
	}
}

func rowsOf(lowest int, ways []*big.Int, total *big.Int) []odds.Row {
	rows := make([]odds.Row, len(ways))
	for i, w := range ways {
		rows[i] = odds.Row{Outcome: rule.Total, N: lowest + i, Counts: true, P: new(big.Rat).SetFrac(w, total)}
	}
	return rows
}

// sumByHand computes the coefficients of (1 + … + x^(s−1))^n by inclusion and exclusion. It
// computes each binomial from the one before.
func sumByHand(n, s int) []odds.Row {
	top := n * (s - 1)
	choose := make([]*big.Int, top+1) // n−1+k over k
	choose[0] = big.NewInt(1)
	var by big.Int
	for k := 1; k <= top; k++ {
		choose[k] = new(big.Int).Mul(choose[k-1], by.SetInt64(int64(n-1+k)))
		choose[k].Quo(choose[k], by.SetInt64(int64(k)))
	}
	// Dividing by (1 − x) n times gives these. Multiplying by (1 − x^s) n times would take n
	// passes; a sum of at most n terms takes one.
	out := make([]*big.Int, n+1) // n over j
	out[0] = big.NewInt(1)
	for j := 1; j <= n; j++ {
		out[j] = new(big.Int).Mul(out[j-1], by.SetInt64(int64(n-j+1)))
		out[j].Quo(out[j], by.SetInt64(int64(j)))
	}
	ways := make([]*big.Int, top+1)
	for k := range ways {
		if 2*k > top {
			ways[k] = ways[top-k]
			continue
		}
		ways[k] = new(big.Int)
		for j := 0; j*s <= k; j++ {
			by.Mul(out[j], choose[k-j*s])
			if j%2 == 0 {
				ways[k].Add(ways[k], &by)
			} else {
				ways[k].Sub(ways[k], &by)
			}
		}
	}
	return rowsOf(n, ways, new(big.Int).Exp(big.NewInt(int64(s)), big.NewInt(int64(n)), nil))
}

// keptByHand goes through the faces from the highest and stores, for each number of dice seen so
// far, the ways to each total of the best ones.
func keptByHand(n, s, keep int) []odds.Row {
	most := keep * s
	now := make([][]big.Int, n+1) // by dice seen, by total
	for i := range now {
		now[i] = make([]big.Int, most+1)
	}
	now[0][0].SetInt64(1)
	binomials := make([][]*big.Int, n+1)
	for i := range binomials {
		binomials[i] = make([]*big.Int, i+1)
		for k := range binomials[i] {
			binomials[i][k] = new(big.Int).Binomial(int64(i), int64(k))
		}
	}
	var product big.Int
	for face := s; face >= 1; face-- {
		for seen := n - 1; seen >= 0; seen-- { // downwards, so that entries with more dice are already done
			for total := range now[seen] {
				w := &now[seen][total]
				if w.Sign() == 0 {
					continue
				}
				for k := 1; seen+k <= n; k++ {
					to := &now[seen+k][total+face*min(k, max(0, keep-seen))]
					to.Add(to, product.Mul(w, binomials[n-seen][k]))
				}
			}
		}
	}
	ways := make([]*big.Int, 0, most-keep+1)
	for total := keep; total <= most; total++ {
		ways = append(ways, &now[n][total])
	}
	return rowsOf(keep, ways, new(big.Int).Exp(big.NewInt(int64(s)), big.NewInt(int64(n)), nil))
}

// narrative returns n dice of eight or twelve faces with successes and advantages, against the roller
// if sign is −1.
func narrative(n, sides, sign int) rule.VectorPool {
	p := rule.VectorPool{Pool: dice.Pool{N: n, Sides: sides}}
	for face := range sides {
		p.Faces = append(p.Faces, rule.Vector{sign * (face % 3), sign * (face / 4)})
	}
	return p
}

// symbolsByHand adds up narrative dice, die by die, in a map.
func symbolsByHand(pools []rule.VectorPool) []odds.Row {
	ways, total := map[rule.Vector]*big.Int{{}: big.NewInt(1)}, big.NewInt(1)
	for _, p := range pools {
		for range p.N {
			next := make(map[rule.Vector]*big.Int, 2*len(ways))
			for sum, n := range ways {
				for _, face := range p.Faces {
					to := sum.Plus(face)
					if next[to] == nil {
						next[to] = new(big.Int)
					}
					next[to].Add(next[to], n)
				}
			}
			ways = next
			total.Mul(total, big.NewInt(int64(p.Sides)))
		}
	}
	rows := make([]odds.Row, 0, len(ways))
	for sum, n := range ways {
		rows = append(rows, odds.Row{
			Outcome: rule.Total, N: 1000*sum[0] + sum[1], Counts: true, P: new(big.Rat).SetFrac(n, total),
		})
	}
	slices.SortFunc(rows, func(a, b odds.Row) int { return a.N - b.N })
	return rows
}

func symbolOdds(t testing.TB, pools []rule.VectorPool) []odds.Row {
	t.Helper()
	f := func(r *rule.Run) rule.Outcome {
		sum := rule.SumVectors(r, pools)
		return rule.Outcome{ID: rule.Total, N: 1000*sum[0] + sum[1]}
	}
	o, err := odds.Price(t.Context(), f, []odds.Kind{{ID: rule.Total, Counts: true}}, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return o.Rows
}

// narrativePools are pools of 4 + 4 + 2 + 2 and of 8 + 8 + 2 + 2 narrative dice.
var narrativePools = map[string][]rule.VectorPool{
	"4+4+2+2": {narrative(4, 8, 1), narrative(4, 8, -1), narrative(2, 12, 1), narrative(2, 12, -1)},
	"8+8+2+2": {narrative(8, 8, 1), narrative(8, 8, -1), narrative(2, 12, 1), narrative(2, 12, -1)},
}

func TestSymbolOddsAgreeWithHandWrittenLoops(t *testing.T) {
	for name, pools := range narrativePools {
		got, want := symbolOdds(t, pools), symbolsByHand(pools)
		if !slices.EqualFunc(got, want, func(a, b odds.Row) bool { return a.N == b.N && a.P.Cmp(b.P) == 0 }) {
			t.Errorf("%s: %d rows, by hand %d", name, len(got), len(want))
		}
	}
	thrown := rule.Vector{}
	_, err := rule.Simulate(func(r *rule.Run) rule.Outcome {
		thrown = rule.SumVectors(r, narrativePools["4+4+2+2"])
		return rule.Outcome{ID: rule.Total}
	}, lowest{}, nil)
	if want := (rule.Vector{}); err != nil || thrown != want {
		t.Errorf("twelve dice that show 1 are worth %v, %v", thrown, err)
	}
}

// lowest rolls only ones.
type lowest struct{}

func (lowest) Face(int) int { return 1 }

func BenchmarkSymbolOdds(b *testing.B) {
	for name, pools := range narrativePools {
		b.Run(name+"/rule", func(b *testing.B) {
			for b.Loop() {
				symbolOdds(b, pools)
			}
		})
		b.Run(name+"/by-hand", func(b *testing.B) {
			for b.Loop() {
				symbolsByHand(pools)
			}
		})
	}
}
