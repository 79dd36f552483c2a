package eclipse

import (
	"fmt"
	"math/big"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// bands is the rule text as a table: the result of a roll as a success and as a failure, without
// critical ones.
var bands = []struct {
	from, to  int
	won, lost string
}{
	{0, 32, "success", "superior-failure-2"},
	{33, 33, "superior-success", "superior-failure-2"},
	{34, 65, "superior-success", "superior-failure"},
	{66, 66, "superior-success-2", "superior-failure"},
	{67, 99, "superior-success-2", "failure"},
}

var doubles = map[string]bool{
	"00": true, "11": true, "22": true, "33": true, "44": true, "55": true, "66": true, "77": true, "88": true,
	"99": true,
}

// oracle evaluates a roll by the table; the roll is written as dice show it, "07".
func oracle(t *testing.T, dice string, target int, defaulted bool) string {
	t.Helper()
	var tens, units int
	if _, err := fmt.Sscanf(dice, "%1d%1d", &tens, &units); err != nil {
		t.Fatal(err)
	}
	roll := 10*tens + units
	switch {
	case dice == "99":
		return "critical-failure"
	case dice == "00" && defaulted:
		return "success"
	case dice == "00":
		return "critical-success"
	}
	for _, b := range bands {
		if roll < b.from || roll > b.to {
			continue
		}
		fails := roll > target
		switch {
		case fails && doubles[dice]:
			return "critical-failure"
		case fails:
			return b.lost
		case doubles[dice] && !defaulted:
			return "critical-success"
		}
		return b.won
	}
	t.Fatalf("the table has no row for %s", dice)
	return ""
}

// All 100 rolls against every target, with and without the skill, are thrown by hand and compared
// with odds.
func TestOddsAgreeWithEveryRollAgainstEveryTarget(t *testing.T) {
	for target := -60; target <= 160; target++ {
		for _, defaulted := range []bool{false, true} {
			counts := map[string]int64{}
			price := testMove.Price(game.Scene{}, Test{Plain: Plain{Target: target, Default: defaulted}})
			for face := 1; face <= 100; face++ {
				shown := fmt.Sprintf("%02d", face)
				if face == 100 {
					shown = "00"
				}
				want := oracle(t, shown, target, defaulted)
				counts[want]++
				got, err := rule.Play(price, rule.Options{Source: rule.HandSource(dice.NewHand([]int{face}), false)})
				if err != nil {
					t.Fatal(err)
				}
				if got.Value.ID != want {
					t.Fatalf("%s against %d (default %v) is %s, want %s", shown, target, defaulted, got.Value.ID, want)
				}
			}
			law, err := rule.Walk(price, nil, rule.Limits{Branches: 9})
			if err != nil {
				t.Fatal(err)
			}
			if len(law.Values) != len(counts) {
				t.Errorf("odds against %d have %v, want %v", target, law.Values, counts)
			}
			for id, n := range counts {
				if p := law.Of(rule.Outcome{ID: id}); p.Cmp(big.NewRat(n, 100)) != 0 {
					t.Errorf("odds of %s against %d (default %v) are %v, want %d/100", id, target, defaulted, p, n)
				}
			}
		}
	}
}

// Counting all 10,000 pairs of rolls by the table is the reference.
func TestOpposedOddsAgreeWithAllPairsOfRolls(t *testing.T) {
	worth := func(roll, target int) int { // rank of a success; 0 for a failure, less for a critical one
		switch oracle(t, fmt.Sprintf("%02d", roll), target, false) {
		case "critical-success":
			return 1000 + roll
		case "success", "superior-success", "superior-success-2":
			return 500 + roll
		case "critical-failure":
			return -1
		}
		return 0
	}
	for _, targets := range [][2]int{{60, 55}, {60, 60}, {0, 100}, {-20, -20}, {140, 99}, {35, 80}} {
		for _, higher := range []bool{false, true} {
			counts := map[string]int64{}
			for own := range 100 {
				for other := range 100 {
					a, b := worth(own, targets[0]), worth(other, targets[1])
					failed := a <= 0 && b <= 0
					switch {
					case failed && !higher:
						a, b = 0, 0
					case failed: // the higher roll, unless it's a critical failure
						a, b = own*(a+1), other*(b+1)
					}
					if higher && a == b && (a > 0) {
						a, b = targets[0], targets[1]
					}
					switch {
					case a > b:
						counts["win"]++
					case a < b:
						counts["lose"]++
					default:
						counts["deadlock"]++
					}
				}
			}
			s := game.Scene{Settings: Settings{Deadlock: map[bool]string{true: "higher", false: "stands"}[higher]}}
			law, err := rule.Walk(
				opposedMove.Price(s, Opposed{Target: targets[0], AgainstTarget: targets[1]}),
				nil,
				rule.Limits{Branches: 400},
			)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"win", "lose", "deadlock"} {
				if p := law.Of(rule.Outcome{ID: id}); p.Cmp(big.NewRat(counts[id], 10_000)) != 0 {
					t.Errorf("%v (higher wins %v): %s is %v, want %d/10000", targets, higher, id, p, counts[id])
				}
			}
		}
	}
}

// If the other side's sheet is visible, odds use its expected defence, including wounds; otherwise
// the given number. EP-18, EP-05
func TestOpposedOddsUseTheOtherSideIfItIsVisible(t *testing.T) {
	s := atTable()
	mars := Roll{On: "skill:know/Mars"} // 55, minus 30 for wounds and traumas and 10 for earlier results
	rival := Character{
		Aptitudes: Aptitudes{Int: 20},
		Skills:    []Skill{{Name: "kinesics", Aptitude: "sav", Value: 45}},
		Wounds:    1,
	}
	unseen := game.Member{ID: "tam", Kind: "character", Name: "Tam"}
	seen := unseen
	seen.Sheet = rival
	for about, c := range map[string]struct {
		rival  game.Member
		on     string
		target int
	}{
		"a skill of theirs":       {seen, "skill:kinesics", 35},
		"a check of theirs":       {seen, "check:int", 50},
		"a skill that they lack":  {seen, "skill:fray", 50},
		"nothing said":            {seen, "", 50},
		"a sheet that isn't seen": {unseen, "skill:kinesics", 70},
	} {
		s.Cast["tam"] = c.rival
		law, err := rule.Walk(
			opposedMove.Price(s, Opposed{Roll: mars, Rival: "tam", AgainstOn: c.on, AgainstTarget: 70}),
			nil,
			rule.Limits{Branches: 400},
		)
		if err != nil {
			t.Fatal(err)
		}
		wins := int64(0)
		for own := range 100 {
			for other := range 100 {
				a, b := read(own, 15, false), read(other, c.target, false)
				switch {
				case !a.isSuccess():
				case !b.isSuccess(), a == criticalSuccess && b != criticalSuccess:
					wins++
				case (a == criticalSuccess) == (b == criticalSuccess) && own > other:
					wins++
				}
			}
		}
		if p := law.Of(rule.Outcome{ID: "win"}); p.Cmp(big.NewRat(wins, 10_000)) != 0 {
			t.Errorf("%s: %v, want %d/10000", about, p, wins)
		}
	}
}

// EP-20: flipping twice restores the roll, and doubles don't change.
func TestFlippingTwiceRestoresTheRoll(t *testing.T) {
	for roll, want := range map[int]int{83: 38, 71: 17, 7: 70, 40: 4, 55: 55, 0: 0, 99: 99} {
		if got := flip(roll); got != want {
			t.Errorf("%02d flipped is %02d, want %02d", roll, got, want)
		}
	}
	for roll := range 100 {
		if flip(flip(roll)) != roll {
			t.Errorf("%02d flipped twice isn't itself", roll)
		}
	}
}
