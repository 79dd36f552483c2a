package lang

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
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

	// A term that texts name, in any of its forms: {{gm}} for the form "nom", {{gm.gen}} for another, {{Gm}} where it
	// begins a sentence. A game may have its own, which a Speaker in that game's terms says instead.
	Name  string            `toml:"name"`
	Game  string            `toml:"game"`  // whose own it is; "" for all others
	Forms map[string]string `toml:"forms"` // by their names, "nom" among them
}

// forms are the forms of terms, by the terms' names.
type forms map[string]map[string]string

// formsOf are what terms say: everybody's, and of each game that has its own all terms, its own among them.
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

var named = regexp.MustCompile(`\{\{\s*([A-Za-z][a-z]*)(?:\.([a-z-]+))?\s*\}\}`)

// in puts terms into a text, and tells whether there were any.
func (f forms) in(text string) (_ string, terms bool, err error) {
	if !strings.Contains(text, "{{") {
		return text, false, nil
	}
	put := named.ReplaceAllStringFunc(text, func(place string) string {
		terms = true
		at := named.FindStringSubmatch(place)
		name, form := strings.ToLower(at[1]), at[2]
		if form == "" {
			form = "nom"
		}
		said, ok := f[name][form]
		if !ok {
			err = fmt.Errorf("%s is no term; a place for data is {{.Name}} and nothing else", place)
		}
		if name != at[1] {
			first, size := utf8.DecodeRuneInString(said)
			said = string(unicode.ToUpper(first)) + said[size:]
		}
		return said
	})
	return put, terms, err
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
	read, err := toml.Decode(string(data), &terms)
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
