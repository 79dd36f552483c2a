package game

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/url"
	"reflect"
	"slices"

	"norn/form"
	"norn/rule"
)

// Kind is one kind of sheet: a character, an NPC.
type Kind struct {
	ID     string
	Also   []string // other names by which it's found, as its label
	Player bool     // a player may own one
	Thing  bool     // nobody: a task, a fight, a clock
	Scene  bool     // a thing in which people act: the story tells what is done in it under its name
	Partly bool     // rules read a sheet also where what is secret is left out, as cards that somebody holds
	Form   *form.Form
	Blank  any
	// top-level members that a player who adds one can't set, those that are tagged secret among
	// them
	Reserved []string
	Frees    func(sheet any) []rule.Event // what it lets go of as it's taken away; nil for nothing
	// the two or three that matter, from what View.Sheet shows; nil: what its form says
	Tracks func(shown any) []Track
	// the sheet as it looks, from what View.Sheet shows; nil: as its form says
	Sheet func(shown any, v Voice) Component
	// what stands beside the name, from what View.Sheet shows; nil for nothing
	State func(shown any) State
	// of a game that is a text: where its fields stand in it, and under "" the sheet
	Places  map[string]string
	decode  func([]byte) (any, error)
	values  func(sheet any, f *form.Form, v url.Values) (any, error)
	restore func([]byte) (any, error)
}

// With returns the kind with the set members of more.
func (k Kind) With(more Kind) Kind {
	k.Thing, k.Scene = k.Thing || more.Thing, k.Scene || more.Scene
	if more.Form != nil {
		k.Form = more.Form
	}
	k.Reserved = slices.Concat(k.Reserved, more.Reserved)
	if more.Frees != nil {
		k.Frees = more.Frees
	}
	if more.Tracks != nil {
		k.Tracks = more.Tracks
	}
	if more.Sheet != nil {
		k.Sheet = more.Sheet
	}
	if more.State != nil {
		k.State = more.State
	}
	return k
}

// Place returns the place of a field in the game's text, or else that of the kind.
func (k Kind) Place(field string) string {
	if at, ok := k.Places[field]; ok {
		return at
	}
	return k.Places[""]
}

// Component is a piece of a page that writes itself. How it does so is known to who draws it: the
// game's own page.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// State is a condition that everybody should see at once: that a character is helpless or beaten.
type State struct {
	Word string // id of its word, "" for nothing to be said
	Out  bool   // they take no part any more
}

// KindOf describes a kind whose sheets are values of type S, or, for any, of what blank is. check
// refuses what the form allows but the rules don't; it may be nil.
func KindOf[S any](id string, player bool, blank S, check func(S) error) Kind {
	r := readerOf(blank)
	checked := func(s any, err error) (any, error) {
		if err == nil && check != nil {
			err = check(s.(S))
		}
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return Kind{
		ID: id, Player: player, Form: r.form, Blank: blank, Reserved: lockedMembers(reflect.TypeOf(blank)),
		decode:  func(data []byte) (any, error) { return checked(r.decode(data)) },
		values:  func(sheet any, part *form.Form, v url.Values) (any, error) { return checked(r.part(sheet, part, v)) },
		restore: r.restore,
	}
}

// lockedMembers are the top-level members that players can't set: those that are tagged secret.
func lockedMembers(t reflect.Type) []string {
	return slices.Concat(secretsIn(t).names, secretsIn(t).held)
}

// LockedMembers are the top-level members that players can't set, whether they see them or not: those that are
// tagged secret.
func (k Kind) LockedMembers() []string { return lockedMembers(reflect.TypeOf(k.Blank)) }

// Secrets are the top-level members that only game masters see.
func (k Kind) Secrets() []string { return secretsIn(reflect.TypeOf(k.Blank)).names }

// TracksOf are the tracks of a sheet as it's shown.
func (g *Game) TracksOf(k Kind, shown any) []Track {
	if k.Tracks != nil {
		return k.Tracks(shown)
	}
	if reflect.TypeOf(shown) != reflect.TypeOf(k.Blank) {
		return nil
	}
	var tracks []Track
	filled := k.Form.Fill(shown)
	for _, f := range k.Form.Fields {
		now, counts := filled[f.Name].(int)
		if !counts || !f.Track {
			continue
		}
		most, other := filled[f.TrackOf].(int)
		if !other {
			most = f.Max
		}
		tracks = append(
			tracks,
			Track{ID: f.Name, Name: g.Word("field", f.Name), Now: now, Max: most, Field: f.Name, Look: Look(f.Look)},
		)
	}
	return tracks
}

// Decode reads a whole sheet from JSON; what is missing gets its default. The
// error is form.Problems or a *Refusal.
func (k Kind) Decode(data []byte) (any, error) { return k.decode(data) }

// Values reads a plain HTML form of part, which holds some of the fields of the
// kind's form; the others stay as they are in sheet. The error is form.Problems
// or a *Refusal.
func (k Kind) Values(sheet any, part *form.Form, v url.Values) (any, error) {
	return k.values(sheet, part, v)
}

// Restore reads back a sheet that was valid when it was written to the journal,
// maybe by older rules: what they lacked has its default, what these rules don't
// know is left out.
func (k Kind) Restore(data []byte) (any, error) { return k.restore(data) }

// Patch changes a sheet by a JSON merge patch (RFC 7396): members given
// replace, null takes back to the default, groups are merged, lists are
// replaced whole. locked names top-level members that must not change. The
// error is form.Problems or a *Refusal.
func (k Kind) Patch(sheet any, patch []byte, locked ...string) (any, error) {
	data, err := applyPatch(sheet, patch, k.Form.Fields, locked)
	if err != nil {
		return nil, err
	}
	return k.decode(data)
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
	Owner string // the seat that plays it, "" for the game master
	Sheet any
}

// Scene contains everything that a rule may read: its cast and the settings when the move opened.
// It must not be changed. A roll without a table has an empty cast and the default settings.
type Scene struct {
	Actor    string // id of the acting character, "" for none
	Cast     map[string]Member
	Settings any
	Secret   bool // players know nothing of the move: what it changes on their sheets would tell them
	Ruled    Ruled

	apart  map[string]Member // who aren't in the cast and join by being named in an answer; see Name
	offers bool              // all whom an answer may name are there, and questions offer them
}

// Ruled says which arguments of a move the game master decided: all of their own move; of a move
// that they asked for, those that they fixed or that nobody changed.
type Ruled struct {
	All   bool     `json:"all,omitempty"`
	Asked bool     `json:"asked,omitempty"`
	Fixed []string `json:"fixed,omitempty"`
}

// Set reports whether the game master decided an argument. left says that nobody has changed it.
func (r Ruled) Set(name string, left bool) bool {
	return r.All || r.Asked && (left || slices.Contains(r.Fixed, name))
}

// Sheet returns the sheet of a member of the cast, if it's there and an S.
func Sheet[S any](s Scene, id string) (S, bool) {
	sheet, ok := s.Cast[id].Sheet.(S)
	return sheet, ok
}

// IDs are the ids of the cast in a stable order.
func (s Scene) IDs() []string { return slices.Sorted(maps.Keys(s.Cast)) }

// Others returns options for the characters of some kinds except the actor.
func (s Scene) Others(kinds ...string) []form.Option {
	options := []form.Option{}
	for _, id := range s.IDs() {
		if m := s.Cast[id]; slices.Contains(kinds, m.Kind) && id != s.Actor {
			options = append(options, form.Option{Value: id, Text: m.Name})
		}
	}
	return options
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

// Refuse makes a refusal; about are names and values in turn.
func Refuse(rule, word string, about ...any) error {
	r := &Refusal{Rule: rule, Word: word}
	for i := 0; i+1 < len(about); i += 2 {
		if r.Data == nil {
			r.Data = map[string]any{}
		}
		r.Data[about[i].(string)] = about[i+1]
	}
	return r
}

// AsRefusal finds a refusal in an error.
func AsRefusal(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}
