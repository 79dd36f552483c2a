package form

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	traitType = reflect.TypeFor[Trait]()
	refType   = reflect.TypeFor[Ref]()
	refsType  = reflect.TypeFor[[]Ref]()
	facesType = reflect.TypeFor[Faces]()

	numberType = reflect.TypeFor[Number]()

	goodName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

// Of returns the form of the struct T. It panics on a struct or a tag that makes no form, which is
// a programming error found at start-up.
func Of[T any]() *Form { return OfType(reflect.TypeFor[T]()) }

// OfType is Of for a type that is known only at run time.
func OfType(typ reflect.Type) *Form {
	if known, ok := forms.Load(typ); ok {
		return known.(*Form)
	}
	if typ.Kind() != reflect.Struct {
		panic(fmt.Sprintf("form: %s is no struct", typ))
	}
	form := &Form{Fields: fieldsOf(typ, nil), typ: typ}
	form.whole = form
	forms.Store(typ, form)
	return form
}

// At points at the field of a struct that its form calls by a name. It returns nil if there is none
// of that type.
func At[T, S any](of *S, name string) *T {
	fields := Of[S]().Fields
	if i := indexOf(fields, name); i >= 0 && fields[i].typ == reflect.TypeFor[T]() {
		return reflect.ValueOf(of).Elem().FieldByIndex(fields[i].index).Addr().Interface().(*T)
	}
	return nil
}

// Value returns the field that At points at, or the zero value if there is none.
func Value[T, S any](of S, name string) (value T) {
	if at := At[T](&of, name); at != nil {
		value = *at
	}
	return value
}

// Blank returns a T with the defaults of its form.
func Blank[T any]() (t T) {
	Of[T]().Defaults(&t)
	return t
}

// forms caches the forms of types. Forms don't change.
var forms sync.Map

// fieldsOf reads the fields of a struct. above lists the structs that contain it, which it must not
// contain again.
func fieldsOf(typ reflect.Type, above []reflect.Type) []Field {
	for _, t := range above {
		if t == typ {
			panic(fmt.Sprintf("form: %s holds itself", typ))
		}
	}
	above = append(above[:len(above):len(above)], typ)
	fields := make([]Field, 0, typ.NumField())
	for i := range typ.NumField() {
		member := typ.Field(i)
		tag := member.Tag.Get("form")
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		switch {
		case tag == "-" || name == "-":
			continue
		case (member.Anonymous && name == "" || tag == "inline") && member.Type.Kind() == reflect.Struct:
			for _, field := range fieldsOf(member.Type, above) {
				field.index = append([]int{i}, field.index...)
				fields = append(fields, field)
			}
			continue
		case !member.IsExported():
			continue
		}
		place := typ.String() + "." + member.Name
		if !goodName.MatchString(name) {
			panic(
				fmt.Sprintf(
					"form: %s: the json tag must give a name of lower case letters, digits and hyphens, not %q",
					place,
					name,
				),
			)
		}
		field := Field{Name: name, Set: name, Doc: member.Tag.Get("doc"), index: []int{i}, typ: member.Type}
		if err := field.read(tag, above); err != nil {
			panic(fmt.Sprintf("form: %s: %v", place, err))
		}
		field.names(member.Tag)
		fields = append(fields, field)
	}
	for i := range fields {
		field := &fields[i]
		if indexOf(fields, field.Name) != i {
			panic(fmt.Sprintf("form: %s has two fields named %q", typ, field.Name))
		}
		for _, by := range []*For{field.For, field.Beside} {
			if by != nil && indexOf(fields, by.Field) < 0 {
				panic(fmt.Sprintf("form: %s: %q is for a field that there isn't", typ, field.Name))
			}
		}
	}
	return fields
}

// names reads the other names of the field and of its choices.
func (f *Field) names(tag reflect.StructTag) {
	if also := tag.Get("also"); also != "" {
		f.Also = strings.Split(also, "\n")
	}
	if labels := tag.Get("labels"); labels != "" {
		for i, label := range strings.Split(labels, "\n") {
			f.Options[i].Alias = label
		}
	}
}

func readFor(text string) *For {
	name, values, some := strings.Cut(text, ":")
	if !some {
		return &For{Field: name}
	}
	return &For{Field: name, Values: strings.Split(values, "|")}
}

// read takes the kind from the type and the limits from the tag, then checks that they fit
// together.
func (f *Field) read(tag string, above []reflect.Type) error {
	given := map[string]string{}
	for word := range strings.SplitSeq(tag, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(word), "=")
		if key == "" {
			continue
		}
		if _, twice := given[key]; twice {
			return fmt.Errorf("%q stands twice in the tag", key)
		}
		given[key] = value
	}
	take := func(key string) (string, bool) {
		value, ok := given[key]
		delete(given, key)
		return value, ok
	}

	if err := f.readKind(take, above); err != nil {
		return err
	}
	takeOwn := func(key string) (string, bool) { // a word that only some kinds have
		if !f.Kind.takes(key) {
			return "", false
		}
		return take(key)
	}
	if err := f.readLimits(takeOwn); err != nil {
		return err
	}
	if set, ok := take("set"); ok {
		f.Set = set
	}
	_, f.Open = takeOwn("open")
	_, f.Worded = takeOwn("worded")
	_, f.Required = takeOwn("required")
	_, f.Dice = takeOwn("dice")
	_, f.Once = take("once")
	f.TrackOf, f.Track = takeOwn("track")
	f.Look, _ = takeOwn("look")
	f.Head, _ = take("head")
	if of, ok := takeOwn("of"); ok {
		f.Of = strings.Split(of, "|")
	}
	if text, ok := take("for"); ok {
		f.For = readFor(text)
	}
	if text, ok := take("beside"); ok {
		f.Beside = readFor(text)
	}
	if text, ok := take("at"); ok {
		f.At = strings.Split(text, "|")
	}
	_, f.Said = take("said")
	_, f.Fixed = take("fixed")
	_, f.Rare = take("rare")
	_, f.Assumed = take("assumed")
	_, f.Sealed = take("sealed")
	_, f.GM = take("gm")
	_, bare := take("bare")
	_, table := take("table")
	switch {
	case bare && table:
		return fmt.Errorf("bare and table exclude each other")
	case bare:
		f.Where = Bare
	case table:
		f.Where = AtTable
	}
	if f.MayBeEmpty() {
		if text, ok := take("usual"); ok {
			value, err := f.readDefault(text)
			if err != nil {
				return err
			}
			f.Usual = value
		}
	}
	if text, ok := takeOwn("default"); ok {
		value, err := f.readDefault(text)
		if err != nil {
			return err
		}
		f.Default = value
	} else {
		f.Default = f.usual()
	}
	for key := range given {
		return fmt.Errorf("%q means nothing for a %s", key, f.Kind)
	}
	return nil
}

func (f *Field) readLimits(take func(string) (string, bool)) error {
	kind := kinds[f.Kind]
	f.Max = kind.max
	for key, limit := range map[string]*int{"min": &f.Min, "max": &f.Max} {
		text, ok := take(key)
		if !ok {
			if key == "max" && f.Kind == KindInt {
				return fmt.Errorf("an int needs max")
			}
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < kind.low || n > kind.high {
			return fmt.Errorf("%s=%s is no limit for a %s", key, text, f.Kind)
		}
		*limit = n
	}
	if f.Min > f.Max {
		return fmt.Errorf("min=%d is above max=%d", f.Min, f.Max)
	}
	if f.Kind == KindInt && (!fits(f.typ, f.Min) || !fits(f.typ, f.Max)) {
		return fmt.Errorf("min=%d and max=%d do not fit into %s", f.Min, f.Max, f.typ)
	}
	return nil
}

func (f *Field) readDefault(text string) (any, error) {
	var value any
	switch kinds[f.Kind].empty.(type) {
	case int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("default=%s is no whole number", text)
		}
		value = n
	case bool:
		yes, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("default=%s is neither true nor false", text)
		}
		value = yes
	case Trait:
		value = traitOf(text)
	default:
		value = text
	}
	if !f.accepts(value) {
		return nil, fmt.Errorf("default=%s is not allowed", text)
	}
	return value, nil
}

// usual returns the default of a field without one in its tag: the first value of an optional
// choice, nothing for a required field.
func (f *Field) usual() any {
	switch {
	case f.Required || f.MayBeEmpty():
		return nil
	case f.Kind == KindInt:
		return min(max(0, f.Min), f.Max)
	case f.Kind == KindChoice && len(f.Options) > 0:
		return f.Options[0].Value
	}
	return kinds[f.Kind].empty
}

func isInt(kind reflect.Kind) bool { return kind >= reflect.Int && kind <= reflect.Uint64 }

func fits(typ reflect.Type, n int) bool {
	if typ == numberType {
		return true
	}
	if typ.Kind() >= reflect.Uint {
		return n >= 0 && !reflect.Zero(typ).OverflowUint(uint64(n))
	}
	return !reflect.Zero(typ).OverflowInt(int64(n))
}
