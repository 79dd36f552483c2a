package form

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// check walks the form and the input in parallel, writes what is right and collects problems.
type check struct {
	problems Problems
	unsent   bool     // fields that weren't sent are off or empty, as in an HTML form
	beside   []string // top-level names that don't belong to the form
}

func (c *check) problem(p Problem) {
	if len(c.problems) < maxFound {
		c.problems = append(c.problems, p)
	}
}

func (c *check) wrongType(f *Field, s *input, path string) {
	c.problem(Problem{Path: path, Code: Type, Given: s.display(), Allowed: []string{string(f.Kind.JSONKind())}})
}

func (c *check) group(f *Field, s *input, path string, into reflect.Value) {
	c.fields(f.Fields, s, path, into)
}

func (c *check) fields(fields []Field, s *input, path string, holder reflect.Value) {
	if s.as != object && (s.as != plain || s.texts != nil) {
		c.wrongType(&Field{Kind: KindGroup}, s, path)
		return
	}
	unknown := s.rename(fields)
	for i := range fields {
		field := &fields[i]
		c.field(field, s.member(field.Name), join(path, field.Name), field.in(holder))
	}
	for i := range fields {
		if field := &fields[i]; field.For != nil {
			c.findUnneeded(fields, field, s.member(field.Name), join(path, field.Name), holder)
		}
	}
	for _, name := range s.twice {
		c.problem(Problem{Path: join(path, quote(name)), Code: Duplicate, Given: quote(name)})
	}
	for _, name := range unknown {
		if path != "" || !slices.Contains(c.beside, name) {
			c.unknown(join(path, quote(name)), name, fields)
		}
	}
}

// findUnneeded reports texts that would be lost, because no chosen option uses them.
func (c *check) findUnneeded(fields []Field, f *Field, s *input, path string, holder reflect.Value) {
	if s == nil {
		return
	}
	at := indexOf(fields, f.For.Field)
	given := fmt.Sprint(f.in(holder))
	if at < 0 || given == "" || given == fmt.Sprint(f.Default) {
		return
	}
	takes := false
	switch by := fields[at].in(holder); {
	case by.Kind() == reflect.Bool:
		takes = by.Bool()
	case f.For.Values == nil:
		takes = !by.IsZero()
	default:
		takes = slices.Contains(f.For.Values, by.String())
	}
	if !takes {
		c.problem(Problem{Path: path, Code: Unneeded, Given: quote(given), Allowed: []string{f.For.Field}})
	}
}

func (c *check) unknown(path, name string, fields []Field) {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	c.problem(Problem{Path: path, Code: Unknown, Given: quote(name), Allowed: names})
}

func (c *check) field(f *Field, s *input, path string, into reflect.Value) {
	if s == nil || s.as == null {
		c.missing(f, path, into)
		return
	}
	if s.as == plain && !f.Kind.HasFields() {
		for _, name := range s.names {
			c.unknown(join(path, quote(name)), name, nil)
		}
		if len(s.texts) == 0 {
			c.missing(f, path, into)
			return
		}
	}
	kinds[f.Kind].check(c, f, s, path, into)
}

// missing gives the field its default. A group that is missing is one whose fields are all missing.
func (c *check) missing(f *Field, path string, into reflect.Value) {
	value := f.Default
	if c.unsent && f.Kind.is(ticked) {
		value = nil
	}
	switch {
	case f.Kind == KindGroup:
		c.group(f, &input{as: object, parts: none}, path, into)
	case f.Required && isEmpty(value):
		c.problem(Problem{Path: path, Code: Missing, Chosen: f.isChosen()})
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

// one returns the single text of a control or a JSON string, cleaned. It returns false if there is
// a problem.
func (c *check) one(f *Field, s *input, path string) (string, bool) {
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
	text = clean(text)
	if o := f.option(text); o != nil {
		text = o.Value // the option's own string, so that the input can be freed
	}
	return text, true
}

func (c *check) int(f *Field, s *input, path string, into reflect.Value) {
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

func (c *check) bool(f *Field, s *input, path string, into reflect.Value) {
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

func (c *check) choice(f *Field, s *input, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	allowed := f.allows(text)
	if !allowed && text != "" {
		at := slices.IndexFunc(f.Options, func(o Option) bool { return o.Alias == text })
		if allowed = at >= 0; allowed {
			text = f.Options[at].Value
		}
	}
	switch {
	case !ok:
	case text == "" && (f.Required || s.as == plain && !allowed):
		c.missing(f, path, into)
	case !allowed:
		c.problem(Problem{Path: path, Code: NoChoice, Given: quote(text), Allowed: f.values()})
	default:
		into.SetString(text)
	}
}

func (c *check) text(f *Field, s *input, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	switch n := utf8.RuneCountInString(text); {
	case !ok:
	case text == "" && f.Required:
		c.problem(Problem{Path: path, Code: Missing})
	case !c.readable(text, f.Kind == KindProse, path):
	case f.Required && utf8.ValidString(text) && !visible(text):
		c.problem(Problem{Path: path, Code: Missing})
	case n > f.Max:
		c.problem(Problem{Path: path, Code: TooLong, Max: f.Max, Given: strconv.Itoa(n)})
	case n > 0 && n < f.Min:
		c.problem(Problem{Path: path, Code: TooShort, Min: f.Min, Given: strconv.Itoa(n)})
	case s.as == plain:
		into.SetString(f.NormalizeText(text))
	default:
		into.SetString(text)
	}
}

func (c *check) trait(f *Field, s *input, path string, into reflect.Value) {
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
		c.problem(Problem{Path: path, Code: Missing, Chosen: f.isChosen()})
	case trait.Name() != "" && !f.Open && !f.allows(trait.Name()):
		c.problem(Problem{Path: path, Code: NoChoice, Given: quote(trait.Name()), Allowed: f.values()})
	default:
		into.SetString(string(trait))
	}
}

func (c *check) ref(f *Field, s *input, path string, into reflect.Value) {
	text, ok := c.one(f, s, path)
	switch {
	case !ok:
	case text == "" && f.Required:
		c.problem(Problem{Path: path, Code: Missing, Chosen: f.isChosen()})
	case text == "" || c.id(f, text, path):
		into.SetString(text)
	}
}

// name checks a text without limits in the tag: a trait's name or an id.
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
		c.wrongType(&Field{Kind: KindRef}, &input{as: quoted, text: text, parts: none}, path)
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

// forbidden reports control characters and marks that change the direction of the text after them.
func forbidden(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// visible reports whether a text shows anything. Marks of direction, joiners, variation selectors
// and fillers alone show nothing.
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Co) &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
			r != '\u2800' &&
			r != '\U0001D159' // a Braille pattern without a dot; a note without a head
	})
}

var oneLineEnd = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t", " ")

// clean normalizes a text, however it was sent.
func clean(text string) string {
	if strings.ContainsAny(text, "\r\t\u2028\u2029") {
		text = oneLineEnd.Replace(text) // Replace allocates even if it changes nothing
	}
	return strings.TrimSpace(text)
}

func setInt(into reflect.Value, n int) {
	if into.Type() == numberType {
		into.Set(reflect.ValueOf(NewNumber(n)))
		return
	}
	if into.CanUint() {
		into.SetUint(uint64(n))
		return
	}
	into.SetInt(int64(n))
}
