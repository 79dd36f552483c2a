package script

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"

	"norn/lang"
)

// Words are what norn itself says of games that are texts, in all languages.
//
//go:embed words/*.toml
var Words embed.FS

// A text has places for what differs, {who}, {n}; words have {{.Name}}, {{.N}}.
var placeIn = regexp.MustCompile(`\{([a-z][a-z0-9_]*)\}`)

// placeName is what a place is called among a word's data.
func placeName(name string) string {
	if name == "who" {
		return "Name"
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func placed(text string) string {
	text = strings.ReplaceAll(text, "'", "’") // as it's printed
	return placeIn.ReplaceAllStringFunc(text, func(place string) string { return "{{." + placeName(strings.Trim(place, "{}")) + "}}" })
}

func placesIn(text string) (names []string) {
	for _, found := range placeIn.FindAllStringSubmatch(text, -1) {
		names = append(names, placeName(found[1]))
	}
	return names
}

// wordOf is the id of a text that's told.
func (b *book) wordOf(text string) string { return b.id + ".text." + called(text) }

// called is an id for a text in which one sees which it is.
func called(text string) string {
	words := strings.SplitN(slug(text), "-", 6)
	if len(words) > 5 || len(text) > 40 {
		words = strings.SplitN(slug(strings.Join(strings.Fields(text)[:min(5, len(strings.Fields(text)))], " ")), "-", 6)
	}
	return strings.Join(words[:min(5, len(words))], "-") + "-" + fingerprint(text)[:6]
}

// say says a text that stands in the file.
func (b *book) say(s lang.Speaker, text string) string {
	if id := b.wordOf(text); s.Has(id) {
		return s.Say(id)
	}
	return text
}

// worded is a word of the game, and how it's made of a text.
type worded struct {
	id, text string
	make     func(text string) string // nil: as it is
}

// spoken are a text's plural forms in a language, "other" alone where it doesn't count.
type spoken map[string]string

// words are all that the game says, in three languages: what words.toml lacks is said in the game's own.
func (b *book) words(source string) (fs.FS, *lang.Words, error) {
	translated, err := readWords(source)
	if err != nil {
		return nil, nil, err
	}
	all, err := b.worded()
	if err != nil {
		return nil, nil, err
	}
	said := texts{}
	for _, l := range lang.All {
		own, err := ownWords(l)
		if err != nil {
			return nil, nil, err
		}
		done := map[string]bool{}
		for _, w := range all {
			if done[w.id] {
				continue
			}
			done[w.id] = true
			counts := false // a text that counts in one language does in all
			for _, other := range lang.All {
				counts = counts || len(translated[other][w.text]) > 1
			}
			forms := spoken{}
			for _, form := range pluralsOf(l, counts) {
				text := firstOf(translated[l][w.text][form], translated[l][w.text]["other"], ownText(own, w.text), translated[lang.Lang(b.lang)][w.text]["other"], w.text)
				if w.make != nil {
					text = w.make(text)
				}
				forms[form] = text
			}
			for form, text := range forms {
				forms[form] = placed(text)
			}
			said[l] = append(said[l], lang.Text{ID: w.id, Forms: forms})
		}
	}
	read, err := lang.Load(said)
	if err != nil {
		return nil, nil, &Problem{File: wordsFile, What: err.Error()}
	}
	return said, read, nil
}

// texts are a game's, by language: a folder of words that was made.
type texts map[lang.Lang][]lang.Text

// Texts implements lang.Made.
func (t texts) Texts(l lang.Lang) []lang.Text { return t[l] }

// Open implements fs.FS; there are no files.
func (t texts) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Missing are the texts of a game that words.toml lacks of the languages that it has begun: they're said in the game's own.
func Missing(t Text) (map[lang.Lang][]string, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	translated, err := readWords(t.Words)
	if err != nil {
		return nil, err
	}
	all, err := p.book.worded()
	if err != nil {
		return nil, err
	}
	missing := map[lang.Lang][]string{}
	told := map[string]bool{}
	for _, w := range all {
		if w.text == "" || w.text[0] == 0 || ruleID.MatchString(w.text) || told[w.text] || !lettered(w.text) {
			continue
		}
		told[w.text] = true
		for l := range translated {
			if _, there := translated[l][w.text]; !there && string(l) != p.book.lang {
				missing[l] = append(missing[l], w.text)
			}
		}
	}
	return missing, nil
}

// Dead are texts of words.toml that the game doesn't say, by language.
func Dead(t Text) (map[lang.Lang][]string, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	translated, err := readWords(t.Words)
	if err != nil {
		return nil, err
	}
	all, err := p.book.worded()
	if err != nil {
		return nil, err
	}
	said := map[string]bool{}
	for _, w := range all {
		said[w.text] = true
	}
	dead := map[lang.Lang][]string{}
	for l, texts := range translated {
		for _, text := range slices.Sorted(maps.Keys(texts)) {
			if !said[text] {
				dead[l] = append(dead[l], text)
			}
		}
	}
	return dead, nil
}

func lettered(text string) bool {
	return strings.ContainsFunc(placeIn.ReplaceAllString(text, ""), unicode.IsLetter)
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// pluralsOf are the forms that a text has.
func pluralsOf(l lang.Lang, counts bool) []string {
	switch {
	case !counts:
		return []string{"other"}
	case l == lang.En:
		return []string{"one", "other"}
	}
	return []string{"one", "few", "many", "other"}
}

// ownTexts stand for what a game doesn't say itself; norn has them in all languages.
var ownTexts = map[string]string{
	"\x00succeed": "script.headline.succeed", "\x00done": "script.outcome.done", "\x00dice": "script.question.dice", "\x00tagline": "script.game.tagline", "\x00about": "script.move.about",
}

var ownSpeakers = sync.OnceValues(func() (*lang.Words, error) { return lang.Load(Words) })

func ownWords(l lang.Lang) (lang.Speaker, error) {
	words, err := ownSpeakers()
	if err != nil {
		return lang.Speaker{}, err
	}
	return words.In(l), nil
}

func ownText(s lang.Speaker, text string) string {
	if id, ok := ownTexts[text]; ok {
		return s.Say(id)
	}
	return ""
}

// readWords reads words.toml: by language, by text, the forms in it.
func readWords(source string) (map[lang.Lang]map[string]spoken, error) {
	var read map[string]map[string]any
	_, err := toml.Decode(source, &read)
	if err != nil {
		p := &Problem{File: wordsFile, What: err.Error()}
		if wrong, ok := err.(toml.ParseError); ok {
			p.Line, p.Col, p.What = wrong.Position.Line, max(1, wrong.Position.Col), wrong.Message
		}
		return nil, p
	}
	translated := map[lang.Lang]map[string]spoken{}
	for name, texts := range read {
		l := lang.Lang(name)
		if !slices.Contains(lang.All[:], l) {
			return nil, &Problem{File: wordsFile, What: fmt.Sprintf("[%s] is no language; there are [en], [ru] and [uk]", name)}
		}
		translated[l] = map[string]spoken{}
		for text, said := range texts {
			switch said := said.(type) {
			case string:
				translated[l][text] = spoken{"other": said}
			case map[string]any:
				forms := spoken{}
				for form, one := range said {
					one, ok := one.(string)
					if !ok || !slices.Contains([]string{"one", "few", "many", "other"}, form) {
						return nil, &Problem{File: wordsFile, What: fmt.Sprintf("[%s] %q: a text that counts has the forms one, few, many, other", l, text)}
					}
					forms[form] = one
				}
				translated[l][text] = forms
			default:
				return nil, &Problem{File: wordsFile, What: fmt.Sprintf("[%s] %q: what it's called, in quotes", l, text)}
			}
			for form, one := range translated[l][text] {
				want, got := placesIn(text), placesIn(one)
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(slices.Compact(want), slices.Compact(got)) && (form != "one" || l != lang.En) {
					return nil, &Problem{File: wordsFile, What: fmt.Sprintf("[%s] %q has other places than its text: %q has %v, not %v", l, text, one, got, want)}
				}
			}
		}
	}
	return translated, nil
}

// capital is a text that begins as a sentence does.
func capital(text string) string {
	for i, r := range text {
		return text[:i] + string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}

// worded are all words of the game.
func (b *book) worded() (all []worded, err error) {
	names := map[string]*field{}
	word := func(text string, id ...string) {
		all = append(all, worded{id: b.id + "." + strings.Join(id, "."), text: text})
	}
	made := func(make func(string) string, text string, id ...string) {
		all = append(all, worded{id: b.id + "." + strings.Join(id, "."), text: text, make: make})
	}
	var fields func(some []*field, settings bool)
	fields = func(some []*field, settings bool) {
		for _, f := range some {
			if other, known := names[f.id]; known && other.label != f.label && err == nil {
				err = at(f.pos, "%s is called %q here and %q elsewhere; fields of one name have one label, or another name", f.name, f.label, other.label)
			}
			names[f.id] = f
			word(f.label, "field", f.id)
			if f.head != "" {
				word(f.head, "head", slug(f.head))
			}
			if f.hint != "" && !settings {
				word(f.hint, "hint", f.id)
			}
			if settings {
				word(firstOf(f.hint, f.label), "setting-about", f.id)
			}
			for _, o := range f.options {
				word(o.label, f.id, o.id)
			}
			for kind, text := range map[string]string{"": f.changed, "-more": f.more, "-less": f.less} {
				if text != "" {
					word(text, "changed", f.id+kind)
				}
			}
			fields(f.fields, settings)
		}
	}
	word(b.name, "game", "name")
	word(firstOf(b.about, "\x00tagline"), "game", "tagline")
	word("\x00dice", "question", "dice")
	for _, r := range b.rules {
		word(r.text, "rule", r.id)
	}
	for _, k := range b.kinds {
		word(k.label, "kind", k.id)
		fields(k.fields, false)
	}
	for _, q := range b.asks {
		word(q.label, "question", q.id)
		fields(q.fields, false)
	}
	fields(b.settings, true)
	for _, o := range b.outcomes {
		word(o.label, "outcome", o.id)
		switch {
		case o.short != "":
			word(o.short, "outcome-short", o.id)
		case len(placesIn(o.label)) > 0:
			word(capital(strings.ReplaceAll(o.id, "-", " ")), "outcome-short", o.id)
		default:
			made(capital, o.label, "outcome-short", o.id)
		}
	}
	for _, m := range b.moves {
		word(m.label, "move", m.id)
		word(firstOf(m.about, "\x00about"), "move-about", m.id)
		fields(m.fields, false)
		for _, c := range m.chances {
			text := firstOf(c.text, "\x00succeed")
			word(text, "aim", c.id)
			made(func(text string) string { return "{{.P}} " + text }, text, "headline", c.id)
		}
		if len(m.outcomes) == 0 {
			word("\x00done", "outcome", doneID)
			made(capital, "\x00done", "outcome-short", doneID)
		}
	}
	for text := range b.thrownFor {
		if text != "" {
			word(text, "throw", slug(text))
			word(text, "throw", secretThrow+slug(text))
		}
	}
	for text := range b.texts {
		word(text, "text", called(text))
	}
	slices.SortStableFunc(all, func(a, b worded) int { return strings.Compare(a.id, b.id) })
	return all, err
}
