package lang_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"norn/lang"
)

// toy is a words folder with a text that has other names.
func toy(terms string) fstest.MapFS {
	return fstest.MapFS{
		"words/en.toml": {Data: []byte(`"a.skill" = "Skill"`)}, "words/ru.toml": {Data: []byte(`"a.skill" = "Навык"`)},
		"words/uk.toml": {Data: []byte(`"a.skill" = "Навичка"`)}, "words/terms.toml": {Data: []byte(terms)},
	}
}

func TestAlsoListsOtherNamesOfATerm(t *testing.T) {
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

func TestLoadRefusesMistakesInTerms(t *testing.T) {
	for terms, want := range map[string]string{
		"[[ru]]\nword = \"a.none\"\nalso = [\"x\"]\n": "no text",
		"[[de]]\nword = \"a.skill\"\n":                "no language is called de",
		"[[ru]]\nwords = \"a.skill\"\n":               "nothing is called",
		"[[ru":                                        "terms.toml",
		"[[ru]]\nname = \"gm\"\ngame = \"toy\"\nforms = { nom = \"мастер\" }\n": "has no form",
	} {
		if _, err := lang.Load(toy(terms)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", terms, err)
		}
	}
}

// A shared text must use a game's own term for something that all games have.
func TestSharedTextsUseTheGamesOwnTerms(t *testing.T) {
	shared := fstest.MapFS{
		"words/en.toml": {Data: []byte("\"a.ask\" = \"{{Gm}} asks {{.Name}}; {{gm.all}}\"\n\"a.plain\" = \"Plain\"")},
		"words/ru.toml": {
			Data: []byte("\"a.ask\" = \"{{Gm}} просит: {{.Name}}; у {{gm.gen}}\"\n\"a.plain\" = \"Так\""),
		},
		"words/uk.toml": {Data: []byte("\"a.ask\" = \"{{Gm}} просить: {{.Name}}\"\n\"a.plain\" = \"Так\"")},
	}
	own := toy("[[ru]]\nname = \"gm\"\ngame = \"toy\"\n" +
		"forms = { nom = \"мастер\", gen = \"мастера\", dat = \"м\", ins = \"м\", all = \"м\", all-gen = \"м\" }\n")
	words, err := lang.Load(shared, own)
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"Ведущий просит: Анна; у ведущего": words.In(lang.Ru).Say("a.ask", "Name", "Анна"),
		"Мастер просит: Анна; у мастера":   words.In(lang.Ru).Of("toy").Say("a.ask", "Name", "Анна"),
		"Так": words.In(lang.Ru).Of("toy").Say("a.plain"),
		// The game's own term exists only in Russian.
		"Game master asks Ann; game masters": words.In(lang.En).Of("toy").Say("a.ask", "Name", "Ann"),
		"Ведучий просить: Анна":              words.In(lang.Uk).Of("other").Say("a.ask", "Name", "Анна"),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
