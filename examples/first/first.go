// Package first is a template for a game of your own: one kind of sheet, one move, and everything
// that norn makes of them. Copy the folder, rename the package and the game, and change one thing
// after the other; go test reports what is missing.
package first

import (
	"embed"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

//go:embed words/*.toml ready.toml
var words embed.FS

// New returns the game. Its id is the package's name, with which the ids of words and events begin.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "first", Rules: []string{"FI-01", "FI-02"},
		Kinds: []game.Kind{game.KindOf("hero", true, Hero{}, nil)}, Moves: []game.Move{dare},
		Settings: game.SettingsOf(struct{}{}), Words: words,
	})
}

// A Hero is a sheet. The tags define its form, its page and the tracks next to a name.
type Hero struct {
	Nerve  int    `json:"nerve" form:"min=1,max=4,default=2"`
	Hurt   int    `json:"hurt" form:"max=6,track"`
	Secret string `json:"secret,omitempty" form:"prose" secret:"gm"` // only the game master sees it
}

// Dare holds the arguments of the move.
type Dare struct {
	Nerve int `json:"nerve" form:"min=1,max=4,default=2,bare"` // used without a sheet
	Risk  int `json:"risk" form:"min=1,max=3,default=1"`
}

var dare = game.Define(game.MoveSpec[Dare]{
	ID: "dare", Bare: true, AtTable: true, Kinds: []string{"hero"},
	Outcomes:  []game.OutcomeKind{{ID: "done", Tone: game.Good}, {ID: "hurt", Tone: game.Bad}},
	Headlines: []game.Headline{{ID: "done", Outcomes: []string{"done"}}},
	Strip: func(s game.Scene, a Dare) Dare {
		a.Nerve = a.pool(s)
		return a
	},
	Price: func(r *rule.Run, s game.Scene, a Dare) rule.Outcome {
		if r.Count(dice.Pool{For: "nerve", N: a.pool(s), Sides: 6}, dice.AtLeast(5)) > 0 { // FI-01
			return rule.Outcome{ID: "done"}
		}
		if hero, here := game.Sheet[Hero](s, s.Actor); here { // FI-02
			r.Record(game.Set(s.Actor, hero, "hurt", min(6, hero.Hurt+a.Risk)))
		}
		return rule.Outcome{ID: "hurt"}
	},
})

func (a Dare) pool(s game.Scene) int {
	if hero, here := game.Sheet[Hero](s, s.Actor); here {
		return hero.Nerve
	}
	return a.Nerve
}
