package godbound

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

func walked(t testing.TB, f func(*rule.Run) rule.Outcome) *odds.Odds {
	t.Helper()
	law, err := rule.Walk(f, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return odds.Of(law, nil)
}

// GB-10: the reference is computed by hand.
func TestDamageOddsMatchValuesComputedByHand(t *testing.T) {
	o := walked(t, damageMove.Price(game.Scene{}, tenDice))
	for points, ways := range tenDiceByHand() {
		want := new(big.Rat).SetFrac(new(big.Int).SetUint64(ways), big.NewInt(1<<30))
		if got := o.AtLeast("damage", points); got.Sub(got, o.AtLeast("damage", points+1)).Cmp(want) != 0 {
			t.Errorf("%d points: %v, want %v", points, got, want)
		}
	}
}

// GB-10: the modifier is applied to the best die, for any dice and modifier, and many blows at once
// equal that many blows one after the other.
func TestTheBestDieGetsTheModifier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SampledFrom([]int{4, 6, 8, 10, 12, 20}).Draw(t, "sides")
		faces := rapid.SliceOfN(rapid.IntRange(1, sides), 1, 6).Draw(t, "faces")
		b := blow{
			pool:     dice.Pool{N: len(faces), Sides: sides, For: "damage"},
			modifier: rapid.IntRange(-6, 9).Draw(t, "modifier"),
		}
		best := -1
		for on := range faces {
			points := 0
			for i, face := range faces {
				if i == on {
					face += b.modifier
				}
				points += chart(face)
			}
			best = max(best, points)
		}
		thrown := func(f func(*rule.Run) int, faces []int) int {
			result, err := rule.Play(
				f,
				rule.Options{Source: rule.HandSource(dice.NewHand(faces), false), Policy: rule.Policy{}},
			)
			if err != nil {
				t.Fatal(err)
			}
			return result.Value
		}
		if got := thrown(b.points, faces); got != best {
			t.Fatalf("%v%+d: %d points, the best die gives %d", faces, b.modifier, got, best)
		}
		asked := func(r *rule.Run) int { return on(r, game.Scene{Settings: standard}).roll(b, "arren", "arren") }
		if got := thrown(asked, faces); got != best {
			t.Fatalf("%v%+d: the standard answer gives %d points, the best die %d", faces, b.modifier, got, best)
		}
		twice := func(r *rule.Run) int { return b.many(r, 2) }
		if got := thrown(twice, slices.Concat(faces, faces)); got != 2*best {
			t.Fatalf("%v%+d twice: %d points, want %d", faces, b.modifier, got, 2*best)
		}
	})
}

// GB-06, GB-07, GB-09: chances of a d20 are multiples of 1/20.
func TestChancesOfAD20AreTwentieths(t *testing.T) {
	for _, c := range []struct {
		what string
		f    func(*rule.Run) rule.Outcome
		good string
		want int64 // of 20
	}{
		{"attribute 14", checkMove.Price(game.Scene{}, Check{Attribute: 14}), "success", 14},
		{"attribute 14 with a Fact", checkMove.Price(game.Scene{}, Check{Attribute: 14, Fact: "*"}), "success", 18},
		{"attribute 18 with a Fact", checkMove.Price(game.Scene{}, Check{Attribute: 18, Fact: "*"}), "success", 20},
		{"attribute 3 at −8", checkMove.Price(game.Scene{}, Check{Attribute: 3, Penalty: 8}), "success", 0},
		{"save 15", saveMove.Price(game.Scene{}, Save{Target: 15}), "success", 6},
		{"save 1", saveMove.Price(game.Scene{}, Save{Target: 1}), "success", 19},
		{"save 15 at −10", saveMove.Price(game.Scene{}, Save{Target: 15, Penalty: 10}), "success", 1},
		{"bonus 3, modifier 2, AC 5", attackMove.Price(game.Scene{}, Attack{Bonus: 3, Modifier: 2, AC: 5}), "hit", 11},
		{"bonus 30", attackMove.Price(game.Scene{}, Attack{Bonus: 30, AC: 9}), "hit", 19},
		{"AC −10", attackMove.Price(game.Scene{}, Attack{AC: -10}), "hit", 1},
	} {
		if got := walked(t, c.f).Any(c.good); got.Cmp(big.NewRat(c.want, 20)) != 0 {
			t.Errorf("%s: %v, want %d/20", c.what, got, c.want)
		}
	}
	if got := walked(t, moraleMove.Price(game.Scene{}, Morale{Morale: 8})).Any("breaks"); got.Cmp(
		big.NewRat(10, 36),
	) != 0 {
		t.Errorf("morale 8 breaks with %v, want 10/36", got)
	}
}

// A fight has the same odds as a move and as a chain, round by round.
func TestFightHasTheSameOddsAsMoveAndAsChain(t *testing.T) {
	for _, f := range []Forecast{
		{
			Heroes: 1, HeroHP: 9, HeroAC: 5, HeroLevel: 1, HeroBonus: 2, HeroModifier: 1, HeroDice: "1d10", Fray: "1d8",
			Foes: 4, FoeHD: 1, FoeAC: 7, FoeBonus: 1, FoeDice: "1d6", Rounds: 4,
		},
		{
			Heroes: 2, HeroHP: 6, HeroAC: 7, HeroLevel: 2, HeroBonus: 2, HeroDice: "1d6", Foes: 3, FoeHD: 2, FoeAC: 5,
			FoeBonus: 3, FoeDice: "1d8+1", Rounds: 3, Surprised: true,
		},
	} {
		battle := f.battle(game.Scene{})
		course, err := odds.Chain(t.Context(), battle.Start(), battle.Round, battle.Over, f.Rounds, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		wins := func(s State) bool { return s.HD == 0 }
		loses := func(s State) bool { return s.HP() == 0 }
		last := new(big.Rat)
		for rounds := 1; rounds <= f.Rounds; rounds++ {
			f.Rounds = rounds
			o := walked(t, forecastMove.Price(game.Scene{}, f))
			if got, want := o.Any("win"), course.Any(rounds, wins); got.Cmp(want) != 0 {
				t.Errorf("won by round %d: %v, as a chain %v", rounds, got, want)
			}
			if got, want := o.Any("lose"), course.Any(rounds, loses); got.Cmp(want) != 0 {
				t.Errorf("lost by round %d: %v, as a chain %v", rounds, got, want)
			}
			if sum := o.Any("win", "lose", "unfinished"); sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("round %d: chances sum to %v", rounds, sum)
			}
			if done := course.FinishedBy(rounds); done.Cmp(last) < 0 {
				t.Errorf("over by round %d: %v, a round before %v", rounds, done, last)
			} else {
				last = done
			}
		}
	}
}

// The reference is a fight small enough to compute by hand: one HP against one HD.
func TestSmallFightHasTheOddsComputedByHand(t *testing.T) {
	f := Forecast{
		Heroes: 1, HeroHP: 1, HeroAC: 9, HeroLevel: 1, HeroBonus: 1, HeroDice: "1d4",
		Foes: 1, FoeHD: 1, FoeAC: 9, FoeBonus: 1, FoeDice: "1d4", Rounds: 1,
	}
	// Each hits on a 10 or more, 11 of 20, and does harm on a 2 or more.
	hurt := new(big.Rat).Mul(big.NewRat(11, 20), big.NewRat(3, 4))
	spared := new(big.Rat).Sub(big.NewRat(1, 1), hurt)
	o := walked(t, forecastMove.Price(game.Scene{}, f))
	if got := o.Any("win"); got.Cmp(hurt) != 0 {
		t.Errorf("won with %v, want %v", got, hurt)
	}
	if got, want := o.Any("lose"), new(big.Rat).Mul(spared, hurt); got.Cmp(want) != 0 {
		t.Errorf("lost with %v, want %v", got, want)
	}
	f.Surprised = true
	o = walked(t, forecastMove.Price(game.Scene{}, f))
	if got := o.Any("lose"); got.Cmp(hurt) != 0 {
		t.Errorf("surprised, lost with %v, want %v", got, hurt)
	}
}
