package script

import (
	"errors"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
)

// broken replaces an unknown name, or a declaration with a mistake, so that the text is read to its end
// and all mistakes are reported at once. What is made with it is broken, too.
type broken struct{ thing }

var (
	_ starlark.Callable = (*broken)(nil)
	_ starlark.HasAttrs = (*broken)(nil)
)

func (b *broken) Name() string { return b.name }

func (b *broken) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return b, nil
}

func (b *broken) Attr(string) (starlark.Value, error) { return b, nil }

func (b *broken) AttrNames() []string { return nil }

// maxLooked bounds the values that are looked at for something broken: lists may hold themselves, or one
// list many times over.
const maxLooked = 10_000

// isBroken reports whether a value is broken, or a list or dict with something broken in it.
func isBroken(value starlark.Value) bool {
	left := maxLooked
	return looksBroken(value, &left)
}

func looksBroken(value starlark.Value, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	within := func(one starlark.Value) bool { return looksBroken(one, left) }
	switch value := value.(type) {
	case *broken:
		return true
	case starlark.Tuple:
		return slices.ContainsFunc(value, within)
	case *starlark.List:
		for i := range value.Len() {
			if within(value.Index(i)) {
				return true
			}
		}
	case *starlark.Dict:
		return slices.ContainsFunc(value.Items(), func(pair starlark.Tuple) bool { return within(pair[1]) })
	}
	return false
}

// maxProblems bounds the mistakes that are reported for one text.
const maxProblems = 30

// tries declares something. It saves a mistake and returns a broken value, up to maxProblems.
func (b *book) tries(thread *starlark.Thread, f *function, args starlark.Tuple, kwargs []starlark.Tuple) (
	value starlark.Value, err error,
) {
	isPair := func(pair starlark.Tuple) bool { return isBroken(pair) }
	if isBroken(args) || slices.ContainsFunc(kwargs, isPair) {
		return &broken{thing{what: f.name}}, nil
	}
	d, err := f.bind(args, kwargs, b.kept)
	if err == nil {
		d.pos = thread.CallFrame(1).Pos
		value, err = f.declare(b, d)
	}
	if err == nil || len(b.problems) == maxProblems {
		return value, err
	}
	b.problems = append(b.problems, inCall(thread.CallStack(), err.Error(), err))
	return &broken{thing{what: f.name}}, nil
}

// compile compiles the script. It saves unknown names as mistakes.
func (b *book) compile(names starlark.StringDict) (*starlark.Program, error) {
	program, err := starlark.FileProgram(b.scan.file, names.Has)
	list, ok := err.(resolve.ErrorList)
	if !ok {
		return program, err
	}
	for _, one := range list[:min(len(list), maxProblems)] {
		b.problems = append(b.problems, at(one.Pos, addAdvice(one.Msg)))
	}
	for _, one := range list {
		name, undefined := strings.CutPrefix(one.Msg, "undefined: ")
		if !undefined {
			return nil, err
		}
		name, _, _ = strings.Cut(name, " ")
		names[name] = &broken{thing{what: name, name: name}}
	}
	return starlark.FileProgram(b.scan.file, names.Has)
}

// keep keeps a mistake until all are known.
func (b *book) keep(err error) {
	if p, ok := errors.AsType[*Problem](err); ok {
		b.problems = append(b.problems, p.All()...)
	} else if err != nil {
		b.problems = append(b.problems, problemOf(err))
	}
}
