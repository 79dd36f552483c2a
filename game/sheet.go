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
	Also   []string // other names, such as its label
	Player bool     // a player may own one
	Thing  bool     // not a person: a task, a fight, a clock
	Scene  bool     // a thing in which people act: a story mentions its name with what is done in it
	Partly bool     // rules can read a sheet whose secret parts are left out, such as cards in a hand
	Form   *form.Form
	Blank  any
	// top-level members that a player who adds one can't set, including those tagged secret
	Reserved []string
	Frees    func(sheet any) []rule.Event // events to record before it's removed; nil for none
	// the two or three that matter, from the result of View.Sheet; nil: those of its form
	Tracks func(shown any) []Track
	// the drawn sheet, from the result of View.Sheet; nil: drawn by its form
	Sheet func(shown any, v Voice) Component
	// the state shown next to the name, from the result of View.Sheet; nil for none
	State func(shown any) State
	// for a game read from a text: the places of its fields in the text, and under "" that of the
	// sheet
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

// Component is a piece of a page that writes itself. Only the game's own page code knows how.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// State is a condition that everybody should see at once, such as that a character is helpless or
// beaten.
type State struct {
	Word string // id of its word, "" for none
	Out  bool   // they don't take part any more
}

// KindOf describes a kind whose sheets have type S or, if S is any, the type of blank. check
// refuses sheets that the form allows but the rules don't; it may be nil.
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

// lockedMembers returns the top-level members that players can't set: those tagged secret.
func lockedMembers(t reflect.Type) []string {
	return slices.Concat(secretsIn(t).names, secretsIn(t).held)
}

// LockedMembers returns the top-level members that players can't set, visible or not: those tagged
// secret.
func (k Kind) LockedMembers() []string { return lockedMembers(reflect.TypeOf(k.Blank)) }

// Secrets returns the top-level members that only game masters see.
func (k Kind) Secrets() []string { return secretsIn(reflect.TypeOf(k.Blank)).names }

// TracksOf returns the tracks of a sheet as a viewer sees it.
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

// Decode reads a whole sheet from JSON; missing members get their default. The error is
// form.Problems or a *Refusal.
func (k Kind) Decode(data []byte) (any, error) { return k.decode(data) }

// Values reads a plain HTML form of part, which holds some of the fields of the kind's form; the
// others keep their values in sheet. The error is form.Problems or a *Refusal.
func (k Kind) Values(sheet any, part *form.Form, v url.Values) (any, error) {
	return k.values(sheet, part, v)
}

// Restore reads a sheet from the journal, maybe written by older rules: members that they lacked
// get their default, and members that these rules don't know are dropped.
func (k Kind) Restore(data []byte) (any, error) { return k.restore(data) }

// Patch changes a sheet by a JSON merge patch (RFC 7396): members given replace, null resets to the
// default, groups are merged, lists are replaced as a whole. locked names top-level members that
// must not change. The error is form.Problems or a *Refusal.
func (k Kind) Patch(sheet any, patch []byte, locked ...string) (any, error) {
	data, err := applyPatch(sheet, patch, k.Form.Fields, locked)
	if err != nil {
		return nil, err
	}
	return k.decode(data)
}

// Change is an event that changes a sheet. It can't fail: a sheet that it isn't about is returned
// unchanged.
type Change interface {
	rule.Event
	Whose() string       // id of the character
	Apply(sheet any) any // returns a new sheet and doesn't change the old one
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
	Owner string // the seat that owns it, "" for the game master
	Sheet any
}

// Scene contains everything that a rule may read: its cast and the settings when the move opened.
// It must not be changed. A roll without a table has an empty cast and the default settings.
type Scene struct {
	Actor    string // id of the acting character, "" for none
	Cast     map[string]Member
	Settings any
	Secret   bool // hidden from players, who must not learn of it from changes on their sheets
	Ruled    Ruled

	apart  map[string]Member // characters outside the cast that an answer may add; see Name
	offers bool              // apart is complete, and questions offer its members
}

// Ruled records which arguments of a move the game master decided: all of their own move; of a move
// that they called for, those that they fixed or that nobody changed.
type Ruled struct {
	All   bool     `json:"all,omitempty"`
	Asked bool     `json:"asked,omitempty"`
	Fixed []string `json:"fixed,omitempty"`
}

// Set reports whether the game master decided an argument. left means that nobody has changed it.
func (r Ruled) Set(name string, left bool) bool {
	return r.All || r.Asked && (left || slices.Contains(r.Fixed, name))
}

// Sheet returns the sheet of a member of the cast, if it's there and an S.
func Sheet[S any](s Scene, id string) (S, bool) {
	sheet, ok := s.Cast[id].Sheet.(S)
	return sheet, ok
}

// IDs returns the ids of the cast in a stable order.
func (s Scene) IDs() []string {
	ids := slices.AppendSeq(make([]string, 0, len(s.Cast)), maps.Keys(s.Cast))
	slices.Sort(ids)
	return ids
}

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

// Refusal is the error of a rule that forbids something. Nothing was changed.
type Refusal struct {
	Rule string         // "SP-04"; "" if the table refuses, not a rule of the game
	Word string         // id of the text
	Data map[string]any // its data; values of type Word are replaced by their words
}

// Error returns the rule and the text's id; Voice.Refusal words it for people.
func (r *Refusal) Error() string {
	if r.Rule == "" {
		return r.Word
	}
	return r.Rule + ": " + r.Word
}

// Refuse returns a refusal; about are names and values in turn.
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

// AsRefusal returns the refusal in an error.
func AsRefusal(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}

// Defect is an error of a game's own text. Players get it as a refusal, since nothing changes;
// a check of the game gets the error itself.
type Defect interface {
	error
	Defect()
}

// AsDefect returns the defect in an error.
func AsDefect(err error) (Defect, bool) { return errors.AsType[Defect](err) }
