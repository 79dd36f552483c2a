package game

import (
	"norn/rule"
)

// Role is the role of a seat, which determines what it may do.
type Role string

// Roles.
const (
	Master    Role = "gm"
	Player    Role = "player"
	Spectator Role = "spectator"
)

// GM is the addressee of questions for the game master. Any other addressee is the id of a
// character and means its player.
const GM = "gm"

// Viewer is the reader of a view, with their role and characters.
type Viewer struct {
	Role Role
	Owns map[string]bool // ids of the viewer's own characters
}

// IsGM reports whether the viewer is a game master, who sees everything.
func (v Viewer) IsGM() bool { return v.Role == Master }

// View decides what a viewer sees. The table calls its methods for everything it shows, to the game
// master too. Any function may be nil; then only the fields tagged secret are hidden, and left out
// of JSON. Fields of sheets and events with these tags are shown to game masters only, whatever the
// functions return:
//
//	Filled int  `json:"filled,omitempty" secret:"gm"`
//	Unseen bool `json:"unseen,omitempty" secret:"whole"` // if set, the whole event, or sheet, is secret
//	Hand []Card `json:"hand,omitempty" secret:"own"`     // of a sheet: its player sees it, too, and nobody else
type View struct {
	// Sheet returns what the viewer sees of a sheet. Call ShowSheet instead, which also leaves out
	// fields that are tagged secret. It returns a value for the page and for JSON.
	Sheet func(v Viewer, settings any, who string, sheet any) any
	// Sees reports whether Sheet returns anything. It's called many times for each change, so it
	// should be faster than Sheet. If it's nil, Sheet is called.
	Sees func(v Viewer, settings any, who string, sheet any) bool
	// Locked names the top-level members of the sheet that the viewer may not change. A viewer
	// could find out a hidden number by changing what it's computed from, so everything behind a
	// described band must be locked with it. Members that aren't shown completely can't be changed
	// anyway.
	Locked func(v Viewer, settings any, kind string) []string
	// Event returns what the viewer sees of an event, false for nothing.
	Event func(v Viewer, settings any, e rule.Event) (rule.Event, bool)
	// Odds reports whether the viewer may see a move's odds, which can reveal the numbers of a
	// sheet.
	Odds func(v Viewer, settings any, move string) bool
	// Throw reports whether the viewer sees a throw, given its purpose and sides: it's also called
	// without faces.
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

// SeesAll is a View.Sees for games in which everybody sees something of each sheet.
func SeesAll(Viewer, any, string, any) bool { return true }

// LockedMembers returns the top-level members of a sheet that the viewer may not change.
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
