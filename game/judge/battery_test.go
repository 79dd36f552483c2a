package judge

import (
	"strings"
	"testing"

	"norn/game"
	"norn/rule"
)

// A zero View shows everything except secrets, which must be empty when they're hidden.
func TestZeroViewHidesSecrets(t *testing.T) {
	type post struct {
		Height int `json:"height" form:"max=9"`
		Root   int `json:"root,omitempty" form:"max=9" secret:"gm"`
	}
	g := &game.Game{
		ID: "plainest", Kinds: []game.Kind{game.KindOf("post", true, post{}, nil)},
		Moves: []game.Move{game.Define(game.MoveSpec[post]{
			ID: "knock", Play: func(*rule.Run, game.Scene, post) rule.Outcome { return rule.Outcome{} },
		})},
		Settings: game.SettingsOf(struct{}{}),
	}
	judged := Point{hear: func(t *report) { shows(t, g) }}
	for _, fault := range judged.Judge() {
		t.Error(fault)
	}
	tall := post{Height: 3, Root: 2}
	if seen := g.View.ShowSheet(game.Viewer{Role: game.Player}, nil, "x", tall); seen != (post{Height: 3}) {
		t.Errorf("a player sees %+v", seen)
	}
	if seen := g.View.ShowSheet(game.Viewer{Role: game.Master}, nil, "x", tall); seen != tall {
		t.Errorf("a game master sees %+v", seen)
	}
	type stump struct {
		Root   int  `json:"root" form:"max=9" secret:"gm"`
		Buried bool `json:"buried,omitempty" secret:"whole"`
	}
	g.Kinds = append(g.Kinds, game.KindOf("stump", true, stump{}, nil))
	if faults := judged.Judge(); len(faults) != 1 || !strings.Contains(faults[0].Error(), "needs omitempty") {
		t.Error(faults)
	}
	for _, role := range []game.Role{game.Master, game.Player} {
		if sees := g.View.SeesSheet(game.Viewer{Role: role}, nil, "x",
			stump{Buried: true}); sees != (role == game.Master) {
			t.Errorf("that a %s sees what is secret as a whole is %t", role, sees)
		}
	}
}

// A move without a rule must be detected when its game is built.
func TestDefiningAMoveWithoutARulePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a move without a rule was made")
		}
	}()
	game.Define(game.MoveSpec[struct{}]{ID: "nothing"})
}
