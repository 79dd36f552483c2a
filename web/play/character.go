package play

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
)

// addCharacter adds a character with a blank sheet and opens that sheet to be
// filled.
func addCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	n := present.Newcomer{Name: r.PostForm.Get(html.Own + "name"), Kind: r.PostForm.Get(html.Own + "kind"), Owner: r.PostForm.Get(html.Own + "owner"), Unseen: r.PostForm.Has(html.Own + "unseen")}
	entry, err := table.Do(r.Context(), v.seat, act.AddCharacter, act.CharacterRequest{
		Name: n.Name, Kind: n.Kind, Owner: n.Owner, Sheet: json.RawMessage(`{}`), Hidden: n.Unseen,
	}, r.PostForm.Get(html.Own+"key"))
	if err != nil {
		status, ok := statusOf(err)
		if !ok {
			return err
		}
		n.Problem = why(v.Speaker, err)
		if door.HX(r) {
			return show(w, r, v, status, html.AddAgain(v.Page, present.Adding(&v.Look, &n)))
		}
		v.At.Tab = "cast"
		return showPage(w, r, status, v, present.Extras{Added: &n})
	}
	return added(w, r, v, entry, true)
}

// removeCharacter takes a character off the table.
func removeCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := table.Do(r.Context(), v.seat, act.RemoveCharacter, act.CharacterNamed{Character: r.PostForm.Get(present.AtCharacter)}, r.PostForm.Get(html.Own+"key")); err != nil {
		return err
	}
	at := present.Selection{Tab: "cast"}
	return redirectPage(w, r, v.Link(at))
}

// getCharacter shows a sheet, or the form to change it, and lets the composer
// follow where that character may act.
func getCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) {
		return redirect(w, r, v.Link(v.At.WithTab("sheet")))
	}
	c, ok := v.Character(v.At.Character)
	if !ok { // nobody is left
		return show(w, r, v, http.StatusOK, html.SheetMissing(v.Page, v.View.Role == game.Spectator))
	}
	if v.At.Edit {
		f, err := v.editing(r.Context(), c.ID)
		if err != nil {
			return err
		}
		return show(w, r, v, http.StatusOK, html.SheetAgain(v.Page, f.Drawn(&v.Look), "innerHTML"))
	}
	v.s.audiences.Gave(v.key(), c.ID)
	var next *html.Composer
	had := r.URL.Query().Get(present.AtActor)
	if slices.ContainsFunc(v.Actors(), func(a view.CharacterShown) bool { return a.ID == c.ID }) {
		v.At.Actor = c.ID
		v.Settle()
	}
	if had != "" && had != v.At.Actor {
		v.s.composers.drop(v.key(), "")
		made, err := v.compose(r.Context(), nil, nil)
		if err == nil {
			made, err = v.shown(r.Context(), made)
		}
		if err != nil {
			return err
		}
		made.Secret = r.URL.Query().Has(html.Own + "secret")
		next = &made
	}
	if err := v.loadEditing(r.Context(), c); err != nil {
		return err
	}
	swap := "innerHTML"
	if r.URL.Query().Has(html.Own + "keep") { // it's the same sheet as before
		swap = "innerMorph"
	}
	return show(w, r, v, http.StatusOK, html.SheetChosen(v.Page, v.Voice, present.Sheet(&v.Look, c), swap, next))
}

// postSheet changes a character.
func postSheet(w http.ResponseWriter, r *http.Request, v *visit) error {
	v.At.Edit = false
	f, err := v.editing(r.Context(), r.PostForm.Get(present.AtCharacter))
	if err != nil {
		return err
	}
	values := fields.Picked(f.Fields.Form, r.PostForm, fields.Sent(r.PostForm))
	f.Name, f.Was, f.Key = r.PostForm.Get(html.Own+"name"), r.PostForm.Get(html.Own+"was"), r.PostForm.Get(html.Own+"key")
	if r.PostForm.Has(html.Own + "owner") {
		f.Owner = r.PostForm.Get(html.Own + "owner")
	}
	if changed, added, ok := fields.Resized(f.Fields.Form, r.PostForm, values); ok {
		f.Fields.Values, f.Fields.Added = changed, added
		return sheetAgain(w, r, v, http.StatusOK, f)
	}
	change := act.ChangeRequest{ID: f.Character.ID}
	if f.Name != f.Character.Name {
		change.Name = &f.Name
	}
	if v.Master() && f.Owner != f.Character.Owner {
		change.Owner = &f.Owner
	}
	f.Fields.Values = values
	change.Sheet, err = patch(v.Voice.Game, f.Character.Kind, f.Fields.Form, f.Was, values)
	var entry view.Entry
	if err == nil {
		entry, err = table.Do(r.Context(), v.seat, act.ChangeCharacter, change, f.Key)
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		f.Wrong(&v.Look, err)
		return sheetAgain(w, r, v, status, f)
	}
	w.Header().Set("HX-Trigger", "kept") // script leaves the form as by its own link
	return done(w, r, v, entry.Seq, v.Link(v.At.WithTab("sheet")))
}

func sheetAgain(w http.ResponseWriter, r *http.Request, v *visit, status int, f *present.SheetForm) error {
	if door.HX(r) {
		return show(w, r, v, status, html.SheetAgain(v.Page, f.Drawn(&v.Look), "innerMorph"))
	}
	v.At.Tab = "sheet"
	return showPage(w, r, status, v, present.Extras{Sheet: f})
}

// postValue changes one value of a sheet, or the character's name.
func postValue(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(present.AtCharacter)
	path, text := r.PostForm.Get(html.Own+"path"), r.PostForm.Get(html.Own+"value")
	change := act.ChangeRequest{ID: id}
	if path == html.AtName {
		change.Name = &text
	} else {
		change.Put = &request.Put{Path: path, Text: text, Among: r.PostForm.Get(html.Own + "among")}
	}
	entry, err := table.Do(r.Context(), v.seat, act.ChangeCharacter, change, r.PostForm.Get(html.Own+"key"))
	if status, known := statusOf(err); known && door.HX(r) {
		return show(w, r, v, status, html.ValueRefused(valueProblem(r.Context(), v, id, err)))
	}
	if err != nil {
		return err
	}
	said := ""
	for _, line := range entry.Lines {
		said = line.Text
	}
	return done(w, r, v, entry.Seq, v.Link(v.At.WithTab("sheet")), html.ValueKept(said))
}

// valueProblem says what is wrong with a value, as it's said beside a control.
func valueProblem(ctx context.Context, v *visit, id string, err error) string {
	problems, rest := refusal.Split(err, "sheet")
	if f, formErr := v.now.SheetForm(ctx, id); formErr == nil {
		for _, p := range problems {
			return v.Voice.Problem(f.Form, p)
		}
	}
	for _, p := range rest {
		word, data := p.Word()
		data["Field"] = v.Say("web.sheet.name")
		return v.Say(word, data)
	}
	return v.SayError(err)
}

// loadEditing reads what lets sheets be changed where they stand.
func (v *visit) loadEditing(ctx context.Context, sheets ...view.CharacterShown) (err error) {
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
		Fields: fields.Form{Form: f.Form, ID: "sheet-" + id, Values: values, Voice: v.Voice},
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
