package dice

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// reader goes over a text rune by rune; notation and typed faces are read with it.
type reader struct {
	text  string
	runes []rune
	at    int
}

func newReader(text string) *reader { return &reader{text: text, runes: []rune(text)} }

func (r *reader) end() bool { return r.at >= len(r.runes) }

// next is the rune that comes, in lower case; 0 at the end.
func (r *reader) next() rune {
	if r.end() {
		return 0
	}
	return unicode.ToLower(r.runes[r.at])
}

// want is the error of not finding it here.
func (r *reader) want(what string) error {
	return &SyntaxError{At: r.at, Want: what, Text: r.text}
}

// space goes over spaces and signs that can't be seen, and tells whether there were any.
func (r *reader) space() bool {
	from := r.at
	for !r.end() && (unicode.IsSpace(r.runes[r.at]) || unicode.Is(unicode.Cf, r.runes[r.at])) {
		r.at++
	}
	return r.at > from
}

// eat goes over one of the runes, given in lower case, if it is next in either case.
func (r *reader) eat(runes ...rune) bool {
	if r.end() || !slices.Contains(runes, unicode.ToLower(r.runes[r.at])) {
		return false
	}
	r.at++
	return true
}

// eatText takes the whole text, or nothing of it.
func (r *reader) eatText(text string) bool {
	if !strings.HasPrefix(string(r.runes[r.at:]), text) {
		return false
	}
	r.at += len([]rune(text))
	return true
}

// number reads decimal digits. A number too long to hold is math.MaxInt.
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

// letters are the letters that come, in lower case; they're not gone over.
func (r *reader) letters() string {
	var word []rune
	for i := r.at; i < len(r.runes) && unicode.IsLetter(r.runes[i]); i++ {
		word = append(word, unicode.ToLower(r.runes[i]))
	}
	return string(word)
}

// word goes over one of the names if it is next, in either case, with any space where it has one, and ends there.
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
