// Package visibility is how one seat looks at a table: which characters, sheets, moves and entries
// there are for it. All that is shown and all that is judged goes through an Eye.
//
// It shows and judges nothing itself, and imports only state, ledger and plain values.
package visibility

import (
	"reflect"
	"slices"

	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/view"
)

// Eye is one seat looking at the state: what all showing and judging goes
// through.
type Eye struct {
	Table  ledger.Ledger
	Seat   *state.Seat
	Viewer game.Viewer
	Voice  game.Voice
	Sheets *map[string]any // what it sees of sheets, once it has looked: many a line asks
}

// Of is a seat's, whose words are a speaker's.
func Of(st ledger.Ledger, me *state.Seat, speaker lang.Speaker) Eye {
	e := Eye{Table: st, Seat: me, Viewer: game.Viewer{Role: me.Role, Owns: me.Owns}, Sheets: new(map[string]any)}
	e.Voice.Speaker = speaker
	if st.Game != nil {
		e.Voice.Game = st.Game.ID
	}
	e.Voice.Name = e.Name // of the eye as it is now: with a speaker
	return e
}

// Sheet is what the seat sees of a character's sheet; nil for a character that
// isn't there for it.
func (e Eye) Sheet(c *state.Character) any {
	shown, known := (*e.Sheets)[c.ID]
	if !known {
		if !c.Hidden || e.Viewer.IsGM() {
			shown = e.VisibleSheet(c.ID, c.Sheet)
		}
		if *e.Sheets == nil {
			*e.Sheets = map[string]any{}
		}
		(*e.Sheets)[c.ID] = shown
	}
	return shown
}

// VisibleSheet is what the seat sees of a sheet that is, or was, a character's: who is hidden isn't named on it.
func (e Eye) VisibleSheet(id string, sheet any) any {
	shown := e.Table.Game.View.ShowSheet(e.Viewer, e.Table.Settings, id, sheet)
	return e.withoutHidden(shown)
}

// SeesClock tells whether the seat sees the clock of a name. What is no clock is the game master's to know.
func (e Eye) SeesClock(name string) bool {
	i := e.Table.Clocks.IndexByName(name)
	return e.Viewer.IsGM() || i >= 0 && e.Hears(e.Table.Clocks[i].Audience)
}

// Hears tells whether the seat is part of an audience.
func (e Eye) Hears(a state.Audience) bool { return e.Viewer.IsGM() || a.Includes(e.Seat.ID) }

// Sees tells whether there is such a character for the seat, removed or not.
func (e Eye) Sees(id string) bool {
	c := e.Table.Characters.Of(id)
	return c != nil && e.SeesCharacter(c)
}

// SeesCharacter is Sees for a character that is at hand, perhaps as it was.
func (e Eye) SeesCharacter(c *state.Character) bool {
	if e.Viewer.IsGM() {
		return true
	}
	if c.Hidden {
		return false
	}
	if e.Table.Game.View.Sees == nil { // what it sees is kept
		return e.Sheet(c) != nil
	}
	return e.Table.Game.View.SeesSheet(e.Viewer, e.Table.Settings, c.ID, c.Sheet)
}

// hidden tells whether there is such a character, but not for the seat.
func (e Eye) hidden(id string) bool { return e.Table.Characters.Of(id) != nil && !e.Sees(id) }

// Characters are the characters that are there for the seat.
func (e Eye) Characters() []*state.Character {
	return slices.DeleteFunc(e.Table.Characters.Here(), func(c *state.Character) bool { return !e.SeesCharacter(c) })
}

// Name is a character's name as far as the seat knows it.
func (e Eye) Name(id string) string {
	if e.Sees(id) {
		return e.Table.Characters.Of(id).Name
	}
	return e.Voice.Say("table.somebody")
}

// Plays tells whether the seat acts for a character.
func (e Eye) Plays(id string) bool {
	return e.Viewer.IsGM() || e.Seat.Role == game.Player && e.Viewer.Owns[id]
}

// MayAnswer tells whether the seat may answer a question of a move.
func (e Eye) MayAnswer(m *state.Move, to string) bool {
	return e.Viewer.IsGM() || !e.Table.SecretMove(m) && to != game.GM && e.Plays(to)
}

// Mine tells whether a move's question waits for this seat rather than for
// another one. What is secret waits for GMs alone: no player knows of it.
func (e Eye) Mine(m *state.Move, to string) bool {
	c := e.Table.Characters.Of(to) // nil for the GM
	if m.Secret || c == nil || c.Owner == "" {
		return e.Viewer.IsGM()
	}
	return c.Owner == e.Seat.ID
}

// Addressee is whom a question waits for, as far as the seat may know.
func (e Eye) Addressee(to string) string {
	if to != game.GM && !e.Sees(to) {
		return game.GM
	}
	return to
}

// LockedMembers are the members of a sheet that the seat may not change: those that
// the game locks, and those that it doesn't see whole.
func (e Eye) LockedMembers(c *state.Character) []string {
	locked := slices.Clone(e.Table.Game.View.LockedMembers(e.Viewer, e.Table.Settings, c.Kind))
	if e.Viewer.IsGM() {
		return locked
	}
	if kind, ok := e.Table.Game.Kind(c.Kind); ok { // also while they're empty
		locked = append(locked, kind.LockedMembers()...)
	}
	return RedactedMembers(locked, c.Sheet, e.Sheet(c))
}

// RedactedMembers adds the members of a sheet that aren't seen whole.
func RedactedMembers(locked []string, sheet, seen any) []string {
	whole, shown := state.Members(sheet), state.Members(seen)
	for name, value := range whole {
		seen, there := shown[name]
		if (!there || !reflect.DeepEqual(state.NonEmpty(value), state.NonEmpty(seen))) &&
			!slices.Contains(locked, name) {
			locked = append(locked, name)
		}
	}
	return locked
}

// Event is what the seat sees of an event of the game.
func (e Eye) Event(event rule.Event) (rule.Event, bool) {
	if tick, ok := event.(game.ClockTicked); ok && !e.SeesClock(tick.Clock) {
		return event, false
	}
	seen, ok := e.Table.Game.View.ShowEvent(e.Viewer, e.Table.Settings, event)
	if ok {
		seen = e.withoutHidden(seen)
	}
	return seen, ok
}

// Line is a line of the log about an act.
func (e Eye) Line(event interface{ Type() string }, word string, words, shown view.Data) []view.Line {
	return []view.Line{{Type: event.Type(), Text: e.Voice.Tell("table.event."+word, words), Data: state.JSON(shown)}}
}

// Word is one of the game's words.
func (e Eye) Word(parts ...string) string { return e.Voice.Say(e.Table.Game.Word(parts...)) }

// Labels name fields, "Stress, Bonds"; a setting may have a word of its own.
func (e Eye) Labels(set string, names []string) []string {
	labels := make([]string, len(names))
	for i, name := range names {
		id := e.Table.Game.Word(set, name)
		if labels[i] = e.Table.Game.Label(e.Voice.Speaker, name); e.Voice.Has(id) {
			labels[i] = e.Voice.Say(id)
		}
	}
	return labels
}
