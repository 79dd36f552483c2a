package edda

import (
	"norn/game"
)

// view decides what each viewer sees. Heroes' sheets are open; of Fate's characters, players see
// only the conditions. Everybody sees all dice. ED-15: the verdict isn't hidden here; it isn't
// recorded before it may be known.
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

// tracksOf returns a hero's most important numbers: how close body and mind are to leaving the
// scene (ED-11), and the experience (ED-20).
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

// stateOf returns what everybody sees next to a name: who is out of the scene, and who has left the
// world. ED-11, ED-23
func stateOf(shown any) game.State {
	if hero, ok := shown.(Hero); ok && hero.Oblivion() {
		return game.State{Word: "edda.state.oblivion", Out: true}
	}
	if out(shown) {
		return game.State{Word: "edda.state.out", Out: true}
	}
	return game.State{}
}

// nature returns whether a condition is of the body or of the mind.
func (c Condition) nature() string {
	if c.Kind == "mind" {
		return "mind"
	}
	return "body"
}
