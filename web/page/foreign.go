package page

import (
	"encoding/json"
	"maps"
	"net/http"

	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// sentWith returns the form of a file with what was chosen next to it.
func sentWith(r *http.Request, v *visit) html.FromFile {
	from := v.Look.FromFile()
	from.Key, from.Hidden = r.PostForm.Get(html.Own+"key"), r.PostForm.Has(html.Own+"hidden")
	from.Owners = html.NewOwners(v.Page, v.View, r.PostForm.Get(html.Own+"owner"))
	return from
}

// showRead shows what a hero from another program becomes.
func showRead(w http.ResponseWriter, r *http.Request, status int, v *visit, l html.HeroLook) error {
	v.s.Show(w, r, status, html.HeroLookPage(frame(r, v, "web.foreign.head", "/hero"), &v.Look, l))
	return nil
}

// looked returns the page of a hero that was looked at, as it was posted.
func looked(r *http.Request, v *visit) (html.HeroLook, error) {
	var read view.HeroRead
	if json.Unmarshal([]byte(r.PostForm.Get(html.Own+"kept")), &read) != nil {
		return html.HeroLook{}, refusal.Refuse("file-foreign", nil)
	}
	l := html.HeroLookOf(v.Page, read, sentWith(r, v))
	l.Name = r.PostForm.Get(html.Own + "name")
	if l.Fields.Form == nil {
		return l, refusal.Refuse("file-foreign", nil)
	}
	l.Fields.Values = fields.MergePicked(l.Fields.Form, r.PostForm, fields.FormValues(r.PostForm))
	return l, nil
}

// readLooked reads a hero that was looked at, with what was corrected.
func readLooked(r *http.Request, v *visit, in act.Input) error {
	l, err := looked(r, v)
	if err != nil {
		return err
	}
	kind, ok := v.Voice.Game.Kind(l.Read.File.Kind)
	if !ok {
		return refusal.Refuse("file-foreign", nil)
	}
	shown, err := read(kind, l.Fields.Form, l.Fields.Values)
	if err != nil {
		return err
	}
	var sheet map[string]any
	if json.Unmarshal(l.Read.File.Sheet, &sheet) != nil {
		return refusal.Refuse("file-foreign", nil)
	}
	maps.Copy(sheet, shown) // also what was set back to its default
	file := l.Read.File
	file.Name = l.Name
	if file.Sheet, err = json.Marshal(sheet); err != nil {
		return err
	}
	return set(in, "file", file)
}

// lookAgain shows a hero again, with everything that was typed and why it isn't taken.
func lookAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	l, failed := looked(r, v)
	if failed != nil {
		return fileAgain(w, r, v, failed)
	}
	status := http.StatusOK
	if err == nil {
		l.Fields.Values, l.Fields.Added, _ = fields.Resize(l.Fields.Form, r.PostForm, l.Fields.Values)
	} else {
		status, _ = statusOf(err)
		problems, rest := refusal.Split(err, "file.sheet")
		if len(problems) == 0 { // found while the page's values were read
			problems, rest = refusal.Split(err, "sheet")
		}
		l.Fields.Problems = v.Voice.ProblemsOf(l.Fields.Form, problems)
		for _, p := range rest {
			id, data := p.Word()
			data["Field"] = v.Say("web.sheet.name")
			l.Wrong = v.Say(id, data)
		}
		if len(problems)+len(rest) == 0 {
			l.Notes = append(l.Notes, v.SayError(err))
		}
	}
	l.Open = true
	return v.withTable(r, func() error { return showRead(w, r, status, v, l) })
}
