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

// sent is a value as it came in, before anybody knows what it should be. What comes as JSON has a type; what comes
// from an HTML form, a command line or a chat is plain, a tree of texts whose dotted names are its branches.
type sent struct {
	as    sentAs
	text  string           // a number or a string
	texts []string         // plain: the values of one control
	items []*sent          // a list
	names []string         // an object's members, in the order they came
	by    map[string]*sent // the same by name
	twice []string         // members given twice
}

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

func (s *sent) add(name string, value *sent) {
	if s.by == nil {
		s.by = map[string]*sent{}
	}
	if _, known := s.by[name]; known {
		s.twice = append(s.twice, name)
		return
	}
	s.names = append(s.names, name)
	s.by[name] = value
}

// shown is the value as a message shows it.
func (s *sent) shown() string {
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
func parse(data []byte) (*sent, *Problem) {
	if !utf8.Valid(data) {
		return nil, &Problem{Code: UTF8}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		at := int64(len(data))
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return nil, &Problem{Code: Syntax, Given: strconv.FormatInt(at, 10)}
	}
	p := parser{data: data, tokens: json.NewDecoder(bytes.NewReader(data))}
	p.tokens.UseNumber()
	value := p.value(0)
	if value == nil {
		return nil, &Problem{Code: Syntax, Given: strconv.FormatInt(p.tokens.InputOffset(), 10)}
	}
	return value, nil
}

type parser struct {
	data   []byte
	tokens *json.Decoder
}

// value reads one value of JSON that is known to be right; it is nil where the value is nested too deeply.
func (p *parser) value(depth int) *sent {
	start := p.tokens.InputOffset()
	token, err := p.tokens.Token()
	if err != nil || depth > maxDepth {
		return nil
	}
	switch token := token.(type) {
	case bool:
		if token {
			return &sent{as: yes}
		}
		return &sent{as: no}
	case json.Number:
		return &sent{as: number, text: token.String()}
	case string:
		if p.broken(token, start) {
			return &sent{as: brokenText, text: token}
		}
		return &sent{as: quoted, text: token}
	case json.Delim:
		if token == '[' {
			return p.list(depth)
		}
		return p.object(depth)
	}
	return &sent{as: null}
}

func (p *parser) list(depth int) *sent {
	s := &sent{as: list}
	for p.tokens.More() {
		item := p.value(depth + 1)
		if item == nil {
			return nil
		}
		s.items = append(s.items, item)
	}
	_, _ = p.tokens.Token() // the closing bracket, which is there: the whole is known to be JSON
	return s
}

func (p *parser) object(depth int) *sent {
	s := &sent{as: object}
	for p.tokens.More() {
		name, err := p.tokens.Token()
		if err != nil {
			return nil
		}
		member := p.value(depth + 1)
		if member == nil {
			return nil
		}
		s.add(name.(string), member)
	}
	_, _ = p.tokens.Token()
	return s
}

// broken reports whether the decoder put a replacement character where the source has none: for \ud800 alone.
func (p *parser) broken(text string, start int64) bool {
	n := strings.Count(text, "\uFFFD")
	if n == 0 {
		return false
	}
	source := p.data[start:p.tokens.InputOffset()]
	return n > bytes.Count(source, []byte("\uFFFD"))+bytes.Count(bytes.ToLower(source), []byte(`\ufffd`))
}

// treeOf hangs texts with dotted names into a tree.
func treeOf(values map[string][]string) *sent {
	root := &sent{as: plain}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		node := root
		for _, part := range strings.SplitN(name, ".", maxDepth) {
			child := node.by[part]
			if child == nil {
				child = &sent{as: plain}
				node.add(part, child)
			}
			node = child
		}
		node.texts = append(node.texts, values[name]...)
	}
	return root
}
