package chat

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
)

// colon reads a colon, if there's one.
func (r *reader) colon() bool {
	if r.i < len(r.ts) && r.ts[r.i].kind == colon {
		r.i++
		return true
	}
	return false
}

// value reads what follows a field's name. After a colon there must be a value.
func (r *reader) value(f form.Field, into map[string]any) error {
	followed := r.colon()
	r.last, r.lastEnd = f, r.i
	if from := chosenFrom(f); from.Options != nil {
		if values, _ := r.options(from).longestRun(r.ts, r.i); len(values) == 0 {
			toBaseForm(r.ts, r.i, r.options(from))
		}
	}
	switch f.Kind {
	case form.KindBool:
		if done, err := r.readYesNo(f, into); done {
			return err
		}
		if followed {
			return r.wanting(f, NoValue, nil)
		}
		return r.put(f, into, true, "")
	case form.KindInt:
		return r.int(f, into)
	case form.KindTrait:
		return r.trait(f, into, followed)
	case form.KindChoice, form.KindRef:
		return r.choice(f, into)
	case form.KindRefs:
		return r.several(f, into)
	case form.KindFaces:
		return r.faces(f, into)
	case form.KindGroup:
		r.enter(f, r.inner(into, f.Name), "")
		return nil
	case form.KindList:
		if isSeveral(f) {
			return r.several(f, into)
		}
		return r.item(f, into)
	}
	text, ok := r.text()
	if !ok {
		return r.wanting(f, NoValue, nil)
	}
	return r.put(f, into, text, short(text))
}

// readYesNo reads a yes or a no, if there's one.
func (r *reader) readYesNo(f form.Field, into map[string]any) (bool, error) {
	if r.i >= len(r.ts) || r.ts[r.i].kind != word {
		return false, nil
	}
	said, n := r.yesNo().longestRun(r.ts, r.i)
	if len(said) != 1 {
		return false, nil
	}
	r.i += n
	shown := ""
	if !said[0] {
		shown = r.label("no")
	}
	return true, r.put(f, into, said[0], shown)
}

// text reads a quoted text, or everything up to the next comma.
func (r *reader) text() (string, bool) {
	if r.i >= len(r.ts) {
		return "", false
	}
	if r.ts[r.i].kind == quoted {
		r.i++
		return r.ts[r.i-1].text, true
	}
	from := r.i
	for r.i < len(r.ts) && r.ts[r.i].kind == word {
		r.i++
	}
	if r.i == from {
		return "", false
	}
	return r.line[r.ts[from].at:r.ts[r.i-1].end], true
}

func (r *reader) int(f form.Field, into map[string]any) error {
	if r.i < len(r.ts) && r.ts[r.i].kind != comma {
		if n, ok := number(r.ts[r.i].text); ok {
			r.i++
			return r.put(f, into, n, strconv.Itoa(n))
		}
		return r.wanting(f, NoNumber, nil)
	}
	return r.wanting(f, NoValue, nil)
}

func (r *reader) trait(f form.Field, into map[string]any, followed bool) error {
	if done, err := r.readYesNo(f, into); done {
		return err
	}
	if values, n := r.options(f).longestRun(r.ts, r.i); len(values) == 1 && values[0] != "" {
		r.i += n
		return r.put(f, into, values[0], r.optionLabel(f, values[0]))
	}
	if f.Open && (followed || r.i < len(r.ts) && r.ts[r.i].kind == quoted) {
		if name, ok := r.text(); ok {
			return r.put(f, into, name, short(name))
		}
	}
	if followed {
		return r.wanting(f, NoChoice, r.labels(f))
	}
	return r.put(f, into, true, "")
}

func (r *reader) choice(f form.Field, into map[string]any) error {
	if r.i >= len(r.ts) || r.ts[r.i].kind == comma {
		return r.wanting(f, NoValue, nil)
	}
	values, n := r.options(f).longestRun(r.ts, r.i)
	switch {
	case len(values) == 1:
		r.i += n
		return r.put(f, into, values[0], r.optionLabel(f, values[0]))
	case len(values) > 1:
		return r.wanting(f, Unclear, values)
	case f.Options == nil || r.ts[r.i].kind == quoted && r.ts[r.i].text == "":
		r.i++
		return r.put(f, into, r.ts[r.i-1].text, short(r.ts[r.i-1].text))
	}
	return r.wanting(f, NoChoice, r.labels(f))
}

// several reads one or more characters or options, with nothing or "and" between them.
func (r *reader) several(f form.Field, into map[string]any) error {
	from, of := r.i, chosenFrom(f)
	for r.i < len(r.ts) && r.ts[r.i].kind != comma {
		values, n := r.options(of).longestRun(r.ts, r.i)
		if len(values) > 1 {
			return r.wanting(f, Unclear, values)
		}
		if len(values) == 0 && r.i > from {
			if and, n := r.particles(ands).longestRun(r.ts, r.i); len(and) > 0 && r.i+n < len(r.ts) {
				if more, _ := r.options(of).longestRun(r.ts, r.i+n); len(more) > 0 {
					r.i += n
					continue
				}
			}
			break
		}
		if len(values) == 0 || values[0] == "" {
			if of.Options == nil {
				values, n = []string{r.ts[r.i].text}, 1
			} else {
				break
			}
		}
		r.i += n
		if err := r.add(f, into, values[0]); err != nil {
			return err
		}
	}
	switch {
	case r.i > from:
		return nil
	case r.i < len(r.ts) && r.ts[r.i].kind != comma:
		return r.wanting(f, NoChoice, r.labels(of))
	}
	return r.wanting(f, NoValue, nil)
}

// faces reads numbers, with nothing or commas between them.
func (r *reader) faces(f form.Field, into map[string]any) error {
	faces := []int{}
	var texts []string
	for at := r.i; at < len(r.ts); at++ {
		if r.ts[at].kind == comma {
			continue
		}
		n, ok := number(r.ts[at].text)
		if !ok || r.ts[at].kind != word {
			break
		}
		faces, texts = append(faces, n), append(texts, strconv.Itoa(n))
		r.i = at + 1
	}
	if len(faces) == 0 {
		return r.wanting(f, NoNumber, nil)
	}
	return r.put(f, into, faces, strings.Join(texts, " "))
}

// enter continues with the fields of a group or of a list's item.
func (r *reader) enter(f form.Field, into map[string]any, n string) {
	name := r.levels[len(r.levels)-1].name + r.fieldLabel(r.own(), f)
	if n != "" {
		name += " " + n
	}
	r.levels = append(r.levels, level{fields: f.Fields, into: into, name: name + " › "})
}

func (r *reader) inner(into map[string]any, name string) map[string]any {
	inner, ok := into[name].(map[string]any)
	if !ok {
		inner = map[string]any{}
		into[name] = inner
	}
	return inner
}

// item reads the number of a list's item, from 1; what follows belongs to that item.
func (r *reader) item(f form.Field, into map[string]any) error {
	if r.i >= len(r.ts) {
		return r.wanting(f, NoNumber, nil)
	}
	n, ok := number(r.ts[r.i].text)
	if !ok || n < 1 || n > f.Max {
		return r.wanting(f, NoNumber, nil)
	}
	r.i++
	r.colon()
	list, ok := into[f.Name].(items)
	if !ok {
		list = items{}
		into[f.Name] = list
	}
	if list[n] == nil {
		list[n] = map[string]any{}
	}
	r.enter(f, list[n], strconv.Itoa(n))
	return nil
}

// labels returns a field's options in the reader's language.
func (b *Book) labels(f form.Field) []string {
	labels := make([]string, 0, len(f.Options))
	for _, o := range f.Options {
		labels = append(labels, b.Game.Option(b.own(), f, o))
	}
	return labels
}

// wanting returns the error of a field whose value is missing or unknown.
func (r *reader) wanting(f form.Field, code string, among []string) error {
	err := &Error{Code: code, At: len(r.line), End: len(r.line), Field: r.fieldLabel(r.own(), f), Among: among}
	if r.i < len(r.ts) {
		t := r.ts[r.i]
		err.At, err.End, err.Given = t.at, t.end, r.line[t.at:t.end]
		if code == NoChoice {
			err.Near = near(t.text, slices.Concat(among))
		}
	}
	return err
}
