package gametest

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"norn/game"
	"norn/lang"
)

// Terms checks that a game uses the terms of its words/terms.toml: each term is in its text, and no
// text has a word that the list forbids.
func Terms(t *testing.T, g *game.Game) {
	t.Helper()
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	terms, err := lang.Terms(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	if len(terms) == 0 {
		t.Fatalf("%s lists no terms", g.ID)
	}
	for l, listed := range terms {
		for _, term := range listed {
			if term.Word != "" && !says(words.Forms(l, term.Word), term.Say) {
				t.Errorf("%s: %s says %q, not %q", l, term.Word, words.Forms(l, term.Word)["other"], term.Say)
			}
			for _, id := range words.IDs(l) {
				if !strings.HasPrefix(id, g.ID+".") || slices.Contains(term.Except, id) {
					continue
				}
				for _, stem := range term.Not {
					if form, found := spoken(words.Forms(l, id), stem); found {
						t.Errorf("%s: %s says %q: %q doesn't stand for %q", l, id, form, stem, term.Say)
					}
				}
			}
		}
	}
}

// says reports whether each form of a text contains a term.
func says(forms map[string]string, term string) bool {
	for _, form := range forms {
		if !strings.Contains(strings.ToLower(form), strings.ToLower(term)) {
			return false
		}
	}
	return len(forms) > 0
}

// spoken finds a form of a text in which a word begins with a stem.
func spoken(forms map[string]string, stem string) (string, bool) {
	stem = strings.ToLower(stem)
	for _, form := range forms {
		text := strings.ToLower(form)
		for from := 0; ; {
			i := strings.Index(text[from:], stem)
			if i < 0 {
				break
			}
			i += from
			before := []rune(text[:i])
			if len(before) == 0 || !unicode.IsLetter(before[len(before)-1]) {
				return form, true
			}
			from = i + len(stem)
		}
	}
	return "", false
}
