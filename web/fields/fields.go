// Package fields draws the forms of the form model: what each control holds and is called, what is
// wrong with it, and what is read of it when it's sent.
//
// It knows no page: a form stands at tables, in questions, beside odds and under settings alike.
package fields

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/form"
	"norn/game"
)

// Form is a form as it stands on a page: what each control holds and what
// is wrong with it.
type Form struct {
	Form     *form.Form
	ID       string            // begins the id of every control, so that ids on a page differ
	Values   url.Values        // what the controls hold, named as form.Values reads them
	Problems map[string]string // words by path; "" for the whole
	Added    string            // path of the control that has the focus, since its item was just added to a list
	About    string            // the address that tells what options do, "" for none
	Like     string            // faces as they may be typed, for a question that asks for some
	// so many fields stand in the open, the rest under "more" unless they're ticked as one in the
	// open is; 0 for all
	First int
}

// Spoken is a form in the words of its reader.
type Spoken struct {
	Form
	Voice Voice
}

// In returns the form in the words of a reader.
func (f Form) In(v Voice) Spoken { return Spoken{f, v} }

// Lists tells whether there is a list, whose buttons Enter mustn't press.
func (f Form) Lists() bool {
	return slices.ContainsFunc(f.Form.Fields, func(field form.Field) bool { return field.Kind == form.KindList })
}

// WithoutProblems are the fields without what is wrong with them, where that is said
// elsewhere.
func (f Form) WithoutProblems() Form {
	f.Problems = nil
	return f
}

// Blames say what is wrong, in the order of the fields.
func (f Form) Blames() []string {
	place := func(path string) int {
		name, _, _ := strings.Cut(path, ".")
		return slices.IndexFunc(f.Form.Fields, func(field form.Field) bool { return field.Name == name })
	}
	var texts []string
	for _, path := range slices.SortedFunc(maps.Keys(f.Problems), func(a, b string) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a, b))
	}) {
		texts = append(texts, f.Problems[path])
	}
	return texts
}

// Own begins the names of controls that are the page's and no field of a form;
// no field's name begins so.
const Own = "_"

// Other is the control beside a trait's list for a name that isn't on it.
const Other = Own + "other"

// DefaultValues gives what the controls of an untouched form hold: the defaults.
func DefaultValues(f *form.Form) url.Values {
	values := url.Values{}
	Offer(values, f.Fields, "")
	return values
}

// Offer puts defaults into values.
func Offer(values url.Values, fs []form.Field, prefix string) {
	for _, f := range fs {
		path := prefix + f.Name
		switch value := f.Default.(type) {
		case bool:
			if value {
				values.Set(path, "on")
			}
		case int:
			values.Set(path, strconv.Itoa(value))
		case string:
			values.Set(path, value)
		case form.Trait:
			values.Set(path, string(value))
		case []string:
			values[path] = slices.Clone(value)
		}
		if f.Kind == form.KindGroup {
			Offer(values, f.Fields, path+".")
		}
	}
}

// FormValues takes what is the page's own out of a posted form, and puts names that
// were typed beside a trait's list into the trait's place.
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

// Control is one field of a form with the path that names it.
type Control struct {
	form.Field
	Path string
	in   Spoken
}

func (f Spoken) controls() (open, more []Control) {
	unasked := 0
	for _, field := range f.Form.Form.Fields {
		c := Control{field, field.Name, f}
		if c.idle() {
			continue
		}
		if !c.isAsked() && len(more) == 0 { // takes no room until it is
			open = append(open, c)
			unasked++
			continue
		}
		// a row of boxes beside one makes the form little higher
		another := c.Kind == form.KindRefs && slices.ContainsFunc(open, func(c Control) bool {
			return c.Kind == form.KindRefs
		})
		if f.First > 0 && len(open)-unasked >= f.First && !another {
			more = append(more, c)
			continue
		}
		open = append(open, c)
	}
	return open, more
}

// moreWanted tells whether a field under "more" holds something, or is wrong,
// so that it must be seen.
func (f Spoken) moreWanted(more []Control) bool {
	usual := DefaultValues(f.Form.Form)
	for _, c := range more {
		if c.problem() != "" || c.Kind == form.KindGroup {
			return true
		}
		if !slices.Equal(f.Values[c.Path], usual[c.Path]) && f.Values.Get(c.Path) != usual.Get(c.Path) {
			return true
		}
	}
	return false
}

// moreLabel names what stands under "more".
func (f Spoken) moreLabel(more []Control) string {
	return strings.Join(game.Each(more, Control.Label), ", ")
}

// idle tells whether there is nothing to choose from, so that the field needs
// not be asked.
func (c Control) idle() bool {
	switch c.Kind {
	case form.KindRef, form.KindRefs:
		return !c.Required && c.Options != nil && len(c.CurrentOptions()) == 0
	case form.KindTrait:
		return !c.Required && !c.Open && c.Options != nil && len(c.Options) == 0
	case form.KindChoice:
		return len(c.Options) == 1 && c.Options[0].Value == ""
	}
	return false
}

func (c Control) id() string { return c.in.ID + "-" + strings.ReplaceAll(c.Path, ".", "-") }

// Label is what a control is called.
func (c Control) Label() string {
	label := c.in.Voice.Field(c.Name)
	if id := c.in.Voice.Game.Word("switch", c.Name); c.Kind == form.KindBool && c.in.Voice.Has(id) {
		label = c.in.Voice.Say(id) // what switching it on does
	}
	if c.Assumed && c.in.First > 0 { // at a table, where what isn't assumed stands on sheets
		return c.in.Voice.Say("web.field.assumed", "Name", label)
	}
	return label
}
func (c Control) hint() string { return c.in.Voice.Hint(c.Name) }

// link is the look of a text that is a link.
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

// usual is what an empty number usually means, "" where there's no empty one.
func (c Control) usual() string {
	if n, ok := c.Usual.(int); ok {
		return strconv.Itoa(n)
	}
	return ""
}

func (c Control) problem() string { return c.in.Problems[c.Path] }

// isAdded tells whether a control begins the item that was just added to a list.
func (c Control) isAdded() bool { return c.Path == c.in.Added }

// state are the attributes of a control that is looked for: what it holds is
// wrong, or it was just added. The first of them has the focus.
func (c Control) state() templ.Attributes {
	state := c.chosenBy(c.For)
	switch {
	case c.problem() != "":
		state["aria-invalid"], state["aria-describedby"], state["autofocus"] = "true", c.id()+"-problem", true
	case c.isAdded():
		state["autofocus"] = true
	}
	return state
}

// chosenBy tells script which control must be chosen for what is typed, or for an option.
func (c Control) chosenBy(by *form.For) templ.Attributes {
	if by == nil {
		return templ.Attributes{}
	}
	return templ.Attributes{
		"data-for":       strings.TrimSuffix(c.Path, c.Name) + by.Field,
		"data-for-value": strings.Join(by.Values, "|"),
	}
}

// option tells script where an option is offered, and what it fills in.
func (c Control) option(o Option) templ.Attributes {
	all := c.chosenBy(o.For)
	if o.Fill.Field != "" {
		all["data-fill"], all["data-fill-value"] = strings.TrimSuffix(c.Path, c.Name)+o.Fill.Field, o.Fill.Value
	}
	return all
}

// asksName tells whether another trait than those listed is asked for by name.
func (c Control) asksName() bool { return c.Open && (c.Required || c.Worded) }

// isAsked tells whether what is chosen has the control asked for.
func (c Control) isAsked() bool {
	if !c.besides() {
		return true
	}
	by := c.in.Values.Get(strings.TrimSuffix(c.Path, c.Name) + c.Beside.Field)
	return slices.Contains(c.Beside.Values, by) || c.Beside.Values == nil && by != ""
}

// besides tells whether the control depends on another of the form's.
func (c Control) besides() bool {
	if c.Beside == nil {
		return false
	}
	_, known := c.in.Form.Form.Field(strings.TrimSuffix(c.Path, c.Name) + c.Beside.Field)
	return known
}

// beside tells script where the control is asked for.
func (c Control) beside() templ.Attributes {
	if !c.besides() || c.problem() != "" {
		return templ.Attributes{}
	}
	return templ.Attributes{
		"data-beside":       strings.TrimSuffix(c.Path, c.Name) + c.Beside.Field,
		"data-beside-value": strings.Join(c.Beside.Values, "|"),
	}
}

// was are marks of what the composer's boxes have been for, where some are ticked when it opens: who fills it in hasn't
// seen what came later.
func (c Control) was() string {
	if c.in.First == 0 || c.Default == nil {
		return ""
	}
	return strings.Join(Marks(c.Field), " ")
}

// hasExplanations tells whether there is more to say of some options than their names.
func (c Control) hasExplanations() bool {
	return c.in.About != "" && slices.ContainsFunc(c.Options, func(o form.Option) bool { return o.About != "" })
}

// about says what the chosen option does, "" where its name says it all.
func (c Control) about() string {
	for _, o := range c.Options {
		if o.Value == c.value() && o.About != "" && c.in.offers(c.Path, o) {
			return c.in.Voice.Say(o.About)
		}
	}
	return ""
}

// offers tells whether an option of a field belongs to what is chosen beside it.
func (f Form) offers(name string, o form.Option) bool {
	field, _ := f.Form.Field(name)
	return o.For == nil || o.For.Met(f.Values.Get(strings.TrimSuffix(name, field.Name)+o.For.Field))
}

// Does says what the chosen option of a field does, "" where its name says it all.
func (f Spoken) Does(name string) string {
	field, known := f.Form.Form.Field(name)
	if !known {
		return ""
	}
	return Control{field, field.Name, f}.about()
}

// describedOptions are a field's options of which there is something to say, without those that
// belong to another choice.
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

// tip is the hint in the composer, where there is no room for it.
func (c Control) tip() templ.Attributes {
	if c.in.First == 0 || c.hint() == "" {
		return nil
	}
	return templ.Attributes{"title": c.hint()}
}

// once says of a box that is ticked when a form opens how it is usually: a press makes it so again.
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

// Group are options under one heading.
type Group struct {
	Label   string
	Options []Option
}

// options are the choices of a control, those without a heading first in a
// group without a label. What isn't required may be left open.
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
		switch {
		case c.in.Voice.Has(o.Worth):
			label += ": " + c.in.Voice.Say(o.Worth)
		case o.Worth != "":
			label += " " + c.in.Voice.Speaker.Notation(o.Worth)
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

// crowd is how many NPCs boxes offer before they're folded away.
const crowd = 4

// people splits the boxes of a control into those in the open and the NPCs that are folded away where
// they're many. Where there's nobody else, the first of them stay in the open.
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

// chosen is the value, "" where it was chosen for an earlier move and isn't
// offered any more, such as a condition that has passed.
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

// open is the label of "nothing chosen", "" where something must be, or where
// the field has an option of its own for it.
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

// typedName is what was typed beside a trait's list.
func (c Control) typedName() string {
	value := c.value()
	if value == "" || slices.ContainsFunc(c.Field.Options, func(o form.Option) bool { return o.Value == value }) {
		return ""
	}
	return value
}

// isSegmented tells whether the choices are few and short enough to lie open.
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

// barren reports a choice with nothing to choose from, such as a fallout where nobody has one.
func (c Control) barren() bool {
	groups := c.options()
	return len(groups) == 1 && len(groups[0].Options) == 1 && groups[0].Options[0].Value == ""
}

// item is one item of a list, with its controls.
type item struct {
	Path     string
	Number   int // as people count
	Controls []Control
}

// numbers are those of a list's items in the names of values, in their order.
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

// next is the number of the item that comes after all of a list.
func next(values url.Values, list string) int {
	all := numbers(values, list)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1] + 1
}

// items are the items that a list's controls hold.
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

// parts are the controls of a group.
func (c Control) parts() []Control {
	parts := make([]Control, len(c.Fields))
	for i, f := range c.Fields {
		parts[i] = Control{f, c.Path + "." + f.Name, c.in}
	}
	return parts
}

// The buttons that change how many items a list has; their values are paths.
const (
	AddItem  = Own + "add"
	DropItem = Own + "drop"
)

// Resize carries out a button that adds or drops a list's item. added is the
// path of what begins a new item. ok is false when no such button was pressed.
func Resize(f *form.Form, posted, values url.Values) (changed url.Values, added string, ok bool) {
	if path := posted.Get(AddItem); path != "" {
		list, known := f.Field(path)
		if !known || list.Kind != form.KindList {
			return values, "", true
		}
		prefix := path + "." + strconv.Itoa(next(values, path)) + "."
		Offer(values, list.Fields, prefix)
		for _, field := range list.Fields { // an item is there when one of its controls is
			if !values.Has(prefix+field.Name) && field.Kind != form.KindBool && field.Kind != form.KindList &&
				field.Kind != form.KindGroup {
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

// OnlyYesNo is the field of a form that asks nothing but yes or no.
func (f Spoken) OnlyYesNo() (Control, bool) {
	if len(f.Form.Form.Fields) != 1 || f.Form.Form.Fields[0].Kind != form.KindBool {
		return Control{}, false
	}
	return Control{f.Form.Form.Fields[0], f.Form.Form.Fields[0].Name, f}, true
}

// Marks tell boxes apart: those of the same place too, where what they are for has changed.
func Marks(f form.Field) []string {
	all := make([]string, len(f.Options))
	for i, o := range f.Options {
		h := fnv.New32a()
		fmt.Fprint(h, o.Value, o.Text, o.Word, o.After)
		all[i] = strconv.FormatUint(uint64(h.Sum32()), 36)
	}
	return all
}

// Sends are the values as a page sends them on which the fields stand.
func (f Form) Sends() url.Values {
	sent := url.Values{}
	maps.Copy(sent, f.Values)
	if f.Form == nil {
		return sent
	}
	for path, field := range f.Form.All() {
		if was := (Control{field, path, Spoken{Form: f}}).was(); field.Kind == form.KindRefs && was != "" {
			sent.Set(Ticked+path, was)
		}
	}
	return sent
}

// Ticked begins the names of what says for which boxes a composer was made.
const Ticked = Own + "was."
