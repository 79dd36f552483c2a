package rule_test

import (
	"math/big"
	"testing"

	"norn/dice"
	"norn/rule"
)

// pools are notations over unusual dice, as games use them.
var pools = []string{
	"10d10!!kh5",
	"10d10 set",
	"10d10!!kl3",
	"{d4,d6,d8,d10,d12}kh2",
	"8d6! straight",
	"10d10r1kh4",
	"6d6!kh3",
	"5d6!>4 set",
}

func TestLargePoolsHaveExactOddsWithinTheLimit(t *testing.T) {
	for _, text := range pools {
		spent := 0
		law, err := rule.Walk(rule.Notation(parse(t, text)), nil, rule.Limits{Branches: 150_000, Spent: &spent})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sum := new(big.Int)
		for _, w := range law.Weights {
			sum.Add(sum, w.Big())
		}
		if sum.Cmp(law.Total.Big()) != 0 {
			t.Errorf("%s: the weights make %s of %s", text, sum, law.Total)
		}
	}
}

// The highest two of ten exploding d10 are 3 at most only if all dice are.
func TestKeptExplodingDiceHaveCorrectOdds(t *testing.T) {
	law, err := rule.Walk(rule.Notation(parse(t, "10d10!!kh2 6-")), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ones := new(big.Rat).SetFrac64(1, 10_000_000_000) // all ten show 1
	if got := law.Of(rule.Outcome{ID: rule.Reached, N: 2}); got.Cmp(ones) != 0 {
		t.Errorf("2 has the chance %s", got)
	}
}

// A Year Zero pool of twenty dice, pushed: dice that show neither 6 nor 1 are thrown again once.
// Twenty single dice must have the same law.
func TestAPushedPoolOfTwentyDiceIsExact(t *testing.T) {
	push := func(r *rule.Run) int {
		first := r.Classes(dice.Pool{N: 20, Sides: 6, For: "pool"}, dice.Exactly(6), dice.Exactly(1))
		return first[0] + r.Count(dice.Pool{N: 20 - first[0] - first[1], Sides: 6, For: "push"}, dice.Exactly(6))
	}
	law, err := rule.Walk(push, nil, rule.Limits{Branches: 150_000})
	if err != nil {
		t.Fatal(err)
	}
	hit := big.NewRat(10, 36) // 1/6, and 4/6 of 1/6
	for n := range 21 {
		want := new(big.Rat).SetInt(new(big.Int).Binomial(20, int64(n)))
		for i := range 20 {
			if i < n {
				want.Mul(want, hit)
			} else {
				want.Mul(want, new(big.Rat).Sub(big.NewRat(1, 1), hit))
			}
		}
		if got := law.Of(n); got.Cmp(want) != 0 {
			t.Errorf("%d successes have the chance %s, want %s", n, got, want)
		}
	}
}

// A rule may throw expressions, in live runs and in exact walks.
func TestRuleMayThrowNotation(t *testing.T) {
	e := parse(t, "4d6!!kh2")
	f := func(r *rule.Run) int { return r.Dice(e) }
	law, err := rule.Walk(f, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	played, err := rule.Play(f, rule.Options{Source: rule.HandSource(dice.NewHand([]int{6, 1, 4, 2, 3}), false)})
	if err != nil || played.Value != 13 || law.Of(13).Sign() == 0 {
		t.Errorf("%+v, %v, %s", played, err, law.Of(13))
	}
}

func BenchmarkPools(b *testing.B) {
	for _, text := range pools {
		f := rule.Notation(parse(b, text))
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rule.Walk(f, nil, rule.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("10d10 set/by-hand", func(b *testing.B) {
		for b.Loop() {
			largestByHand(10, 10)
		}
	})
	b.Run("10d10!!kh5/by-hand", func(b *testing.B) {
		for b.Loop() {
			explodingByHand(10, 5)
		}
	})
}

func TestTenKeepFiveOddsAgreeWithAHandWrittenLoop(t *testing.T) {
	law, err := rule.Walk(rule.Notation(parse(t, "10d10!!kh5")), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ways := explodingByHand(10, 5)
	all := new(big.Int).Exp(big.NewInt(10), big.NewInt(11*10), nil)
	for sum, n := range ways {
		want := new(big.Rat).SetFrac(n, all)
		if got := law.Of(rule.Outcome{ID: rule.Total, N: sum}); got.Cmp(want) != 0 {
			t.Fatalf("%d has the chance %s, want %s", sum, got, want)
		}
	}
}

func TestLargestSetOddsAgreeWithAHandWrittenLoop(t *testing.T) {
	law, err := rule.Walk(rule.Notation(parse(t, "10d10 set")), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, all := new(big.Rat), new(big.Int).Exp(big.NewInt(10), big.NewInt(10), nil)
	for most, n := range largestByHand(10, 10) {
		got.Add(got, law.Of(rule.Outcome{ID: rule.Successes, N: most})).Add(got, law.Of(rule.Outcome{ID: rule.Total, N: most}))
		if n != nil && got.Cmp(new(big.Rat).SetFrac(n, all)) != 0 {
			t.Errorf("at most %d has the chance %s", most, got)
		}
	}
	if got.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("all sets have the chance %s", got)
	}
}

// explodingByHand returns, for each total, in how many ways the keep highest of n ten-sided dice come to
// it that are thrown again up to ten times for each ten. It is a direct computation for this case
// only: from the highest value down, until enough dice are kept.
func explodingByHand(n, keep int) []*big.Int {
	const deep = 10
	power := func(base *big.Int, e int) *big.Int { return new(big.Int).Exp(base, big.NewInt(int64(e)), nil) }
	var weights [10*deep + 11]*big.Int
	for value := range weights {
		switch again := (value - 1) / 10; {
		case value == len(weights)-1:
			weights[value] = big.NewInt(1)
		case value > 0 && value%10 > 0:
			weights[value] = power(big.NewInt(10), deep-again)
		}
	}
	have := make([]map[int]*big.Int, keep) // by dice so far, ways by their total
	for i := range have {
		have[i] = map[int]*big.Int{}
	}
	have[0][0] = big.NewInt(1)
	ways := make([]*big.Int, keep*(len(weights)-1)+1)
	for i := range ways {
		ways[i] = new(big.Int)
	}
	below := power(big.NewInt(10), deep+1) // ways of a die to be at most the value
	for value := len(weights) - 1; value > 0; value-- {
		w := weights[value]
		if w == nil {
			continue
		}
		below = new(big.Int).Sub(below, w)
		for used := keep - 1; used >= 0; used-- {
			left := n - used
			enough := new(big.Int) // ways of the other dice when enough of them show the value
			for more := keep - used; more <= left; more++ {
				part := new(big.Int).Binomial(int64(left), int64(more))
				enough.Add(enough, part.Mul(part, new(big.Int).Mul(power(w, more), power(below, left-more))))
			}
			for total, before := range have[used] {
				at := ways[total+(keep-used)*value]
				at.Add(at, new(big.Int).Mul(before, enough))
				for more := 1; used+more < keep; more++ {
					part := new(big.Int).Binomial(int64(left), int64(more))
					part.Mul(part, power(w, more)).Mul(part, before)
					into := have[used+more]
					if old, there := into[total+more*value]; there {
						part.Add(part, old)
					}
					into[total+more*value] = part
				}
			}
		}
	}
	return ways
}

// largestByHand returns, for each k, the number of ways in which n dice show no face more than k
// times. It is a direct computation for this case only.
func largestByHand(n, sides int) []*big.Int {
	ways := make([]*big.Int, n+1)
	for most := 1; most <= n; most++ {
		have := make([]*big.Int, n+1)
		for i := range have {
			have[i] = new(big.Int)
		}
		have[0].SetInt64(1)
		for range sides {
			for used := n; used >= 0; used-- {
				sum := new(big.Int)
				for k := 0; k <= min(most, used); k++ {
					part := new(big.Int).Binomial(int64(used), int64(k))
					sum.Add(sum, part.Mul(part, have[used-k]))
				}
				have[used] = sum
			}
		}
		ways[most] = have[n]
	}
	return ways
}
