package form

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Decode reads strict JSON into the struct that into points to, which must be of the form's type; else it panics.
//
// Refused are unknown and repeated members, other types than the field's, numbers with a point or an exponent where a
// whole number is wanted (1.0, 1e0), what is out of range, too long or no choice, control characters, and what isn't
// UTF-8. What is missing or null has its default. The error is Problems; then into is as it was.
func (f *Form) Decode(data []byte, into any) error {
	return f.write(into, func(c *check, holder reflect.Value) {
		root, problem := parse(data)
		if problem != nil {
			c.problems = Problems{*problem}
			return
		}
		c.group(f.Fields, root, "", holder)
	})
}

// Values reads what a plain HTML form sends: dotted names ("skills.0.name"), "on" for a box that is ticked, several
// values for refs, faces as "3 10 1". A box that wasn't sent is off, a list that wasn't sent is empty, an empty number
// or choice has its default. Numbers of list items may have gaps; items in which every text is empty or as it was
// offered are dropped. Beside are names of other controls on the page, which are no part of the form.
// The error is Problems; then into is as it was.
func (f *Form) Values(values url.Values, into any, beside ...string) error {
	return f.write(into, func(c *check, holder reflect.Value) {
		c.unsent, c.beside = true, beside
		c.group(f.Fields, treeOf(values), "", holder)
	})
}

// Texts reads one text for each field, from a command line or a chat: names as for Values, a bool or a trait as true,
// false, yes, no or "" for no, refs and faces with commas or spaces. What is missing has its default.
// The error is Problems; then into is as it was.
func (f *Form) Texts(texts map[string]string, into any) error {
	values := make(map[string][]string, len(texts))
	for name, text := range texts {
		values[name] = []string{text}
	}
	return f.write(into, func(c *check, holder reflect.Value) {
		c.group(f.Fields, treeOf(values), "", holder)
	})
}

// Defaults writes every field's default, and nothing for a required field without one.
func (f *Form) Defaults(into any) {
	setDefaults(f.Fields, f.pointed(into))
}

func setDefaults(fields []Field, holder reflect.Value) {
	for i := range fields {
		field := &fields[i]
		if field.Kind == KindGroup {
			setDefaults(field.Fields, field.in(holder))
			continue
		}
		put(field, field.Default, field.in(holder))
	}
}

// write lets read fill a copy and takes it over only when there is no problem.
func (f *Form) write(into any, read func(*check, reflect.Value)) error {
	target := f.pointed(into)
	scratch := reflect.New(f.typ).Elem()
	scratch.Set(target)
	var c check
	read(&c, scratch)
	if len(c.problems) > 0 {
		return c.problems
	}
	target.Set(scratch)
	return nil
}

func (f *Form) pointed(into any) reflect.Value {
	value := reflect.ValueOf(into)
	if value.Kind() != reflect.Pointer || value.Type().Elem() != f.typ || value.IsNil() {
		panic(fmt.Sprintf("form: want a *%s, got %T", f.typ, into))
	}
	return value.Elem()
}

// check goes through the form and what was sent side by side, writes what is right and collects what isn't.
type check struct {
	problems Problems
	unsent   bool     // what wasn't sent is off or empty, as in an HTML form
	beside   []string // names at the top that are none of ours
}

func (c *check) problem(p Problem) {
	if len(c.problems) < maxFound {
		c.problems = append(c.problems, p)
	}
}

func (c *check) wrongType(f *Field, s *sent, path string) {
	kind := f.Kind
	if kind == KindChoice || kind == KindProse {
		kind = KindText
	}
	c.problem(Problem{Path: path, Code: Type, Given: s.shown(), Allowed: []string{string(kind)}})
}

func (c *check) group(fields []Field, s *sent, path string, holder reflect.Value) {
	if s.as != object && (s.as != plain || s.texts != nil) {
		c.wrongType(&Field{Kind: KindGroup}, s, path)
		return
	}
	for i := range fields {
		field := &fields[i]
		c.field(field, s.by[field.Name], join(path, field.Name), field.in(holder))
	}
	for _, name := range s.twice {
		c.problem(Problem{Path: join(path, quote(name)), Code: Duplicate, Given: quote(name)})
	}
	for _, name := range s.names {
		if indexOf(fields, name) < 0 && (path != "" || !slices.Contains(c.beside, name)) {
			c.unknown(join(path, quote(name)), name, fields)
		}
	}
}

func (c *check) unknown(path, name string, fields []Field) {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	c.problem(Problem{Path: path, Code: Unknown, Given: quote(name), Allowed: names})
}

func (c *check) field(f *Field, s *sent, path string, into reflect.Value) {
	if s == nil || s.as == null {
		c.missing(f, path, into)
		return
	}
	switch f.Kind {
	case KindGroup:
		c.group(f.Fields, s, path, into)
		return
	case KindList:
		c.list(f, s, path, into)
		return
	}
	if s.as == plain {
		for _, name := range s.names {
			c.unknown(join(path, quote(name)), name, nil)
		}
		if len(s.texts) == 0 {
			c.missing(f, path, into)
			return
		}
	}
	switch f.Kind {
	case KindInt:
		c.int(f, s, path, into)
	case KindBool:
		c.bool(f, s, path, into)
	case KindChoice:
		c.choice(f, s, path, into)
	case KindText, KindProse:
		c.text(f, s, path, into)
	case KindTrait:
		c.trait(f, s, path, into)
	case KindRef:
		c.ref(f, s, path, into)
	case KindRefs:
		c.refs(f, s, path, into)
	case KindFaces:
		c.faces(f, s, path, into)
	}
}

// missing gives the field its default. A group that is missing is one whose fields are all missing.
func (c *check) missing(f *Field, path string, into reflect.Value) {
	value := f.Default
	if c.unsent {
		switch f.Kind {
		case KindBool, KindTrait, KindRefs, KindList:
			value = nil
		}
	}
	switch {
	case f.Kind == KindGroup:
		c.group(f.Fields, &sent{as: object}, path, into)
	case f.Required && isEmpty(value):
		c.problem(Problem{Path: path, Code: Missing})
	default:
		put(f, value, into)
	}
}

func isEmpty(value any) bool {
	if value == nil {
		return true
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String, reflect.Slice:
		return v.Len() == 0
	}
	return false
}

// one is the one text of a control or a JSON string, cleaned; false means that a problem was found.
func (c *check) one(f *Field, s *sent, path string) (string, bool) {
	var text string
	switch {
	case s.as == brokenText:
		c.problem(Problem{Path: path, Code: UTF8})
		return "", false
	case s.as == quoted:
		text = s.text
	case s.as == plain && len(s.texts) == 1:
		text = s.texts[0]
	case s.as == plain:
		c.problem(Problem{Path: path, Code: Duplicate, Given: quote(strings.Join(s.texts, ", "))})
		return "", false
	default:
		c.wrongType(f, s, path)
		return "", false
	}
	if !utf8.ValidString(text) {
		c.problem(Problem{Path: path, Code: UTF8})
		return "", false
	}
	return clean(text), true
}

func (c *check) int(f *Field, s *sent, path string, into reflect.Value) {
	text := s.text
	if s.as != number {
		if s.as != plain {
			c.wrongType(f, s, path)
			return
		}
		one, ok := c.one(f, s, path)
		if !ok {
			return
		}
		if text = one; text == "" {
			c.missing(f, path, into)
			return
		}
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		c.wrongType(f, s, path)
	case err != nil || n < f.Min || n > f.Max:
		c.problem(Problem{Path: path, Code: Range, Min: f.Min, Max: f.Max, Given: quote(text)})
	default:
		setInt(into, n)
	}
}

func (c *check) bool(f *Field, s *sent, path string, into reflect.Value) {
	switch s.as {
	case yes, no:
		into.SetBool(s.as == yes)
		return
	case plain:
		switch clean(s.texts[len(s.texts)-1]) { // a page may send a hidden "off" before the box
		case "", "false", "no", "off", "0":
			into.SetBool(false)
			return
		case "true", "yes", "on", "1":
			into.SetBool(true)
			return
		}
	}
	c.wrongType(f, s, path)
}

func (c *check) choice(f *Field, s *sent, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	for _, o := range f.Options {
		if text != "" && text == o.Alias {
			text = o.Value
		}
	}
	switch {
	case !ok:
	case text == "" && (f.Required || s.as == plain && !f.allows("")):
		c.missing(f, path, into)
	case !f.allows(text):
		c.problem(Problem{Path: path, Code: NoChoice, Given: quote(text), Allowed: f.values()})
	default:
		into.SetString(text)
	}
}

func (c *check) text(f *Field, s *sent, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	switch n := utf8.RuneCountInString(text); {
	case !ok:
	case text == "" && f.Required:
		c.problem(Problem{Path: path, Code: Missing})
	case !c.readable(text, f.Kind == KindProse, path):
	case n > f.Max:
		c.problem(Problem{Path: path, Code: TooLong, Max: f.Max, Given: strconv.Itoa(n)})
	case n > 0 && n < f.Min:
		c.problem(Problem{Path: path, Code: TooShort, Min: f.Min, Given: strconv.Itoa(n)})
	default:
		into.SetString(text)
	}
}

func (c *check) trait(f *Field, s *sent, path string, into reflect.Value) {
	var trait Trait
	switch s.as {
	case yes:
		trait = Yes
	case no:
	default:
		text, ok := c.one(f, s, path)
		if !ok || !c.name(text, path) {
			return
		}
		trait = traitOf(text)
	}
	switch {
	case trait == "" && f.Required:
		c.problem(Problem{Path: path, Code: Missing})
	case trait.Name() != "" && !f.Open && !f.allows(trait.Name()):
		c.problem(Problem{Path: path, Code: NoChoice, Given: quote(trait.Name()), Allowed: f.values()})
	default:
		into.SetString(string(trait))
	}
}

func (c *check) ref(f *Field, s *sent, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	switch {
	case !ok:
	case text == "" && f.Required:
		c.problem(Problem{Path: path, Code: Missing})
	case text == "" || c.id(f, text, path):
		into.SetString(text)
	}
}

func (c *check) refs(f *Field, s *sent, path string, into reflect.Value) {
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

func (c *check) faces(f *Field, s *sent, path string, into reflect.Value) {
	var items []*sent
	switch s.as {
	case list:
		items = s.items
	case plain:
		for _, text := range split(s.texts) {
			if text == "00" { // as percentile dice show their highest face
				text = "100"
			}
			items = append(items, &sent{as: plain, texts: []string{text}})
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

func (c *check) list(f *Field, s *sent, path string, into reflect.Value) {
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
			} else if !untouched(f.Fields, s.by[name]) {
				places = append(places, name)
			}
		}
		slices.SortFunc(places, byNumber)
		for _, name := range places {
			items = append(items, s.by[name])
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
		c.group(f.Fields, item, join(path, places[i]), values.Index(i))
	}
	into.Set(values)
}

// untouched reports whether an item of a plain form says nothing: every text is empty or as it was offered.
func untouched(fields []Field, s *sent) bool {
	for _, name := range s.names {
		part, at := s.by[name], indexOf(fields, name)
		if at < 0 {
			return false
		}
		field := &fields[at]
		offered := url.Values{}
		if field.Kind != KindGroup {
			inputs(offered, field, "", field.Default)
		}
		for _, text := range part.texts {
			if text = strings.TrimSpace(text); text != "" && text != offered.Get("") {
				return false
			}
		}
		switch field.Kind {
		case KindGroup:
			if !untouched(field.Fields, part) {
				return false
			}
		case KindList:
			for _, index := range part.names {
				if !untouched(field.Fields, part.by[index]) {
					return false
				}
			}
		default:
			if len(part.names) > 0 {
				return false
			}
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

// count checks how many items there are.
func (c *check) count(f *Field, n int, path string) bool {
	switch {
	case n > f.Max:
		c.problem(Problem{Path: path, Code: TooMany, Max: f.Max, Given: strconv.Itoa(n)})
	case n == 0 && f.Required:
		c.problem(Problem{Path: path, Code: Missing})
	case n > 0 && n < f.Min:
		c.problem(Problem{Path: path, Code: TooFew, Min: f.Min, Given: strconv.Itoa(n)})
	default:
		return true
	}
	return false
}

// name checks what isn't counted by a tag: a trait's name, an id.
func (c *check) name(text, path string) bool {
	if n := utf8.RuneCountInString(text); n > MaxText {
		c.problem(Problem{Path: path, Code: TooLong, Max: MaxText, Given: strconv.Itoa(n)})
		return false
	}
	return c.readable(text, false, path)
}

func (c *check) id(f *Field, text, path string) bool {
	switch {
	case !c.name(text, path):
	case text == "" || strings.ContainsAny(text, ", \n"):
		c.wrongType(&Field{Kind: KindRef}, &sent{as: quoted, text: text}, path)
	case !f.allows(text):
		c.problem(Problem{Path: path, Code: NoChoice, Given: quote(text), Allowed: f.values()})
	default:
		return true
	}
	return false
}

func (c *check) readable(text string, lines bool, path string) bool {
	for _, r := range text {
		if forbidden(r) && (r != '\n' || !lines) {
			c.problem(Problem{Path: path, Code: Control})
			return false
		}
	}
	return true
}

// forbidden are control characters and the marks that turn the direction of the text after them.
func forbidden(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

var oneLineEnd = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t", " ")

// clean gives a text the one form in which it is kept, whichever way it came.
func clean(text string) string { return strings.TrimSpace(oneLineEnd.Replace(text)) }

// split takes texts apart at commas and white space.
func split(texts []string) []string {
	var parts []string
	for _, text := range texts {
		parts = append(parts, strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })...)
	}
	return parts
}

func setInt(into reflect.Value, n int) {
	if into.CanUint() {
		into.SetUint(uint64(n))
		return
	}
	into.SetInt(int64(n))
}
