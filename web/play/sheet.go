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
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// sheetOf is a character's sheet as it's drawn.
func sheetOf(l *look, c view.CharacterShown) html.Sheet {
	s := html.Sheet{ID: c.ID, Name: c.Name, Shown: c.Sheet}
	if kind, ok := l.voice.Game.Kind(c.Kind); ok {
		s.Kind = &kind
	}
	if !c.Editable {
		return s
	}
	at := l.at
	at.Character, at.Edit, at.Tab = c.ID, true, "sheet"
	s.Edit, s.Pick = l.link(at), l.To("/character"+at.query())
	if f, ok := l.forms[c.ID]; ok {
		s.Editor = &html.Editor{Voice: l.voice, ID: c.ID, Name: c.Name, Form: f.Form, Values: f.Values, Among: f.Among}
	}
	return s
}

// open reads what lets sheets be changed where they stand.
func (v *visit) open(ctx context.Context, sheets ...view.CharacterShown) (err error) {
	v.forms = map[string]view.SheetForm{}
	for _, c := range sheets {
		if c.Editable {
			if v.forms[c.ID], err = v.now.SheetForm(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// sheetForm is a character's sheet while it is being changed.
type sheetForm struct {
	html.SheetForm
	Character view.CharacterShown
	Owner     string
}

// editing begins a change of a sheet. The error is one of package table.
func (v *visit) editing(ctx context.Context, id string) (*sheetForm, error) {
	c, ok := v.character(id)
	if !ok || !c.Editable {
		return nil, &refusal.ForbiddenError{}
	}
	f, err := v.now.SheetForm(ctx, id)
	if err != nil {
		return nil, err
	}
	values := url.Values(f.Values)
	s := &sheetForm{Character: c, Owner: c.Owner, SheetForm: html.SheetForm{
		ID: id, Called: c.Name, Name: c.Name, Was: values.Encode(), Key: html.NewKey(),
		Fields: html.Fields{Form: f.Form, ID: "sheet-" + id, Values: values, Voice: v.voice},
	}}
	return s, nil
}

// drawn is the form as it's drawn.
func (f *sheetForm) drawn(l *look) html.SheetForm {
	at := l.at.character(f.ID)
	f.Leave, f.Pick = l.link(at.tab("sheet")), l.To("/character"+at.query())
	if l.master() {
		f.Owners = ownersOf(l, f.Owner)
	}
	return f.SheetForm
}

// getCharacter shows a sheet, or the form to change it, and lets the composer
// follow where that character may act.
func getCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) {
		http.Redirect(w, r, v.link(v.at.tab("sheet")), http.StatusSeeOther)
		return nil
	}
	c, ok := v.character(v.at.Character)
	if !ok { // nobody is left
		v.s.Show(w, r, http.StatusOK, html.SheetMissing(v.Page, v.view.Role == game.Spectator))
		return nil
	}
	if v.at.Edit {
		f, err := v.editing(r.Context(), c.ID)
		if err != nil {
			return err
		}
		v.s.Show(w, r, http.StatusOK, html.SheetAgain(v.Page, f.drawn(&v.look), ""))
		return nil
	}
	var next *html.Composer
	had := r.URL.Query().Get(atActor)
	if slices.ContainsFunc(v.actors(), func(a view.CharacterShown) bool { return a.ID == c.ID }) {
		v.at.Actor = c.ID
		v.settle()
	}
	if had != "" && had != v.at.Actor {
		made, err := v.compose(r.Context(), nil, nil)
		if err != nil {
			return err
		}
		made.Secret = r.URL.Query().Has(html.Own + "secret")
		next = &made
	}
	if err := v.open(r.Context(), c); err != nil {
		return err
	}
	v.s.Show(w, r, http.StatusOK, html.SheetChosen(v.Page, v.voice, sheetOf(&v.look, c), next))
	return nil
}

// postSheet changes a character.
func postSheet(w http.ResponseWriter, r *http.Request, v *visit) error {
	v.at.Edit = false
	f, err := v.editing(r.Context(), r.PostForm.Get(atCharacter))
	if err != nil {
		return err
	}
	values := html.Sent(r.PostForm)
	f.Name, f.Was, f.Key = r.PostForm.Get(html.Own+"name"), r.PostForm.Get(html.Own+"was"), r.PostForm.Get(html.Own+"key")
	if r.PostForm.Has(html.Own + "owner") {
		f.Owner = r.PostForm.Get(html.Own + "owner")
	}
	if changed, added, ok := html.Resized(f.Fields.Form, r.PostForm, values); ok {
		f.Fields.Values, f.Fields.Added = changed, added
		return sheetAgain(w, r, v, http.StatusOK, f)
	}
	change := request.Change{ID: f.Character.ID, Key: f.Key}
	if f.Name != f.Character.Name {
		change.Name = &f.Name
	}
	if v.master() && f.Owner != f.Character.Owner {
		change.Owner = &f.Owner
	}
	f.Fields.Values = values
	change.Sheet, err = patch(v.voice.Game, f.Character.Kind, f.Fields.Form, f.Was, values)
	var entry view.Entry
	if err == nil {
		entry, err = v.seat.ChangeCharacter(r.Context(), change)
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		f.wrong(&v.look, err)
		return sheetAgain(w, r, v, status, f)
	}
	w.Header().Set("HX-Trigger", "kept") // script leaves the form as by its own link
	done(w, r, v, entry.Seq, v.link(v.at.tab("sheet")))
	return nil
}

// wrong puts a refusal where it belongs.
func (f *sheetForm) wrong(l *look, err error) {
	problems, rest := split(err, "sheet")
	f.Fields.Problems = l.voice.ProblemsOf(f.Fields.Form, problems)
	for _, p := range rest {
		id, data := p.Word()
		data["Field"] = l.Say("web.sheet.name")
		f.Notes = append(f.Notes, l.Say(id, data))
	}
	if len(problems)+len(rest) == 0 {
		f.Notes = append(f.Notes, l.sayError(err))
	}
}

func sheetAgain(w http.ResponseWriter, r *http.Request, v *visit, status int, f *sheetForm) error {
	if door.HX(r) {
		v.s.Show(w, r, status, html.SheetAgain(v.Page, f.drawn(&v.look), "innerMorph"))
		return nil
	}
	v.at.Tab = "sheet"
	return showPage(w, r, status, v, extras{sheet: f})
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

// postValue changes one value of a sheet, or the character's name.
func postValue(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(atCharacter)
	path, text := r.PostForm.Get(html.Own+"path"), r.PostForm.Get(html.Own+"value")
	change := request.Change{ID: id, Key: r.PostForm.Get(html.Own + "key")}
	if path == html.AtName {
		change.Name = &text
	} else {
		change.Put = &request.Put{Path: path, Text: text, Among: r.PostForm.Get(html.Own + "among")}
	}
	entry, err := v.seat.ChangeCharacter(r.Context(), change)
	if _, known := statusOf(err); err != nil && !known {
		return err
	}
	if err != nil && door.HX(r) {
		status, _ := statusOf(err)
		v.s.Show(w, r, status, html.ValueRefused(v.valueProblem(r.Context(), id, err)))
		return nil
	}
	if err != nil {
		return err
	}
	said := ""
	for _, line := range entry.Lines {
		said = line.Text
	}
	done(w, r, v, entry.Seq, v.link(v.at.tab("sheet")), html.ValueKept(said))
	return nil
}

// valueProblem says what is wrong with a value, as it's said beside a control.
func (v *visit) valueProblem(ctx context.Context, id string, err error) string {
	problems, rest := split(err, "sheet")
	if f, formErr := v.now.SheetForm(ctx, id); formErr == nil {
		for _, p := range problems {
			return v.voice.Problem(f.Form, p)
		}
	}
	for _, p := range rest {
		word, data := p.Word()
		data["Field"] = v.Say("web.sheet.name")
		return v.Say(word, data)
	}
	return v.sayError(err)
}
