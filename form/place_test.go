package form_test

import (
	"net/url"
	"testing"

	"norn/form"
)

// A place on a sheet leads to the fields that can be chosen from it.
func TestFieldsAreFoundByTheirPlaceOnASheet(t *testing.T) {
	type move struct {
		Skill  form.Trait `json:"skill" form:"choice=fight|sneak,open,at=skills.name"`
		Tested string     `json:"tested" form:"choice=wits|charm,at=attributes"`
		Alone  string     `json:"alone" form:"choice=|will|arete,at=will|arete"`
		Weapon string     `json:"weapon" form:"choice,at=weapons"`
		Team   []form.Ref `json:"team" form:"max=3,at=friends"`
		Tired  bool       `json:"tired" form:"at=weakness"`
	}
	f := form.Of[move]().Offering(form.Choices{
		"weapon": {form.OptionAt(0, "Knife"), {Value: ""}}, "team": {{Value: "oak", At: "friends.1"}},
	})
	held := url.Values{"skills.0.name": {"sneak"}, "skills.1.name": {"juggle"}, "skills.2.name": {""}}
	for _, c := range []struct {
		field, place, value string
		takes, stands       bool
	}{
		{"skill", "skills.0", "sneak", true, true},
		{"skill", "skills.1", "", true, false}, // not offered
		{"skill", "skills.2", "", false, false},
		{"skill", "attributes.wits", "", false, false},
		{"tested", "attributes.wits", "wits", true, true},
		{"tested", "attributes.brawn", "", true, false},
		{"alone", "will.permanent", "will", true, true},
		{"alone", "arete", "arete", true, true},
		{"weapon", "weapons.0", "0", true, true},
		{"weapon", "weapons.3", "", true, false},
		{"team", "friends.1", "oak", true, true},
		{"team", "friends.0", "", true, false},
		{"tired", "weakness", "on", true, true},
	} {
		field, _ := f.Field(c.field)
		value, stands := field.Stands(c.place, held)
		if field.Takes(c.place, held) != c.takes || stands != c.stands || value != c.value {
			t.Errorf("%s from %s: takes %v, stands %q %v", c.field, c.place, field.Takes(c.place, held), value, stands)
		}
	}
}
