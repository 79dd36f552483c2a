package html

import (
	"reflect"

	"norn/form"
	"norn/web/fields"
)

// SettingsForm returns the form of the table's current settings.
func (l *Look) SettingsForm() fields.Form {
	f := l.Voice.Game.Settings.Form
	return fields.Form{Form: f, ID: "settings", Values: f.Inputs(l.View.Settings)}
}

// Settings returns the table's settings; sent are settings to correct, nil for none.
func (l *Look) Settings(sent *fields.Form) Settings {
	s := Settings{Rules: l.houseRules(), Fields: l.SettingsForm(), Values: l.valueForms(true)}
	if sent != nil {
		s.Fields = *sent
	}
	return s
}

// houseRules returns the settings that differ from the game's defaults.
func (l *Look) houseRules() []HouseRule {
	g, words := l.Voice.Game, l.Voice.Settings()
	now, usual := g.Settings.Form.Fill(l.View.Settings), g.Settings.Form.Fill(g.Settings.Default)
	var rules []HouseRule
	for _, f := range g.Settings.Form.Fields {
		if !reflect.DeepEqual(now[f.Name], usual[f.Name]) {
			rules = append(rules, HouseRule{
				Name: f.Name, Label: words.Field(f.Name), Value: l.setting(f, now[f.Name]),
				Usual: l.setting(f, usual[f.Name]),
			})
		}
	}
	return rules
}

// setting puts the value of a setting into words.
func (l *Look) setting(f form.Field, value any) string {
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
