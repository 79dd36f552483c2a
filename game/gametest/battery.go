package gametest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/chance"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

var update = flag.Bool("update", false, "write what happened into the cases")

// Run puts a game through the battery. It's called from a test in the game's
// own folder.
func Run(t *testing.T, g *game.Game) {
	scripts := read(t)
	happened := map[string][]string{}
	thrown := map[string]int{} // by move, the most degrees of freedom of its χ²
	alike := map[string]bool{} // by move, whether a case says without a table what sheets hold
	for _, s := range scripts {
		t.Run(s.title, func(t *testing.T) {
			st, err := stage(g, s)
			if err != nil {
				t.Fatalf("%s: %v", s.file, err)
			}
			rec, err := act(st)
			if err != nil {
				t.Fatalf("%s: %v", s.file, err)
			}
			happened[s.file] = append(happened[s.file], s.write(rec.lines))
			if diff := cmp.Diff(s.want, rec.lines); diff != "" && !*update {
				t.Errorf("%s: what happened differs (−want +got):\n%s", s.file, diff)
			}
			if rec.refused {
				return
			}
			again(t, st, rec.result)
			halfway(t, st, rec.result)
			commutes(t, st, rec.result)
			keeps(t, st, rec.result)
			defaults(t, rec.asked)
			arguments(t, st)
			wordsKept(t, st, rec.result)
			events(t, g, st, rec.result)
			thrown[st.move.ID] = max(thrown[st.move.ID], prices(t, st))
			alike[st.move.ID] = alike[st.move.ID] || saysBare(t, st)
		})
	}
	if *update && !t.Failed() {
		for file, blocks := range happened {
			if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Run("the demo can be played", func(t *testing.T) { tells(t, g) })
	t.Run("the stock can be put into play", func(t *testing.T) { stocked(t, g) })
	t.Run("every move has a case", func(t *testing.T) { everyMove(t, g, scripts) })
	t.Run("every move with chance is thrown", func(t *testing.T) {
		for _, m := range g.Moves {
			if m.Price != nil && thrown[m.ID] < 1 {
				t.Errorf("move %s has no case whose throws are compared with its odds", m.ID)
			}
		}
	})
	t.Run("every move without a table says what sheets hold", func(t *testing.T) {
		for _, m := range g.Moves {
			if m.Bare && m.AtTable && !alike[m.ID] {
				t.Errorf("move %s has no case at a table whose odds are the same stripped of it", m.ID)
			}
		}
	})
	t.Run("odds are those of all sequences", func(t *testing.T) { sequences(t, g, scripts) })
	t.Run("every rule id has its place and its case", func(t *testing.T) { everyRule(t, g, scripts) })
	t.Run("imports nothing that reaches outside", func(t *testing.T) { pure(t, g) })
	t.Run("shows nothing that it doesn't name", func(t *testing.T) { denies(t, g) })
}

// again runs the record: same trail, same events, same outcome.
func again(t *testing.T, st staged, first rule.Result[rule.Outcome]) {
	t.Helper()
	second, err := rule.Play(st.play, rule.Options{Trail: first.Trail, Source: rule.ByHand(dice.NewHand(nil), true)})
	if err != nil {
		t.Errorf("running the record again: %v", err)
		return
	}
	if len(second.New) > 0 || !reflect.DeepEqual(first.Told, second.Told) || first.Value != second.Value || first.Done != second.Done {
		t.Errorf("the record run again differs:\n%s", cmp.Diff(first.Told, second.Told))
	}
}

// halfway runs every beginning of the record: what it tells must stand in the
// whole at the same place.
func halfway(t *testing.T, st staged, whole rule.Result[rule.Outcome]) {
	t.Helper()
	type place struct {
		part string
		n    int
	}
	told := map[place]rule.Event{}
	for _, e := range whole.Told {
		told[place{e.Part, e.N}] = e.Event
	}
	for n := range whole.Trail {
		early, err := rule.Play(st.play, rule.Options{Trail: whole.Trail[:n], Source: rule.ByHand(dice.NewHand(nil), true)})
		if err != nil {
			t.Errorf("the first %d steps of the record: %v", n, err)
			continue
		}
		for _, e := range early.Told {
			if want := told[place{e.Part, e.N}]; !reflect.DeepEqual(e.Event, want) {
				t.Errorf("after %d steps part %q tells %v as its number %d, in the end %v", n, e.Part, e.Event, e.N, want)
			}
		}
	}
}

// commutes applies the events of parts run together in another order: the
// sheets must come out the same.
func commutes(t *testing.T, st staged, whole rule.Result[rule.Outcome]) {
	t.Helper()
	other := slices.Clone(whole.Told)
	slices.SortStableFunc(other, func(a, b rule.Told) int {
		if a.Part == "" || b.Part == "" {
			return 0
		}
		return strings.Compare(b.Part, a.Part)
	})
	if diff := cmp.Diff(fold(st.scene, whole.Told), fold(st.scene, other)); diff != "" {
		t.Errorf("parts run together don't commute:\n%s", diff)
	}
}

// keeps checks that a rule doesn't change a character after letting it go:
// whatever it has told by then, and whichever parts have come so far.
func keeps(t *testing.T, st staged, whole rule.Result[rule.Outcome]) {
	t.Helper()
	for _, id := range changedLater(st.play, whole) {
		t.Errorf("%s is changed after the rule has let go", id)
	}
}

// changedLater finds whom a rule changes after letting them go. The record is
// run as far as every step, as it was met and as each part may meet it before
// those beside it.
func changedLater(play func(*rule.Run) rule.Outcome, whole rule.Result[rule.Outcome]) []string {
	var changed []string
	orders := []rule.Trail{whole.Trail}
	for _, step := range whole.Trail {
		orders = append(orders, whole.Trail.Alone(step.Part))
	}
	for _, trail := range orders {
		for n := range len(trail) + 1 {
			early, err := rule.Play(play, rule.Options{Trail: trail[:n], Source: rule.ByHand(dice.NewHand(nil), true)})
			if err != nil {
				continue // halfway has said so
			}
			for _, later := range whole.Told {
				c, ok := later.Event.(game.Change)
				told := slices.ContainsFunc(early.Told, func(e rule.Told) bool { return e.Part == later.Part && e.N == later.N })
				if ok && !told && slices.Contains(early.LetGo, c.Whose()) && !slices.Contains(changed, c.Whose()) {
					changed = append(changed, c.Whose())
				}
			}
		}
	}
	return changed
}

// defaults checks that each question has one default: to say nothing, to send a
// form as it's filled in and to give the answer that odds assume is the same,
// also where the rules refuse it.
func defaults(t *testing.T, asked []rule.Open) {
	t.Helper()
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

// arguments checks that what a move was asked with can be read back.
func arguments(t *testing.T, st staged) {
	t.Helper()
	data, err := json.Marshal(st.args)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := st.move.Restore(data); err != nil || !reflect.DeepEqual(back, st.args) {
		t.Errorf("the arguments aren't read back as they were: %#v, %v, want %#v", back, err, st.args)
	}
}

// events checks that every event can be read back, and that applying one
// changes neither the sheet it was given nor one it isn't about.
func events(t *testing.T, g *game.Game, st staged, whole rule.Result[rule.Outcome]) {
	t.Helper()
	for _, e := range whole.Told {
		data, err := json.Marshal(e.Event)
		if err != nil {
			t.Errorf("%s: %v", e.Event.Type(), err)
			continue
		}
		back, err := g.Decode(e.Event.Type(), g.Version(e.Event.Type()), data)
		if err != nil || !reflect.DeepEqual(back, e.Event) {
			t.Errorf("%s isn't read back as it was: %v, %v", e.Event.Type(), back, err)
		}
		c, ok := e.Event.(game.Change)
		if !ok {
			continue
		}
		for id, m := range st.scene.Cast {
			before, err := flat(m.Sheet)
			if err != nil {
				t.Fatal(err)
			}
			c.Apply(m.Sheet)
			after, err := flat(m.Sheet)
			if err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("%s changed the sheet of %s that it was given", e.Event.Type(), id)
			}
		}
		type stranger struct{ Name string }
		if got := c.Apply(stranger{"x"}); got != (stranger{"x"}) {
			t.Errorf("%s changed a sheet that it isn't about: %v", e.Event.Type(), got)
		}
	}
}

const (
	throws   = 10_000
	branches = 200_000

	throwsDrawn = 2_000 // under answers at random
)

// prices checks the odds of a case's move: they sum to exactly 1, in
// whichever order branches are walked; the whole procedure comes out as it's
// priced; and throws agree, under the standard answers and under some drawn at
// random. It tells how many degrees of freedom the throws had.
func prices(t *testing.T, st staged) (degrees int) {
	t.Helper()
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
	} else {
		agree(t, "of the whole move", law, whole)
	}
	policy, err := policyDrawn(st.play, dice.NewStream(sha256.Sum256([]byte(st.title))))
	if err != nil {
		t.Errorf("answers at random: %v", err)
	}
	if len(policy) > 0 {
		drawn, err := rule.Walk(st.play, policy, rule.Limits{Branches: branches})
		var refused *rule.GivenError // where the question comes up otherwise than when it was drawn
		if err == nil {
			chiSquare(t, st.play, policy, drawn, throwsDrawn)
		} else if !errors.As(err, &refused) {
			t.Errorf("odds under answers at random: %v", err)
		}
	}
	return chiSquare(t, price, rule.Policy{}, law, throws)
}

// saysBare tells whether a case by a sheet has the same odds when its move says itself what stands there.
func saysBare(t *testing.T, st staged) bool {
	t.Helper()
	if !st.move.Bare || st.scene.Actor == "" {
		return false
	}
	f := st.move.Form.For(form.Bare)
	said, err := st.move.Decode(f, f.JSON(st.move.Strip(st.scene, st.args)))
	if err != nil {
		return false // its fields can't
	}
	law := func(s game.Scene, args any) *chance.Law[rule.Outcome] {
		law, err := rule.Walk(st.move.Price(s, args), nil, rule.Limits{Branches: branches})
		if err != nil {
			t.Errorf("odds without a table: %v", err)
		}
		return law
	}
	atTable, bare := law(st.scene, st.args), law(game.Scene{Settings: st.scene.Settings}, said)
	return atTable != nil && bare != nil && slices.Equal(outcomes(atTable), outcomes(bare))
}

// outcomes are all of a law with their chances.
func outcomes(law *chance.Law[rule.Outcome]) []string {
	all := make([]string, len(law.Values))
	for i, o := range law.Values {
		all[i] = fmt.Sprint(o, law.Chance(i))
	}
	slices.Sort(all)
	return all
}

func agree(t *testing.T, how string, want, got *chance.Law[rule.Outcome]) {
	t.Helper()
	if len(want.Values) != len(got.Values) {
		t.Errorf("odds %s have %d outcomes, want %d", how, len(got.Values), len(want.Values))
	}
	for i, o := range want.Values {
		if p := got.Of(o); p.Cmp(want.Chance(i)) != 0 {
			t.Errorf("odds %s: %v is %v, want %v", how, o, p, want.Chance(i))
		}
	}
}

// chiSquare throws the rule live and compares with the law. The seed is
// fixed, so it fails always or never. It tells the degrees of freedom, 0 where
// nothing can be compared. As for power: where one highest face in eight turned
// into a one, some cases of the games failed; one in four, dozens.
func chiSquare(t *testing.T, price func(*rule.Run) rule.Outcome, policy rule.Policy, law *chance.Law[rule.Outcome], throws int) int {
	t.Helper()
	roller := dice.NewStream([32]byte{'n', 'o', 'r', 'n'})
	counts := map[rule.Outcome]int{}
	for range throws {
		result, err := rule.Play(price, rule.Options{Source: rule.Free(roller), Policy: policy})
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
	// Wilson and Hilferty: one throw of the seed in a hundred thousand is
	// worse than this.
	const z = 4.26
	limit := degrees * math.Pow(1-2/(9*degrees)+z*math.Sqrt(2/(9*degrees)), 3)
	if statistic > limit {
		t.Errorf("%d throws don't agree with the odds: χ² = %.1f over %v degrees, at most %.1f", throws, statistic, degrees, limit)
	}
	return int(degrees)
}

func everyMove(t *testing.T, g *game.Game, scripts []script) {
	for i := range g.Moves {
		m := &g.Moves[i]
		made, bare := false, false
		for _, s := range scripts {
			st, err := stage(g, s)
			if err != nil || st.move != m || st.refused != nil {
				continue
			}
			made = made || st.scene.Actor != "" || !m.AtTable
			bare = bare || st.scene.Actor == ""
		}
		if !made {
			t.Errorf("move %s has no case at a table", m.ID)
		}
		if m.Bare && !bare {
			t.Errorf("move %s has no bare case", m.ID)
		}
		if m.Bare {
			if _, err := m.Decode(m.Form.For(form.Bare), []byte("{}")); err != nil {
				t.Errorf("move %s can't be thrown bare without arguments: %v", m.ID, err)
			}
		}
	}
}

// everyRule compares the game's list of rule ids with the ids named in the
// code's comments and in the cases.
func everyRule(t *testing.T, g *game.Game, scripts []script) {
	named := map[string]bool{}
	for _, file := range sources(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if _, comment, ok := strings.Cut(line, "//"); ok {
				for _, id := range ruleID.FindAllString(comment, -1) {
					named[id] = true
				}
			}
		}
	}
	covered := map[string]bool{}
	for _, s := range scripts {
		for _, id := range s.rules {
			covered[id] = true
			if !slices.Contains(g.Rules, id) {
				t.Errorf("%s: %q names %s, which is no rule of %s", s.file, s.title, id, g.ID)
			}
		}
	}
	for _, id := range g.Rules {
		if !named[id] {
			t.Errorf("%s is named at no place in the code", id)
		}
		if !covered[id] {
			t.Errorf("%s has no case", id)
		}
	}
}

// sources are the game's own Go files, without tests.
func sources(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

var outside = []string{"time", "os", "net", "context", "sync", "math/rand", "crypto/rand", "database", "log", "runtime", "unsafe"}

// pure checks the direct imports of a game's files.
func pure(t *testing.T, g *game.Game) {
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range parsed.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(path, "norn/games") {
				t.Errorf("%s imports %s: a game imports no other", file, path)
			}
			for _, reach := range outside {
				if path == reach || strings.HasPrefix(path, reach+"/") {
					t.Errorf("%s imports %s, which reaches outside", file, path)
				}
			}
		}
	}
}

type unnamed struct{}

func (unnamed) Type() string { return "gametest.unnamed" }

// denies checks that what a game's view doesn't know stays unseen, and that every
// viewer can be shown what the game has.
func denies(t *testing.T, g *game.Game) {
	type stranger struct{ Secret string }
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
			if kind.Tracks != nil {
				kind.Tracks(shown)
			}
			if kind.State != nil {
				kind.State(shown)
			}
		}
		for _, m := range g.Moves {
			g.View.SeesOdds(v, settings, m.ID)
		}
		g.View.SeesThrow(v, settings, rule.Thrown{Sides: 6})
		if role == game.Master {
			continue
		}
		if _, shown := g.View.ShowEvent(v, settings, unnamed{}); shown {
			t.Errorf("a %s sees an event that the game's view doesn't name", role)
		}
		if got := g.View.ShowSheet(v, settings, "x", stranger{"s"}); got != nil {
			t.Errorf("a %s sees a sheet that the game's view doesn't name: %v", role, got)
		}
		if g.View.SeesSheet(v, settings, "x", stranger{"s"}) {
			t.Errorf("a %s sees that there is a sheet that the game's view doesn't name", role)
		}
	}
}
