package rule_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/dice"
	"norn/distribution"
	"norn/form"
	"norn/rule"
)

type happened struct{ What string }

func (happened) Type() string { return "test.happened" }

type yes struct {
	Again bool `json:"again"`
}

var yesForm = form.Of[yes]()

func ask(r *rule.Run, id, to string) bool {
	return rule.Ask(r, rule.Question[yes]{ID: id, To: to, Form: yesForm}).Again
}

// climb throws, may throw again, and lets two people do the same in parallel.
func climb(r *rule.Run) int {
	hits := r.Count(dice.Pool{N: 3, Sides: 6, For: "climb"}, dice.AtLeast(5))
	r.Record(happened{"climbed"})
	one := func(to string) func(*rule.Run) int {
		return func(r *rule.Run) int {
			n := r.Sum(dice.Pool{N: 1, Sides: 6, For: "rope"})
			r.Record(happened{to + " throws"})
			if ask(r, "again", to) {
				n += r.Sum(dice.Pool{N: 1, Sides: 6, For: "rope"})
				r.Record(happened{to + " throws again"})
			}
			return n
		}
	}
	for _, n := range rule.Together(r, one("anna"), one("boris")) {
		hits += n
	}
	r.Record(happened{"done"})
	return hits
}

// keyed returns separate dice for each part and throw.
func keyed(part string, throw int) dice.Roller {
	return dice.NewStream(
		[32]byte([]byte((part + "#" + string(rune('0'+throw)) + "................................")[:32])),
	)
}

func answer(t *testing.T, result rule.Result[int], to string, again bool) rule.Trail {
	t.Helper()
	for _, q := range result.Open {
		if q.To == to {
			value, err := json.Marshal(yes{again})
			if err != nil {
				t.Fatal(err)
			}
			step, err := q.Step(value, "seat")
			if err != nil {
				t.Fatal(err)
			}
			return append(result.Trail[:len(result.Trail):len(result.Trail)], step)
		}
	}
	t.Fatalf("nobody asks %s: %v", to, result.Open)
	return nil
}

func play(t *testing.T, trail rule.Trail) rule.Result[int] {
	t.Helper()
	result, err := rule.Play(climb, rule.Options{Trail: trail, Source: rule.PartSource(trail, keyed)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestParallelQuestionsMayBeAnsweredInAnyOrder(t *testing.T) {
	first := play(t, nil)
	if first.Done || len(first.Open) != 2 || len(first.New) != 3 {
		t.Fatalf("done %v, open %v, new %v: want two questions after three throws", first.Done, first.Open, first.New)
	}
	end := func(order ...string) rule.Result[int] {
		result := play(t, nil)
		for _, to := range order {
			result = play(t, answer(t, result, to, true))
		}
		return result
	}
	a, b := end("anna", "boris"), end("boris", "anna")
	if !a.Done || !b.Done || a.Value != b.Value {
		t.Errorf("results %v and %v", a.Value, b.Value)
	}
	if diff := cmp.Diff(a.Events, b.Events); diff != "" {
		t.Errorf("told differently:\n%s", diff)
	}
}

func TestTrailReplaysWithoutNewDice(t *testing.T) {
	result := play(t, answer(t, play(t, nil), "anna", false))
	result = play(t, answer(t, result, "boris", true))
	again, err := rule.Play(climb, rule.Options{Trail: result.Trail})
	if err != nil || again.Value != result.Value || len(again.New) != 0 {
		t.Errorf("again: %v with %d new steps, %v; first %v", again.Value, len(again.New), err, result.Value)
	}
}

func TestATrailThatDoesNotFitIsRefused(t *testing.T) {
	good := play(t, nil).Trail
	bend := func(change func(rule.Trail) rule.Trail) error {
		trail := make(rule.Trail, len(good))
		for i, step := range good {
			thrown := *step.Dice
			trail[i] = rule.Step{Part: step.Part, Dice: &thrown}
		}
		_, err := rule.Play(climb, rule.Options{Trail: change(trail), Source: rule.HandSource(dice.NewHand(nil), true)})
		return err
	}
	for name, change := range map[string]func(rule.Trail) rule.Trail{
		"another die":    func(trail rule.Trail) rule.Trail { trail[0].Dice.Sides = 8; return trail },
		"another number": func(trail rule.Trail) rule.Trail { trail[0].Dice.Faces = []int{1}; return trail },
		"another use":    func(trail rule.Trail) rule.Trail { trail[0].Dice.For = "swim"; return trail },
		"an answer for a throw": func(trail rule.Trail) rule.Trail {
			trail[0] = rule.Step{Answer: &rule.Answer{Question: "again", Value: []byte(`{}`)}}
			return trail
		},
		"a part that isn't there": func(trail rule.Trail) rule.Trail { trail[1].Part = "7.1"; return trail },
		"an answer to another question": func(trail rule.Trail) rule.Trail {
			return append(trail, rule.Step{Part: "0.0", Answer: &rule.Answer{Question: "other", Value: []byte(`{}`)}})
		},
	} {
		var misfit *rule.TrailError
		if err := bend(change); !errors.As(err, &misfit) {
			t.Errorf("%s: %v, want a TrailError", name, err)
		}
	}
	if _, err := rule.Play(climb, rule.Options{Trail: good[:1]}); err == nil {
		t.Error("a record that ends too early is taken")
	}
}

// A rule that only adds dice up takes their total; one that looks at faces refuses it, also in a
// record.
func TestTypedTotalIsTakenOnlyForSums(t *testing.T) {
	p := dice.Pool{N: 3, Sides: 6, For: "damage"}
	sum := func(r *rule.Run) int { return r.Sum(p) }
	best := func(r *rule.Run) int { return r.Keep(p, 1, false) }
	total, _ := dice.ParseTotal("=14")
	typed := func() rule.Source { return rule.HandSource(dice.NewHand([]int{total}), false) }
	result, err := rule.Play(sum, rule.Options{Source: typed()})
	if err != nil || result.Value != 14 || !result.Trail[0].Dice.Total || result.Trail[0].Dice.TotalText() != "Σ 14" {
		t.Fatalf("%+v, %v", result, err)
	}
	if again, err := rule.Play(sum, rule.Options{Trail: result.Trail}); err != nil || again.Value != 14 {
		t.Errorf("the record gives %d, %v", again.Value, err)
	}
	if _, err := rule.Play(best, rule.Options{Trail: result.Trail}); err == nil {
		t.Error("a total is read as faces")
	}
	var needed *dice.TotalError
	if _, err := rule.Play(best, rule.Options{Source: typed()}); !errors.As(err, &needed) {
		t.Errorf("where faces are needed: %v", err)
	}
	for f, ok := range map[*func(*rule.Run) int]bool{&sum: true, &best: false} {
		open, err := rule.Play(*f, rule.Options{Source: rule.HandSource(dice.NewHand(nil), true)})
		if err != nil || open.Open[0].Total != ok {
			t.Fatalf("%+v, %v", open.Open, err)
		}
		step, err := open.Open[0].Step([]byte(`{"faces":["=5"]}`), "s1")
		if (err == nil) != ok || ok && (!step.Dice.Total || !slices.Equal(step.Dice.Faces, []int{2, 2, 1})) {
			t.Errorf("an answer: %+v, %v", step.Dice, err)
		}
	}
}

func TestTypedFacesAreUsedAndMissingOnesAskedFor(t *testing.T) {
	two := func(r *rule.Run) int {
		return r.Sum(dice.Pool{N: 2, Sides: 6, For: "first"}) + r.Sum(dice.Pool{N: 1, Sides: 8, For: "second"})
	}
	result, err := rule.Play(two, rule.Options{Source: rule.HandSource(dice.NewHand([]int{3, 4, 8}), false)})
	if err != nil || result.Value != 15 || !result.Trail[0].Dice.Hand {
		t.Errorf("3, 4 and 8 by hand: %v, %v", result.Value, err)
	}
	var few *dice.TooFewError
	if _, err := rule.Play(two, rule.Options{Source: rule.HandSource(dice.NewHand([]int{3, 4}), false)}); !errors.As(
		err,
		&few,
	) ||
		few.Need.For != "second" {
		t.Errorf("one face short: %v", err)
	}
	var impossible *dice.FaceError
	if _, err := rule.Play(two, rule.Options{Source: rule.HandSource(dice.NewHand([]int{3, 7, 1}), false)}); !errors.As(
		err,
		&impossible,
	) ||
		impossible.At != 2 {
		t.Errorf("a seven on a d6: %v", err)
	}

	open, err := rule.Play(
		two,
		rule.Options{
			Source: rule.HandSource(dice.NewHand([]int{3, 4}), true),
			Roller: func(dice.Pool, string) string { return "anna" },
		},
	)
	if err != nil || open.Done || len(open.Open) != 1 || open.Open[0].ID != rule.DiceQuestion ||
		open.Open[0].To != "anna" {
		t.Fatalf("faces that ran out: %+v, %v", open.Open, err)
	}
	for _, wrong := range []string{`{"faces":[9]}`, `{"faces":[1,2]}`, `{"faces":[]}`, `{}`, `{"faces":[0]}`} {
		if _, err := open.Open[0].Step([]byte(wrong), ""); err == nil {
			t.Errorf("%s is taken for 1d8", wrong)
		}
	}
	step, err := open.Open[0].Step([]byte(`{"faces":[8]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	done, err := rule.Play(two, rule.Options{Trail: append(open.Trail, step)})
	if err != nil || done.Value != 15 {
		t.Errorf("after the missing face: %v, %v", done.Value, err)
	}
}

// fact and aside are events of which the second kind doesn't count among the others.
type (
	fact  string
	aside string
)

func (aside) Aside() {}

// A rule can record an aside anywhere: the other events keep their places.
func TestAsidesDoNotMoveOtherEvents(t *testing.T) {
	result, err := rule.Play(func(r *rule.Run) int {
		r.Record(fact("a"), aside("x"))
		rule.Together(r, func(r *rule.Run) int {
			r.Sum(dice.Pool{N: 2, Sides: 6})
			r.Record(aside("y"), fact("b"))
			return r.ThrowCount()
		})
		r.Record(aside("z"), fact("c"))
		return r.ThrowCount()
	}, rule.Options{Source: rule.RollerSource(dice.NewStream([32]byte{}))})
	want := []rule.PlacedEvent{
		{N: 0, Event: fact("a")},
		{N: -1, Event: aside("x")},
		{Part: "0.0", N: -1, Event: aside("y")},
		{Part: "0.0", N: 0, Event: fact("b")},
		{N: -2, Event: aside("z")},
		{N: 1, Event: fact("c")},
	}
	if diff := cmp.Diff(want, result.Events); err != nil || diff != "" || result.Value != 0 {
		t.Errorf("%v, %d throws in the main part:\n%s", err, result.Value, diff)
	}
}

// The player of the roller set by SetRoller is asked for typed faces, in each part and from that
// point on. Without it the acting player is asked.
func TestTypedFacesAreAskedOfTheRoller(t *testing.T) {
	die := func(r *rule.Run) int { return r.Sum(dice.Pool{N: 1, Sides: 6}) }
	both := func(r *rule.Run) int {
		parts := func() int {
			sums := rule.Together(r, die, func(r *rule.Run) int {
				r.SetRoller("boris")
				return die(r)
			})
			return sums[0] + sums[1]
		}
		sum := parts()
		r.SetRoller("clara")
		return sum + parts() + die(r)
	}
	asked := func(trail rule.Trail) (result rule.Result[int], who []string) {
		t.Helper()
		result, err := rule.Play(both, rule.Options{
			Trail: trail, Source: rule.HandSource(dice.NewHand(nil), true),
			Roller: func(_ dice.Pool, by string) string {
				if by == "" {
					return "anna"
				}
				return by
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range result.Open {
			who = append(who, open.To)
		}
		return result, who
	}
	var trail rule.Trail
	for _, want := range [][]string{{"anna", "boris"}, {"clara", "boris"}, {"clara"}} {
		result, who := asked(trail)
		if !slices.Equal(who, want) {
			t.Fatalf("%v are asked, want %v", who, want)
		}
		for _, open := range result.Open {
			step, err := open.Step([]byte(`{"faces":[2]}`), "")
			if err != nil {
				t.Fatal(err)
			}
			trail = append(trail, step)
		}
	}
	for range 100 { // a run must not inherit the roller of the previous one
		if _, who := asked(nil); !slices.Equal(who, []string{"anna", "boris"}) {
			t.Fatalf("another run asks %v", who)
		}
		asked(trail)
	}
	if result, _ := asked(trail); !result.Done || result.Value != 10 {
		t.Errorf("it comes to %+v", result)
	}
}

// branchy throws a second time only after some first throws, so branches have different
// denominators.
func branchy(r *rule.Run) int {
	n := r.Sum(dice.Pool{N: 1, Sides: 6})
	if n >= 5 {
		n += r.Sum(dice.Pool{N: 2, Sides: 4})
	}
	return n
}

func law(t *testing.T, f func(*rule.Run) int, limits rule.Limits) *distribution.Law[int] {
	t.Helper()
	l, err := rule.Walk(f, nil, limits)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func same(t *testing.T, a, b *distribution.Law[int]) {
	t.Helper()
	if len(a.Values) != len(b.Values) {
		t.Fatalf("%d and %d values", len(a.Values), len(b.Values))
	}
	for i, v := range a.Values {
		if a.Chance(i).Cmp(b.Of(v)) != 0 {
			t.Errorf("%d: %v and %v", v, a.Chance(i), b.Of(v))
		}
	}
}

func TestWalkAddsBranchesWithTheSameResult(t *testing.T) {
	l := law(t, branchy, rule.Limits{})
	sum := new(big.Rat)
	for i := range l.Values {
		sum.Add(sum, l.Chance(i))
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("chances sum to %v", sum)
	}
	if got := l.Of(7); got.Cmp(big.NewRat(1, 6*16)) != 0 { // 5 and 1 + 1
		t.Errorf("7 has %v, want 1/96", got)
	}
	same(t, l, law(t, branchy, rule.Limits{Reverse: true}))
}

// All views of the same dice must lead to the same law.
func TestEveryViewOfAPoolGivesTheSameOdds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, sides := rapid.IntRange(0, 4).Draw(rt, "dice"), rapid.IntRange(2, 6).Draw(rt, "sides")
		p := dice.Pool{N: n, Sides: sides}
		total := func(hand []int) (sum int) {
			for _, face := range hand {
				sum += face
			}
			return sum
		}
		bySum := law(t, func(r *rule.Run) int { return r.Sum(p) }, rule.Limits{})
		same(t, bySum, law(t, func(r *rule.Run) int { return total(r.Throw(p)) }, rule.Limits{}))
		same(t, bySum, law(t, func(r *rule.Run) int {
			return rule.Fold(r, p, 0, func(sum, face, n int) int { return sum + face*n })
		}, rule.Limits{}))
		same(t, bySum, law(t, func(r *rule.Run) (sum int) {
			for range n {
				sum += rule.Part(r, func(r *rule.Run) int { return r.Sum(dice.Pool{N: 1, Sides: sides}) })
			}
			return sum
		}, rule.Limits{}))
		same(t, bySum, law(t, func(r *rule.Run) (sum int) {
			parts := make([]func(*rule.Run) int, n)
			for i := range parts {
				parts[i] = func(r *rule.Run) int { return r.Sum(dice.Pool{N: 1, Sides: sides}) }
			}
			return total(rule.Together(r, parts...))
		}, rule.Limits{}))
		hit := dice.AtLeast(rapid.IntRange(1, sides+1).Draw(rt, "hit"))
		byCount := law(t, func(r *rule.Run) int { return r.Count(p, hit) }, rule.Limits{})
		same(t, byCount, law(t, func(r *rule.Run) int { return r.Classes(p, hit)[0] }, rule.Limits{}))
	})
}

// A live roll must read a pool through each view as the walk does.
func TestLiveRollsReadPoolsAsWalksDo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		faces := rapid.SliceOfN(rapid.IntRange(1, 6), 0, 6).Draw(rt, "faces")
		p := dice.Pool{N: len(faces), Sides: 6}
		see := func(f func(r *rule.Run) int) int {
			result, err := rule.Play(f, rule.Options{Source: rule.HandSource(dice.NewHand(faces), false)})
			if err != nil {
				rt.Fatal(err)
			}
			return result.Value
		}
		sum, fives := 0, 0
		for _, face := range faces {
			sum += face
			if face >= 5 {
				fives++
			}
		}
		if got := see(func(r *rule.Run) int { return r.Sum(p) }); got != sum {
			rt.Fatalf("Sum %d, want %d", got, sum)
		}
		if got := see(func(r *rule.Run) int {
			last := 7
			return rule.Fold(r, p, 0, func(s, face, n int) int {
				if face >= last {
					rt.Fatalf("Fold shows %d after %d", face, last)
				}
				last = face
				return s + face*n
			})
		}); got != sum {
			rt.Fatalf("Fold %d, want %d", got, sum)
		}
		if got := see(func(r *rule.Run) int { return r.Count(p, dice.AtLeast(5)) }); got != fives {
			rt.Fatalf("Count %d, want %d", got, fives)
		}
		if got := see(func(r *rule.Run) int {
			t := r.Classes(p, dice.AtLeast(5), dice.AtMost(4))
			return t[0]*100 + t[1]
		}); got != fives*100+len(
			faces,
		)-fives {
			rt.Fatalf("Classes %d", got)
		}
	})
}

func TestWalkStopsAtItsLimits(t *testing.T) {
	wide := func(r *rule.Run) int { return r.Sum(dice.Pool{N: 9, Sides: 9}) + r.Sum(dice.Pool{N: 9, Sides: 9}) }
	var limit *rule.LimitError
	if _, err := rule.Walk(wide, nil, rule.Limits{Branches: 100}); !errors.As(err, &limit) || limit.Branches != 100 {
		t.Errorf("a walk past its branches: %v", err)
	}
	huge := func(r *rule.Run) int { return r.Throw(dice.Pool{N: 30, Sides: 100})[0] }
	if _, err := rule.Walk(huge, nil, rule.Limits{}); !errors.As(err, &limit) {
		t.Errorf("a throw of too many hands: %v", err)
	}
	stop := errors.New("gone")
	if _, err := rule.Walk(wide, nil, rule.Limits{Stop: func() error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("a walk that is told to stop: %v", err)
	}
	part := func(r *rule.Run) int { return rule.Part(r, wide) }
	if _, err := rule.Walk(part, nil, rule.Limits{Branches: 100}); !errors.As(err, &limit) {
		t.Errorf("a part past the whole's branches: %v", err)
	}
}

func TestPoliciesAnswerQuestionsOfARule(t *testing.T) {
	f := func(r *rule.Run) int {
		if ask(r, "again", "anna") {
			return 1
		}
		return 0
	}
	if l, err := rule.Walk(f, nil, rule.Limits{}); err != nil || l.Values[0] != 0 {
		t.Errorf("the standard answer: %v, %v", l, err)
	}
	if l, err := rule.Walk(f, rule.Policy{"again": yes{true}}, rule.Limits{}); err != nil || l.Values[0] != 1 {
		t.Errorf("a policy's answer: %v, %v", l, err)
	}
	if _, err := rule.Walk(f, rule.Policy{"again": "yes"}, rule.Limits{}); err == nil {
		t.Error("an answer of the wrong type is taken")
	}
	if n, err := rule.Simulate(f, dice.NewStream([32]byte{}), rule.Policy{"again": yes{true}}); err != nil || n != 1 {
		t.Errorf("simulated: %v, %v", n, err)
	}
	free := func(r *rule.Run) int {
		rule.Ask(r, rule.Question[yes]{ID: "free", Form: yesForm, Free: true})
		return 0
	}
	var unanswered *rule.FreeError
	if _, err := rule.Walk(free, nil, rule.Limits{}); !errors.As(err, &unanswered) {
		t.Errorf("a free question in a walk: %v", err)
	}
	if _, err := rule.Simulate(free, dice.NewStream([32]byte{}), nil); !errors.As(err, &unanswered) {
		t.Errorf("a free question in a simulation: %v", err)
	}
}

func TestARulesOwnPanicIsNotSwallowed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the rule's panic was swallowed")
		}
	}()
	_, _ = rule.Play(func(*rule.Run) int { panic("broken rule") }, rule.Options{})
}

// A walk that would take too long must be refused before it begins, through any view. A walk ends
// when its context does.
func TestLawsTooLargeAreRefusedAtOnce(t *testing.T) {
	dozens := dice.Pool{N: 1000, Sides: 1000}
	type hand struct{ all, twos int }
	large := map[string]func(*rule.Run) int{
		"sum":   func(r *rule.Run) int { return r.Sum(dozens) },
		"keep":  func(r *rule.Run) int { return r.Keep(dozens, 500, false) },
		"throw": func(r *rule.Run) int { return r.Throw(dozens)[0] },
		"classes": func(r *rule.Run) int {
			return r.Classes(dozens, dice.AtLeast(900), dice.AtMost(5), dice.Exactly(7))[0]
		},
		"fold": func(r *rule.Run) int {
			return rule.Fold(
				r,
				dozens,
				hand{},
				func(h hand, face, n int) hand { return hand{h.all + face*n, h.twos + n/2} },
			).all
		},
	}
	for name, f := range large {
		_, err := rule.Walk(f, nil, rule.Limits{Branches: 300_000})
		if limit := (*rule.LimitError)(nil); !errors.As(err, &limit) {
			t.Errorf("%s: %v, want a limit", name, err)
		}
	}
	gone := errors.New("nobody waits")
	looked := 0
	_, err := rule.Walk(func(r *rule.Run) int {
		return rule.Fold(r, dice.Pool{N: 60, Sides: 20}, 0, func(sum, face, n int) int { return sum + face*n })
	}, nil, rule.Limits{Stop: func() error {
		if looked++; looked > 3 {
			return gone
		}
		return nil
	}})
	if !errors.Is(err, gone) || looked != 4 {
		t.Errorf("a fold nobody waits for: %v after %d looks", err, looked)
	}
}

// A part with a key must be walked once for each key, with the same result as without a key.
func TestPartsWithTheSameKeyAreWalkedOnce(t *testing.T) {
	type key struct{ n int }
	runs := 0
	fight := func(part func(r *rule.Run, n int, f func(*rule.Run) int) int) func(*rule.Run) int {
		return func(r *rule.Run) int {
			first := r.Sum(dice.Pool{N: 2, Sides: 6})
			return part(r, first/3, func(r *rule.Run) int {
				runs++
				return r.Sum(dice.Pool{N: first / 3, Sides: 6})
			})
		}
	}
	want, err := rule.Walk(
		fight(func(r *rule.Run, _ int, f func(*rule.Run) int) int { return rule.Part(r, f) }),
		nil,
		rule.Limits{},
	)
	if err != nil {
		t.Fatal(err)
	}
	each := runs
	runs = 0
	got, err := rule.Walk(
		fight(func(r *rule.Run, n int, f func(*rule.Run) int) int { return rule.PartOf(r, key{n}, f) }),
		nil,
		rule.Limits{},
	)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Values) != len(want.Values) || runs >= each {
		t.Fatalf("%d values in %d runs, want %d in fewer than %d", len(got.Values), runs, len(want.Values), each)
	}
	for i, v := range want.Values {
		if got.Of(v).Cmp(want.Chance(i)) != 0 {
			t.Errorf("%d: %v, want %v", v, got.Of(v), want.Chance(i))
		}
	}
}

func TestAgainstAgreesWithTogether(t *testing.T) {
	own := func(r *rule.Run) int { return r.Sum(dice.Pool{N: 2, Sides: 6}) }
	other := func(r *rule.Run) int {
		return r.Sum(dice.Pool{N: 3, Sides: 4}) + r.Count(dice.Pool{N: 2, Sides: 10}, dice.AtLeast(8))
	}
	want, err := rule.Walk(func(r *rule.Run) int {
		both := rule.Together(r, own, other)
		return min(1, max(-1, both[0]-both[1]))
	}, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := rule.Walk(func(r *rule.Run) int { return rule.Against(r, own, other) }, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, sign := range []int{-1, 0, 1} {
		if got.Of(sign).Cmp(want.Of(sign)) != 0 {
			t.Errorf("%d: %v, want %v", sign, got.Of(sign), want.Of(sign))
		}
	}
}

// A live fold by grades must match its law: the law of a fold that records all it sees contains
// exactly the sequences that can be thrown.
func TestFoldsByGradeAreTheSameLiveAndExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := dice.Pool{N: rapid.IntRange(1, 3).Draw(t, "dice"), Sides: rapid.IntRange(1, 6).Draw(t, "sides")}
		of := rapid.SliceOfN(rapid.IntRange(0, 3), p.Sides+1, p.Sides+1).Draw(t, "grades")
		f := func(r *rule.Run) int {
			return rule.FoldBy(
				r,
				p,
				func(face int) int { return of[face] },
				1,
				func(shown, grade, n int) int { return (shown*8+grade)*8 + n },
			)
		}
		law, err := rule.Walk(f, nil, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var mix distribution.Mix[int]
		all := uint64(math.Pow(float64(p.Sides), float64(p.N)) + 0.5)
		for i := range all {
			faces := make([]int, p.N)
			for at, rest := 0, int(i); at < p.N; at, rest = at+1, rest/p.Sides {
				faces[at] = rest%p.Sides + 1
			}
			result, err := rule.Play(f, rule.Options{Source: rule.HandSource(dice.NewHand(faces), false)})
			if err != nil {
				t.Fatal(err)
			}
			mix.Add(result.Value, distribution.W(1), distribution.W(all))
		}
		live := mix.Law()
		if len(live.Values) != len(law.Values) {
			t.Fatalf("live %v, exact %v", live.Values, law.Values)
		}
		for i, v := range live.Values {
			if law.Of(v).Cmp(live.Chance(i)) != 0 {
				t.Fatalf("%o: live %v, exact %v", v, live.Chance(i), law.Of(v))
			}
		}
	})
}

// A part that only throws one die has the law of that die; a part that does more in some run
// doesn't.
func TestPartThatThrowsOneDieHasTheDiesOdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.IntRange(1, 12).Draw(t, "sides")
		shown := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(-3, 3), rapid.Int()), sides, sides).Draw(t, "shown")
		from := rapid.IntRange(0, sides).Draw(t, "faces from here do more")
		again := rapid.Bool().Draw(t, "they throw again")
		come := func(throw func(sides int) int) int {
			face := throw(sides)
			switch {
			case face <= from:
				return shown[face-1]
			case again:
				return shown[throw(sides)-1]
			}
			return face
		}
		law, err := rule.Walk(func(r *rule.Run) int {
			return come(func(sides int) int {
				return rule.Fold(r, dice.Pool{N: 1, Sides: sides}, 0, func(_, face, _ int) int { return face })
			})
		}, nil, rule.Limits{Reverse: rapid.Bool().Draw(t, "reverse")})
		if err != nil {
			t.Fatal(err)
		}
		want := map[int]int{}
		for first := 1; first <= sides; first++ {
			for second := 1; second <= sides; second++ {
				faces := []int{first, second}
				want[come(func(int) int { face := faces[0]; faces = faces[1:]; return face })]++
			}
		}
		if len(law.Values) != len(want) {
			t.Fatalf("%d values, counting gives %d", len(law.Values), len(want))
		}
		for value, times := range want {
			if got := law.Of(value); got.Cmp(big.NewRat(int64(times), int64(sides*sides))) != 0 {
				t.Fatalf("%d has %v, counting gives %d of %d", value, got, times, sides*sides)
			}
		}
	})
}

// People throw attack and damage at once. The faces for damage that isn't needed are dropped; other
// extra faces are still an error.
func TestTypedFacesForUnneededDamageAreDropped(t *testing.T) {
	f := func(r *rule.Run) int {
		if r.Count(dice.Pool{N: 1, Sides: 20}, dice.AtLeast(10)) == 0 {
			r.Discard(dice.Pool{N: 2, Sides: 6})
			return 0
		}
		return r.Sum(dice.Pool{N: 2, Sides: 6})
	}
	for _, c := range []struct {
		faces      []int
		want, left int
	}{
		{[]int{12, 3, 4}, 7, 0},
		{[]int{5, 3, 4}, 0, 0},
		{[]int{5}, 0, 0},
		{[]int{5, 3}, 0, 1},
		{[]int{5, 3, 4, 1}, 0, 1},
		{[]int{5, 9, 4}, 0, 2},
	} {
		hand := dice.NewHand(c.faces)
		result, err := rule.Play(f, rule.Options{Source: rule.HandSource(hand, false)})
		if err != nil || result.Value != c.want || hand.Remaining() != c.left {
			t.Errorf("%v: %d, %d left, %v; want %d, %d left", c.faces, result.Value, hand.Remaining(), err, c.want,
				c.left)
		}
	}
	if _, err := rule.Walk(f, nil, rule.Limits{}); err != nil {
		t.Error(err)
	}
}
