package play

import (
	"encoding/json"
	"net/http"
	"slices"

	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// addCharacter adds a character with a blank sheet and opens that sheet to be
// filled.
func addCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	n := present.Newcomer{Name: r.PostForm.Get(html.Own + "name"), Kind: r.PostForm.Get(html.Own + "kind"), Owner: r.PostForm.Get(html.Own + "owner")}
	entry, err := v.seat.AddCharacter(r.Context(), request.NewCharacter{
		Name: n.Name, Kind: n.Kind, Owner: n.Owner, Sheet: json.RawMessage(`{}`), Key: r.PostForm.Get(html.Own + "key"),
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
	at := v.At.WithTab("sheet")
	err = v.still(r.Context(), func() error {
		known := v.View.Characters
		if err := v.see(r.Context()); err != nil {
			return err
		}
		at = at.WithCharacter(entry.Character)
		for _, c := range v.View.Characters {
			if at.Character == "" && !slices.ContainsFunc(known, func(k view.CharacterShown) bool { return k.ID == c.ID }) {
				at = at.WithCharacter(c.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	at.Edit = true
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.Link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.Link(at), http.StatusSeeOther)
	return nil
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
