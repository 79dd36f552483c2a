package lang_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"norn/lang"
)

// toy are words of which one has other names.
func toy(terms string) fstest.MapFS {
	return fstest.MapFS{
		"words/en.toml": {Data: []byte(`"a.skill" = "Skill"`)}, "words/ru.toml": {Data: []byte(`"a.skill" = "Навык"`)},
		"words/uk.toml": {Data: []byte(`"a.skill" = "Навичка"`)}, "words/terms.toml": {Data: []byte(terms)},
	}
}

func TestTermsHaveOtherNames(t *testing.T) {
	words, err := lang.Load(toy("[[ru]]\nword = \"a.skill\"\nsay = \"навык\"\nalso = [\"умение\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"умение"}, words.In(lang.Ru).Also("a.skill")); diff != "" {
		t.Error(diff)
	}
	if also := words.In(lang.En).Also("a.skill"); also != nil {
		t.Error("in English, too:", also)
	}
}

func TestTermsThatDontFit(t *testing.T) {
	for terms, want := range map[string]string{
		"[[ru]]\nword = \"a.none\"\nalso = [\"x\"]\n": "no text",
		"[[de]]\nword = \"a.skill\"\n":                "no language is called de",
		"[[ru]]\nwords = \"a.skill\"\n":               "nothing is called",
		"[[ru":                                        "terms.toml",
	} {
		if _, err := lang.Load(toy(terms)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", terms, err)
		}
	}
}
