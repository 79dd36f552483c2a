package script

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

const (
	maxSteps    = 200_000 // of one run
	stepsToRead = 2_000_000
	stepsToLook = 20_000 // of a function that only reads: a state, a mark
	workOfStep  = 10     // steps on machine words for each step of Starlark
	maxResult   = 4 << 10
)

// runMode says how far a rule is run.
type runMode int

const (
	playing  runMode = iota
	pricing          // until the outcome is known
	allowing         // until the first throw or question
)

// errOutcomeKnown ends a run for odds when its outcome is known; errMayBegin ends one that checks whether the
// rule may begin.
var (
	errOutcomeKnown = errors.New("it has come out")
	errMayBegin     = errors.New("it may begin")
)

// play is a move with its arguments, which can be run many times.
type play struct {
	*program
	move     *move
	scene    game.Scene
	args     any
	settings []starlark.Value
	how      runMode
	atTable  bool
	sheets   map[string][]starlark.Value
	sessions sync.Pool
}

// ready prepares a run.
func (p *program) ready(m *move, s game.Scene, args any, how runMode) *play {
	r := &play{program: p, move: m, scene: s, args: args, how: how, sheets: map[string][]starlark.Value{}}
	for id, member := range s.Cast {
		r.sheets[id] = p.sheetOf(member)
	}
	_, r.atTable = s.Cast[s.Actor]
	if !r.atTable && len(m.by) > 0 {
		r.sheets[s.Actor] = m.sheetFrom(m.by[0], "", args)
		for _, f := range m.fields {
			if m.asksOf(f) {
				r.sheets[standIn+f.name] = m.sheetFrom(f.of[0], f.name, args)
			}
		}
	}
	r.settings = p.settings.values(s.Settings, nobody)
	return r
}

// sheetOf returns a member's sheet as a script reads it, or nil if it can't.
func (p *program) sheetOf(m game.Member) []starlark.Value {
	k, ok := p.kind(m.Kind)
	if !ok || m.Sheet == nil {
		return nil
	}
	return k.shape.values(m.Sheet, nobody)
}

// session is the state of a play's runs.
type session struct {
	*play
	thread *starlark.Thread
	run    *rule.Run
	slots  map[string]*slot
	joined []string
	args   starlark.Tuple
	came   *rule.Outcome
	thrown bool   // the rule has thrown or asked, so it can't refuse any more
	parts  int    // depth of nested parts
	until  uint64 // the steps of the thread at which this run of the rule ends
	paid   uint64 // the steps of parts and folds, which an exact walk has counted
	check  bool   // an answer is being checked
}

// slot is the current state of a sheet during a run.
type slot struct {
	member game.Member
	kind   *kind
	first  []starlark.Value
	now    []starlark.Value
}

// sheet is a character's sheet in a rule. Reading it returns the current values.
type sheet struct {
	*session
	*slot
	id string
}

func (s *sheet) String() string        { return s.member.Name }
func (s *sheet) Type() string          { return "sheet" }
func (s *sheet) Freeze()               {}
func (s *sheet) Truth() starlark.Bool  { return true }
func (s *sheet) Hash() (uint32, error) { return starlark.String(s.id).Hash() }

// Attr implements starlark.HasAttrs.
func (s *sheet) Attr(name string) (starlark.Value, error) {
	if i, ok := s.kind.shape.at[name]; ok {
		if s.now == nil {
			return nil, wrong("sheet-unseen", "Who", s.member.Name)
		}
		return s.now[i], nil
	}
	switch name {
	case "name":
		return starlark.String(s.member.Name), nil
	case "kind":
		return s.kind, nil
	}
	return nil, inside(s.kind.label, noField(name, s.kind.shape.fields))
}

// Get returns a field by its name: me[action].
func (s *sheet) Get(name starlark.Value) (starlark.Value, bool, error) {
	text, _ := starlark.AsString(name)
	if err := s.unasked(text); err != nil {
		return nil, false, err
	}
	v, err := s.Attr(text)
	return v, err == nil, err
}

// AttrNames implements starlark.HasAttrs.
func (s *sheet) AttrNames() []string {
	return append(strings.Split(s.kind.shape.names(), ", "), "name", "kind")
}

const runKey = "run"

func (p *play) session() *session {
	if s, ok := p.sessions.Get().(*session); ok {
		return s
	}
	s := &session{play: p, slots: map[string]*slot{}}
	s.thread = &starlark.Thread{Name: p.move.name, Print: func(*starlark.Thread, string) {}}
	s.thread.SetLocal(runKey, s)
	for id, values := range p.sheets {
		member := p.scene.Cast[id]
		k, ok := p.kind(member.Kind)
		if !ok {
			if k, ok = p.move.stranger(id, p.scene.Actor); !ok {
				continue
			}
			member = game.Member{ID: "", Kind: k.id, Name: k.label}
		}
		s.slots[id] = &slot{member: member, kind: k, first: values}
	}
	find := func(id string) starlark.Value {
		if at, ok := s.slots[id]; ok && id != "" {
			return &sheet{s, at, id}
		}
		return starlark.None
	}
	said := p.move.shape.values(p.args, find)
	s.chosenItems(said)
	for i := range p.move.rule.NumParams() {
		name, _ := p.move.rule.Param(i)
		switch at, asked := p.move.shape.at[name]; {
		case i == 0 && len(p.move.by) > 0:
			s.args = append(s.args, &sheet{s, s.slots[p.scene.Actor], p.scene.Actor})
		case asked && s.slots[standIn+name] != nil:
			s.args = append(s.args, &sheet{s, s.slots[standIn+name], standIn + name})
		case asked:
			s.args = append(s.args, said[at])
		}
	}
	return s
}

// outcome runs the rule once.
func (p *play) outcome(r *rule.Run) rule.Outcome {
	s := p.session()
	value, err := s.once(r)
	if err != nil {
		r.Fail(fault(err))
	}
	p.sessions.Put(s)
	return value
}

func (s *session) once(r *rule.Run) (_ rule.Outcome, err error) {
	for _, id := range s.joined {
		delete(s.slots, id)
	}
	for _, at := range s.slots {
		at.now = at.first
	}
	s.run, s.joined, s.came, s.thrown, s.parts = r, nil, nil, false, 0
	before := s.thread.ExecutionSteps()
	s.paid = 0
	s.endAt(before + maxSteps)
	defer func() { // a panic of Starlark is also a mistake in the text
		if broken := recover(); broken != nil {
			if trouble, ok := broken.(runtime.Error); ok {
				err = trouble
				return
			}
			panic(broken)
		}
	}()
	if r != nil { // so that each part has its own roller
		r.SetRoller(s.scene.Actor)
	}
	value, err := starlark.Call(s.thread, s.move.rule, s.args, nil)
	if r != nil {
		r.Work(workOfStep * int(s.thread.ExecutionSteps()-before-s.paid))
	}
	if err != nil {
		if errors.Is(err, errOutcomeKnown) {
			return *s.came, nil
		}
		return rule.Outcome{}, err
	}
	if s.came != nil {
		return *s.came, nil
	}
	return s.outcomeOf(value)
}

// endAt bounds the steps of the thread, as a loop without an end has too many.
func (s *session) endAt(steps uint64) {
	s.until = steps
	s.thread.SetMaxExecutionSteps(steps)
}

// piece calls what an exact walk runs many times in one run of the rule. Each call may take as many
// steps as a rule; the walk's limit bounds their sum.
func (s *session) piece(r *rule.Run, call func()) {
	if !r.Walks() {
		call()
		return
	}
	until, began, paid := s.until, s.thread.ExecutionSteps(), s.paid
	steps := func() uint64 { return s.thread.ExecutionSteps() - began }
	s.endAt(began + maxSteps)
	defer func() { s.endAt(until + steps()) }() // a walk ends some calls by a panic
	call()
	own := steps() - (s.paid - paid)
	s.paid += own
	r.Work(workOfStep * int(own))
}

func (s *session) outcomeOf(value starlark.Value) (rule.Outcome, error) {
	o, n, ok := asOutcome(value)
	switch {
	case ok && slices.Contains(s.move.outcomes, o):
		return rule.Outcome{ID: o.id, N: n}, nil
	case ok:
		return rule.Outcome{}, at(s.move.rule.Position(),
			wrong("outcome-unlisted", "Rule", s.move.name, "Outcome", o.name))
	case s.move.counts():
		if n, err := starlark.AsInt32(value); err == nil {
			return rule.Outcome{ID: totalID, N: n}, nil
		}
		if value == starlark.None && !s.book.alone {
			return rule.Outcome{ID: doneID}, nil
		}
		return rule.Outcome{}, at(s.move.rule.Position(),
			wrong("returns-number", "Rule", s.move.name, "Got", typeOf(value)))
	case value == starlark.None && len(s.move.outcomes) == 0:
		return rule.Outcome{ID: doneID}, nil
	}
	names := make([]string, len(s.move.outcomes))
	for i, o := range s.move.outcomes {
		names[i] = o.name
	}
	return rule.Outcome{}, at(s.move.rule.Position(), wrong("returns", "Rule", s.move.name,
		"Allowed", cmp.Or(strings.Join(names, ", "), "None"), "Got", typeOf(value)))
}

// doneID is the outcome of a move that declares none.
const doneID = "done"

func asOutcome(value starlark.Value) (*outcome, int, bool) {
	switch value := value.(type) {
	case *outcome:
		return value, 0, true
	case *countedOutcome:
		return value.outcome, value.n, true
	}
	return nil, 0, false
}

// begins marks that the rule can't refuse any more.
func (s *session) begins() error {
	if s.how == allowing && !s.check {
		return errMayBegin
	}
	if s.check {
		return wrong("check-only")
	}
	s.thrown = true
	return nil
}

// pool parses the arguments of a throw: number of dice, sides, purpose, and whether players see it.
func (s *session) pool(d *given) (dice.Pool, error) {
	p, die, err := s.ownPool(d)
	if err == nil && die != nil {
		err = wrong("die-number", "Die", die.name)
	}
	return p, err
}

// ownPool is pool for a die that may have its own faces.
func (s *session) ownPool(d *given) (dice.Pool, *ownDie, error) {
	n := d.value("n")
	if d.name == "roll" {
		n = starlark.MakeInt(1)
	}
	return s.poolOf(d, n, d.value("sides"))
}

// poolOf returns a number of dice with some sides, or of one with its own faces.
func (s *session) poolOf(d *given, number, sides starlark.Value) (p dice.Pool, die *ownDie, err error) {
	if err := s.begins(); err != nil {
		return p, nil, err
	}
	p.N, _ = starlark.AsInt32(number)
	p.N = max(0, p.N)
	if die, _ = sides.(*ownDie); die != nil {
		p.Sides = len(die.faces)
	} else if isA[starlark.Int](sides) {
		p.Sides, _ = starlark.AsInt32(sides)
	}
	switch {
	case p.Check() != nil:
		return p, nil, d.wrong("dice", "Dice", dice.MaxDice, "Sides", dice.MaxSides)
	case die != nil && d.value("called") != nil:
		return p, nil, d.unknown("called")
	case die == nil:
		p.For, err = s.purpose(d.text("called"), d.flag("secret"))
		return p, nil, err
	}
	if p.For = die.throwName(); d.flag("secret") {
		p.For = secretThrow + p.For
	}
	return p, die, nil
}

// purpose returns the id of a throw's name.
func (s *session) purpose(called string, secret bool) (string, error) {
	if called == "" {
		called = s.move.label
	}
	id, known := s.book.thrownFor[called]
	if !known {
		return "", wrong("called", "Max", maxPurpose, "Without", ". ? ! {")
	}
	if secret {
		id = secretThrow + id
	}
	return id, nil
}

// secretThrow is the prefix of the purposes of throws that only the game master sees.
const secretThrow = "unseen-"

// faces returns the faces that count.
func (d *given) faces() (faces dice.Faces, err error) {
	ways := 0
	for name, of := range map[string]func(int) dice.Faces{
		"at_least": dice.AtLeast, "at_most": dice.AtMost, "exactly": dice.Exactly,
	} {
		if d.value(name) != nil {
			faces, ways = of(d.number(name)), ways+1
		}
	}
	if ways != 1 {
		err = d.wrong("faces")
	}
	return faces, err
}

func count(s *session, d *given) (starlark.Value, error) {
	p, err := s.pool(d)
	if err != nil {
		return nil, err
	}
	faces, err := d.faces()
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt(s.run.Count(p, faces)), nil
}

func tally(s *session, d *given) (starlark.Value, error) {
	p, err := s.pool(d)
	if err != nil {
		return nil, err
	}
	classes := make([]dice.Faces, 0, 4)
	for _, arg := range d.many {
		switch arg := arg.(type) {
		case starlark.Int:
			n, _ := starlark.AsInt32(arg)
			classes = append(classes, dice.Exactly(n))
		case starlark.Tuple:
			if len(arg) != 2 {
				return nil, wrong("tally-faces")
			}
			low, err := starlark.AsInt32(arg[0])
			high, other := starlark.AsInt32(arg[1])
			if err != nil || other != nil || low > high {
				return nil, wrong("tally-faces")
			}
			classes = append(classes, dice.Between(low, high))
		default:
			return nil, wrong("tally-faces")
		}
	}
	if len(classes) == 0 || len(classes) > 4 {
		return nil, d.wrong("tally-groups")
	}
	for i, a := range classes {
		for _, b := range classes[:i] {
			if a.Lo <= b.Hi && b.Lo <= a.Hi {
				return nil, wrong("tally-twice")
			}
		}
	}
	fell := s.run.Classes(p, classes...)
	values := make(starlark.Tuple, len(classes))
	for i := range classes {
		values[i] = starlark.MakeInt(fell[i])
	}
	return values, nil
}

// sum adds dice or, as in Python, a list of numbers.
func sum(s *session, d *given) (starlark.Value, error) {
	list, isList := d.value("n").(starlark.Iterable)
	if !isList {
		return roll(s, d)
	}
	if d.value("sides") != nil {
		return nil, d.wrong("usage")
	}
	total := starlark.MakeInt(0)
	for v := range starlark.Elements(list) {
		n, ok := v.(starlark.Int)
		if !ok {
			return nil, wrong("want-number", "Name", "sum", "Got", typeOf(v))
		}
		total = total.Add(n)
	}
	return total, nil
}

func roll(s *session, d *given) (starlark.Value, error) {
	p, die, err := s.ownPool(d)
	if err != nil {
		return nil, err
	}
	if die != nil && d.name == "sum" {
		return nil, wrong("die-number", "Die", die.name)
	}
	fell := s.run.Sum(p)
	if die != nil {
		return die.face(fell), nil
	}
	return starlark.MakeInt(fell), nil
}

func keep(s *session, d *given) (starlark.Value, error) {
	p, err := s.pool(d)
	if err != nil {
		return nil, err
	}
	n, lowest := d.number("highest"), d.value("lowest") != nil
	if lowest == (d.value("highest") != nil) && (!lowest || !d.kept) {
		return nil, d.wrong("keep", "Max", dice.MaxDice)
	}
	if lowest {
		n = d.number("lowest")
	}
	return starlark.MakeInt(s.run.Keep(p, n, lowest)), nil
}

func throw(s *session, d *given) (starlark.Value, error) {
	p, die, err := s.ownPool(d)
	if err != nil {
		return nil, err
	}
	hand := s.run.Throw(p)
	values := make([]starlark.Value, len(hand))
	for i, face := range hand {
		if values[i] = starlark.MakeInt(face); die != nil {
			values[i] = die.face(face)
		}
	}
	return starlark.NewList(values), nil
}

func fold(s *session, d *given) (starlark.Value, error) {
	p, die, err := s.ownPool(d)
	if err != nil {
		return nil, err
	}
	step := d.def("step")
	start, err := s.pack(d.value("start"))
	if err != nil {
		return nil, err
	}
	step.Freeze()
	end := rule.Fold(s.run, p, start, func(state packed, face, n int) packed {
		shown := starlark.Value(starlark.MakeInt(face))
		if die != nil {
			shown = die.face(face)
		}
		var value starlark.Value
		var err error
		s.piece(s.run, func() {
			value, err = starlark.Call(s.thread, step, starlark.Tuple{s.unpack(state), shown, starlark.MakeInt(n)}, nil)
		})
		if err == nil {
			if state, err = s.pack(value); err != nil {
				err = at(step.Position(), err)
			}
		}
		if err != nil {
			s.run.Fail(fault(err))
		}
		return state
	})
	return s.unpack(end), nil
}

// throwsNext sets who throws from here on.
func throwsNext(s *session, d *given) (starlark.Value, error) {
	if s.how == allowing {
		return starlark.None, nil
	}
	who, err := whose(d.value("who"))
	if err != nil {
		return nil, err
	}
	if who == s.run.Roller() {
		return starlark.None, nil
	}
	s.run.SetRoller(who)
	s.nameRoller()
	return starlark.None, nil
}

// nameRoller records who throws from here on in this part.
func (s *session) nameRoller() {
	if s.run.KeepsEvents() {
		s.run.Record(game.RolledBy{Who: s.run.Roller(), From: s.run.ThrowCount()})
	}
}

// tick advances the table's clock of a name. Without a table, or such a clock, it does nothing.
func tick(s *session, d *given) (starlark.Value, error) {
	if s.how != allowing && s.run.KeepsEvents() {
		s.run.Record(game.ClockTicked{Clock: d.text("clock"), By: d.number("by")})
	}
	return starlark.None, nil
}

func letGo(s *session, d *given) (starlark.Value, error) {
	for _, arg := range d.many {
		who, err := whose(arg)
		if err != nil {
			return nil, err
		}
		if s.how != allowing {
			s.run.Release(who)
		}
	}
	return starlark.None, nil
}

func whose(value starlark.Value) (string, error) {
	switch value := value.(type) {
	case *sheet:
		return value.person(), nil
	case starlark.NoneType:
		return "", nil
	}
	return "", wrong("want-sheet", "Got", typeOf(value))
}

// inPart runs a function as a part. Its result includes its changes, so that the result is all that
// the rest depends on.
func (s *session) inPart(r *rule.Run, fn *starlark.Function) packed {
	around, before := s.run, map[string][]starlark.Value{}
	for id, at := range s.slots {
		before[id] = at.now
	}
	s.run = r
	s.parts++
	if by := r.Roller(); by != "" && by != s.scene.Actor { // set before the parts began
		s.nameRoller()
	}
	defer func() {
		s.run = around
		s.parts--
		for id, at := range s.slots {
			if now, ok := before[id]; ok {
				at.now = now
			}
		}
	}()
	var value starlark.Value
	var err error
	s.piece(r, func() { value, err = starlark.Call(s.thread, fn, nil, nil) })
	if err == nil {
		var result packed
		if result, err = s.pack(value); err == nil {
			if result.text, err = s.withChanges(result, before); err == nil {
				return result
			}
		}
		err = at(fn.Position(), err)
	}
	r.Fail(fault(err))
	return packed{}
}

// partsOf returns the functions of parts.
func partsOf(d *given, least int) ([]*starlark.Function, error) {
	values := d.many
	if len(values) == 1 {
		if list, ok := values[0].(starlark.Indexable); ok {
			values = nil
			for i := range list.Len() {
				values = append(values, list.Index(i))
			}
		}
	}
	if len(values) < least {
		return nil, d.wrong("parts")
	}
	parts := make([]*starlark.Function, len(values))
	for i, v := range values {
		fn, ok := v.(*starlark.Function)
		if !ok || fn.NumParams() > 0 {
			return nil, d.wrong("parts")
		}
		fn.Freeze()
		parts[i] = fn
	}
	return parts, nil
}

func part(s *session, d *given) (starlark.Value, error) {
	if err := s.begins(); err != nil {
		return nil, err
	}
	parts, err := partsOf(d, 1)
	if err != nil {
		return nil, err
	}
	if len(parts) > 1 {
		return nil, wrong("part-one")
	}
	result := rule.Part(s.run, func(r *rule.Run) packed { return s.inPart(r, parts[0]) })
	return s.unpackPart(result, nil)
}

const maxParts = 20 // functions in one call of together

func together(s *session, d *given) (starlark.Value, error) {
	if err := s.begins(); err != nil {
		return nil, err
	}
	parts, err := partsOf(d, 0)
	if err != nil {
		return nil, err
	}
	if len(parts) > maxParts {
		return nil, wrong("length", "Name", d.name, "Len", len(parts), "Max", maxParts)
	}
	runs := make([]func(*rule.Run) packed, len(parts))
	for i, fn := range parts {
		runs[i] = func(r *rule.Run) packed { return s.inPart(r, fn) }
	}
	touched := map[string]bool{}
	values := make([]starlark.Value, len(parts))
	for i, result := range rule.Together(s.run, runs...) {
		if values[i], err = s.unpackPart(result, touched); err != nil {
			return nil, err
		}
	}
	return starlark.NewList(values), nil
}

func against(s *session, d *given) (starlark.Value, error) {
	if err := s.begins(); err != nil {
		return nil, err
	}
	parts, err := partsOf(d, 2)
	if err != nil {
		return nil, err
	}
	if len(parts) != 2 {
		return nil, d.wrong("usage")
	}
	side := func(fn *starlark.Function) func(*rule.Run) int {
		return func(r *rule.Run) int {
			result := s.inPart(r, fn)
			if result.kind != 'i' || result.text != "" {
				r.Fail(fault(at(fn.Position(), wrong("against-side"))))
			}
			return result.n
		}
	}
	other := side(parts[1])
	return starlark.MakeInt(rule.Against(s.run, side(parts[0]), func(r *rule.Run) int {
		r.SetRoller("") // the actor types these faces, though they are nobody's dice
		return other(r)
	})), nil
}

func setting(s *session, d *given) (starlark.Value, error) {
	name := d.text("name")
	i, ok := s.program.settings.at[name]
	if !ok {
		return nil, noField(name, s.program.settings.fields)
	}
	return s.settings[i], nil
}

// hasCome sets the move's outcome as soon as it's certain. Runs for odds end here.
func hasCome(s *session, d *given) (starlark.Value, error) {
	if s.how == allowing {
		return nil, errMayBegin
	}
	if s.parts > 0 || s.came != nil {
		return nil, wrong("came-once")
	}
	o, err := s.outcomeOf(d.value("outcome"))
	if err != nil {
		return nil, err
	}
	s.came = &o
	s.run.Record(game.Resolved{Who: s.scene.Actor, Outcome: o})
	if s.how == pricing {
		return nil, errOutcomeKnown
	}
	return d.value("outcome"), nil
}

func refuse(s *session, d *given) (starlark.Value, error) {
	if s.thrown && !s.check {
		return nil, wrong("refuse-late")
	}
	id, why := d.text("id"), d.text("reason")
	switch isRule := ruleID.MatchString(id); {
	case isRule && d.value("reason") == nil:
		return nil, d.wrong("text-missing")
	case !isRule:
		id, why = "", id
	}
	word, _, data, err := s.sentence(why, d)
	if err != nil {
		return nil, err
	}
	r := &game.Refusal{Rule: id, Word: word}
	for name, value := range data {
		if r.Data == nil {
			r.Data = map[string]any{}
		}
		switch {
		case value.Who != "":
			r.Data[name] = s.nameOf(value.Who)
		case value.Word != "":
			r.Data[name] = value.Word
		case value.Text != "":
			r.Data[name] = value.Text
		default:
			r.Data[name] = value.N
		}
	}
	return nil, r
}

func (s *session) nameOf(id string) string {
	if at, ok := s.slots[id]; ok {
		return at.member.Name
	}
	return id
}

// sentence returns the word of a text, with the data for its places.
func (s *session) sentence(text string, d *given) (word, plain string, data map[string]game.Datum, err error) {
	if !s.book.texts[text] {
		return "", "", nil, wrong("text-built")
	}
	for _, pair := range d.rest {
		name := string(pair[0].(starlark.String))
		value, err := datumOf(pair[1])
		if err != nil {
			return "", "", nil, inside(name, err)
		}
		if data == nil {
			data = map[string]game.Datum{}
		}
		data[placeName(name)] = value
	}
	for _, place := range placeIn.FindAllStringSubmatch(text, -1) {
		if _, there := data[placeName(place[1])]; !there {
			return "", "", nil, wrong("place-empty", "Text", text, "Place", place[0], "Name", place[1])
		}
	}
	return s.book.wordOf(text), quotePlaces(text), data, nil
}

func datumOf(value starlark.Value) (game.Datum, error) {
	switch value := value.(type) {
	case starlark.Int:
		return game.Datum{N: within(value, -maxNumber, maxNumber)}, nil
	case starlark.String:
		text := string(value)
		if text == "" {
			text = "—"
		}
		if len(text) > form.MaxProse {
			return game.Datum{}, wrong("bytes", "Len", len(text), "Max", form.MaxProse)
		}
		return game.Datum{Text: text}, nil
	case *sheet:
		if value.person() == "" {
			return game.Datum{Text: "—"}, nil
		}
		return game.Datum{Who: value.id}, nil
	case starlark.NoneType:
		return game.Datum{Text: "—"}, nil
	case *cardNamed:
		return game.Datum{Word: game.Word(value.word)}, nil
	}
	return game.Datum{}, wrong("place-value", "Got", typeOf(value))
}

func tell(s *session, d *given) (starlark.Value, error) {
	word, plain, data, err := s.sentence(d.text("text"), d)
	if err != nil {
		return nil, err
	}
	if s.how != allowing && s.run.KeepsEvents() {
		s.run.Record(game.Sentence{Word: word, Text: plain, Data: data, Secret: d.flag("secret")})
	}
	return starlark.None, nil
}

// change sets fields of a character's sheet; numbers are limited to their range.
func change(s *session, d *given) (starlark.Value, error) {
	who, ok := d.value("who").(*sheet)
	if !ok {
		return nil, wrong("want-sheet", "Got", typeOf(d.value("who")))
	}
	if s.check {
		return nil, wrong("check-only")
	}
	for _, pair := range d.rest {
		if err := s.set(who.person(), who.slot, string(pair[0].(starlark.String)), pair[1]); err != nil {
			return nil, err
		}
	}
	return who, nil
}

func (s *session) set(id string, at *slot, name string, value starlark.Value) error {
	shape := at.kind.shape
	i, ok := shape.at[name]
	if !ok {
		return inside(at.kind.label, noField(name, shape.fields))
	}
	if at.now == nil {
		return wrong("sheet-unseen", "Who", at.member.Name)
	}
	f := shape.fields[i]
	typ := shape.typ.Field(i).Type
	to, is, err := f.jsonOf(value, typ)
	if err != nil {
		return err
	}
	from, _, err := f.jsonOf(at.now[i], typ)
	if err != nil {
		return err
	}
	if string(from) == string(to) {
		return nil
	}
	hidden := f.secret || f.hides
	for j, other := range shape.fields {
		hidden = hidden || other.hides && at.now[j] == starlark.True
	}
	at.now = slices.Clone(at.now)
	at.now[i] = is
	if id != "" && s.how != allowing && s.run.KeepsEvents() {
		s.run.Record(game.Changed{
			Who: id, Field: f.id, From: game.Value(from), To: game.Value(to), Secret: hidden,
			Own: f.own && !hidden,
		})
	}
	return nil
}

// ask asks a question.
func ask(s *session, d *given) (starlark.Value, error) {
	q := d.value("question").(*question)
	if err := s.begins(); err != nil {
		return nil, err
	}
	asked := rule.Question[any]{
		ID: s.program.book.id + "." + q.id, Form: q.shape.form,
		Rival: d.flag("rival"), Sealed: d.flag("sealed"), Free: d.flag("free"),
	}
	standard := newOf(q.shape)
	to, offer := d.value("to"), d.value("offer")
	switch to := to.(type) {
	case *sheet:
		asked.To = to.person()
	default:
		if to != gm {
			return nil, d.wrong("ask-to")
		}
		asked.To = game.GM
	}
	if assumed := d.value("assume"); assumed != nil {
		if err := q.shape.fill(assumed, standard); err != nil {
			return nil, err
		}
	}
	entries, err := q.askedItems(to, offer)
	if err != nil {
		return nil, err
	}
	if offer != nil {
		if asked.Form, err = applyOffer(q.shape, asked.Form, offer, standard); err != nil {
			return nil, err
		}
	}
	asked.Form = q.offerItems(asked.Form, entries, standard)
	asked.Standard = standard.Interface()
	check, about := d.def("check"), d.text("about")
	if about == "" && len(d.rest) > 0 && !d.kept {
		return nil, d.unknown(string(d.rest[0][0].(starlark.String)))
	}
	if about == "" {
		asked.About = game.AboutWho{Who: s.scene.Actor}
	} else {
		word, plain, data, err := s.sentence(about, d)
		if err != nil {
			return nil, err
		}
		asked.About = game.Sentence{Word: word, Text: plain, Data: data}
	}
	scene := s.scene
	find := func(id string) starlark.Value {
		if id == "" {
			return starlark.None
		}
		at, known := s.slots[id]
		if !known {
			member, ok := scene.Cast[id]
			if !ok {
				return starlark.None
			}
			k, _ := s.kind(member.Kind)
			at = &slot{member: member, kind: k, first: s.sheetOf(member)}
			at.now = at.first
			s.slots[id] = at
			s.joined = append(s.joined, id)
		}
		return &sheet{s, at, id}
	}
	asked.Check = func(answer any) error {
		values := q.answered(answer, s.unseen, entries)
		if err := q.shape.chosenOnce(values); err != nil || check == nil {
			return err
		}
		return s.looks(check, &record{q.shape, values})
	}
	if q.names() {
		var answer any
		answer, scene = game.Name(s.run, s.scene, asked)
		return &record{q.shape, q.answered(answer, find, entries)}, nil
	}
	return &record{q.shape, q.answered(rule.Ask(s.run, asked), nobody, entries)}, nil
}

// unseen returns a character named by an answer that is only checked: nothing about them is known
// yet.
func (s *session) unseen(id string) starlark.Value {
	if id == "" {
		return starlark.None
	}
	return &sheet{s, &slot{member: game.Member{ID: id, Name: id}, kind: &kind{label: "sheet", shape: &shape{}}}, id}
}

// looks calls a function that checks an answer, and returns its refusal.
func (s *session) looks(check *starlark.Function, answer starlark.Value) error {
	thread := &starlark.Thread{Name: "check", Print: func(*starlark.Thread, string) {}}
	look := *s
	look.check, look.thread = true, thread
	thread.SetLocal(runKey, &look)
	thread.SetMaxExecutionSteps(stepsToLook)
	if _, err := starlark.Call(thread, check, starlark.Tuple{answer}, nil); err != nil {
		return fault(err)
	}
	return nil
}
