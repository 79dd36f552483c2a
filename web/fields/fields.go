// Package fields draws forms of package form as HTML: their controls with values, labels and error
// messages. It also reads what a page posts back.
//
// It knows nothing of the page around a form: tables, questions, odds and settings all use it.
package fields

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/form"
)

// Form is a form on a page: the values of its controls and their error messages.
type Form struct {
	Form     *form.Form
	ID       string            // prefix of the id of every control, so that ids on a page are unique
	Under    string            // prefix of their names, for a page that posts several forms at once; see Part
	Values   url.Values        // values of the controls, named as form.Values reads them
	Problems map[string]string // messages by path; "" for the whole form
	Added    string            // path of a control whose item was just added to a list: it gets the focus
	About    string            // address with descriptions of options, "" for none
	Like     string            // example of faces to type, for a question that asks for some
	// how many fields are visible; the rest are under "more" except boxes next to visible boxes, and
	// so are those that are rarely needed. 0 shows all.
	First int
}

// Spoken is a form in its reader's language.
type Spoken struct {
	Form
	Voice Voice
}

// In returns the form in a reader's language.
func (f Form) In(v Voice) Spoken { return Spoken{f, v} }

// Lists reports whether the form has a list, whose buttons Enter must not press.
func (f Form) Lists() bool {
	return slices.ContainsFunc(f.Form.Fields, func(field form.Field) bool { return field.Kind == form.KindList })
}

// Only returns a part of the form: one field.
func (f Form) Only(field string) Form {
	f.Form = f.Form.Only(field)
	return f
}

// WithoutProblems returns the form without error messages, for a page that shows them elsewhere.
func (f Form) WithoutProblems() Form {
	f.Problems = nil
	return f
}

// Blame is an error message and the field that it's about.
type Blame struct{ Path, Text string }

// Blames returns the error messages, in the order of the fields.
func (f Form) Blames() []Blame {
	place := func(path string) int {
		name, _, _ := strings.Cut(path, ".")
		return slices.IndexFunc(f.Form.Fields, func(field form.Field) bool { return field.Name == name })
	}
	var blames []Blame
	for _, path := range slices.SortedFunc(maps.Keys(f.Problems), func(a, b string) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a, b))
	}) {
		blames = append(blames, Blame{path, f.Problems[path]})
	}
	return blames
}

// Own is the prefix of controls that belong to the page, not to a form; no field's name begins with
// it.
const Own = "_"

// Other names the text field for a trait that isn't on the list.
const Other = Own + "other"

// FormValues removes the page's own controls from a posted form, and uses a typed trait in place of
// the list's.
func FormValues(posted url.Values) url.Values {
	values := make(url.Values, len(posted))
	for name, texts := range posted {
		if strings.HasPrefix(name, Own) || strings.HasSuffix(name, "."+Other) {
			continue
		}
		values[name] = texts
	}
	for name := range values {
		if values.Get(name) == Other {
			values.Set(name, strings.TrimSpace(posted.Get(name+"."+Other)))
		}
	}
	return values
}

// Part returns the values of one of several posted forms: of the controls with a prefix.
func Part(posted url.Values, under string) url.Values {
	part := url.Values{}
	for name, texts := range posted {
		if own, ok := strings.CutPrefix(name, under); ok {
			part[own] = texts
		}
	}
	for _, button := range []string{AddItem, DropItem} {
		if path, ok := strings.CutPrefix(posted.Get(button), under); ok {
			part.Set(button, path)
		}
	}
	return part
}

// Control is a field of a form, with its path.
type Control struct {
	form.Field
	Path string
	in   Spoken
}

func (f Spoken) controls() (open, more []Control) {
	unasked := 0
	for _, field := range f.Form.Form.Fields {
		c := Control{field, field.Name, f}
		if c.HasNoChoice() {
			continue
		}
		if !c.isAsked() && !slices.ContainsFunc(more, c.follows) { // hidden until it's asked for
			open = append(open, c)
			unasked++
			continue
		}
		// boxes next to other boxes add little height
		another := c.Kind == form.KindRefs && slices.ContainsFunc(open, func(c Control) bool {
			return c.Kind == form.KindRefs
		})
		if f.First > 0 && (c.Rare || len(open)-unasked >= f.First && !another) {
			more = append(more, c)
			continue
		}
		open = append(open, c)
	}
	return open, more
}

// opensMore reports whether a field under "more" must be visible.
func opensMore(more []Control) bool {
	return slices.ContainsFunc(more, func(c Control) bool { return c.problem() != "" || c.Kind == form.KindGroup })
}

// inMore says how many fields are under "more", and which of them have another value than usual.
func (f Spoken) inMore(more []Control) (label, changed string) {
	usual, asked := f.Form.Form.DefaultInputs(), 0
	var set []string
	for _, c := range more {
		if !c.isAsked() {
			continue
		}
		asked++
		if !slices.Equal(f.Values[c.Path], usual[c.Path]) && f.Values.Get(c.Path) != usual.Get(c.Path) {
			set = append(set, c.Label())
		}
	}
	return f.Voice.Say("web.form.more", "N", asked), strings.Join(set, ", ")
}

// name returns the name under which the control is posted.
func (c Control) name() string { return c.in.Under + c.Path }

// sibling returns the name of another control in the same form or item.
func (c Control) sibling(field string) string {
	return c.in.Under + strings.TrimSuffix(c.Path, c.Name) + field
}

func (c Control) id() string { return c.in.ID + "-" + strings.ReplaceAll(c.Path, ".", "-") }

// Label returns the label of the control.
func (c Control) Label() string {
	label := c.in.Voice.Field(c.Name)
	if c.Kind == form.KindBool {
		if text, ok := c.in.Voice.Find(c.in.Voice.Game.Word("switch", c.Name)); ok {
			label = text // says what switching it on does
		}
	}
	if c.Assumed && c.in.First > 0 { // at a table, where the other numbers come from sheets
		return c.in.Voice.Say("web.field.assumed", "Name", label)
	}
	return label
}
func (c Control) hint() string { return c.in.Voice.Hint(c.Name) }

// link is the look of a field for an address.
const link = "url"

func (c Control) inputType() string {
	if c.Look == link {
		return link
	}
	return "text"
}

func (c Control) value() string {
	if c.Dice {
		return c.in.Voice.Speaker.Notation(c.in.Values.Get(c.Path))
	}
	return c.in.Values.Get(c.Path)
}

// usual returns the meaning of an empty number, "" if a number is required.
func (c Control) usual() string {
	if n, ok := c.Usual.(int); ok {
		return strconv.Itoa(n)
	}
	return ""
}

func (c Control) problem() string { return c.in.Problems[c.Path] }

// isAdded reports whether the control is the first of an item that was just added to a list.
func (c Control) isAdded() bool { return c.Path == c.in.Added }

// state returns attributes of a control that has an error or was just added. The first such control
// gets the focus.
func (c Control) state() templ.Attributes {
	state := c.chosenBy(c.For)
	switch {
	case c.problem() != "":
		state["aria-invalid"], state["aria-describedby"], state["autofocus"] = "true", c.id()+"-problem", true
	case c.isAdded():
		state["autofocus"] = true
	}
	if c.Required && c.problem() == "" {
		state["aria-invalid"] = "false" // a browser calls an empty one wrong before anybody has filled it in
	}
	return state
}

// described returns an attribute of a control that several elements make up, with its error message.
func (c Control) described() templ.Attributes {
	if c.problem() == "" {
		return nil
	}
	return templ.Attributes{"aria-describedby": c.id() + "-problem"}
}

// chosenBy returns attributes for the script: the values of another control with which this control
// or option is available.
func (c Control) chosenBy(by *form.For) templ.Attributes {
	if by == nil {
		return templ.Attributes{}
	}
	return templ.Attributes{
		"data-for":       c.sibling(by.Field),
		"data-for-value": strings.Join(by.Values, "|"),
	}
}

// option returns attributes for the script: when an option is available, and which other field it
// fills in.
func (c Control) option(o Option) templ.Attributes {
	all := c.chosenBy(o.For)
	if o.Fill.Field != "" {
		all["data-fill"], all["data-fill-value"] = c.sibling(o.Fill.Field), o.Fill.Value
	}
	return all
}

// asksName reports whether a trait that isn't listed can be typed.
func (c Control) asksName() bool { return c.Open && (c.Required || c.Worded) }

// isAsked reports whether the control is asked for, by the value of the control it depends on.
func (c Control) isAsked() bool {
	if !c.besides() {
		return true
	}
	by := c.in.Values.Get(strings.TrimSuffix(c.Path, c.Name) + c.Beside.Field)
	return slices.Contains(c.Beside.Values, by) || c.Beside.Values == nil && by != ""
}

// follows reports whether the control depends on another one.
func (c Control) follows(other Control) bool {
	return c.Beside != nil && other.Path == strings.TrimSuffix(c.Path, c.Name)+c.Beside.Field
}

// besides reports whether the control depends on another of the form.
func (c Control) besides() bool {
	if c.Beside == nil {
		return false
	}
	_, known := c.in.Form.Form.Field(strings.TrimSuffix(c.Path, c.Name) + c.Beside.Field)
	return known
}

// beside returns attributes for the script: the values of another control with which this one is
// asked for.
func (c Control) beside() templ.Attributes {
	if !c.besides() || c.problem() != "" {
		return templ.Attributes{}
	}
	return templ.Attributes{
		"data-beside":       c.sibling(c.Beside.Field),
		"data-beside-value": strings.Join(c.Beside.Values, "|"),
	}
}

// hasExplanations reports whether some options have a description.
func (c Control) hasExplanations() bool {
	return c.in.About != "" && slices.ContainsFunc(c.Options, func(o form.Option) bool { return o.About != "" })
}

// about returns the description of the chosen option, "" if its name says everything.
func (c Control) about() string {
	for _, o := range c.Options {
		if o.Value == c.value() && o.About != "" && c.in.offers(c.Path, o) {
			return c.in.Voice.Say(o.About)
		}
	}
	return ""
}

// offers reports whether an option is available with the present value of the field that it depends
// on.
func (f Form) offers(name string, o form.Option) bool {
	field, _ := f.Form.Field(name)
	return o.For == nil || o.For.Met(f.Values.Get(strings.TrimSuffix(name, field.Name)+o.For.Field))
}

// Does returns the description of the chosen option of a field, "" if its name says everything.
func (f Spoken) Does(name string) string {
	field, known := f.Form.Form.Field(name)
	if !known {
		return ""
	}
	return Control{field, field.Name, f}.about()
}

// describedOptions returns a field's available options that have a description.
func (f Spoken) describedOptions(name string) []Option {
	field, _ := f.Form.Form.Field(name)
	var all []Option
	for _, o := range field.CurrentOptions() {
		if o.About != "" && f.offers(name, o) {
			all = append(all, Option{Option: o, Label: f.Voice.Option(field, o)})
		}
	}
	return all
}

// tip returns the hint as a tooltip, in the composer, which has no space for it.
func (c Control) tip() templ.Attributes {
	if c.in.First == 0 || c.hint() == "" {
		return nil
	}
	return templ.Attributes{"title": c.hint()}
}

// once returns an attribute for the script: the default of a box, to which it returns after the
// move is made.
func (c Control) once(value string) templ.Attributes {
	usual, some := c.Default.([]string)
	if !some {
		return nil
	}
	on := ""
	if slices.Contains(usual, value) {
		on = "on"
	}
	return templ.Attributes{"data-once": on}
}

// Option is an option with its label.
type Option struct {
	form.Option
	Label string
	On    bool
}

// Group is a list of options under one heading.
type Group struct {
	Label   string
	Options []Option
}

// options returns the options of a control by heading, those without one first in a group without a
// label. A control that isn't required also gets an empty option.
func (c Control) options() []Group {
	var groups []Group
	add := func(head string, o Option) {
		if n := len(groups); n == 0 || groups[n-1].Label != head {
			groups = append(groups, Group{Label: head})
		}
		last := &groups[len(groups)-1]
		last.Options = append(last.Options, o)
	}
	value := c.chosen()
	named := value == ""
	if open := c.open(); open != "" {
		add("", Option{Option: form.Option{}, Label: open, On: value == ""})
	}
	for _, o := range c.CurrentOptions() {
		label := c.in.Voice.Option(c.Field, o)
		if o.Starred {
			label += " ★"
		}
		if o.Worth != "" {
			label += c.in.Voice.worth(o.Worth)
		}
		head := ""
		if o.Group != "" {
			head = c.in.Voice.Say(o.Group)
		}
		named = named || o.Value == value
		add(head, Option{Option: o, Label: label, On: o.Value == value})
	}
	if c.Kind == form.KindTrait && c.Open {
		if c.asksName() {
			add("", Option{Option: form.Option{Value: Other}, Label: c.in.Voice.Say("web.form.another"), On: !named})
		} else {
			add("", Option{
				Option: form.Option{Value: string(form.Yes)}, Label: c.in.Voice.Say("web.form.unnamed"),
				On: value == string(form.Yes),
			})
		}
	}
	return groups
}

// crowd is the number of NPCs above which their boxes are folded.
const crowd = 4

// people splits a control's boxes into visible ones and NPCs that are folded because there are
// many. Without any others, the first NPCs are visible.
func (c Control) people() (open, folded []Option) {
	for _, g := range c.options() {
		for _, o := range g.Options {
			switch {
			case o.Value == "":
			case o.NPC:
				folded = append(folded, o)
			default:
				open = append(open, o)
			}
		}
	}
	switch {
	case len(folded) <= crowd:
		return append(open, folded...), nil
	case len(open) == 0:
		return folded[:crowd-1], folded[crowd-1:]
	}
	return open, folded
}

// ticks reports whether one of the boxes is ticked.
func (c Control) ticks(boxes []Option) bool {
	return slices.ContainsFunc(boxes, func(o Option) bool { return slices.Contains(c.in.Values[c.Path], o.Value) })
}

// chosen returns the value, "" if it's left over from an earlier move and no longer offered, such
// as a condition that has passed.
func (c Control) chosen() string {
	value := c.value()
	if (c.Kind == form.KindChoice || c.Kind == form.KindRef) &&
		!slices.ContainsFunc(c.CurrentOptions(), func(o form.Option) bool {
			return o.Value == value
		}) {
		return ""
	}
	return value
}

// open returns the label of the empty option, "" if a value is required or the field has its own
// empty option.
func (c Control) open() string {
	if slices.ContainsFunc(c.Field.Options, func(o form.Option) bool { return o.Value == "" }) {
		return ""
	}
	if c.Required {
		if c.chosen() == "" {
			return c.in.Voice.Say("web.form.choose")
		}
		return ""
	}
	if c.Kind == form.KindChoice && c.Default != nil {
		return ""
	}
	return c.in.Voice.Option(c.Field, form.Option{})
}

// typedName returns a typed value that isn't on the trait's list.
func (c Control) typedName() string {
	value := c.value()
	if value == "" || slices.ContainsFunc(c.Field.Options, func(o form.Option) bool { return o.Value == value }) {
		return ""
	}
	return value
}

// isSegmented reports whether the options are few and short enough to be shown side by side.
func (c Control) isSegmented() bool {
	groups := c.options()
	if len(groups) != 1 || len(groups[0].Options) > 6 {
		return false
	}
	width := 0
	for _, o := range groups[0].Options {
		width += len([]rune(o.Label)) + 2
	}
	return width <= 56 && (c.Kind == form.KindChoice || c.Kind == form.KindRef)
}

// barren reports whether the only option is empty, as with fallouts when nobody has one.
func (c Control) barren() bool {
	groups := c.options()
	return len(groups) == 1 && len(groups[0].Options) == 1 && groups[0].Options[0].Value == ""
}

// item is one item of a list, with its controls.
type item struct {
	Path     string
	Number   int // from 1
	Controls []Control
}

// numbers returns the numbers of a list's items in the names of values, sorted.
func numbers(values url.Values, list string) []int {
	var all []int
	for name := range values {
		if rest, ok := strings.CutPrefix(name, list+"."); ok {
			index, _, _ := strings.Cut(rest, ".")
			if n, err := strconv.Atoi(index); err == nil && n >= 0 {
				all = append(all, n)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// next returns a number after all items of a list.
func next(values url.Values, list string) int {
	all := numbers(values, list)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1] + 1
}

// items returns the items of a list.
func (c Control) items() []item {
	at := numbers(c.in.Values, c.Path)
	items := make([]item, len(at))
	for i, n := range at {
		items[i] = item{Path: c.Path + "." + strconv.Itoa(n), Number: i + 1}
		for _, f := range c.Fields {
			items[i].Controls = append(items[i].Controls, Control{f, items[i].Path + "." + f.Name, c.in})
		}
	}
	return items
}

// parts returns the controls of a group.
func (c Control) parts() []Control {
	parts := make([]Control, len(c.Fields))
	for i, f := range c.Fields {
		parts[i] = Control{f, c.Path + "." + f.Name, c.in}
	}
	return parts
}

// Names of the buttons that add or remove an item of a list; their values are paths.
const (
	AddItem  = Own + "add"
	DropItem = Own + "drop"
)

// Resize handles a button that adds or removes a list's item. added is the path of a new item's
// first control. ok is false if no such button was pressed.
func Resize(f *form.Form, posted, values url.Values) (changed url.Values, added string, ok bool) {
	if path := posted.Get(AddItem); path != "" {
		list, known := f.Field(path)
		if !known || list.Kind != form.KindList {
			return values, "", true
		}
		prefix := path + "." + strconv.Itoa(next(values, path)) + "."
		form.AddDefaults(values, list.Fields, prefix)
		for _, field := range list.Fields { // an item exists if it has a value
			if !values.Has(prefix+field.Name) && field.Kind != form.KindBool && !field.Kind.HasFields() {
				values.Set(prefix+field.Name, "")
			}
		}
		return values, prefix + list.Fields[0].Name, true
	}
	if path := posted.Get(DropItem); path != "" {
		maps.DeleteFunc(values, func(name string, _ []string) bool { return strings.HasPrefix(name, path+".") })
		return values, "", true
	}
	return values, "", false
}

// OnlyYesNo returns the only field of a form that just asks yes or no.
func (f Spoken) OnlyYesNo() (Control, bool) {
	if len(f.Form.Form.Fields) != 1 || f.Form.Form.Fields[0].Kind != form.KindBool {
		return Control{}, false
	}
	return Control{f.Form.Form.Fields[0], f.Form.Form.Fields[0].Name, f}, true
}
