package judge

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"norn/dice"
	"norn/distribution"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Point is one check of a game.
type Point struct {
	Name string
	Sums bool // it sums up what the cases have shown, so it says little if one of them has broken
	hear func(*report)
	of   *battery
}

// Judge returns the game's faults, each in one line or a few, or none. A mistake in a game's own
// text is a game.Defect.
func (p Point) Judge() (faults []error) {
	t := &report{of: p.of}
	defer func() {
		if broken := recover(); broken != nil && broken != errStopped {
			t.Errorf("it breaks: %v\n%s", broken, debug.Stack())
		}
		faults = t.faults
	}()
	p.hear(t)
	return t.faults
}

// report collects the faults of a point.
type report struct {
	faults []error
	of     *battery
}

var errStopped = errors.New("nothing more can be heard of this point")

func (t *report) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, t.readable(args)...); !t.defect(args) && !t.knows(text, args) {
		t.faults = append(t.faults, errors.New(text))
	}
}

// defect reports a mistake in the game's own text, which says where it is, and whether there is one.
func (t *report) defect(args []any) bool {
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			if defect, ok := game.AsDefect(err); ok {
				t.faults = append(t.faults, defect)
				return true
			}
		}
	}
	return false
}

// readable replaces refusals by their texts.
func (t *report) readable(args []any) []any {
	if t.of == nil || t.of.words == nil {
		return args
	}
	said := slices.Clone(args)
	for i, arg := range args {
		err, _ := arg.(error)
		if refusal, ok := game.AsRefusal(err); ok {
			voice := game.Voice{
				Speaker: t.of.game.Speak(t.of.words.In(lang.En)), Game: t.of.game.ID,
				Name: func(id string) string { return id },
			}
			said[i] = voice.Refusal(refusal)
		}
	}
	return said
}

func (t *report) Error(args ...any) {
	if !t.defect(args) {
		t.faults = append(t.faults, errors.New(strings.TrimSuffix(fmt.Sprintln(args...), "\n")))
	}
}

// Fatalf reports a fault and ends the point.
func (t *report) Fatalf(format string, args ...any) { t.Errorf(format, args...); panic(errStopped) }

func (t *report) Fatal(args ...any) { t.Error(args...); panic(errStopped) }

// battery collects what the checks learn about a game.
type battery struct {
	game   *game.Game
	throws int
	words  *lang.Words
	told   map[string]bool // types of events that were recorded
	shown  map[string]bool // those of them that a player could see
	alike  map[string]bool // by move, whether a case expresses without a table what sheets hold
	worded map[string]bool // by type of event, whether it has a text
	asked  map[string]bool // ids of questions
	fell   map[string]bool // purposes of the dice thrown
	thrown map[string]int  // by move, the largest number of degrees of freedom of its χ²
}

// Points returns the checks of a game. throws is the number of throws of each case that are
// compared with its odds. Run them in order: the last ones use what all cases have shown.
func Points(g *game.Game, cases []*Case, throws int) []Point {
	b := &battery{
		game:   g,
		throws: throws,
		told:   map[string]bool{},
		shown:  map[string]bool{},
		alike:  map[string]bool{},
		worded: map[string]bool{},
		asked:  map[string]bool{},
		fell:   map[string]bool{},
		thrown: map[string]int{},
	}
	var points []Point
	point := func(name string, hear func(*report)) {
		points = append(points, Point{Name: name, hear: hear, of: b})
	}
	sums := func(name string, hear func(*report)) {
		points = append(points, Point{Name: name, Sums: true, hear: hear, of: b})
	}
	point("its words can be read", b.read)
	point("what it lists fits together", b.fits)
	for _, c := range cases {
		point(c.Title, func(t *report) { b.plays(t, c) })
	}
	point("the demo can be played", func(t *report) { tells(t, g) })
	point("the stock can be put into play", func(t *report) { checkStock(t, g) })
	sums("every move has a case", func(t *report) { everyMove(t, g, cases) })
	for i := range g.Moves {
		if m := &g.Moves[i]; m.Price != nil {
			point(
				"odds of "+m.ID+" are those of all sequences",
				func(t *report) { sequencesOf(t, m, ofMove(t, g, m, cases), b.sequences()) },
			)
		}
	}
	sums("every move with chance is thrown", func(t *report) {
		for _, m := range g.Moves {
			if m.Price != nil && b.thrown[m.ID] < 1 {
				t.fault("none-thrown", "move "+m.ID+" has no case whose throws are compared with its odds: "+
					"write one in which chance decides how it comes out", "Move", m.ID)
			}
		}
	})
	sums("every move without a table says what sheets hold", func(t *report) {
		for _, m := range g.Moves {
			if m.Bare && m.AtTable && !b.alike[m.ID] {
				t.fault("none-alike", "move "+m.ID+" has no case at a table that gives the same odds without a table", "Move", m.ID)
			}
		}
	})
	sums("every event is told", func(t *report) {
		for _, e := range g.Events {
			if !b.told[e.Type] {
				t.Errorf("no case tells %s", e.Type)
			}
			if b.told[e.Type] && b.shown[e.Type] == e.Silent {
				t.Errorf(
					"that players are shown %s in some case is %t; the game says that it's silent: %t",
					e.Type,
					b.shown[e.Type],
					e.Silent,
				)
			}
		}
	})
	point("its words are there", b.wordsThere)
	point("shows what it has, and not what is secret", func(t *report) { shows(t, g) })
	return points
}

// sequences returns the largest number of sequences for which a case is checked by all of them. It
// grows with the throws, so that a quick check costs less here too.
func (b *battery) sequences() int { return b.throws * 3 / 20 }

// plays plays a case and checks everything that every move must satisfy.
func (b *battery) plays(t *report, s *Case) {
	st, err := stage(b.game, s)
	if err != nil {
		t.Fatalf("%s: %v", s.File, err)
	}
	rec, err := act(st)
	if err != nil {
		t.Fatalf("%s: %v", s.File, err)
	}
	s.happened = rec.lines
	if diff := differ(s.want, rec.lines); diff != "" {
		t.fault("differs", s.File+": what happened differs (−want +got):\n"+diff, "Diff", diff)
	}
	if rec.refused {
		return
	}
	again(t, st, rec.result)
	halfway(t, st, rec.result)
	commutes(t, st, rec.result)
	keeps(t, st, rec.result)
	lending(t, st, rec.result)
	defaults(t, rec.asked)
	joins(t, st, rec.asked)
	arguments(t, st)
	wordsKept(t, st, rec.result)
	events(t, b.game, st, rec.result)
	marks(t, st, rec.result)
	rollers(t, st, rec.result)
	for _, q := range rec.asked {
		if q.Dice == nil {
			b.asked[q.ID] = true
		}
	}
	for _, step := range rec.result.Trail {
		if step.Dice != nil && st.move.AtTable {
			b.fell[step.Dice.For] = true
		}
	}
	for _, e := range rec.result.Events {
		b.told[game.TypeOf(e.Event)] = true
	}
	b.checkTexts(t, st, rec)
	b.alike[st.move.ID] = b.alike[st.move.ID] || saysBare(t, st)
	b.thrown[st.move.ID] = max(b.thrown[st.move.ID], b.prices(t, st))
}

// again replays the record: it must have the same trail, events and outcome.
func again(t *report, st staged, first rule.Result[rule.Outcome]) {
	second, err := rule.Play(
		st.play,
		rule.Options{Trail: first.Trail, Source: rule.HandSource(dice.NewHand(nil), true)},
	)
	if err != nil {
		t.Errorf("running the record again: %v", err)
		return
	}
	if len(second.New) > 0 || !reflect.DeepEqual(first.Events, second.Events) || first.Value != second.Value ||
		first.Done != second.Done {
		t.Errorf("the record run again differs:\n%s", differ(first.Events, second.Events))
	}
}

// halfway replays every prefix of the record and checks that its events are a part of those of the
// whole record.
func halfway(t *report, st staged, whole rule.Result[rule.Outcome]) {
	type place struct {
		part string
		n    int
	}
	told := map[place]rule.Event{}
	for _, e := range whole.Events {
		told[place{e.Part, e.N}] = e.Event
	}
	for n := range whole.Trail {
		early, err := rule.Play(
			st.play,
			rule.Options{Trail: whole.Trail[:n], Source: rule.HandSource(dice.NewHand(nil), true)},
		)
		if err != nil {
			t.Errorf("the first %d steps of the record: %v", n, err)
			continue
		}
		for _, e := range early.Events {
			if want := told[place{e.Part, e.N}]; !reflect.DeepEqual(e.Event, want) {
				t.Errorf(
					"after %d steps part %q tells %v as its number %d, in the end %v",
					n,
					e.Part,
					e.Event,
					e.N,
					want,
				)
			}
		}
	}
}

// commutes applies the events of parallel parts in another order: the sheets must end up the same.
func commutes(t *report, st staged, whole rule.Result[rule.Outcome]) {
	other := slices.Clone(whole.Events)
	slices.SortStableFunc(other, func(a, b rule.PlacedEvent) int {
		if a.Part == "" || b.Part == "" {
			return 0
		}
		return strings.Compare(b.Part, a.Part)
	})
	if diff := differ(standing(fold(st.scene, whole.Events)), standing(fold(st.scene, other))); diff != "" {
		t.Errorf("parts run together don't commute:\n%s", diff)
	}
}

// standing returns the sheets in a fixed order.
func standing(sheets map[string]any) []any {
	all := make([]any, 0, len(sheets))
	for _, id := range slices.Sorted(maps.Keys(sheets)) {
		all = append(all, sheets[id])
	}
	return all
}

// keeps checks that a rule doesn't change a character after releasing it, after any steps of any
// parts.
func keeps(t *report, st staged, whole rule.Result[rule.Outcome]) {
	for _, id := range changedLater(st.play, whole) {
		t.Errorf("%s is changed after the rule has let go", id)
	}
}

// lending checks that a rule which lends characters goes on after others have done something with them,
// and as before if it was nothing.
func lending(t *report, st staged, whole rule.Result[rule.Outcome]) {
	if err := cannotGoOn(st.play, whole); err != nil {
		t.Errorf("somebody acts while a question is open that lends characters: %v", err)
	}
}

// nothingDone is an event that changes nobody.
type nothingDone struct{}

// cannotGoOn lets others do nothing while each question that lends characters is open, and returns
// why the rule can't go on as it did.
func cannotGoOn(play func(*rule.Run) rule.Outcome, whole rule.Result[rule.Outcome]) error {
	for n := range whole.Trail {
		early, err := rule.Play(play, rule.Options{Trail: whole.Trail[:n], Source: rule.HandSource(dice.NewHand(nil), true)})
		if err != nil || len(early.Open) == 0 ||
			slices.ContainsFunc(early.Open, func(o rule.Open) bool { return !o.LendsAll && len(o.Lends) == 0 }) {
			continue
		}
		trail := slices.Clone(whole.Trail[:n])
		for _, open := range early.Open {
			trail = append(trail, rule.Step{Part: open.Part, Meanwhile: &rule.Meanwhile{Event: nothingDone{}}})
		}
		trail = append(trail, whole.Trail[n:]...)
		again, err := rule.Play(play, rule.Options{Trail: trail, Source: rule.HandSource(dice.NewHand(nil), true)})
		if err != nil {
			return fmt.Errorf("after %d steps: %w", n, err)
		}
		if !reflect.DeepEqual(again.Events, whole.Events) || again.Value != whole.Value {
			return fmt.Errorf("after %d steps it tells something else:\n%s", n, differ(whole.Events, again.Events))
		}
	}
	return nil
}

// changedLater returns the characters that a rule changes after releasing them. It runs the record
// up to every step, both as it happened and as each part may see it before its parallel parts.
func changedLater(play func(*rule.Run) rule.Outcome, whole rule.Result[rule.Outcome]) []string {
	var changed []string
	orders := []rule.Trail{whole.Trail}
	for _, step := range whole.Trail {
		orders = append(orders, whole.Trail.WithoutParallel(step.Part))
	}
	for _, trail := range orders {
		for n := range len(trail) + 1 {
			early, err := rule.Play(
				play,
				rule.Options{Trail: trail[:n], Source: rule.HandSource(dice.NewHand(nil), true)},
			)
			if err != nil {
				continue // halfway has reported it
			}
			for _, later := range whole.Events {
				c, ok := game.AsChange(later.Event)
				told := slices.ContainsFunc(
					early.Events,
					func(e rule.PlacedEvent) bool { return e.Part == later.Part && e.N == later.N },
				)
				if ok && !told && slices.Contains(early.Released, c.Whose()) && !slices.Contains(changed, c.Whose()) {
					changed = append(changed, c.Whose())
				}
			}
		}
	}
	return changed
}

// joins checks that a character who joins by an answer does so as a table expects: the move lists
// the question, and game.Name asks it. Odds can't depend on a character that nobody has named yet.
func joins(t *report, st staged, asked []rule.Open) {
	for _, q := range asked {
		_, listed := st.move.Joins[q.ID]
		if q.Names != listed {
			t.Errorf(
				"%s: that its answer names who joins is %t, and that Joins of the move lists it is %t",
				q.ID,
				q.Names,
				listed,
			)
		}
		for path, f := range q.Form.All() {
			if f.Kind.IsRef() && !q.Names && f.Options == nil {
				t.Errorf(
					"%s: %s takes anybody, and the rule meets none of them: game.Name has whom an answer names join",
					q.ID,
					path,
				)
			}
		}
	}
	for question := range st.move.Joins {
		var priced bool
		if st.move.Price != nil {
			_, _ = rule.Walk(
				st.move.Price(st.scene, st.args),
				rule.Policy{question: rule.Given{JSON: []byte("{}"), Met: &priced}},
				rule.Limits{Branches: branches},
			)
		}
		if priced {
			t.Errorf("the odds of %s ask %s: Price ends before somebody is named, Play goes on", st.move.ID, question)
		}
	}
}

// defaults checks that each question has one default: an empty answer, the form sent unchanged and
// the answer that odds assume are the same, also where the rules refuse it.
func defaults(t *report, asked []rule.Open) {
	for _, q := range asked {
		if q.Dice != nil {
			continue
		}
		type judged struct {
			Answer string
			Err    error
		}
		judge := func(step rule.Step, err error) judged {
			if err != nil {
				return judged{Err: err}
			}
			return judged{Answer: string(step.Answer.Value)}
		}
		want := judge(q.Step(q.Form.JSON(q.Standard), ""))
		if len(q.Choose) > 0 { // people must choose them
			problems, _ := judge(q.Step([]byte("{}"), "")).Err.(form.Problems)
			for _, name := range q.Choose {
				if !slices.ContainsFunc(problems, func(p form.Problem) bool { return p.Path == name && p.Code == form.Missing }) {
					t.Errorf("%s: an answer without %s isn't refused", q.ID, name)
				}
			}
			continue
		}
		for how, got := range map[string]judged{
			"nothing":                 judge(q.Step([]byte("{}"), "")),
			"the form as it's filled": judge(q.StepOfValues(q.Form.Inputs(q.Standard), "")),
		} {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s answers %+v, odds assume %+v", q.ID, how, got, want)
			}
		}
		if want.Err != nil {
			continue
		}
		given := reflect.New(reflect.TypeOf(q.Standard))
		if err := json.Unmarshal([]byte(want.Answer), given.Interface()); err != nil {
			t.Fatal(err)
		}
		if got, standard := q.Form.JSON(given.Interface()), q.Form.JSON(q.Standard); !bytes.Equal(got, standard) {
			t.Errorf("%s: the form gives %s, odds assume %s", q.ID, got, standard)
		}
	}
}

// rollers checks that dice of somebody else than the actor say whose they are: an event of their part
// names the roller, at the latest with the throw.
func rollers(t *report, st staged, whole rule.Result[rule.Outcome]) {
	counts := map[string]int{}
	for at, step := range whole.Trail {
		if step.Dice == nil {
			continue
		}
		n := counts[step.Part]
		counts[step.Part]++
		early, err := rule.Play(st.play, rule.Options{
			Trail: whole.Trail[:at], Source: rule.HandSource(dice.NewHand(nil), true),
			Roller: func(_ dice.Pool, by string) string { return by },
		})
		if err != nil {
			continue // halfway has reported it
		}
		i := slices.IndexFunc(early.Open, func(o rule.Open) bool { return o.Dice != nil && o.Part == step.Part })
		if i < 0 {
			continue
		}
		by := early.Open[i].To
		if by == "" || by == game.GM || by == st.scene.Actor {
			continue
		}
		thrown, err := rule.Play(
			st.play,
			rule.Options{Trail: whole.Trail[:at+1], Source: rule.HandSource(dice.NewHand(nil), true)},
		)
		if err == nil && !slices.ContainsFunc(thrown.Events, func(e rule.PlacedEvent) bool {
			threw, ok := e.Event.(game.DiceEvent)
			some, partly := e.Event.(game.SomeDice)
			return ok && e.Part == step.Part && threw.Thrower() == by && (!partly || some.NamesThrow(n, step.Dice.For))
		}) {
			t.Errorf("nothing says that the dice %q of part %q are %s's: see game.NameRoller", step.Dice.For, step.Part, by)
		}
	}
}

// arguments checks that a move's arguments can be read back.
func arguments(t *report, st staged) {
	data, err := json.Marshal(st.args)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := st.move.Restore(data); err != nil || !reflect.DeepEqual(back, st.args) {
		t.Errorf("the arguments aren't read back as they were: %#v, %v, want %#v", back, err, st.args)
	}
}

// events checks that every event can be read back, and that applying one doesn't change the sheet
// it was given or a sheet it isn't about.
func events(t *report, g *game.Game, st staged, whole rule.Result[rule.Outcome]) {
	sheets := fold(st.scene, nil)
	in := st.scene.IDs()
	for _, step := range whole.Trail {
		in = append(in, st.move.Joining(step)...)
	}
	for _, e := range whole.Events {
		if changed, ok := e.Event.(game.Changed); ok && sheets[changed.Who] != nil &&
			changed.Stale(sheets[changed.Who]) {
			t.Errorf(
				"%s of %s isn't as the rule takes it to be when it changes it: two changes of one old sheet?",
				changed.Field,
				changed.Who,
			)
		}
		data, err := json.Marshal(e.Event)
		if err != nil {
			t.Errorf("%s: %v", game.TypeOf(e.Event), err)
			continue
		}
		back, err := g.Decode(game.TypeOf(e.Event), g.Version(game.TypeOf(e.Event)), data)
		if err != nil || !reflect.DeepEqual(back, e.Event) {
			t.Errorf("%s isn't read back as it was: %v, %v", game.TypeOf(e.Event), back, err)
		}
		c, ok := game.AsChange(e.Event)
		if !ok {
			continue
		}
		if st.scene.Actor != "" && !slices.Contains(in, c.Whose()) {
			t.Errorf("%s changes %s, whom neither the move names nor an answer", game.TypeOf(e.Event), c.Whose())
		}
		for _, m := range met(st.scene) {
			c.Apply(m.Sheet)
		}
		sheets[c.Whose()] = c.Apply(sheets[c.Whose()])
		type stranger struct{ Name string }
		if got := c.Apply(stranger{"x"}); got != (stranger{"x"}) {
			t.Errorf("%s changed a sheet that it isn't about: %v", game.TypeOf(e.Event), got)
		}
	}
	for id, m := range met(st.scene) {
		if now, err := flat(m.Sheet); err != nil || !reflect.DeepEqual(now, st.given[id]) {
			t.Errorf("the sheet of %s was changed in place: an event changes a copy", id)
		}
	}
}

// Throws is the number of throws of each case that are compared with its odds.
const Throws = 10_000

const branches = rule.DefaultBranches // the limit of norn odds

// prices checks the odds of a case's move: they sum to exactly 1 in any order of branches, the
// whole procedure has the outcomes of its odds, and throws agree, both under the standard answers
// and under some random ones. It returns the number of degrees of freedom of the throws.
func (b *battery) prices(t *report, st staged) (degrees int) {
	if st.move.Price == nil {
		return 0
	}
	price := st.move.Price(st.scene, st.args)
	law, err := rule.Walk(price, nil, rule.Limits{Branches: branches})
	if err != nil {
		t.Errorf("odds: %v", err)
		return 0
	}
	sum := new(big.Rat)
	for i := range law.Values {
		sum.Add(sum, law.Chance(i))
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("odds sum to %v", sum)
	}
	back, err := rule.Walk(price, nil, rule.Limits{Branches: branches, Reverse: true})
	if err != nil {
		t.Errorf("odds walked backwards: %v", err)
		return 0
	}
	agree(t, "walked backwards", law, back)
	if whole, err := rule.Walk(st.play, nil, rule.Limits{Branches: branches}); err != nil {
		t.Errorf("odds of the whole move: %v", err)
	} else if !secretlySet(st) {
		agree(t, "of the whole move", law, whole)
	}
	policy, err := policyDrawn(st.play, dice.NewStream(sha256.Sum256([]byte(st.title))))
	if err != nil {
		t.Errorf("answers at random: %v", err)
	}
	if len(policy) > 0 {
		drawn, err := rule.Walk(st.play, policy, rule.Limits{Branches: branches})
		var refused *rule.GivenError // the question comes up in another form than when it was drawn
		if err == nil {
			chiSquare(t, st.play, policy, drawn, b.throws/5)
		} else if !errors.As(err, &refused) {
			t.Errorf("odds under answers at random: %v", err)
		}
	}
	return chiSquare(t, price, rule.Policy{}, law, b.throws)
}

// secretlySet reports whether the case sets an argument that only the game master sees. Odds are
// the same for everybody, so they can't include it.
func secretlySet(st staged) bool {
	filled := st.move.Form.Fill(st.args)
	return slices.ContainsFunc(
		st.move.Form.Fields,
		func(f form.Field) bool { return f.GM && filled[f.Name] != f.Default },
	)
}

// saysBare checks that a move with a sheet has the same odds as the bare move whose own fields hold
// what is on the sheet.
func saysBare(t *report, st staged) bool {
	if !st.move.Bare || st.scene.Actor == "" {
		return false
	}
	f := st.move.Form.For(form.Bare)
	said, err := st.move.Decode(f, f.JSON(st.move.Strip(st.scene, st.args)))
	if err != nil {
		return false // its fields can't express it
	}
	law := func(s game.Scene, args any) *distribution.Law[rule.Outcome] {
		law, err := rule.Walk(st.move.Price(s, args), nil, rule.Limits{Branches: branches})
		if err != nil {
			t.bare(err)
		}
		return law
	}
	atTable, bare := law(st.scene, st.args), law(game.Scene{Settings: st.scene.Settings}, said)
	return atTable != nil && bare != nil && slices.Equal(outcomes(atTable), outcomes(bare))
}

// bare reports why a move has no odds without a table.
func (t *report) bare(err error) {
	if asFault(err) != nil || t.defect([]any{err}) {
		t.Errorf("odds without a table: %v", err)
		return
	}
	t.fault("bare", fmt.Sprintf("odds without a table: %v", t.readable([]any{err})...), "Fault", err)
}

// outcomes lists the values of a distribution with their chances.
func outcomes(law *distribution.Law[rule.Outcome]) []string {
	all := make([]string, len(law.Values))
	for i, o := range law.Values {
		all[i] = fmt.Sprint(o, law.Chance(i))
	}
	slices.Sort(all)
	return all
}

func agree(t *report, how string, want, got *distribution.Law[rule.Outcome]) {
	if len(want.Values) != len(got.Values) {
		t.Errorf("odds %s have %d outcomes, want %d", how, len(got.Values), len(want.Values))
	}
	for i, o := range want.Values {
		if p := got.Of(o); p.Cmp(want.Chance(i)) != 0 {
			t.Errorf("odds %s: %v is %v, want %v", how, o, p, want.Chance(i))
		}
	}
}

// chiSquare throws the rule live and compares the results with the law. The seed is fixed, so it
// fails always or never. It returns the degrees of freedom, or 0 if nothing can be compared. Its
// power: with one in eight of the highest faces turned into a one, some cases of the games failed;
// with one in four, dozens did.
func chiSquare(
	t *report,
	price func(*rule.Run) rule.Outcome,
	policy rule.Policy,
	law *distribution.Law[rule.Outcome],
	throws int,
) int {
	roller := dice.NewStream([32]byte{'n', 'o', 'r', 'n'})
	counts := map[rule.Outcome]int{}
	for range throws {
		result, err := rule.Play(price, rule.Options{Source: rule.RollerSource(roller), Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		counts[result.Value]++
	}
	statistic, degrees := 0.0, -1.0
	restSeen, restExpected := 0.0, 0.0
	for i, o := range law.Values {
		p, _ := law.Chance(i).Float64()
		seen, expected := float64(counts[o]), p*float64(throws)
		delete(counts, o)
		if expected < 5 {
			restSeen, restExpected = restSeen+seen, restExpected+expected
			continue
		}
		statistic += (seen - expected) * (seen - expected) / expected
		degrees++
	}
	if restExpected >= 1 {
		statistic += (restSeen - restExpected) * (restSeen - restExpected) / restExpected
		degrees++
	} else if restSeen > 10 {
		t.Errorf("outcomes expected %.2f times in all came %v times", restExpected, restSeen)
	}
	for o, n := range counts {
		t.Errorf("%v came %d times and has no odds", o, n)
	}
	if degrees < 1 {
		return 0
	}
	// Wilson and Hilferty's approximation: one run in a hundred thousand exceeds this.
	const z = 4.26
	limit := degrees * math.Pow(1-2/(9*degrees)+z*math.Sqrt(2/(9*degrees)), 3)
	if statistic > limit {
		t.Errorf(
			"%d throws don't agree with the odds: χ² = %.1f over %v degrees, at most %.1f",
			throws,
			statistic,
			degrees,
			limit,
		)
	}
	return int(degrees)
}

func everyMove(t *report, g *game.Game, cases []*Case) {
	for i := range g.Moves {
		m := &g.Moves[i]
		made, bare := false, false
		for _, s := range cases {
			st, err := stage(g, s)
			if err != nil || st.move != m || st.refused != nil {
				continue
			}
			made = made || st.scene.Actor != "" || !m.AtTable || m.Price == nil
			bare = bare || st.scene.Actor == ""
		}
		if !made {
			t.fault("none-table", "move "+m.ID+" has no case at a table", "Move", m.ID)
		}
		if m.Bare && !bare {
			t.fault("none-bare", "move "+m.ID+" has no case without a table", "Move", m.ID)
		}
		if m.Bare {
			if _, err := m.Decode(m.Form.For(form.Bare), []byte("{}")); err != nil {
				t.fault("bare-empty", fmt.Sprintf("move %s can't be thrown bare without arguments: %v", m.ID, err),
					"Move", m.ID, "Fault", err)
			}
		}
	}
}

// shows checks that sheets and events can be shown to every viewer without anything secret.
func shows(t *report, g *game.Game) {
	settings := g.Settings.Default
	for _, role := range []game.Role{game.Master, game.Player, game.Spectator} {
		v := game.Viewer{Role: role}
		for _, kind := range g.Kinds {
			shown := g.View.ShowSheet(v, settings, "x", kind.Blank)
			if g.View.SeesSheet(v, settings, "x", kind.Blank) != (shown != nil) {
				t.Errorf("a %s: Sees and Sheet don't agree about a %s", role, kind.ID)
			}
			for _, name := range g.View.LockedMembers(v, settings, kind.ID) {
				if _, ok := kind.Form.Field(name); !ok {
					t.Errorf("a %s: %s of a %s is locked, but it has no such member", role, name, kind.ID)
				}
			}
			if shown == nil {
				continue
			}
			g.TracksOf(kind, shown)
			if kind.State != nil {
				kind.State(shown)
			}
		}
		for _, m := range g.Moves {
			g.View.SeesOdds(v, settings, m.ID)
		}
		g.View.SeesThrow(v, settings, rule.Throw{Sides: 6})
	}
	for _, kind := range g.Kinds {
		keptBack(t, "a "+kind.ID, reflect.TypeOf(kind.Blank))
	}
	for _, e := range g.Events {
		if event, err := g.Decode(e.Type, e.Version, []byte("{}")); err == nil {
			keptBack(t, e.Type, reflect.TypeOf(event))
		}
	}
}

// keptBack checks that an empty secret field is left out of JSON, since a player would read it as a
// value.
func keptBack(t *report, what string, of reflect.Type) {
	if of.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(of) {
		if tag := f.Tag.Get("secret"); (tag == "gm" || tag == "own") &&
			!strings.Contains(f.Tag.Get("json"), ",omitempty") && !strings.Contains(f.Tag.Get("json"), ",omitzero") {
			t.Errorf("%s: %s is secret and needs omitempty in its json tag", what, f.Name)
		}
	}
}
