package act

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// editionTaken switches the table to a newer edition of the rules.
type editionTaken struct {
	byMasters
	Was string `json:"was"`
	Is  string `json:"is"`
}

func (editionTaken) Type() string { return "table.edition-taken" }

// TakeEdition switches the table to this norn's edition of the rules. Open moves continue by it.
// Those that can't, listed in View.Stranded, are cancelled and their changes reverted.
var TakeEdition = Define(Spec[Nothing, view.Entry]{
	Name: "take-edition", Op: "edition",
	Route: Route{
		Method: "POST", Path: "/edition", Tag: "moves", Body: keyOnly,
		Summary: "Take up the newer edition of norn's rules",
		Text: "Where norn was updated and its rules have changed, a table says so in newer. Until a game master takes them up nobody makes " +
			"a move or answers. Open moves go on by the newer rules; those that can't, the table's stranded, are cancelled with it: what they " +
			"changed is as it was before. It's refused where the table plays by the newest rules already.",
		Example: map[string]any{"key": "5c0e"},
	},
	Key:   nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) { return takeEdition(c.Eye) },
})

// takeEdition builds the switch to this norn's edition. It cancels the open moves that can't
// continue by it. A switch to another text of an own game needs that no move is open and that every
// sheet fits.
func takeEdition(e *visibility.Eye) (ledger.Draft, error) {
	newest := e.Table.Game.Now()
	if newest.Text != "" && newest.EditionID() != e.Table.Edition && e.Viewer.IsGM() {
		if err := fitsText(e, newest); err != nil {
			return ledger.Draft{}, err
		}
	}
	d, err := draft(e, view.KindEdition, editionTaken{Was: e.Table.Edition, Is: newest.EditionID()})
	for _, m := range e.Table.OpenMoves.FindStranded() {
		d.Content.Yields = append(d.Content.Yields, m.ID)
	}
	return d, err
}

func (ev editionTaken) Find(_ ledger.Ledger, r *state.Record) error {
	if ev.Is != r.Edition {
		return errors.New("it takes another edition than it's made by")
	}
	return nil
}

// judge checks that the edition is newer, and that only moves that can't continue are cancelled.
func (ev editionTaken) judge(p *Proposal) error {
	if err := refusal.Same(ev.Was, p.Table.Edition); err != nil {
		return err
	}
	if !p.Table.Game.Follows(ev.Was, ev.Is) {
		if p.Table.Game.Text != "" {
			return refusal.Refuse("no-newer-text", nil)
		}
		return refusal.Refuse("no-newer-edition", nil)
	}
	if p.Table.Game.Texts != nil {
		if len(p.Table.OpenMoves) > 0 {
			return refusal.Refuse("text-open", nil)
		}
		// to read a log a similar edition is enough
		if err := p.Table.CheckEdition(ev.Is); err != nil && p.Log == nil {
			return refusal.Refuse("text-unread", view.Data{"Problem": err.Error()})
		}
		return nil
	}
	// only the older edition itself could find out which moves can continue
	if p.Log != nil && !p.Log.Replays() || ev.Is != p.Table.Game.EditionID() {
		return nil
	}
	for _, m := range p.Table.OpenMoves {
		if state.GaveWay(p.Record, m.ID) != (m.Fault != nil) {
			return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": m.ID})
		}
	}
	return nil
}

func (ev editionTaken) Fold(st *state.State, _ *state.Record) { st.SetEdition(ev.Is) }

// Edition returns the new edition.
func (ev editionTaken) Edition() string { return ev.Is }

func (ev editionTaken) Lines(e *visibility.Eye) []view.Line {
	word := "edition-taken"
	if e.Table.Game.Text != "" {
		word = "text-taken"
	}
	return e.Line(ev, word, view.Data{"Game": e.Word("game", "name"), "Is": ev.Is},
		view.Data{"was": ev.Was, "is": ev.Is})
}

// currentEdition refuses a request at a table that doesn't play by the newest rules yet.
func currentEdition(e *visibility.Eye) error {
	if !e.Table.IsOutdated() {
		return nil
	}
	word := "older-edition"
	if e.Table.Game.Text != "" {
		word = "older-text"
	}
	return refusal.Refuse(word, view.Data{
		"Game": e.Word("game", "name"), "Was": e.Table.Edition,
		"Is": e.Table.Game.EditionID(),
	})
}

// fitsText returns why the table can't play by another text of its game: a move is open, or a sheet
// or the settings have values that the text doesn't allow. The refusal names the sheet, the field
// and its line in the text.
func fitsText(e *visibility.Eye, newer *game.Game) error {
	if len(e.Table.OpenMoves) > 0 {
		return refusal.Refuse("text-open", nil)
	}
	say, old := newer.Speak(e.Voice.Speaker), e.Table.Game
	label := func(field string) string { return say.Say(newer.Word("field", field)) }
	for _, c := range e.Table.Characters {
		was, _ := old.Kind(c.Kind)
		kind, there := newer.Kind(c.Kind)
		if !there {
			return refusal.Refuse("text-kind", view.Data{"Name": c.Name, "Kind": say.Say(old.Word("kind", c.Kind))})
		}
		err := refit{
			was: was.Form, will: kind.Form, held: c.Sheet, blank: was.Blank, say: say, label: label,
			decode: func(data []byte) error { _, err := kind.Decode(data); return err },
			refuse: func(what, field, problem string) error {
				return refusal.Refuse("text-"+what,
					view.Data{"Name": c.Name, "Field": label(field), "Where": kind.Place(field), "Problem": problem})
			},
		}.judge("type", "gone", "value", c.Removed)
		if err != nil {
			return err
		}
	}
	return refit{
		was: old.Settings.Form, will: newer.Settings.Form, held: e.Table.Settings, blank: old.Settings.Default,
		say: say, label: label,
		decode: func(data []byte) error { _, err := newer.Settings.Decode(data); return err },
		refuse: func(what, field, problem string) error {
			return refusal.Refuse("text-"+what, view.Data{"Field": label(field), "Problem": problem})
		},
	}.judge("setting", "setting-gone", "setting-value", false)
}

// refit compares the old and new forms of a sheet or of the house rules, with the current values.
type refit struct {
	was, will   *form.Form
	held, blank any
	say         lang.Speaker
	label       func(field string) string
	decode      func(data []byte) error
	refuse      func(what, field, problem string) error
}

// judge refuses a field whose kind has changed, a dropped field with a value, and a value that the
// new form rejects. For removed characters, which an undo may bring back, only the first counts.
func (r refit) judge(kind, gone, value string, removed bool) error {
	if name, odd := otherKind(r.was.Fields, r.will.Fields); odd {
		return r.refuse(kind, name, "")
	}
	if removed {
		return nil
	}
	data, name, err := leftOver(r.was, r.will, r.held, r.blank)
	if err != nil {
		return err
	}
	if name != "" {
		return r.refuse(gone, name, "")
	}
	err = r.decode(data)
	if found := form.Problems(nil); errors.As(err, &found) {
		id, about := found[0].Word()
		name, _, _ = strings.Cut(found[0].Path, ".")
		about["Field"] = r.label(name)
		return r.refuse(value, name, r.say.Say(id, about))
	}
	return err
}

// leftOver returns the values of fields that the newer form still has. gone names a field with a
// value that it no longer has.
func leftOver(was, will *form.Form, held, blank any) (data []byte, gone string, err error) {
	is, empty := was.Fill(held), was.Fill(blank)
	members, err := jsonMembers(held)
	if err != nil {
		return nil, "", err
	}
	for _, f := range was.Fields {
		if slices.ContainsFunc(will.Fields, func(n form.Field) bool { return n.Name == f.Name }) {
			continue
		}
		if !reflect.DeepEqual(is[f.Name], empty[f.Name]) {
			return nil, f.Name, nil
		}
		delete(members, f.Name)
	}
	data, err = json.Marshal(members)
	return data, "", err
}

// otherKind returns a field whose kind differs in newer fields, so that they can't read its stored
// value.
func otherKind(was, will []form.Field) (name string, odd bool) {
	for _, f := range was {
		for _, n := range will {
			if n.Name != f.Name {
				continue
			}
			if n.Kind.JSONKind() != f.Kind.JSONKind() {
				return f.Name, true
			}
			if _, odd := otherKind(f.Fields, n.Fields); odd {
				return f.Name, true
			}
		}
	}
	return "", false
}
