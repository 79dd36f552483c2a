// Package visibility decides what one seat sees of a table: which characters, sheets, moves and
// entries. Everything that is shown or checked goes through an Eye.
//
// It shows and checks nothing itself, and imports only state, ledger and plain values.
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

// Eye is a seat's view of the state. Everything that is shown or checked goes through it.
type Eye struct {
	Table  ledger.Ledger
	Seat   *state.Seat
	Viewer game.Viewer
	Voice  game.Voice
	Sheets map[string]any // caches visible sheets, which many lines ask for
}

// Of returns the eye of a seat whose texts come from a speaker.
func Of(st ledger.Ledger, me *state.Seat, speaker lang.Speaker) *Eye {
	e := &Eye{Table: st, Seat: me, Viewer: game.Viewer{Role: me.Role, Owns: me.Owns}}
	e.Voice.Speaker = speaker
	if st.Game != nil {
		e.Voice.Game = st.Game.ID
	}
	e.Voice.Name = e.Name
	return e
}

// Sheet returns what the seat sees of a character's sheet; nil if it doesn't see the character.
func (e *Eye) Sheet(c *state.Character) any {
	shown, known := e.Sheets[c.ID]
	if !known {
		if !c.Hidden || e.Viewer.IsGM() {
			shown = e.VisibleSheet(c.ID, c.Sheet)
		}
		if e.Sheets == nil {
			e.Sheets = map[string]any{}
		}
		e.Sheets[c.ID] = shown
	}
	return shown
}

// VisibleSheet returns what the seat sees of a character's present or former sheet, without hidden
// characters.
func (e *Eye) VisibleSheet(id string, sheet any) any {
	shown := e.Table.Game.View.ShowSheet(e.Viewer, e.Table.Settings, id, sheet)
	return e.withoutHidden(shown)
}

// SeesClock reports whether the seat sees the clock with a name. Only game masters may know that
// there is no such clock.
func (e *Eye) SeesClock(name string) bool {
	i := e.Table.Clocks.IndexByName(name)
	return e.Viewer.IsGM() || i >= 0 && e.Hears(e.Table.Clocks[i].Audience)
}

// Hears reports whether the seat is part of an audience.
func (e *Eye) Hears(a state.Audience) bool { return e.Viewer.IsGM() || a.Includes(e.Seat.ID) }

// Sees reports whether the seat sees a character, removed or not.
func (e *Eye) Sees(id string) bool {
	c := e.Table.Characters.Of(id)
	return c != nil && e.SeesCharacter(c)
}

// SeesCharacter is Sees for a given value of a character, which may be an earlier one.
func (e *Eye) SeesCharacter(c *state.Character) bool {
	if e.Viewer.IsGM() {
		return true
	}
	if c.Hidden {
		return false
	}
	if e.Table.Game.View.Sees == nil { // the visible sheet is cached
		return e.Sheet(c) != nil
	}
	return e.Table.Game.View.SeesSheet(e.Viewer, e.Table.Settings, c.ID, c.Sheet)
}

// hidden reports whether a character exists that the seat doesn't see.
func (e *Eye) hidden(id string) bool { return e.Table.Characters.Of(id) != nil && !e.Sees(id) }

// Characters returns the characters that the seat sees. The list must not be changed.
func (e *Eye) Characters() []*state.Character {
	return game.Without(e.Table.Characters, func(c *state.Character) bool { return c.Removed || !e.SeesCharacter(c) })
}

// Name returns a character's name as far as the seat knows it.
func (e *Eye) Name(id string) string {
	if e.Sees(id) {
		return e.Table.Characters.Of(id).Name
	}
	return e.Voice.Say("table.somebody")
}

// Plays reports whether the seat may act for a character.
func (e *Eye) Plays(id string) bool {
	return e.Viewer.IsGM() || e.Seat.Role == game.Player && e.Viewer.Owns[id]
}

// ActsWith reports whether the seat may make the moves of a character: one that it plays, or a thing
// of the players' that belongs to nobody, such as a task that the game master made.
func (e *Eye) ActsWith(c *state.Character) bool {
	if e.Plays(c.ID) {
		return true
	}
	kind, ok := e.Table.Game.Kind(c.Kind)
	return ok && kind.Thing && kind.Player && c.Owner == "" && e.Seat.Role == game.Player && e.SeesCharacter(c)
}

// MayAnswer reports whether the seat may answer a question of a move.
func (e *Eye) MayAnswer(m *state.Move, to string) bool {
	return e.Viewer.IsGM() || !e.Table.SecretMove(m) && to != game.GM && e.Plays(to)
}

// Mine reports whether a move's question waits for this seat rather than for another one. Secret
// moves wait only for GMs, because no player knows of them.
func (e *Eye) Mine(m *state.Move, to string) bool {
	c := e.Table.Characters.Of(to) // nil if to is the GM
	if m.Secret || c == nil || c.Owner == "" {
		return e.Viewer.IsGM()
	}
	return c.Owner == e.Seat.ID
}

// Addressee returns who a question waits for, as far as the seat may know.
func (e *Eye) Addressee(to string) string {
	if to != game.GM && !e.Sees(to) {
		return game.GM
	}
	return to
}

// LockedMembers returns the members of a sheet that the seat may not change: those that the game
// locks, and those that it doesn't see completely.
func (e *Eye) LockedMembers(c *state.Character) []string {
	locked := slices.Clone(e.Table.Game.View.LockedMembers(e.Viewer, e.Table.Settings, c.Kind))
	if e.Viewer.IsGM() {
		return locked
	}
	if kind, ok := e.Table.Game.Kind(c.Kind); ok { // even if they're empty
		locked = append(locked, kind.LockedMembers()...)
	}
	return RedactedMembers(locked, c.Sheet, e.Sheet(c))
}

// RedactedMembers adds to locked the members of a sheet that aren't completely visible.
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

// Event returns what the seat sees of a game's event.
func (e *Eye) Event(event rule.Event) (rule.Event, bool) {
	if tick, ok := event.(game.ClockTicked); ok && !e.SeesClock(tick.Clock) {
		return event, false
	}
	seen, ok := e.Table.Game.View.ShowEvent(e.Viewer, e.Table.Settings, event)
	if ok {
		seen = e.withoutHidden(seen)
	}
	return seen, ok
}

// Line returns a line of the log about an act.
func (e *Eye) Line(event interface{ Type() string }, word string, words, shown view.Data) []view.Line {
	return []view.Line{{Type: event.Type(), Text: e.Voice.Tell("table.event."+word, words), Data: state.JSON(shown)}}
}

// Word returns one of the game's words.
func (e *Eye) Word(parts ...string) string { return e.Voice.Say(e.Table.Game.Word(parts...)) }

// Labels returns the names of fields, such as "Stress" and "Bonds"; a setting may have a word of
// its own.
func (e *Eye) Labels(set string, names []string) []string {
	labels := make([]string, len(names))
	for i, name := range names {
		id := e.Table.Game.Word(set, name)
		if labels[i] = e.Table.Game.Label(e.Voice.Speaker, name); e.Voice.Has(id) {
			labels[i] = e.Voice.Say(id)
		}
	}
	return labels
}
