package eclipse

import (
	"slices"

	"norn/game"
	"norn/rule"
)

// view is who sees what. Players see each other's sheets and all tasks; of an
// NPC they see its morph and how its throws come out, no number of its sheet.
// A secret test is the table's own secret move, of which nothing reaches
// players at all. EP-09
var view = game.View{Sheet: showSheet, Sees: game.SeesAll, Throw: showThrow}

// Shown is a character as a viewer sees it, with what follows from its numbers.
type Shown struct {
	Character
	Checks Aptitudes `json:"checks"` // EP-04: three times the aptitudes
	Speed  int       `json:"initiative"`
	Notes  *string   `json:"notes,omitempty"` // of an NPC, for the GM
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

// castTracks are what the cast shows: of the pools those that there are.
func castTracks(shown any) []game.Track {
	return slices.DeleteFunc(tracksOf(shown), func(t game.Track) bool { return t.Now == 0 && t.Max == 0 })
}

// tracksOf are a character's pools, or how far a task has come in quarters.
func tracksOf(shown any) []game.Track {
	switch s := shown.(type) {
	case Shown:
		tracks := make([]game.Track, 0, len(poolNames))
		for _, name := range poolNames {
			p := s.Pools.Of(name)
			track := game.Track{ID: name, Name: string(poolWord(name)), Now: p.Now, Max: p.Max}
			if p.Max > 0 { // EP-21: nothing fits into one that starts empty
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

// counters are a character's wounds and traumas.
func counters(s Shown) []game.Track {
	return []game.Track{
		{ID: "wounds", Name: "eclipse.field.wounds", Now: s.Wounds, Field: "wounds"},
		{ID: "traumas", Name: "eclipse.field.traumas", Now: s.Traumas, Field: "traumas"},
	}
}
