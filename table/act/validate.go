package act

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// A check cleans a text as its form does, or returns what is wrong with it.
type check func(text string) (string, error)

// checking returns the check of a form with one field.
func checking[F any](field string, kept func(F) string) check {
	f := form.Of[F]()
	return func(text string) (string, error) {
		var sent F
		if err := f.Texts(map[string]string{field: text}, &sent); err != nil {
			return "", &refusal.InvalidError{Problems: err.(form.Problems)}
		}
		return kept(sent), nil
	}
}

// keep returns the cleaned text. It returns an invalid text unchanged, so that a judge can refuse
// it.
func (c check) keep(text string) string {
	if clean, err := c(text); err == nil {
		return clean
	}
	return text
}

// hold returns a misfit unless a text is valid and already clean.
func (c check) hold(text string) error {
	clean, err := c(text)
	if err == nil {
		err = refusal.Same(text, clean)
	}
	return err
}

// checkName checks names.
var checkName = checking("name", func(n struct {
	Name string `json:"name" form:"required"`
},
) string {
	return n.Name
})

// CheckKey checks that the journal can store a key or a nonce.
func CheckKey(path, text string) error {
	switch {
	case len(text) > journal.MaxText:
		return refusal.Invalid(path, form.TooLong, func(p *form.Problem) { p.Max, p.Given = journal.MaxText, "…" })
	case !utf8.ValidString(text):
		return refusal.Invalid(path, form.UTF8)
	case strings.ContainsRune(text, 0):
		return refusal.Invalid(path, form.Control)
	}
	return nil
}

// OrNothing returns an empty object for a missing answer, so that the form says which members are
// missing.
func OrNothing(answer json.RawMessage) json.RawMessage {
	if answer == nil {
		return json.RawMessage("{}")
	}
	return answer
}

// Only returns the members of a stored value that a form has fields for. The caller compares the
// others. Empty values aren't stored and are added here, since the form may have another default.
func Only(f *form.Form, stored json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(stored, &members); err != nil || members == nil {
		return stored
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return !slices.ContainsFunc(f.Fields, func(field form.Field) bool { return field.Name == name })
	})
	for _, field := range f.Fields {
		value, there := members[field.Name]
		switch {
		case string(value) == "null" && field.MayBeEmpty():
		case string(value) == "null": // an empty list, because null would mean the default
			members[field.Name] = json.RawMessage("[]")
		case field.Kind == form.KindGroup && there:
			members[field.Name] = Only(&form.Form{Fields: field.Fields}, value)
		case !there:
			if value = field.Empty(); value != nil {
				members[field.Name] = value
			}
		}
	}
	return state.JSON(members)
}

// CheckBounds checks a move's arguments by a form, except choices: those depend on the whole table,
// which a seat's file doesn't have.
func CheckBounds(def *game.Move, f *form.Form, args json.RawMessage) error {
	_, err := def.Decode(f, Only(f, args))
	var problems form.Problems
	if err == nil || errors.As(err, &problems) && !slices.ContainsFunc(problems, func(p form.Problem) bool {
		return p.Code != form.NoChoice
	}) {
		return nil
	}
	return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": err.Error()})
}

// Limits of sheets, for all ways to change one.

// alwaysAllowed is a size in bytes that a sheet may always have, however large the others are.
const alwaysAllowed = 8 << 10

// checkForm checks a stored sheet by its form, so that no number in it is larger than a page can
// show.
func checkForm(kind game.Kind, sheet json.RawMessage) error {
	_, err := kind.Patch(kind.Blank, sheet)
	return refusal.Within("sheet", err)
}

// checkLocked refuses changes of locked members.
func checkLocked(e *visibility.Eye, before, after any, locked []string) error {
	if len(locked) == 0 {
		return nil
	}
	for _, name := range state.Differing(before, after) {
		if slices.Contains(locked, name) {
			return refusal.Within("sheet",
				withLabel(e, &game.Refusal{Word: "table.refusal.locked", Data: map[string]any{"Field": name}}))
		}
	}
	return nil
}

// checkSize refuses a character's sheet that is too large by itself, or together with all others of
// the table. id is "" for a new character; n is the stored size.
func (p *Proposal) checkSize(id string, sheet any, n int) error {
	if p.old() {
		return nil
	}
	all := n
	if id != "" {
		all = visibleBytes(p.Eye, id, sheet)
	}
	if all > request.MaxSheet {
		return &refusal.TooManyError{What: "bytes", Max: request.MaxSheet}
	}
	if all <= alwaysAllowed {
		return nil
	}
	for _, c := range p.Characters() {
		if c.ID != id {
			all += visibleBytes(p.Eye, c.ID, c.Sheet)
		}
	}
	if all > request.MaxSheets {
		return &refusal.TooManyError{What: "sheet-bytes", Max: request.MaxSheets}
	}
	return nil
}

// visibleBytes returns how many stored bytes of a sheet the seat sees. Hidden members don't count
// for players, who could otherwise measure them by the space that is left. For a GM all members
// count.
func visibleBytes(e *visibility.Eye, id string, sheet any) int {
	if e.Viewer.IsGM() {
		return len(state.JSON(sheet))
	}
	n := len("{}")
	shown := state.Members(e.VisibleSheet(id, sheet))
	for name := range state.Members(sheet) {
		if value, there := shown[name]; there {
			n += len(`"":,`) + len(name) + len(state.JSON(value))
		}
	}
	return n
}

// jsonMembers returns the members of a value's JSON.
func jsonMembers(value any) (members map[string]json.RawMessage, err error) {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &members)
	}
	return members, err
}

// withLabel puts the field's name into a refusal of a locked one.
func withLabel(e *visibility.Eye, err error) error {
	r, ok := game.AsRefusal(err)
	if !ok {
		return err
	}
	if name, ok := r.Data["Field"].(string); ok && r.Word == "table.refusal.locked" {
		return &game.Refusal{Word: r.Word, Data: map[string]any{"Field": game.Word(e.Table.Game.Word("field", name))}}
	}
	return err
}
