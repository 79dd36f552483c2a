package rule_test

import (
	"errors"
	"fmt"
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

// line is one line of a small random rule.
type line struct {
	What  string // "throw", "ask", "part", "together"
	Sides int
	Parts [][]line
}

func lines(t *rapid.T, depth int, asks bool) []line {
	all := make([]line, rapid.IntRange(1, 3).Draw(t, "lines"))
	for i := range all {
		kinds := []string{"throw"}
		if asks {
			kinds = append(kinds, "ask", "ask")
		}
		if depth > 0 {
			kinds = append(kinds, "part", "together")
		}
		all[i] = line{What: rapid.SampledFrom(kinds).Draw(t, "what"), Sides: rapid.IntRange(2, 3).Draw(t, "sides")}
		switch all[i].What {
		case "part":
			all[i].Parts = [][]line{lines(t, depth-1, asks)}
		case "together": // one part asks, in any place
			all[i].Parts = [][]line{lines(t, 0, false), lines(t, depth-1, asks)}
			if rapid.Bool().Draw(t, "asks first") {
				slices.Reverse(all[i].Parts)
			}
		}
	}
	return all
}

// follow runs lines. A question's id contains everything that is known when it's asked, so policies
// by id include every possible policy.
func follow(r *rule.Run, all []line, known string) int {
	total := 0
	for i, l := range all {
		known += fmt.Sprint(" ", i)
		sub := func(lines []line, place int) func(*rule.Run) int {
			return func(r *rule.Run) int { return follow(r, lines, fmt.Sprint(known, "/", place)) % 3 }
		}
		switch l.What {
		case "throw":
			n := r.Sum(dice.Pool{N: 1, Sides: l.Sides})
			total, known = total*2+n, fmt.Sprint(known, "=", n)
		case "ask":
			again := rule.Ask(r, rule.Question[yes]{ID: known, Form: yesForm, Free: true}).Again
			if again {
				total = total/2 + 2*r.Sum(dice.Pool{N: 1, Sides: l.Sides})
			}
			known = fmt.Sprint(known, "=", again, total)
		case "part":
			n := rule.Part(r, sub(l.Parts[0], 0))
			total, known = total+n, fmt.Sprint(known, "=", n)
		case "together":
			both := rule.Together(r, sub(l.Parts[0], 0), sub(l.Parts[1], 1))
			total, known = total+both[0]+2*both[1], fmt.Sprint(known, "=", both)
		}
	}
	return total
}

func worth(law *distribution.Law[int], aim func(int) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, v := range law.Values {
		sum.Add(sum, new(big.Rat).Mul(aim(v), law.Chance(i)))
	}
	return sum
}

// everyPolicy returns the best expected value of all policies, which it tries one by one.
func everyPolicy(f func(*rule.Run) int, aim func(int) *big.Rat, policy rule.Policy, left *int) *big.Rat {
	if *left--; *left < 0 {
		return nil
	}
	law, err := rule.Walk(f, policy, rule.Limits{})
	var free *rule.FreeError
	if !errors.As(err, &free) {
		return worth(law, aim)
	}
	var best *big.Rat
	for _, again := range []bool{false, true} {
		policy[free.Question] = yes{again}
		got := everyPolicy(f, aim, policy, left)
		if got == nil {
			return nil
		}
		if best == nil || got.Cmp(best) > 0 {
			best = got
		}
	}
	delete(policy, free.Question)
	return best
}

func TestBestChoicesAreTheBestOfAllPolicies(t *testing.T) {
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		all := lines(t, 2, true)
		table := rapid.SliceOfN(rapid.Int64Range(-3, 3), 7, 7).Draw(t, "worth")
		f := func(r *rule.Run) int { return follow(r, all, "") }
		aim := func(n int) *big.Rat { return big.NewRat(table[n%len(table)], 1) }
		left := 300
		want := everyPolicy(f, aim, rule.Policy{}, &left)
		if want == nil {
			return // too many policies to try
		}
		got, err := rule.Lookahead[int]{Aim: aim}.Walk(f)
		if err != nil {
			t.Fatal(err)
		}
		if got.Worth.Cmp(want) != 0 || worth(got.Law, aim).Cmp(want) != 0 {
			t.Fatalf("%+v: best choices are worth %v, the best policy %v", all, got.Worth, want)
		}
		back, err := rule.Lookahead[int]{Aim: aim, Limits: rule.Limits{Reverse: true}}.Walk(f)
		if err != nil || back.Worth.Cmp(want) != 0 {
			t.Fatalf("backwards: %v, %v; want %v", back, err, want)
		}
		for i, v := range got.Law.Values {
			if back.Law.Of(v).Cmp(got.Law.Chance(i)) != 0 {
				t.Fatalf("%d: %v, backwards %v", v, got.Law.Chance(i), back.Law.Of(v))
			}
		}
		policy := rule.Policy{}
		for _, taken := range got.Choices {
			policy[taken.Question] = taken.Answer
		}
		law, err := rule.Walk(f, policy, rule.Limits{})
		if err != nil {
			t.Fatalf("the choices taken don't answer every question that comes up: %v", err)
		}
		if worth(law, aim).Cmp(want) != 0 {
			t.Fatalf("the choices taken are worth %v, not %v", worth(law, aim), want)
		}
		if len(got.Choices) > 0 {
			tried++
		}
	})
	if tried < 10 && !testing.Short() { // a short run draws a fifth
		t.Errorf("only %d rules had choices to make", tried)
	}
}

func TestLookaheadWithoutChoicesEqualsAWalk(t *testing.T) {
	want, err := rule.Walk(climb, rule.Policy{"again": yes{true}}, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := rule.Lookahead[int]{Policy: rule.Policy{"again": yes{true}}}.Walk(climb)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want.Values {
		if got.Law.Of(v).Cmp(want.Chance(i)) != 0 {
			t.Errorf("%d: %v, want %v", v, got.Law.Of(v), want.Chance(i))
		}
	}
}

// number is an answer with more than two values.
type number struct {
	N    int    `json:"n" form:"max=3"`
	Note string `json:"note" form:"prose"`
}

var numberForm = form.Of[number]()

func value(n int) *big.Rat { return big.NewRat(int64(n), 1) }

func TestEqualAnswersAreTakenInTheFormsOrder(t *testing.T) {
	f := func(r *rule.Run) int {
		return min(2, rule.Ask(r, rule.Question[number]{ID: "n", Form: numberForm}).N)
	}
	for _, reverse := range []bool{false, true} {
		got, err := rule.Lookahead[int]{Aim: value, Limits: rule.Limits{Reverse: reverse}}.Walk(f)
		if err != nil || got.Worth.Cmp(value(2)) != 0 || len(got.Choices) != 1 ||
			got.Choices[0].Answer != (number{N: 2}) {
			t.Errorf("%+v, %v: want 2, the first of those worth most", got, err)
		}
	}
}

func TestLookaheadDecidesOnlyTheActorsOwnQuestions(t *testing.T) {
	f := func(r *rule.Run) int {
		n := 0
		for i, q := range []rule.Question[yes]{
			{ID: "own", To: "me"},
			{ID: "foe", To: "foe"},
			{ID: "rival", To: "me", Rival: true},
			{ID: "set", To: "me"},
		} {
			q.Form = yesForm
			if rule.Ask(r, q).Again {
				n += 1 << i
			}
		}
		return n
	}
	got, err := rule.Lookahead[int]{
		Aim:     value,
		Decides: func(to string) bool { return to == "me" },
		Policy:  rule.Policy{"set": yes{false}, "foe": yes{true}},
	}.Walk(
		f,
	)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{3}, got.Law.Values); diff != "" || len(got.Choices) != 1 {
		t.Errorf("%v taken: %s", got.Choices, diff)
	}
}

func TestTooWideQuestionGetsItsStandardAnswer(t *testing.T) {
	wide := form.Of[struct {
		N int `json:"n" form:"max=1000"`
	}]()
	type answer = struct {
		N int `json:"n" form:"max=1000"`
	}
	f := func(r *rule.Run) int {
		return rule.Ask(r, rule.Question[answer]{ID: "wide", Form: wide, Weigh: []string{"n"}, Standard: answer{7}}).N
	}
	got, err := rule.Lookahead[int]{Aim: value}.Walk(f)
	if err != nil || got.Worth.Cmp(value(7)) != 0 || !slices.Equal(got.Assumed, []string{"wide"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLookaheadRefusesChoicesInParallelParts(t *testing.T) {
	var refused *rule.TogetherError
	if got, err := (rule.Lookahead[int]{Aim: value}).Walk(climb); !errors.As(err, &refused) {
		t.Errorf("%v, %v", got, err)
	}
	mine := func(to string) bool { return to == "anna" }
	if got, err := (rule.Lookahead[int]{Aim: value, Decides: mine}).Walk(climb); err != nil || len(got.Choices) == 0 {
		t.Errorf("choices of one alone: %v, %v", got, err)
	}
}

// The value at each point of a live run must be the mean of the values at the next points, weighted
// by their chances.
func TestLookaheadValueIsTheMeanOfItsNextPoints(t *testing.T) {
	policy := rule.Policy{"again": yes{true}}
	mean := func(trail rule.Trail) *big.Rat {
		got, err := rule.Lookahead[int]{Trail: trail, Policy: policy}.Walk(climb)
		if err != nil {
			t.Fatal(err)
		}
		return worth(got.Law, value)
	}
	hits := func(faces ...int) rule.Step {
		return rule.Step{Dice: &rule.Throw{For: "climb", Sides: 6, Faces: faces}}
	}
	// One hit of three dice, and two ropes of 2d6 each.
	if got := mean(rule.Trail{hits(6, 1, 1)}); got.Cmp(value(15)) != 0 {
		t.Errorf("after the first throw: %v, want 15", got)
	}
	rope := func(part string, face int) rule.Step {
		return rule.Step{Part: part, Dice: &rule.Throw{For: "rope", Sides: 6, Faces: []int{face}}}
	}
	said := func(part, again string) rule.Step {
		return rule.Step{Part: part, Answer: &rule.Answer{Question: "again", Value: []byte(`{"again":` + again + `}`)}}
	}
	full := rule.Trail{
		hits(6, 1, 1),
		rope("0.0", 6),
		rope("0.1", 2),
		said("0.0", "false"),
		said("0.1", "true"),
		rope("0.1", 1),
	}
	for n, want := range map[int]*big.Rat{
		2: big.NewRat(2*(1+6+7)+7, 2), // a 6 fell; another rope will be thrown, and the other side isn't known yet
		4: big.NewRat(2*(1+6+2)+7, 2), // anna stops at 6; boris has 2 and another to come
		5: big.NewRat(2*(1+6+2)+7, 2), // he said so
		6: big.NewRat(1+6+3, 1),
	} {
		if got := mean(full[:n]); got.Cmp(want) != 0 {
			t.Errorf("after %d steps: %v, want %v", n, got, want)
		}
	}
	all := func(rule.Throw) bool { return true }
	low := func(t rule.Throw) bool { return !slices.Contains(t.Faces, 6) }
	for _, c := range []struct {
		trail rule.Trail
		part  string
		sees  func(rule.Throw) bool
		want  []int // nil if no odds can be computed
	}{
		{full, "", all, []int{0, 1, 2, 3, 4, 5}},
		{full, "0.1", all, []int{0, 1, 2, 4, 5}},    // no later roll shows that the other player stopped at 6
		{full, "0.0", all, []int{0, 1, 2, 3, 4, 5}}, // a later roll shows that the other player went on
		{full[:3], "0.0", all, []int{0, 1, 2}},      // the other player's dice are visible
		{full, "", low, nil},
		{full[1:], "0.0", low, nil},                            // unseen dice of one's own come first
		{full[1:], "0.1", low, []int{2, 4, 5}},                 // the other player's steps don't matter
		{append(full[1:6:6], rope("0.0", 1)), "0.1", low, nil}, // an unseen roll precedes a visible one
	} {
		var want rule.Trail
		for _, i := range c.want {
			want = append(want, full[i])
		}
		if len(c.trail) < len(full) && len(c.trail) > 3 {
			want = nil
			for _, i := range c.want {
				want = append(want, c.trail[i-1])
			}
		}
		got, ok := c.trail.KnownTo(c.part, c.sees)
		if ok != (c.want != nil) {
			t.Errorf("seen from %q: %v", c.part, ok)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seen from %q: %s", c.part, diff)
		}
	}
	var misfit *rule.TrailError
	if _, err := (rule.Lookahead[int]{Trail: rule.Trail{rope("", 1)}}).Walk(climb); !errors.As(err, &misfit) {
		t.Errorf("a trail of something else: %v", err)
	}
}

func TestLookaheadEndsAtAnEvent(t *testing.T) {
	got, err := rule.Lookahead[int]{
		Policy: rule.Policy{"again": yes{false}},
		End:    func(e rule.Event) (int, bool) { return 42, e == happened{"climbed"} },
	}.Walk(climb)
	if err != nil || len(got.Law.Values) != 1 || got.Law.Values[0] != 42 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLookaheadStopsAtItsLimits(t *testing.T) {
	var limit *rule.LimitError
	if _, err := (rule.Lookahead[int]{Limits: rule.Limits{Branches: 10}, Aim: value, Decides: func(to string) bool {
		return to == "anna"
	}}).Walk(climb); !errors.As(
		err,
		&limit,
	) {
		t.Errorf("past its branches: %v", err)
	}
}

func TestPolicyAnswersMayBeWordsOrJSON(t *testing.T) {
	f := func(r *rule.Run) int {
		return rule.Ask(r, rule.Question[number]{ID: "n", Form: numberForm}).N
	}
	for _, given := range []rule.Given{
		{JSON: []byte(`{"n":3}`)},
		{Words: map[string]string{"": "3"}},
		{Words: map[string]string{"n": "3"}},
	} {
		law, err := rule.Walk(f, rule.Policy{"n": given}, rule.Limits{})
		if err != nil || law.Values[0] != 3 {
			t.Errorf("%v: %v, %v", given, law, err)
		}
	}
	var refused *rule.GivenError
	if _, err := rule.Walk(f, rule.Policy{"n": rule.Given{JSON: []byte(`{"n":9}`)}}, rule.Limits{}); !errors.As(
		err,
		&refused,
	) ||
		refused.Question != "n" {
		t.Errorf("an answer that isn't allowed: %v", err)
	}
}

// A walk from a trail goes on from what others changed while its question was open, in parts and
// after them.
func TestWalkGoesOnFromWhatOthersChanged(t *testing.T) {
	type raised struct{ N int }
	type yes struct {
		Yes bool `json:"yes"`
	}
	play := func(r *rule.Run) int {
		whole := 0
		r.Lend(func(e rule.Event) { whole += e.(raised).N })
		part := func(r *rule.Run) int {
			own := 0
			r.Lend(func(e rule.Event) { own += e.(raised).N })
			if rule.AskAnew(r, func() rule.Question[yes] { return rule.Question[yes]{ID: "more", To: "a", About: own} }).Yes {
				own *= 2
			}
			return own
		}
		sum := 0
		for _, n := range rule.Together(r, part, part) {
			sum += n
		}
		return 100*whole + 10*sum + r.Sum(dice.Pool{N: 1, Sides: 2, For: "last"})
	}
	meanwhile := func(part string, n, raise int) rule.Step {
		return rule.Step{Part: part, Meanwhile: &rule.Meanwhile{Event: raised{raise}, By: uint64(n), N: n}}
	}
	trail := rule.Trail{
		meanwhile("0.0", 0, 1), meanwhile("0.1", 0, 1),
		{Part: "0.0", Answer: &rule.Answer{Question: "more", Value: []byte(`{"yes":true}`)}},
		meanwhile("0.1", 1, 3),
	}
	open, err := rule.Play(play, rule.Options{Trail: trail, Source: rule.HandSource(dice.NewHand(nil), true)})
	if err != nil || len(open.Open) != 1 || open.Open[0].About != 4 || !open.Open[0].LendsAll {
		t.Fatalf("open %+v: %v", open.Open, err)
	}
	ahead, err := rule.Lookahead[int]{Trail: trail}.Walk(play)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{100*4 + 10*(2+4) + 1, 100*4 + 10*(2+4) + 2}; !slices.Equal(ahead.Law.Values, want) {
		t.Errorf("results %v, want %v", ahead.Law.Values, want)
	}
	if _, err := rule.Play(func(r *rule.Run) int {
		return r.Sum(dice.Pool{N: 1, Sides: 2})
	}, rule.Options{Trail: rule.Trail{meanwhile("", 0, 1)}, Source: rule.HandSource(dice.NewHand(nil), true)}); err == nil {
		t.Error("a rule that lends nobody takes a change")
	}
}
