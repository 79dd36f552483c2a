package lang_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"norn/lang"
)

func TestTextsThatLookAlikeHaveOneKey(t *testing.T) {
	for _, alike := range [][]string{
		{"Алёна", "алена", "АЛЁНА", "Але\u0308на", " Алена\u200b"},
		{"Соломʼяна", "соломʼяна", "Солом'яна", "солом’яна", "СОЛОМ`ЯНА", "солом‘яна"},
		{"Jean–Luc", "jean-luc", "Jean‑Luc", "jean—luc", "JEAN−LUC"},
		{"the  old\u00a0man", "The old man", "\ufeffthe old\tman "},
		{"Žižka", "Z\u030cižka", "žiz\u030cka"},
		{"Їжак", "і\u0308жак", "ЇЖАК"},
		{"Майя", "маи\u0306я"},
	} {
		for _, text := range alike[1:] {
			if got, want := lang.Key(text), lang.Key(alike[0]); got != want {
				t.Errorf("%q has the key %q, %q has %q", text, got, alike[0], want)
			}
		}
	}
	if lang.Key("Anna") == lang.Key("Ana") {
		t.Error("different names have one key")
	}
}

// Invisible characters must not change a text's key, and the key of a key must be itself.
func TestKeyIgnoresInvisibleCharacters(t *testing.T) {
	letters := rapid.SampledFrom(strings.Split("a b Z é ё Ё е и й І ї ' ’ ʼ - — 1 😀 ß \u0301 \u0308 я", " "))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(letters, 0, 12).Draw(t, "letters")
		text := strings.Join(parts, "")
		key := lang.Key(text)
		if again := lang.Key(key); again != key {
			t.Fatalf("%q has the key %q, which has %q", text, key, again)
		}
		unseen := rapid.SampledFrom([]string{"\u200b", "\ufeff", "\u2060", "\u00ad"}).Draw(t, "unseen")
		for _, other := range []string{
			norm.NFD.String(text), norm.NFC.String(text),
			strings.ToLower(norm.NFC.String(text)), " " + text + "\n", strings.Join(parts, unseen),
		} {
			if got := lang.Key(other); got != key {
				t.Fatalf("%q has the key %q, %q has %q", text, key, other, got)
			}
		}
	})
}
