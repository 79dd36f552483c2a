package godbound

import (
	"norn/game"
	"norn/rule"
)

// view decides what each viewer sees. Heroes, fights and projects are open to all; only the GM sees
// foes' numbers.
var view = game.View{
	Sheet:  showSheet,
	Sees:   game.SeesAll,
	Locked: lockedMembers,
	Event:  showEvent,
	Throw:  showThrow,
}

// ShownFoe is a foe as a player sees it: how many still fight, and what became of them.
type ShownFoe struct {
	Count    int       `json:"count"`
	Hurt     bool      `json:"hurt"`
	Fate     string    `json:"fate,omitempty"`
	Bindings []Binding `json:"bindings,omitempty"`
}

// lockedMembers prevents players from changing the price and the payments of a change. GB-26
func lockedMembers(v game.Viewer, _ any, kind string) []string {
	if kind == "project" && !v.IsGM() {
		return mastered
	}
	return nil
}

func showSheet(v game.Viewer, _ any, _ string, sheet any) any {
	switch sheet := sheet.(type) {
	case Hero, Fight, Project:
		return sheet
	case Foe:
		if v.IsGM() {
			return sheet
		}
		return ShownFoe{
			Count: sheet.Count, Hurt: sheet.Lost > 0 || sheet.Worn > 0, Fate: sheet.Fate,
			Bindings: sheet.Bindings,
		}
	}
	return nil
}

func showEvent(v game.Viewer, _ any, e rule.Event) (rule.Event, bool) {
	if v.IsGM() {
		return e, true
	}
	switch e := e.(type) {
	case FoeHurt:
		e.Lost, e.Worn, e.HD = 0, 0, 0
		return e, true
	case EffortCommitted: // everybody sees what a foe spends in the open
		return e, !e.Foe || e.Commitment.Purpose == "save" || e.Commitment.Purpose == "dispel"
	case EffortReturned:
		return e, !e.Foe
	case Mended:
		return e, !e.Foe
	case TimePassed:
		return e, !e.Foe
	}
	return e, true
}

// showThrow hides dice that would reveal foes' numbers.
func showThrow(v game.Viewer, _ any, t rule.Throw) bool {
	switch t.For {
	case "check", "save", "attack", "foe-attack", "damage", "fray":
		return true
	}
	return v.IsGM()
}

// stateOf returns what is shown next to a name: that a hero is down or in Fury, what became of a
// foe. GB-15, GB-16, GB-17
func stateOf(shown any) game.State {
	fate := ""
	switch s := shown.(type) {
	case Hero:
		if s.State == "" {
			return game.State{}
		}
		return game.State{Word: string(stateWord(s.State)), Out: s.Dead()}
	case Foe:
		fate = s.Fate
	case ShownFoe:
		fate = s.Fate
	}
	if fate == "" {
		return game.State{}
	}
	return game.State{Word: "godbound.fate." + fate, Out: true}
}

// mortalTracks returns a mortal's HP. GB-19
func mortalTracks(shown any) []game.Track { return tracksOf(shown)[:1] }

// tracksOf returns the most important numbers: HP and Effort, a foe's HD, a project's price.
func tracksOf(shown any) []game.Track {
	switch s := shown.(type) {
	case Hero:
		return []game.Track{
			{ID: "hp", Name: "godbound.track.hp", Now: s.RemainingHP(), Max: s.HP, Field: "lost", Gone: true},
			{ID: "effort", Name: "godbound.track.effort", Now: s.Effort.Free(), Max: s.Effort.Total},
		}
	case Foe:
		tracks := []game.Track{{
			ID: "hd", Name: "godbound.track.hd", Now: min(s.HD-s.Lost, s.RemainingHD()), Max: s.HD,
			Field: "lost", Gone: true,
		}}
		if s.Count != 1 {
			tracks = append(tracks, game.Track{
				ID: "count", Name: "godbound.track.count", Now: s.Count, Max: s.Count,
				Field: "count", Grows: true,
			})
		}
		if s.Effort.Total > 0 {
			tracks = append(tracks, game.Track{
				ID: "effort", Name: "godbound.track.effort", Now: s.Effort.Free(),
				Max: s.Effort.Total,
			})
		}
		return tracks
	case ShownFoe:
		if s.Count == 1 {
			return nil
		}
		return []game.Track{{ID: "count", Name: "godbound.track.count", Now: s.Count, Max: s.Count}}
	case Fight:
		round := game.Track{ID: "round", Name: "godbound.track.round", Now: s.Round, Words: "godbound.first." + s.Turn}
		if s.Round == 0 {
			round.Words = "godbound.sheet.no-fight"
		}
		return []game.Track{round}
	case Project:
		if s.price() == 0 || s.Over != "" {
			return nil
		}
		all, _ := s.paid()
		return []game.Track{{ID: "paid", Name: "godbound.track.paid", Now: all, Max: s.price()}}
	}
	return nil
}
