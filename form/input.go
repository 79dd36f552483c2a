package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// input is a value before its field is known. Values from JSON have a type. Values from an HTML
// form, a command line or a chat are plain: a tree of texts whose dotted names are its branches.
type input struct {
	as   sentAs
	text string // a number or a string
	*parts
}

// parts holds the members, items or texts of a value.
type parts struct {
	texts []string          // plain: all values of one control
	items []*input          // items of a list, or members of an object in their order
	names []string          // of the members
	by    map[string]*input // the members, once there are many
	twice []string          // members given twice
}

// none is shared by all values without parts. It must not be changed.
var none = &parts{}

const (
	few  = 4  // members of most objects
	many = 16 // from here on, names are found by a map
)

type sentAs uint8

const (
	null sentAs = iota
	no
	yes
	number
	quoted
	brokenText // a string with half a surrogate pair
	list
	object
	plain
)

func (as sentAs) parts() *parts {
	if as == list || as == object || as == plain {
		return &parts{}
	}
	return none
}

func (s *input) add(name string, value *input) {
	if s.member(name) != nil {
		s.twice = append(s.twice, name)
		return
	}
	if s.names == nil {
		s.names, s.items = make([]string, 0, few), make([]*input, 0, few)
	}
	s.names, s.items = append(s.names, name), append(s.items, value)
	switch {
	case s.by != nil:
		s.by[name] = value
	case len(s.names) == many:
		s.by = make(map[string]*input, 2*many)
		for i, name := range s.names {
			s.by[name] = s.items[i]
		}
	}
}

// member returns the member of a name, or nil.
func (s *input) member(name string) *input {
	if s.by != nil {
		return s.by[name]
	}
	if at := slices.Index(s.names, name); at >= 0 {
		return s.items[at]
	}
	return nil
}

// rename gives members that were sent by an alias the field's own name, unless that was sent too. It
// returns the names of members that no field has.
func (s *input) rename(fields []Field) (unknown []string) {
	for _, name := range s.unknown(fields) {
		own := NameOf(fields, name)
		if own == name || s.member(own) != nil {
			unknown = append(unknown, name)
			continue
		}
		s.names[slices.Index(s.names, name)] = own
		if s.by != nil {
			s.by[own] = s.by[name]
			delete(s.by, name)
		}
	}
	return unknown
}

// unknown returns the names of members that no field has.
func (s *input) unknown(fields []Field) (names []string) {
	known := 0
	for i := range fields {
		if s.member(fields[i].Name) != nil {
			known++
		}
	}
	if known == len(s.names) { // as nearly always
		return nil
	}
	for _, name := range s.names {
		if indexOf(fields, name) < 0 {
			names = append(names, name)
		}
	}
	return names
}

// display returns the value as a message shows it.
func (s *input) display() string {
	switch s.as {
	case null:
		return "null"
	case no:
		return "false"
	case yes:
		return "true"
	case number:
		return quote(s.text)
	case quoted, brokenText:
		return `"` + quote(s.text) + `"`
	case list:
		return "[…]"
	case plain:
		if len(s.texts) > 0 {
			return `"` + quote(strings.Join(s.texts, ", ")) + `"`
		}
	}
	return "{…}"
}

// parse reads JSON into a tree. A problem found here is one of the whole.
func parse(data []byte) (*input, *Problem) {
	if !utf8.Valid(data) {
		return nil, &Problem{Code: UTF8}
	}
	if !json.Valid(data) {
		at := int64(len(data))
		var whole json.RawMessage
		if syntax := (*json.SyntaxError)(nil); errors.As(json.Unmarshal(data, &whole), &syntax) {
			at = syntax.Offset
		}
		return nil, &Problem{Code: Syntax, Given: strconv.FormatInt(at, 10)}
	}
	p := parser{data: data, texts: string(data), more: 1}
	value := p.value(0)
	if value == nil {
		return nil, &Problem{Code: Syntax, Given: strconv.Itoa(p.at)}
	}
	return value, nil
}

// parser reads JSON that is known to be valid.
type parser struct {
	data  []byte
	texts string // the input as a string, of which texts are substrings: nearly all are soon garbage
	at    int
	spare []input // allocated in batches
	more  int     // size of the next batch
}

// newInput allocates a value. The first is part of the parser, because there is often only one.
func (p *parser) newInput(as sentAs, text string) *input {
	if len(p.spare) == 0 {
		p.spare = make([]input, p.more)
		p.more = 4
	}
	s := &p.spare[0]
	p.spare = p.spare[1:]
	s.as, s.text, s.parts = as, text, as.parts()
	return s
}

// next skips spaces and returns the next byte.
func (p *parser) next() byte {
	for p.data[p.at] <= ' ' {
		p.at++
	}
	return p.data[p.at]
}

// value reads one value. It returns nil if the value is nested too deeply.
func (p *parser) value(depth int) *input {
	begin := p.next()
	if depth > maxDepth {
		p.at++ // the problem names the byte after it
		return nil
	}
	switch begin {
	case '{':
		return p.object(depth)
	case '[':
		return p.list(depth)
	case '"':
		text, broken := p.readQuoted()
		if broken {
			return p.newInput(brokenText, text)
		}
		return p.newInput(quoted, text)
	}
	start := p.at
	for p.at < len(p.data) && !strings.ContainsRune(",]} \t\r\n", rune(p.data[p.at])) {
		p.at++
	}
	switch begin {
	case 't':
		return p.newInput(yes, "")
	case 'f':
		return p.newInput(no, "")
	case 'n':
		return p.newInput(null, "")
	}
	return p.newInput(number, p.texts[start:p.at])
}

func (p *parser) list(depth int) *input {
	s := p.newInput(list, "")
	for p.at++; p.next() != ']'; {
		item := p.value(depth + 1)
		if item == nil {
			return nil
		}
		s.items = append(s.items, item)
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return s
}

func (p *parser) object(depth int) *input {
	s := p.newInput(object, "")
	for p.at++; p.next() != '}'; {
		name, _ := p.readQuoted()
		p.next()
		p.at++ // the colon
		member := p.value(depth + 1)
		if member == nil {
			return nil
		}
		s.add(name, member)
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return s
}

// text reads a quoted text and returns it with its quotes.
func (p *parser) text() []byte {
	start := p.at
	for p.at++; ; {
		p.at += bytes.IndexByte(p.data[p.at:], '"') + 1
		before := p.data[start : p.at-1]
		if escapes := len(before) - len(bytes.TrimRight(before, `\`)); escapes%2 == 0 {
			return p.data[start:p.at]
		}
	}
}

// readQuoted reads a quoted text. It reports a broken text, as unescape does.
func (p *parser) readQuoted() (text string, broken bool) {
	start := p.at
	source := p.text()
	if bytes.IndexByte(source, '\\') < 0 {
		return p.texts[start+1 : p.at-1], false
	}
	return unescape(source)
}

// unescape returns the content of a valid quoted text. It reports a broken text if the decoder put in
// a replacement character that the source doesn't have: for \ud800 alone.
func unescape(source []byte) (text string, broken bool) {
	_ = json.Unmarshal(source, &text) // it's known to be valid
	n := strings.Count(text, "\uFFFD")
	return text, n > 0 && n > bytes.Count(source, []byte("\uFFFD"))+bytes.Count(bytes.ToLower(source), []byte(`\ufffd`))
}

// treeOf builds a tree of texts with dotted names.
func treeOf(values map[string][]string) *input {
	root := &input{as: plain, parts: &parts{}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		node := root
		for _, part := range strings.SplitN(name, ".", maxDepth) {
			child := node.member(part)
			if child == nil {
				child = &input{as: plain, parts: &parts{}}
				node.add(part, child)
			}
			node = child
		}
		node.texts = append(node.texts, values[name]...)
	}
	return root
}
