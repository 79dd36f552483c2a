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
