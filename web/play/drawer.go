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
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
)

// getScreen is the screen as a page of its own.
func getScreen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.Master() {
		return show(w, r, v, http.StatusForbidden, html.MastersOnly(v.s.FrameOf(v.Reader, r, v.Say("web.screen.masters"), v.View.Game), v.Page))
	}
	if err := v.loadScreen(r.Context(), true, true); err != nil {
		return err
	}
	f := frame(r, v, "web.drawer.head", "/gm")
	l := &v.Look
	v.s.Show(w, r, http.StatusOK, html.ScreenPage(f, v.Page, html.Screen{
		Seat: l.View.Seat, Name: l.View.Name, Told: l.View.Told, X: l.View.X > 0, Online: present.Online(l), Everyone: present.Cast(l), Questions: present.Questions(l), Drawer: present.Drawer(l, present.DrawerNotes{Role: game.Player}),
	}))
	return nil
}

// postStock puts a ready character into play, copies one, or takes one away.
func postStock(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key := r.PostForm.Get(html.Own+"id"), r.PostForm.Get(html.Own+"key")
	var entry view.Entry
	var added view.Character
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "copy":
		added, err = table.Do(r.Context(), v.seat, act.AddCharacter, act.CharacterRequest{Like: id}, key)
	case "remove":
		entry, err = table.Do(r.Context(), v.seat, act.RemoveCharacter, act.CharacterNamed{Character: id}, key)
	default:
		added, err = table.Do(r.Context(), v.seat, act.AddCharacter, act.CharacterRequest{Stock: r.PostForm.Get(html.Own + "stock"), Hidden: r.PostForm.Has(html.Own + "unseen")}, key)
	}
	if added.ID != "" {
		entry = added.Entry
	}
	return mastered(w, r, v, entry, err)
}

// mastered answers what was done on the game master's screen.
func mastered(w http.ResponseWriter, r *http.Request, v *visit, entry view.Entry, err error) error {
	return kept(w, r, v, entry, err, v.To("/gm"))
}

// postSettings changes the table's settings.
func postSettings(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := present.SettingsForm(&v.Look)
	if name := r.PostForm.Get(html.Own + "reset"); name != "" {
		f.Values = usually(f, v.Voice.Game.Settings.Default, name)
	} else {
		f.Values = fields.Sent(r.PostForm)
	}
	data, err := readSettings(v.Voice.Game, f.Values)
	var entry view.Entry
	if err == nil {
		entry, err = table.Do(r.Context(), v.seat, act.Configure, act.ConfigureRequest{Settings: data}, r.PostForm.Get(html.Own+"key"))
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		problems, rest := refusal.Split(err, "settings")
		f.Problems = f.Voice.ProblemsOf(f.Form, append(problems, rest...))
		if len(problems)+len(rest) == 0 {
			f.Problems[""] = v.SayError(err)
		}
		return sendBack(w, r, v, status, html.SettingsAgain(v.Page, present.Settings(&v.Look, &f)), present.Extras{Drawer: present.DrawerNotes{Settings: &f}})
	}
	return done(w, r, v, entry.Seq, v.Link(v.At)+"#drawer", html.Toast(v.Say("web.settings.kept")))
}

// usually are the values of a form with one field as it usually is.
func usually(f fields.Form, standard any, name string) url.Values {
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
