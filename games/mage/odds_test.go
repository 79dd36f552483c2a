package mage

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/distribution"
	"norn/form"
	"norn/game"
	"norn/rule"
)

func law(t testing.TB, price func(*rule.Run) rule.Outcome) *distribution.Law[rule.Outcome] {
	t.Helper()
	l, err := rule.Walk(price, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The reference is the closed form, for any pool, difficulty and threshold.
func TestRollOddsMatchTheClosedForm(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(rt, "pool")
		d := rapid.IntRange(2, 9).Draw(rt, "difficulty")
		th := rapid.IntRange(0, 4).Draw(rt, "threshold")
		got := law(
			t,
			rollMove.Price(
				game.Scene{Settings: standard},
				Roll{Pool: n, Difficulty: d, Threshold: th, ThresholdRule: true},
			),
		)
		total := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
		successes, failure, botch := byHand(n, d, th)
		want := map[rule.Outcome]*big.Int{{ID: "failure"}: failure, {ID: "botch"}: botch}
		for net, weight := range successes[1:] {
			want[rule.Outcome{ID: "success", N: net + 1}] = weight
		}
		for o, weight := range want {
			if p := new(big.Rat).SetFrac(weight, total); got.Of(o).Cmp(p) != 0 {
				rt.Fatalf("%d dice, difficulty %d, threshold %d: %v is %v, want %v", n, d, th, o, got.Of(o), p)
			}
		}
	})
}

// The reference is the text of the rule book, for every throw of up to four dice: MG-03, MG-05,
// MG-06, MG-08, MG-21.
func TestEveryThrowOfUpToFourDiceFollowsTheRulebook(t *testing.T) {
	for n := 1; n <= 4; n++ {
		faces := make([]int, n)
		var each func(i int)
		each = func(i int) {
			if i < n {
				for faces[i] = 1; faces[i] <= 10; faces[i]++ {
					each(i + 1)
				}
				return
			}
			for _, tk := range []task{
				{difficulty: 6},
				{difficulty: 9, threshold: 1},
				{difficulty: 2, threshold: 2},
				{difficulty: 10, willpower: true},
			} {
				tk.ruleOfOne = true
				var s seen
				for _, face := range faces {
					if face >= tk.difficulty || face == 10 {
						s.hits++
					}
					if face == 1 {
						s.ones++
					}
				}
				if want, got := inWords(tk, s), tk.judge(s); got != want {
					t.Fatalf("%v against %+v: %v, want %v", faces, tk, got, want)
				}
			}
		}
		each(0)
	}
}

func inWords(t task, s seen) rule.Outcome {
	left := s.hits
	for range t.threshold {
		if left > 0 {
			left--
		}
	}
	reached := left > 0
	for range s.ones {
		if left > 0 {
			left--
		}
	}
	if t.willpower {
		return rule.Outcome{ID: "success", N: left + 1}
	}
	if left > 0 {
		return rule.Outcome{ID: "success", N: left}
	}
	if !reached && s.ones > 0 {
		return rule.Outcome{ID: "botch"}
	}
	return rule.Outcome{ID: "failure"}
}

// Large pools must be exact, too.
func TestOddsOfLargePoolsSumToOne(t *testing.T) {
	for _, n := range []int{20, 100} {
		l, sum := law(t, bare(n)), new(big.Rat)
		for i := range l.Values {
			sum.Add(sum, l.Chance(i))
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("the chances of %d dice sum to %v", n, sum)
		}
	}
}

// MG-13: the reference is the rolls computed one by one.
func TestExtendedOddsAgreeWithRollsOneByOne(t *testing.T) {
	const pool, target, rolls = 6, 10, 8
	one := law(t, bare(pool))
	now := map[int]*big.Rat{0: big.NewRat(1, 1)}
	want := map[rule.Outcome]*big.Rat{}
	add := func(o rule.Outcome, p *big.Rat) {
		if want[o] == nil {
			want[o] = new(big.Rat)
		}
		want[o].Add(want[o], p)
	}
	for at := 1; at <= rolls; at++ {
		next := map[int]*big.Rat{}
		for gathered, chance := range now {
			for i, o := range one.Values {
				p := new(big.Rat).Mul(chance, one.Chance(i))
				switch {
				case o.ID == "botch":
					add(rule.Outcome{ID: "botch", N: at}, p)
				case gathered+o.N >= target:
					add(rule.Outcome{ID: "done", N: at}, p)
				default:
					if next[gathered+o.N] == nil {
						next[gathered+o.N] = new(big.Rat)
					}
					next[gathered+o.N].Add(next[gathered+o.N], p)
				}
			}
		}
		now = next
	}
	for gathered, p := range now {
		if gathered == 0 {
			add(rule.Outcome{ID: "failure"}, p)
		} else {
			add(rule.Outcome{ID: "unfinished"}, p)
		}
	}
	got := law(
		t,
		extendedMove.Price(
			game.Scene{Settings: standard},
			Work{Pool: pool, Difficulty: 6, Target: target, Rolls: rolls},
		),
	)
	if len(got.Values) != len(want) {
		t.Errorf("%d outcomes, want %d", len(got.Values), len(want))
	}
	for o, p := range want {
		if got.Of(o).Cmp(p) != 0 {
			t.Errorf("%v is %v, want %v", o, got.Of(o), p)
		}
	}
}

// MG-40: odds depend on the house rules.
func TestOddsFollowTheHouseRules(t *testing.T) {
	mary := form.Blank[Character]()
	mary.Attributes.Wits = 3
	mary.Retries = []Retry{{Attempt: "The lock", Penalty: 2}}
	odds := func(s Settings, a Roll) *big.Rat {
		scene := game.Scene{Actor: "mary", Settings: s, Cast: map[string]game.Member{"mary": {Sheet: mary}}}
		a.Attribute, a.Ability = "wits", "technology"
		failed := new(big.Rat)
		l := law(t, rollMove.Price(scene, a))
		for i, o := range l.Values {
			if !succeeds(o) {
				failed.Add(failed, l.Chance(i))
			}
		}
		return failed
	}
	with := func(change func(*Settings)) Settings {
		s := standard
		change(&s)
		return s
	}
	for what, c := range map[string]struct {
		settings Settings
		roll     Roll
		failed   string
	}{
		"no rule of one": {with(func(s *Settings) { s.RuleOfOne = false }), Roll{Difficulty: 6}, "1/8"},
		"no thresholds": {with(func(s *Settings) {
			s.Thresholds = false
		}), Roll{Difficulty: 8, Modifier: 5}, "39/50"},
		"no threshold rule": {with(func(s *Settings) {
			s.ThresholdRule = false
		}), Roll{Difficulty: 8, Modifier: 5}, "39/50"},
		"no harder retries": {with(func(s *Settings) {
			s.Retries, s.RuleOfOne = false, false
		}), Roll{Difficulty: 6, Try: Try{Attempt: "The lock"}}, "1/8"},
		"retries at their 8": {with(func(s *Settings) {
			s.RuleOfOne = false
		}), Roll{Difficulty: 6, Try: Try{Attempt: "The lock"}}, "343/1000"},
	} {
		if got := odds(c.settings, c.roll).RatString(); got != c.failed {
			t.Errorf("%s: no success in %s, want %s", what, got, c.failed)
		}
	}
}

// MG-13: the forecast of an action at the table, and the cases without one.
func TestForecastIsMadeForAnActionAtTheTable(t *testing.T) {
	e := form.Blank[Extended]()
	e.Target, e.Gathered, e.Limit, e.Used, e.Pool = 3, 2, 4, 2, 1
	// One die, two rolls: a success at once, or a failure and then a success.
	if got, large := forecast(e, standard); large || got.RatString() != "7/10" {
		t.Errorf("the forecast is %s, want 7/10", got)
	}
	for what, change := range map[string]func(*Extended){
		"no limit":  func(e *Extended) { e.Limit = 0 },
		"no dice":   func(e *Extended) { e.Pool = 0 },
		"is over":   func(e *Extended) { e.State = Done },
		"a contest": func(e *Extended) { e.First = "jago" },
		"too large": func(e *Extended) { e.Pool, e.Limit, e.Target = 90, 90, 900 },
		"no rolls":  func(e *Extended) { e.Used = 4 },
	} {
		other := e
		change(&other)
		if got, large := forecast(other, standard); got != nil || large != (what == "too large") {
			t.Errorf("%s: the forecast is %v, too large %v", what, got, large)
		}
	}
}

// Dice are marked by how they count. MG-05, MG-06, MG-21
func TestDiceAreMarkedByHowTheyCount(t *testing.T) {
	const d, c, n = game.Deciding, game.Cancelled, game.Mark("")
	for what, m := range map[string]struct {
		roll  Roll
		faces []int
		want  []game.Mark
	}{
		"successes":            {Roll{Difficulty: 6}, []int{6, 10, 5, 2}, []game.Mark{d, d, n, n}},
		"a 1 takes the lowest": {Roll{Difficulty: 6}, []int{9, 6, 1, 2}, []game.Mark{d, c, n, n}},
		"a threshold takes":    {Roll{Difficulty: 6, Threshold: 1}, []int{6, 9, 7}, []game.Mark{c, d, d}},
		"modifiers past 9":     {Roll{Difficulty: 9, Modifier: 1}, []int{9, 10}, []game.Mark{c, d}},
		"a difficulty of 10":   {Roll{Difficulty: 10}, []int{9, 10}, []game.Mark{n, d}},
		"a botch":              {Roll{Difficulty: 6}, []int{1, 5, 1}, []game.Mark{d, n, d}},
		"a failure by 1s":      {Roll{Difficulty: 6}, []int{7, 1, 1}, []game.Mark{c, n, n}},
	} {
		m.roll.ThresholdRule = true
		if diff := cmp.Diff(m.want, rollMove.Mark(m.roll,
			rule.Throw{For: "pool", Sides: 10, Faces: m.faces})); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	against := resistedMove.Mark(
		Resisted{Difficulty: form.NewNumber(8), AgainstDifficulty: form.NewNumber(4)},
		rule.Throw{For: "against", Sides: 10, Faces: []int{4, 3}},
	)
	if diff := cmp.Diff([]game.Mark{d, n}, against); diff != "" {
		t.Error(diff)
	}
	for what, m := range map[string]struct {
		rolled Rolled
		faces  []int
		want   []game.Mark
	}{
		"at a table": {Rolled{Difficulty: 8, Hits: 2, Ones: 1}, []int{7, 9, 8, 1}, []game.Mark{n, d, c, n}},
		"a threshold at one": {
			Rolled{Difficulty: 9, Threshold: 1, Hits: 3},
			[]int{8, 9, 10, 9},
			[]game.Mark{n, c, d, d},
		},
		"a botch by threshold": {
			Rolled{Difficulty: 6, Threshold: 1, Hits: 1, Ones: 1},
			[]int{7, 1, 2},
			[]game.Mark{c, d, n},
		},
		"1s that mean nothing": {Rolled{Difficulty: 6, Hits: 1}, []int{7, 1, 1}, []game.Mark{d, n, n}},
		"Willpower":            {Rolled{Difficulty: 6, Ones: 2, Willpower: true}, []int{2, 1, 1}, []game.Mark{n, n, n}},
	} {
		if diff := cmp.Diff(m.want, m.rolled.Marks(m.faces)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}
