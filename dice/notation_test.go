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

// readings are texts with their canonical forms.
var readings = []struct{ text, canonical string }{
	{"d20", "d20"},
	{"1d20", "d20"},
	{"3d6+2", "3d6+2"},
	{"2d6+1d8-3", "2d6+d8-3"},
	{"d%", "d100"},
	{"2d%", "2d100"},
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
	{"7d10>=10", "7d10>=10"},
	{"7d10<=3", "7d10<=3"},
	{"7d10<3", "7d10<=2"},
	{"7d10<2", "7d10=1"},
	{"7d10=10", "7d10=10"},
	{"7d10<=1", "7d10=1"},
	{"7d10≥6", "7d10>=6"},
	{"7d10≤6", "7d10<=6"},
	{"7d10>=6-3d10=1+2", "7d10>=6-3d10=1+2"},

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
	{"7d10>=8!", "7d10>=8!"},
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

	{"1d20+5 sneak attack", "d20+5 # sneak attack"},
	{"2d6 на урон", "2d6 # на урон"},
	{"(attack) 1d20", "d20 # attack"},
	{"Fire bolt: 2d10", "2d10 # Fire bolt"},
	{"1d20 # x", "d20 # x"},
	{"d20 – attack", "d20 # attack"},
	{"d20 attack vs 15", "d20 15+ # attack"},
	{"2d6[fire]+d8[cold]", "2d6+d8 # fire, cold"},
	{"d20 # hit; d6 # harm", "d20 # hit; d6 # harm"},
	{"d{0, 1, 1, 2}", "d{0,1,1,2}"},
	{"2d{-1..1}", "2d{-1,0,1}"},
	{"3d{sword, sword, shield, -} = sword", "3d{sword,sword,shield,-}=sword"},
	{"dF.1", "d{-1,0,0,0,0,1}"},
	{"d1", "d1"},
	{"d13", "d13"},
	{"1d4d6", "(d4)d6"},
	{"(d4+1)d6", "(d4+1)d6"},
	{"(2d6+1)×2", "(2d6+1)*2"},
	{"2d6 ÷ 2", "2d6/2"},
	{"ceil(2d6/2)", "ceil(2d6/2)"},
	{"3-(2-d4)", "3-(2-d4)"},
	{"3d6+-2", "3d6+(-2)"},
	{"max(d20, 2d8)", "{d20, 2d8}kh1"},
	{"lowest(d6, d8)+1", "{d6, d8}kl1+1"},
	{"{4d6, 2d8}kh1", "{4d6, 2d8}kh1"},
	{"d20+5 > d20+3", "d20+5 > d20+3"},
	{"d20+5 против d20+3", "d20+5 vs d20+3"},
	{"3d20km1", "3d20km1"},
	{"3d20 middle", "3d20km1"},
	{"3d20kh2kl1", "3d20km1"},
	{"5d6kh4kl2", "5d6kh4kl2"},
	{"4d6d1", "4d6kh3"},
	{"4d6 drop lowest", "4d6kh3"},
	{"4d6 keep highest 3", "4d6kh3"},
	{"4d6r1", "4d6r1"},
	{"4d6ro<3", "4d6ro<=2"},
	{"4d6!>4", "4d6!>=5"},
	{"4d6!3", "4d6!=3"},
	{"4d6!!", "4d6!!"},
	{"4d6!p", "4d6!p"},
	{"10d10!!kh5", "10d10kh5!!"},
	{"5d10>=6f1", "5d10>=6f1"},
	{"5d10>=8!f<3", "5d10>=8f<=2!"},
	{"4d6kh3cs>=5", "4d6kh3cs>=5"},
	{"3d6={1, 3..5}", "3d6={1,3..5}"},
	{"3d6<>3", "3d6<>3"},
	{"10d10 largest set", "10d10 set"},
	{"5к6 стрит", "5d6 straight"},
	{"3d6sd", "3d6 sd"},
	{"2d6: miss 6-, weak 7-9, strong 10+", "2d6: miss 6-, weak 7-9, strong 10+"},
	{"2d6 10+ strong, 7–9 weak, 6- miss", "2d6: strong 10+, weak 7-9, miss 6-"},
	{"6x4d6kh3", "6x4d6kh3"},
	{"6х 4к6", "6x4d6"},
	{"2d6; d8+1", "2d6; d8+1"},
	{"(2d6)>=7", "2d6 7+"},
	{"d20+5>15", "d20+5 16+"},
	{"d20 vs 15", "d20 15+"},
	{"d20-10 >= -5", "d20-10 >=-5"},
	{"2d6+0 = 7", "2d6+0 =7"},
	{"d20+5 adv", "2d20kh1+5"},
	{"adv d20+5", "2d20kh1+5"},
	{"d8+d20+2 помеха", "d8+2d20kl1+2"},
	{"+5 adv", "2d20kh1+5"},
	{"２d６＋1", "2d6+1"},
	{"2d6\u200b+1", "2d6+1"},
	{"2d6.", "2d6"},
}

var refusals = []struct {
	text string
	want error
}{
	{"", &dice.SyntaxError{At: 0, Want: dice.WantTerm, Of: dice.OfSum}},
	{"  ", &dice.SyntaxError{At: 2, Want: dice.WantTerm, Of: dice.OfSum}},
	{"foo", &dice.MeantError{Reason: dice.NoDice, Of: dice.OfDice, Given: "foo"}},
	{"3d6+", &dice.SyntaxError{At: 4, Want: dice.WantTerm, Of: dice.OfSum}},
	{"3d", &dice.SyntaxError{At: 2, Want: dice.WantSides, Of: dice.OfDice}},
	{"3к ё", &dice.SyntaxError{At: 3, Want: dice.WantSides, Of: dice.OfDice}},
	{"d-6", &dice.MeantError{Reason: dice.NoDice, Of: dice.OfDice, Given: "d-6"}},
	{"3d6 2", &dice.SyntaxError{At: 4, Want: dice.WantSign, Of: dice.OfSum}},
	{"7d10>=6>=", &dice.SyntaxError{At: 9, Want: dice.WantTerm, Of: dice.OfSum}},
	{"3d6 at least", &dice.SyntaxError{At: 12, Want: dice.WantNumber, Of: dice.OfGoal}},
	{"3d6 15", &dice.SyntaxError{At: 4, Want: dice.WantSign, Of: dice.OfSum}},
	{"3d6 15+2", &dice.SyntaxError{At: 4, Want: dice.WantSign, Of: dice.OfSum}},
	{"(3d6", &dice.SyntaxError{At: 4, Want: dice.WantClose, Of: dice.OfParens}},
	{"{3d6, d8", &dice.SyntaxError{At: 8, Want: dice.WantClose, Of: dice.OfGroup}},
	{"d{1, 2", &dice.SyntaxError{At: 6, Want: dice.WantSeparator, Of: dice.OfFaces}},
	{"1.5d6", &dice.SyntaxError{At: 1, Want: dice.WantSign, Of: dice.OfSum}},
	{"d20 + bonus", &dice.SyntaxError{At: 6, Want: dice.WantTerm, Of: dice.OfSum}},
	{"2d6kx", &dice.SyntaxError{At: 3, Want: dice.WantSign, Of: dice.OfSum}},

	{"0d6", &dice.RangeError{Field: "dice", Min: 1, Max: 1000, Given: 0, At: 0}},
	{"3+1001d6", &dice.RangeError{Field: "dice", Min: 1, Max: 1000, Given: 1001, At: 2}},
	{"d0", &dice.RangeError{Field: "sides", Min: 1, Max: 1000, Given: 0, At: 1}},
	{"3к1001", &dice.RangeError{Field: "sides", Min: 1, Max: 1000, Given: 1001, At: 2}},
	{"d" + strings.Repeat("9", 50), &dice.RangeError{Field: "sides", Min: 1, Max: 1000, Given: math.MaxInt, At: 1}},
	{"3d6+1000001", &dice.RangeError{Field: "constant", Min: 0, Max: 1_000_000, Given: 1_000_001, At: 4}},
	{"d20 at least 1000001", &dice.RangeError{
		Field: "constant", Min: -1_000_000, Max: 1_000_000, Given: 1_000_001,
		At: 13,
	}},
	{"4d6kh0", &dice.RangeError{Field: "keep", Min: 1, Max: 4, Given: 0, At: 5}},
	{"4d6kl5", &dice.RangeError{Field: "keep", Min: 1, Max: 4, Given: 5, At: 5}},
	{"4d6dl4", &dice.RangeError{Field: "drop", Min: 0, Max: 3, Given: 4, At: 5}},
	{strings.Repeat("+d6", 21), &dice.RangeError{Field: "terms", Min: 1, Max: 20, Given: 21, At: 61}},
	{"51xd6", &dice.RangeError{Field: "times", Min: 1, Max: 50, Given: 51, At: 0}},
	{"50x1000d6", &dice.RangeError{Field: "dice", Min: 1, Max: 22_000, Given: 50_000}},
	{"1000d2d1000", &dice.RangeError{Field: "dice", Min: 0, Max: 1000, Given: 2000, At: 0}},
	{"1000d1000*1000d1000", &dice.RangeError{
		Field: "total", Min: -1_000_000_000, Max: 1_000_000_000,
		Given: math.MaxInt32,
	}},
	{strings.Repeat("(", 20) + "d6", &dice.RangeError{Field: "depth", Min: 0, Max: 9, Given: 10, At: 10}},
	{"d6 " + strings.Repeat("a", 500), &dice.RangeError{Field: "length", Min: 1, Max: 500, Given: 503}},

	{"7", &dice.MeantError{Reason: dice.NoDice, Of: dice.OfDice, Given: "7"}},
	{"2d6>=7", &dice.MeantError{Reason: dice.NoFace, Of: dice.OfCompare, At: 3, Given: ">=7", Try: []string{"2d6 7+"}}},
	{"4dF>=2", &dice.MeantError{Reason: dice.NoFace, Of: dice.OfCompare, At: 3, Given: ">=2", Try: []string{"4dF 2+"}}},
	{"7d10>=1", &dice.MeantError{
		Reason: dice.AllFaces, Of: dice.OfCompare, At: 4, Given: ">=1",
		Try: []string{"7d10 1+"},
	}},
	{"4d6kh3 >= 5", &dice.MeantError{
		Reason: dice.Either, Of: dice.OfCompare, At: 7, Given: ">= 5",
		Try: []string{"4d6kh3cs>=5", "4d6kh3 5+"},
	}},
	{"4d6kh3 >= 12", &dice.MeantError{
		Reason: dice.NoFace, Of: dice.OfCompare, At: 7, Given: ">= 12",
		Try: []string{"4d6kh3 12+"},
	}},
	{"2+7d10>=6", &dice.MeantError{
		Reason: dice.Either, Of: dice.OfCompare, Given: "2+7d10>=6",
		Try: []string{"7d10>=6+2", "2+7d10 6+"},
	}},
	{"d6+7d10>=6", &dice.MeantError{
		Reason: dice.Unlike, Of: dice.OfCompare, Given: "d6+7d10>=6",
		Try: []string{"d6+7d10 6+", "d6>=6+7d10>=6"},
	}},
	{"7d10>=6+d6", &dice.MeantError{
		Reason: dice.Unlike, Of: dice.OfCompare, Given: "7d10>=6+d6",
		Try: []string{"7d10+d6 6+", "7d10>=6+d6>=6"},
	}},
	{"4d20adv", &dice.MeantError{Reason: dice.OneDie, Of: dice.OfEdge, At: 4, Given: "adv", Try: []string{"4d20kh1"}}},
	{"d6/(d2-1)", &dice.MeantError{Reason: dice.ByZero, Of: dice.OfDivide, At: 2, Given: "/(d2-1)"}},
	{"3d20km2", &dice.MeantError{Reason: dice.Uneven, Of: dice.OfKeep, At: 4, Given: "km2"}},
	{"3d{a,b}", &dice.MeantError{Reason: dice.Symbols, Of: dice.OfFaces, Given: "3d{a,b}", Try: []string{"3d{a,b}=a"}}},
	{"2d6: a 6-, b 6+", &dice.MeantError{Reason: dice.Overlap, Of: dice.OfBands, At: 11, Given: "b 6+"}},
	{"3d6r1r2", &dice.MeantError{Reason: dice.Twice, Of: dice.OfReroll, At: 5, Given: "r"}},
	{"3d6 10+, 12-", &dice.MeantError{Reason: dice.Twice, Of: dice.OfGoal, At: 7, Given: ", 12-"}},
	{"3d6x2", &dice.MeantError{
		Reason: dice.Repeated, Of: dice.OfTimes, At: 3, Given: "x2",
		Try: []string{"2x3d6", "3d6*2"},
	}},
	{"d20 15+; d8", &dice.MeantError{
		Reason: dice.Different, Of: dice.OfTimes, Given: "d20 15+; d8",
		Try: []string{"d20 15+", "d8"},
	}},
	{"d6!>=1", &dice.MeantError{Reason: dice.AllFaces, Of: dice.OfExplode, At: 2, Given: "!>=1"}},
	{"d6={5..3}", &dice.RangeError{Field: "face", Min: 5, Max: 1_000_000, Given: 3, At: 3}},
	{"d6r<=6", &dice.MeantError{Reason: dice.AllFaces, Of: dice.OfReroll, At: 2, Given: "r<=6"}},
}

func parse(t testing.TB, text string) dice.Expr {
	t.Helper()
	e, err := dice.ParseAs(text, "norn-2")
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return e
}

func TestParsedNotationPrintsInCanonicalForm(t *testing.T) {
	for _, tt := range readings {
		if got := parse(t, tt.text).String(); got != tt.canonical {
			t.Errorf("%q prints %q, want %q", tt.text, got, tt.canonical)
		}
	}
	parse(t, strings.Repeat("+d6", dice.MaxTerms))
}

func TestWrongNotationIsRefusedWithItsPlace(t *testing.T) {
	for _, tt := range refusals {
		want := tt.want
		if syntax, ok := want.(*dice.SyntaxError); ok {
			syntax.Text = tt.text
		}
		e, err := dice.ParseAs(tt.text, "norn-2")
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", tt.text, diff)
			continue
		}
		if e.HasDice() {
			t.Errorf("%q: refused, yet gives %s", tt.text, e)
		}
		if meant, ok := err.(*dice.MeantError); ok {
			for _, try := range meant.Try {
				parse(t, try)
			}
		}
	}
}

func TestExprIsReadFromJSONAndWrittenCanonically(t *testing.T) {
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

func TestZeroExprIsZero(t *testing.T) {
	var e dice.Expr
	result := e.Throw(&row{})
	if e.String() != "0" || result.Total() != 0 || result.String() != "0 = 0" || e.Counts() {
		t.Errorf("%s, %s", e, result)
	}
}

func TestThrownNotationPrintsFacesAndTotal(t *testing.T) {
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
		{"4dF", row{1, 2, 3, 3}, 1, "4dF [− 0 + +] = 1"},
		{"d{a,b}", row{2}, 2, "d{a,b} [b] = b"},
		{"1d4d6", row{2, 6, 3}, 9, "(d4 [2])d6 [6 3] = 9"},
		{"(2d6+1)*2", row{3, 4}, 16, "(2d6 [3 4] + 1) × 2 = 16"},
		{"ceil(d6/2)", row{3}, 2, "ceil(d6 [3] ÷ 2) = 2"},
		{"max(d20, 2d8)", row{7, 5, 6}, 11, "{d20 [7], 2d8 [5 6]}kh1 [(7) 11] = 11"},
		{"2d6r1", row{1, 4, 3}, 7, "2d6r1 [1→3 4] = 7"},
		{"2d6!", row{6, 4, 3}, 13, "2d6! [6! 4 3] = 13"},
		{"2d6!!", row{6, 4, 3}, 13, "2d6!! [6!+3 4] = 13"},
		{"2d6!p", row{6, 4, 3}, 12, "2d6!p [6! 4 3−1] = 12"},
		{"3d10>=6f1", row{7, 1, 3}, 0, "3d10>=6f1 [7 1 (3)] = 0"},
		{"4d6 set", row{2, 5, 2, 1}, 2, "4d6 set [2 5 2 1] = 2"},
		{"3d6sa", row{5, 1, 3}, 9, "3d6 sa [1 3 5] = 9"},
		{"d20+1 vs d20", row{5, 9}, 6, "d20 [5] + 1 = 6 vs d20 [9] = 9"},
		{"2d6: low 6-, high 7+", row{3, 6}, 9, "2d6 [3 6] = 9: high"},
		{"2xd6 4+", row{5, 2}, 7, "d6 [5] = 5 ✓ 4+; d6 [2] = 2 ✗ 4+"},
	}
	for _, tt := range tests {
		result := parse(t, tt.text).Throw(&tt.faces)
		if result.Total() != tt.total || result.String() != tt.says {
			t.Errorf("%s: total %d, %q; want %d, %q", tt.text, result.Total(), result, tt.total, tt.says)
		}
		if len(tt.faces) > 0 {
			t.Errorf("%s: %d faces not thrown", tt.text, len(tt.faces))
		}
	}
}

func TestEarlierOfEqualFacesIsKept(t *testing.T) {
	e := parse(t, "60d6kl30") // twenty 1s, and the first ten of twenty 2s
	chosen, _ := e.Choice(dice.Pool{N: 60, Sides: 6, For: dice.PlainDice}, slices.Repeat([]int{3, 2, 1}, 20))
	kept := 0
	for i, chosen := range chosen {
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

func TestJudgeTakesTypedFaces(t *testing.T) {
	e := parse(t, "2d6+5+d8")
	h := dice.NewHand([]int{3, 4, 8})
	result, err := e.Judge(h.Take)
	if err != nil || result.Total() != 20 || h.CheckEmpty() != nil {
		t.Errorf("%v, %v, %v", result, err, h.CheckEmpty())
	}
	result, err = e.Judge(dice.NewHand([]int{3, 4}).Take)
	want := &dice.TooFewError{Need: dice.Pool{N: 1, Sides: 8, For: "dice"}, Have: 0, At: 3}
	if diff := cmp.Diff(error(want), err); diff != "" || result.Rolls != nil {
		t.Errorf("%v\n%s", result, diff)
	}
}

func TestRangeGivesLowestAndHighestTotal(t *testing.T) {
	tests := []struct {
		text   string
		lo, hi int
	}{
		{"3d6+2", 5, 20},
		{"3d6-2d4-1", -6, 15},
		{"4d6kh3", 3, 18},
		{"4d6kl1", 1, 6},
		{"7d10>=6", 0, 7},
		{"7d10>=6-3d10=1+2", -1, 9},
		{"5d6!!=6>=7", 0, 5},
		{"d6!kh3", 1, 18},
		{"d6!dl1", 0, 60},
		{"3d6!dl1", 2, 192},
	}
	for _, tt := range tests {
		if lo, hi := parse(t, tt.text).Range(); lo != tt.lo || hi != tt.hi {
			t.Errorf("%s: %d…%d, want %d…%d", tt.text, lo, hi, tt.lo, tt.hi)
		}
	}
}

// Nothing explodes or is rerolled by a face that no die has, so norn writes it without.
func TestFacesThatDiceLackChangeNothing(t *testing.T) {
	for text, want := range map[string]string{"5d6!!>=7": "5d6", "d6!p7": "d6", "d6r0": "d6", "d6ro0": "d6"} {
		e, err := dice.ParseAs(text, "roll20-3")
		if err != nil || e.String() != want {
			t.Errorf("%s: %s, %v", text, e, err)
		}
	}
}

// A suggestion can be written as it is, and a comparison that no goal expresses has none.
func TestRefusalsSuggestOnlyWhatIsAccepted(t *testing.T) {
	for text, want := range map[string][]string{
		"2d6<>8": nil, "2d6=7": {"(2d6) =7"}, "7d1=1": {"(7d1) =1"}, "4d6kh3<>3": {"4d6kh3cs<>3"},
	} {
		_, err := dice.ParseAs(text, dice.Second)
		meant, ok := errors.AsType[*dice.MeantError](err)
		if !ok || !slices.Equal(meant.Try, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// notation draws a text that Parse must accept, in any of its spellings.
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

func TestPrintedNotationParsesEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := notation.Draw(t, "text")
		e, err := dice.ParseRecorded(text, "")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		roundTrip(t, e, "")
	})
}

func TestThrownTotalIsWithinTheRange(t *testing.T) {
	s := dice.NewStream([32]byte{7})
	rapid.Check(t, func(t *rapid.T) {
		e, err := dice.ParseRecorded(notation.Draw(t, "text"), "")
		if err != nil {
			t.Fatal(err)
		}
		inRange(t, e, e.Throw(s))
	})
}

func inRange(t fataler, e dice.Expr, result dice.Result) {
	t.Helper()
	if lo, hi := e.Range(); result.Total() < lo || result.Total() > hi {
		t.Fatalf("%s: %d is outside %d…%d", e, result.Total(), lo, hi)
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func roundTrip(t fataler, e dice.Expr, as string) {
	t.Helper()
	printed := e.String()
	again, err := dice.ParseRecorded(printed, as)
	if err != nil {
		t.Fatalf("printed as %q, which is refused: %v", printed, err)
	}
	seed := [32]byte{3}
	if one, other := e.Throw(dice.NewStream(seed)), again.Throw(dice.NewStream(seed)); one.Text != other.Text {
		t.Fatalf("printed as %q, which throws %s in place of %s", printed, other, one)
	}
	if got := again.String(); got != printed {
		t.Fatalf("prints %q, then %q", printed, got)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range slices.Concat(readings, third) {
		f.Add(tt.text)
	}
	for _, tt := range refusals {
		f.Add(tt.text)
	}
	s := dice.NewStream([32]byte{9})
	f.Fuzz(func(t *testing.T, text string) {
		for _, as := range []string{"", dice.Newest, "roll20-3"} {
			e, err := dice.ParseAs(text, as)
			if err != nil {
				checkError(t, text, as, err)
				continue
			}
			if !readsOtherwise(e, as) {
				roundTrip(t, e, strings.Replace(as, "roll20-3", dice.Newest, 1))
			}
			inRange(t, e, e.Throw(s))
		}
	})
}

// readsOtherwise reports whether norn may print an expression in a form that it reads otherwise. Nothing
// reads it again, because logs hold the typed text.
func readsOtherwise(e dice.Expr, as string) bool {
	again, err := dice.ParseRecorded(e.String(), dice.Newest)
	_, exceeds := errors.AsType[*dice.RangeError](err) // with its parentheses, or ">1000000" as "1000001+"
	switch {
	case as == "" || exceeds: // older editions keep what they print
		return true
	case as == dice.Newest || err != nil:
		return false
	}
	return again.Rolls()[0].Goal.Given && !e.Rolls()[0].Goal.Given // Roll20's count at the end of a sum
}

// checkError checks that an error holds what its type promises.
func checkError(t *testing.T, text, as string, err error) {
	t.Helper()
	var at int
	switch err := err.(type) {
	case *dice.SyntaxError:
		at = err.At
		if err.Text != text || (err.Unexpected() == "") != (at == len([]rune(text))) {
			t.Fatalf("%+v", err)
		}
	case *dice.RangeError:
		at = err.At
		if err.Min > err.Max || err.Min <= err.Given && err.Given <= err.Max {
			t.Fatalf("%+v", err)
		}
	case *dice.MeantError:
		at = err.At
		for _, try := range err.Try {
			if _, err := dice.ParseAs(try, strings.Replace(as, "roll20-3", dice.Newest, 1)); err != nil {
				t.Fatalf("%q: %q is refused: %v", text, try, err)
			}
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
