package form_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/dice"
	"norn/form"
)

func TestFacesOfFateDiceAreTakenAsShown(t *testing.T) {
	f := form.Of[struct {
		Faces form.Faces `json:"faces"`
	}]()
	type faces = struct {
		Faces form.Faces `json:"faces"`
	}
	var typed, sent faces
	if err := f.Values(url.Values{"faces": {"+ 0 − -1"}}, &typed); err != nil {
		t.Fatal(err)
	}
	if err := f.Decode([]byte(`{"faces": ["+", 0, "−", "-1"]}`), &sent); err != nil {
		t.Fatal(err)
	}
	var numbers faces
	if err := f.Decode([]byte(`{"faces": ["+", 0, -1, -1]}`), &numbers); err != nil {
		t.Fatal(err)
	}
	if err := f.Decode([]byte(`{"faces": [-2]}`), &faces{}); err == nil {
		t.Error("−2 is a face")
	}
	for _, given := range []faces{typed, sent, numbers} {
		got, err := dice.NewHand(given.Faces).Take(dice.Pool{N: 4, Sides: 3, For: dice.FateDice})
		if diff := cmp.Diff([]int{3, 2, 1, 1}, got); err != nil || diff != "" {
			t.Errorf("%v: %v, %s", given, err, diff)
		}
		if text, err := json.Marshal(given); err != nil || string(text) != `{"faces":["+",0,"−","−"]}` {
			t.Errorf("%s, %v", text, err)
		}
	}
	schema := resolve(t, f)
	if err := validate(t, schema, []byte(`{"faces": ["+", 0, "−", "-1", -1, 6]}`)); err != nil {
		t.Errorf("the schema refuses what is taken: %v", err)
	}
	if err := validate(t, schema, []byte(`{"faces": ["x"]}`)); err == nil {
		t.Error("the schema takes any text for a face")
	}
	if err := f.Decode([]byte(`{"faces": ["x"]}`), &sent); err == nil {
		t.Error("x is a face")
	}
}
