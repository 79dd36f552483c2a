package edda

import (
	"slices"
	"strconv"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// A hero who fades the last strength for a miracle restores it while the special effort is asked, and
// doesn't leave the world; the experience reported afterwards counts what was spent. ED-19, ED-23
func TestStrengthIsRestoredWhileTheEffortIsAsked(t *testing.T) {
	hero := Hero{
		Experience: 6, Strengths: []Strength{{Name: "Keen eyes", Steps: 2}},
		Weakness: Weakness{Text: "Proud", Marks: 2},
	}
	members := map[string]game.Member{
		"anna":  {ID: "anna", Kind: "hero", Name: "Anna", Sheet: hero},
		"troll": {ID: "troll", Kind: "fated", Name: "Troll", Sheet: Fated{Dice: 4}},
	}
	plan := Action{Fade: "0", Miracle: "dice", Weakness: true}
	for name, c := range map[string]struct {
		play func(*rule.Run, game.Scene) rule.Outcome
		// the events' values if nothing is restored meanwhile, and if something is
		asked, meanwhile map[string]string
	}{
		"an action": {func(r *rule.Run, s game.Scene) rule.Outcome {
			return playAct(r, s, Act{Complexity: 9, Action: plan})
		}, map[string]string{"gained": "8", "restored": "3"}, map[string]string{"gained": "3"}},
		"a contest": {func(r *rule.Run, s game.Scene) rule.Outcome {
			return playContest(r, s, Contest{Action: plan, Against: "troll"})
		}, map[string]string{"restored": "1"}, nil}, // it's won: the weakness gives nothing
	} {
		for _, restores := range []bool{false, true} {
			s := game.Scene{Actor: "anna", Settings: Settings{}, Cast: members}
			play := func(r *rule.Run) rule.Outcome { return c.play(r, s) }
			source := rule.RollerSource(dice.NewStream([32]byte{7}))
			result, err := rule.Play(play, rule.Options{Source: source})
			for n := 0; err == nil && !result.Done && n < 9; n++ {
				open := result.Open[0]
				trail := result.Trail
				if !open.LendsAll {
					t.Fatalf("%s: %s lends nobody", name, open.ID)
				}
				if restores && open.ID == "edda.effort" && open.To == "anna" {
					for n, e := range []rule.Event{
						ExperienceSpent{Who: "anna", Amount: 5, Now: 1}, StrengthRestored{Who: "anna", At: 0, Strength: "Keen eyes"},
					} {
						for _, each := range result.Open {
							trail = append(slices.Clip(trail),
								rule.Step{Part: each.Part, Meanwhile: &rule.Meanwhile{Event: e, By: 9, N: n}})
						}
					}
				}
				step, e := open.Step([]byte("{}"), "s1")
				if e != nil {
					t.Fatal(e)
				}
				result, err = rule.Play(play, rule.Options{Trail: append(slices.Clip(trail), step), Source: source})
			}
			if err != nil || !result.Done {
				t.Fatalf("%s: open %v, %v", name, result.Open, err)
			}
			told := map[string]string{}
			for _, e := range result.Events {
				switch e := e.Event.(type) {
				case Oblivion:
					told["oblivion"] = e.Who
				case ExperienceGained:
					told["gained"] = strconv.Itoa(e.Now)
				case ExperienceSpent:
					told["restored"] = strconv.Itoa(e.Now)
				}
			}
			want := c.asked
			if restores {
				want = c.meanwhile
			}
			if len(told) != len(want) || told["gained"] != want["gained"] || told["restored"] != want["restored"] {
				t.Errorf("%s, restored meanwhile %t: told %v, want %v", name, restores, told, want)
			}
		}
	}
}

// A step that is bought while Fate is asked for leave, or between two attempts, is in the question,
// which is asked anew, and in the next throw. ED-02, ED-04, ED-19
func TestStepBoughtMeanwhileCountsInTheNextThrow(t *testing.T) {
	hero := Hero{Experience: 20, Strengths: []Strength{{Name: "Keen eyes", Steps: 1}}}
	s := game.Scene{Actor: "anna", Settings: Settings{Agree: true}, Cast: map[string]game.Member{
		"anna": {ID: "anna", Kind: "hero", Name: "Anna", Sheet: hero},
	}}
	play := func(r *rule.Run) rule.Outcome {
		return playAct(r, s, Act{Complexity: 9, Attempts: 3, Action: Action{Strengths: places(1)}})
	}
	source := rule.RollerSource(dice.NewStream([32]byte{7}))
	result, err := rule.Play(play, rule.Options{Source: source})
	steps := 1
	for n := 0; err == nil && !result.Done && n < 9; n++ {
		open, trail := result.Open[0], result.Trail
		answer := "{}"
		switch about := open.About.(type) {
		case AboutAction, AboutAttempt:
			steps++
			for n, e := range []rule.Event{
				ExperienceSpent{Who: "anna", Amount: 1, Now: 20 - steps}, StepGained{Who: "anna", Now: steps},
			} {
				trail = append(slices.Clip(trail), rule.Step{Part: open.Part, Meanwhile: &rule.Meanwhile{Event: e, By: 9, N: n}})
			}
			if result, err = rule.Play(play, rule.Options{Trail: trail, Source: source}); err != nil {
				t.Fatal(err)
			}
			dice := 0
			switch again := result.Open[0].About.(type) {
			case AboutAction:
				dice = total(again.Pool)
			case AboutAttempt:
				dice = again.Dice
			}
			if open = result.Open[0]; dice != steps {
				t.Errorf("asked anew, %T says %d dice, want %d", about, dice, steps)
			}
		case AboutEffort:
			answer = `{"pay": "none"}`
		}
		step, e := open.Step([]byte(answer), "s1")
		if e != nil {
			t.Fatal(e)
		}
		result, err = rule.Play(play, rule.Options{Trail: append(slices.Clip(trail), step), Source: source})
	}
	if err != nil || !result.Done {
		t.Fatalf("open %v, %v", result.Open, err)
	}
	var thrown, counted []int
	for _, step := range result.Trail {
		if step.Dice != nil {
			thrown = append(thrown, len(step.Dice.Faces))
		}
	}
	for _, e := range result.Events {
		if e, ok := e.Event.(PoolCounted); ok {
			counted = append(counted, total(e.Pool))
		}
	}
	if want := []int{2, 3, 4}; !slices.Equal(thrown, want) || !slices.Equal(counted, want) {
		t.Errorf("thrown %v, told %v, want %v", thrown, counted, want)
	}
}
