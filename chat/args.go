package chat

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/form"
)

// args reads the values of a form.
func (b *Book) args(c *Command, line string, ts []token) error {
	r := b.reader(c.Form, line, ts)
	if !r.onlyText() {
		if err := r.read(); err != nil {
			return err
		}
	}
	data, err := json.Marshal(joinItems(r.levels[0].into))
	c.Args, c.Given = data, r.given
	return err
}

// items are the items of a list, by the numbers that people gave them.
type items map[int]map[string]any

// picked are the values of a list whose items are one choice each, with the name of that choice.
type picked struct {
	name   string
	values []string
}

// isSeveral reports whether a field takes several options, one after another.
func isSeveral(f form.Field) bool {
	_, ok := f.PickedFrom()
	return ok || f.Kind == form.KindRefs
}

// chosenFrom returns the field with the options of a list whose items are one choice each, and any
// other field unchanged.
func chosenFrom(f form.Field) form.Field {
	if from, ok := f.PickedFrom(); ok {
		return from
	}
	return f
}

// joinItems turns items into lists.
func joinItems(values map[string]any) map[string]any {
	for name, value := range values {
		switch value := value.(type) {
		case map[string]any:
			joinItems(value)
		case picked:
			list := make([]any, len(value.values))
			for i, one := range value.values {
				list[i] = map[string]any{value.name: one}
			}
			values[name] = list
		case items:
			list := []any{}
			for n := 1; len(list) < len(value); n++ {
				if item, there := value[n]; there {
					list = append(list, joinItems(item))
				}
			}
			values[name] = list
		}
	}
	return values
}

// level is a struct that is being filled: of the form, or of a group or an item in it.
type level struct {
	fields []form.Field
	into   map[string]any
	name   string // precedes its fields in what the reader is shown
}

// reader reads the tokens of a form's values.
type reader struct {
	*Book
	line   string
	ts     []token
	i      int
	levels []level // the form's first
	given  []string

	known knowledge

	last    form.Field // the last named field, for values that follow
	lastEnd int        // index of the token after its name
}

func (b *Book) reader(f *form.Form, line string, ts []token) *reader {
	return &reader{Book: b, line: line, ts: ts, levels: []level{{fields: f.Fields, into: map[string]any{}}}}
}

// read reads all tokens. After an error the reader is at the token that caused it.
func (r *reader) read() error {
	for r.i < len(r.ts) {
		if r.ts[r.i].kind == comma {
			r.i++
			continue
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// onlyText reads everything as the value of the form's single text field.
func (r *reader) onlyText() bool {
	fields := r.levels[0].fields
	if len(fields) != 1 || len(r.ts) == 0 || r.ts[0].kind != word || !fields[0].Kind.IsText() {
		return false
	}
	if _, n := r.fields(fields).longestRun(r.ts, 0); n > 0 && n < len(r.ts) && r.ts[n].kind == colon {
		return false
	}
	text := strings.TrimSpace(r.line[r.ts[0].at:r.ts[len(r.ts)-1].end])
	r.levels[0].into[fields[0].Name] = text
	r.say(fields[0], short(text))
	return true
}

// next reads one field with its value, or a value that determines its field.
func (r *reader) next() error {
	yesNo := r.yesNo()
	if said, n := yesNo.longestRun(r.ts, r.i); len(said) == 1 && r.ts[r.i].kind == word {
		if !said[0] { // "no skill"
			if f, into, n2 := r.field(r.i + n); n2 > 0 && f.Kind.IsSwitch() {
				r.i += n + n2
				return r.put(f, into, false, r.label("no"))
			}
		}
		if f, ok := r.onlyBool(); ok {
			r.i += n
			return r.put(f, r.levels[0].into, said[0], "")
		}
	}
	if f, into, n := r.field(r.i); n > 0 {
		r.i += n
		return r.value(f, into)
	}
	if done, err := r.option(); done || err != nil {
		return err
	}
	if done, err := r.withNumber(); done || err != nil {
		return err
	}
	if r.ts[r.i].kind == quoted {
		for _, f := range r.levels[0].fields {
			if _, given := r.levels[0].into[f.Name]; f.Kind.IsText() && !given {
				text := r.ts[r.i].text
				r.i++
				return r.put(f, r.levels[0].into, text, short(text))
			}
		}
	}
	if done, err := r.begunField(); done || err != nil {
		return err
	}
	if toBaseForm(r.ts, r.i, r.sayable()...) {
		return r.next()
	}
	if link, n := r.particles(links).longestRun(r.ts, r.i); len(link) > 0 && r.i+n < len(r.ts) {
		r.i += n
		return nil
	}
	return r.unknown()
}

// sayable returns the names of fields and options that could be next.
func (r *reader) sayable() []names {
	var all []names
	for _, level := range r.levels {
		all = append(all, r.fields(level.fields))
		for _, f := range level.fields {
			from := chosenFrom(f)
			if _, given := level.into[f.Name]; from.Options != nil && (!given || isSeveral(f)) {
				all = append(all, r.options(from))
			}
		}
	}
	return all
}

// onlyBool returns the form's single bool field.
func (r *reader) onlyBool() (form.Field, bool) {
	var found []form.Field
	for _, f := range r.levels[0].fields {
		if f.Kind == form.KindBool {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return form.Field{}, false
	}
	return found[0], true
}

// field returns the field that is named at a token, innermost level first; n is 0 for none.
func (r *reader) field(at int) (f form.Field, into map[string]any, n int) {
	if at >= len(r.ts) || r.ts[at].kind == quoted && (at+1 >= len(r.ts) || r.ts[at+1].kind != colon) {
		return form.Field{}, nil, 0
	}
	for l := len(r.levels) - 1; l >= 0; l-- {
		level := r.levels[l]
		if found, n := r.fields(level.fields).longestRun(r.ts, at); len(found) > 0 {
			r.levels = r.levels[:l+1]
			return level.fields[r.ungiven(level, found)], level.into, n
		}
	}
	return form.Field{}, nil, 0
}

// ungiven returns the first of several fields that has no value yet.
func (r *reader) ungiven(l level, found []int) int {
	for _, i := range found {
		if _, given := l.into[l.fields[i].Name]; !given {
			return i
		}
	}
	return found[0]
}

// begunField reads a word of three letters or more as the beginning of a field's name, if there's
// only one such field.
func (r *reader) begunField() (bool, error) {
	t := r.ts[r.i]
	if t.kind != word || utf8.RuneCountInString(t.text) < 3 {
		return false, nil
	}
	for l := len(r.levels) - 1; l >= 0; l-- {
		level := r.levels[l]
		if found := r.fields(level.fields).begunBest(t.text); len(found) == 1 {
			r.levels = r.levels[:l+1]
			r.i++
			return true, r.value(level.fields[found[0]], level.into)
		}
	}
	return false, nil
}

// withNumber reads a number after the beginning of its field's name: "d1".
func (r *reader) withNumber() (bool, error) {
	t := r.ts[r.i]
	letters := strings.TrimRight(t.text, "0123456789")
	if t.kind != word || letters == "" || letters == t.text {
		return false, nil
	}
	name := strings.TrimRight(letters, "+-−")
	level := r.levels[len(r.levels)-1]
	numbers := &dictionary[int]{}
	for k, senses := range r.fields(level.fields).senses {
		for _, s := range senses {
			if level.fields[s.means].Kind == form.KindInt {
				numbers.add(k, s.means, s.rank)
			}
		}
	}
	found := numbers.begunBest(name)
	if exact := numbers.find(name); len(exact) > 0 {
		found = exact
	}
	if name == "" || len(found) == 0 {
		return false, nil
	}
	if len(found) > 1 {
		var among []string
		for _, i := range found {
			among = append(among, r.fieldLabel(r.own(), level.fields[i]))
		}
		return true, &Error{Code: Unclear, At: t.at, End: t.end, Given: t.text, Among: among}
	}
	n, ok := number(t.text[len(name):])
	if !ok {
		return false, nil
	}
	r.i++
	return true, r.put(level.fields[found[0]], level.into, n, strconv.Itoa(n))
}

// option reads an option that determines its field.
func (r *reader) option() (bool, error) {
	level := r.levels[len(r.levels)-1]
	type meaning struct {
		field int
		value string
	}
	var meant []meaning
	most := 0
	for i, f := range level.fields {
		if _, given := level.into[f.Name]; given && !isSeveral(f) {
			continue
		}
		from := chosenFrom(f)
		if !from.Kind.HasOptions() {
			continue
		}
		values, n := r.options(from).longestRun(r.ts, r.i)
		if len(values) == 0 || values[0] == "" || n < most {
			continue
		}
		if n > most {
			meant, most = nil, n
		}
		for _, value := range values {
			meant = append(meant, meaning{i, value})
		}
	}
	switch len(meant) {
	case 0:
		return false, nil
	case 1:
	default:
		at, end := r.ts[r.i].at, r.ts[r.i+most-1].end
		var among []string
		for _, m := range meant {
			f := level.fields[m.field]
			among = append(among, r.fieldLabel(r.own(), f)+": "+r.optionLabel(chosenFrom(f), m.value))
		}
		return true, &Error{Code: Unclear, At: at, End: end, Given: r.line[at:end], Among: among}
	}
	f := level.fields[meant[0].field]
	r.i += most
	if isSeveral(f) {
		return true, r.add(f, level.into, meant[0].value)
	}
	return true, r.put(f, level.into, meant[0].value, r.optionLabel(f, meant[0].value))
}

func (r *reader) unknown() error {
	t := r.ts[r.i]
	var names []string
	for _, level := range r.levels {
		for _, f := range level.fields {
			names = append(names, r.fieldLabel(r.own(), f))
			names = append(names, r.labels(chosenFrom(f))...)
		}
	}
	return &Error{Code: UnknownWord, At: t.at, End: t.end, Given: r.line[t.at:t.end], Near: near(t.text, names)}
}

// label returns a word for yes or no in the reader's language.
func (r *reader) label(yesNo string) string {
	name, _, _ := strings.Cut(r.own().Say("chat."+yesNo), " ")
	return name
}

func (b *Book) optionLabel(f form.Field, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return b.Game.Option(b.own(), f, o)
		}
	}
	if value == "" {
		return b.Game.Option(b.own(), f, form.Option{})
	}
	return value
}

// say notes what was understood.
func (r *reader) say(f form.Field, value string) {
	text := r.fieldLabel(r.own(), f)
	if value != "" {
		text += ": " + value
	}
	r.given = append(r.given, r.levels[len(r.levels)-1].name+text)
}

// put sets a field.
func (r *reader) put(f form.Field, into map[string]any, value any, shown string) error {
	if _, given := into[f.Name]; given {
		at := max(r.i-1, 0)
		return &Error{
			Code: Twice, At: r.ts[at].at, End: r.ts[at].end, Given: r.ts[at].text,
			Field: r.fieldLabel(r.own(), f),
		}
	}
	into[f.Name] = value
	r.say(f, shown)
	return nil
}

// add adds a character, or an option, to a field that takes several.
func (r *reader) add(f form.Field, into map[string]any, value string) error {
	if from, ok := f.PickedFrom(); ok {
		of, _ := into[f.Name].(picked)
		into[f.Name] = picked{from.Name, append(of.values, value)}
	} else {
		list, _ := into[f.Name].([]string)
		into[f.Name] = append(list, value)
	}
	r.say(f, r.optionLabel(chosenFrom(f), value))
	return nil
}

func number(text string) (int, bool) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "−", "-"), "+")
	n, err := strconv.Atoi(text)
	return n, err == nil
}
