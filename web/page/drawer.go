package page

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"norn/form"
	"norn/table/act"
	"norn/table/refusal"
	"norn/web/fields"
	"norn/web/html"
)

// getScreen shows the game master's screen as a page of its own.
func getScreen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.Master() {
		return show(w, r, v, http.StatusForbidden,
			html.MastersOnly(v.s.FrameOf(v.Reader, r, v.Say("web.screen.masters"), v.View.Game), v.Page))
	}
	if err := v.loadScreen(r.Context()); err != nil {
		return err
	}
	f := frame(r, v, "web.drawer.head", "/gm")
	f.Hears = nil // it follows the whole table, not just alerts
	v.s.Show(w, r, http.StatusOK, html.ScreenPage(f, &v.Look))
	return nil
}

// typedSettings returns the form of the settings as it was posted.
func typedSettings(r *http.Request, v *visit) fields.Form {
	f := html.SettingsForm(v.Voice.Game, v.View.Settings)
	if name := r.PostForm.Get(html.Own + "reset"); name != "" {
		f.Values = usually(f, v.Voice.Game.Settings.Default, name)
	} else {
		f.Values = fields.FormValues(r.PostForm)
	}
	return f
}

// readSettings reads the form of a game's settings.
func readSettings(r *http.Request, v *visit, in act.Input) error {
	g := v.Voice.Game
	settings := reflect.New(reflect.TypeOf(g.Settings.Default))
	if err := g.Settings.Form.Values(typedSettings(r, v).Values, settings.Interface()); err != nil {
		if problems, ok := errors.AsType[form.Problems](err); ok {
			return &refusal.InvalidError{Problems: problems}
		}
		return err
	}
	return in.Part("settings", g.Settings.Form.JSON(settings.Elem().Interface()))
}

// settingsAgain shows the form of the settings as it was posted.
func settingsAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	f := typedSettings(r, v)
	if err == nil {
		f.Values, f.Added, _ = fields.Resize(f.Form, r.PostForm, f.Values)
		return settingsSaid(w, r, v, http.StatusOK, f)
	}
	problems, rest := refusal.Split(err, "settings")
	f.Problems = v.Voice.Settings().ProblemsOf(f.Form, append(problems, rest...))
	if len(problems)+len(rest) == 0 {
		f.Problems[""] = v.SayError(err)
	}
	status, _ := statusOf(err)
	return settingsSaid(w, r, v, status, f)
}

func settingsSaid(w http.ResponseWriter, r *http.Request, v *visit, status int, f fields.Form) error {
	return sendBack(w, r, v, status, html.SettingsAgain(v.Page, html.SettingsOf(v.Voice, v.View, &f)),
		html.Extras{Settings: &f})
}

// usually returns the values of a form with one field reset to its default.
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
