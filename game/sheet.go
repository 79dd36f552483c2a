package game

import (
	"encoding/json"
	"errors"

	"norn/form"
	"norn/page"
	"norn/rule"
)

// Kind is one kind of sheet: a character, an NPC.
type Kind struct {
	ID     string
	Player bool // a player may own one
	Form   *form.Form
	Blank  any
	Tracks func(shown any) []page.Track          // the two or three that matter, from what View.Sheet shows
	Sheet  func(shown any, v Voice) page.Component // the sheet as it looks, from what View.Sheet shows
	decode func([]byte) (any, error)
}

// KindOf describes a kind whose sheets are values of type S. check refuses
// what the form allows but the rules don't; it may be nil.
func KindOf[S any](id string, player bool, blank S, check func(S) error) Kind {
	f := form.Of[S]()
	return Kind{
		ID: id, Player: player, Form: f, Blank: blank,
		decode: func(data []byte) (any, error) {
			var s S
			if err := f.Decode(data, &s); err != nil {
				return nil, err
			}
			if check != nil {
				if err := check(s); err != nil {
					return nil, err
				}
			}
			return s, nil
		},
	}
}

// Decode reads a whole sheet from JSON; what is missing gets its default. The
// error is form.Problems or a *Refusal.
func (k Kind) Decode(data []byte) (any, error) { return k.decode(data) }

// Patch changes a sheet by a JSON merge patch (RFC 7396): members given
// replace, null takes back to the default, groups are merged, lists are
// replaced whole. locked names top-level members that must not change.
func (k Kind) Patch(sheet any, patch []byte, locked ...string) (any, error) {
	var changes any
	if err := json.Unmarshal(patch, &changes); err != nil {
		return nil, form.Problems{{Code: "syntax", Given: err.Error()}}
	}
	members, ok := changes.(map[string]any)
	if !ok {
		return nil, form.Problems{{Code: "type"}}
	}
	for _, name := range locked {
		if _, has := members[name]; has {
			return nil, &Refusal{Word: "game.refusal.locked", Data: map[string]any{"Field": name}}
		}
	}
	data, err := json.Marshal(sheet)
	if err != nil {
		return nil, err
	}
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, err
	}
	if data, err = json.Marshal(merge(whole, members)); err != nil {
		return nil, err
	}
	return k.decode(data)
}

func merge(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(object, name)
			continue
		}
		object[name] = merge(object[name], value)
	}
	return object
}

// Change is an event that changes a sheet. It can't fail: a sheet that it
// isn't about comes back as it was.
type Change interface {
	rule.Event
	Whose() string       // id of the character
	Apply(sheet any) any // a new sheet; the old one stays as it was
}

// On applies change to a sheet of type S and leaves any other alone.
func On[S any](sheet any, change func(S) S) any {
	if s, ok := sheet.(S); ok {
		return change(s)
	}
	return sheet
}

// Member is one character as a rule sees it.
type Member struct {
	ID    string
	Kind  string
	Name  string
	Sheet any
}

// Scene is what a rule may read: its cast and the settings, as they stood
// when the move opened. It must not be changed. A bare throw, without a
// table, has an empty cast and the default settings.
type Scene struct {
	Actor    string // id of the acting character, "" for none
	Cast     map[string]Member
	Settings any
}

// Sheet returns the sheet of a member of the cast, if it's there and an S.
func Sheet[S any](s Scene, id string) (S, bool) {
	sheet, ok := s.Cast[id].Sheet.(S)
	return sheet, ok
}

// Refusal says that a rule forbids something. Nothing was changed.
type Refusal struct {
	Rule string         // "SP-04"; "" where no rule of the game but the table refuses
	Word string         // id of the text
	Data map[string]any // its data; a Word among the values is worded too
}

// Error gives the rule and the text's id; Voice.Error words it for people.
func (r *Refusal) Error() string {
	if r.Rule == "" {
		return r.Word
	}
	return r.Rule + ": " + r.Word
}

// AsRefusal finds a refusal in an error.
func AsRefusal(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}
