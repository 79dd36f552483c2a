package script

import (
	"cmp"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// sort is what an argument may be.
type sort struct {
	id      string                    // its words in the reference
	fits    func(starlark.Value) bool // nil: the function looks itself
	want    string                    // the mistake of another value by the argument's name
	missing string                    // the mistake if nothing is at its place
	here    string                    // the mistake of another value there
}

// argument is what a function takes.
type argument struct {
	name      string
	sort      sort
	shown     string // an example, as the function is written
	place     bool   // it's given by its place
	named     bool   // it's given by its name
	needed    bool
	many      bool // it stands for all that is left by place, or by names that no other argument has
	common    bool // every field takes it
	otherwise starlark.Value
	low, high int // of a number; both 0: any
	among     []string
	lacks     string // the mistake if it's missing or something else, "" for that of its sort
	about     string // the id of its text in the reference, "" for its name
}

// function is what a text can call: outside of rules if it declares, in rules if it runs.
type function struct {
	name    string
	args    []argument
	declare declaring                     // outside of rules
	run     running                       // in rules
	plain   func(d *given) starlark.Value // everywhere
	throws  bool
}

type (
	declaring func(b *book, d *given) (starlark.Value, error)
	running   func(s *session, d *given) (starlark.Value, error)
)

// given holds the arguments of a call, which fit what its function takes.
type given struct {
	*function
	kept   bool // the text is a table's
	pos    syntax.Position
	values []starlark.Value // by the place of the argument in the table
	many   starlark.Tuple   // of those by place, what one argument takes
	rest   []starlark.Tuple // names with labels or values
	fields []*field
}

// builtin returns the function as a text calls it.
func (b *book) builtin(f *function) *starlark.Builtin {
	return starlark.NewBuiltin(f.name,
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			s, inRule := thread.Local(runKey).(*session)
			switch {
			case f.declare != nil && !b.reading:
				return nil, wrong("in-rule")
			case f.declare != nil:
				return b.tries(thread, f, args, kwargs)
			case f.run != nil && !inRule:
				return nil, wrong("only-in-rule", "Code", f.usage(false))
			}
			d, err := f.bind(args, kwargs, b.kept)
			if err != nil {
				return nil, err
			}
			if f.plain != nil {
				return f.plain(d), nil
			}
			return f.run(s, d)
		})
}

// bind gives each argument what a call has for it. An error says what is missing, unknown, of another
// sort or out of range. For a text stored at a table, bind accepts what earlier versions accepted.
func (f *function) bind(args starlark.Tuple, kwargs []starlark.Tuple, kept bool) (*given, error) {
	d := &given{function: f, kept: kept, values: make([]starlark.Value, len(f.args))}
	for _, pair := range kwargs {
		if err := d.takeNamed(pair, args); err != nil {
			return nil, err
		}
	}
	for _, value := range args {
		if err := d.takePlaced(value); err != nil {
			return nil, err
		}
	}
	for i := range f.args {
		a, value := &f.args[i], d.values[i]
		if value == nil && a.needed && !d.hasMany(a) {
			return nil, d.wrong(cmp.Or(a.lacks, a.sort.missing, "usage"), "Name", a.name)
		}
		if value == nil {
			continue
		}
		if len(a.among) > 0 && !slices.Contains(a.among, d.text(a.name)) {
			return nil, oneOf(a.name, a.among)
		}
		if n := d.number(a.name); a.low < a.high && (n < a.low || n > a.high) {
			if f.run != nil { // in a rule, the number may be secret
				return nil, d.wrong("within", "Name", a.name, "Min", a.low, "Max", a.high)
			}
			return nil, between(a.name, a.low, a.high, n)
		}
	}
	return d, nil
}

// hasMany reports whether there is anything for an argument that takes many values.
func (d *given) hasMany(a *argument) bool {
	return a.many && len(d.many)+len(d.rest)+len(d.fields) > 0
}

// takeNamed takes an argument that is given by its name.
func (d *given) takeNamed(pair, args starlark.Tuple) error {
	name, value := string(pair[0].(starlark.String)), pair[1]
	others := d.others()
	if others == someFields.id {
		switch f := value.(type) {
		case *field:
			d.fields = append(d.fields, f.withName(name))
			return nil
		case *pile:
			d.fields = append(d.fields, f.drawn.withName(name), f.discard.withName(name+"_discard"))
			return nil
		}
	}
	i := slices.IndexFunc(d.args, func(a argument) bool { return a.named && a.name == name })
	switch {
	case i < 0 && others == someLabels.id:
		if _, ok := starlark.AsString(value); !ok {
			return d.wrong("want-label", "Name", name, "Got", typeOf(value))
		}
		fallthrough
	case others == someValues.id && (i < 0 || d.declare != nil && len(args) > 0 && has(args[0], name)):
		d.rest = append(d.rest, pair)
		return nil
	case i < 0 && d.kept:
		return nil
	case i < 0:
		return d.unknown(name)
	}
	if want := d.args[i].sort; want.fits != nil && !want.fits(value) {
		if !d.kept || want.id != aFlag.id {
			return d.args[i].unfit(value)
		}
		value = starlark.False
	}
	d.values[i] = value
	return nil
}

// has reports whether the first argument gives a name its meaning: a sheet has such a field, or a rule
// such a parameter.
func has(of starlark.Value, name string) bool {
	switch of := of.(type) {
	case *kind:
		_, ok := fieldOf(of.fields, name)
		return ok
	case *starlark.Function:
		for i := range of.NumParams() {
			if param, _ := of.Param(i); param == name {
				return true
			}
		}
	}
	return false
}

// takePlaced takes an argument that is given by its place: the next that it fits.
func (d *given) takePlaced(value starlark.Value) error {
	var next *argument
	for i := range d.args {
		a := &d.args[i]
		if !a.place || d.values[i] != nil && !a.many {
			continue
		}
		if a.sort.fits == nil || a.sort.fits(value) {
			if d.values[i] = value; a.many {
				d.many = append(d.many, value)
			}
			return nil
		}
		if next == nil {
			next = a
		}
		if a.needed && !a.many {
			break
		}
	}
	switch {
	case next == nil || next.lacks == "" && next.sort.want == "" && next.sort.here == "":
		return d.wrong("argument-extra", "Value", typeOf(value)) // in a rule, the value may be secret
	case next.lacks == "" && next.sort.here == "":
		return next.unfit(value)
	}
	return d.wrong(cmp.Or(next.lacks, next.sort.here), "Got", typeOf(value))
}

// unfit returns the mistake of a value of another sort than the argument's.
func (a *argument) unfit(value starlark.Value) error {
	if a.sort.want == aNumber.want {
		return wantNumber(a.name, value)
	}
	return wrong(a.sort.want, "Name", a.name, "Got", typeOf(value))
}

// others returns the sort of what is given by names that no argument has, "" for none.
func (f *function) others() string {
	if i := slices.IndexFunc(f.args, func(a argument) bool { return a.many && !a.place }); i >= 0 {
		return f.args[i].sort.id
	}
	return ""
}

// at returns the place of an argument in the table.
func (f *function) at(name string) int {
	return slices.IndexFunc(f.args, func(a argument) bool { return a.name == name })
}

// value returns the value of an argument, or else its default; nil if it has neither.
func (d *given) value(name string) starlark.Value {
	i := d.at(name)
	if i < 0 {
		return nil
	}
	return cmp.Or(d.values[i], d.args[i].otherwise)
}

func (d *given) text(name string) string {
	text, _ := starlark.AsString(d.value(name))
	return text
}

func (d *given) flag(name string) bool { return d.value(name) == starlark.True }

func (d *given) number(name string) int {
	i, ok := d.value(name).(starlark.Int)
	if !ok {
		return 0
	}
	n, _ := starlark.AsInt32(i)
	return n
}

func (d *given) def(name string) *starlark.Function {
	fn, _ := d.value(name).(*starlark.Function)
	return fn
}

// thing returns what a declaration makes.
func (d *given) thing(what string) thing { return thing{what: what, pos: d.pos} }

// options returns the labels that are given by names.
func (d *given) options() (all []option) {
	for _, pair := range d.rest {
		label, _ := starlark.AsString(pair[1])
		all = append(all, option{string(pair[0].(starlark.String)), label})
	}
	return all
}

// wantNumber returns the mistake of a value that isn't a whole number, or is too large for one.
func wantNumber(name string, v starlark.Value) error {
	if _, ok := v.(starlark.Int); ok {
		return wrong("digits")
	}
	return wrong("want-number", "Name", name, "Got", typeOf(v))
}

// between returns the mistake of a number outside of its range.
func between(name string, low, high int, given any) error {
	return wrong("between", "Name", name, "Min", low, "Max", high, "Given", given)
}

// unknown returns the mistake of a name that the function doesn't take. It says which others do, if
// they are few.
func (d *given) unknown(name string) error {
	var takers []string
	for _, f := range callable {
		if slices.ContainsFunc(f.args, func(a argument) bool { return a.named && a.name == name && !a.common }) {
			takers = append(takers, f.name)
		}
	}
	if len(takers) > 0 && len(takers) <= maxTakers {
		return d.wrong("argument-of", "Name", name, "Of", strings.Join(takers, ", "))
	}
	return d.wrong("argument-unknown", "Name", name)
}

const maxTakers = 4

// wrong returns a mistake in a call. Its data have how the function is written, as Code, with all
// arguments if one of them is the mistake.
func (d *given) wrong(word string, data ...any) error {
	return wrong(word, append(data, "Code", d.usage(strings.HasPrefix(word, "argument-")))...)
}

const maxUsage = 50 // bytes before the first argument that is left out

// usage returns how the function is written: with all arguments, or with the first.
func (f *function) usage(all bool) string {
	code := f.name + "("
	for i, a := range f.args {
		if a.common && !all || !all && i > 0 && a.named && !a.place && len(code) > maxUsage {
			return andMore(code)
		}
		if i > 0 {
			code += ", "
		}
		code += a.written()
	}
	return code + ")"
}

// andMore closes the brackets of a call that has more.
func andMore(code string) string { return strings.TrimSuffix(code, ", …") + ", …)" }

// written returns an argument as it's written in a call.
func (a argument) written() string {
	if a.named && !a.place {
		return a.name + " = " + a.shown
	}
	return a.shown
}
