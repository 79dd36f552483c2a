//go:build !race

package web_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/fstest"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/act"
)

type pier struct {
	Beams int `json:"beams" form:"max=30"`
}

// load is tested on a pier: one die for each beam, and sixes break it.
type load struct {
	Carts  int        `json:"carts" form:"max=3,default=1"`
	Girder int        `json:"girder" form:"max=12,default=2,bare"`
	Props  int        `json:"props" form:"max=4,bare"`
	Beside []form.Ref `json:"beside" form:"max=4,table"`
}

// piers is a game whose arguments have unusual names.
func piers() *game.Game {
	return &game.Game{
		ID: "piers", Words: fstest.MapFS{},
		Kinds: []game.Kind{game.KindOf("pier", true, pier{}, nil)},
		Moves: []game.Move{game.Define(game.MoveSpec[load]{
			ID: "load", Bare: true, AtTable: true, Kinds: []string{"pier"},
			Outcomes: []game.OutcomeKind{{ID: "breaks", Counts: true}},
			Price: func(r *rule.Run, s game.Scene, a load) rule.Outcome {
				a = strip(s, a)
				return rule.Outcome{
					ID: "breaks",
					N:  r.Count(dice.Pool{N: a.Girder + a.Props, Sides: 6}, dice.AtLeast(7-a.Carts)),
				}
			},
			Strip: strip,
		})},
		Settings: game.SettingsOf(struct{}{}),
	}
}

func strip(s game.Scene, a load) load {
	if p, ok := game.Sheet[pier](s, s.Actor); ok {
		a.Girder = p.Beams
	}
	a.Props += len(a.Beside)
	return a
}

// The composer links to the same odds without a table, whatever names a game has for what is on its
// sheets.
func TestMoveFormLinksToTheSameOddsWithoutATable(t *testing.T) {
	t.Parallel()
	h, gm := hosted(t, piers())
	low := added(t, gm, act.CharacterRequest{Name: "Low", Kind: "pier", Sheet: json.RawMessage(`{"beams":3}`)})
	long := added(t, gm, act.CharacterRequest{Name: "Long", Kind: "pier", Sheet: json.RawMessage(`{"beams":20}`)})
	b := h.sits("gm")
	for query, want := range map[string]string{
		"?_m=load&_a=" + low: "/odds/piers/load?girder=3",
		"?_m=load&_a=" + low + "&carts=2&beside=" + long + "&beside=": "/odds/piers/load?carts=2&girder=3&props=1",
		// its beams exceed the field's maximum
		"?_m=load&_a=" + long + "&carts=2": "/odds/piers/load?carts=2",
	} {
		if got := b.get(b.at("/public" + query)); got.status != http.StatusOK || got.url.RequestURI() != want {
			t.Errorf("%s leads to %d %s, want %s", query, got.status, got.url.RequestURI(), want)
		}
	}
}
