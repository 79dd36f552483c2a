package form_test

import (
	"slices"
	"testing"

	"norn/form"
)

type emptied struct {
	Int      int         `json:"int" form:"max=3"`
	From     int         `json:"from" form:"min=1,max=3"`
	Number   form.Number `json:"number" form:"max=3"`
	Bool     bool        `json:"bool" form:"default=true"`
	Choice   string      `json:"choice" form:"choice=a|b"`
	Open     string      `json:"open" form:"choice=|b"`
	Text     string      `json:"text" form:"min=2"`
	Prose    string      `json:"prose" form:"prose"`
	Given    string      `json:"given" form:"required"`
	Trait    form.Trait  `json:"trait"`
	Needed   form.Trait  `json:"needed" form:"required"`
	Ref      form.Ref    `json:"ref"`
	Refs     []form.Ref  `json:"refs"`
	Two      []form.Ref  `json:"two" form:"min=2"`
	Faces    form.Faces  `json:"faces"`
	Must     form.Faces  `json:"must" form:"required"`
	Group    numbers     `json:"group"`
	List     []numbers   `json:"list"`
	Explicit int         `json:"explicit" form:"required,max=3"`
}

func TestEmptyIsTheJSONOfAnEmptyField(t *testing.T) {
	want := map[string]string{
		"int": "0", "bool": "false", "open": `""`, "text": `""`, "prose": `""`, "trait": "false", "ref": `""`, "refs": "[]",
		"faces": "[]", "list": "[]", "explicit": "0",
	}
	for _, f := range form.Of[emptied]().Fields {
		if got := string(f.Empty()); got != want[f.Name] {
			t.Errorf("%s is empty as %q, want %q", f.Name, got, want[f.Name])
		}
	}
	if got := form.Of[emptied]().Unset("bool").Fields[3].Empty(); string(got) != "false" {
		t.Errorf("a required bool is empty as %q", got)
	}
}

func TestHasNoChoiceFindsWhatCanBeLeftOut(t *testing.T) {
	none, past := form.Option{}, form.Option{Value: "a", Past: true}
	f := form.Of[emptied]().With("choice", none).With("open", none, past).With("trait").With("ref", past).
		With("needed").With("refs")
	var got []string
	for _, field := range f.Fields {
		if field.HasNoChoice() {
			got = append(got, field.Name)
		}
	}
	if want := []string{"choice", "trait", "ref", "refs"}; !slices.Equal(got, want) {
		t.Errorf("can be left out: %v, want %v", got, want)
	}
}

func TestParseTextGivesTheJSONOfATypedText(t *testing.T) {
	f := form.Of[emptied]()
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"int", " 2 ", 2},
		{"int", "two", "two"},
		{"number", "", ""},
		{"bool", "on", true},
		{"bool", "off", false},
		{"trait", "*", true},
		{"trait", "", false},
		{"trait", "Brawl", "Brawl"},
		{"text", "1к8", "1к8"},
		{"ref", "lira", "lira"},
	} {
		field, _ := f.Field(c.name)
		if got := field.ParseText(c.text); got != c.want {
			t.Errorf("%s reads %q as %#v, want %#v", c.name, c.text, got, c.want)
		}
	}
}
