package judge

import (
	"testing"

	"norn/game"
	"norn/rule"
)

// A game that leaves its view to what it is by itself stands the battery's look at it.
func TestAZeroViewDenies(t *testing.T) {
	type post struct {
		Height int `json:"height" form:"max=9"`
	}
	g := &game.Game{
		ID: "plainest", Kinds: []game.Kind{game.KindOf("post", true, post{}, nil)},
		Moves: []game.Move{game.Define(game.Of[post]{
			ID: "knock", Play: func(*rule.Run, game.Scene, post) rule.Outcome { return rule.Outcome{} },
		})},
		Settings: game.SettingsOf(struct{}{}),
	}
	for _, fault := range (Point{hear: func(t *hearing) { denies(t, g) }}).Judge() {
		t.Error(fault)
	}
}

// A move without a rule is found out when its game is built.
func TestAMoveNeedsARule(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a move without a rule was made")
		}
	}()
	game.Define(game.Of[struct{}]{ID: "nothing"})
}
