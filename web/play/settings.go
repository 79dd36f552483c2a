package play

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// postSettings changes the table's settings.
func postSettings(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := present.SettingsForm(&v.Look)
	if name := r.PostForm.Get(html.Own + "reset"); name != "" {
		f.Values = usually(f, v.Voice.Game.Settings.Default, name)
	} else {
		f.Values = html.Sent(r.PostForm)
	}
	data, err := readSettings(v.Voice.Game, f.Values)
	var entry view.Entry
	if err == nil {
		entry, err = v.seat.Configure(r.Context(), data, r.PostForm.Get(html.Own+"key"))
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		problems, rest := present.Split(err, "settings")
		f.Problems = f.Voice.ProblemsOf(f.Form, append(problems, rest...))
		if len(problems)+len(rest) == 0 {
			f.Problems[""] = v.SayError(err)
		}
		notes := present.DrawerNotes{Settings: &f}
		if door.HX(r) {
			v.s.Show(w, r, status, html.SettingsAgain(v.Page, present.Settings(&v.Look, &f)))
			return nil
		}
		return showPage(w, r, status, v, present.Extras{Drawer: notes})
	}
	done(w, r, v, entry.Seq, v.Link(v.At)+"#drawer", html.Toast(v.Say("web.settings.kept")))
	return nil
}

// usually are the values of a form with one field as it usually is.
func usually(f html.Fields, standard any, name string) url.Values {
	under := func(path string) bool {
		top, _, _ := strings.Cut(path, ".")
		return top == name
	}
	values := maps.Clone(f.Values)
	maps.DeleteFunc(values, func(path string, _ []string) bool { return under(path) })
	for path, texts := range f.Form.Inputs(standard) {
		if under(path) {
			values[path] = texts
		}
	}
	return values
}

// readSettings reads the form of a game's settings as JSON.
func readSettings(g *game.Game, values url.Values) (json.RawMessage, error) {
	settings := reflect.New(reflect.TypeOf(g.Settings.Default))
	if err := g.Settings.Form.Values(values, settings.Interface()); err != nil {
		if problems, ok := errors.AsType[form.Problems](err); ok {
			return nil, &refusal.InvalidError{Problems: problems}
		}
		return nil, err
	}
	return g.Settings.Form.JSON(settings.Elem().Interface()), nil
}
