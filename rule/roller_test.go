package rule

import (
	"testing"

	"norn/dice"
)

// Each throw says whose it is, also where somebody else types its faces.
func TestThrowsNameTheirRollers(t *testing.T) {
	d6 := dice.Pool{N: 1, Sides: 6}
	f := func(r *Run) int {
		r.Sum(d6)
		side := func(who, typist string) func(*Run) int {
			return func(r *Run) int {
				r.SetRoller(who)
				r.SetTypist(typist)
				return r.Sum(d6)
			}
		}
		return len(Together(r, side("anna", ""), side("boris", "gm")))
	}
	thrown, err := Play(f, Options{Source: HandSource(dice.NewHand([]int{1, 2, 3}), false)})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	typed, err := Play(f, Options{
		Source: HandSource(dice.NewHand(nil), true), Trail: thrown.Trail[:1],
		Roller: func(_ dice.Pool, by string) string { asked = append(asked, by); return by },
	})
	if err != nil || len(typed.Open) != 2 {
		t.Fatalf("%+v, %v", typed, err)
	}
	if asked[0] != "anna" || asked[1] != "gm" {
		t.Errorf("asked are %q", asked)
	}
	for i, who := range []string{"", "anna", "boris"} {
		if by := thrown.Trail[i].Dice.By; by != who {
			t.Errorf("throw %d is %q's, not %q's", i, by, who)
		}
		if i == 0 {
			continue
		}
		step, err := typed.Open[i-1].Step([]byte(`{"faces":[4]}`), "s1")
		if err != nil || step.Dice.By != who {
			t.Errorf("typed is %+v, %v", step.Dice, err)
		}
	}
}
