package form

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"norn/dice"
)

func (c *check) refs(f *Field, s *input, path string, into reflect.Value) {
	var refs []Ref
	before := len(c.problems)
	add := func(i int, text string) {
		at := join(path, strconv.Itoa(i))
		if !c.id(f, text, at) {
			return
		}
		if slices.Contains(refs, Ref(text)) {
			c.problem(Problem{Path: at, Code: Duplicate, Given: quote(text)})
			return
		}
		refs = append(refs, Ref(text))
	}
	switch s.as {
	case list:
		if !c.count(f, len(s.items), path) {
			return
		}
		for i, item := range s.items {
			if text, ok := c.one(&Field{Kind: KindRef}, item, join(path, strconv.Itoa(i))); ok {
				add(i, text)
			}
		}
	case plain:
		texts := split(s.texts)
		if !c.count(f, len(texts), path) {
			return
		}
		for i, text := range texts {
			add(i, text)
		}
	default:
		c.wrongType(f, s, path)
	}
	if len(c.problems) == before {
		into.Set(reflect.ValueOf(refs))
	}
}

func (c *check) faces(f *Field, s *input, path string, into reflect.Value) {
	var items []*input
	switch s.as {
	case list:
		items = s.items
	case plain:
		for _, text := range split(s.texts) {
			if text == "00" { // as percentile dice show their highest face
				text = "100"
			}
			items = append(items, &input{as: plain, parts: &parts{texts: []string{text}}})
		}
	default:
		c.wrongType(f, s, path)
		return
	}
	if !c.count(f, len(items), path) {
		return
	}
	before := len(c.problems)
	face := &Field{Kind: KindInt, Max: MaxFace}
	faces := make(Faces, len(items))
	for i, item := range items {
		text := item.text
		if item.as == plain {
			text = item.texts[0]
		}
		if total, ok := dice.ParseTotal(text); ok && (item.as == plain || item.as == quoted) {
			faces[i] = total
			continue
		}
		if sign, ok := dice.ParseFateFace(text); ok && (item.as == plain || item.as == quoted || item.as == number) {
			faces[i] = sign
			continue
		}
		c.int(face, item, join(path, strconv.Itoa(i)), reflect.ValueOf(&faces[i]).Elem())
	}
	if len(c.problems) > before {
		return
	}
	if len(faces) == 0 {
		faces = nil
	}
	into.Set(reflect.ValueOf(faces))
}

func (c *check) list(f *Field, s *input, path string, into reflect.Value) {
	items, places := s.items, []string(nil)
	switch {
	case s.as == list:
		for i := range items {
			places = append(places, strconv.Itoa(i))
		}
	case s.as == plain && s.texts == nil:
		items = nil
		for _, name := range s.names {
			if !isIndex(name) {
				c.unknown(join(path, quote(name)), name, f.Fields)
			} else if !isBlank(f.Fields, s.member(name)) {
				places = append(places, name)
			}
		}
		slices.SortFunc(places, byNumber)
		for _, name := range places {
			items = append(items, s.member(name))
		}
	default:
		c.wrongType(f, s, path)
		return
	}
	if !c.count(f, len(items), path) {
		return
	}
	if len(items) == 0 {
		into.SetZero()
		return
	}
	values := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		if item.as == quoted && len(f.Fields) == 1 { // an item with a single field may be given as that field's value
			of := &input{as: object, parts: &parts{}}
			of.add(f.Fields[0].Name, item)
			item = of
		}
		c.group(f, item, join(path, places[i]), values.Index(i))
	}
	into.Set(values)
}

// isBlank reports whether an item of a plain form has no content: every text is empty or unchanged
// from what was offered.
func isBlank(fields []Field, s *input) bool {
	for _, name := range s.names {
		part, at := s.member(name), indexOf(fields, name)
		if at < 0 {
			return false
		}
		field := &fields[at]
		offered := url.Values{}
		if field.Kind != KindGroup {
			inputs(offered, field, "", field.Default)
		}
		for _, text := range part.texts {
			if text = strings.TrimSpace(text); text != "" && field.NormalizeText(text) != offered.Get("") {
				return false
			}
		}
		inner := part.items // of a list
		if field.Kind == KindGroup {
			inner = []*input{part}
		}
		if slices.ContainsFunc(inner, func(one *input) bool { return !isBlank(field.Fields, one) }) {
			return false
		}
	}
	return len(s.texts) == 0
}

func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// count checks the number of items.
func (c *check) count(f *Field, n int, path string) bool {
	switch {
	case n > f.Max:
		c.problem(Problem{Path: path, Code: TooMany, Max: f.Max, Given: strconv.Itoa(n)})
	case n == 0 && f.Required:
		c.problem(Problem{Path: path, Code: Missing, Chosen: f.isChosen()})
	case n > 0 && n < f.Min:
		c.problem(Problem{Path: path, Code: TooFew, Min: f.Min, Given: strconv.Itoa(n)})
	default:
		return true
	}
	return false
}

// split splits texts at commas and white space.
func split(texts []string) []string {
	var parts []string
	for _, text := range texts {
		parts = append(parts, strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })...)
	}
	return parts
}
