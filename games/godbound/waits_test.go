package godbound

import (
	"encoding/json"
	"slices"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// While a hero is asked whether to rise, only that hero is held: who struck, the fight and the
// targets that the blows have passed are free to act. GB-02
func TestWhileAHeroIsAskedOnlyThatHeroIsHeld(t *testing.T) {
	s := game.Scene{Actor: "kirou", Settings: standard, Cast: map[string]game.Member{
		"kirou": {ID: "kirou", Kind: "foe", Sheet: Foe{
			HD: 10, Count: 1, Bonus: 40, Actions: 1, Attacks: []Blows{{Name: "Claw", Dice: "1d12", Times: 2, Straight: true}},
		}},
		"sefa":  {ID: "sefa", Kind: "hero", Sheet: Hero{Level: 1, HP: 40, AC: 9}},
		"arren": {ID: "arren", Kind: "hero", Sheet: Hero{Level: 1, HP: 1, AC: 9}},
		"bridge": {ID: "bridge", Kind: "fight", Sheet: Fight{Round: 1, First: "foes", Turn: "foes", Fighters: []Fighter{
			{Who: "kirou", Side: "foes"}, {Who: "sefa", Side: "heroes"}, {Who: "arren", Side: "heroes"},
		}}},
	}}
	a := Strike{Target: "sefa", Split: []Share{{Target: "arren", Blows: 1, Attack: "0"}}, Fight: form.Ref("bridge")}
	result, err := rule.Play(strikeMove.Play(s, a), rule.Options{
		Source: rule.HandSource(dice.NewHand([]int{19, 19, 5, 5}), false),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Open) != 1 || result.Open[0].ID != "godbound.rise" {
		t.Fatalf("asked %v", result.Open)
	}
	for who, free := range map[string]bool{"kirou": true, "bridge": true, "sefa": true, "arren": false} {
		if slices.Contains(result.Released, who) != free {
			t.Errorf("%s is free: %t, want %t", who, !free, free)
		}
	}
}

// The fate of a beaten foe is an offer: what is left over goes on to others, and the move ends. GB-15
func TestNobodyWaitsForAFoesFate(t *testing.T) {
	s := game.Scene{Actor: "arren", Settings: standard, Cast: map[string]game.Member{
		"arren": {ID: "arren", Kind: "hero", Sheet: Hero{Level: 5, HP: 9, AC: 9, Fray: "1d8"}},
		"rat":   {ID: "rat", Kind: "foe", Sheet: Foe{HD: 1, Count: 1, AC: 9}},
		"other": {ID: "other", Kind: "foe", Sheet: Foe{HD: 3, Count: 1, AC: 9}},
	}}
	result, err := rule.Play(frayMove.Play(s, Fray{Target: "rat", Reach: []form.Ref{"other"}}), rule.Options{
		Source: rule.HandSource(dice.NewHand([]int{8}), false),
	})
	if err != nil || !result.Done {
		t.Fatalf("done %t, open %v: %v", result.Done, result.Open, err)
	}
	var offered []string
	hurt := map[string]int{}
	for _, told := range result.Events {
		switch e := told.Event.(type) {
		case game.OfferMade:
			var doom Doom
			if err := json.Unmarshal([]byte(e.Args), &doom); err != nil {
				t.Fatal(err)
			}
			offered = append(offered, e.To+" "+doom.Fate)
		case FoeHurt:
			hurt[e.Who] += e.Points
		}
	}
	if !slices.Equal(offered, []string{"arren dead", "arren beaten"}) || hurt["rat"] != 1 || hurt["other"] != 1 {
		t.Errorf("offered %v, hurt %v", offered, hurt)
	}
}

// meanwhile plays a move up to an open question, lets others change something while it's open, and
// answers every question with its default until the move is done.
func meanwhile(t *testing.T, play func(*rule.Run) rule.Outcome, question string, changes ...rule.Event) rule.Result[rule.Outcome] {
	t.Helper()
	source := rule.RollerSource(dice.NewStream([32]byte{1}))
	result, err := rule.Play(play, rule.Options{Source: source})
	for n := 0; err == nil && !result.Done && n < 9; n++ {
		open, trail := result.Open[0], result.Trail
		if open.ID == question {
			for n, e := range changes {
				trail = append(slices.Clip(trail), rule.Step{Part: open.Part, Meanwhile: &rule.Meanwhile{Event: e, By: 9, N: n}})
			}
			changes = nil
		}
		step, e := open.Step([]byte("{}"), "s1")
		if e != nil {
			t.Fatal(e)
		}
		result, err = rule.Play(play, rule.Options{Trail: append(slices.Clip(trail), step), Source: source})
	}
	if err != nil || !result.Done || changes != nil {
		t.Fatalf("open %v, %d changes left: %v", result.Open, len(changes), err)
	}
	return result
}

// Blows at somebody helpless need no throw; who is healed before they fall doesn't die of them: their
// damage is thrown then. GB-02, GB-16
func TestHealedBetweenTwoBlowsIsNotSlainAsIfHelpless(t *testing.T) {
	s := game.Scene{Actor: "kirou", Settings: standard, Cast: map[string]game.Member{
		"kirou": {ID: "kirou", Kind: "foe", Sheet: Foe{
			HD: 10, Count: 1, Bonus: 40, Actions: 1, Attacks: []Blows{{Name: "Claw", Dice: "1d12", Times: 3, Straight: true}},
		}},
		"arren": {ID: "arren", Kind: "hero", Sheet: Hero{Level: 1, HP: 1, AC: 9}},
		"sefa":  {ID: "sefa", Kind: "hero", Sheet: Hero{Level: 1, HP: 90, Lost: 90, State: "dying", AC: 9}},
	}}
	a := Strike{Target: "arren", Split: []Share{{Target: "sefa", Blows: 1, Attack: "0"}, {Target: "sefa", Blows: 1, Attack: "0"}}}
	healed := Mended{Who: "sefa", Points: 80, Why: "magic"}
	result := meanwhile(t, strikeMove.Play(s, a), "godbound.rise", healed)
	lost, dead := 0, false
	for _, told := range result.Events {
		switch e := told.Event.(type) {
		case HPLost:
			if e.Who == "sefa" {
				lost += e.Points
			}
		case Slain:
			dead = true
		}
	}
	want := 0
	for n, step := range result.Trail[len(result.Trail)-2:] {
		if step.Dice == nil {
			t.Fatalf("blow %d isn't thrown", n+2)
		}
		want += step.Dice.Faces[0]
	}
	if dead || lost != want {
		t.Errorf("dead %t, lost %d, want %d", dead, lost, want)
	}
}

// Healing comes too late for who has died while it's agreed, and for who needs none any more; nothing
// is paid then. GB-02, GB-20
func TestHealingComesTooLateForTheDeadAndTheHealed(t *testing.T) {
	s := game.Scene{Actor: "mira", Settings: standard, Cast: map[string]game.Member{
		"mira": {ID: "mira", Kind: "hero", Sheet: Hero{Level: 1, HP: 10, Effort: Effort{Total: 3}, Words: []Named{{Name: "Sun"}}}},
		"sefa": {ID: "sefa", Kind: "hero", Sheet: Hero{Level: 1, HP: 10, Lost: 10, State: "dying", Effort: Effort{Total: 3}}},
	}}
	a := Heal{Patient: "sefa", Points: 5, By: "word:0", Until: "day"}
	for change, want := range map[rule.Event]string{
		Slain{Who: "sefa"}:              "too-late",
		Mended{Who: "sefa", Points: 10}: "too-late",
		Mended{Who: "sefa", Points: 4}:  "healed",
	} {
		result := meanwhile(t, healMove.Play(s, a), "godbound.accept", change)
		paid := slices.ContainsFunc(result.Events, func(told rule.PlacedEvent) bool {
			_, paid := told.Event.(EffortCommitted)
			return paid
		})
		if result.Value.ID != want || paid != (want == "healed") {
			t.Errorf("after %+v it's %s, paid %t, want %s", change, result.Value.ID, paid, want)
		}
	}
}
