package eclipse

import (
	"slices"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// A point that was declared for a test and is spent on something else while the other side is asked
// doesn't count in the target, and isn't paid. EP-18, EP-20
func TestPointSpentMeanwhileIsNotInTheTarget(t *testing.T) {
	hero := Character{
		Aptitudes: Aptitudes{Ref: 15},
		Skills:    []Skill{{Name: "guns", Aptitude: "ref", Kind: "combat", Value: 45, Defaultable: true}},
		Pools:     Pools{Vigor: Pool{Now: 1, Max: 1}},
	}
	s := game.Scene{Actor: "amina", Settings: standard, Cast: map[string]game.Member{
		"amina": {ID: "amina", Kind: "character", Name: "Amina", Sheet: hero},
		"sava":  {ID: "sava", Kind: "character", Name: "Sava", Sheet: hero},
	}}
	play := func(r *rule.Run) rule.Outcome {
		return playOpposed(r, s, Opposed{
			Rival: "sava", Roll: Roll{On: "skill:guns", Difficulty: "average", Situation: "even", Boost: true},
		})
	}
	for spends, want := range map[bool]int{false: 65, true: 45} {
		source := rule.RollerSource(dice.NewStream([32]byte{3}))
		result, err := rule.Play(play, rule.Options{Source: source})
		if err != nil || len(result.Open) != 1 {
			t.Fatalf("%d open, %v", len(result.Open), err)
		}
		trail := result.Trail
		if spends {
			spent := PointSpent{Who: "amina", Pool: "vigor", N: 1}
			trail = append(trail, rule.Step{Meanwhile: &rule.Meanwhile{Event: spent}})
		}
		step, err := result.Open[0].Step([]byte("{}"), "s1")
		if err != nil {
			t.Fatal(err)
		}
		result, err = rule.Play(play, rule.Options{Trail: append(trail, step), Source: source})
		if err != nil {
			t.Fatal(err)
		}
		target := slices.IndexFunc(result.Events, func(e rule.PlacedEvent) bool {
			set, ok := e.Event.(TargetSet)
			return ok && set.Who == "amina" && set.Target == want
		})
		if target < 0 {
			t.Errorf("spent meanwhile %t: nothing is tested against %d: %+v", spends, want, result.Events)
		}
	}
}
