package act

import (
	"bytes"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/request"
)

// Prepared is the form of a move that somebody is preparing, filled in.
type Prepared struct {
	Form   *form.Form // the fields to choose, without those that a call fixes
	Values url.Values // of all fields
	Call   string     // the call that the move answers, "" for none
	// names of the fields that norn fills in now, and that the request has otherwise
	Changed []string

	basis basis
	table *state.State // when it was prepared
	asked request.Move // with these values
	tried *Attempt     // the attempt with these values, if it was needed to fill them in
}

// Prepare fills in the form of a move. A field that the request names as touched stays as it has it.
// norn fills in the others: as a call fixes them, by their defaults, and if then nothing would be
// rolled, with the first place of the actor's sheet that helps. What a call fixes applies in any case.
//
// A page shows what Prepare returns, and Make compares: what is made is what was shown. p is what Make
// has prepared of the same request, if it has refused it: Prepare returns it as long as the table
// hasn't changed.
func Prepare(e *visibility.Eye, r request.Move, p Prepared) (Prepared, error) {
	same := p.asked.Move == r.Move && p.asked.Character == r.Character && p.asked.Call == r.Call
	if same && p.table == e.Table.State {
		return p, nil
	}
	basis, r, err := basisOf(e, r)
	if err != nil {
		return Prepared{}, err
	}
	def := basis.def
	f := Arrange(e, basis.form, r.Character)
	if e.Viewer.IsGM() { // who sees all sheets assumes nothing
		f = f.WithoutAssumed()
	}
	p = Prepared{Form: f, Values: r.SetIn(f.DefaultInputs()), basis: basis, table: e.Table.State, asked: r}
	var fixed []string
	if call := basis.answers(e, r); call != nil {
		p.Call, fixed = call.ID, call.Shown(e.Viewer.IsGM())
		maps.DeleteFunc(p.Values, func(name string, _ []string) bool { return slices.Contains(fixed, top(name)) })
		maps.Copy(p.Values, def.Form.Only(fixed...).Inputs(call.Args))
		p.Form = f.Without(fixed...)
	}
	p.fillFromSheet(e, r)
	p.Changed = findChanged(def, f, r.Values, p.Values, func(name string) bool {
		if slices.Contains(fixed, name) {
			return p.Call != r.Call // otherwise the page has shown it
		}
		return !r.Sets(name)
	})
	p.asked.Values = p.Values
	return p, nil
}

// KnownAttempt returns the attempt of a move as it was prepared, for its odds, which are those of a
// public move; see the function KnownAttempt.
func (p *Prepared) KnownAttempt(e *visibility.Eye) (Attempt, error) {
	r := p.asked
	if p.tried != nil && !r.Secret {
		return *p.tried, nil
	}
	r.Secret = false
	return p.basis.knownAttempt(e, r)
}

// top returns the name of the form's own field to which a path leads.
func top(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// answers returns the call that a move answers: the one that the request names, otherwise the oldest
// that binds it; nil for none.
func (b basis) answers(e *visibility.Eye, r request.Move) *state.Call {
	if i := slices.IndexFunc(b.calls, func(c *state.Call) bool { return c.ID == r.Call }); i >= 0 {
		return b.calls[i]
	}
	if len(b.calls) == 0 || e.Viewer.IsGM() {
		return nil
	}
	return b.calls[0]
}

// attempt returns the attempt of a move as it was prepared, whether it's allowed or not.
func (p *Prepared) attempt(e *visibility.Eye) (Attempt, error) {
	if p.tried != nil {
		return *p.tried, nil
	}
	return p.basis.attempt(e, p.asked)
}

// fillFromSheet fills in a form with which nothing would be rolled yet, so that its button works at
// once: as an untouched form is filled in, unless a person has set that field or it doesn't help.
func (p *Prepared) fillFromSheet(e *visibility.Eye, r request.Move) {
	if r.Touched == nil || slices.Contains(r.Touched, request.TouchedAll) || r.Character == "" || !e.SeesOdds(p.basis.def) {
		return
	}
	wrong := p.unreadable(r)
	usualOfWrong := p.Form.Only(wrong...).DefaultInputs() // they say nothing of the other fields
	var last *Attempt                                     // that throws has seen
	// throws reports whether a move with these values is allowed and rolls dice, as far as the seat knows
	throws := func(values url.Values) bool {
		r.Values = maps.Clone(values)
		if len(wrong) > 0 {
			maps.DeleteFunc(r.Values, func(path string, _ []string) bool { return slices.Contains(wrong, top(path)) })
			maps.Copy(r.Values, usualOfWrong)
		}
		a, err := p.basis.knownAttempt(e, r)
		if last = nil; len(wrong) == 0 {
			last = &a
		}
		return err == nil && a.throws()
	}
	if throws(p.Values) {
		p.tried = last
		return
	}
	actor, f, err := changeable(e, r.Character)
	if err != nil { // the seat may not change it, so norn chooses nothing from it
		return
	}
	held := f.Inputs(actor.Sheet)
	usual := p.Values
	if len(r.Touched) > 0 {
		usual = p.Form.DefaultInputs()
		for path, texts := range p.Values {
			if _, offered := p.Form.Field(top(path)); !offered { // a call fixes it
				usual[path] = texts
			}
		}
		if throws(usual) {
			return
		}
	}
	tried, chooser := 0, p.Form.Chooser()
	for place := range f.Places(held) {
		untouched, name, ok := chooser.Choose(usual, place, held)
		if !ok {
			continue
		}
		if tried++; tried > maxTried {
			return
		}
		if !throws(untouched) {
			continue
		}
		with := untouched
		if len(r.Touched) > 0 {
			with, _, _ = chooser.Choose(p.Values, place, held)
		}
		if !r.Sets(name) && (len(r.Touched) == 0 || throws(with)) {
			p.Values, p.tried = with, last
		}
		return
	}
}

// maxTried limits the places of a sheet that are tried, since each begins the move's rule.
const maxTried = 30

// unreadable returns the names of the fields in which somebody has set what can't be read.
func (p *Prepared) unreadable(r request.Move) (names []string) {
	if len(r.Touched) == 0 {
		return nil
	}
	_, err := p.basis.def.Values(p.Form, p.Values)
	problems, _ := errors.AsType[form.Problems](err)
	for _, problem := range problems {
		if name := top(problem.Path); r.Sets(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// findChanged returns the names of norn's fields whose values differ. A field that isn't asked for with
// the other values isn't on a page, so it can't differ.
func findChanged(def *game.Move, f *form.Form, posted, now url.Values, ours func(name string) bool) (names []string) {
	was, is := byField(posted), byField(now)
	for _, field := range f.Fields {
		name := field.Name
		before := was[name]
		delete(was, name)
		if !ours(name) || field.Beside != nil && !field.Beside.Met(now.Get(field.Beside.Field)) {
			continue
		}
		if !sameTexts(before, is[name]) && !sameMeaning(def, f.Only(name), before, is[name]) {
			names = append(names, name)
		}
	}
	for name, values := range was { // the form doesn't have it any more
		if ours(name) && !sameTexts(values, nil) {
			names = append(names, name)
		}
	}
	return names
}

// byField returns the values of a form by the form's own fields.
func byField(values url.Values) map[string]url.Values {
	by := map[string]url.Values{}
	for path, texts := range values {
		name := top(path)
		if by[name] == nil {
			by[name] = url.Values{}
		}
		by[name][path] = texts
	}
	return by
}

// sameTexts reports whether values are written alike; one that is missing is empty.
func sameTexts(a, b url.Values) bool {
	has := func(values url.Values, in url.Values) bool {
		for path, texts := range values {
			if !slices.Equal(texts, in[path]) && strings.Join(texts, "")+strings.Join(in[path], "") != "" {
				return false
			}
		}
		return true
	}
	return has(a, b) && has(b, a)
}

// sameMeaning reports whether values that are written differently mean the same.
func sameMeaning(def *game.Move, f *form.Form, a, b url.Values) bool {
	was, err := def.Values(f, a)
	if err != nil {
		return false
	}
	is, err := def.Values(f, b)
	return err == nil && bytes.Equal(f.JSON(was), f.JSON(is))
}
