package act

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// CharacterChanged has the new values of whatever has changed, and nothing else.
type CharacterChanged struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Was     string          `json:"was"` // the name before
	Name    *string         `json:"name,omitempty"`
	Owner   *string         `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet,omitempty"`
	Changed []string        `json:"changed,omitempty"` // members of the sheet
	Edits   []edit          `json:"edits,omitempty"`   // its changed values one by one, unless there are too many
	sheet   any
}

func (CharacterChanged) Type() string { return "table.character-changed" }

// Subject makes the entry secret if the character is hidden.
func (ev CharacterChanged) Subject(b ledger.Ledger) (move string, secret bool) {
	return "", isHidden(b.State, ev.ID)
}

func (ev CharacterChanged) Restore(st *state.State) (rule.Event, error) {
	if ev.Sheet == nil {
		return ev, nil
	}
	var err error
	ev.sheet, err = state.RestoreSheet(st.Game, ev.Kind, ev.Sheet)
	return ev, err
}

// ChangeRequest asks to change a character. Nil members stay unchanged.
type ChangeRequest struct {
	ID     string          `json:"-" address:"cid"`
	Name   *string         `json:"-" part:"name"`
	Owner  *string         `json:"-" part:"owner"` // id of a seat, "" for nobody; only a game master may
	Sheet  json.RawMessage `json:"-" part:"sheet"` // a JSON merge patch (RFC 7396)
	Values url.Values      `json:"-"`              // a plain form of SheetForm instead of Sheet
	Put    *request.Put    `json:"-" part:"put"`   // a single value instead of Sheet
	Texts  struct {
		Name  string `json:"name" form:"text"`
		Owner string `json:"owner" form:"text" doc:"a game master's: id of the seat that plays it, none for nobody"`
	} `form:"inline"`
}

// Given notes that the client sent a field.
func (r *ChangeRequest) Given(name string) {
	switch name {
	case "name":
		r.Name = &r.Texts.Name
	case "owner":
		r.Owner = &r.Texts.Owner
	}
}

// ChangeCharacter changes a character's name, its owner or its sheet. A game master may change any.
// Players may change their own, except the owner and members of the sheet that they don't see
// completely. A sheet can't be changed while its character is in an open move, unless that lends the
// character and its rule can go on from the change.
var ChangeCharacter = Define(Spec[ChangeRequest, view.Entry]{
	Name: "change-character", Op: "change",
	Route: Route{
		Method: "PATCH", Path: "/characters/{cid}", Missing: "id", Tag: "characters", Tool: "edit_sheet",
		Body: "CharacterChange",
		Parts: map[string]Part{"sheet": {Schema: map[string]any{
			"type": "object", "description": "a JSON merge patch (RFC 7396) of the sheet: members given replace, null takes back to the default, lists are replaced whole",
		}}},
		Summary: "Change a character's name, owner or sheet",
		Text:    "What isn't given stays as it is. Only a game master gives a character to another owner; an owner that is \"\" is nobody. The answer's seq is that of the change's entry, also where the log shows nothing because nothing has changed.",
		Example: map[string]any{"sheet": map[string]any{}, "key": "4d2b"},
	},
	Key: func(r ChangeRequest) any {
		return struct {
			ID          string
			Name, Owner *string
			Sheet       json.RawMessage
			Values      url.Values
			Put         *request.Put
			Key         string
		}{r.ID, r.Name, r.Owner, r.Sheet, r.Values, r.Put, ""}
	},
	Build: func(c Call, r ChangeRequest) (ledger.Draft, error) { return changeCharacter(c.Eye, r) },
})

// changeCharacter builds the entry of a change, on the table without the secret moves that it
// cancels.
func changeCharacter(e *visibility.Eye, c ChangeRequest) (ledger.Draft, error) {
	old, err := ownCharacter(e, "id", c.ID)
	if err != nil {
		return ledger.Draft{}, err
	}
	event := CharacterChanged{ID: old.ID, Kind: old.Kind, Was: old.Name, Owner: c.Owner}
	if c.Name != nil {
		name := checkName.keep(*c.Name)
		if err := checkOwnName(e, name, old.ID); err != nil && name != old.Name {
			return ledger.Draft{}, err
		}
		event.Name = &name
	}
	var yields []*state.Move
	if c.Sheet != nil || c.Values != nil || c.Put != nil {
		if e, yields, err = makeWayFor(e, e.Table.OpenMoves.Blocking, old.ID); err != nil {
			return ledger.Draft{}, err
		}
		if err := changeSheet(e, e.Table.Characters.Of(old.ID), c, &event); err != nil {
			return ledger.Draft{}, err
		}
	}
	d, err := draft(e, view.KindCharacter, event)
	d.Content.Yields = idsOf(yields)
	return d, err
}

// changeSheet adds the new sheet to the event.
func changeSheet(e *visibility.Eye, old *state.Character, c ChangeRequest, event *CharacterChanged) error {
	kind, _ := e.Table.Game.Kind(old.Kind)
	var (
		sheet  any
		err    error
		locked = e.LockedMembers(old)
	)
	if c.Put != nil {
		c.Sheet, err = patchOf(*c.Put, kind.Form, old.Sheet)
	}
	switch {
	case err != nil:
	case c.Put == nil && c.Values != nil:
		sheet, err = kind.Values(old.Sheet, kind.Form.Without(fieldsOf(kind.Form, locked)...), c.Values)
	default:
		sheet, err = patchSheet(e, kind, old.Sheet, c.Sheet, locked)
	}
	if err != nil {
		return refusal.Within("sheet", withLabel(e, err))
	}
	if event.Sheet, err = json.Marshal(sheet); err != nil {
		return err
	}
	event.sheet, event.Changed, event.Edits = sheet, state.Differing(old.Sheet, sheet),
		editsOf(kind.Form, old.Sheet, sheet)
	return nil
}

// patchSheet applies a merge patch to a sheet. For a player a secret member doesn't exist.
func patchSheet(e *visibility.Eye, kind game.Kind, sheet any, patch json.RawMessage, locked []string) (any, error) {
	secrets := kind.Secrets()
	if e.Viewer.IsGM() || len(secrets) == 0 {
		return kind.Patch(sheet, patch, locked...)
	}
	open := kind.Form.Without(secrets...)
	var names []string
	for _, f := range open.Fields {
		names = append(names, f.Name)
	}
	var problems form.Problems
	var given map[string]json.RawMessage
	if json.Unmarshal(patch, &given) == nil { // otherwise Patch reports the error
		for _, called := range slices.Sorted(maps.Keys(given)) {
			if name := form.NameOf(kind.Form.Fields, called); slices.Contains(secrets, name) {
				problems = append(problems, form.Problem{
					Path: strconv.Quote(called), Code: form.Unknown,
					Given: strconv.Quote(called), Allowed: names,
				})
			}
		}
	}
	if problems != nil {
		return nil, problems
	}
	patched, err := kind.Patch(sheet, patch, locked...)
	if errors.As(err, &problems) {
		for i, p := range problems {
			if p.Code == form.Unknown && !strings.Contains(p.Path, ".") {
				problems[i].Allowed = names
			}
		}
	}
	return patched, err
}

func (ev CharacterChanged) judge(p *Proposal) error {
	old, err := ownCharacter(p.Eye, "id", ev.ID)
	if err != nil {
		return err
	}
	if ev.Name == nil && ev.Owner == nil && ev.Sheet == nil {
		return refusal.Invalid("sheet", form.Missing)
	}
	err = refusal.Same(ev.Was, old.Name)
	if ev.Name != nil {
		err = cmp.Or(err, checkName.hold(*ev.Name))
	}
	if err != nil {
		return err
	}
	if ev.Owner != nil {
		if err := cmp.Or(requireGM(p.Eye), mayOwn(p.Eye, *ev.Owner)); err != nil {
			return err
		}
		if *ev.Owner != "" && old.Hidden {
			return refuseTelling(old.Name)
		}
	}
	if ev.Sheet == nil {
		return nil
	}
	return p.judgeSheet(old, ev)
}

func (p *Proposal) judgeSheet(old *state.Character, ev CharacterChanged) error {
	kind, _ := p.Table.Game.Kind(old.Kind)
	if err := cmp.Or(refusal.Same(ev.Kind, old.Kind), CheckUnblocked(p.Eye, true, old.ID), checkForm(kind, ev.Sheet)); err != nil {
		return err
	}
	err := p.Rules(func() error {
		if err := checkLocked(p.Eye, old.Sheet, ev.sheet, p.LockedMembers(old)); err != nil {
			return err
		}
		if m := p.Table.OpenMoves.StoppedBy(game.Edited{Who: old.ID, Was: old.Sheet, Is: ev.sheet}); m != nil {
			return busyWith(p.Eye, old.ID, m)
		}
		// older entries have no Edits
		if err := refusal.SameNames(ev.Changed, state.Differing(old.Sheet, ev.sheet)); err != nil || ev.Edits == nil {
			return err
		}
		return refusal.Same(string(state.JSON(ev.Edits)), string(state.JSON(editsOf(kind.Form, old.Sheet, ev.sheet))))
	})
	if err != nil {
		return err
	}
	return p.checkSize(old.ID, ev.sheet, 0)
}

func (ev CharacterChanged) Fold(st *state.State, r *state.Record) {
	if st.Characters.Of(ev.ID) == nil {
		return
	}
	if ev.Name != nil {
		st.Touch(r, ev.ID, state.OfName).Name = *ev.Name
	}
	if ev.Owner != nil {
		st.Touch(r, ev.ID, state.OfOwner).Owner = *ev.Owner
	}
	if ev.Sheet != nil {
		st.Touch(r, ev.ID, state.OfSheet).Write(ev.sheet)
	}
}

func (ev CharacterChanged) Touches() ([]string, state.Facet) {
	var by state.Facet
	if ev.Sheet != nil {
		by |= state.OfSheet
	}
	if ev.Name != nil {
		by |= state.OfName
	}
	if ev.Owner != nil {
		by |= state.OfOwner
	}
	if by == 0 {
		return nil, 0
	}
	return []string{ev.ID}, by
}

// Lines shows a change, with new values only of those members that the seat sees completely.
func (ev CharacterChanged) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	var lines []view.Line
	now := ev.Was
	if ev.Name != nil {
		now = *ev.Name
		lines = append(lines, e.Line(ev, "renamed", view.Data{"Was": ev.Was, "Name": now},
			view.Data{"id": ev.ID, "was": ev.Was, "name": now})...)
	}
	if ev.Owner != nil {
		id, words := "no-owner", view.Data{"Name": now}
		if owner := e.Table.Seats.Of(*ev.Owner); owner != nil {
			id, words["Seat"] = "owner", owner.Name
		}
		lines = append(lines, e.Line(ev, id, words, view.Data{"id": ev.ID, "owner": *ev.Owner})...)
	}
	var locked []string
	if !e.Viewer.IsGM() {
		locked = e.LockedMembers(e.Table.Characters.Of(ev.ID))
		if ev.sheet != nil { // what the seat sees of a sheet may depend on the sheet at that time
			locked = visibility.RedactedMembers(locked, ev.sheet, e.VisibleSheet(ev.ID, ev.sheet))
		}
	}
	changed := slices.DeleteFunc(slices.Clone(ev.Changed), func(name string) bool {
		return slices.Contains(locked, name)
	})
	kind, _ := e.Table.Game.Kind(ev.Kind)
	edits := editsShown(e, kind.Form, ev.Edits, locked)
	switch {
	case len(edits) > 0:
		lines = append(lines, e.Line(ev, "sheet-edited", view.Data{"Name": now, "Edits": oneLine(edits)},
			view.Data{"id": ev.ID, "changed": changed, "edits": edits})...)
	case len(changed) > 0:
		lines = append(lines, e.Line(ev, "sheet-changed", view.Data{"Name": now, "Fields": e.Labels("field", changed)},
			view.Data{"id": ev.ID, "changed": changed})...)
	case len(lines) == 0 && e.Viewer.IsGM():
		lines = e.Line(ev, "sheet-same", view.Data{"Name": now}, view.Data{"id": ev.ID, "changed": []string{}})
	}
	return lines
}

// SheetForm returns the part of a character's sheet that the seat may change, as a form.
func SheetForm(e *visibility.Eye, id string) (view.SheetForm, error) {
	c, f, err := changeable(e, id)
	if err != nil {
		return view.SheetForm{}, err
	}
	filled := f.Fill(c.Sheet)
	return view.SheetForm{
		Kind: c.Kind, Form: withCharacterChoices(e, f).From(c.Sheet), Values: f.InputsOf(filled), Sheet: filled,
	}, nil
}

// changeable returns a character and the fields of its sheet that the seat may change.
func changeable(e *visibility.Eye, id string) (*state.Character, *form.Form, error) {
	c, err := ownCharacter(e, "character", id)
	if err != nil {
		return nil, nil, err
	}
	kind, _ := e.Table.Game.Kind(c.Kind)
	return c, kind.Form.Without(fieldsOf(kind.Form, e.LockedMembers(c))...), nil
}

// withCharacterChoices adds characters as options to each field that names one; also removed ones,
// since the sheet may name them.
func withCharacterChoices(e *visibility.Eye, f *form.Form) *form.Form {
	choices := form.Choices{}
	for path, field := range f.All() {
		if field.Kind != form.KindRef || field.Options != nil {
			continue
		}
		for _, c := range e.Table.Characters {
			if e.SeesCharacter(c) {
				choices[path] = append(choices[path], form.Option{Value: c.ID, Text: c.Name})
			}
		}
	}
	return f.Offering(choices)
}

// fieldsOf returns those names that have a field in the form.
func fieldsOf(f *form.Form, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := f.Field(name)
		return !ok
	})
}
