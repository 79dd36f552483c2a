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

// A check takes a text as its form does: what is kept of it, or why it can't be.
type check func(text string) (string, error)

// checking is the check of a form's one field.
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

// keep is what a check keeps of a text; what it doesn't take stays, for a judge to say why.
func (c check) keep(text string) string {
	if clean, err := c(text); err == nil {
		return clean
	}
	return text
}

// hold holds a text to what the check keeps of it.
func (c check) hold(text string) error {
	clean, err := c(text)
	if err == nil {
		err = refusal.Same(text, clean)
	}
	return err
}

// checkName is the check of names.
var checkName = checking("name", func(n struct {
	Name string `json:"name" form:"required"`
},
) string {
	return n.Name
})

// CheckKey holds a key or a nonce to what the journal takes.
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

// OrNothing is an answer that wasn't given as an empty one, so that the form
// says what is missing.
func OrNothing(answer json.RawMessage) json.RawMessage {
	if answer == nil {
		return json.RawMessage("{}")
	}
	return answer
}

// Only is what a form asks for of a value that was stored whole. What it didn't
// ask for is compared afterwards. What is empty isn't stored, and is said here, since
// the form may offer something else to who leaves it out.
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
		case string(value) == "null": // an empty list, where none given would be the standard one
			members[field.Name] = json.RawMessage("[]")
		case field.Kind == form.KindGroup && there:
			members[field.Name] = Only(&form.Form{Fields: field.Fields}, value)
		case !there:
			if value = emptyJSON(field); value != nil {
				members[field.Name] = value
			}
		}
	}
	return state.JSON(members)
}

// emptyJSON is how JSON says that a field is empty; nil where it can't be.
func emptyJSON(f form.Field) json.RawMessage {
	switch {
	case f.MayBeEmpty():
		return nil
	case f.Kind == form.KindInt && f.Min <= 0 && 0 <= f.Max:
		return json.RawMessage("0")
	case f.Kind == form.KindBool, f.Kind == form.KindTrait && !f.Required:
		return json.RawMessage("false")
	case f.Required:
	case f.Kind == form.KindChoice && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == "" }),
		f.Kind == form.KindText, f.Kind == form.KindProse, f.Kind == form.KindRef:
		return json.RawMessage(`""`)
	case f.Min == 0 && (f.Kind == form.KindList || f.Kind == form.KindRefs || f.Kind == form.KindFaces):
		return json.RawMessage("[]")
	}
	return nil
}

// CheckBounds holds a move's arguments to the bounds of a form. Which choices there
// were depends on the whole table, which a seat's file doesn't hold.
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

// What a sheet may be, whoever changes it.

// alwaysAllowed is how many bytes a sheet may have whatever the others have.
const alwaysAllowed = 8 << 10

// checkForm holds a stored sheet to what its form allows, so that no number in it
// is larger than a page can draw.
func checkForm(kind game.Kind, sheet json.RawMessage) error {
	_, err := kind.Patch(kind.Blank, sheet)
	return refusal.Within("sheet", err)
}

// checkLocked refuses a change of members that must stay.
func checkLocked(e visibility.Eye, before, after any, locked []string) error {
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

// checkSize refuses a character's sheet that is too large, by itself or with all others at the
// table; id is "" for a new one's, n its bytes as it's stored.
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

// visibleBytes is how many bytes of a sheet the seat sees, as it's stored. What is hidden weighs
// nothing for who mustn't see it, and so can't be measured by what else there is room for; a GM,
// who sees all, is held to all.
func visibleBytes(e visibility.Eye, id string, sheet any) int {
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

// jsonMembers are a value's members as JSON has them.
func jsonMembers(value any) (members map[string]json.RawMessage, err error) {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &members)
	}
	return members, err
}

// withLabel words the field in a refusal of a locked one.
func withLabel(e visibility.Eye, err error) error {
	r, ok := game.AsRefusal(err)
	if !ok {
		return err
	}
	if name, ok := r.Data["Field"].(string); ok && r.Word == "table.refusal.locked" {
		return &game.Refusal{Word: r.Word, Data: map[string]any{"Field": game.Word(e.Table.Game.Word("field", name))}}
	}
	return err
}
