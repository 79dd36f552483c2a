package dice

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a spelling: words, of which one must match, a sign, or a placeholder.
type piece struct {
	words  []string // letters or digits in lower case; a star stands for any ending
	sign   rune     // a sign, 0 for others
	hole   string   // the name of a placeholder; see match
	spaced bool     // spaces may come before it
}

// newSpelling reads a row of a table. The placeholders of a spelling are {n} and {m} for numbers, in
// digits or words, {w} for one in words, {s} for the sides of a die, {d} for dice, {v} for values in
// words and {c} for a comparison sign. ^ is the beginning and $ the end; | separates words of which
// any may be there. The other side names the placeholders again; it begins with ✗ for what norn can't do.
func newSpelling(from, to string) *spelling {
	s := &spelling{to: to}
	s.to, s.deny = strings.CutPrefix(to, "✗")
	runes := []rune(strings.ToLower(from))
	spaced := false
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; {
		case c == ' ':
			spaced = true
			continue
		case c == '{' && slices.Contains(runes[i:], '}') && i+2 < len(runes) && runes[i+2] == '}':
			s.from = append(s.from, piece{hole: string(runes[i+1]), spaced: spaced})
			i += 2
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			end := i
			for end < len(runes) && (runes[end] == '|' || runes[end] == '*' || runes[end] == '\'' ||
				unicode.IsLetter(runes[end]) == unicode.IsLetter(c) && unicode.IsDigit(runes[end]) == unicode.IsDigit(c)) {
				end++
			}
			s.from = append(s.from, piece{words: strings.Split(string(runes[i:end]), "|"), spaced: spaced})
			i = end - 1
		default:
			s.from = append(s.from, piece{sign: c, spaced: spaced})
		}
		spaced = false
	}
	return s
}

// translation is a text while it's rewritten.
type translation struct {
	*reader
	out    []rune
	origin []int
	filled map[string]string
}

// translate rewrites the spellings of the reading into those of the grammar. It leaves alone what is
// a label in any case, and the names of faces.
func (p *parser) translate() error {
	if len(p.spellings) == 0 {
		return nil
	}
	t := &translation{reader: &reader{text: p.text, runes: p.runes}}
	changed := false
	for !t.end() {
		s, end := t.longest(p.rules())
		switch verbatim := t.verbatim(); {
		case s == nil && verbatim > t.at:
			t.copy(verbatim)
			continue
		case s == nil:
			to := t.at + 1
			for _, whole := range []func(rune) bool{unicode.IsLetter, unicode.IsDigit, isComparison} {
				for whole(t.runes[t.at]) && to < len(t.runes) && whole(t.runes[to]) {
					to++
				}
			}
			t.copy(to)
			continue
		case s.deny:
			at := t.at
			p.at = end
			err := p.meantError(Elsewhere, OfSum, at)
			if s.to != "" {
				err.(*MeantError).Try = []string{t.fill(s.to)}
			}
			return err
		}
		for _, c := range t.fill(s.to) {
			t.out, t.origin = append(t.out, c), append(t.origin, t.at)
		}
		t.at, changed = end, true
	}
	if changed {
		p.runes, p.origin = t.out, append(t.origin, len(t.runes))
	}
	return nil
}

func isComparison(r rune) bool { return strings.ContainsRune("<>=", r) }

// copy copies runes up to an offset.
func (t *translation) copy(to int) {
	for ; t.at < to; t.at++ {
		t.out, t.origin = append(t.out, t.runes[t.at]), append(t.origin, t.at)
	}
}

// verbatim returns the end of a text that isn't rewritten, or a smaller offset if there is none.
func (t *translation) verbatim() int {
	until := func(from int, closing string) int {
		for i := from; i < len(t.runes); i++ {
			if strings.ContainsRune(closing, t.runes[i]) {
				return i + 1
			}
		}
		return len(t.runes)
	}
	next := rune(0)
	if t.at+1 < len(t.runes) {
		next = t.runes[t.at+1]
	}
	switch c := t.runes[t.at]; {
	case c == '#' && (t.at == 0 || !unicode.IsDigit(t.runes[t.at-1])):
		return until(t.at, ";")
	case c == '/' && next == '/':
		return until(t.at, ";")
	case strings.ContainsRune(`"“«`, c):
		return until(t.at+1, `"”»`)
	case c == '[' && next != '[':
		return until(t.at, "]")
	case c == '{' && t.at > 0 && strings.ContainsRune("dDдДкК=", t.runes[t.at-1]):
		return until(t.at, "}")
	}
	return -1
}

// longest returns the spelling that matches most of the text here, and its end.
func (t *translation) longest(rules map[rune][]*spelling) (best *spelling, end int) {
	c := t.next()
	if t.at > 0 {
		switch before := t.runes[t.at-1]; {
		case unicode.IsLetter(c) && unicode.IsLetter(before):
			return nil, 0
		case unicode.IsDigit(c) && strings.ContainsRune("dDдДкК", before): // the sides of a die begin no spelling
			return nil, 0
		}
	}
	filled := map[string]string{}
	for _, s := range rules[firstOf(c)] {
		clear(filled)
		if to, ok := t.match(s.from, t.at, filled); ok && to > end {
			best, end, t.filled = s, to, maps.Clone(filled)
		}
	}
	return best, end
}

// firstOf returns the key of the spellings that may begin with a rune: digits share one.
func firstOf(c rune) rune {
	if unicode.IsDigit(c) {
		return '0'
	}
	return c
}

// firsts returns the keys of a spelling.
func (s *spelling) firsts() (all []rune) {
	switch p := s.from[0]; {
	case p.sign == '^':
		return (&spelling{from: s.from[1:]}).firsts()
	case p.sign != 0:
		return []rune{p.sign}
	case p.hole == "":
		return heads(p.words)
	}
	// a number in digits or words, or a die without one
	all = append([]rune{'0', 'd', 'д', 'к'}, numberHeads()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// heads returns the keys of spellings that begin with one of the words.
func heads(words []string) (all []rune) {
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		all = append(all, firstOf(first))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fill puts what was matched into the other side of a spelling.
func (t *translation) fill(to string) string {
	for hole, text := range t.filled {
		to = strings.ReplaceAll(to, "{"+hole+"}", text)
	}
	return to
}

// match reports whether pieces match the text from an offset, and returns the end.
func (t *translation) match(pieces []piece, at int, filled map[string]string) (end int, ok bool) {
	for i, p := range pieces {
		r := &reader{text: t.text, runes: t.runes, at: at}
		if p.spaced && i > 0 {
			r.space()
		}
		from := r.at
		switch {
		case p.hole != "":
			text, ok := t.hole(r, p.hole)
			if before, again := filled[p.hole]; !ok || again && before != text {
				return 0, false
			}
			filled[p.hole] = text
		case p.sign == '^':
			if at > 0 {
				return 0, false
			}
		case p.sign == '$':
			if !r.end() {
				return 0, false
			}
		case p.sign != 0:
			if !r.eat(p.sign) {
				return 0, false
			}
		case unicode.IsDigit([]rune(p.words[0])[0]):
			r.number()
			if string(r.runes[from:r.at]) != p.words[0] {
				return 0, false
			}
		default:
			word := r.letters()
			if !slices.ContainsFunc(p.words, func(w string) bool {
				stem, open := strings.CutSuffix(w, "*")
				return word == stem || open && strings.HasPrefix(word, stem)
			}) {
				return 0, false
			}
			r.at += len([]rune(word))
		}
		at = r.at
	}
	if last := pieces[len(pieces)-1].hole; (last == "n" || last == "m") && t.countsDice(at) {
		return 0, false // "against two d6": the number is theirs
	}
	return at, true
}

// countsDice reports whether a number in words that ends at an offset is that of the dice behind it.
func (t *translation) countsDice(at int) bool {
	if !unicode.IsLetter(t.runes[at-1]) {
		return false
	}
	r := &reader{text: t.text, runes: t.runes, at: at}
	r.space()
	return r.eat('d', 'D', 'д', 'Д', 'к', 'К') && !r.end() && (unicode.IsDigit(r.next()) || strings.ContainsRune("%F{", r.next()))
}

// hole reads the text of a placeholder, and returns it as notation writes it.
func (t *translation) hole(r *reader, name string) (text string, ok bool) {
	from := r.at
	switch name {
	case "w":
		word := r.letters()
		r.at += len([]rune(word))
		return numbers[word], numbers[word] != ""
	case "n", "m":
		if from > 0 && strings.ContainsRune("<>=(,: ", r.runes[from-1]) {
			r.eat('-')
		}
		if _, ok = r.number(); ok {
			return string(r.runes[from:r.at]), true
		}
		r.at = from
		word := r.letters()
		n := numbers[word]
		r.at += len([]rune(word))
		return n, n != ""
	case "s":
		if r.eat('%') {
			return "%", true
		}
		_, ok = r.number()
		return string(r.runes[from:r.at]), ok
	case "d":
		count, _ := t.hole(r, "n")
		if count == "" || strings.ContainsAny(count, "+-") {
			r.at, count = from, ""
		}
		r.space()
		if !r.eat('d', 'д', 'к') {
			return "", false
		}
		sides, ok := t.hole(r, "s")
		return count + "d" + sides, ok
	case "l":
		for r.eat('{') || !r.end() && r.at > from && r.runes[r.at-1] != '}' {
			for !r.end() && !r.eat('}') {
				r.at++
			}
		}
		return string(r.runes[from:r.at]), r.at > from
	case "c":
		p := &parser{reader: r}
		op := p.comparison()
		return op, op != ""
	case "v": // the longest: "3 to 5" begins like "3"
		for _, v := range valueSpellings {
			filled := map[string]string{}
			if end, matches := t.match(v.from, from, filled); matches && end > r.at {
				r.at, text, ok = end, (&translation{filled: filled}).fill(v.to), true
			}
		}
		return text, ok
	}
	return "", false
}
