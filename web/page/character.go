package page

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// showCast redirects to the remaining cast.
func showCast(w http.ResponseWriter, r *http.Request, v *visit, _ any) error {
	return redirectPage(w, r, v.Link(html.Selection{Tab: "cast"}))
}

// getCharacter shows a sheet, or the form to edit it, and updates the composer if that character
// can make moves.
func getCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !middleware.HX(r) {
		return redirect(w, r, v.Link(v.At.WithTab("sheet")))
	}
	c, ok := v.View.Character(v.At.Character)
	if !ok { // the last character was removed
		return show(w, r, v, http.StatusOK, html.SheetMissing(v.Page, v.View.Role == game.Spectator))
	}
	if v.At.Edit {
		f, err := v.editing(r.Context(), c.ID)
		if err != nil {
			return err
		}
		return show(w, r, v, http.StatusOK, html.SheetAgain(&v.Look, f, "innerHTML"))
	}
	v.s.audiences.Gave(v.key(), c.ID)
	var next *html.Composer
	had := r.URL.Query().Get(html.AtActor)
	if slices.ContainsFunc(html.Actors(v.Voice.Game, v.View), func(a view.CharacterShown) bool { return a.ID == c.ID }) {
		v.At.Actor = c.ID
		v.Settle()
	}
	if had != "" && had != v.At.Actor {
		made, err := v.compose(r.Context(), draft{Move: request.Move{
			Touched: []string{}, Secret: v.Master() && r.URL.Query().Has(html.Own+"secret"),
		}})
		if err != nil {
			return err
		}
		next = &made
	}
	if err := v.loadEditing(r.Context(), c); err != nil {
		return err
	}
	swap := "innerHTML"
	if r.URL.Query().Has(html.Own + "keep") { // it's the same sheet as before
		swap = "innerMorph"
	}
	return show(w, r, v, http.StatusOK, html.SheetChosen(v.Page, v.Look.Sheet(c), swap, next))
}

// getText shows the description of something on a sheet, for a card that names it.
func getText(w http.ResponseWriter, r *http.Request, v *visit) error {
	texts := html.TextsFor(v.View.Characters, v.At.Character, r.URL.Query().Get(html.Own+"described"))
	return show(w, r, v, http.StatusOK, html.CardTexts(v.Page, texts))
}

// typedSheet returns the form of a sheet as it was posted.
func typedSheet(r *http.Request, v *visit) (*html.SheetForm, error) {
	v.At.Edit = false
	f, err := v.editing(r.Context(), r.PostForm.Get(html.AtCharacter))
	if err != nil {
		return nil, err
	}
	f.Name, f.Was, f.Key = r.PostForm.Get(html.Own+"name"), r.PostForm.Get(html.Own+"was"),
		r.PostForm.Get(html.Own+"key")
	if r.PostForm.Has(html.Own + "owner") {
		f.Owner = r.PostForm.Get(html.Own + "owner")
	}
	f.Fields.Values = fields.MergePicked(f.Fields.Form, r.PostForm, fields.FormValues(r.PostForm))
	return f, nil
}

// readSheet reads the changes in the form of a sheet.
func readSheet(r *http.Request, v *visit, in act.Input) error {
	f, err := typedSheet(r, v)
	if err != nil {
		return err
	}
	in.Address("cid", f.Character.ID)
	if f.Name != f.Character.Name {
		err = set(in, "name", f.Name)
	}
	if v.Master() && f.Owner != f.Character.Owner {
		err = cmp.Or(err, set(in, "owner", f.Owner))
	}
	if err != nil {
		return err
	}
	sheet, err := patch(v.Voice.Game, f.Character.Kind, f.Fields.Form, f.Was, f.Fields.Values)
	if err != nil {
		return err
	}
	return in.Part("sheet", sheet)
}

func showSheet(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	w.Header().Set("HX-Trigger", "kept") // the script closes the form
	return answerDone(w, r, v, entryOf(made).Seq, v.Link(v.At.WithTab("sheet")))
}

// sheetAgain shows the form of a sheet as it was posted.
func sheetAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	f, failed := typedSheet(r, v)
	if failed != nil {
		return cmp.Or(err, failed)
	}
	status := http.StatusOK
	if err != nil {
		status, _ = statusOf(err)
		f.Wrong(&v.Look, err)
	} else {
		f.Fields.Values, f.Fields.Added, _ = fields.Resize(f.Fields.Form, r.PostForm, f.Fields.Values)
	}
	v.At.Tab = "sheet"
	return sendBack(w, r, v, status, html.SheetAgain(&v.Look, f, "innerMorph"), html.Extras{Sheet: f})
}

// readValue reads one value of a sheet, or the character's name.
func readValue(r *http.Request, _ *visit, in act.Input) error {
	in.Address("cid", r.PostForm.Get(html.AtCharacter))
	path, text := r.PostForm.Get(html.Own+"path"), r.PostForm.Get(html.Own+"value")
	if path == html.AtName {
		return set(in, "name", text)
	}
	return set(in, "put", request.Put{Path: path, Text: text, Among: r.PostForm.Get(html.Own + "among")})
}

func showValue(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	said := ""
	for _, line := range entryOf(made).Lines {
		said = line.Text
	}
	return answerDone(w, r, v, entryOf(made).Seq, v.Link(v.At.WithTab("sheet")), html.ValueKept(said))
}

func valueAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	if !middleware.HX(r) {
		return err
	}
	status, _ := statusOf(err)
	return show(w, r, v, status, html.ValueRefused(valueProblem(r.Context(), v, r.PostForm.Get(html.AtCharacter), err)))
}

// valueProblem returns the error message of a value, for its control.
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

// loadEditing loads the forms of sheets that can be edited in place.
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

// editing returns the form to edit a sheet. The error is one of package refusal.
func (v *visit) editing(ctx context.Context, id string) (*html.SheetForm, error) {
	c, ok := v.View.Character(id)
	if !ok || !c.Editable {
		return nil, &refusal.ForbiddenError{}
	}
	f, err := v.now.SheetForm(ctx, id)
	if err != nil {
		return nil, err
	}
	values := url.Values(f.Values)
	return &html.SheetForm{
		Character: c, Name: c.Name, Owner: c.Owner, Was: values.Encode(), Key: html.NewKey(),
		Fields: fields.Form{Form: f.Form, ID: "sheet-" + id, Values: values},
	}, nil
}

// patch returns the changes in a sheet's form as a merge patch, so that values that others changed
// meanwhile, such as marked stress, stay.
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
	if err != nil { // the earlier values can't be read any more, so all posted ones count
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

// difference returns the members of now that differ from then.
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
