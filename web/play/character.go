package play

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// addCharacter adds a character with a blank sheet and opens that sheet to be
// filled.
func addCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	n := present.Newcomer{Name: r.PostForm.Get(html.Own + "name"), Kind: r.PostForm.Get(html.Own + "kind"), Owner: r.PostForm.Get(html.Own + "owner"), Unseen: r.PostForm.Has(html.Own + "unseen")}
	entry, err := v.seat.AddCharacter(r.Context(), request.NewCharacter{
		Name: n.Name, Kind: n.Kind, Owner: n.Owner, Sheet: json.RawMessage(`{}`), Hidden: n.Unseen, Key: r.PostForm.Get(html.Own + "key"),
	})
	if err != nil {
		status, ok := statusOf(err)
		if !ok {
			return err
		}
		n.Problem = why(v.Speaker, err)
		if door.HX(r) {
			v.s.Show(w, r, status, html.AddAgain(v.Page, present.Adding(&v.Look, &n)))
			return nil
		}
		v.At.Tab = "cast"
		return showPage(w, r, status, v, present.Extras{Added: &n})
	}
	return added(w, r, v, entry, true)
}

// removeCharacter takes a character off the table.
func removeCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := v.seat.RemoveCharacter(r.Context(), r.PostForm.Get(present.AtCharacter), r.PostForm.Get(html.Own+"key")); err != nil {
		return err
	}
	at := present.Choice{Tab: "cast"}
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.Link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.Link(at), http.StatusSeeOther)
	return nil
}

// getCharacter shows a sheet, or the form to change it, and lets the composer
// follow where that character may act.
func getCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) {
		http.Redirect(w, r, v.Link(v.At.WithTab("sheet")), http.StatusSeeOther)
		return nil
	}
	c, ok := v.Character(v.At.Character)
	if !ok { // nobody is left
		v.s.Show(w, r, http.StatusOK, html.SheetMissing(v.Page, v.View.Role == game.Spectator))
		return nil
	}
	if v.At.Edit {
		f, err := v.editing(r.Context(), c.ID)
		if err != nil {
			return err
		}
		v.s.Show(w, r, http.StatusOK, html.SheetAgain(v.Page, f.Drawn(&v.Look), ""))
		return nil
	}
	var next *html.Composer
	had := r.URL.Query().Get(present.AtActor)
	if slices.ContainsFunc(v.Actors(), func(a view.CharacterShown) bool { return a.ID == c.ID }) {
		v.At.Actor = c.ID
		v.Settle()
	}
	if had != "" && had != v.At.Actor {
		v.s.stands.drop(v.key(), "")
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
	if err := v.open(r.Context(), c); err != nil {
		return err
	}
	swap := "innerHTML"
	if r.URL.Query().Has(html.Own + "keep") { // it's the same sheet as before
		swap = "innerMorph"
	}
	v.s.Show(w, r, http.StatusOK, html.SheetChosen(v.Page, v.Voice, present.Sheet(&v.Look, c), swap, next))
	return nil
}

// postSheet changes a character.
func postSheet(w http.ResponseWriter, r *http.Request, v *visit) error {
	v.At.Edit = false
	f, err := v.editing(r.Context(), r.PostForm.Get(present.AtCharacter))
	if err != nil {
		return err
	}
	values := html.Picked(f.Fields.Form, r.PostForm, html.Sent(r.PostForm))
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
	if v.Master() && f.Owner != f.Character.Owner {
		change.Owner = &f.Owner
	}
	f.Fields.Values = values
	change.Sheet, err = patch(v.Voice.Game, f.Character.Kind, f.Fields.Form, f.Was, values)
	var entry view.Entry
	if err == nil {
		entry, err = v.seat.ChangeCharacter(r.Context(), change)
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
	done(w, r, v, entry.Seq, v.Link(v.At.WithTab("sheet")))
	return nil
}

func sheetAgain(w http.ResponseWriter, r *http.Request, v *visit, status int, f *present.SheetForm) error {
	if door.HX(r) {
		v.s.Show(w, r, status, html.SheetAgain(v.Page, f.Drawn(&v.Look), "innerMorph"))
		return nil
	}
	v.At.Tab = "sheet"
	return showPage(w, r, status, v, present.Extras{Sheet: f})
}

// postValue changes one value of a sheet, or the character's name.
func postValue(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(present.AtCharacter)
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
	done(w, r, v, entry.Seq, v.Link(v.At.WithTab("sheet")), html.ValueKept(said))
	return nil
}

// valueProblem says what is wrong with a value, as it's said beside a control.
func (v *visit) valueProblem(ctx context.Context, id string, err error) string {
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
