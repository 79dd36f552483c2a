package langtest_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"norn/lang"
	"norn/lang/langtest"
)

// own describes how package lang uses its own words.
var own = langtest.Project{Roots: []string{".."}, Prefixes: []string{"lang.month."}}

func TestLangIsComplete(t *testing.T) {
	words, err := lang.Load()
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, own)
}

// faulty has a mistake of each kind.
var faulty = fstest.MapFS{
	"words/en.toml": {Data: []byte(`
"a.good" = "Throw"
"a.unused" = "Nobody"
"a.same" = "Same"
"a.meant" = "d6"
"a.places" = "{{.Who}} has {{.What}}"
"a.letters" = "Letters, в"
"a.prefix.x" = "By prefix"
"a.english" = "Only here"
"a.slips" = "It's now!"
[a.count]
one = "one die"
other = "{{.N}} dice"
[a.forms]
one = "{{.N}} die"
other = "{{.N}} dice"
`)},
	"words/ru.toml": {Data: []byte(`
"a.good" = "Бросить"
"a.unused" = "Никто"
"a.same" = "Same"
"a.meant" = "d6"
"a.places" = "У {{.Who}} есть {{.Thing}}"
"a.letters" = "Літеры"
"a.prefix.x" = "По началу"
"a.slips" = " Сейчас"
[a.count]
one = "один кубик"
few = "{{.N}} кубика"
many = "{{.N}} кубиков"
other = "{{.N}} кубика"
[a.forms]
one = "{{.N}} кубик"
other = "{{.N}} кубика"
`)},
	"words/uk.toml": {Data: []byte(`
"a.good" = "Кинути"
"a.unused" = "Ніхто"
"a.same" = "Те саме"
"a.meant" = "d6"
"a.places" = "{{.Who}} має {{.What}}"
"a.letters" = "Ёлітери"
"a.prefix.x" = "За початком"
"a.slips" = "Зараз  же"
[a.count]
one = "{{.N}} кубик"
few = "{{.N}} кубики"
many = "{{.N}} кубиків"
other = "{{.N}} кубика"
[a.forms]
one = "{{.N}} кубик"
few = "{{.N}} кубики"
many = "{{.N}} кубиків"
other = "{{.N}} кубика"
`)},
}

func TestCheckFindsFaultyTexts(t *testing.T) {
	words, err := lang.Load(faulty)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	write(
		t,
		filepath.Join(root, "page.templ"),
		"// \"a.unused\"\n"+`<p>{ s.Say("a.good") } { s.Say("a.gone", "N", 1) } { "a.meant" }</p>`,
	)
	write(t, filepath.Join(root, "page_test.go"), `"a.unused"`)
	write(t, filepath.Join(root, "node_modules", "x.js"), `"a.unused"`)
	write(t, filepath.Join(root, "page.js"), "'a.same' `a.places` \"a.letters\" 'a.slips' 'a.forms'")
	got, err := langtest.Check(words, langtest.Project{
		Roots:    append([]string{root}, own.Roots...),
		IDs:      []string{"a.count", "a.english", "a.nowhere"},
		Prefixes: []string{"a.prefix.", "b.", "lang.month.", "lang.changed", "lang.yes", "lang.no"},
		Same:     []string{"a.meant", "a.good"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		filepath.Join(root, "page.templ") + ": a.gone is said but has no text",
		"a.nowhere is used but has no text",
		"no text begins with b.",
		"a.unused is used by nobody",
		"ru: a.count (one) has places for [], not for [N]",
		"ru: a.english is missing",
		"uk: a.english is missing",
		"ru: a.forms has the plural forms one, other and needs few, many, one, other",
		`en: a.letters has the letter в: "Letters, в"`,
		`ru: a.letters has the letter і: "Літеры"`,
		`uk: a.letters has the letter Ё: "Ёлітери"`,
		"ru: a.places (other) has places for [Thing, Who], not for [What, Who]",
		`ru: a.same is as in English: "Same"`,
		`en: a.slips has a straight apostrophe: "It's now!"`,
		`en: a.slips has an exclamation mark: "It's now!"`,
		`ru: a.slips has a space too many: " Сейчас"`,
		`uk: a.slips has a space too many: "Зараз  же"`,
		"a.good is listed as meant to be as in English, but isn't",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
