package lang

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed words/*.toml
var own embed.FS

// Words holds all texts in all languages.
type Words struct {
	langs map[Lang]func() *tongue // each reads its language when it's first used
	owns  *owns
}

// tongue is one language: its texts by id and its number format.
type tongue struct {
	lang      Lang
	tag       language.Tag
	messages  map[string]*message
	games     map[string]*tongue  // the same language with a game's own terms, for games that have some
	own       map[string]*message // in one of those games: the texts that use terms
	first     []*Own              // texts that are preferred to all others, the newest last
	owns      *owns               // texts that are used after all others
	also      map[string][]string // other names, by the id of the text with the first name
	point     string              // decimal separator
	thousands string
	percent   string
}

// message is one text in its plural forms, by plural.Form; forms other than Other exist only if it
// has plurals.
type message struct {
	forms    [plural.Many + 1]*phrase
	counts   bool
	borrowed bool // taken from another language, because the game has no translation
}

// phrase is a text split at its places: piece, name, piece, name, piece.
type phrase struct {
	source string
	pieces []string
	names  []string
}

// Load reads words/en.toml, words/ru.toml and words/uk.toml of every folder and of package lang
// itself, and words/terms.toml where there is one. It returns an error for a file that is missing
// or unreadable, a repeated id, a text that is empty or has braces around anything but a place for
// data or a term, other names for a text that doesn't exist, and a game's own term that lacks a
// form other versions have.
func Load(folders ...fs.FS) (*Words, error) {
	words, check := open(folders)
	if err := check(); err != nil {
		return nil, err
	}
	return words, nil
}

// Open is like Load but reads each language when it's first used, and panics then if Load would
// return an error. Use it for folders that a test has loaded: most commands print a few words in
// one language and exit.
func Open(folders ...fs.FS) *Words {
	words, _ := open(folders)
	return words
}

// open returns words that read each language once, and a check that reads them all.
func open(folders []fs.FS) (words *Words, check func() error) {
	words = &Words{owns: &owns{}, langs: map[Lang]func() *tongue{}}
	read := []fs.FS{own}
	for _, folder := range folders {
		if of, ok := folder.(*Own); ok {
			words.Take(of)
		} else {
			read = append(read, folder)
		}
	}
	terms := sync.OnceValues(func() (map[Lang][]Term, error) { return allTerms(read) })
	checks := make([]func() error, len(All))
	for i, lang := range All {
		load := sync.OnceValues(func() (*tongue, error) {
			listed, err := terms()
			if err != nil {
				return nil, err
			}
			return loadTongue(lang, words.owns, read, listed[lang])
		})
		words.langs[lang] = func() *tongue {
			t, err := load()
			if err != nil {
				panic(err)
			}
			return t
		}
		checks[i] = func() error { _, err := load(); return err }
	}
	return words, func() error {
		if _, err := terms(); err != nil {
			return err
		}
		var errs []error
		for _, check := range checks {
			errs = append(errs, check())
		}
		return errors.Join(errs...)
	}
}

// allTerms reads the terms of all folders, by language.
func allTerms(folders []fs.FS) (map[Lang][]Term, error) {
	listed := map[Lang][]Term{}
	var errs []error
	for _, folder := range folders {
		terms, err := Terms(folder)
		errs = append(errs, err)
		for lang := range terms {
			listed[lang] = append(listed[lang], terms[lang]...)
		}
	}
	return listed, errors.Join(errs...)
}

// loadTongue reads all folders' texts in a language.
func loadTongue(lang Lang, owns *owns, folders []fs.FS, terms []Term) (*tongue, error) {
	t := &tongue{
		lang:      lang,
		tag:       language.Make(string(lang)),
		point:     ",",
		thousands: "\u00a0",
		percent:   "\u00a0%",
		owns:      owns,
	}
	switch lang { // as in CLDR 48
	case En:
		t.point, t.thousands, t.percent = ".", ",", "%"
	case Uk:
		t.percent = "%"
	}
	var texts []text
	var errs []error
	for _, folder := range folders {
		read, err := t.read(folder)
		texts, errs = append(texts, read...), append(errs, err)
	}
	errs = append(errs, t.learn(texts, terms), t.rename(terms))
	return t, errors.Join(errs...)
}

func (t *tongue) read(folder fs.FS) ([]text, error) {
	path := "words/" + string(t.lang) + ".toml"
	data, err := fs.ReadFile(folder, path)
	if err != nil {
		return nil, fmt.Errorf("lang: %w", err)
	}
	texts, err := readTexts(data)
	if err != nil {
		return nil, fmt.Errorf("lang: %s: %w", path, err)
	}
	return texts, nil
}

// learn compiles the texts. It compiles those that use terms once more for each game with its own
// terms.
func (t *tongue) learn(texts []text, terms []Term) error {
	said, games, err := formsOf(terms)
	errs := []error{err}
	t.messages, t.also, t.games = make(map[string]*message, len(texts)), map[string][]string{}, map[string]*tongue{}
	for game := range games {
		t.games[game] = &tongue{own: map[string]*message{}}
	}
	compiled, plain := make([]message, len(texts)), make([]phrase, len(texts)) // one allocation for all
	for i, text := range texts {
		if t.messages[text.id] != nil {
			errs = append(errs, fmt.Errorf("lang: words/%s.toml: the id %s stands twice", t.lang, text.id))
			continue
		}
		names, err := compiled[i].compile(text, said, &plain[i])
		if err != nil {
			errs = append(errs, fmt.Errorf("lang: words/%s.toml: %s: %w", t.lang, text.id, err))
			continue
		}
		t.messages[text.id] = &compiled[i]
		if !names {
			continue
		}
		for game, forms := range games {
			own := &message{}
			_, err := own.compile(text, forms, &phrase{})
			errs = append(errs, err)
			t.games[game].own[text.id] = own
		}
	}
	for game := range games {
		own := t.games[game].own
		*t.games[game] = *t
		t.games[game].own = own
	}
	return errors.Join(errs...)
}

// rename stores the other names that terms have.
func (t *tongue) rename(terms []Term) error {
	for _, term := range terms {
		if len(term.Also) > 0 && t.messages[term.Word] == nil {
			return fmt.Errorf("lang: %s of %s has other names, but no text", term.Word, t.lang)
		}
		t.also[term.Word] = append(t.also[term.Word], term.Also...)
	}
	return nil
}

// compile fills the message from a text and reports whether the text uses terms. other is memory
// for its usual form.
func (m *message) compile(t text, said forms, other *phrase) (terms bool, err error) {
	for form, source := range t.forms {
		if source == "" {
			continue
		}
		source, names, err := said.in(source)
		if err != nil {
			return false, err
		}
		p := other
		if plural.Form(form) != plural.Other {
			p, m.counts = &phrase{}, true
		}
		if *p, err = takeApart(source); err != nil {
			return false, err
		}
		terms = terms || names
		m.forms[form] = p
	}
	if m.forms[plural.Other] == nil {
		return false, errors.New("there is no text, or no form \"other\"")
	}
	return terms, nil
}

// takeApart splits a text at its places for data.
func takeApart(source string) (phrase, error) {
	p := phrase{source: source}
	if !strings.Contains(source, "{{") && !strings.Contains(source, "}}") { // the usual case
		return p, nil
	}
	for rest := source; ; {
		piece, place, after, found := cutPlace(rest)
		name, data := strings.CutPrefix(place, ".")
		if found && (!data || !isDataName(name)) || !found && strings.Contains(piece, "{{") ||
			strings.Contains(piece, "}}") {
			return phrase{}, fmt.Errorf(
				"a place for data is {{.Name}}, one for a term {{name}} or {{name.form}}, and nothing else: %q",
				source,
			)
		}
		p.pieces = append(p.pieces, piece)
		if !found {
			return p, nil
		}
		p.names = append(p.names, name)
		rest = after
	}
}

// cutPlace splits a text at its first place in double braces, which it returns without the braces
// and the spaces inside.
func cutPlace(text string) (before, place, after string, found bool) {
	before, rest, open := strings.Cut(text, "{{")
	place, after, closed := strings.Cut(rest, "}}")
	if !open || !closed {
		return text, "", "", false
	}
	return before, strings.TrimSpace(place), after, true
}

// isDataName reports whether a name is one for data: a capital letter, then letters and digits.
func isDataName(name string) bool {
	for i, r := range name {
		capital, small, digit := 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', '0' <= r && r <= '9'
		if !capital && (i == 0 || !small && !digit) {
			return false
		}
	}
	return name != ""
}

// In returns the speaker of a language, or of English if it isn't supported.
func (w *Words) In(lang Lang) Speaker {
	if tongue, ok := w.langs[lang]; ok {
		return Speaker{tongue()}
	}
	return Speaker{w.langs[En]()}
}

// Name returns a language's own name: "English", "Русский", "Українська".
func (w *Words) Name(lang Lang) string { return w.In(lang).Say("lang.name") }

// IDs returns the ids of all texts of a language, sorted.
func (w *Words) IDs(lang Lang) []string {
	ids := slices.Collect(maps.Keys(w.langs[lang]().messages))
	for _, own := range w.owns.all() {
		for id := range own.ids {
			if !own.unsaid[id] {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// Borrows reports whether a language lacks a text of a game, so that it's shown in the game's own
// language.
func (w *Words) Borrows(lang Lang, id string) bool {
	message := w.langs[lang]().message(id)
	return message != nil && message.borrowed
}

// Forms returns a text's plural forms as written, by "one", "few", "many", "other". A text without
// plurals has only "other", an unknown id has none.
func (w *Words) Forms(lang Lang, id string) map[string]string {
	message := w.langs[lang]().message(id)
	if message == nil {
		return nil
	}
	forms := map[string]string{}
	for form, phrase := range message.forms {
		if phrase != nil {
			forms[formNames[form]] = phrase.source
		}
	}
	return forms
}

var formNames = [...]string{
	plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few",
	plural.Many: "many",
}
