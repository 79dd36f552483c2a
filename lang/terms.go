package lang

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/BurntSushi/toml"
)

// Term is a word that people know from the source of what is spoken about, in one language.
type Term struct {
	Word   string   `toml:"word"`   // id of the text that says it; "" for a term that is only held against Not
	Say    string   `toml:"say"`    // what stands in that text, in any case of its letters
	Also   []string `toml:"also"`   // other names that people may write for it
	Not    []string `toml:"not"`    // beginnings of words, or whole phrases, that mustn't stand in any text of the language
	Except []string `toml:"except"` // ids of texts in which they may
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
