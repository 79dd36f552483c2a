package game

import (
	"testing"
	"testing/fstest"

	"norn/form"
	"norn/lang"
)

// Without a word of its own, something has its field's word, and without that its name in the
// source.
func TestOptionWithoutAWordFallsBackToFieldOrValue(t *testing.T) {
	words := fstest.MapFS{}
	for _, l := range lang.All {
		words["words/"+string(l)+".toml"] = &fstest.MapFile{
			Data: []byte("[sea]\nfield = { oar = \"Oar\" }\nwith = { sail = \"Under sail\" }\n"),
		}
	}
	loaded, err := lang.Load(words)
	if err != nil {
		t.Fatal(err)
	}
	g, s := &Game{ID: "sea"}, loaded.In(lang.En)
	v := Voice{Speaker: s}
	for value, want := range map[string]string{"sail": "Under sail", "oar": "Oar", "tow-rope": "Tow rope"} {
		if got := g.Option(v, form.Field{Name: "by", Set: "with"}, form.Option{Value: value}); got != want {
			t.Errorf("%s is called %q", value, got)
		}
	}
	if got := g.Label(s, "way-home"); got != "Way home" {
		t.Error(got)
	}
}
