package html

import (
	"reflect"

	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// SettingsForm returns the form of the table's current settings.
func SettingsForm(g *game.Game, now any) fields.Form {
	f := g.Settings.Form
	return fields.Form{Form: f, ID: "settings", Values: f.Inputs(now)}
}

// SettingsOf returns the table's settings; sent are settings to correct, nil for none.
func SettingsOf(v fields.Voice, table *view.View, sent *fields.Form) Settings {
	s := Settings{Rules: houseRules(v, table.Settings), Values: valueForms(table.Values, true)}
	if sent == nil {
		f := SettingsForm(v.Game, table.Settings)
		sent = &f
	}
	s.Fields = *sent
	return s
}

// houseRules returns the settings that differ from the game's defaults.
func houseRules(v fields.Voice, settings any) []HouseRule {
	g, words := v.Game, v.Settings()
	now, usual := g.Settings.Form.Fill(settings), g.Settings.Form.Fill(g.Settings.Default)
	var rules []HouseRule
	for _, f := range g.Settings.Form.Fields {
		if !reflect.DeepEqual(now[f.Name], usual[f.Name]) {
			rules = append(rules, HouseRule{
				Name: f.Name, Label: words.Field(f.Name), Value: setting(v, f, now[f.Name]),
				Usual: setting(v, f, usual[f.Name]),
			})
		}
	}
	return rules
}

// setting puts the value of a setting into words.
func setting(v fields.Voice, f form.Field, value any) string {
	switch value := value.(type) {
	case bool:
		if value {
			return v.Say("web.settings.yes")
		}
		return v.Say("web.settings.no")
	case int:
		return v.Number(value)
	case string:
		for _, o := range f.Options {
			if o.Value == value {
				return v.Option(f, o)
			}
		}
		if value != "" {
			return value
		}
	}
	return "…"
}
