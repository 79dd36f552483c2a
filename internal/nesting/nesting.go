// Package nesting bounds how deeply JSON from outside may be nested, before anything decodes it.
//
// A decoder that recurses, or that copies what is left at each level, costs memory and time with
// the depth. Nothing that norn reads is deeper than a dozen levels. The check reads each byte once
// and allocates nothing. The package imports nothing of norn.
package nesting

import (
	"errors"
	"io"
)

// Max is the number of lists and objects that may be open at once.
const Max = 32

// ErrTooDeep reports JSON that is nested more than Max deep.
var ErrTooDeep = errors.New("JSON is nested more than 32 deep")

// TooDeep reports whether JSON is nested more than Max deep. What isn't JSON may get either answer;
// its decoder says what is wrong.
func TooDeep(data []byte) bool {
	return Place(data) >= 0
}

// Place returns the offset of the bracket that is too deep, −1 if there is none.
func Place(data []byte) int {
	var s scan
	return s.read(data)
}

// Reader returns a reader of the same bytes that fails with ErrTooDeep where they're nested more
// than Max deep. The bytes may hold several values.
func Reader(r io.Reader) io.Reader { return &reader{from: r} }

type reader struct {
	from io.Reader
	scan scan
}

func (r *reader) Read(into []byte) (int, error) {
	n, err := r.from.Read(into)
	if r.scan.read(into[:n]) >= 0 {
		return 0, ErrTooDeep
	}
	return n, err
}

// scan is the state of a check.
type scan struct {
	depth           int
	quoted, escaped bool
}

// read continues with more bytes and returns the offset of the first that is too deep, or −1.
func (s *scan) read(data []byte) int {
	for i, c := range data {
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted:
			s.escaped, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = true
		case c == '[' || c == '{':
			if s.depth++; s.depth > Max {
				return i
			}
		case c == ']' || c == '}':
			s.depth = max(0, s.depth-1)
		}
	}
	return -1
}
