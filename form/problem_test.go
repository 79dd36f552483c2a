package form_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"norn/form"
)

// The words that problems use must exist in every language, and there must be no others.
func TestEveryProblemHasWordsInEveryLanguage(t *testing.T) {
	wanted := map[string]bool{}
	for _, code := range form.Codes() {
		if code != form.Type {
			wanted[code] = true
		}
	}
	for _, want := range []string{"whole", "int", "bool", "text", "trait", "ref", "refs", "faces", "group", "list"} {
		wanted["type-"+want] = true
	}
	wanted["utf8-whole"], wanted["choice-none"], wanted["too-many-later"] = true, true, true
	wanted["faces"], wanted["unneeded-none"], wanted["missing-choice"] = true, true, true

	asked := map[string]bool{}
	var s sheet
	for _, json := range []string{
		"\xff", `{`, `[]`, `{}`,
		`{"name":1,"story":"\ud800","skill":1,"difficulty":"","modifier":7,"die":"","partial":1,"resist":1,"skills":1,"ally":1,"team":1,"dice":1,"x":1,"x":1}`,
		`{"name":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","story":"\u0000","team":["a","b","c","d"]}`,
	} {
		collect(t, asked, whole.Decode([]byte(json), &s))
	}
	collect(t, asked, whole.With("ally").Decode([]byte(`{"ally":"c1"}`), &s))
	type short struct {
		Name  string     `json:"name" form:"min=3"`
		Faces form.Faces `json:"faces" form:"min=2"`
	}
	type target struct {
		Target form.Ref `json:"target" form:"required"`
	}
	collect(t, asked, form.Of[target]().Decode([]byte(`{}`), &target{}))
	collect(t, asked, form.Of[short]().Decode([]byte(`{"name":"ab","faces":[1]}`), &short{}))
	collect(t, asked, form.Of[choosing]().Decode([]byte(`{"name":"Ash"}`), &choosing{}))
	collect(
		t,
		asked,
		form.Problems{{Path: "dice", Code: form.TooMany, Later: true}},
	) // only questions have this
	collect(t, asked, form.Problems{{Path: "dice", Code: form.TooFew, Min: 3, Sides: 10}})
	collect(t, asked, form.Problems{{Path: "faces", Code: form.Unneeded, Given: "3 4"}}) // norn rolls
	// only a table knows whose it is
	collect(t, asked, form.Problems{{Path: "arete", Code: form.Reserved}})
	if diff := cmp.Diff(slices.Sorted(maps.Keys(wanted)), slices.Sorted(maps.Keys(asked))); diff != "" {
		t.Error(diff)
	}

	for _, lang := range []string{"en", "ru", "uk"} {
		data, err := fs.ReadFile(form.Words, "words/"+lang+".toml")
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Form struct {
				Problem map[string]any `toml:"problem"`
			} `toml:"form"`
		}
		if err := toml.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		collect(t, asked, form.Of[choosing]().Decode([]byte(`{"name":"Ash"}`), &choosing{}))
		if diff := cmp.Diff(slices.Sorted(maps.Keys(wanted)), slices.Sorted(maps.Keys(file.Form.Problem))); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}

func collect(t *testing.T, ids map[string]bool, err error) {
	t.Helper()
	var problems form.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("no problems: %v", err)
	}
	for _, problem := range problems {
		id, data := problem.Word()
		name, ok := strings.CutPrefix(id, "form.problem.")
		if !ok || data["Field"] != problem.Path {
			t.Errorf("%+v has the word %s with %v", problem, id, data)
		}
		ids[name] = true
	}
}

func TestProblemWordUsesTheLimitThatWasBroken(t *testing.T) {
	for _, c := range []struct {
		problem form.Problem
		want    int
	}{
		{form.Problem{Code: form.TooLong, Max: 200}, 200},
		{form.Problem{Code: form.TooFew, Min: 2, Max: 5}, 2},
		{form.Problem{Code: form.TooShort, Min: 3}, 3},
	} {
		if _, data := c.problem.Word(); data["N"] != c.want {
			t.Errorf("%s counts %v", c.problem.Code, data["N"])
		}
	}
}
