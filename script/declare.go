package script

import (
	"cmp"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

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
	kept     bool            // the text is a table's
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

func declareGame(b *book, d *given) (starlark.Value, error) {
	if b.name != "" {
		return nil, wrong("only-one")
	}
	id := d.text("id")
	b.name, b.about, b.lang = d.text("name"), d.text("about"), d.text("language")
	if id == "" {
		id = slug(b.name)
	}
	if !goodID.MatchString(id) || len(id) > 40 || slices.Contains(reserved, id) {
		return nil, wrong("game-id", "ID", id)
	}
	b.id = id
	return starlark.None, nil
}

func declareRules(b *book, d *given) (starlark.Value, error) {
	for _, pair := range d.value("rules").(*starlark.Dict).Items() {
		id, _ := starlark.AsString(pair[0])
		text, ok := starlark.AsString(pair[1])
		if !ok || !ruleID.MatchString(id) {
			return nil, d.wrong("rule-id", "ID", pair[0])
		}
		b.rules = append(b.rules, ruleText{id, text})
	}
	return starlark.None, nil
}

// group is a number of fields of a sheet under one heading.
type group struct {
	thing
	fields []*field
}

func declareGroup(_ *book, d *given) (starlark.Value, error) {
	g := &group{thing: d.thing("group"), fields: d.fields}
	for _, f := range g.fields {
		f.head = d.text("head")
	}
	return g, nil
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

// kindFor returns the function for a kind of sheet that players may own, or that is nobody.
func kindFor(player, nobody bool) declaring {
	return func(b *book, d *given) (starlark.Value, error) {
		k := &kind{
			thing: d.thing("sheet"), label: d.text("label"), player: player, nobody: nobody,
			state: d.def("state"), check: d.def("check"), scene: d.flag("scene"),
		}
		for _, g := range d.many {
			k.fields = append(k.fields, g.(*group).fields...)
		}
		k.fields = append(k.fields, d.fields...)
		for _, f := range k.fields {
			if f.place == placeHand && nobody {
				return nil, inside(f.name, wrong("thing-hand"))
			}
			if player && f.secret && f.required {
				return nil, inside(f.name, wrong("secret-required"))
			}
			if f.kind.IsRef() || f.list != "" {
				return nil, inside(f.name, wrong("sheet-pick"))
			}
		}
		b.kinds = append(b.kinds, k)
		return k, checkNames(k.fields)
	}
}

func ofTone(tone game.Tone) declaring {
	return func(b *book, d *given) (starlark.Value, error) {
		o := &outcome{
			thing: d.thing("outcome"), tone: tone, label: d.text("label"), short: d.text("short"),
			counts: d.flag("counts"), fewer: d.flag("less"),
		}
		b.outcomes = append(b.outcomes, o)
		return o, nil
	}
}

// begin returns a field with what all fields may have.
func (d *given) begin(kind form.Kind) (*field, error) {
	f := &field{
		thing: d.thing("field"), kind: kind, label: d.text("label"), start: d.value("start"), hint: d.text("hint"),
		secret: d.flag("secret"), hides: d.flag("hides"), required: d.flag("required"),
		changed: d.text("changed"), more: d.text("more"), less: d.text("less"), options: d.options(), fields: d.fields,
		min: d.number("min"), max: d.number("max"), look: d.text("look"), trackOf: d.text("of"), list: d.text("list"),
	}
	var err error
	f.only, err = onlyOf(d.value("only"))
	return f, err
}

// onlyOf parses the choice or flag that a field needs: {"price": ["thing"]}, "hard".
func onlyOf(value starlark.Value) (*only, error) {
	if value == nil {
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
	of.values = stringsIn(pair[1])
	if of.field == "" || len(of.values) == 0 {
		return nil, wrong("only")
	}
	return of, nil
}

func ofKind(kind form.Kind) declaring {
	return func(_ *book, d *given) (starlark.Value, error) { return d.begin(kind) }
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
	return f, f.checkRange(d)
}

func declareTrack(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindInt)
	if err != nil {
		return nil, err
	}
	f.track = true
	return f, f.checkRange(d)
}

// checkRange checks a number's range and how it's drawn.
func (f *field) checkRange(d *given) error {
	switch {
	case f.look == looks[0]:
		f.look = ""
	case f.look == "clock" && f.max > maxSlices:
		return wrong("clock", "Max", maxSlices)
	case f.look != "" && f.min < 0:
		return wrong("look-negative")
	}
	if f.min < -maxNumber || f.max > maxNumber || f.min >= f.max {
		return d.wrong("range", "Max", maxNumber)
	}
	if n := d.number("start"); f.start != nil && (n < f.min || n > f.max) {
		return between("start", f.min, f.max, n)
	}
	return nil
}

func declareChoice(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindChoice)
	if err != nil {
		return nil, err
	}
	if f.start != nil && !f.has(d.text("start")) {
		return nil, oneOf("start", f.choices())
	}
	return f, nil
}

func declareItems(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindList)
	if err != nil {
		return nil, err
	}
	for _, item := range f.fields {
		if item.kind == form.KindList || item.kind.IsRef() || item.secret ||
			item.track || item.list != "" {
			return nil, inside(item.name, wrong("item-field"))
		}
	}
	return f, nil
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
	for _, k := range d.many {
		f.of = append(f.of, k.(*kind))
	}
	return f, nil
}

func declareSettings(b *book, d *given) (starlark.Value, error) {
	if b.settings != nil {
		return nil, wrong("only-one")
	}
	b.settings = d.fields
	for _, f := range b.settings {
		if f.kind != form.KindInt && f.kind != form.KindBool && f.kind != form.KindChoice || f.secret || f.hides ||
			f.list != "" {
			return nil, inside(f.name, wrong("setting-field"))
		}
	}
	return starlark.None, checkNames(b.settings)
}

func declareQuestion(b *book, d *given) (starlark.Value, error) {
	q := &question{thing: d.thing("question"), label: d.text("label"), fields: d.fields}
	b.asks = append(b.asks, q)
	return q, checkNames(q.fields)
}

func declareMove(b *book, d *given) (starlark.Value, error) {
	rule := d.def("rule")
	m := &move{
		thing: d.thing("move"), rule: rule, id: idOf(rule.Name()), label: d.text("label"),
		about:  cmp.Or(d.text("about"), strings.Join(strings.Fields(rule.Doc()), " ")),
		fields: d.fields, odds: d.flag("odds"), offers: d.flag("offered"), pool: d.def("pool"),
	}
	m.name = rule.Name()
	if !goodID.MatchString(m.id) {
		return nil, wrong("name", "Name", m.name)
	}
	if m.id == game.PlainDice {
		return nil, wrong("move-dice")
	}
	if err := checkNames(m.fields); err != nil {
		return nil, err
	}
	for _, parse := range []func(*given) error{m.whose, m.says, m.suggests, m.fits, m.turns} {
		if err := parse(d); err != nil {
			return nil, err
		}
	}
	b.moves = append(b.moves, m)
	return starlark.None, nil
}

// whose parses who makes the move.
func (m *move) whose(d *given) error {
	by := d.value("by")
	if by == nil {
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
	if m.outcomes, err = outcomesOf("outcomes", d.value("outcomes")); err != nil {
		return err
	}
	if chances := d.value("chances"); chances != nil {
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
	switch bare := d.value("bare").(type) {
	case nil:
	case starlark.Bool:
		m.noBare = !bool(bare)
	case starlark.Indexable:
		m.bare = append([]string{}, stringsIn(bare)...)
	default:
		return wrong("bare")
	}
	m.mark = d.value("mark")
	if text := d.text("mark"); m.mark != nil && text != "highest" && text != "lowest" && d.def("mark") == nil {
		return wrong("mark")
	}
	return nil
}

// suggests parses whether the move is suggested between sessions.
func (m *move) suggests(d *given) error {
	value := d.value("between")
	m.ticked = value == starlark.String("ticked")
	m.between = m.ticked || d.flag("between")
	if value != nil && !m.ticked && !isA[starlark.Bool](value) {
		return wrong("between-sessions")
	}
	return nil
}

func outcomesOf(name string, list starlark.Value) (all []*outcome, err error) {
	if list == nil {
		return nil, nil
	}
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
func (m *move) fits(*given) error {
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
	k := d.value("sheet").(*kind)
	s := &sample{
		thing: d.thing("character"), kind: k, label: d.text("name"), player: d.flag("player"), sheet: starlark.StringDict{},
	}
	for _, pair := range d.rest {
		name := string(pair[0].(starlark.String))
		if !has(k, name) {
			return nil, inside(k.label, noField(name, k.fields))
		}
		s.sheet[name] = pair[1]
	}
	return s, nil
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

func declareMade(_ *book, d *given) (starlark.Value, error) {
	rule := d.def("rule")
	m := &beat{thing: d.thing("made"), move: idOf(rule.Name()), by: d.text("by"), args: starlark.StringDict{}}
	for _, pair := range d.rest {
		name := string(pair[0].(starlark.String))
		if !has(rule, name) {
			return nil, d.unknown(name)
		}
		m.args[name] = pair[1]
	}
	for value := range elements(d.value("dice")) {
		face, err := starlark.AsInt32(value)
		if err != nil {
			return nil, wantNumber("dice", value)
		}
		m.dice = append(m.dice, face)
	}
	m.answers = slices.Collect(elements(d.value("answers")))
	return m, nil
}

func declareDemo(b *book, d *given) (_ starlark.Value, err error) {
	if b.demo != nil {
		return nil, wrong("only-one")
	}
	b.demo = &demo{name: d.text("name")}
	if b.demo.cast, err = calls[*sample](d, "cast", "ready"); err != nil {
		return nil, err
	}
	b.demo.story, err = calls[*beat](d, "story", "made")
	return starlark.None, err
}

// calls returns what the calls of a function in a list have made; a missing list is empty.
func calls[T starlark.Value](d *given, name, of string) (all []T, err error) {
	list := d.value(name)
	fits := list == nil || isListing(list)
	for value := range elements(list) {
		one, ok := value.(T)
		fits, all = fits && ok, append(all, one)
	}
	if !fits {
		return nil, wrong("want-calls", "Name", name, "Code", functionOf(of).usage(false))
	}
	return all, nil
}

func elements(list starlark.Value) iter.Seq[starlark.Value] {
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
