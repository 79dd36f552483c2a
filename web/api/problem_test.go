package api

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/lang"
	"norn/lang/langtest"
	"norn/table/refusal"
)

// Every code and every fault has a status, a title in every language and a place in the document.
func TestEveryCodeHasStatusTitleAndDocument(t *testing.T) {
	words, err := lang.Load(Words)
	if err != nil {
		t.Fatal(err)
	}
	for code := range statuses {
		for _, l := range lang.All {
			if !words.In(l).Has("api.title." + string(code)) {
				t.Errorf("%s has no title in %s", code, l)
			}
		}
	}
	for _, code := range refusal.Codes() {
		if statuses[Code(code)] == 0 {
			t.Errorf("%s has no status", code)
		}
	}
	documented := func(of reflect.Type) []string {
		field, _ := of.FieldByName("Code")
		return slices.Sorted(slices.Values(strings.Split(field.Tag.Get("enum"), ",")))
	}
	var codes []string
	for code := range maps.Keys(statuses) {
		codes = append(codes, string(code))
	}
	if got, want := documented(reflect.TypeFor[Problem]()),
		slices.Sorted(slices.Values(codes)); !slices.Equal(got, want) {
		t.Errorf("the document names %q, want %q", got, want)
	}
	if got, want := documented(reflect.TypeFor[Fault]()),
		slices.Sorted(slices.Values(form.Codes())); !slices.Equal(got, want) {
		t.Errorf("the document names %q, want %q", got, want)
	}
}

func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(Words)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := langtest.Check(words, langtest.Project{Roots: []string{"."}, Prefixes: []string{"api.title."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		if strings.Contains(fault, "api.") {
			t.Error(fault)
		}
	}
}
