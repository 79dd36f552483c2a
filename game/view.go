package game

import (
	"norn/rule"
)

// Role says what a seat may do.
type Role string

// Roles.
const (
	Master    Role = "gm"
	Player    Role = "player"
	Spectator Role = "spectator"
)

// GM as the addressee of a question stands for the game master; any other
// addressee is a character's id and stands for its owner.
const GM = "gm"

// Viewer is the person for whom a view is made.
type Viewer struct {
	Role Role
	Owns map[string]bool // ids of own characters
}

// IsGM reports whether the viewer is a game master, who sees everything.
func (v Viewer) IsGM() bool { return v.Role == Master }

// View decides what a viewer sees of what happened. The table asks it for everything it shows, to
// the game master too, through its methods. Any function may be nil: nothing is hidden then but the
// fields that are tagged secret, whose JSON is left out where they're empty. Of a sheet and of an
// event only game masters are shown those, whatever the functions say:
//
//	Filled int  `json:"filled,omitempty" secret:"gm"`
//	Unseen bool `json:"unseen,omitempty" secret:"whole"` // where it's set, the whole event, or sheet, is theirs
//	Hand []Card `json:"hand,omitempty" secret:"own"`     // of a sheet: who plays it sees it, too, and nobody else
type View struct {
	// Sheet returns what the viewer sees of a sheet. Call ShowSheet instead, which also leaves out
	// fields that are tagged secret. It returns a value for the page and for JSON.
	Sheet func(v Viewer, settings any, who string, sheet any) any
	// Sees tells whether Sheet returns anything, without making it: it's asked
	// many times for each thing that happens. Nil: Sheet is asked.
	Sees func(v Viewer, settings any, who string, sheet any) bool
	// Locked names the top-level members of the sheet that the viewer may not
	// change. What a viewer may change must not move what the viewer may only
	// guess, so all that a described band is made of is locked with it.
	// What isn't shown whole can't be changed anyway.
	Locked func(v Viewer, settings any, kind string) []string
	// Event returns what the viewer sees of an event, false for nothing.
	Event func(v Viewer, settings any, e rule.Event) (rule.Event, bool)
	// Odds tells whether the viewer may ask for a move's odds: they can give
	// a sheet's numbers away.
	Odds func(v Viewer, settings any, move string) bool
	// Throw tells whether the viewer sees a throw, by what it's for and its sides: it's asked
	// without faces, too.
	Throw func(v Viewer, settings any, t rule.Throw) bool
}

// ShowSheet returns what the viewer sees of a sheet, or nil for nothing.
func (w View) ShowSheet(v Viewer, settings any, who string, sheet any) any {
	if w.Sheet != nil {
		sheet = w.Sheet(v, settings, who, sheet)
	}
	shown, _ := open(v, who, sheet)
	return shown
}

// SeesSheet reports whether the viewer sees anything of a sheet.
func (w View) SeesSheet(v Viewer, settings any, who string, sheet any) bool {
	switch {
	case sheet == nil || !v.IsGM() && isSecret(sheet):
		return false
	case w.Sees != nil:
		return w.Sees(v, settings, who, sheet)
	}
	return w.Sheet == nil || w.Sheet(v, settings, who, sheet) != nil
}

// SeesAll is a View.Sees: everybody sees something of each sheet.
func SeesAll(Viewer, any, string, any) bool { return true }

// LockedMembers are the top-level members of a sheet that the viewer may not change.
func (w View) LockedMembers(v Viewer, settings any, kind string) []string {
	if w.Locked == nil {
		return nil
	}
	return w.Locked(v, settings, kind)
}

// ShowEvent returns what the viewer sees of an event, or false for nothing.
func (w View) ShowEvent(v Viewer, settings any, e rule.Event) (rule.Event, bool) {
	if w.Event != nil {
		seen := false
		if e, seen = w.Event(v, settings, e); !seen {
			return nil, false
		}
	}
	if c, ok := e.(Changed); ok && c.Own && !v.IsGM() && !v.Owns[c.Who] {
		return nil, false
	}
	return open(v, "", e)
}

// SeesOdds reports whether the viewer may ask for a move's odds.
func (w View) SeesOdds(v Viewer, settings any, move string) bool {
	return w.Odds == nil || w.Odds(v, settings, move)
}

// SeesThrow reports whether the viewer sees a roll.
func (w View) SeesThrow(v Viewer, settings any, t rule.Throw) bool {
	return w.Throw == nil || w.Throw(v, settings, t)
}
