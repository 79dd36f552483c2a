package eclipse

import (
	"slices"

	"norn/game"
	"norn/rule"
)

// view decides what each viewer sees. Players see each other's sheets and all tasks; of an NPC they
// see its morph and the results of its throws, but no numbers. A secret test is a secret move of
// the table, of which players see nothing. EP-09
var view = game.View{Sheet: showSheet, Sees: game.SeesAll, Throw: showThrow}

// Shown is a character as a viewer sees it, with derived numbers.
type Shown struct {
	Character
	Checks Aptitudes `json:"checks"` // EP-04: three times the aptitudes
	Speed  int       `json:"initiative"`
	Notes  *string   `json:"notes,omitempty"` // of an NPC, only for the GM
}

// ShownNPC is an NPC as a player sees it.
type ShownNPC struct {
	Morph string `json:"morph"`
}

// ShownTask is a task with the time that it still needs.
type ShownTask struct {
	Task
	Left int `json:"remaining"`
}

func showSheet(v game.Viewer, _ any, _ string, sheet any) any {
	switch sheet := sheet.(type) {
	case Character:
		return showCharacter(sheet)
	case NPC:
		if !v.IsGM() {
			return ShownNPC{Morph: sheet.Morph}
		}
		shown := showCharacter(sheet.Character)
		shown.Notes = &sheet.Notes
		return shown
	case Task:
		return ShownTask{Task: sheet, Left: sheet.Remaining()}
	}
	return nil
}

func showCharacter(c Character) Shown {
	a := c.Aptitudes
	checks := Aptitudes{3 * a.Cog, 3 * a.Int, 3 * a.Ref, 3 * a.Sav, 3 * a.Som, 3 * a.Wil} // EP-04
	return Shown{Character: c, Checks: checks, Speed: c.Initiative()}
}

func showThrow(v game.Viewer, _ any, t rule.Throw) bool {
	switch t.For {
	case "d100", "initiative", "damage", "recharge":
		return true
	}
	return v.IsGM()
}

// castTracks returns the tracks in the cast: the pools that the character has.
func castTracks(shown any) []game.Track {
	return slices.DeleteFunc(tracksOf(shown), func(t game.Track) bool { return t.Now == 0 && t.Max == 0 })
}

// tracksOf returns a character's pools, or the progress of a task in quarters.
func tracksOf(shown any) []game.Track {
	switch s := shown.(type) {
	case Shown:
		tracks := make([]game.Track, 0, len(poolNames))
		for _, name := range poolNames {
			p := s.Pools.Of(name)
			track := game.Track{ID: name, Name: string(poolWord(name)), Now: p.Now, Max: p.Max}
			if p.Max > 0 { // EP-21: a pool that starts empty stays empty
				track.Field = "pools." + name + ".now"
			}
			tracks = append(tracks, track)
		}
		return tracks
	case ShownTask:
		track := game.Track{ID: "progress", Name: "eclipse.sheet.progress", Max: 4}
		if s.Needs > 0 {
			track.Now = 4 * s.Spent / s.Needs
		}
		return []game.Track{track}
	}
	return nil
}

// counters returns a character's wounds and traumas.
func counters(s Shown) []game.Track {
	return []game.Track{
		{ID: "wounds", Name: "eclipse.field.wounds", Now: s.Wounds, Field: "wounds"},
		{ID: "traumas", Name: "eclipse.field.traumas", Now: s.Traumas, Field: "traumas"},
	}
}
