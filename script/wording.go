package script

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"

	"norn/lang"
)

// Words holds norn's own texts for scripted games, in all languages.
//
//go:embed words/*.toml
var Words embed.FS

// placeIn matches a place in a script's text, {who} or {n}, which becomes {{.Name}} or {{.N}} in a
// word.
var placeIn = regexp.MustCompile(`\{([a-z][a-z0-9_]*)\}`)

// placeName returns the name of a place in a word's data.
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

func quotePlaces(text string) string {
	text = strings.ReplaceAll(text, "'", "’") // as it's printed
	return placeIn.ReplaceAllStringFunc(text, func(place string) string {
		return "{{." + placeName(strings.Trim(place, "{}")) + "}}"
	})
}

// places returns the names of a text's places, in order, without repetitions.
func places(text string) []string {
	if !strings.Contains(text, "{") {
		return nil
	}
	names := placesIn(text)
	slices.Sort(names)
	return slices.Compact(names)
}

func placesIn(text string) (names []string) {
	for _, found := range placeIn.FindAllStringSubmatch(text, -1) {
		names = append(names, placeName(found[1]))
	}
	return names
}

// hasBraces reports whether a text contains braces with a meaning in words.
func hasBraces(text string) bool { return strings.Contains(text, "{{") || strings.Contains(text, "}}") }

// wordOf returns the id of a text that a script shows.
func (b *book) wordOf(text string) string { return b.id + ".text." + idForText(text) }

// idForText returns a recognizable id for a text.
func idForText(text string) string {
	words := strings.SplitN(slug(text), "-", 6)
	if len(words) > 5 || len(text) > 40 {
		words = strings.SplitN(slug(strings.Join(strings.Fields(text)[:min(5, len(strings.Fields(text)))], " ")), "-",
			6)
	}
	return strings.Join(words[:min(5, len(words))], "-") + "-" + fingerprint(text)[:6]
}

// say returns a text of the script in a language.
func (b *book) say(s lang.Speaker, text string) string {
	if id := b.wordOf(text); s.Has(id) {
		return s.Say(id)
	}
	return text
}

// worded is a word of the game, with how it's derived from a text.
type worded struct {
	id, text string
	within   string                   // another text that goes before it, "" for none
	make     func(text string) string // nil: unchanged
}

// translations is the content of words.toml, by language and text.
type translations map[lang.Lang]map[string]lang.Forms

// words returns all texts of the game in three languages. Those that words.toml lacks are in the
// game's own language.
func (b *book) words(source string) (*lang.Own, error) {
	translated, err := readWords(source)
	if err != nil {
		return nil, err
	}
	all, err := b.listWords()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(all))
	for i, w := range all {
		ids[i] = w.id
	}
	own := lang.OwnOf(b.id, ids, func(l lang.Lang, n int) lang.Forms { return b.forms(translated, l, all[n]) })
	var unsaid []string
	for text, unshown := range b.unshown {
		if unshown {
			unsaid = append(unsaid, b.wordOf(text))
		}
	}
	own.LeaveOut(unsaid)
	return own, nil
}

// shown reports whether people may be shown a text of the script.
func (b *book) shown(text string) bool { return !b.unshown[text] }

// forms returns the forms of a word in a language.
func (b *book) forms(translated translations, l lang.Lang, w worded) lang.Forms {
	// plural forms in one language mean plural forms in all
	counts := slices.ContainsFunc(lang.All[:], func(l lang.Lang) bool { return counting(translated[l][w.text]) })
	here := translated[l][w.text]
	otherwise := firstOf(here.Other, ownText(l, w.text), translated[lang.Lang(b.lang)][w.text].Other, w.text)
	said := func(form string) string {
		text := firstOf(form, otherwise)
		if w.within != "" {
			text = firstOf(translated[l][w.within].Other, w.within) + ": " + text
		}
		if w.make != nil {
			text = w.make(text)
		}
		return quotePlaces(text)
	}
	forms := lang.Forms{Other: said(""), Borrowed: string(l) != b.lang && here.Other == "" && ownText(l, w.text) == ""}
	if counts {
		forms.One = said(here.One)
	}
	if counts && l != lang.En {
		forms.Few, forms.Many = said(here.Few), said(here.Many)
	}
	return forms
}

func counting(forms lang.Forms) bool { return forms.One != "" || forms.Few != "" || forms.Many != "" }

// Missing returns the texts of a game that words.toml lacks, for the languages with some
// translations. They are shown in the game's own language.
func Missing(t Text) (map[lang.Lang][]string, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	translated, err := readWords(t.Words)
	if err != nil {
		return nil, err
	}
	all, err := p.book.listWords()
	if err != nil {
		return nil, err
	}
	missing := map[lang.Lang][]string{}
	told := map[string]bool{}
	for _, w := range all {
		if w.text == "" || w.text[0] == 0 || ruleID.MatchString(w.text) || told[w.text] || !hasLetters(w.text) ||
			w.id == p.book.wordOf(w.text) && !p.book.shown(w.text) {
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

// Dead returns texts of words.toml that the game doesn't use, by language.
func Dead(t Text) (map[lang.Lang][]string, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	translated, err := readWords(t.Words)
	if err != nil {
		return nil, err
	}
	all, err := p.book.listWords()
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

func hasLetters(text string) bool {
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

// ownTexts are replacements for texts that a game doesn't have; norn has them in all languages.
var ownTexts = map[string]string{
	"\x00succeed": "script.headline.succeed", "\x00done": "script.outcome.done", "\x00dice": "script.question.dice",
	"\x00tagline": "script.game.tagline", "\x00about": "script.move.about",
}

var ownWords = sync.OnceValue(func() *lang.Words { return lang.Open(Words) })

func ownText(l lang.Lang, text string) string {
	if id, ok := ownTexts[text]; ok {
		return ownWords().In(l).Say(id)
	}
	return ""
}

// readWords parses words.toml.
func readWords(source string) (translations, error) {
	var read map[string]map[string]any
	_, err := toml.Decode(source, &read)
	if err != nil {
		return nil, tomlProblem(wordsFile, err)
	}
	translated := translations{}
	for name, texts := range read {
		l := lang.Lang(name)
		if !slices.Contains(lang.All[:], l) {
			return nil, &Problem{File: wordsFile, What: wrong("words-language", "Name", name)}
		}
		translated[l] = make(map[string]lang.Forms, len(texts))
		for text, said := range texts {
			forms, err := formsOf(l, text, said)
			if err != nil {
				line, col := placeOf(source, name, text)
				return nil, &Problem{
					File: wordsFile, Line: line, Col: col,
					What: inside(fmt.Sprintf("[%s] %q", l, text), err),
				}
			}
			translated[l][text] = forms
		}
	}
	return translated, nil
}

// writtenPlaces returns the places of a text as they're written in it.
func writtenPlaces(text string) string {
	return cmp.Or(strings.Join(placeIn.FindAllString(text, -1), " "), "—")
}

// formsOf returns the forms that words.toml has for a text.
func formsOf(l lang.Lang, text string, said any) (forms lang.Forms, err error) {
	switch said := said.(type) {
	case string:
		forms.Other = said
	case map[string]any:
		for form, one := range said {
			into := map[string]*string{
				"one": &forms.One, "few": &forms.Few, "many": &forms.Many,
				"other": &forms.Other,
			}[form]
			written, ok := one.(string)
			if into == nil || !ok {
				return forms, wrong("words-forms")
			}
			*into = written
		}
	default:
		return forms, wrong("words-text")
	}
	want := places(text)
	for i, one := range []string{forms.Other, forms.One, forms.Few, forms.Many} {
		if strings.ContainsFunc(one, unseen) {
			return forms, wrong("unseen", "Text", strconv.Quote(one))
		}
		if hasBraces(one) {
			return forms, wrong("braces", "Text", one)
		}
		if got := places(one); one != "" && !slices.Equal(want, got) && !(i == 1 && l == lang.En) {
			return forms, wrong("words-places", "Text", one, "Want", writtenPlaces(text), "Got", writtenPlaces(one))
		}
	}
	return forms, nil
}

// capital returns the text with its first letter in upper case.
func capital(text string) string {
	for i, r := range text {
		return text[:i] + string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}

// withoutPlaces returns a text without its places: “lends {n}” becomes “Lends”. A text with nothing
// else is returned unchanged.
func withoutPlaces(text string) string {
	bare := strings.TrimFunc(strings.Join(strings.Fields(placeIn.ReplaceAllString(text, "")), " "), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(":,;·×–—-+", r)
	})
	if bare == "" {
		bare = strings.NewReplacer("{", "", "}", "").Replace(text)
	}
	return capital(bare)
}

// listWords returns all words of the game.
func (b *book) listWords() (all []worded, err error) {
	var differ []*Problem
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
			if other, known := names[f.id]; known && (other.label != f.label || other.within != f.within) {
				differ = append(differ,
					at(f.pos, wrong("label-differs", "Name", f.name, "Label", f.label, "Other", other.label)))
			}
			names[f.id] = f
			all = append(all, worded{id: b.id + ".field." + f.id, text: f.label, within: f.within})
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
			made(withoutPlaces, o.label, "outcome-short", o.id)
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
		if len(m.outcomes) == 0 || !b.alone && m.counts() {
			word("\x00done", "outcome", doneID)
			made(capital, "\x00done", "outcome-short", doneID)
		}
	}
	thrown := map[string]string{}
	for _, die := range b.dice {
		thrown[die.throwName()] = die.label
	}
	for _, k := range b.decks {
		thrown[k.throwName()] = k.label
	}
	for id, text := range thrown {
		word(text, "throw", id)
		word(text, "throw", secretThrow+id)
	}
	for text := range b.thrownFor {
		if text != "" {
			word(text, "throw", slug(text))
			word(text, "throw", secretThrow+slug(text))
		}
	}
	for text := range b.texts {
		word(text, "text", idForText(text))
	}
	slices.SortStableFunc(all, func(a, b worded) int { return strings.Compare(a.id, b.id) })
	return slices.CompactFunc(all, func(a, b worded) bool { return a.id == b.id }), joined(differ)
}
