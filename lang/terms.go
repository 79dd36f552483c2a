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

// Term is an established word of a game in one language.
type Term struct {
	Word   string   `toml:"word"`   // id of the text that uses it; "" for a term that only has Not
	Say    string   `toml:"say"`    // the word that the text must contain, in any case of its letters
	Also   []string `toml:"also"`   // other names that people may write
	Not    []string `toml:"not"`    // beginnings of words, or whole phrases, that no text of the language may contain
	Except []string `toml:"except"` // ids of texts that may contain them

	// A term that texts refer to, in any of its forms: {{gm}} for the form "nom", {{gm.gen}} for
	// another, {{Gm}} at the start of a sentence. A game may have its own version, which a Speaker
	// with that game's terms uses instead.
	Name  string            `toml:"name"`
	Game  string            `toml:"game"`  // the game with its own version; "" for all others
	Forms map[string]string `toml:"forms"` // by name; "nom" is required
}

// forms are the forms of terms, by the terms' names.
type forms map[string]map[string]string

// formsOf returns the general terms, and for each game with its own terms all terms that it uses.
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

// in replaces the terms in a text and reports whether there were any.
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
		if name == "" || strings.ContainsFunc(place, unicode.IsSpace) { // a place for data, or plain text
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

// Terms reads a folder's words/terms.toml: the terms by language, or none without that file.
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
