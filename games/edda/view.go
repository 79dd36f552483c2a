package edda

import (
	"norn/game"
)

// view is who sees what. Heroes play with open sheets; what Fate keeps is the
// sheets of Fate's own characters, of which players see the conditions. Dice
// lie in sight of everybody. ED-15: the verdict isn't hidden here, it isn't
// told before it may be.
var view = game.View{Sheet: showSheet, Sees: game.SeesAll}

// ShownFated is one of Fate's characters as a player sees it.
type ShownFated struct {
	Conditions []Condition `json:"conditions"`
}

func showSheet(v game.Viewer, _ any, _ string, sheet any) any {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet
	case Fated:
		if v.IsGM() {
			return sheet
		}
		return ShownFated{Conditions: append([]Condition{}, sheet.Conditions...)}
	}
	return nil
}

// tracksOf are what matters most of a hero: how near the edge of the scene
// body and mind are (ED-11), and the experience (ED-20).
func tracksOf(shown any) []game.Track {
	hero, ok := shown.(Hero)
	if !ok {
		return nil
	}
	return []game.Track{
		{ID: "body", Name: "edda.sheet.body", Now: body(hero.Conditions), Max: unbearable},
		{ID: "mind", Name: "edda.sheet.mind", Now: mind(hero.Conditions), Max: unbearable},
		{
			ID:    "experience",
			Name:  "edda.field.experience",
			Now:   hero.Experience,
			Max:   maxExperience,
			Field: "experience",
		},
	}
}

// stateOf is what everybody sees beside a name: who is out of the scene, and who
// has left the world. ED-11, ED-23
func stateOf(shown any) game.State {
	if hero, ok := shown.(Hero); ok && hero.Oblivion() {
		return game.State{Word: "edda.state.oblivion", Out: true}
	}
	if out(shown) {
		return game.State{Word: "edda.state.out", Out: true}
	}
	return game.State{}
}

// nature is whether a condition is of the body or of the mind.
func (c Condition) nature() string {
	if c.Kind == "mind" {
		return "mind"
	}
	return "body"
}
