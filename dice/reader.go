package dice

import (
	"math"
	"slices"
	"unicode"
)

// reader goes over a text rune by rune; notation and typed faces are read with it.
type reader struct {
	text  string
	runes []rune
	at    int
}

func newReader(text string) *reader { return &reader{text: text, runes: []rune(text)} }

func (r *reader) end() bool { return r.at == len(r.runes) }

// want is the error of not finding it here.
func (r *reader) want(what string) error {
	return &SyntaxError{At: r.at, Want: what, Text: r.text}
}

// space goes over spaces and tells whether there were any.
func (r *reader) space() bool {
	from := r.at
	for !r.end() && unicode.IsSpace(r.runes[r.at]) {
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
