package lang

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Term is a word that people know from the source of what is spoken about, in one language.
type Term struct {
	Word   string   `toml:"word"`   // id of the text that says it; "" for a term that is only held against Not
	Say    string   `toml:"say"`    // what stands in that text, in any case of its letters
	Also   []string `toml:"also"`   // other names that people may write for it
	Not    []string `toml:"not"`    // beginnings of words, or whole phrases, that mustn't stand in any text of the language
	Except []string `toml:"except"` // ids of texts in which they may

	// A term that texts name, in any of its forms: {{gm}} for the form "nom", {{gm.gen}} for
	// another, {{Gm}} where it begins a sentence. A game may have its own, which a Speaker in that
	// game's terms says instead.
	Name  string            `toml:"name"`
	Game  string            `toml:"game"`  // whose own it is; "" for all others
	Forms map[string]string `toml:"forms"` // by their names, "nom" among them
}

// forms are the forms of terms, by the terms' names.
type forms map[string]map[string]string

// formsOf are what terms say: everybody's, and of each game that has its own all terms, its own
// among them.
func formsOf(terms []Term) (said forms, games map[string]forms, err error) {
	said, games = forms{}, map[string]forms{}
	for _, term := range terms {
		if term.Name != "" && term.Game == "" {
			said[term.Name] = term.Forms
		}
	}
	for _, term := range terms {
		if term.Name == "" || term.Game == "" {
			continue
		}
		for form := range said[term.Name] {
			if term.Forms[form] == "" {
				err = fmt.Errorf("lang: the term %s of %s has no form %s", term.Name, term.Game, form)
			}
		}
		if games[term.Game] == nil {
			games[term.Game] = maps.Clone(said)
		}
		games[term.Game][term.Name] = term.Forms
	}
	return said, games, err
}

// in puts terms into a text, and reports whether there were any.
func (f forms) in(text string) (_ string, terms bool, err error) {
	if !strings.Contains(text, "{{") {
		return text, false, nil
	}
	var put strings.Builder
	rest := text
	for {
		before, place, after, found := cutPlace(rest)
		if !found {
			break
		}
		put.WriteString(before)
		name, form, _ := strings.Cut(place, ".")
		if name == "" || strings.ContainsFunc(place, unicode.IsSpace) { // a place for data, or none
			put.WriteString("{{" + place + "}}")
			rest = after
			continue
		}
		terms = true
		said, ok := f[strings.ToLower(name)][cmp.Or(form, "nom")]
		if !ok {
			return "", true, fmt.Errorf("{{%s}} is no term; a place for data is {{.Name}} and nothing else", place)
		}
		if first, size := utf8.DecodeRuneInString(said); unicode.IsUpper(rune(name[0])) {
			said = string(unicode.ToUpper(first)) + said[size:]
		}
		put.WriteString(said)
		rest = after
	}
	if !terms {
		return text, false, nil
	}
	return put.String() + rest, true, nil
}

// Terms reads a folder's words/terms.toml: the terms by language, none without that file.
func Terms(folder fs.FS) (map[Lang][]Term, error) {
	data, err := fs.ReadFile(folder, "words/terms.toml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lang: %w", err)
	}
	var terms map[Lang][]Term
	read, err := toml.Decode(TextOf(data), &terms)
	if err != nil {
		return nil, fmt.Errorf("lang: words/terms.toml: %w", err)
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("lang: words/terms.toml: nothing is called %s", unknown[0])
	}
	for l := range terms {
		if _, ours := Parse(string(l)); !ours {
			return nil, fmt.Errorf("lang: words/terms.toml: no language is called %s", l)
		}
	}
	return terms, nil
}
