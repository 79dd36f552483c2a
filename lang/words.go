package lang

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed words/*.toml
var own embed.FS

// Words are all texts in all languages.
type Words struct {
	langs map[Lang]*tongue
	owns  *owns
}

// tongue is one language: its texts by id and its way with numbers.
type tongue struct {
	lang      Lang
	tag       language.Tag
	messages  map[string]*message
	games     map[string]*tongue  // the same language in a game's own terms, where it has some
	own       map[string]*message // in such a one, the texts that name terms
	first     []*Own              // whose texts stand before all others, the newest last
	owns      *owns               // whose texts stand behind all others
	also      map[string][]string // other names by the id of the text that is the first
	point     string              // before the decimals
	thousands string
	percent   string
}

// message is one text in its plural forms, by plural.Form; the others than Other are there only if it counts.
type message struct {
	forms    [plural.Many + 1]*phrase
	counts   bool
	borrowed bool // from another language, which the game's folder says it in
}

// phrase is a text taken apart at its places: piece, name, piece, name, piece.
type phrase struct {
	source string
	pieces []string
	names  []string
}

// Load reads words/en.toml, words/ru.toml and words/uk.toml of every folder and of package lang itself, and
// words/terms.toml where there is one. Errors are a file that is missing or unreadable, an id that stands twice, a text
// that is empty or has something else in braces than a place for data or a term, other names for a text that isn't
// there, and a game's own term without a form that others have.
func Load(folders ...fs.FS) (*Words, error) {
	games := &owns{}
	words := &Words{owns: games, langs: map[Lang]*tongue{
		En: {lang: En, tag: language.English, point: ".", thousands: ",", percent: "%", owns: games},
		Ru: {lang: Ru, tag: language.Russian, point: ",", thousands: "\u00a0", percent: "\u00a0%", owns: games},
		Uk: {lang: Uk, tag: language.Ukrainian, point: ",", thousands: "\u00a0", percent: "\u00a0%", owns: games},
	}}
	read := []fs.FS{own}
	for _, folder := range folders {
		if of, ok := folder.(*Own); ok {
			words.Take(of)
		} else {
			read = append(read, folder)
		}
	}
	folders = read
	listed := map[Lang][]Term{}
	var errs []error
	for _, folder := range folders {
		terms, err := Terms(folder)
		errs = append(errs, err)
		for lang := range terms {
			listed[lang] = append(listed[lang], terms[lang]...)
		}
	}
	for _, lang := range All {
		tongue := words.langs[lang]
		var texts []*i18n.Message
		for _, folder := range folders {
			read, err := tongue.read(folder)
			texts, errs = append(texts, read...), append(errs, err)
		}
		errs = append(errs, tongue.learn(texts, listed[lang]), tongue.rename(listed[lang]))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return words, nil
}

func (t *tongue) read(folder fs.FS) ([]*i18n.Message, error) {
	path := "words/" + string(t.lang) + ".toml"
	data, err := fs.ReadFile(folder, path)
	if err != nil {
		return nil, fmt.Errorf("lang: %w", err)
	}
	read, err := i18n.ParseMessageFileBytes(data, path, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return nil, fmt.Errorf("lang: %s: %w", path, err)
	}
	return read.Messages, nil
}

// learn compiles the texts, those that name terms once more for each game that has terms of its own.
func (t *tongue) learn(texts []*i18n.Message, terms []Term) error {
	said, games, err := formsOf(terms)
	errs := []error{err}
	t.messages, t.also, t.games = map[string]*message{}, map[string][]string{}, map[string]*tongue{}
	for game := range games {
		t.games[game] = &tongue{own: map[string]*message{}}
	}
	for _, m := range texts {
		if t.messages[m.ID] != nil {
			errs = append(errs, fmt.Errorf("lang: words/%s.toml: the id %s stands twice", t.lang, m.ID))
			continue
		}
		compiled, terms, err := compile(m, said)
		if err != nil {
			errs = append(errs, fmt.Errorf("lang: words/%s.toml: %s: %w", t.lang, m.ID, err))
			continue
		}
		t.messages[m.ID] = compiled
		if !terms {
			continue
		}
		for game, forms := range games {
			compiled, _, err := compile(m, forms)
			errs = append(errs, err)
			t.games[game].own[m.ID] = compiled
		}
	}
	for game := range games {
		own := t.games[game].own
		*t.games[game] = *t
		t.games[game].own = own
	}
	return errors.Join(errs...)
}

// rename keeps the other names that terms have.
func (t *tongue) rename(terms []Term) error {
	for _, term := range terms {
		if len(term.Also) > 0 && t.messages[term.Word] == nil {
			return fmt.Errorf("lang: %s of %s has other names, but no text", term.Word, t.lang)
		}
		t.also[term.Word] = append(t.also[term.Word], term.Also...)
	}
	return nil
}

// compile tells, besides, whether the text names terms.
func compile(m *i18n.Message, said forms) (compiled *message, terms bool, err error) {
	compiled = &message{}
	for form, text := range map[plural.Form]string{
		plural.Other: m.Other, plural.Zero: m.Zero, plural.One: m.One, plural.Two: m.Two, plural.Few: m.Few, plural.Many: m.Many,
	} {
		if text == "" {
			continue
		}
		text, names, err := said.in(text)
		if err != nil {
			return nil, false, err
		}
		phrase, err := takeApart(text)
		if err != nil {
			return nil, false, err
		}
		terms = terms || names
		compiled.forms[form] = phrase
		compiled.counts = compiled.counts || form != plural.Other
	}
	if compiled.forms[plural.Other] == nil {
		return nil, false, errors.New("there is no text, or no form \"other\"")
	}
	return compiled, terms, nil
}

var place = regexp.MustCompile(`\{\{\s*\.([A-Z][A-Za-z0-9]*)\s*\}\}`)

func takeApart(text string) (*phrase, error) {
	p := &phrase{source: text}
	if !strings.Contains(text, "{{") && !strings.Contains(text, "}}") { // as most texts
		p.pieces = []string{text}
		return p, nil
	}
	end := 0
	for _, at := range place.FindAllStringSubmatchIndex(text, -1) {
		p.pieces = append(p.pieces, text[end:at[0]])
		p.names = append(p.names, text[at[2]:at[3]])
		end = at[1]
	}
	p.pieces = append(p.pieces, text[end:])
	for _, piece := range p.pieces {
		if strings.Contains(piece, "{{") || strings.Contains(piece, "}}") {
			return nil, fmt.Errorf("a place for data is {{.Name}}, one for a term {{name}} or {{name.form}}, and nothing else: %q", text)
		}
	}
	return p, nil
}

// In gives the speaker of a language, English for one that isn't ours.
func (w *Words) In(lang Lang) Speaker {
	if tongue, ok := w.langs[lang]; ok {
		return Speaker{tongue}
	}
	return Speaker{w.langs[En]}
}

// Name is a language's name for itself: "English", "Русский", "Українська".
func (w *Words) Name(lang Lang) string { return w.In(lang).Say("lang.name") }

// IDs are the ids of all texts of a language, sorted.
func (w *Words) IDs(lang Lang) []string {
	ids := slices.Collect(maps.Keys(w.langs[lang].messages))
	for _, own := range w.owns.all() {
		ids = slices.AppendSeq(ids, maps.Keys(own.ids))
	}
	slices.Sort(ids)
	return ids
}

// Borrows reports whether a language lacks a text of a game and says it in the game's own language.
func (w *Words) Borrows(lang Lang, id string) bool {
	message := w.langs[lang].message(id)
	return message != nil && message.borrowed
}

// Forms are a text's plural forms as they are written, by "one", "few", "many", "other"; a text that doesn't count has
// only "other", an unknown id nothing.
func (w *Words) Forms(lang Lang, id string) map[string]string {
	message := w.langs[lang].message(id)
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
	plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
}
