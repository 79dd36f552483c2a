package discord

import (
	"fmt"
	"strconv"

	disgo "github.com/disgoorg/disgo/discord"

	"norn/chat/bridge"
)

// Limits of a dialog.
const (
	maxTitle      = 45
	maxField      = 45 // of a field's label
	maxAbout      = 100
	maxText       = 4000
	longestNumber = 12
)

// modal returns a form as a dialog.
func modal(f *bridge.Form) disgo.ModalCreate {
	m := disgo.ModalCreate{CustomID: f.ID, Title: labelOr(f.Title, maxTitle)}
	for _, field := range f.Fields {
		m.Components = append(m.Components, disgo.LabelComponent{
			Label: labelOr(field.Label, maxField), Description: bridge.Cut(oneLine(field.About), maxAbout),
			Component: input(field),
		})
	}
	return m
}

func input(f bridge.Field) disgo.LabelSubComponent {
	switch {
	case f.Kind == bridge.Flag:
		return disgo.CheckboxComponent{CustomID: f.Name, Default: f.Value == "true"}
	case f.Kind == bridge.Choice && len(f.Options) > 0:
		options := optionsOf(f.Options, f.Value)
		least := 0
		if f.Needed {
			least = 1
		}
		return disgo.StringSelectMenuComponent{
			CustomID: f.Name, Options: options, Required: f.Needed,
			MinValues: &least, MaxValues: 1,
		}
	}
	text := disgo.TextInputComponent{
		CustomID: f.Name, Style: disgo.TextInputStyleShort, MaxLength: maxText,
		Required: f.Needed, Value: f.Value,
	}
	switch f.Kind {
	case bridge.Number:
		text.MaxLength = longestNumber
		if f.Least != 0 || f.Most != 0 {
			text.Placeholder = fmt.Sprintf("%d … %d", f.Least, f.Most)
		}
	case bridge.Long:
		text.Style = disgo.TextInputStyleParagraph
		fallthrough
	default:
		if f.Most > 0 {
			text.MaxLength = min(f.Most, maxText)
		}
		if f.Least > 0 && f.Needed {
			least := min(f.Least, text.MaxLength)
			text.MinLength = &least
		}
	}
	text.Value = bridge.Cut(text.Value, text.MaxLength)
	return text
}

// modalFields returns the values of a submitted dialog.
func modalFields(i disgo.ModalSubmitInteraction) map[string]string {
	fields := map[string]string{}
	for c := range i.Data.AllComponents() {
		switch c := c.(type) {
		case disgo.TextInputComponent:
			fields[c.CustomID] = c.Value
		case disgo.CheckboxComponent:
			fields[c.CustomID] = strconv.FormatBool(c.Value)
		case disgo.StringSelectMenuComponent:
			fields[c.CustomID] = ""
			if len(c.Values) > 0 {
				fields[c.CustomID] = c.Values[0]
			}
		}
	}
	return fields
}
