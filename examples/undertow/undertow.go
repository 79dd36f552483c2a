// Package undertow is an example of a game of your own, in the style of games forged in the dark:
// smugglers of a drowned harbour, pools of six-sided dice, a position and an effect, consequences
// that a player may resist, stress, and clocks. Like norn's own games it is a folder that no other
// code knows.
package undertow

import (
	"embed"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

//go:embed words/*.toml ready.toml
var words embed.FS

// New returns the game.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "undertow", Rules: []string{"UT-01", "UT-02", "UT-03", "UT-04", "UT-05", "UT-06", "UT-07"},
		Kinds:    []game.Kind{smugglerKind(), clockKind()},
		Moves:    []game.Move{actMove, tickMove, restMove},
		Events:   game.Events(hurt{}, broken{}),
		Settings: game.SettingsOf(struct{}{}), Words: words,
	})
}

// A Smuggler is the sheet of a player's character.
type Smuggler struct {
	Skulk   int    `json:"skulk" form:"max=4"`
	Fight   int    `json:"fight" form:"max=4"`
	Sway    int    `json:"sway" form:"max=4"`
	Tinker  int    `json:"tinker" form:"max=4"`
	Stress  int    `json:"stress" form:"max=9,track"`
	Harm    []Mark `json:"harm" form:"max=6"`
	Traumas []Mark `json:"traumas" form:"max=4"` // UT-07
}

// Mark is a note on a sheet: a harm, a trauma.
type Mark struct {
	Text string `json:"text" form:"text,required"`
}

// A Clock fills up until something happens. Players don't see a hidden clock or its changes.
type Clock struct {
	Segments int  `json:"segments" form:"min=2,max=12,default=6"`
	Filled   int  `json:"filled" form:"max=12,track=segments"`
	Hidden   bool `json:"hidden,omitempty" secret:"whole"`
}

func (s Smuggler) rating(action string) int {
	return map[string]int{"skulk": s.Skulk, "fight": s.Fight, "sway": s.Sway, "tinker": s.Tinker}[action]
}

// nerve returns the pool for resisting: the number of actions with a rating.
func (s Smuggler) nerve() int {
	n := 0
	for _, rating := range []int{s.Skulk, s.Fight, s.Sway, s.Tinker} {
		n += min(1, rating)
	}
	return n
}

// out reports whether the character is out of the game. UT-07
func (s Smuggler) out() bool { return len(s.Traumas) == 4 }

func smugglerKind() game.Kind {
	k := game.KindOf("smuggler", true, Smuggler{}, nil)
	k.State = func(shown any) game.State { // UT-07
		if shown.(Smuggler).out() {
			return game.State{Word: "undertow.state.out", Out: true}
		}
		return game.State{}
	}
	return k
}

func clockKind() game.Kind {
	k := game.KindOf("clock", false, Clock{Segments: 6}, nil)
	k.Thing = true
	k.State = func(shown any) game.State { // UT-03
		if c := shown.(Clock); c.Filled >= c.Segments {
			return game.State{Word: "undertow.state.full"}
		}
		return game.State{}
	}
	return k
}

// readPool rolls a pool and returns its outcome; only one or several sixes matter. UT-01 UT-02
func readPool(r *rule.Run, what string, n int) string {
	if n < 1 { // UT-01: a rating of 0 rolls two dice and takes the lower
		return by(r.Keep(dice.Pool{For: what, N: 2, Sides: 6}, 1, true))
	}
	fell := r.Classes(dice.Pool{For: what, N: n, Sides: 6}, dice.AtLeast(6), dice.Faces{Lo: 4, Hi: 5})
	switch {
	case fell[0] > 1:
		return "critical"
	case fell[0] == 1:
		return "full"
	case fell[1] > 0:
		return "partial"
	}
	return "bad"
}

func by(face int) string {
	return [...]string{1: "bad", 2: "bad", 3: "bad", 4: "partial", 5: "partial", 6: "full"}[face]
}

// highest rolls a pool and returns its highest die. UT-01
func highest(r *rule.Run, what string, n int) int {
	if n < 1 {
		return r.Keep(dice.Pool{For: what, N: 2, Sides: 6}, 1, true)
	}
	return r.Keep(dice.Pool{For: what, N: n, Sides: 6}, 1, false)
}
