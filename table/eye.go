package table

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// eye is one seat looking at the state: what all showing and judging goes
// through.
type eye struct {
	st     ledger
	seat   *seat
	viewer game.Viewer
	voice  game.Voice
	sheets *map[string]any // what it sees of sheets, once it has looked: many a line asks
}

// eye is a seat's, whose words are a speaker's.
func eyeOf(st ledger, me *seat, speaker lang.Speaker) eye {
	e := eye{st: st, seat: me, viewer: game.Viewer{Role: me.role, Owns: me.owns}, sheets: new(map[string]any)}
	e.voice.Speaker = speaker
	if st.game != nil {
		e.voice.Game = st.game.ID
	}
	e.voice.Name = e.name // of the eye as it is now: with a speaker
	return e
}

// sheet is what the seat sees of a character's sheet; nil for a character that
// isn't there for it.
func (e eye) sheet(c *character) any {
	shown, known := (*e.sheets)[c.id]
	if !known {
		shown = e.st.game.View.ShowSheet(e.viewer, e.st.settings, c.id, c.sheet)
		if *e.sheets == nil {
			*e.sheets = map[string]any{}
		}
		(*e.sheets)[c.id] = shown
	}
	return shown
}

// sees tells whether there is such a character for the seat, removed or not.
func (e eye) sees(id string) bool {
	c := e.st.characters.of(id)
	return c != nil && e.seesCharacter(c)
}

func (e eye) seesCharacter(c *character) bool {
	if e.viewer.IsGM() {
		return true
	}
	if e.st.game.View.Sees == nil { // what it sees is kept
		return e.sheet(c) != nil
	}
	return e.st.game.View.SeesSheet(e.viewer, e.st.settings, c.id, c.sheet)
}

// hidden tells whether there is such a character, but not for the seat.
func (e eye) hidden(id string) bool { return e.st.characters.of(id) != nil && !e.sees(id) }

// seen are the characters that are there for the seat.
func (e eye) seen() []*character {
	return slices.DeleteFunc(e.st.characters.here(), func(c *character) bool { return !e.seesCharacter(c) })
}

// name is a character's name as far as the seat knows it.
func (e eye) name(id string) string {
	if e.sees(id) {
		return e.st.characters.of(id).name
	}
	return e.voice.Say("table.somebody")
}

// plays tells whether the seat acts for a character.
func (e eye) plays(id string) bool {
	return e.viewer.IsGM() || e.seat.role == game.Player && e.viewer.Owns[id]
}

// mayAnswer tells whether the seat may answer a question of a move.
func (e eye) mayAnswer(m *move, to string) bool {
	return e.viewer.IsGM() || !e.st.secretMove(m) && to != game.GM && e.plays(to)
}

// mine tells whether a move's question waits for this seat rather than for
// another one. What is secret waits for GMs alone: no player knows of it.
func (e eye) mine(m *move, to string) bool {
	c := e.st.characters.of(to) // nil for the GM
	if m.secret || c == nil || c.owner == "" {
		return e.viewer.IsGM()
	}
	return c.owner == e.seat.id
}

// addressee is whom a question waits for, as far as the seat may know.
func (e eye) addressee(to string) string {
	if to != game.GM && !e.sees(to) {
		return game.GM
	}
	return to
}

// locked are the members of a sheet that the seat may not change: those that
// the game locks, and those that it doesn't see whole.
func (e eye) locked(c *character) []string {
	locked := slices.Clone(e.st.game.View.LockedMembers(e.viewer, e.st.settings, c.kind))
	if e.viewer.IsGM() {
		return locked
	}
	return e.unseen(locked, c.sheet, e.sheet(c))
}

// unseen adds the members of a sheet that the seat doesn't see whole.
func (e eye) unseen(locked []string, sheet, seen any) []string {
	whole, shown := members(sheet), members(seen)
	for name, value := range whole {
		seen, there := shown[name]
		if (!there || !reflect.DeepEqual(bare(value), bare(seen))) && !slices.Contains(locked, name) {
			locked = append(locked, name)
		}
	}
	return locked
}

// members are a value's JSON members.
func members(value any) map[string]any {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var m map[string]any
	_ = json.Unmarshal(data, &m) // what is no object has no members
	return m
}

// bare is JSON without what is empty, since an empty list is sometimes null and
// sometimes left out.
func bare(value any) any {
	switch value := value.(type) {
	case map[string]any:
		full := map[string]any{}
		for name, v := range value {
			if v = bare(v); v != nil {
				full[name] = v
			}
		}
		return full
	case []any:
		if len(value) == 0 {
			return nil
		}
		items := make([]any, len(value))
		for i, v := range value {
			items[i] = bare(v)
		}
		return items
	}
	return value
}

// event is what the seat sees of an event of the game.
func (e eye) event(event rule.Event) (rule.Event, bool) {
	return e.st.game.View.ShowEvent(e.viewer, e.st.settings, event)
}

// noChoice is the problem of a value that isn't among those allowed.
func noChoice(path, given string, allowed []string) error {
	return invalid(path, form.NoChoice, func(p *form.Problem) { p.Given, p.Allowed = brief(given), allowed })
}

// brief shortens what was sent to what a message can show.
func brief(text string) string {
	const shown = 60
	runes := []rune(text)
	if len(runes) > shown {
		runes = append(runes[:shown], '…')
	}
	for i, r := range runes {
		if r < ' ' || r == 0x7F {
			runes[i] = '\uFFFD'
		}
	}
	return string(runes)
}

func isGone(err error) bool {
	var gone *NotFoundError
	return errors.As(err, &gone)
}

// VoiceOf is a voice that knows no names, for errors before anybody is seated.
func VoiceOf(s lang.Speaker) game.Voice {
	return game.Voice{Speaker: s, Name: func(string) string { return s.Say("table.somebody") }}
}

// names are those of the characters that the seat sees, by their ids.
func (e eye) names() map[string]string {
	names := map[string]string{}
	for _, c := range e.st.characters {
		if e.sees(c.id) {
			names[c.id] = c.name
		}
	}
	return names
}
