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
	return settingsFit(e, newer, say)
}

// settingsFit looks at the house rules.
func settingsFit(e visibility.Eye, newer *game.Game, say lang.Speaker) error {
	was, will := e.Table.Game.Settings, newer.Settings
	label := func(field string) string { return say.Say(newer.Word("field", field)) }
	refuse := func(word, field, problem string) error {
		return refusal.Refuse(word, view.Data{"Field": label(field), "Problem": problem})
	}
	if name, odd := otherKind(was.Form.Fields, will.Form.Fields); odd {
		return refuse("text-setting", name, "")
	}
	data, gone, err := left(was.Form, will.Form, e.Table.Settings, was.Default)
	if err != nil {
		return err
	}
	if gone != "" {
		return refuse("text-setting-gone", gone, "")
	}
	_, err = will.Decode(data)
	if field, problem, odd := unfit(err, say, label); odd {
		return refuse("text-setting-value", field, problem)
	}
	return err
}

// unfit is the first field that a form refused, and why in words.
func unfit(err error, say lang.Speaker, label func(field string) string) (field, problem string, odd bool) {
	found := form.Problems(nil)
	if !errors.As(err, &found) {
		return "", "", false
	}
	id, about := found[0].Word()
	field, _, _ = strings.Cut(found[0].Path, ".")
	about["Field"] = label(field)
	return field, say.Say(id, about), true
}

// left is what stands in fields that a newer form has, too. gone is one that it hasn't, and that holds something.
func left(was, will *form.Form, held, blank any) (data []byte, gone string, err error) {
	is, empty := was.Fill(held), was.Fill(blank)
	var members map[string]json.RawMessage
	if data, err = json.Marshal(held); err == nil {
		err = json.Unmarshal(data, &members)
	}
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

// sheetFits looks at one sheet. Who was removed may come back by undoing, so theirs is held to the kinds of its fields.
func sheetFits(now, newer *game.Game, c *state.Character, say lang.Speaker) error {
	was, _ := now.Kind(c.Kind)
	kind, there := newer.Kind(c.Kind)
	if !there {
		return refusal.Refuse("text-kind", view.Data{"Name": c.Name, "Kind": say.Say(now.Word("kind", c.Kind))})
	}
	label := func(field string) string { return say.Say(newer.Word("field", field)) }
	refuse := func(word, field string, problem string) error {
		return refusal.Refuse(word, view.Data{"Name": c.Name, "Field": label(field), "Where": kind.Place(field), "Problem": problem})
	}
	if name, odd := otherKind(was.Form.Fields, kind.Form.Fields); odd {
		return refuse("text-type", name, "")
	}
	if c.Removed {
		return nil
	}
	data, gone, err := left(was.Form, kind.Form, c.Sheet, was.Blank)
	if err != nil {
		return err
	}
	if gone != "" {
		return refuse("text-gone", gone, "")
	}
	_, err = kind.Decode(data)
	if field, problem, odd := unfit(err, say, label); odd {
		return refuse("text-value", field, problem)
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
