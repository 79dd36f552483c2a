package present

import (
	"reflect"

	"norn/form"
	"norn/web/fields"
	"norn/web/html"
)

// SettingsForm is the form of the table's settings as they stand.
func SettingsForm(l *Look) fields.Form {
	f := l.Voice.Game.Settings.Form
	return fields.Form{Form: f, ID: "settings", Values: f.Inputs(l.View.Settings)}
}

// Settings are the table's settings; sent are some that couldn't be taken, nil for none.
func Settings(l *Look, sent *fields.Form) html.Settings {
	s := html.Settings{Rules: houseRules(l), Fields: SettingsForm(l)}
	if sent != nil {
		s.Fields = *sent
	}
	return s
}

// houseRules are the settings that differ from the game's standard.
func houseRules(l *Look) []html.HouseRule {
	g, words := l.Voice.Game, l.Voice.Settings()
	now, usual := g.Settings.Form.Fill(l.View.Settings), g.Settings.Form.Fill(g.Settings.Default)
	var rules []html.HouseRule
	for _, f := range g.Settings.Form.Fields {
		if !reflect.DeepEqual(now[f.Name], usual[f.Name]) {
			rules = append(rules, html.HouseRule{Name: f.Name, Label: words.Field(f.Name), Value: setting(l, f, now[f.Name]), Usual: setting(l, f, usual[f.Name])})
		}
	}
	return rules
}

// setting words the value of one setting.
func setting(l *Look, f form.Field, value any) string {
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
				return l.Voice.Option(f, o)
			}
		}
		if value != "" {
			return value
		}
	}
	return "…"
}
