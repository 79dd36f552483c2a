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
	"norn/page"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
)

// sheetForm is a character's sheet while it is being changed.
type sheetForm struct {
	Character table.CharacterShown
	Name      string
	Owner     string
	Fields    html.Fields
	Was       string // what the sheet held when the change began, as a form sends it
	Key       string
	Notes     []string
}

// drawnSheet is the sheet as its game draws it, else as its form says.
func (v *visit) drawnSheet(c table.CharacterShown) page.Component {
	kind, ok := v.voice.Game.Kind(c.Kind)
	switch {
	case !ok:
		return page.Nothing()
	case kind.Sheet == nil:
		return page.PlainSheet{Form: kind.Form, Shown: c.Sheet, Voice: v.voice.Voice, Label: v.voice.Field, Option: v.voice.Option}.Component()
	}
	return kind.Sheet(c.Sheet, v.voice.Voice)
}

// editing begins a change of a sheet. The error is one of package table.
func (v *visit) editing(ctx context.Context, id string) (*sheetForm, error) {
	c, ok := v.character(id)
	if !ok || !c.Editable {
		return nil, &table.ForbiddenError{}
	}
	f, err := v.seat.SheetForm(ctx, id)
	if err != nil {
		return nil, err
	}
	values := url.Values(f.Values)
	return &sheetForm{
		Character: c, Name: c.Name, Owner: c.Owner, Was: values.Encode(), Key: door.Random(16),
		Fields: html.Fields{Form: f.Form, ID: "sheet-" + id, Values: values, Voice: v.voice},
	}, nil
}

// character shows a sheet, or the form to change it, and lets the composer
// follow where that character may act.
func (s *Server) character(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) {
		http.Redirect(w, r, v.link(v.at.tab("sheet")), http.StatusSeeOther)
		return nil
	}
	c, ok := v.character(v.at.Character)
	if !ok { // nobody is left
		s.Show(w, r, http.StatusOK, v.sheetMissing())
		return nil
	}
	if v.at.Edit {
		f, err := v.editing(r.Context(), c.ID)
		if err != nil {
			return err
		}
		s.Show(w, r, http.StatusOK, v.sheetEdited(f))
		return nil
	}
	var next *composer
	had := r.URL.Query().Get(atActor)
	if slices.ContainsFunc(v.actors(), func(a table.CharacterShown) bool { return a.ID == c.ID }) {
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
	s.Show(w, r, http.StatusOK, v.sheetChosen(c, next))
	return nil
}

// sheet changes a character.
func (s *Server) sheet(w http.ResponseWriter, r *http.Request, v *visit) error {
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
		return s.sheetAgain(w, r, v, http.StatusOK, f)
	}
	change := table.Change{ID: f.Character.ID, Key: f.Key}
	if f.Name != f.Character.Name {
		change.Name = &f.Name
	}
	if v.master() && f.Owner != f.Character.Owner {
		change.Owner = &f.Owner
	}
	f.Fields.Values = values
	change.Sheet, err = v.patch(f.Character.Kind, f.Fields.Form, f.Was, values)
	var entry table.Entry
	if err == nil {
		entry, err = v.seat.ChangeCharacter(r.Context(), change)
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		f.wrong(v, err)
		return s.sheetAgain(w, r, v, status, f)
	}
	w.Header().Set("HX-Trigger", "kept") // script leaves the form as by its own link
	s.done(w, r, entry.Seq, v.link(v.at.tab("sheet")))
	return nil
}

// wrong puts a refusal where it belongs.
func (f *sheetForm) wrong(v *visit, err error) {
	problems, rest := split(err, "sheet")
	f.Fields.Problems = v.voice.ProblemsOf(f.Fields.Form, problems)
	for _, p := range rest {
		id, data := p.Word()
		data["Field"] = v.Say("web.sheet.name")
		f.Notes = append(f.Notes, v.Say(id, data))
	}
	if len(problems)+len(rest) == 0 {
		f.Notes = append(f.Notes, v.sayError(err))
	}
}

func (s *Server) sheetAgain(w http.ResponseWriter, r *http.Request, v *visit, status int, f *sheetForm) error {
	if door.HX(r) {
		s.Show(w, r, status, v.sheetFormAgain(f))
		return nil
	}
	v.at.Tab = "sheet"
	return s.page(w, r, status, v, extras{sheet: f})
}

// patch is what was changed in a sheet's form, as a merge patch: what others
// changed meanwhile, such as stress that was marked, stays.
func (v *visit) patch(kind string, f *form.Form, was string, values url.Values) (json.RawMessage, error) {
	k, ok := v.voice.Game.Kind(kind)
	if !ok {
		return nil, &table.NotFoundError{}
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
			return nil, &table.InvalidError{Problems: problems}
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

// newcomer is a character to add, as it was sent.
type newcomer struct {
	Name, Kind, Owner, Problem string
}

// kinds are the kinds of character that the seat may add.
func (v *visit) kinds() []game.Kind {
	var kinds []game.Kind
	for _, k := range v.voice.Game.Kinds {
		if v.master() || v.view.Role == game.Player && k.Player {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// addCharacter adds a character with a blank sheet and opens that sheet to be
// filled.
func (s *Server) addCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	n := newcomer{Name: r.PostForm.Get(html.Own + "name"), Kind: r.PostForm.Get(html.Own + "kind"), Owner: r.PostForm.Get(html.Own + "owner")}
	known := map[string]bool{}
	for _, c := range v.view.Characters {
		known[c.ID] = true
	}
	entry, err := v.seat.AddCharacter(r.Context(), table.NewCharacter{
		Name: n.Name, Kind: n.Kind, Owner: n.Owner, Sheet: json.RawMessage(`{}`), Key: r.PostForm.Get(html.Own + "key"),
	})
	if err != nil {
		status, ok := statusOf(err)
		if !ok {
			return err
		}
		n.Problem = refusal(v.Speaker, err)
		if door.HX(r) {
			s.Show(w, r, status, v.addAgain(&n))
			return nil
		}
		v.at.Tab = "cast"
		return s.page(w, r, status, v, extras{added: &n})
	}
	if err := v.look(r.Context()); err != nil {
		return err
	}
	id := entry.Character
	for _, c := range v.view.Characters {
		if id == "" && !known[c.ID] {
			id = c.ID
		}
	}
	at := v.at.character(id).tab("sheet")
	at.Edit = true
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.link(at), http.StatusSeeOther)
	return nil
}

// removeCharacter takes a character off the table.
func (s *Server) removeCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := v.seat.RemoveCharacter(r.Context(), r.PostForm.Get(atCharacter), r.PostForm.Get(html.Own+"key")); err != nil {
		return err
	}
	at := choice{Tab: "cast"}
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.link(at), http.StatusSeeOther)
	return nil
}
