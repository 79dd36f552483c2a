package script

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Text is the source of a game.
type Text struct {
	Game  string // game.star
	Words string // words.toml; may be empty
	Look  string // look.toml; may be empty
}

const maxWords = 256 << 10 // bytes of words.toml

// Read reads a game's folder.
func Read(folder fs.FS) (t Text, err error) {
	for name, into := range map[string]*string{file: &t.Game, wordsFile: &t.Words, lookFile: &t.Look} {
		data, err := fs.ReadFile(Regular(folder), name)
		mistake, isMistake := errors.AsType[*Mistake](err)
		switch {
		case isMistake:
			return t, &Problem{File: name, What: mistake}
		case errors.Is(err, fs.ErrNotExist) && name != file:
			continue
		case errors.Is(err, fs.ErrNotExist):
			return t, &Problem{File: name, What: wrong("missing-file", "File", file)}
		case err != nil:
			return t, &Problem{File: name, What: wrong("unreadable", "Why", err.Error(), "File", file)}
		case len(data) > maxWords:
			return t, &Problem{File: name, What: wrong("bytes", "Len", len(data), "Max", maxWords)}
		}
		*into = lang.TextOf(data)
	}
	return t, nil
}

const wordsFile = "words.toml"

// Files are the names of the files that make up a game's text.
var Files = []string{file, wordsFile, lookFile}

// Bytes encodes the text for storage; Parse decodes it.
func (t Text) Bytes() []byte {
	files := map[string]string{file: t.Game, wordsFile: t.Words}
	if t.Look != "" {
		files[lookFile] = t.Look
	}
	data, err := json.MarshalIndent(files, "", "\t")
	if err != nil {
		panic(err) // it contains only texts
	}
	return data
}

// Parse decodes what Bytes returned.
func Parse(data []byte) (Text, error) {
	var files map[string]string
	if err := json.Unmarshal(data, &files); err != nil || files[file] == "" {
		return Text{}, &Problem{File: file, What: wrong("no-text")}
	}
	return Text{Game: files[file], Words: files[wordsFile], Look: files[lookFile]}, nil
}

// Hash returns the hash of the text, which is the edition of its game.
func (t Text) Hash() string {
	return game.TextOf(t.Bytes())
}

// program is a text that has been read.
type program struct {
	book     *book
	settings *shape
	game     *game.Game
}

func (p *program) kind(id string) (*kind, bool) {
	i := slices.IndexFunc(p.book.kinds, func(k *kind) bool { return k.id == id })
	if i < 0 {
		return nil, false
	}
	return p.book.kinds[i], true
}

// Compile makes the game of a text. The error is a *Problem.
func Compile(t Text) (*game.Game, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	return p.game, nil
}

// CompileKept makes the game of a text that a table has stored since it was begun. It still accepts
// what versions before 0.3 accepted in calls, because the table's log has such moves: arguments that a
// function doesn't take, and a flag that is neither True nor False. The error is a *Problem.
func CompileKept(t Text) (*game.Game, error) {
	p, err := compileAs(t, &book{kept: true})
	if err != nil {
		return nil, err
	}
	return p.game, nil
}

// CompileRule makes a game of a single rule that was written only for its odds: without a name, a
// sheet or words. Such a rule may return a whole number instead of an outcome. The error is a
// *Problem.
func CompileRule(text string) (*game.Game, error) {
	if len(text) > MaxRule {
		return nil, &Problem{File: file, What: wrong("bytes", "Len", len(text), "Max", MaxRule)}
	}
	p, err := compileAs(Text{Game: text}, &book{alone: true})
	if err != nil {
		return nil, err
	}
	return p.game, nil
}

// MaxRule bounds the bytes of a rule for CompileRule, which may be part of an address.
const MaxRule = 16 << 10

func compile(t Text) (*program, error) { return compileAs(t, &book{}) }

func compileAs(t Text, b *book) (_ *program, err error) {
	defer func() { // a panic is a mistake in the text
		if broken := recover(); broken != nil {
			if trouble, ok := broken.(runtime.Error); ok {
				err = &Problem{File: file, What: trouble}
				return
			}
			panic(broken)
		}
	}()
	s, err := read(t.Game)
	if err != nil {
		return nil, err
	}
	b.scan, b.reading = s, true
	b.texts, b.unshown, b.thrownFor = map[string]bool{}, map[string]bool{}, map[string]string{}
	if err := b.run(); err != nil {
		return nil, err
	}
	b.reading = false
	p := &program{book: b}
	if err := p.build(t); err != nil {
		return nil, err
	}
	return p, nil
}

// run runs the script once, which collects its declarations.
func (b *book) run() error {
	names := boundNames()
	maps.Copy(names, starlark.StringDict{
		"gm":    gm,
		"float": notThere("float", wrong("no-float")),
		"print": notThere("print", wrong("no-print")),
	})
	for _, sides := range []int{2, 3, 4, 6, 8, 10, 12, 20, 100} {
		names[fmt.Sprintf("d%d", sides)] = starlark.MakeInt(sides)
	}
	for _, f := range callable {
		names[f.name] = b.builtin(f)
	}
	bound(b.scan.file)
	program, err := b.compile(names)
	if err != nil {
		return cmp.Or(joined(b.problems), error(problemOf(err)))
	}
	thread := &starlark.Thread{Name: file, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(stepsToRead)
	b.declared, err = program.Init(thread, names)
	if len(b.problems) > 0 { // an error of what is broken would say nothing
		return joined(b.problems)
	}
	if err != nil {
		return problemOf(err)
	}
	maps.DeleteFunc(b.declared, func(name string, _ starlark.Value) bool { return strings.HasPrefix(name, bounding) })
	b.declared.Freeze()
	if b.name == "" && b.alone {
		b.name, b.id, b.lang = "Rule", "own-rule", "en"
	}
	if b.alone {
		b.totals()
	}
	if b.name == "" {
		return &Problem{File: file, Line: 1, Col: 1, What: wrong("no-game")}
	}
	return b.nameDeclared()
}

func notThere(name string, why error) *starlark.Builtin {
	return starlark.NewBuiltin(name,
		func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return nil, why
		})
}

// outState is a state in which a character is out of action.
type outState struct {
	thing
	text string
}

func out(d *given) starlark.Value {
	text := d.text("text")
	return &outState{thing{what: "state", name: text}, text}
}

// build makes the game from the declarations.
func (p *program) build(t Text) (err error) {
	b := p.book
	source := t.Bytes()
	g := &game.Game{ID: b.id, Text: game.TextOf(source), Source: source}
	p.game = g
	g.Paint, err = paintOf(t.Look)
	b.keep(err)
	for _, r := range b.rules {
		g.Rules = append(g.Rules, r.id)
	}
	b.tellApart()
	if p.settings, err = shapeOf(b.settings); err != nil {
		return err
	}
	g.Settings = game.SettingsOf(newOf(p.settings).Interface())
	for _, k := range b.kinds {
		made, err := p.kindOf(k)
		b.keep(err)
		g.Kinds = append(g.Kinds, made)
	}
	for _, q := range b.asks {
		q.shape, err = shapeOf(q.fields)
		b.keep(err)
	}
	if len(b.problems) > 0 { // moves need sheets and questions
		return joined(b.problems)
	}
	for _, said := range b.scan.texts {
		if !b.scan.speaks(said.text) {
			continue
		}
		if hasBraces(said.text) {
			b.keep(at(said.pos, wrong("braces", "Text", said.text)))
		}
		b.texts[said.text] = true
		b.unshown[said.text] = !b.scan.flows[said.text] && !b.scan.said[said.text]
	}
	b.purposes()
	ids := map[string]bool{}
	for _, m := range b.moves {
		if ids[m.id] {
			b.keep(at(m.pos, wrong("twice", "Name", m.name)))
			continue
		}
		ids[m.id] = true
		made, err := p.moveOf(m)
		b.keep(err)
		g.Moves = append(g.Moves, made)
	}
	g.Between = b.between
	if len(b.problems) > 0 {
		_, err := b.listWords()
		b.keep(err)
		return joined(b.problems)
	}
	if err := p.setTurnOrder(); err != nil {
		return err
	}
	if b.alone && len(g.Moves) == 0 {
		return &Problem{File: file, Line: 1, Col: 1, What: wrong("no-move")}
	}
	if !b.alone && (len(g.Kinds) == 0 || len(g.Moves) == 0) {
		return &Problem{File: file, Line: 1, Col: 1, What: wrong("no-sheet")}
	}
	g.Shows = b.shows()
	g.View = game.View{
		Sees: nil,
		Throw: func(v game.Viewer, _ any, t rule.Throw) bool {
			return v.IsGM() || !strings.HasPrefix(t.For, secretThrow)
		},
	}
	if g.Words, err = b.words(t.Words); err != nil {
		return err
	}
	b.scan = nil // no longer needed
	return p.samples()
}

func newOf(s *shape) reflect.Value {
	v := reflect.New(s.typ)
	s.form.Defaults(v.Interface())
	return v.Elem()
}

func (p *program) kindOf(k *kind) (game.Kind, error) {
	var err error
	if k.shape, err = shapeOf(k.fields); err != nil {
		return game.Kind{}, err
	}
	var check func(any) error
	if k.check != nil {
		check = func(sheet any) error { return p.look(k.check, &record{k.shape, k.shape.values(sheet, nobody)}, nil) }
	}
	made := game.KindOf(k.id, k.player, newOf(k.shape).Interface(), check)
	made.Thing, made.Scene, made.Also = k.nobody, k.scene, []string{k.name, k.label}
	made.Partly = !slices.ContainsFunc(k.fields, func(f *field) bool { return f.hides || f.secret && f.cards == nil })
	made.Places = map[string]string{"": placeAt(k.pos)}
	for _, f := range k.fields {
		made.Places[f.id] = placeAt(f.pos)
	}
	if k.state != nil {
		made.State = func(shown any) (state game.State) {
			_ = p.look(k.state, &record{k.shape, k.shape.values(shown, nobody)}, func(said starlark.Value) {
				text, ok := starlark.AsString(said)
				if ending, gone := said.(*outState); gone {
					text, ok, state.Out = ending.text, true, true
				}
				if ok && p.book.texts[text] {
					state.Word = p.book.wordOf(text)
				}
			})
			return state
		}
	}
	return made, nil
}

func placeAt(pos syntax.Position) string { return fmt.Sprintf("%s:%d", file, pos.Line) }

// look calls a function that only reads.
func (p *program) look(fn *starlark.Function, of starlark.Value, gives func(starlark.Value)) error {
	s := &session{play: &play{program: p, move: &move{}}, slots: map[string]*slot{}, check: true}
	thread := &starlark.Thread{Name: fn.Name(), Print: func(*starlark.Thread, string) {}}
	thread.SetLocal(runKey, s)
	thread.SetMaxExecutionSteps(stepsToLook)
	value, err := starlark.Call(thread, fn, starlark.Tuple{of}, nil)
	if err != nil {
		return fault(err)
	}
	if gives != nil {
		gives(value)
	}
	return nil
}

// purposes collects the possible names of throws: each move's name, the values of called = in the
// text, and texts that may be passed to it.
func (b *book) purposes() {
	for _, m := range b.moves {
		b.thrownFor[m.label] = slug(m.label)
	}
	for text, may := range b.scan.said {
		if may {
			b.thrownFor[text] = slug(text)
		}
	}
	for text := range b.texts {
		if b.shown(text) && len(text) <= maxPurpose && !strings.ContainsAny(text, "{.?!") && !ruleID.MatchString(text) {
			b.thrownFor[text] = slug(text)
		}
	}
}

const maxPurpose = 40

func (q *question) names() bool {
	return slices.ContainsFunc(q.fields, func(f *field) bool {
		return f.kind.IsRef()
	})
}

// counts reports whether a move's rule returns a number instead of an outcome.
func (m *move) counts() bool { return len(m.outcomes) == 1 && m.outcomes[0].id == totalID }

// throwing reports whether a rule uses any function that throws.
func throwing(uses map[string]bool) bool {
	return slices.ContainsFunc(callable, func(f *function) bool { return f.throws && uses[f.name] })
}

func (p *program) moveOf(m *move) (game.Move, error) {
	b := p.book
	reached := b.scan.reach(m.name)
	uses := reached.uses
	if m.outcomes == nil {
		for _, o := range b.outcomes {
			if uses[o.name] {
				m.outcomes = append(m.outcomes, o)
			}
		}
	}
	if len(m.outcomes) == 0 && (b.alone || throwing(uses) && b.scan.returnsValue(m.name)) {
		m.outcomes = b.totals()
	}
	if err := m.withBare(reached, b.asks); err != nil {
		return game.Move{}, err
	}
	fields := slices.Clone(m.fields)
	for i, f := range fields {
		if f.kind.IsRef() || f.list != "" {
			own := *f
			own.table = true
			fields[i] = &own
		}
	}
	if err := m.checkLists(); err != nil {
		return game.Move{}, err
	}
	var err error
	if m.shape, err = shapeOf(fields); err != nil {
		return game.Move{}, err
	}
	// otherwise it always has the same outcome
	chancy := m.odds && throwing(uses) && (len(m.outcomes) > 1 || len(m.outcomes) == 1 && m.outcomes[0].counts)
	of := game.MoveSpec[any]{
		ID: m.id, GMOnly: m.gm, Bare: chancy && !m.noBare && !m.gm, AtTable: true, ByOffer: m.offers, Throws: throwing(uses),
		Args: newOf(m.shape).Interface(),
		Allow: func(s game.Scene, args any) error {
			if err := m.shape.chosenOnce(m.shape.values(args, nobody)); err != nil {
				return err
			}
			return p.ready(m, s, args, allowing).checkBegins()
		},
		Play: func(r *rule.Run, s game.Scene, args any) rule.Outcome {
			return p.ready(m, s, args, playing).outcome(r)
		},
		Fit:   p.fit(m),
		Mark:  p.marks(m),
		Order: m.turn,
		Joins: map[string]any{},
	}
	for _, k := range m.by {
		of.Kinds = append(of.Kinds, k.id)
	}
	for _, o := range m.outcomes {
		of.Outcomes = append(of.Outcomes, game.OutcomeKind{ID: o.id, Counts: o.counts, Less: o.fewer, Tone: o.tone})
	}
	if len(m.outcomes) == 0 || !b.alone && m.counts() {
		of.Outcomes = append(of.Outcomes, game.OutcomeKind{ID: doneID, Tone: game.Neutral})
	}
	for _, q := range b.asks {
		if uses[q.name] && q.names() {
			of.Joins[b.id+"."+q.id] = newOf(q.shape).Interface()
		}
	}
	if chancy {
		m.headlines()
		for _, c := range m.chances {
			ids := make([]string, len(c.outcomes))
			for i, o := range c.outcomes {
				ids[i] = o.id
			}
			of.Headlines = append(of.Headlines, game.Headline{ID: c.id, Outcomes: ids})
		}
		of.Ready = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
			return p.ready(m, s, args, pricing).outcome
		}
		of.Strip = p.strip(m)
	}
	made := game.Define(of)
	made.Also = []string{m.name, m.label}
	for i, c := range m.chances {
		if chancy && c.text != "" {
			made.Aims[i].Also = []string{c.text}
		}
	}
	if chancy {
		made.Play = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
			how := playing
			if s.Actor == "" && made.Bare && len(m.by) > 0 {
				how = pricing
			}
			return p.ready(m, s, args, how).outcome
		}
	} else {
		made.Play = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
			return p.ready(m, s, args, playing).outcome
		}
	}
	if m.pool != nil {
		made.Sources = p.sources(m)
	}
	return made, nil
}

// headlines sets the chances that people want to know: those in the text, or else the chance of
// success.
func (m *move) headlines() {
	if m.chances != nil || len(m.outcomes) == 0 || m.counts() {
		return
	}
	c := chance{id: "succeed"}
	for _, o := range m.outcomes {
		if o.tone == game.Triumph || o.tone == game.Good || o.tone == game.Mixed {
			c.outcomes = append(c.outcomes, o)
		}
	}
	if len(c.outcomes) == 0 || len(c.outcomes) == len(m.outcomes) {
		c.outcomes = m.outcomes[:1]
	}
	m.chances = []chance{c}
}

// checkBegins returns the error of the rule before its first throw or question. It runs the rule up
// to there.
func (p *play) checkBegins() error {
	s := p.session()
	_, err := s.once(nil)
	if err == nil || errors.Is(err, errMayBegin) {
		return nil
	}
	return fault(err)
}

// marks returns a function that marks the dice that decide.
func (p *program) marks(m *move) func(any, rule.Throw) []game.Mark {
	if m.mark == nil {
		return nil
	}
	return func(_ any, t rule.Throw) []game.Mark {
		marks := make([]game.Mark, len(t.Faces))
		if fn, ok := m.mark.(*starlark.Function); ok {
			faces := make([]starlark.Value, len(t.Faces))
			for i, face := range t.Faces {
				faces[i] = starlark.MakeInt(face)
			}
			_ = p.look(fn, frozen(faces), func(given starlark.Value) {
				i := 0
				for value := range elements(given) {
					if i < len(marks) && value.Truth() {
						marks[i] = game.Deciding
					}
					i++
				}
			})
			return marks
		}
		best := 0
		for i, face := range t.Faces {
			if how := cmp.Compare(face, t.Faces[best]); how > 0 && m.mark == starlark.String("highest") || how < 0 &&
				m.mark == starlark.String("lowest") {
				best = i
			}
		}
		if len(marks) > 0 {
			marks[best] = game.Deciding
		}
		return marks
	}
}

// sources returns a function for the parts of a pool: the texts and numbers returned by the
// script's function pool.
func (p *program) sources(m *move) func(game.Scene, any) []game.Source {
	return func(s game.Scene, args any) (all []game.Source) {
		session := p.ready(m, s, args, allowing).session()
		for _, at := range session.slots {
			at.now = at.first
		}
		session.check = true
		session.thread.SetMaxExecutionSteps(stepsToLook)
		given, err := starlark.Call(session.thread, m.pool, session.args, nil)
		if err != nil {
			return nil
		}
		for value := range elements(given) {
			pair, ok := value.(starlark.Tuple)
			if !ok || len(pair) != 2 {
				continue
			}
			text, _ := starlark.AsString(pair[0])
			n, err := starlark.AsInt32(pair[1])
			if err != nil || n == 0 {
				continue
			}
			if p.book.texts[text] {
				all = append(all, game.Source{Word: p.book.wordOf(text), N: n})
			} else {
				all = append(all, game.Source{Text: text, N: n})
			}
		}
		return all
	}
}

// applyOffer returns a question's form with the choices available now: offer = {"item": ["Lamp",
// "Rope"]}. The standard answer takes the first of them if its own isn't available.
func applyOffer(s *shape, f *form.Form, offer starlark.Value, standard reflect.Value) (*form.Form, error) {
	all, ok := offer.(*starlark.Dict)
	if !ok {
		return nil, wrong("offer-dict")
	}
	for _, pair := range all.Items() {
		name, _ := starlark.AsString(pair[0])
		i, ok := s.at[name]
		if ok && s.fields[i].list != "" { // see askedItems
			continue
		}
		if !ok || s.fields[i].kind != form.KindChoice && !s.fields[i].plain {
			return nil, wrong("offer-choice", "Name", name)
		}
		of, path := s.fields[i], s.fields[i].id
		if of.plain {
			of = of.fields[0]
			path += "." + of.id
		}
		var options []form.Option
		for value := range elements(pair[1]) {
			id, _ := starlark.AsString(value)
			at := slices.IndexFunc(of.options, func(o option) bool { return o.id == id })
			if at < 0 {
				return nil, inside("offer", oneOf(name, of.choices()))
			}
			if !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == id }) {
				options = append(options, form.Option{Value: id, Alias: of.options[at].label})
			}
		}
		f = f.With(path, options...)
		if of := standard.Field(i); of.Kind() == reflect.String && of.String() != "" && len(options) > 0 &&
			!slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == of.String() }) {
			of.SetString(options[0].Value)
		}
	}
	return f, nil
}

// samples makes the stock and the demo.
func (p *program) samples() error {
	b, g := p.book, p.game
	stock := b.stock
	if len(stock) == 0 { // one character of each kind, with its defaults
		for _, k := range b.kinds {
			stock = append(stock, &sample{
				kind: k, label: k.label, sheet: starlark.StringDict{},
				thing: thing{pos: k.pos},
			})
		}
	}
	for _, s := range slices.Concat(stock, b.ready) {
		if _, err := p.sampleOf(s, lang.Speaker{}); err != nil {
			return err
		}
	}
	g.Stock = func(s lang.Speaker) []game.Sample {
		samples := make([]game.Sample, len(stock))
		for i, one := range stock {
			samples[i], _ = p.sampleOf(one, s)
			samples[i].ID, samples[i].Name, samples[i].Player = fmt.Sprintf("%s-%s", one.kind.id, slug(one.label)),
				b.say(s, one.label), false
		}
		return samples
	}
	g.Heroes = func(s lang.Speaker) []game.Sample {
		heroes := b.heroes()
		samples := make([]game.Sample, len(heroes))
		for i, one := range heroes {
			samples[i], _ = p.sampleOf(one, s)
			samples[i].ID, samples[i].Name, samples[i].Player = fmt.Sprintf("hero-%s-%s", one.kind.id, slug(one.label)),
				b.say(s, one.label), false
		}
		return samples
	}
	show := b.demo
	if show == nil {
		show = &demo{name: b.name}
		for _, k := range b.kinds {
			show.cast = append(show.cast, &sample{
				kind: k, label: k.label, player: k.player,
				sheet: starlark.StringDict{}, thing: thing{pos: k.pos},
			})
		}
	}
	ids := map[string]string{}
	for i, s := range show.cast {
		if _, err := p.sampleOf(s, lang.Speaker{}); err != nil {
			return err
		}
		ids[s.label] = fmt.Sprintf("c%d", i+1)
	}
	beats := make([]game.Beat, len(show.story))
	for i, m := range show.story {
		made, err := p.beatOf(m, ids)
		if err != nil {
			return err
		}
		beats[i] = made
	}
	g.Demo = func(s lang.Speaker) game.Demo {
		d := game.Demo{Name: b.say(s, show.name), Story: slices.Clone(beats)}
		for _, one := range show.cast {
			made, _ := p.sampleOf(one, s)
			made.Name, made.Player = b.say(s, one.label), one.player
			d.Cast = append(d.Cast, made)
		}
		return d
	}
	return nil
}

// sampleOf returns a ready character with its texts in a language; the zero speaker leaves them
// unchanged.
func (p *program) sampleOf(s *sample, by lang.Speaker) (game.Sample, error) {
	sheet := newOf(s.kind.shape)
	for _, name := range slices.Sorted(maps.Keys(s.sheet)) {
		i := s.kind.shape.at[name]
		f := s.kind.shape.fields[i]
		// a rule's number would be limited to its range, but this one was written on purpose
		if n, ok := s.sheet[name].(starlark.Int); ok && f.kind == form.KindInt &&
			within(n, f.min, f.max) != within(n, -maxNumber, maxNumber) {
			return game.Sample{}, at(s.pos, inside(s.label, between(name, f.min, f.max, n)))
		}
		if err := s.kind.shape.fields[i].put(p.book.localize(by, s.kind.shape.fields[i], s.sheet[name]),
			sheet.Field(i)); err != nil {
			return game.Sample{}, at(s.pos, inside(s.label, err))
		}
	}
	return game.Sample{Kind: s.kind.id, Name: s.label, Player: s.player, Sheet: sheet.Interface()}, nil
}

// localize returns the value of a sample's field, with its texts in a language.
func (b *book) localize(by lang.Speaker, f *field, value starlark.Value) starlark.Value {
	if by == (lang.Speaker{}) {
		return value
	}
	switch held := value.(type) {
	case starlark.String:
		if f.kind.IsText() {
			return starlark.String(b.say(by, string(held)))
		}
	case *starlark.List:
		all := make([]starlark.Value, held.Len())
		for i := range all {
			all[i] = b.localize(by, f, held.Index(i))
		}
		return starlark.NewList(all)
	case *starlark.Dict:
		item := starlark.NewDict(held.Len())
		for _, pair := range held.Items() {
			name, _ := starlark.AsString(pair[0])
			if of, ok := fieldOf(f.fields, name); ok {
				_ = item.SetKey(pair[0], b.localize(by, of, pair[1]))
			}
		}
		return item
	}
	return value
}

func (p *program) beatOf(m *beat, ids map[string]string) (game.Beat, error) {
	i := slices.IndexFunc(p.book.moves, func(known *move) bool { return known.id == m.move })
	if i < 0 {
		return game.Beat{}, at(m.pos, wrong("no-such-move", "Name", m.move))
	}
	made := game.Beat{Move: m.move, By: ids[m.by], Dice: m.dice}
	if m.by != "" && made.By == "" {
		return game.Beat{}, at(m.pos, wrong("cast", "Name", m.by))
	}
	members := map[string]any{}
	for name, value := range m.args {
		plain, err := plainOf(value, ids)
		if err != nil {
			return game.Beat{}, at(m.pos, inside(name, err))
		}
		id := idOf(name)
		if f, ok := fieldOf(p.book.moves[i].fields, name); ok {
			id = f.id
		}
		members[id] = plain
	}
	data, err := json.Marshal(members)
	if err == nil {
		made.Args, err = p.game.Moves[i].Restore(data)
	}
	if err != nil {
		return game.Beat{}, at(m.pos, err)
	}
	for _, answer := range m.answers {
		plain, err := plainOf(answer, ids)
		if err != nil {
			return game.Beat{}, at(m.pos, err)
		}
		made.Answers = append(made.Answers, plain)
	}
	return made, nil
}

// plainOf returns a value for JSON; the name of a character in the demo becomes their id.
func plainOf(value starlark.Value, ids map[string]string) (any, error) {
	switch value := value.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(value), nil
	case starlark.Int:
		n, _ := value.Int64()
		return n, nil
	case starlark.String:
		if id, ok := ids[string(value)]; ok {
			return id, nil
		}
		return string(value), nil
	case *starlark.Dict:
		members := map[string]any{}
		for _, pair := range value.Items() {
			name, _ := starlark.AsString(pair[0])
			plain, err := plainOf(pair[1], ids)
			if err != nil {
				return nil, err
			}
			members[idOf(name)] = plain
		}
		return members, nil
	case starlark.Indexable:
		all := []any{}
		for i := range value.Len() {
			plain, err := plainOf(value.Index(i), ids)
			if err != nil {
				return nil, err
			}
			all = append(all, plain)
		}
		return all, nil
	}
	return nil, wrong("demo-value", "Got", typeOf(value))
}

// read decodes a field's value from JSON.
func (f *field) read(data string, typ reflect.Type) (starlark.Value, error) {
	into := reflect.New(typ)
	if err := json.Unmarshal([]byte(data), into.Interface()); err != nil {
		return nil, err
	}
	return f.value(into.Elem(), nobody), nil
}

// between suggests the moves between sessions that a character can make, or those without an actor
// if who is "".
func (b *book) between(s game.Scene, who string) []game.Suggestion {
	var all []game.Suggestion
	for _, m := range b.moves {
		by := who == "" && len(m.by) == 0
		for _, k := range m.by {
			by = by || k.id == s.Cast[who].Kind
		}
		if m.between && by {
			all = append(all, game.Suggestion{Move: m.id, Ticked: m.ticked})
		}
	}
	return all
}
