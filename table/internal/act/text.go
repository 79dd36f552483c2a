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
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// fits tells why a table can't be played by another text of its game: a move is open, a sheet or the settings hold what it doesn't know.
// What is refused names the sheet, the field, and its line in the text.
func fits(e visibility.Eye, newer *game.Game) error {
	if len(e.Table.OpenMoves) > 0 {
		return refusal.Refuse("text-open", nil)
	}
	say := newer.Speak(e.Voice.Speaker)
	for _, c := range e.Table.Characters {
		if err := sheetFits(e.Table.Game, newer, c, say); err != nil {
			return err
		}
	}
	is, will := e.Table.Game.Settings, newer.Settings
	if name, odd := otherKind(is.Form.Fields, will.Form.Fields); odd {
		return refusal.Refuse("text-setting", view.Data{"Field": say.Say(newer.Word("setting", name))})
	}
	return nil
}

// sheetFits looks at one sheet. Who was removed may come back by undoing, so theirs is held to the kinds of its fields.
func sheetFits(now, newer *game.Game, c *state.Character, say lang.Speaker) error {
	was, _ := now.Kind(c.Kind)
	kind, there := newer.Kind(c.Kind)
	if !there {
		return refusal.Refuse("text-kind", view.Data{"Name": c.Name, "Kind": say.Say(now.Word("kind", c.Kind))})
	}
	refuse := func(word, field string, problem string) error {
		label := say.Say(newer.Word("field", field))
		return refusal.Refuse(word, view.Data{"Name": c.Name, "Field": label, "Where": kind.Place(field), "Problem": problem})
	}
	if name, odd := otherKind(was.Form.Fields, kind.Form.Fields); odd {
		return refuse("text-type", name, "")
	}
	if c.Removed {
		return nil
	}
	holds, blank := was.Form.Fill(c.Sheet), was.Form.Fill(was.Blank)
	var sheet map[string]json.RawMessage
	data, err := json.Marshal(c.Sheet)
	if err == nil {
		err = json.Unmarshal(data, &sheet)
	}
	if err != nil {
		return err
	}
	for _, f := range was.Form.Fields {
		if slices.ContainsFunc(kind.Form.Fields, func(n form.Field) bool { return n.Name == f.Name }) {
			continue
		}
		if !reflect.DeepEqual(holds[f.Name], blank[f.Name]) {
			return refuse("text-gone", f.Name, "")
		}
		delete(sheet, f.Name)
	}
	if data, err = json.Marshal(sheet); err != nil {
		return err
	}
	_, err = kind.Decode(data)
	if found := form.Problems(nil); errors.As(err, &found) {
		id, about := found[0].Word()
		field, _, _ := strings.Cut(found[0].Path, ".")
		about["Field"] = say.Say(newer.Word("field", field))
		return refuse("text-value", field, say.Say(id, about))
	}
	return err
}

// otherKind finds a field that is of another kind in newer fields, so that what was written of it can't be read.
func otherKind(was, will []form.Field) (name string, odd bool) {
	for _, f := range was {
		for _, n := range will {
			if n.Name != f.Name {
				continue
			}
			if readAs(n.Kind) != readAs(f.Kind) {
				return f.Name, true
			}
			if _, odd := otherKind(f.Fields, n.Fields); odd {
				return f.Name, true
			}
		}
	}
	return "", false
}

// readAs is what a kind of field is in JSON: texts and choices are alike.
func readAs(k form.Kind) form.Kind {
	switch k {
	case form.KindProse, form.KindChoice:
		return form.KindText
	}
	return k
}
