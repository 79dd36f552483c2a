package spire

import (
	"encoding/json"
	"slices"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// How an NPC leaves is an offer: the move ends, and the NPC is out of the conflict. SP-26
func TestNobodyWaitsForHowAnNPCLeaves(t *testing.T) {
	s := game.Scene{Actor: "guard", Settings: standard, Cast: map[string]game.Member{
		"guard": {ID: "guard", Kind: "npc", Sheet: NPC{Resistance: 4, Stress: 1}},
	}}
	result, err := rule.Play(harmMove.Play(s, Harm{Die: "d6"}), rule.Options{
		Source: rule.HandSource(dice.NewHand([]int{3}), false),
	})
	if err != nil || !result.Done {
		t.Fatalf("done %t, open %v: %v", result.Done, result.Open, err)
	}
	var offered []string
	for _, told := range result.Events {
		switch e := told.Event.(type) {
		case game.OfferMade:
			var ending Ending
			if err := json.Unmarshal([]byte(e.Args), &ending); err != nil {
				t.Fatal(err)
			}
			offered = append(offered, e.To+" "+e.Actor+" "+ending.How)
		case NPCBroken:
			offered = append(offered, e.How)
		}
	}
	if want := []string{"leaves", "gm guard flees", "gm guard yields"}; !slices.Equal(offered, want) {
		t.Errorf("offered %q, want %q", offered, want)
	}
}

// While the GM is asked what has moved on, the hero who is hiding is free, with no stress left. SP-23
func TestNobodyWaitsForWhatMovedOn(t *testing.T) {
	for name, a := range map[string]LieLow{"nothing": {}, "a proposal": {Meanwhile: "Nobody noticed."}} {
		s := game.Scene{Actor: "lira", Settings: standard, Cast: map[string]game.Member{
			"lira": {ID: "lira", Kind: "character", Sheet: Character{Stress: Marks{Blood: 3}}},
		}}
		result, err := rule.Play(lieLowMove.Play(s, a), rule.Options{})
		if err != nil || len(result.Open) != 1 || result.Open[0].ID != "spire.meanwhile" {
			t.Fatalf("%s: open %v: %v", name, result.Open, err)
		}
		if !slices.Equal(result.Released, []string{"lira"}) {
			t.Errorf("%s: %q are free", name, result.Released)
		}
		for _, told := range result.Events {
			if c, ok := game.AsChange(told.Event); ok {
				lira := s.Cast["lira"]
				lira.Sheet = c.Apply(lira.Sheet)
				s.Cast["lira"] = lira
			}
		}
		if hero, _ := game.Sheet[Character](s, "lira"); hero.Stress.Sum() != 0 {
			t.Errorf("%s: %d stress is left", name, hero.Stress.Sum())
		}
	}
}
