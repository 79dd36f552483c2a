package play

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"

	"norn/form"
	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// open reads what lets sheets be changed where they stand.
func (v *visit) open(ctx context.Context, sheets ...view.CharacterShown) (err error) {
	v.Forms = map[string]view.SheetForm{}
	for _, c := range sheets {
		if c.Editable {
			if v.Forms[c.ID], err = v.now.SheetForm(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// editing begins a change of a sheet. The error is one of package table.
func (v *visit) editing(ctx context.Context, id string) (*present.SheetForm, error) {
	c, ok := v.Character(id)
	if !ok || !c.Editable {
		return nil, &refusal.ForbiddenError{}
	}
	f, err := v.now.SheetForm(ctx, id)
	if err != nil {
		return nil, err
	}
	values := url.Values(f.Values)
	s := &present.SheetForm{Character: c, Owner: c.Owner, SheetForm: html.SheetForm{
		ID: id, Called: c.Name, Name: c.Name, Was: values.Encode(), Key: html.NewKey(),
		Fields: html.Fields{Form: f.Form, ID: "sheet-" + id, Values: values, Voice: v.Voice},
	}}
	return s, nil
}

// patch is what was changed in a sheet's form, as a merge patch: what others
// changed meanwhile, such as stress that was marked, stays.
func patch(g *game.Game, kind string, f *form.Form, was string, values url.Values) (json.RawMessage, error) {
	k, ok := g.Kind(kind)
	if !ok {
		return nil, &refusal.NotFoundError{}
	}
	before, err := url.ParseQuery(was)
	if err != nil {
		before = url.Values{}
	}
	now, err := read(k, f, values)
	if err != nil {
		return nil, err
	}
	then, err := read(k, f, before)
	if err != nil { // what stood there can't be read as it is: all that was sent counts
		then = map[string]any{}
	}
	return json.Marshal(difference(then, now))
}

// read reads a sheet's form into the members of its JSON.
func read(k game.Kind, f *form.Form, values url.Values) (map[string]any, error) {
	sheet := reflect.New(reflect.TypeOf(k.Blank))
	if err := f.Values(values, sheet.Interface()); err != nil {
		if problems, ok := errors.AsType[form.Problems](err); ok {
			for i := range problems {
				problems[i].Path = "sheet." + problems[i].Path
			}
			return nil, &refusal.InvalidError{Problems: problems}
		}
		return nil, err
	}
	var members map[string]any
	if err := json.Unmarshal(f.JSON(sheet.Elem().Interface()), &members); err != nil {
		return nil, err
	}
	return members, nil
}

// difference are the members of now that differ from then.
func difference(then, now map[string]any) map[string]any {
	changes := map[string]any{}
	for name, value := range now {
		if reflect.DeepEqual(then[name], value) {
			continue
		}
		inner, ok := value.(map[string]any)
		before, was := then[name].(map[string]any)
		if ok && was {
			changes[name] = difference(before, inner)
			continue
		}
		changes[name] = value
	}
	return changes
}
