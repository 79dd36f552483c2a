package bridge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/view"
)

// Limits of what platforms can show.
const (
	maxRows    = 5
	maxButtons = 5  // in a row
	maxOptions = 25 // of a select
	maxFields  = 5  // of a dialog
	maxLabel   = 38 // characters of a button
)

// joinID joins the parts of a control's ID; partsOf splits it. The first part says what it does.
func joinID(parts ...string) string { return strings.Join(parts, "~") }

func partsOf(id string) []string { return strings.Split(id, "~") }

// formField is a field of a form with its path; fields of groups are listed like others.
type formField struct {
	form.Field
	path string
}

// formFields returns the fields of a form that a chat can ask for; false if it can't ask for one
// that has no default.
func formFields(fields []form.Field, before string) (all []formField, whole bool) {
	whole = true
	for _, f := range fields {
		switch {
		case f.Kind == form.KindGroup:
			inner, ok := formFields(f.Fields, before+f.Name+".")
			all, whole = append(all, inner...), whole && ok
		case f.Kind == form.KindList:
			if _, picked := f.PickedFrom(); picked {
				all = append(all, formField{f, before + f.Name})
			} else {
				whole = whole && !f.Required
			}
		case f.HasNoChoice():
		default:
			all = append(all, formField{f, before + f.Name})
		}
	}
	return all, whole
}

// label returns a field's label.
func (s *seatView) label(f form.Field) string { return s.seat.Game().Label(s.say, f.Name) }

// option returns the label of a field's option.
func (s *seatView) option(f form.Field, o form.Option) string {
	return strings.TrimSpace(s.seat.Game().Option(s.voice, f, o))
}

// choices returns the options of a field; nil for one that is typed.
func (s *seatView) choices(f form.Field) []Option {
	if picked, ok := f.PickedFrom(); ok {
		picked.Default = nil
		return slices.DeleteFunc(s.choices(picked), func(o Option) bool { return o.Value == "-" })
	}
	var all []Option
	add := func(value, label string, chosen bool) {
		all = append(all, Option{Value: value, Label: label, Chosen: chosen})
	}
	switch {
	case f.Kind == form.KindBool:
		add("true", s.say.Whether(true), f.Default == true)
		add("false", s.say.Whether(false), f.Default != true)
	case f.Kind == form.KindInt:
		if f.Max-f.Min >= maxOptions {
			return nil
		}
		for n := f.Min; n <= f.Max; n++ {
			add(strconv.Itoa(n), s.say.Number(n), f.Default == n)
		}
	case f.Options != nil && !f.Open:
		if !f.Required && !f.Kind.HasItems() && f.Default == nil &&
			!slices.ContainsFunc(f.Options, func(o form.Option) bool {
				return o.Value == ""
			}) {
			add("-", s.option(f, form.Option{}), true)
		}
		for i, o := range f.Options {
			if !o.Past {
				add("o"+strconv.Itoa(i), s.option(f, o), f.Default == o.Value)
				if o.About != "" && s.say.Has(o.About) {
					all[len(all)-1].About = s.say.Say(o.About)
				}
			}
		}
	}
	return all
}

// value returns the JSON value of a chosen option or a typed text.
func value(s *seatView, f form.Field, texts []string) any {
	if picked, ok := f.PickedFrom(); ok {
		if len(texts) == 1 {
			texts = strings.Split(texts[0], ",")
		}
		all := []any{}
		for _, text := range texts {
			if one := value(s, picked, []string{text}); one != "" {
				all = append(all, map[string]any{picked.Name: one})
			}
		}
		return all
	}
	chosen := func(text string) string {
		if n, err := strconv.Atoi(strings.TrimPrefix(text, "o")); err == nil && strings.HasPrefix(text, "o") &&
			n >= 0 && n < len(f.Options) {
			return f.Options[n].Value
		}
		for _, o := range f.Options { // typed
			if lang.Key(text) == lang.Key(s.option(f, o)) {
				return o.Value
			}
		}
		return strings.TrimSpace(text)
	}
	text := ""
	if len(texts) > 0 {
		text = strings.TrimSpace(texts[0])
	}
	switch f.Kind {
	case form.KindBool:
		return text == "true" || lang.Key(text) == lang.Key(s.say.Whether(true))
	case form.KindInt:
		if n, err := strconv.Atoi(strings.ReplaceAll(text, "−", "-")); err == nil {
			return n
		}
		if text == "" {
			return nil
		}
		return text
	case form.KindRefs:
		if len(texts) == 1 {
			texts = strings.Split(texts[0], ",")
		}
		all := []string{}
		for _, text := range texts {
			if one := chosen(text); one != "" && text != "-" {
				all = append(all, one)
			}
		}
		return all
	case form.KindFaces:
		faces := []any{}
		for _, face := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
			// signs belong to Fate dice
			if n, err := strconv.Atoi(face); err == nil && face[0] != '+' && face[0] != '-' {
				faces = append(faces, n)
			} else {
				faces = append(faces, face)
			}
		}
		return faces
	}
	if text == "-" && f.Options != nil {
		return ""
	}
	if f.Options != nil {
		return chosen(text)
	}
	return text
}

// setAt sets a value at a path.
func setAt(into map[string]any, path string, value any) {
	name, rest, inner := strings.Cut(path, ".")
	if !inner {
		if value != nil {
			into[name] = value
		}
		return
	}
	group, _ := into[name].(map[string]any)
	if group == nil {
		group = map[string]any{}
	}
	setAt(group, rest, value)
	into[name] = group
}

// valueAt returns the value at a path, nil for none.
func valueAt(of map[string]any, path string) any {
	name, rest, inner := strings.Cut(path, ".")
	if !inner {
		return of[name]
	}
	group, _ := of[name].(map[string]any)
	return valueAt(group, rest)
}

// standardAnswer returns a question's default answer, as JSON has it.
func standardAnswer(q view.Question) map[string]any {
	all := map[string]any{}
	if data, err := json.Marshal(q.Standard); err == nil && q.Standard != nil {
		_ = json.Unmarshal(data, &all) // it was just encoded
	}
	return all
}

// questionKeys returns marks of a question and of its options, by which an outdated press is
// recognised.
func (s *seatView) questionKeys(q view.Question) (name, now string) {
	var all strings.Builder
	for path, f := range q.Form.All() {
		fmt.Fprint(&all, path, f.Kind)
		for _, o := range f.Options {
			fmt.Fprint(&all, "|", o.Value, o.Past)
		}
	}
	return shortHash(8, s.tie.Table, q.ID), shortHash(5, all.String())
}

// question returns an open question with its controls.
func (s *seatView) question(q view.Question) Message {
	m := Message{Head: s.voice.Name(q.Character) + " · " + s.word("move", q.Name)}
	if q.Character == "" {
		m.Head = s.word("move", q.Name)
	}
	m.Lines = append(m.Lines, Line{Text: q.Text, Weight: Strong})
	if q.AboutText != "" {
		m.Lines = append(m.Lines, Line{Text: clip(q.AboutText)})
	}
	for _, text := range q.Guidance {
		m.Lines = append(m.Lines, Line{Text: clip(text), Weight: Small})
	}
	for _, a := range q.Advice {
		m.Lines = append(m.Lines, Line{Text: a.Text, Weight: Small})
	}
	m.Controls = s.answers(q)
	if usual := s.usualText(q); Units(usual) > maxLabel &&
		slices.ContainsFunc(m.Controls, func(row []Control) bool { return strings.HasPrefix(row[0].ID, "std~") }) {
		m.Lines = append(m.Lines, Line{Text: clip(s.say.Say("bridge.usual-is", "Text", usual)), Weight: Small})
	}
	if len(m.Controls) == 0 {
		m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.on-page", "Lead", s.lead), Weight: Small})
		m.Link, m.LinkText = s.tie.Link, s.say.Say("bridge.open")
	}
	return m
}

// answers returns the controls of a question: a button for each of few options, selects for many, a
// dialog for text or several fields. It returns none if only the page can ask.
func (s *seatView) answers(q view.Question) [][]Control {
	name, now := s.questionKeys(q)
	at := shortHash(8, s.tie.Table)
	id := func(what string, more ...string) string {
		return joinID(append([]string{what, at, name, now}, more...)...)
	}
	all, whole := formFields(q.Form.Fields, "")
	if !whole || len(all) == 0 {
		if q.Standard == nil {
			return nil
		}
		return [][]Control{{{ID: id("std"), Label: s.usualLabel(q), Main: true}}}
	}
	usual := standardAnswer(q)
	if len(all) == 1 {
		if rows := s.oneAnswer(all[0], usual, id); rows != nil {
			return rows
		}
	}
	row := []Control{{ID: id("form"), Label: s.say.Say("bridge.fill"), Main: q.Standard == nil}}
	if q.Dice != nil {
		row[0].Main = q.ByHand
		roll := Control{ID: id("roll"), Label: s.say.Say("bridge.roll"), Main: !q.ByHand}
		if row = append(row, roll); !q.ByHand {
			slices.Reverse(row)
		}
	}
	if q.Standard != nil {
		row = append([]Control{{ID: id("std"), Label: s.usualLabel(q), Main: true}}, row...)
	}
	rows := [][]Control{row}
	if list := s.longest(all, usual, id); q.Standard != nil && list.Options != nil {
		rows = append(rows, []Control{list})
	}
	return rows
}

// usualText names all values of a question's default answer; "" for none.
func (s *seatView) usualText(q view.Question) string {
	if q.Standard == nil {
		return ""
	}
	return strings.Join(s.valueTexts(q.Form.Fields, standardAnswer(q)), ", ")
}

// usualLabel returns the label of the button for the default answer: its values if they fit.
func (s *seatView) usualLabel(q view.Question) string {
	if text := s.usualText(q); text != "" && Units(text) <= maxLabel {
		return text
	}
	return s.say.Say("bridge.usual")
}

// valueTexts names the values of fields, defaults included: "Skill: Fight".
func (s *seatView) valueTexts(fields []form.Field, values map[string]any) (texts []string) {
	for _, f := range fields {
		if by := cmp.Or(f.For, f.Beside); by != nil && !by.Met(values[by.Field]) {
			continue
		}
		switch f.Kind {
		case form.KindGroup:
			inner, _ := values[f.Name].(map[string]any)
			texts = append(texts, s.valueTexts(f.Fields, inner)...)
		case form.KindList:
			if text := s.pickedText(f, values[f.Name]); text != "" {
				texts = append(texts, text)
			}
		default:
			value := values[f.Name]
			if i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == "" }); value == "" &&
				i >= 0 && f.Options[i].Word != "" { // the rule takes it if nothing is chosen
				texts = append(texts, s.label(f)+": "+s.option(f, f.Options[i]))
				continue
			}
			f.Said = f.Said || value != false && value != 0.0 || f.Default == true
			texts = append(texts, s.seat.Game().Choices(s.voice, &form.Form{Fields: []form.Field{f}},
				map[string]any{f.Name: value})...)
		}
	}
	return texts
}

// pickedText names the picked options of a list; "" for none.
func (s *seatView) pickedText(f form.Field, value any) string {
	picked, ok := f.PickedFrom()
	items, _ := value.([]any)
	if !ok || len(items) == 0 {
		return ""
	}
	var names []string
	for _, item := range items {
		item, _ := item.(map[string]any)
		for _, o := range picked.Options {
			if o.Value == item[picked.Name] {
				names = append(names, s.option(picked, o))
			}
		}
	}
	return s.label(f) + ": " + strings.Join(names, ", ")
}

// longest returns a select for the longest list in a question of several fields, such as all
// fallouts: choosing from it answers the question, with defaults for the rest. It has no options if
// no list is long enough.
func (s *seatView) longest(all []formField, usual map[string]any, id func(string, ...string) string) (list Control) {
	const worth = 4
	for i, f := range all {
		if f.Kind != form.KindChoice || f.For != nil || f.Beside != nil {
			continue
		}
		var options []Option
		for _, o := range s.choices(f.Field) {
			n, err := strconv.Atoi(strings.TrimPrefix(o.Value, "o"))
			if err != nil || f.Options[n].Value == "" {
				continue
			}
			if by := f.Options[n].For; by != nil && !by.Met(valueAt(usual, by.Field)) {
				continue
			}
			o.Chosen = false
			options = append(options, o)
		}
		options = options[:min(len(options), maxOptions)]
		if len(options) >= worth && len(options) > len(list.Options) {
			list = Control{
				ID: id("one", strconv.Itoa(i)), Label: s.say.Say("bridge.rest-usual", "Field", s.label(f.Field)),
				Options: options,
			}
		}
	}
	return list
}

// oneAnswer returns the controls of a question with one field; nil for one that is typed.
func (s *seatView) oneAnswer(f formField, usual map[string]any, id func(string, ...string) string) [][]Control {
	options := s.choices(f.Field)
	if f.Kind == form.KindBool { // the field's own words, if it has some
		label := s.label(f.Field)
		main := valueAt(usual, f.path) != false
		return [][]Control{{
			{ID: id("pick", "true"), Label: Cut(label, maxLabel), Main: main},
			{ID: id("pick", "false"), Label: s.say.Whether(false), Main: !main},
		}}
	}
	if len(options) == 0 {
		return nil
	}
	long := slices.ContainsFunc(options, func(o Option) bool { return len([]rune(o.Label)) > maxLabel })
	if !f.Kind.HasItems() && len(options) <= maxButtons && !long {
		var row []Control
		for _, o := range options {
			row = append(row, Control{ID: id("pick", o.Value), Label: o.Label, Main: s.isUsual(f, usual, o)})
		}
		return [][]Control{row}
	}
	var rows [][]Control
	for part := range slices.Chunk(options, maxOptions) {
		if len(rows) == maxRows-1 {
			break
		}
		c := Control{ID: id("pick", "l"+strconv.Itoa(len(rows))), Label: s.label(f.Field)}
		for _, o := range part {
			o.Chosen = false
			c.Options = append(c.Options, o)
		}
		if f.Kind.HasItems() {
			c.Most = max(1, min(f.Max, len(part)))
		}
		rows = append(rows, []Control{c})
	}
	if f.Kind.HasItems() && !f.Required {
		none := "bridge.nobody"
		if f.Kind == form.KindList {
			none = "bridge.nothing"
		}
		rows = append(rows, []Control{{ID: id("pick", "-"), Label: s.say.Say(none)}})
	}
	return rows
}

func (s *seatView) isUsual(f formField, usual map[string]any, o Option) bool {
	stands := valueAt(usual, f.path)
	return stands != nil && fmt.Sprint(stands) == fmt.Sprint(value(s, f.Field, []string{o.Value}))
}

// dialog returns a dialog for a form's fields, as many as platforms can show, required ones first.
// values are the initial values.
func (s *seatView) dialog(id, title string, all []formField, values map[string]any) *Form {
	d := &Form{ID: id, Title: title}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b formField) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	for _, f := range all[:min(len(all), maxFields)] {
		field := Field{
			Name: Cut(f.path, 60), Label: s.label(f.Field), Needed: f.Required && f.Default == nil,
			Kind: Text,
		}
		stands := valueAt(values, f.path)
		if stands == nil {
			stands = f.Default
		}
		if hint := s.seat.Game().Word("hint", f.Name); s.say.Has(hint) {
			field.About = s.say.Say(hint)
		}
		options := s.choices(f.Field)
		switch {
		case f.Kind == form.KindBool:
			field.Kind, field.Value = Flag, strconv.FormatBool(stands == true)
		case f.Kind == form.KindInt && (len(options) == 0 || len(options) > 11):
			field.Kind, field.Least, field.Most = Number, f.Min, f.Max
			if stands != nil {
				field.Value = fmt.Sprint(stands)
			}
		case len(options) > 0 && len(options) <= maxOptions && !f.Kind.HasItems():
			field.Kind = Choice
			for _, o := range options {
				o.Chosen = stands != nil && fmt.Sprint(value(s, f.Field, []string{o.Value})) == fmt.Sprint(stands)
				if o.Chosen {
					field.Value = o.Value
				}
				field.Options = append(field.Options, o)
			}
		default:
			if f.Kind == form.KindProse {
				field.Kind = Long
			}
			if f.Kind.IsText() {
				field.Least, field.Most = f.Min, min(f.Max, 4000)
			}
			if len(options) > 0 && field.About == "" {
				var names []string
				for _, o := range options {
					names = append(names, o.Label)
				}
				field.About = strings.Join(names, ", ")
			}
			field.Value = s.shownText(f.Field, stands)
		}
		d.Fields = append(d.Fields, field)
	}
	return d
}

// shownText returns a field's value as people type it: the label of an option.
func (s *seatView) shownText(f form.Field, stands any) string {
	text, ok := stands.(string)
	if !ok {
		return ""
	}
	if i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == text }); i >= 0 {
		return s.option(f, f.Options[i])
	}
	return text
}

// fill sets the values from a dialog. An option that was left unchanged stays, even if another has
// the same label.
func (s *seatView) fill(into map[string]any, all []formField, filled map[string]string) {
	for _, f := range all {
		text, given := filled[Cut(f.path, 60)]
		stands := valueAt(into, f.path)
		if stands == nil {
			stands = f.Default
		}
		if !given || f.Options != nil && text != "" && text == s.shownText(f.Field, stands) {
			continue
		}
		setAt(into, f.path, value(s, f.Field, []string{text}))
	}
}

// problem puts an error in a field of a form into words.
func (s *seatView) problem(f *form.Form, p form.Problem) string {
	return problem(s.voice, s.seat.Game(), f, p)
}

func problem(v game.Voice, g *game.Game, f *form.Form, p form.Problem) string {
	id, data := p.Word()
	if text, err := strconv.Unquote(p.Given); err == nil {
		data["Given"] = text
	}
	if field, ok := f.Field(p.Path); ok {
		data["Field"] = g.Label(v.Speaker, field.Name)
		switch {
		case p.Code == form.NoChoice:
			var labels []string
			for _, o := range field.Options[:min(len(field.Options), 12)] {
				labels = append(labels, g.Option(v, field, o))
			}
			data["Allowed"] = strings.Join(labels, ", ")
		case p.Code == form.Unneeded && len(p.Allowed) > 0:
			data["Allowed"] = g.Label(v.Speaker, p.Allowed[0])
		}
	}
	return v.Say(id, data)
}
