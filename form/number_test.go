package form_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"norn/form"
)

type bout struct {
	Difficulty form.Number `json:"difficulty,omitzero" form:"max=10,usual=6"`
}

func TestNumberDistinguishesEmptyFromZero(t *testing.T) {
	f := form.Of[bout]()
	for _, c := range []struct {
		json, typed, kept string
		or9               int
	}{
		{`{}`, "", `{}`, 9},
		{`{"difficulty":null}`, "", `{}`, 9},
		{`{"difficulty":6}`, "6", `{"difficulty":6}`, 6},
		{`{"difficulty":0}`, "0", `{"difficulty":0}`, 0},
	} {
		var a, b, restored bout
		if err := f.Decode([]byte(c.json), &a); err != nil {
			t.Fatal(err)
		}
		if err := f.Values(url.Values{"difficulty": {c.typed}}, &b); err != nil {
			t.Fatal(err)
		}
		kept, err := json.Marshal(a)
		if err != nil || json.Unmarshal(kept, &restored) != nil {
			t.Fatal(err)
		}
		if a != b || a != restored || string(kept) != c.kept || a.Difficulty.Or(9) != c.or9 ||
			f.Inputs(a).Get("difficulty") != c.typed {
			t.Errorf("%s: read %v, typed %v, kept %s, shown %q", c.json, a, b, kept, f.Inputs(a).Get("difficulty"))
		}
	}
}

func TestNumberHasNoDefaultAndKeepsItsRange(t *testing.T) {
	f := form.Of[bout]()
	field, _ := f.Field("difficulty")
	if field.Default != nil || field.Usual != 6 || !field.MayBeEmpty() {
		t.Errorf("the field is %+v", field)
	}
	var a bout
	if err := f.Decode([]byte(`{"difficulty":11}`), &a); err == nil || !a.Difficulty.IsZero() {
		t.Errorf("11 is taken: %v, %v", a, err)
	}
	if got := len(f.Every(bout{}, []string{"difficulty"}, 20)); got != 12 { // empty, and 0 to 10
		t.Errorf("%d answers, want 12", got)
	}
}
