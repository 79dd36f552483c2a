package dice

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// reader reads a text rune by rune. Notation and typed faces are parsed with it.
type reader struct {
	text  string
	runes []rune
	at    int
}

func newReader(text string) *reader { return &reader{text: text, runes: []rune(text)} }

func (r *reader) end() bool { return r.at >= len(r.runes) }

// next returns the next rune in lower case, or 0 at the end.
func (r *reader) next() rune {
	if r.end() {
		return 0
	}
	return unicode.ToLower(r.runes[r.at])
}

// want returns the error that something is expected here.
func (r *reader) want(what string) error {
	return &SyntaxError{At: r.at, Want: what, Text: r.text}
}

// space skips spaces and invisible characters and reports whether there were any.
func (r *reader) space() bool {
	from := r.at
	for !r.end() && (unicode.IsSpace(r.runes[r.at]) || unicode.Is(unicode.Cf, r.runes[r.at])) {
		r.at++
	}
	return r.at > from
}

// eat skips the next rune if it is one of the runes, which are given in lower case, and reports
// whether it was.
func (r *reader) eat(runes ...rune) bool {
	if r.end() || !slices.Contains(runes, unicode.ToLower(r.runes[r.at])) {
		return false
	}
	r.at++
	return true
}

// eatText skips the text if it follows.
func (r *reader) eatText(text string) bool {
	if !strings.HasPrefix(string(r.runes[r.at:]), text) {
		return false
	}
	r.at += len([]rune(text))
	return true
}

// number parses decimal digits. A number too long to hold becomes math.MaxInt.
func (r *reader) number() (n int, ok bool) {
	from := r.at
	for ; !r.end() && '0' <= r.runes[r.at] && r.runes[r.at] <= '9'; r.at++ {
		digit := int(r.runes[r.at] - '0')
		if n > (math.MaxInt-digit)/10 {
			n = math.MaxInt
			continue
		}
		n = n*10 + digit
	}
	return n, r.at > from
}

// letters returns the letters that follow, in lower case, without skipping them.
func (r *reader) letters() string {
	var word []rune
	for i := r.at; i < len(r.runes) && unicode.IsLetter(r.runes[i]); i++ {
		word = append(word, unicode.ToLower(r.runes[i]))
	}
	return string(word)
}

// word skips one of the names if it follows, in any case and with any spaces where the name has
// one. A letter must not follow the name.
func (r *reader) word(names ...string) bool {
	from := r.at
	for _, name := range names {
		fits, last := true, rune(0)
		for _, c := range name {
			last = c
			if c == ' ' && r.space() {
				continue
			}
			if fits = r.eat(c); !fits {
				break
			}
		}
		if fits && !(unicode.IsLetter(last) && unicode.IsLetter(r.next())) {
			return true
		}
		r.at = from
	}
	return false
}
