package game

import (
	"maps"

	"norn/lang"
	"norn/rule"
)

// Role is what a seat may do.
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

// Viewer is who looks.
type Viewer struct {
	Role Role
	Owns map[string]bool // ids of own characters
}

// IsGM tells whether the viewer is a game master, who sees everything.
func (v Viewer) IsGM() bool { return v.Role == Master }

// View decides what a viewer sees of what happened. The table asks it for
// everything it shows, to the game master too, through its methods. Any function may be nil: nothing is hidden then but the
// fields that are tagged secret, whose JSON is left out where they're empty. Of a sheet and of an event only game masters are shown
// those, whatever the functions say:
//
//	Filled int  `json:"filled,omitempty" secret:"gm"`
//	Unseen bool `json:"unseen,omitempty" secret:"whole"` // where it's set, the whole event, or sheet, is theirs
type View struct {
	// Sheet returns what the viewer sees of a sheet, as a value for the page
	// and for JSON.
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
	// Throw tells whether the viewer sees a throw, by what it's for and its sides: it's asked without faces, too.
	Throw func(v Viewer, settings any, t rule.Thrown) bool
}

// ShowSheet is what the viewer sees of a sheet, nil for nothing.
func (w View) ShowSheet(v Viewer, settings any, who string, sheet any) any {
	if w.Sheet != nil {
		sheet = w.Sheet(v, settings, who, sheet)
	}
	shown, _ := open(v, sheet)
	return shown
}

// SeesSheet tells whether the viewer sees anything of a sheet.
func (w View) SeesSheet(v Viewer, settings any, who string, sheet any) bool {
	switch {
	case sheet == nil || !v.IsGM() && sealed(sheet):
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

// ShowEvent is what the viewer sees of an event, false for nothing.
func (w View) ShowEvent(v Viewer, settings any, e rule.Event) (rule.Event, bool) {
	if w.Event != nil {
		seen := false
		if e, seen = w.Event(v, settings, e); !seen {
			return nil, false
		}
	}
	return open(v, e)
}

// SeesOdds tells whether the viewer may ask for a move's odds.
func (w View) SeesOdds(v Viewer, settings any, move string) bool {
	return w.Odds == nil || w.Odds(v, settings, move)
}

// SeesThrow tells whether the viewer sees a throw.
func (w View) SeesThrow(v Viewer, settings any, t rule.Thrown) bool {
	return w.Throw == nil || w.Throw(v, settings, t)
}

// Word among the data of a text is the id of a word to put there.
type Word string

// Voice words what a game says, in one reader's language.
type Voice struct {
	lang.Speaker
	Game  string                                  // id of the game, for what is called by its words
	Name  func(id string) string                  // name of a character
	State func(id string) (text string, out bool) // its state in words, "" for none; nil where none is known
}

// Tell words a text with its data; values that are a Word are worded too.
func (v Voice) Tell(id string, data map[string]any) string {
	var worded map[string]any // made where there is a Word
	for name, value := range data {
		if w, ok := value.(Word); ok {
			if worded == nil {
				worded = maps.Clone(data)
			}
			worded[name] = v.Say(string(w))
		}
	}
	if worded != nil {
		data = worded
	}
	return v.Say(id, data)
}

// Standing is somebody's state in words, "" for none, and whether they are out
// of it all.
func (v Voice) Standing(id string) (text string, out bool) {
	if v.State == nil {
		return "", false
	}
	return v.State(id)
}

// Refusal words a refusal, with its rule in front.
func (v Voice) Refusal(r *Refusal) string {
	text := v.Tell(r.Word, r.Data)
	if r.Rule == "" {
		return text
	}
	return r.Rule + ": " + text
}

// Turned is an event by which a die counts as another face than it shows, such
// as a throw whose digits are flipped. Was is 0 where nothing is turned.
type Turned interface{ Turned() (was, is int) }

// Threw is an event that says whose dice fall in its part of the run: those beside
// it, and those that follow until another says so.
type Threw interface {
	Thrower() string      // "" for somebody without a sheet
	Named(v Voice) string // the thrower, for people
}

// Marked is an event that says how the dice of a throw count, where that can't be
// told from a move's arguments. Of the throws of one part in an entry the n-th is
// that of the n-th such event in it.
type Marked interface{ Marks(faces []int) []Mark }

// Later is an event that older rules didn't tell, as the last one in its part of
// the run: a log that was written by them lacks it.
type Later interface{ Later() }

// Spoken is what an event, or what a question is about, says to people.
type Spoken interface{ Spoken(v Voice) string }
