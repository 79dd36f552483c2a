package script

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"norn/form"
	"norn/game"
)

// book collects the declarations of a script while it's run once.
type book struct {
	scan     *scan
	id       string
	name     string
	about    string
	lang     string
	rules    []ruleText
	kinds    []*kind
	outcomes []*outcome
	asks     []*question
	moves    []*move
	settings []*field
	dice     []*ownDie
	decks    []*deck
	stock    []*sample
	ready    []*sample
	demo     *demo
	declared starlark.StringDict
	alone    bool            // a single rule without a game, for its odds: see CompileRule
	reading  bool            // the script is being read, so declarations are allowed
	texts    map[string]bool // texts that may be shown to people
	unshown  map[string]bool // those of them that the text only works with, as "a, b" in "a, b".split(", ")

	thrownFor map[string]string // ids of the purposes of throws
	problems  []*Problem        // mistakes met so far
}

type ruleText struct{ id, text string }

// kind is a declared kind of sheet.
type kind struct {
	thing
	id     string
	label  string
	player bool
	nobody bool
	scene  bool // a thing in which people act
	fields []*field
	state  *starlark.Function
	check  *starlark.Function
	shape  *shape
}

// outcome is a declared outcome of a move.
type outcome struct {
	thing
	id            string
	label, short  string
	tone          game.Tone
	counts, fewer bool
}

// totalID is the outcome of a rule that returns a number.
const totalID = "total"

// totals returns the only outcome of rules that return a number. All of them share it.
func (b *book) totals() []*outcome {
	at := slices.IndexFunc(b.outcomes, func(o *outcome) bool { return o.id == totalID })
	if at < 0 {
		at = len(b.outcomes)
		b.texts["{n}"] = true
		b.outcomes = append(b.outcomes, &outcome{
			thing: thing{what: "outcome", name: totalID}, id: totalID, label: "{n}", tone: game.Neutral, counts: true,
		})
	}
	return b.outcomes[at : at+1 : at+1]
}

// countedOutcome is an outcome with its number.
type countedOutcome struct {
	*outcome
	n int
}

func (o *outcome) Name() string { return o.name }

// CallInternal returns the outcome with a number.
func (o *outcome) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error,
) {
	var n int
	if err := starlark.UnpackPositionalArgs(o.name, args, kwargs, 1, &n); err != nil {
		return nil, err
	}
	if !o.counts {
		return nil, wrong("counts-nothing", "Name", o.name)
	}
	return &countedOutcome{o, n}, nil
}

// question is a declared question, asked during a rule.
type question struct {
	thing
	id     string
	label  string
	fields []*field
	shape  *shape
}

// move is a declared move.
type move struct {
	thing
	id       string
	rule     *starlark.Function
	label    string
	about    string
	by       []*kind
	gm       bool
	fields   []*field
	outcomes []*outcome
	chances  []chance
	bare     []string // fields of the sheet that are asked for without a sheet; nil: those that the rule reads
	noBare   bool
	offers   bool // it's made only by taking an offer
	between  bool // it's suggested between sessions
	ticked   bool // and ticked there beforehand
	odds     bool
	mark     starlark.Value
	shape    *shape
	pool     *starlark.Function
	turn     game.Ordering
}

type chance struct {
	id, text string
	outcomes []*outcome
}

// sample is a declared ready character, for play or for the demo.
type sample struct {
	thing
	kind   *kind
	label  string
	player bool
	sheet  starlark.StringDict
}

type demo struct {
	name  string
	cast  []*sample
	story []*beat
}

type beat struct {
	thing
	move    string
	by      string
	args    starlark.StringDict
	dice    []int
	answers []starlark.Value
}

var (
	goodID   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	ruleID   = regexp.MustCompile(`^[A-Z]{2}-\d{2}$`)
	reserved = []string{"dice", "form", "lang", "page", "table", "web", "chat", "odds", "script", "norn", "game"}
)

// gm is the game master, as the addressee of questions and the actor of moves.
var gm = &thing{what: "gm", name: "gm"}

type declaring func(b *book, d *given) (starlark.Value, error)

// given holds the arguments of a declaration.
type given struct {
	name   string
	pos    syntax.Position
	args   starlark.Tuple
	kwargs []starlark.Tuple
	field  bool // a field is declared
}

func (b *book) builtin(name string, declare declaring) *starlark.Builtin {
	return starlark.NewBuiltin(name,
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			if !b.reading {
				return nil, wrong("in-rule")
			}
			return b.tries(thread, declare,
				&given{name: name, pos: thread.CallFrame(1).Pos, args: args, kwargs: kwargs})
		})
}

// text takes the next positional argument, which must be a text.
func (d *given) text() (string, error) {
	if len(d.args) == 0 {
		return "", d.wrong("text-missing")
	}
	text, ok := starlark.AsString(d.args[0])
	if !ok {
		return "", d.wrong("text-first", "Got", typeOf(d.args[0]))
	}
	d.args = d.args[1:]
	return text, nil
}

// take takes an argument by its name.
func (d *given) take(name string) (starlark.Value, bool) {
	for i, pair := range d.kwargs {
		if string(pair[0].(starlark.String)) == name {
			d.kwargs = slices.Delete(slices.Clone(d.kwargs), i, i+1)
			return pair[1], true
		}
	}
	return nil, false
}

func (d *given) flag(name string) (bool, error) {
	v, ok := d.take(name)
	if !ok {
		return false, nil
	}
	b, ok := v.(starlark.Bool)
	if !ok {
		return false, wrong("want-flag", "Name", name, "Got", typeOf(v))
	}
	return bool(b), nil
}

func (d *given) word(name string) (string, error) {
	v, ok := d.take(name)
	if !ok {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return "", wrong("want-text", "Name", name, "Got", typeOf(v))
	}
	return text, nil
}

func (d *given) number(name string, otherwise int) (int, error) {
	v, ok := d.take(name)
	if !ok && len(d.args) > 0 {
		v, ok = d.args[0], true
		d.args = d.args[1:]
	}
	if !ok {
		return otherwise, nil
	}
	n, err := starlark.AsInt32(v)
	if err != nil {
		return 0, wantNumber(name, v)
	}
	return n, nil
}

func (d *given) function(name string) (*starlark.Function, error) {
	v, ok := d.take(name)
	if !ok {
		return nil, nil
	}
	fn, ok := v.(*starlark.Function)
	if !ok {
		return nil, wrong("want-function", "Name", name, "Got", typeOf(v))
	}
	return fn, nil
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

// checkEmpty returns an error if there are arguments left.
func (d *given) checkEmpty() error {
	if len(d.args) > 0 {
		return d.wrong("argument-extra", "Value", typeOf(d.args[0])) // in a rule, the value may be secret
	}
	if len(d.kwargs) > 0 {
		return d.wrong("argument-unknown", "Name", d.kwargs[0][0].(starlark.String).GoString())
	}
	return nil
}

// declarations are the functions that can be called outside of rules.
var declarations = map[string]declaring{
	"game": declareGame, "rules": declareRules, "settings": declareSettings,
	"sheet":   func(b *book, d *given) (starlark.Value, error) { return declareKind(b, d, true, false) },
	"npc":     func(b *book, d *given) (starlark.Value, error) { return declareKind(b, d, false, false) },
	"thing":   func(b *book, d *given) (starlark.Value, error) { return declareKind(b, d, false, true) },
	"triumph": ofTone(game.Triumph), "good": ofTone(game.Good), "mixed": ofTone(game.Mixed),
	"neutral": ofTone(game.Neutral),
	"bad":     ofTone(game.Bad), "disaster": ofTone(game.Disaster),
	"number": declareNumber, "track": declareTrack, "flag": ofKind(form.KindBool), "text": ofKind(form.KindText),
	"prose":  ofKind(form.KindProse),
	"choice": declareChoice, "items": declareItems, "pick": declarePick, "picks": declarePick,
	"pick_item": declarePickItem,
	"die":       declareDie, "deck": declareDeck, "pile": declarePile, "hand": declareHand, "some": declareSome,
	"group": declareGroup, "question": declareQuestion, "move": declareMove, "stock": declareStock, "demo": declareDemo,
	"ready": declareReady, "made": declareMade,
}

func declareGame(b *book, d *given) (_ starlark.Value, err error) {
	if b.name != "" {
		return nil, wrong("only-one")
	}
	if b.name, err = d.text(); err != nil {
		return nil, err
	}
	id, err := d.word("id")
	if err != nil {
		return nil, err
	}
	if b.about, err = d.word("about"); err != nil {
		return nil, err
	}
	if b.lang, err = d.word("language"); err != nil {
		return nil, err
	}
	if b.lang == "" {
		b.lang = "en"
	}
	if known := []string{"en", "ru", "uk"}; !slices.Contains(known, b.lang) {
		return nil, oneOf("language", known)
	}
	if id == "" {
		id = slug(b.name)
	}
	if !goodID.MatchString(id) || len(id) > 40 || slices.Contains(reserved, id) {
		return nil, wrong("game-id", "ID", id)
	}
	b.id = id
	return starlark.None, d.checkEmpty()
}

func declareRules(b *book, d *given) (starlark.Value, error) {
	if len(d.args) != 1 {
		return nil, d.wrong("usage")
	}
	all, ok := d.args[0].(*starlark.Dict)
	if !ok {
		return nil, d.wrong("usage")
	}
	for _, pair := range all.Items() {
		id, _ := starlark.AsString(pair[0])
		text, ok := starlark.AsString(pair[1])
		if !ok || !ruleID.MatchString(id) {
			return nil, d.wrong("rule-id", "ID", pair[0])
		}
		b.rules = append(b.rules, ruleText{id, text})
	}
	d.args = nil
	return starlark.None, d.checkEmpty()
}

// group is a number of fields of a sheet under one heading.
type group struct {
	thing
	fields []*field
}

func declareGroup(_ *book, d *given) (starlark.Value, error) {
	head, err := d.text()
	if err != nil {
		return nil, err
	}
	g := &group{thing: thing{what: "group", pos: d.pos}, fields: d.fields()}
	if len(g.fields) == 0 {
		return nil, d.wrong("fields-missing")
	}
	for _, f := range g.fields {
		f.head = head
	}
	return g, d.checkEmpty()
}

// fields takes all named arguments that are fields.
func (d *given) fields() (fields []*field) {
	var rest []starlark.Tuple
	for _, pair := range d.kwargs {
		name := string(pair[0].(starlark.String))
		switch f := pair[1].(type) {
		case *field:
			fields = append(fields, f.withName(name))
		case *pile:
			fields = append(fields, f.drawn.withName(name), f.discard.withName(name+"_discard"))
		default:
			rest = append(rest, pair)
		}
	}
	d.kwargs = rest
	return fields
}

// withName returns the field with its name set.
func (f *field) withName(name string) *field {
	own := *f
	own.name, own.id = name, idOf(name)
	if own.once {
		own.placeItem()
	}
	return &own
}

// tellApart gives a field of a question or move an id of its own if others of that name have another
// label: words are found by the id.
func (b *book) tellApart() {
	labels := map[string]string{}
	var take func([]*field)
	take = func(fields []*field) {
		for _, f := range fields {
			labels[f.id] = f.label
			take(f.fields)
		}
	}
	own := func(owner string, fields []*field) {
		for _, f := range fields {
			apart := owner + "-" + f.id
			if label, known := labels[f.id]; known && label != f.label && labels[apart] == "" &&
				!slices.ContainsFunc(fields, func(other *field) bool { return other.id == apart }) {
				f.id = apart
			}
		}
		take(fields)
	}
	for _, k := range b.kinds {
		take(k.fields)
	}
	take(b.settings)
	for _, q := range b.asks {
		own(q.id, q.fields)
	}
	for _, m := range b.moves {
		own(m.id, m.fields)
	}
}

// checkNames returns an error for names of fields that forms don't allow.
func checkNames(fields []*field) error {
	for _, f := range fields {
		if !goodID.MatchString(f.id) {
			return at(f.pos, wrong("name", "Name", f.name))
		}
		if err := checkNames(f.fields); err != nil {
			return err
		}
	}
	return nil
}

func declareKind(b *book, d *given, player, nobody bool) (starlark.Value, error) {
	k := &kind{thing: thing{what: "sheet", pos: d.pos}, player: player, nobody: nobody}
	var err error
	if k.label, err = d.text(); err != nil {
		return nil, err
	}
	for len(d.args) > 0 {
		g, ok := d.args[0].(*group)
		if !ok {
			break
		}
		k.fields, d.args = append(k.fields, g.fields...), d.args[1:]
	}
	k.fields = append(k.fields, d.fields()...)
	if k.state, err = d.function("state"); err != nil {
		return nil, err
	}
	if k.check, err = d.function("check"); err != nil {
		return nil, err
	}
	if k.scene, err = d.flag("scene"); err != nil {
		return nil, err
	}
	if k.scene && !nobody {
		return nil, wrong("scene")
	}
	for _, f := range k.fields {
		if f.place == placeHand && nobody {
			return nil, inside(f.name, wrong("thing-hand"))
		}
		if player && f.secret && f.required {
			return nil, inside(f.name, wrong("secret-required"))
		}
		if f.kind == form.KindRef || f.kind == form.KindRefs || f.list != "" {
			return nil, inside(f.name, wrong("sheet-pick"))
		}
	}
	if err := checkNames(k.fields); err != nil {
		return nil, err
	}
	b.kinds = append(b.kinds, k)
	return k, d.checkEmpty()
}

func ofTone(tone game.Tone) declaring {
	return func(b *book, d *given) (_ starlark.Value, err error) {
		o := &outcome{thing: thing{what: "outcome", pos: d.pos}, tone: tone}
		if o.label, err = d.text(); err != nil {
			return nil, err
		}
		if o.short, err = d.word("short"); err != nil {
			return nil, err
		}
		if o.counts, err = d.flag("counts"); err != nil {
			return nil, err
		}
		if o.fewer, err = d.flag("less"); err != nil {
			return nil, err
		}
		b.outcomes = append(b.outcomes, o)
		return o, d.checkEmpty()
	}
}

// begin returns a field with the attributes that all fields may have.
func (d *given) begin(kind form.Kind) (f *field, err error) {
	d.field = true
	f = &field{thing: thing{what: "field", pos: d.pos}, kind: kind}
	if f.label, err = d.text(); err != nil {
		return nil, err
	}
	if f.start, _ = d.take("start"); f.start != nil && kind == form.KindList {
		return nil, wrong("start-empty")
	}
	for name, into := range map[string]*bool{"secret": &f.secret, "hides": &f.hides, "required": &f.required} {
		if *into, err = d.flag(name); err != nil {
			return nil, err
		}
	}
	for name, into := range map[string]*string{
		"changed": &f.changed, "more": &f.more, "less": &f.less,
		"hint": &f.hint,
	} {
		if *into, err = d.word(name); err != nil {
			return nil, err
		}
	}
	if f.only, err = d.only(); err != nil {
		return nil, err
	}
	if f.hides && kind != form.KindBool {
		return nil, wrong("hides")
	}
	return f, nil
}

// only parses the choice or flag that a field needs: {"price": ["thing"]}, "hard".
func (d *given) only() (*only, error) {
	value, ok := d.take("only")
	if !ok {
		return nil, nil
	}
	if name, ok := starlark.AsString(value); ok {
		return &only{field: name}, nil
	}
	dict, ok := value.(*starlark.Dict)
	if !ok || dict.Len() != 1 {
		return nil, wrong("only")
	}
	of := &only{}
	pair := dict.Items()[0]
	of.field, _ = starlark.AsString(pair[0])
	for value := range elements(pair[1]) {
		id, _ := starlark.AsString(value)
		of.values = append(of.values, id)
	}
	if of.field == "" || len(of.values) == 0 {
		return nil, wrong("only")
	}
	return of, nil
}

func ofKind(kind form.Kind) declaring {
	return func(_ *book, d *given) (starlark.Value, error) {
		f, err := d.begin(kind)
		if err != nil {
			return nil, err
		}
		switch _, ok := f.start.(starlark.Bool); {
		case f.start != nil && kind != form.KindBool:
			return nil, wrong("start-empty")
		case f.start != nil && !ok:
			return nil, wrong("want-flag", "Name", "start", "Got", typeOf(f.start))
		case kind == form.KindBool && f.required:
			return nil, wrong("flag-required")
		}
		return f, d.checkEmpty()
	}
}

const (
	maxNumber = 1_000_000
	maxSlices = 12 // segments of a clock
)

func declareNumber(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindInt)
	if err != nil {
		return nil, err
	}
	if f.min, err = d.number("min", 0); err != nil {
		return nil, err
	}
	if f.max, err = d.number("max", 0); err != nil {
		return nil, err
	}
	return f, setRange(f, d)
}

// looks are the ways to draw a number; the first is the default.
var looks = []string{"boxes", "dots", "bar", "clock"}

// setRange sets a number's range and how it's drawn.
func setRange(f *field, d *given) (err error) {
	if f.look, err = d.word("look"); err != nil {
		return err
	}
	switch {
	case f.look == looks[0]:
		f.look = ""
	case f.look != "" && !slices.Contains(looks, f.look):
		return oneOf("look", looks)
	case f.look == "clock" && f.max > maxSlices:
		return wrong("clock", "Max", maxSlices)
	case f.look != "" && f.min < 0:
		return wrong("look-negative")
	}
	if f.track && (f.max < 1 || f.max > maxNumber) {
		return between("max", 1, maxNumber, f.max)
	}
	if f.min < -maxNumber || f.max > maxNumber || f.min >= f.max {
		return d.wrong("range", "Max", maxNumber)
	}
	if f.start != nil {
		n, err := starlark.AsInt32(f.start)
		if err != nil || n < f.min || n > f.max {
			return between("start", f.min, f.max, f.start)
		}
	}
	return d.checkEmpty()
}

func declareTrack(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindInt)
	if err != nil {
		return nil, err
	}
	f.track = true
	if f.max, err = d.number("max", 0); err != nil {
		return nil, err
	}
	if f.trackOf, err = d.word("of"); err != nil {
		return nil, err
	}
	return f, setRange(f, d)
}

func declareChoice(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindChoice)
	if err != nil {
		return nil, err
	}
	for _, pair := range d.kwargs {
		id := string(pair[0].(starlark.String))
		label, ok := starlark.AsString(pair[1])
		if !ok {
			return nil, d.wrong("want-label", "Name", id, "Got", typeOf(pair[1]))
		}
		f.options = append(f.options, option{id, label})
	}
	d.kwargs = nil
	if len(f.options) == 0 {
		return nil, d.wrong("choices-missing")
	}
	if start, ok := starlark.AsString(f.start); f.start != nil && (!ok || !f.has(start)) {
		return nil, oneOf("start", f.choices())
	}
	return f, d.checkEmpty()
}

func declareItems(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindList)
	if err != nil {
		return nil, err
	}
	f.fields = d.fields()
	if f.max, err = d.number("max", 20); err != nil {
		return nil, err
	}
	if f.max < 1 || f.max > form.MaxItems {
		return nil, between("max", 1, form.MaxItems, f.max)
	}
	if len(f.fields) == 0 {
		return nil, d.wrong("fields-missing")
	}
	for _, item := range f.fields {
		if item.kind == form.KindList || item.kind == form.KindRef || item.kind == form.KindRefs || item.secret ||
			item.track || item.list != "" {
			return nil, inside(item.name, wrong("item-field"))
		}
	}
	return f, d.checkEmpty()
}

func declarePick(_ *book, d *given) (starlark.Value, error) {
	of := form.KindRef
	if d.name == "picks" {
		of = form.KindRefs
	}
	f, err := d.begin(of)
	if err != nil {
		return nil, err
	}
	if of == form.KindRefs {
		if len(d.args) > 0 { // sheets come first, or the largest number of refs
			if _, isSheet := d.args[0].(*kind); isSheet {
				f.of, d.args = kindsOf(d.args)
			}
		}
		if f.max, err = d.number("max", 6); err != nil {
			return nil, err
		}
		if f.max < 1 || f.max > form.MaxItems {
			return nil, between("max", 1, form.MaxItems, f.max)
		}
	}
	for _, arg := range d.args {
		k, ok := arg.(*kind)
		if !ok {
			return nil, d.wrong("pick-sheets")
		}
		f.of = append(f.of, k)
	}
	d.args = nil
	if len(f.of) == 0 {
		return nil, d.wrong("pick-sheets")
	}
	if f.start != nil {
		return nil, wrong("start-empty")
	}
	return f, d.checkEmpty()
}

// kindsOf returns the sheets at the start of the arguments, and the rest.
func kindsOf(args starlark.Tuple) (kinds []*kind, rest starlark.Tuple) {
	for i, arg := range args {
		k, ok := arg.(*kind)
		if !ok {
			return kinds, args[i:]
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

func declareSettings(b *book, d *given) (starlark.Value, error) {
	if b.settings != nil {
		return nil, wrong("only-one")
	}
	b.settings = d.fields()
	for _, f := range b.settings {
		if f.kind != form.KindInt && f.kind != form.KindBool && f.kind != form.KindChoice || f.secret || f.hides ||
			f.list != "" {
			return nil, inside(f.name, wrong("setting-field"))
		}
	}
	if err := checkNames(b.settings); err != nil {
		return nil, err
	}
	return starlark.None, d.checkEmpty()
}

func declareQuestion(b *book, d *given) (_ starlark.Value, err error) {
	q := &question{thing: thing{what: "question", pos: d.pos}}
	if q.label, err = d.text(); err != nil {
		return nil, err
	}
	q.fields = d.fields()
	if len(q.fields) == 0 {
		return nil, d.wrong("fields-missing")
	}
	if err := checkNames(q.fields); err != nil {
		return nil, err
	}
	b.asks = append(b.asks, q)
	return q, d.checkEmpty()
}

func declareMove(b *book, d *given) (_ starlark.Value, err error) {
	m := &move{thing: thing{what: "move", pos: d.pos}, odds: true}
	if len(d.args) == 0 {
		return nil, d.wrong("function-first")
	}
	fn, ok := d.args[0].(*starlark.Function)
	if !ok || fn.Name() == "lambda" {
		return nil, d.wrong("function-first")
	}
	m.rule, d.args = fn, d.args[1:]
	m.name = fn.Name()
	m.id = idOf(m.name)
	if !goodID.MatchString(m.id) {
		return nil, wrong("name", "Name", m.name)
	}
	if m.id == game.PlainDice {
		return nil, wrong("move-dice")
	}
	if m.label, err = d.text(); err != nil {
		return nil, err
	}
	if m.about, err = d.word("about"); err != nil {
		return nil, err
	}
	if m.about == "" {
		m.about = strings.Join(strings.Fields(fn.Doc()), " ")
	}
	m.fields = d.fields()
	if err := checkNames(m.fields); err != nil {
		return nil, err
	}
	if err := m.whose(d); err != nil {
		return nil, err
	}
	if err := m.says(d); err != nil {
		return nil, err
	}
	if err := m.fits(); err != nil {
		return nil, err
	}
	if err := m.turns(d); err != nil {
		return nil, err
	}
	b.moves = append(b.moves, m)
	return starlark.None, d.checkEmpty()
}

// whose parses who makes the move.
func (m *move) whose(d *given) error {
	by, ok := d.take("by")
	if !ok {
		return nil
	}
	all, ok := by.(starlark.Indexable)
	if !ok {
		all = starlark.Tuple{by}
	}
	for i := range all.Len() {
		switch of := all.Index(i).(type) {
		case *kind:
			m.by = append(m.by, of)
		default:
			if of != gm {
				return wrong("by", "Got", typeOf(of))
			}
			m.gm = true
		}
	}
	if m.gm && len(m.by) > 0 {
		return wrong("by-both")
	}
	return nil
}

// says parses the move's outcomes and presentation.
func (m *move) says(d *given) (err error) {
	if list, ok := d.take("outcomes"); ok {
		if m.outcomes, err = outcomesOf("outcomes", list); err != nil {
			return err
		}
	}
	if chances, ok := d.take("chances"); ok {
		all, ok := chances.(*starlark.Dict)
		if !ok {
			return wrong("chances")
		}
		for _, pair := range all.Items() {
			text, ok := starlark.AsString(pair[0])
			if !ok {
				return wrong("chances")
			}
			of, err := outcomesOf("chances", pair[1])
			if err != nil {
				return err
			}
			m.chances = append(m.chances, chance{slug(text), text, of})
		}
	}
	if bare, ok := d.take("bare"); ok {
		switch bare := bare.(type) {
		case starlark.Bool:
			m.noBare = !bool(bare)
		case starlark.Indexable:
			m.bare = []string{}
			for i := range bare.Len() {
				name, _ := starlark.AsString(bare.Index(i))
				m.bare = append(m.bare, name)
			}
		default:
			return wrong("bare")
		}
	}
	if odds, ok := d.take("odds"); ok {
		m.odds = odds == starlark.True
	}
	m.mark, _ = d.take("mark")
	if text, ok := starlark.AsString(m.mark); m.mark != nil && !(ok && (text == "highest" || text == "lowest")) {
		if _, ok := m.mark.(*starlark.Function); !ok {
			return wrong("mark")
		}
	}
	if m.offers, err = d.flag("offered"); err != nil {
		return err
	}
	if err = m.suggests(d); err != nil {
		return err
	}
	m.pool, err = d.function("pool")
	return err
}

// suggests parses whether the move is suggested between sessions.
func (m *move) suggests(d *given) error {
	value, ok := d.take("between")
	if !ok {
		return nil
	}
	if value == starlark.String("ticked") {
		m.between, m.ticked = true, true
		return nil
	}
	flag, ok := value.(starlark.Bool)
	if !ok {
		return wrong("between-sessions")
	}
	m.between = bool(flag)
	return nil
}

func outcomesOf(name string, list starlark.Value) (all []*outcome, err error) {
	some, ok := list.(starlark.Indexable)
	if !ok {
		return nil, wrong("outcomes", "Name", name, "Value", list)
	}
	for i := range some.Len() {
		o, ok := some.Index(i).(*outcome)
		if !ok {
			return nil, wrong("outcomes", "Name", name, "Value", some.Index(i))
		}
		all = append(all, o)
	}
	return all, nil
}

// fits checks that the rule's parameters are the actor and the move's fields.
func (m *move) fits() error {
	var want []string
	if len(m.by) > 0 {
		want = append(want, "")
	}
	var params []string
	for i := range m.rule.NumParams() {
		name, _ := m.rule.Param(i)
		params = append(params, name)
	}
	if m.rule.HasVarargs() || m.rule.HasKwargs() || m.rule.NumKwonlyParams() > 0 {
		return wrong("parameters-star", "Rule", m.name)
	}
	for _, f := range m.fields {
		want = append(want, f.name)
	}
	if len(m.by) > 0 && len(params) == 0 {
		return wrong("parameters-me", "Rule", m.name)
	}
	if len(want) > 0 && want[0] == "" {
		want[0] = params[0]
	}
	for _, name := range params {
		if !slices.Contains(want, name) {
			return wrong("parameters-more", "Rule", m.name, "Name", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(params, name) {
			return wrong("parameters-less", "Rule", m.name, "Name", name, "Parameters", strings.Join(want, ", "))
		}
	}
	return nil
}

// readSample parses a ready character: kind, name and fields.
func readSample(d *given) (*sample, error) {
	if len(d.args) == 0 {
		return nil, d.wrong("usage")
	}
	k, ok := d.args[0].(*kind)
	if !ok {
		return nil, d.wrong("usage")
	}
	d.args = d.args[1:]
	s := &sample{thing: thing{what: "character", pos: d.pos}, kind: k, sheet: starlark.StringDict{}}
	var err error
	if s.label, err = d.text(); err != nil {
		return nil, err
	}
	if _, isField := fieldOf(k.fields, "player"); !isField {
		if s.player, err = d.flag("player"); err != nil {
			return nil, err
		}
	}
	for _, pair := range d.kwargs {
		name := string(pair[0].(starlark.String))
		if _, ok := fieldOf(k.fields, name); !ok {
			return nil, inside(k.label, noField(name, k.fields))
		}
		s.sheet[name] = pair[1]
	}
	d.kwargs = nil
	return s, d.checkEmpty()
}

// noField returns the mistake of a name that none of the fields has.
func noField(name string, fields []*field) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return wrong("no-field", "Name", name, "Fields", strings.Join(names, ", "))
}

// oneOf returns the mistake of a text that isn't one of those allowed.
func oneOf(name string, allowed []string) error {
	quoted := make([]string, len(allowed))
	for i, text := range allowed {
		quoted[i] = strconv.Quote(text)
	}
	return wrong("one-of", "Name", name, "Allowed", strings.Join(quoted, ", "))
}

func fieldOf(fields []*field, name string) (*field, bool) {
	i := slices.IndexFunc(fields, func(f *field) bool { return f.name == name })
	if i < 0 {
		return nil, false
	}
	return fields[i], true
}

func declareStock(b *book, d *given) (starlark.Value, error) {
	s, err := readSample(d)
	if err != nil {
		return nil, err
	}
	b.stock = append(b.stock, s)
	return starlark.None, nil
}

func declareReady(b *book, d *given) (starlark.Value, error) {
	s, err := readSample(d)
	if err != nil {
		return nil, err
	}
	b.ready = append(b.ready, s)
	return s, nil
}

// heroes returns the ready characters for players: those in stock, or if there are none, those of
// the demo.
func (b *book) heroes() (all []*sample) {
	for _, from := range [][]*sample{b.stock, b.ready} {
		for _, s := range from {
			if s.kind.player {
				all = append(all, s)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

func declareMade(_ *book, d *given) (_ starlark.Value, err error) {
	m := &beat{thing: thing{what: "made", pos: d.pos}, args: starlark.StringDict{}}
	if len(d.args) != 1 {
		return nil, d.wrong("usage")
	}
	fn, ok := d.args[0].(*starlark.Function)
	if !ok {
		return nil, d.wrong("function-first")
	}
	d.args, m.move = d.args[1:], idOf(fn.Name())
	params := map[string]bool{}
	for i := range fn.NumParams() {
		name, _ := fn.Param(i)
		params[name] = true
	}
	for _, pair := range d.kwargs {
		name, value := string(pair[0].(starlark.String)), pair[1]
		switch list, isList := value.(starlark.Indexable); {
		case params[name]:
			m.args[name] = value
		case name == "by":
			m.by, _ = starlark.AsString(value)
		case name == "dice" && isList:
			for i := range list.Len() {
				face, err := starlark.AsInt32(list.Index(i))
				if err != nil {
					return nil, wantNumber("dice", list.Index(i))
				}
				m.dice = append(m.dice, face)
			}
		case name == "answers" && isList:
			for i := range list.Len() {
				m.answers = append(m.answers, list.Index(i))
			}
		default:
			return nil, d.wrong("argument-unknown", "Name", name)
		}
	}
	return m, err
}

func declareDemo(b *book, d *given) (_ starlark.Value, err error) {
	if b.demo != nil {
		return nil, wrong("only-one")
	}
	b.demo = &demo{}
	if b.demo.name, err = d.text(); err != nil {
		return nil, err
	}
	cast, err := d.list("cast", "ready")
	if err != nil {
		return nil, err
	}
	story, err := d.list("story", "made")
	if err != nil {
		return nil, err
	}
	for value := range elements(cast) {
		s, ok := value.(*sample)
		if !ok {
			return nil, wrong("want-calls", "Name", "cast", "Code", usage("ready"))
		}
		b.demo.cast = append(b.demo.cast, s)
	}
	for value := range elements(story) {
		m, ok := value.(*beat)
		if !ok {
			return nil, wrong("want-calls", "Name", "story", "Code", usage("made"))
		}
		b.demo.story = append(b.demo.story, m)
	}
	return starlark.None, d.checkEmpty()
}

// list takes a list of calls of a function by its name; a missing one is empty.
func (d *given) list(name, of string) (starlark.Value, error) {
	value, ok := d.take(name)
	_, isList := value.(starlark.Indexable)
	if _, isText := value.(starlark.String); ok && !isList || isText {
		return nil, wrong("want-calls", "Name", name, "Code", usage(of))
	}
	return value, nil
}

func elements(list starlark.Value) func(func(starlark.Value) bool) {
	if some, ok := list.(starlark.Iterable); ok {
		return starlark.Elements(some)
	}
	return func(func(starlark.Value) bool) {}
}

// nameDeclared gives each declared thing the name of the variable that holds it.
func (b *book) nameDeclared() error {
	for _, name := range slices.Sorted(maps.Keys(b.declared)) {
		var t *thing
		switch v := b.declared[name].(type) {
		case *kind:
			t = &v.thing
			v.id = idOf(name)
		case *outcome:
			t = &v.thing
			v.id = idOf(name)
		case *question:
			t = &v.thing
			v.id = idOf(name)
		case *ownDie:
			t = &v.thing
			v.id = idOf(name)
		case *deck:
			t = &v.thing
			v.id = idOf(name)
		default:
			continue
		}
		if !goodID.MatchString(idOf(name)) {
			return at(t.pos, wrong("name", "Name", name))
		}
		if t.name == "" {
			t.name = name
		}
	}
	nameless := func(t thing) error {
		if t.name != "" {
			return nil
		}
		return at(t.pos, wrong("nameless"))
	}
	for _, k := range b.kinds {
		if err := nameless(k.thing); err != nil {
			return err
		}
	}
	for _, o := range b.outcomes {
		if err := nameless(o.thing); err != nil {
			return err
		}
	}
	for _, die := range b.dice {
		if err := nameless(die.thing); err != nil {
			return err
		}
	}
	for _, k := range b.decks {
		if err := nameless(k.thing); err != nil {
			return err
		}
	}
	for _, q := range b.asks {
		if err := nameless(q.thing); err != nil {
			return err
		}
	}
	return nil
}
