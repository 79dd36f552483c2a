package script

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"norn/lang"
	"norn/lang/langtest"
)

// quoted matches a text in a source that may be the id of a mistake.
var quoted = regexp.MustCompile(`"([A-Za-z0-9-]+)"`)

// Every word is used, every mistake has a word, and both have all languages.
func TestEveryMistakeHasAWordThatIsUsed(t *testing.T) {
	words, err := lang.Load(Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots: []string{"."}, Prefixes: []string{"lang.", "script.mistake."},
	})
	used := map[string]bool{"undefined-near": true, "contrast-light": true, "contrast-dark": true}
	wrongs := regexp.MustCompile(`(?:wrong|want|mistake)\("([a-z0-9-]+)"[,)]`)
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"check/*.go", "../cmd/norn/internal/owngames/*.go"} {
		more, err := filepath.Glob(other)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, more...)
	}
	for _, path := range sources {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range quoted.FindAllStringSubmatch(string(source), -1) {
			used[found[1]] = true
			used["type-"+found[1]] = true
		}
		for _, found := range wrongs.FindAllStringSubmatch(string(source), -1) {
			if !english().Has("script.mistake." + found[1]) {
				t.Errorf("%s: the mistake %s has no word", path, found[1])
			}
		}
	}
	for _, id := range words.IDs(lang.En) {
		if id, ok := strings.CutPrefix(id, "script.mistake."); ok && !used[id] {
			t.Errorf("no mistake is %s", id)
		}
	}
}

// A mistake has data for each place of its word.
func TestMistakesFillAllPlacesOfTheirWords(t *testing.T) {
	for _, cases := range []map[string]wrongText{wrongSyntax(), wrongDeclarations()} {
		for name, c := range cases {
			_, err := Compile(Text{Game: c.source})
			p, ok := err.(*Problem)
			if !ok {
				t.Fatalf("%s: %v is no problem", name, err)
			}
			for _, l := range lang.All {
				if said := p.Say(ownWords().In(l)); strings.Contains(said, "⟨") {
					t.Errorf("%s: %s", name, said)
				}
			}
		}
	}
}

func TestMistakesQuoteLittleOfALongText(t *testing.T) {
	if said := wrong("braces", "Text", strings.Repeat("я", 9000)).Error(); len([]rune(said)) > 500 {
		t.Errorf("it has %d letters", len([]rune(said)))
	}
}

func TestUsageIsThatOfTheReference(t *testing.T) {
	for name := range declarations {
		if code := usage(name); !strings.HasPrefix(code, name+"(") || strings.Contains(code, "\n") ||
			strings.Count(code, "(") != strings.Count(code, ")") || code == name+"(…)" {
			t.Errorf("%s: %s", name, code)
		}
	}
	if got := fmt.Sprint(usage("card"), usage("group")); got != `card(deck, "sun")group("Head", name = field, …)` {
		t.Error(got)
	}
}
