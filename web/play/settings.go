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
)

// settingsForm is the form of the table's settings as they stand.
func settingsForm(l *look) html.Fields {
	f := l.voice.Game.Settings.Form
	return html.Fields{Form: f, ID: "settings", Values: f.Inputs(l.view.Settings), Voice: l.voice.Settings()}
}

// settingsOf are the table's settings; sent are some that couldn't be taken, nil for none.
func settingsOf(l *look, sent *html.Fields) html.Settings {
	s := html.Settings{Rules: houseRules(l), Fields: settingsForm(l)}
	if sent != nil {
		s.Fields = *sent
	}
	return s
}

// houseRules are the settings that differ from the game's standard.
func houseRules(l *look) []html.HouseRule {
	g, words := l.voice.Game, l.voice.Settings()
	now, usual := g.Settings.Form.Fill(l.view.Settings), g.Settings.Form.Fill(g.Settings.Default)
	var rules []html.HouseRule
	for _, f := range g.Settings.Form.Fields {
		if !reflect.DeepEqual(now[f.Name], usual[f.Name]) {
			rules = append(rules, html.HouseRule{Name: f.Name, Label: words.Field(f.Name), Value: setting(l, f, now[f.Name]), Usual: setting(l, f, usual[f.Name])})
		}
	}
	return rules
}

// setting words the value of one setting.
func setting(l *look, f form.Field, value any) string {
	switch value := value.(type) {
	case bool:
		if value {
			return l.Say("web.settings.yes")
		}
		return l.Say("web.settings.no")
	case int:
		return l.Number(value)
	case string:
		for _, o := range f.Options {
			if o.Value == value {
				return l.voice.Option(f, o)
			}
		}
		if value != "" {
			return value
		}
	}
	return "…"
}

// postSettings changes the table's settings.
func postSettings(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := settingsForm(&v.look)
	if name := r.PostForm.Get(html.Own + "reset"); name != "" {
		f.Values = usually(f, v.voice.Game.Settings.Default, name)
	} else {
		f.Values = html.Sent(r.PostForm)
	}
	data, err := readSettings(v.voice.Game, f.Values)
	var entry view.Entry
	if err == nil {
		entry, err = v.seat.Configure(r.Context(), data, r.PostForm.Get(html.Own+"key"))
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		problems, rest := split(err, "settings")
		f.Problems = f.Voice.ProblemsOf(f.Form, append(problems, rest...))
		if len(problems)+len(rest) == 0 {
			f.Problems[""] = v.sayError(err)
		}
		notes := drawerNotes{Settings: &f}
		if door.HX(r) {
			v.s.Show(w, r, status, html.SettingsAgain(v.Page, settingsOf(&v.look, &f)))
			return nil
		}
		return showPage(w, r, status, v, extras{drawer: notes})
	}
	done(w, r, v, entry.Seq, v.link(v.at)+"#drawer", html.Toast(v.Say("web.settings.kept")))
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
