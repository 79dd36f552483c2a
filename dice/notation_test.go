package dice_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/dice"
)

// Every reading has the canonical form it prints as.
var readings = []struct{ text, canonical string }{
	{"d20", "d20"},
	{"1d20", "d20"},
	{"3d6+2", "3d6+2"},
	{"2d6+1d8-3", "2d6+d8-3"},
	{"d%", "d100"},
	{"2d%", "2d100"},
	{"7", "7"},
	{"0", "0"},
	{"-3", "-3"},
	{"+3d6", "3d6"},
	{"-3d6+20", "-3d6+20"},
	{"3+2d6", "3+2d6"},
	{"007d010+00", "7d10+0"},
	{"1000d1000+1000000", "1000d1000+1000000"},

	{"4d6kh3", "4d6kh3"},
	{"4d6k3", "4d6kh3"},
	{"4d6kl1", "4d6kl1"},
	{"2d20kh", "2d20kh1"},
	{"2d20kl", "2d20kl1"},
	{"4d6dl1", "4d6kh3"},
	{"4d6dl", "4d6kh3"},
	{"4d6dh1", "4d6kl3"},
	{"4d6dh3", "4d6kl1"},
	{"4d6kh4", "4d6"},
	{"4d6kl4", "4d6"},
	{"4d6dl0", "4d6"},
	{"d6kh1", "d6"},

	{"7d10>=6", "7d10>=6"},
	{"7d10>6", "7d10>=7"},
	{"7d10>0", "7d10>=1"},
	{"7d10>=10", "7d10>=10"},
	{"7d10<=3", "7d10<=3"},
	{"7d10<3", "7d10<=2"},
	{"7d10<2", "7d10=1"},
	{"7d10<11", "7d10<=10"},
	{"7d10=10", "7d10=10"},
	{"7d10<=1", "7d10=1"},
	{"7d10≥6", "7d10>=6"},
	{"7d10≤6", "7d10<=6"},
	{"7d10>=6-3d10=1+2", "7d10>=6-3d10=1+2"},
	{"2+7d10>=6", "2+7d10>=6"},

	{"  3 D 6  +  2 ", "3d6+2"},
	{"4d6 KH 3", "4d6kh3"},
	{"7d10 >= 6", "7d10>=6"},
	{"3d6\u00a0+\u20092", "3d6+2"},
	{"3к6", "3d6"},
	{"3д6", "3d6"},
	{"К20", "d20"},
	{"Д%", "d100"},
	{"4к6kh3", "4d6kh3"},
	{"3d6−2", "3d6-2"},
	{"3d6–2", "3d6-2"},
	{"−3d6", "-3d6"},

	{"4dF", "4dF"},
	{"4df+2", "4dF+2"},
	{"4кФ", "4dF"},
	{"4dFkh3", "4dFkh3"},
	{"dF", "dF"},
	{"3d6!", "3d6!"},
	{"3d6 ! + 2", "3d6!+2"},
	{"7d10!>=8", "7d10!>=8"},
	{"adv", "2d20kh1"},
	{"ADV+5", "2d20kh1+5"},
	{"dis", "2d20kl1"},
	{"disadvantage - 1", "2d20kl1-1"},
	{"d20 adv", "2d20kh1"},
	{"d20adv+3", "2d20kh1+3"},
	{"d20dis", "2d20kl1"},
	{"d12 with advantage", "2d12kh1"},
	{"к20 с преимуществом +4", "2d20kh1+4"},
	{"помеха", "2d20kl1"},
	{"перевага + 1к4", "2d20kh1+d4"},
	{"з завадою", "2d20kl1"},
	{"2d6+1 at least 10", "2d6+1 10+"},
	{"2d6 at  least 10", "2d6 10+"},
	{"2d6+1, at least 10", "2d6+1 10+"},
	{"2к6 не меньше 7", "2d6 7+"},
	{"2к6 не менше 7", "2d6 7+"},
	{"2к6 щонайменше 7", "2d6 7+"},
	{"adv+5 15+", "2d20kh1+5 15+"},
	{"d20+5 15 or more", "d20+5 15+"},
	{"d20+5 15 или больше", "d20+5 15+"},
	{"d20+5 15 або більше", "d20+5 15+"},
	{"d20+5>=15", "d20+5 15+"},
	{"d20+5 ≥ 15", "d20+5 15+"},
	{"2d6 at most 6", "2d6 6-"},
	{"2d6 6−", "2d6 6-"},
	{"2d6 не больше 6", "2d6 6-"},
	{"7d10>=6 3+", "7d10>=6 3+"},
	{"7d10>=6 at least 3", "7d10>=6 3+"},
	{"7d10>=6>=3", "7d10>=6 3+"},
}

var refusals = []struct {
	text string
	want error
	says string
}{
	{"", &dice.SyntaxError{At: 0, Want: dice.WantTerm}, "character 1: want dice or a number, found the end"},
	{"  ", &dice.SyntaxError{At: 2, Want: dice.WantTerm}, ""},
	{"foo", &dice.SyntaxError{At: 0, Want: dice.WantTerm}, `character 1: want dice or a number, found "f"`},
	{"3d6+", &dice.SyntaxError{At: 4, Want: dice.WantTerm}, ""},
	{"3d6+-2", &dice.SyntaxError{At: 4, Want: dice.WantTerm}, ""},
	{"--2", &dice.SyntaxError{At: 1, Want: dice.WantTerm}, ""},
	{"3d", &dice.SyntaxError{At: 2, Want: dice.WantSides}, "character 3: want the number of sides, found the end"},
	{"3к ё", &dice.SyntaxError{At: 3, Want: dice.WantSides}, `character 4: want the number of sides, found "ё"`},
	{"d-6", &dice.SyntaxError{At: 1, Want: dice.WantSides}, ""},
	{"dd6", &dice.SyntaxError{At: 1, Want: dice.WantSides}, ""},
	{"3d6 2", &dice.SyntaxError{At: 4, Want: dice.WantSign}, `character 5: want + or -, found "2"`},
	{"3d6x2", &dice.SyntaxError{At: 3, Want: dice.WantSign}, ""},
	{"3d6*2", &dice.SyntaxError{At: 3, Want: dice.WantSign}, ""},
	{"2d6d8", &dice.SyntaxError{At: 4, Want: dice.WantHighLow}, `character 5: want h or l, found "8"`},
	{"4d6dl1dl1", &dice.SyntaxError{At: 6, Want: dice.WantSign}, ""},
	{"7d10>=6>=", &dice.SyntaxError{At: 9, Want: dice.WantNumber}, ""},
	{"3d6 at least", &dice.SyntaxError{At: 12, Want: dice.WantNumber}, ""},
	{"3d6 at least 10 +2", &dice.SyntaxError{At: 16, Want: dice.WantSign}, ""},
	{"3d6 15", &dice.SyntaxError{At: 4, Want: dice.WantSign}, ""},
	{"3d6 15+2", &dice.SyntaxError{At: 7, Want: dice.WantSign}, ""},
	{"3d6!kh1", &dice.SyntaxError{At: 4, Want: dice.WantSign}, ""},
	{"4dF!", &dice.SyntaxError{At: 3, Want: dice.WantSign}, ""},
	{"4dF=3", &dice.SyntaxError{At: 3, Want: dice.WantSign}, ""},
	{"4d20adv", &dice.SyntaxError{At: 4, Want: dice.WantSign}, ""},
	{"advance", &dice.SyntaxError{At: 0, Want: dice.WantTerm}, ""},
	{"d20 at least 1000001", &dice.RangeError{Field: "constant", Min: 0, Max: 1_000_000, Given: 1_000_001, At: 13}, ""},
	{"7d10> =6", &dice.SyntaxError{At: 6, Want: dice.WantNumber}, ""},
	{"7d10>=", &dice.SyntaxError{At: 6, Want: dice.WantNumber}, ""},
	{"1.5d6", &dice.SyntaxError{At: 1, Want: dice.WantSign}, ""},
	{"d٦", &dice.SyntaxError{At: 1, Want: dice.WantSides}, ""},
	{"3d6\xff", &dice.SyntaxError{At: 3, Want: dice.WantSign}, ""},

	{"0d6", &dice.RangeError{Field: "dice", Min: 1, Max: 1000, Given: 0, At: 0}, "dice must be 1…1000, not 0"},
	{"3+1001d6", &dice.RangeError{Field: "dice", Min: 1, Max: 1000, Given: 1001, At: 2}, ""},
	{"d0", &dice.RangeError{Field: "sides", Min: 2, Max: 1000, Given: 0, At: 1}, ""},
	{"3d1", &dice.RangeError{Field: "sides", Min: 2, Max: 1000, Given: 1, At: 2}, ""},
	{"3к1001", &dice.RangeError{Field: "sides", Min: 2, Max: 1000, Given: 1001, At: 2}, ""},
	{"d" + strings.Repeat("9", 50), &dice.RangeError{Field: "sides", Min: 2, Max: 1000, Given: math.MaxInt, At: 1}, ""},
	{"3d6+1000001", &dice.RangeError{Field: "constant", Min: 0, Max: 1_000_000, Given: 1_000_001, At: 4}, ""},
	{"4d6kh0", &dice.RangeError{Field: "keep", Min: 1, Max: 4, Given: 0, At: 5}, ""},
	{"4d6kl5", &dice.RangeError{Field: "keep", Min: 1, Max: 4, Given: 5, At: 5}, "keep must be 1…4, not 5"},
	{"4d6dl4", &dice.RangeError{Field: "drop", Min: 0, Max: 3, Given: 4, At: 5}, ""},
	{"d6dl", &dice.RangeError{Field: "drop", Min: 0, Max: 0, Given: 1, At: 4}, ""},
	{"7d10>=11", &dice.RangeError{Field: "face", Min: 1, Max: 10, Given: 11, At: 6}, ""},
	{"7d10>=0", &dice.RangeError{Field: "face", Min: 1, Max: 10, Given: 0, At: 6}, ""},
	{"7d10>10", &dice.RangeError{Field: "face", Min: 0, Max: 9, Given: 10, At: 5}, ""},
	{"7d10<=11", &dice.RangeError{Field: "face", Min: 1, Max: 10, Given: 11, At: 6}, ""},
	{"7d10<1", &dice.RangeError{Field: "face", Min: 2, Max: 11, Given: 1, At: 5}, ""},
	{"7d10=11", &dice.RangeError{Field: "face", Min: 1, Max: 10, Given: 11, At: 5}, ""},
	{strings.Repeat("+d6", 21), &dice.RangeError{Field: "terms", Min: 1, Max: 20, Given: 21, At: 60}, ""},

	{"7d10>=6+d6", &dice.MixError{At: 4}, "character 5: successes are not counted together with sums of dice"},
	{"d6+7d10>=6", &dice.MixError{At: 7}, ""},
	{"4d6kh3+7d10=6-2d10=1", &dice.MixError{At: 11}, ""},
	{"4d6kh3 >= 5", &dice.MixError{At: 7}, ""},
	{"4d6kh4>=5", &dice.MixError{At: 6}, ""},
}

func parse(t testing.TB, text string) dice.Expr {
	t.Helper()
	e, err := dice.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return e
}

func TestParseReadsAndPrints(t *testing.T) {
	for _, tt := range readings {
		if got := parse(t, tt.text).String(); got != tt.canonical {
			t.Errorf("%q prints %q, want %q", tt.text, got, tt.canonical)
		}
	}
	if got := parse(t, strings.Repeat("+d6", 20)); len(got.Terms()) != dice.MaxTerms {
		t.Errorf("%d terms", len(got.Terms()))
	}
}

func TestNotationIsParsedIntoTerms(t *testing.T) {
	pool := func(n, sides int) dice.Pool { return dice.Pool{N: n, Sides: sides, For: "dice"} }
	tests := []struct {
		text   string
		counts bool
		want   []dice.Term
	}{
		{"4d6kh3-2d8dh1+5", false, []dice.Term{
			{Sign: 1, Pool: pool(4, 6), Keep: dice.Keep{N: 3}},
			{Sign: -1, Pool: pool(2, 8), Keep: dice.Keep{N: 1, Lowest: true}},
			{Sign: 1, Constant: 5},
		}},
		{"-7d10>6+d10<3-d10=4", true, []dice.Term{
			{Sign: -1, Pool: pool(7, 10), Count: dice.AtLeast(7)},
			{Sign: 1, Pool: pool(1, 10), Count: dice.AtMost(2)},
			{Sign: -1, Pool: pool(1, 10), Count: dice.Exactly(4)},
		}},
	}
	for _, tt := range tests {
		e := parse(t, tt.text)
		terms := e.Terms()
		if diff := cmp.Diff(tt.want, terms); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.text, diff)
		}
		if e.Counts() != tt.counts {
			t.Errorf("%s: Counts is %v", tt.text, e.Counts())
		}
		terms[0].Sign = 0
		if e.Terms()[0].Sign == 0 {
			t.Errorf("%s: Terms gives its own slice away", tt.text)
		}
	}
}

func TestWrongNotationIsRefusedWithItsPlace(t *testing.T) {
	for _, tt := range refusals {
		want := tt.want
		if syntax, ok := want.(*dice.SyntaxError); ok {
			syntax.Text = tt.text
		}
		e, err := dice.Parse(tt.text)
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", tt.text, diff)
			continue
		}
		if len(e.Terms()) != 0 {
			t.Errorf("%q: refused, yet gives %s", tt.text, e)
		}
		if tt.says != "" && err.Error() != tt.says {
			t.Errorf("%q: says %q, want %q", tt.text, err, tt.says)
		}
	}
}

func TestExprAsText(t *testing.T) {
	var body struct{ Damage dice.Expr }
	if err := json.Unmarshal([]byte(`{"damage":"3к8 − 1"}`), &body); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(body)
	if err != nil || string(text) != `{"Damage":"3d8-1"}` {
		t.Errorf("%s, %v", text, err)
	}
	var syntax *dice.SyntaxError
	if err := json.Unmarshal([]byte(`{"damage":"3к"}`), &body); !errors.As(err, &syntax) {
		t.Errorf("%T: %v", err, err)
	}
	if body.Damage.String() != "3d8-1" {
		t.Errorf("a refused text changed the expression to %s", body.Damage)
	}
}

func TestTheZeroExpressionIsNought(t *testing.T) {
	var e dice.Expr
	result := e.Throw(&row{})
	if e.String() != "0" || result.Total != 0 || result.String() != "0 = 0" || e.Counts() {
		t.Errorf("%s, %s", e, result)
	}
}

func TestAThrowOfNotationSaysItsSum(t *testing.T) {
	tests := []struct {
		text  string
		faces row
		total int
		says  string
	}{
		{"3d6+2", row{1, 6, 3}, 12, "3d6 [1 6 3] + 2 = 12"},
		{"d20", row{17}, 17, "d20 [17] = 17"},
		{"2d6+d8-3", row{2, 2, 8}, 9, "2d6 [2 2] + d8 [8] - 3 = 9"},
		{"-2d6+3", row{2, 6}, -5, "-2d6 [2 6] + 3 = -5"},
		{"4d6kh3", row{6, 1, 5, 4}, 15, "4d6kh3 [6 (1) 5 4] = 15"},
		{"4d6kl1", row{6, 1, 5, 1}, 1, "4d6kl1 [(6) 1 (5) (1)] = 1"},
		{"3d6kh1", row{4, 4, 4}, 4, "3d6kh1 [4 (4) (4)] = 4"},
		{"4d6dl1-4d6dh1", row{6, 1, 5, 4, 6, 1, 5, 4}, 5, "4d6kh3 [6 (1) 5 4] - 4d6kl3 [(6) 1 5 4] = 5"},
		{"4d10>=6", row{6, 5, 10, 1}, 2, "4d10>=6 [6 (5) 10 (1)] = 2"},
		{"4d10<6", row{6, 5, 10, 1}, 2, "4d10<=5 [(6) 5 (10) 1] = 2"},
		{"2d10>=6-2d10=1+1", row{6, 7, 1, 2}, 2, "2d10>=6 [6 7] - 2d10=1 [1 (2)] + 1 = 2"},
		{"-4", nil, -4, "-4 = -4"},
	}
	for _, tt := range tests {
		result := parse(t, tt.text).Throw(&tt.faces)
		if result.Total != tt.total || result.String() != tt.says {
			t.Errorf("%s: total %d, %q; want %d, %q", tt.text, result.Total, result, tt.total, tt.says)
		}
		if len(tt.faces) > 0 {
			t.Errorf("%s: %d faces not thrown", tt.text, len(tt.faces))
		}
	}
}

func TestEarlierOfEqualFacesIsKept(t *testing.T) {
	term := parse(t, "60d6kl30").Terms()[0]
	kept := 0 // twenty 1s, and the first ten of twenty 2s
	for i, chosen := range term.Chosen(slices.Repeat([]int{3, 2, 1}, 20)) {
		face := 3 - i%3
		if want := face == 1 || face == 2 && i < 30; chosen != want {
			t.Errorf("die %d, a %d: chosen %v", i+1, face, chosen)
		}
		if chosen {
			kept++
		}
	}
	if kept != 30 {
		t.Errorf("%d dice kept", kept)
	}
}

func TestJudgeByHand(t *testing.T) {
	e := parse(t, "2d6+5+d8")
	h := dice.NewHand([]int{3, 4, 8})
	result, err := e.Judge(h.Take)
	if err != nil || result.Total != 20 || h.Done() != nil {
		t.Errorf("%v, %v, %v", result, err, h.Done())
	}
	result, err = e.Judge(dice.NewHand([]int{3, 4}).Take)
	want := &dice.TooFewError{Need: dice.Pool{N: 1, Sides: 8, For: "dice"}, Have: 0, At: 3}
	if diff := cmp.Diff(error(want), err); diff != "" || result.Terms != nil {
		t.Errorf("%v\n%s", result, diff)
	}
}

func TestBoundsAreTheLeastAndMostOfNotation(t *testing.T) {
	tests := []struct {
		text   string
		lo, hi int
	}{
		{"3d6+2", 5, 20},
		{"3d6-2d4-1", -6, 15},
		{"4d6kh3", 3, 18},
		{"4d6kl1", 1, 6},
		{"7d10>=6", 0, 7},
		{"7d10>=1", 7, 7},
		{"7d10>=6-3d10=1+2", -1, 9},
		{"-5", -5, -5},
	}
	for _, tt := range tests {
		if lo, hi := parse(t, tt.text).Bounds(); lo != tt.lo || hi != tt.hi {
			t.Errorf("%s: %d…%d, want %d…%d", tt.text, lo, hi, tt.lo, tt.hi)
		}
	}
}

// notation draws a text that Parse must read, in any of the ways it may be written.
var notation = rapid.Custom(func(t *rapid.T) string {
	space := rapid.SampledFrom([]string{"", "", "", " ", "\u00a0"})
	number := func(lo, hi int) string {
		n := rapid.OneOf(rapid.IntRange(lo, hi), rapid.IntRange(lo, min(hi, lo+5))).Draw(t, "number")
		return decimal(n)
	}
	counts := rapid.Bool().Draw(t, "counts")
	var parts []string
	add := func(part string) { parts = append(parts, part, space.Draw(t, "space")) }
	for i := range rapid.IntRange(1, dice.MaxTerms).Draw(t, "terms") {
		if i > 0 || rapid.Bool().Draw(t, "sign first") {
			add(rapid.SampledFrom([]string{"+", "-", "−", "–"}).Draw(t, "sign"))
		}
		if rapid.IntRange(0, 3).Draw(t, "constant") == 0 {
			add(number(0, dice.MaxConstant))
			continue
		}
		n := 1
		if rapid.Bool().Draw(t, "one die") {
			n = rapid.IntRange(1, dice.MaxDice).Draw(t, "dice")
			add(decimal(n))
		}
		add(rapid.SampledFrom([]string{"d", "D", "д", "Д", "к", "К"}).Draw(t, "d"))
		sides := rapid.IntRange(2, dice.MaxSides).Draw(t, "sides")
		if rapid.IntRange(0, 9).Draw(t, "percent") == 0 {
			sides = 100
			add("%")
		} else {
			add(decimal(sides))
		}
		switch {
		case counts:
			op := rapid.SampledFrom([]string{">=", ">", "<=", "<", "=", "≥", "≤"}).Draw(t, "comparison")
			add(op)
			switch op {
			case ">":
				add(number(0, sides-1))
			case "<":
				add(number(2, sides+1))
			default:
				add(number(1, sides))
			}
		case rapid.Bool().Draw(t, "keep"):
			add(rapid.SampledFrom([]string{"k", "kh", "kl", "KH"}).Draw(t, "which"))
			if rapid.Bool().Draw(t, "how many") {
				add(number(1, n))
			}
		case n > 1 && rapid.Bool().Draw(t, "drop"):
			add(rapid.SampledFrom([]string{"dh", "dl", "DL"}).Draw(t, "which"))
			if rapid.Bool().Draw(t, "how many") {
				add(number(0, n-1))
			}
		}
	}
	return strings.Join(parts, "")
})

func decimal(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestPrintedParsesEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := notation.Draw(t, "text")
		e, err := dice.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		roundTrip(t, e)
	})
}

func TestThrowKeepsItsPromises(t *testing.T) {
	s := dice.NewStream([32]byte{7})
	rapid.Check(t, func(t *rapid.T) {
		e, err := dice.Parse(notation.Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		result := e.Throw(s)
		if lo, hi := e.Bounds(); result.Total < lo || result.Total > hi {
			t.Fatalf("%s: %d is outside %d…%d", e, result.Total, lo, hi)
		}
		total := 0
		for i, term := range e.Terms() {
			thrown := result.Terms[i]
			total += thrown.Value
			if thrown.Term != term || len(thrown.Faces) != term.Pool.N || len(thrown.Chosen) != term.Pool.N {
				t.Fatalf("%s: threw %+v", term, thrown)
			}
			if want := valueByDefinition(term, thrown.Faces); thrown.Value != want {
				t.Fatalf("%s of %v is %d, want %d", term, thrown.Faces, thrown.Value, want)
			}
		}
		if total != result.Total {
			t.Fatalf("%s: the values make %d, the total is %d", e, total, result.Total)
		}
	})
}

// valueByDefinition sorts the faces and takes an end, unlike the code under test.
func valueByDefinition(term dice.Term, faces []int) int {
	if term.IsConstant() {
		return term.Sign * term.Constant
	}
	sorted := slices.Sorted(slices.Values(faces))
	switch {
	case term.Keep.N > 0 && term.Keep.Lowest:
		sorted = sorted[:term.Keep.N]
	case term.Keep.N > 0:
		sorted = sorted[len(sorted)-term.Keep.N:]
	}
	value := 0
	for _, face := range sorted {
		if term.Count == (dice.Faces{}) {
			value += face
		} else if face >= term.Count.Lo && face <= term.Count.Hi {
			value++
		}
	}
	return term.Sign * value
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func roundTrip(t fataler, e dice.Expr) {
	t.Helper()
	printed := e.String()
	again, err := dice.Parse(printed)
	if err != nil {
		t.Fatalf("printed as %q, which is refused: %v", printed, err)
	}
	if diff := cmp.Diff(e.Terms(), again.Terms()); diff != "" {
		t.Fatalf("printed as %q, which reads otherwise:\n%s", printed, diff)
	}
	if got := again.String(); got != printed {
		t.Fatalf("prints %q, then %q", printed, got)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range readings {
		f.Add(tt.text)
	}
	for _, tt := range refusals {
		f.Add(tt.text)
	}
	s := dice.NewStream([32]byte{9})
	f.Fuzz(func(t *testing.T, text string) {
		e, err := dice.Parse(text)
		if err != nil {
			checkError(t, text, err)
			return
		}
		roundTrip(t, e)
		result := e.Throw(s)
		if lo, hi := e.Bounds(); result.Total < lo || result.Total > hi {
			t.Fatalf("%s: %d is outside %d…%d", e, result.Total, lo, hi)
		}
	})
}

// checkError holds each refusal to what its type promises.
func checkError(t *testing.T, text string, err error) {
	t.Helper()
	var at int
	switch err := err.(type) {
	case *dice.SyntaxError:
		at = err.At
		if err.Text != text || (err.Found() == "") != (at == len([]rune(text))) {
			t.Fatalf("%+v", err)
		}
	case *dice.RangeError:
		at = err.At
		if err.Min > err.Max || err.Min <= err.Given && err.Given <= err.Max {
			t.Fatalf("%+v", err)
		}
	case *dice.MixError:
		at = err.At
		if !strings.ContainsRune("<>=≤≥", []rune(text)[at]) {
			t.Fatalf("%q is no comparison", []rune(text)[at])
		}
	default:
		t.Fatalf("error %T", err)
	}
	if at < 0 || at > len([]rune(text)) {
		t.Fatalf("error at %d of %q", at, text)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dice.Parse("4d6kh3+2d8-1"); err != nil {
			b.Fatal(err)
		}
	}
}
