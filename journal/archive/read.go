package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"norn/journal"
)

// Reader reads a file, line by line.
type Reader struct {
	in     *bufio.Reader
	header Header
	buf    []byte
	line   int
	bytes  int64
	chain  chain
	seq    uint64
	taken  int // entries read so far
	keys   map[use]bool
	err    error // the reason why no more can be read
}

type use struct{ seat, key string }

// NewReader reads the header. Errors are *FaultError and those of r.
func NewReader(r io.Reader) (*Reader, error) {
	in := &Reader{in: bufio.NewReaderSize(r, 64<<10), keys: map[use]bool{}}
	return in, in.begin()
}

// Header returns the file's description. It is proven only at the end of the file.
func (r *Reader) Header() Header { return r.header }

// Next returns the next entry, or io.EOF if the whole file is valid. Other errors are *FaultError
// and those of the underlying reader.
func (r *Reader) Next() (journal.Entry, error) {
	if r.err != nil {
		return journal.Entry{}, r.err
	}
	var e journal.Entry
	if r.taken == r.header.Entries {
		r.err = r.end()
	} else {
		e, r.err = r.entry()
	}
	return e, r.err
}

func (r *Reader) begin() error {
	whole, err := r.read()
	if _, odd := errors.AsType[*FaultError](err); odd || err == io.EOF {
		return r.fault(Foreign, "")
	}
	if err != nil {
		return err
	}
	var told struct {
		Format  string
		Version int
	}
	if json.Unmarshal(whole, &told) != nil || told.Format != Format && told.Format != SeatFormat || told.Version < 1 {
		return r.fault(Foreign, "")
	}
	if told.Version > Version {
		return r.fault(Newer, number(told.Version))
	}
	var head first
	members := []string{"format", "version", "table", "game", "name", "exported", "norn", "entries"}
	if told.Format == SeatFormat {
		members = append(members, "seat")
	}
	if err := r.parse(whole, &head, members...); err != nil {
		return err
	}
	switch {
	case head.format() != told.Format:
		return r.fault(Value, "seat")
	case head.Entries > MaxEntries:
		return r.fault(TooMany, number(MaxEntries))
	case head.Entries < 1:
		return r.fault(Value, "entries")
	}
	r.header = head.Header
	return nil
}

func (r *Reader) entry() (journal.Entry, error) {
	whole, err := r.need()
	if err != nil {
		return journal.Entry{}, err
	}
	if bytes.HasPrefix(whole, []byte(`{"end"`)) {
		return journal.Entry{}, r.fault(Count, number(r.header.Entries))
	}
	var l line
	if err := r.parse(whole, &l, "seq", "time", "seat", "move", "key", "body"); err != nil {
		return journal.Entry{}, err
	}
	due := r.seq + 1
	if l.Seq < due || l.Seq > due && r.header.Seat == "" {
		return journal.Entry{}, r.fault(Gap, strconv.FormatUint(due, 10))
	}
	r.seq = l.Seq
	r.taken++
	if !bytes.HasPrefix(l.Body, []byte("{")) {
		return journal.Entry{}, r.fault(Value, "body")
	}
	e := journal.Entry{
		Table: r.header.Table,
		Seq:   l.Seq,
		Time:  l.Time,
		Seat:  l.Seat,
		Move:  l.Move,
		Key:   l.Key,
		Body:  l.Body,
	}
	stored, err := journal.Number(r.header.Table, l.Seq-1, []journal.Entry{e})
	if invalid := (*journal.InvalidError)(nil); errors.As(err, &invalid) {
		return journal.Entry{}, r.fault(Value, invalid.Field+" "+invalid.Problem)
	}
	if !stored[0].Time.Equal(l.Time) {
		return journal.Entry{}, r.fault(Value, "time")
	}
	if used := (use{e.Seat, e.Key}); e.Key != "" {
		if r.keys[used] {
			return journal.Entry{}, r.fault(KeyTwice, e.Key)
		}
		r.keys[used] = true
	}
	return stored[0], nil
}

// end reads the last line and checks that nothing follows it.
func (r *Reader) end() error {
	whole, err := r.need()
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(whole, []byte(`{"end"`)) {
		return r.fault(Count, number(r.header.Entries))
	}
	var l last
	if err := r.parse(whole, &l, "end", "entries"); err != nil {
		return err
	}
	if !l.End || l.Entries != r.header.Entries {
		return r.fault(Count, number(r.header.Entries))
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		if err != nil {
			return err
		}
		r.line++
		return r.fault(Trailing, "")
	}
	return io.EOF
}

// need reads a line and reports a truncated file if there is none.
func (r *Reader) need() ([]byte, error) {
	whole, err := r.read()
	if err == io.EOF {
		return nil, r.fault(Truncated, "")
	}
	return whole, err
}

// read reads a line within the limits, without its end. The line is valid until the next call.
func (r *Reader) read() ([]byte, error) {
	r.line++
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.bytes += int64(len(part))
		switch {
		case len(r.buf)+len(part) > MaxLine:
			return nil, r.fault(LongLine, number(MaxLine))
		case r.bytes > MaxBytes:
			return nil, r.fault(TooLarge, number(MaxBytes))
		}
		r.buf = append(r.buf, part...)
		switch {
		case err == nil:
			return r.text(), nil
		case err == io.EOF && len(r.buf) > 0:
			return nil, r.fault(Truncated, "")
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// text returns the current line without what Windows tools add: a byte order mark at the start of
// the file and a carriage return at the end of a line. norn writes neither, and sums don't include
// them.
func (r *Reader) text() []byte {
	text := bytes.TrimSuffix(r.buf[:len(r.buf)-1], []byte("\r"))
	if r.line == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	return text
}

// parse checks a line and its sum and decodes it. members lists the members that it may have, in
// addition to its sum.
func (r *Reader) parse(whole []byte, into any, members ...string) error {
	if !utf8.Valid(whole) {
		return r.fault(UTF8, "")
	}
	if code, detail := look(whole, append(members, "sum")); code != "" {
		return r.fault(code, detail)
	}
	if hasHalfCharacter(whole) {
		return r.fault(UTF8, "")
	}
	text, sum := split(whole)
	if r.chain = r.chain.next(text); sum != string(r.chain) {
		return r.fault(Sum, "")
	}
	if err := json.Unmarshal(whole, into); err != nil {
		wrong := (*json.UnmarshalTypeError)(nil)
		if errors.As(err, &wrong) {
			return r.fault(Value, wrong.Field)
		}
		if parse := (*time.ParseError)(nil); errors.As(err, &parse) {
			return r.fault(Value, "time")
		}
		return r.fault(Syntax, "")
	}
	return nil
}

// hasHalfCharacter reports whether a text of a line has half of a surrogate pair (\ud800 alone).
// JSON allows that as an escape but UTF-8 doesn't, so decoding would change the text.
func hasHalfCharacter(whole []byte) bool {
	for i := 0; i+6 <= len(whole); i++ {
		if whole[i] != '\\' {
			continue
		}
		first := decodeEscape(whole[i:])
		switch {
		case !utf16.IsSurrogate(first):
			i++ // the escaped character may be a backslash
		case utf16.DecodeRune(first, decodeEscape(whole[i+6:])) == utf8.RuneError:
			return true
		default:
			i += 11
		}
	}
	return false
}

// decodeEscape returns the UTF-16 unit of a \u escape at the start of left, or 0 if there is none.
func decodeEscape(left []byte) rune {
	if len(left) < 6 || left[0] != '\\' || left[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(left[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// split splits a line into the text that its sum covers and the sum, or "" if it doesn't end in
// one. In JSON with such an end, the sum is a member of the top-level object.
func split(whole []byte) (text []byte, sum string) {
	const length = len(sumBefore) + 2*sha256.Size + len(sumAfter)
	if len(whole) < length {
		return whole, ""
	}
	text, rest := whole[:len(whole)-length], string(whole[len(whole)-length:])
	rest, before := strings.CutPrefix(rest, sumBefore)
	rest, after := strings.CutSuffix(rest, sumAfter)
	if !before || !after {
		return whole, ""
	}
	return text, rest
}

// look checks a line: one JSON object, not nested too deeply, without repeated members, and with
// only the given members at the top. It returns the code of the first fault and its detail, or "".
func look(whole []byte, members []string) (code, detail string) {
	type level struct {
		names map[string]bool // members of an object; nil for a list
		value bool            // a value must follow
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(whole))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF && len(open) == 0 && d.InputOffset() > 0 {
			return "", ""
		}
		if err != nil {
			return Syntax, ""
		}
		top := len(open) - 1
		if top >= 0 && open[top].names != nil && !open[top].value && token != json.Delim('}') {
			name := token.(string) // the decoder accepts nothing else there
			switch {
			case open[top].names[name]:
				return Twice, name
			case top == 0 && !slices.Contains(members, name):
				return Unknown, name
			}
			open[top].names[name], open[top].value = true, true
			continue
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if len(open) == maxDepth {
				return Depth, number(maxDepth)
			}
			next := level{}
			if token == json.Delim('{') {
				next.names = map[string]bool{}
			}
			open = append(open, next)
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
			top--
		}
		if top < 0 {
			if token != json.Delim('}') || len(bytes.TrimSpace(whole[d.InputOffset():])) > 0 {
				return Syntax, ""
			}
			return "", ""
		}
		open[top].value = false
	}
}

// fault returns an error about the current line.
func (r *Reader) fault(code, detail string) error {
	return &FaultError{Line: r.line, Code: code, Detail: cut(detail)}
}

// cut shortens a detail, which may be very long in a hostile file.
func cut(detail string) string {
	const most = 200
	runes := []rune(detail)
	if len(runes) <= most {
		return detail
	}
	return string(runes[:most]) + "…"
}

func number(n int) string { return strconv.Itoa(n) }
