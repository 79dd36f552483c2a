package form

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Member is one member of a JSON object, as it was sent.
type Member struct {
	Name   []byte
	Quoted []byte // the name with its quotes
	Value  []byte // JSON
}

// Members yields the members of an object in their order, repeated ones too. data must be valid
// JSON, and isn't copied. Other values have no members.
func Members(data []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		p := parser{data: data}
		if p.next() != '{' {
			return
		}
		for p.at++; p.next() != '}'; {
			var m Member
			m.Quoted = p.text()
			m.Name = unquote(m.Quoted)
			p.next()
			p.at++ // the colon
			m.Value = p.readValue()
			if !yield(m) {
				return
			}
			if p.next() == ',' {
				p.at++
			}
		}
	}
}

// unquote returns the content of a quoted text, without copying it if nothing is escaped.
func unquote(source []byte) []byte {
	if bytes.IndexByte(source, '\\') < 0 {
		return source[1 : len(source)-1]
	}
	var text string
	_ = json.Unmarshal(source, &text) // it's known to be valid
	return []byte(text)
}

// Items yields the items of a list in order, as Members does for an object.
func Items(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		p := parser{data: data}
		if p.next() != '[' {
			return
		}
		for p.at++; p.next() != ']'; {
			if !yield(p.readValue()) {
				return
			}
			if p.next() == ',' {
				p.at++
			}
		}
	}
}

// readValue reads one value, however deeply nested, and returns its bytes.
func (p *parser) readValue() []byte {
	p.next()
	start, depth := p.at, 0
	for ; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case '"':
			p.text()
			p.at--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of the object or list around the value
				return p.data[start:p.at]
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return p.data[start:p.at]
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			p.at++
			break
		}
	}
	return p.data[start:p.at]
}
