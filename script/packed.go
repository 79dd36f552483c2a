package script

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// packed is the result of a part, or the state of a fold, as a comparable value, so that equal ones
// are merged. A number is stored as n; everything else is encoded as text.
type packed struct {
	kind byte // 'i' for n, 't' for text
	n    int
	text string // the encoded value; for a number only the changes of the part
}

func (s *session) pack(value starlark.Value) (packed, error) {
	if n, ok := value.(starlark.Int); ok {
		if small, ok := n.Int64(); ok {
			return packed{kind: 'i', n: int(small)}, nil
		}
		return packed{}, wrong("digits")
	}
	var b strings.Builder
	if err := write(&b, value, 0); err != nil {
		return packed{}, err
	}
	if b.Len() > maxResult {
		return packed{}, errLarge
	}
	return packed{kind: 't', text: b.String()}, nil
}

func (s *session) unpack(p packed) starlark.Value {
	if p.kind == 'i' {
		return starlark.MakeInt(p.n)
	}
	r := unpacker{s, p.text}
	return r.value()
}

const maxNested = 8

var errLarge = wrong("part-large")

func write(b *strings.Builder, value starlark.Value, depth int) error {
	if b.Len() > maxResult || depth > maxNested {
		return errLarge
	}
	list := func(mark byte, all starlark.Indexable) error {
		b.WriteByte(mark)
		b.WriteString(strconv.Itoa(all.Len()))
		b.WriteByte(';')
		for i := range all.Len() {
			if err := write(b, all.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	text := func(mark byte, text string) {
		text = strings.ReplaceAll(text, changesMark, "")
		b.WriteByte(mark)
		b.WriteString(strconv.Itoa(len(text)))
		b.WriteByte(';')
		b.WriteString(text)
	}
	switch value := value.(type) {
	case starlark.NoneType:
		b.WriteByte('n')
	case starlark.Bool:
		b.WriteByte(map[bool]byte{false: 'f', true: 'y'}[bool(value)])
	case starlark.Int:
		n, ok := value.Int64()
		if !ok {
			return wrong("digits")
		}
		b.WriteByte('i')
		b.WriteString(strconv.FormatInt(n, 10))
		b.WriteByte(';')
	case starlark.String:
		text('s', string(value))
	case starlark.Tuple:
		return list('(', value)
	case *starlark.List:
		return list('[', value)
	case *sheet:
		text('w', value.id)
	case *outcome:
		text('o', value.id)
	case *countedOutcome:
		text('o', value.id)
		b.WriteString(strconv.Itoa(value.n))
		b.WriteByte(';')
	default:
		return wrong("part-value", "Got", typeOf(value))
	}
	return nil
}

// unpacker decodes what write has encoded.
type unpacker struct {
	*session
	rest string
}

func (r *unpacker) number() int {
	text, rest, _ := strings.Cut(r.rest, ";")
	r.rest = rest
	n, _ := strconv.Atoi(text)
	return n
}

func (r *unpacker) text() string {
	n := r.number()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *unpacker) value() starlark.Value {
	mark := r.rest[0]
	r.rest = r.rest[1:]
	switch mark {
	case 'f', 'y':
		return starlark.Bool(mark == 'y')
	case 'i':
		return starlark.MakeInt(r.number())
	case 's':
		return starlark.String(r.text())
	case '(', '[':
		all := make([]starlark.Value, r.number())
		for i := range all {
			all[i] = r.value()
		}
		if mark == '(' {
			return starlark.Tuple(all)
		}
		return starlark.NewList(all)
	case 'w':
		id := r.text()
		if at, ok := r.slots[id]; ok {
			return &sheet{r.session, at, id}
		}
	case 'o':
		id := r.text()
		for _, o := range r.book.outcomes {
			if o.id == id {
				if o.counts && r.rest != "" && r.rest[0] >= '0' && r.rest[0] <= '9' {
					return &countedOutcome{o, r.number()}
				}
				return o
			}
		}
	}
	return starlark.None
}

// changesMark separates the result of a part from its changes.
const changesMark = "\x00"

// withChanges encodes a part's result with all its changes to sheets, in a fixed order.
func (s *session) withChanges(result packed, before map[string][]starlark.Value) (string, error) {
	same := true
	for id, was := range before {
		same = same && (len(was) == 0 || &s.slots[id].now[0] == &was[0])
	}
	if same {
		return result.text, nil
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(before)) {
		at, was := s.slots[id], before[id]
		if len(was) == 0 || &at.now[0] == &was[0] {
			continue
		}
		for i, f := range at.kind.shape.fields {
			typ := at.kind.shape.typ.Field(i).Type
			from, _, err := f.jsonOf(was[i], typ)
			if err != nil {
				return "", err
			}
			to, _, err := f.jsonOf(at.now[i], typ)
			if err != nil {
				return "", err
			}
			if string(from) != string(to) {
				fmt.Fprintf(&b, "%s%q %d %q", changesMark, id, i, to)
			}
		}
	}
	return result.text + b.String(), nil
}

// unpackPart returns the result of a part and applies its changes. touched holds fields that
// parallel parts have changed.
func (s *session) unpackPart(result packed, touched map[string]bool) (starlark.Value, error) {
	pieces := strings.Split(result.text, changesMark)
	result.text = pieces[0]
	for _, piece := range pieces[1:] {
		var id, to string
		var i int
		if _, err := fmt.Sscanf(piece, "%q %d %q", &id, &i, &to); err != nil {
			return nil, err
		}
		at := s.slots[id]
		f := at.kind.shape.fields[i]
		if place := id + " " + f.name; touched != nil {
			if touched[place] {
				return nil, wrong("part-both", "Name", f.name, "Who", at.member.Name)
			}
			touched[place] = true
		}
		value, err := f.read(to, at.kind.shape.typ.Field(i).Type)
		if err != nil {
			return nil, err
		}
		at.now = slices.Clone(at.now)
		at.now[i] = value
	}
	return s.unpack(result), nil
}
