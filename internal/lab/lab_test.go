package lab

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"norn/lang"
)

func TestEveryExampleHasOddsInEachLanguage(t *testing.T) {
	l := New()
	ids := map[string]bool{}
	for _, in := range lang.All {
		all := Examples(in)
		if len(all) != 10 {
			t.Errorf("%s: %d examples", in, len(all))
		}
		for _, e := range all {
			ids[e.ID] = true
			a := l.Respond(Request{Lang: in, Text: e.Text})
			if a.Problem != nil {
				t.Errorf("%s, %s: %+v", in, e.ID, *a.Problem)
				continue
			}
			sum := 0.0
			for _, row := range a.Sides[0].Rows {
				sum += row.P
			}
			if math.Abs(sum-1) > 1e-9 || len(a.Fields) == 0 || len(a.Sides[0].Rows) < 2 {
				t.Errorf("%s, %s: %d fields, %d rows of %f", in, e.ID, len(a.Fields), len(a.Sides[0].Rows), sum)
			}
			if in != lang.En && strings.Contains(a.Fields[0].Label+a.Moves[0].Label, "Roll") {
				t.Errorf("%s, %s is in English: %s", in, e.ID, a.Fields[0].Label)
			}
		}
	}
	if len(ids) != 10 {
		t.Errorf("ids: %v", ids)
	}
}

func TestExamplesHaveTheSameOddsInEachLanguage(t *testing.T) {
	l := New()
	english := Examples(lang.En)
	for _, in := range lang.All {
		for i, e := range Examples(in) {
			var settings []map[string]string
			for _, f := range l.Respond(Request{Lang: in, Text: e.Text}).Fields {
				for _, o := range f.Options {
					settings = append(settings, map[string]string{f.Name: o.Value})
				}
			}
			law := func(of Example) (all []string) {
				for _, side := range l.Respond(Request{Lang: in, Text: of.Text, Settings: settings}).Sides {
					for _, row := range side.Rows {
						all = append(all, row.ID+" "+row.Plain)
					}
				}
				return all
			}
			if got, want := law(e), law(english[i]); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, in English %v", in, e.ID, got, want)
			}
		}
	}
}

func TestExamplesHaveTheKnownOdds(t *testing.T) {
	l := New()
	texts := map[string]string{}
	for _, e := range Examples(lang.En) {
		texts[e.ID] = e.Text
	}
	for _, c := range []struct {
		example  string
		set      map[string]string
		outcome  string
		fraction string
	}{
		{"advantage", map[string]string{"bonus": "0", "how": "advantage", "target": "11"}, "hit", "3/4"},
		{"fate", map[string]string{"skill": "0"}, "0", "19/81"},
		{"pbta", map[string]string{"stat": "0"}, "strong", "1/6"},
		{"exploding", map[string]string{"sides": "6", "again": "1"}, "7", "1/36"},
		{"best", map[string]string{"dice": "4", "kept": "3"}, "18", "7/432"},
		{"opposed", map[string]string{"mine": "0", "theirs": "0"}, "tie", "1/20"},
		{"under", map[string]string{"skill": "60"}, "crit", "3/50"},
		{
			"damage",
			map[string]string{"attacks": "1", "bonus": "4", "armour": "15", "dice": "1", "extra": "0"},
			"0",
			"1/2",
		},
		{"unequal", map[string]string{"small": "1", "middle": "1", "large": "0", "kept": "1"}, "8", "1/8"},
		{"push", map[string]string{"dice": "1", "pushes": "off"}, "miss", "5/6"},
	} {
		a := l.Respond(Request{Lang: lang.En, Text: texts[c.example], Settings: []map[string]string{c.set}})
		if a.Problem != nil {
			t.Errorf("%s: %+v", c.example, *a.Problem)
			continue
		}
		got := ""
		for _, row := range a.Sides[0].Rows {
			if row.ID == c.outcome || row.ID == "total" && row.Label == c.outcome {
				got = row.Plain
			}
		}
		if got != c.fraction {
			t.Errorf("%s %v: %s has %s, want %s", c.example, c.set, c.outcome, got, c.fraction)
		}
	}
}

func TestAnswersReportMistakesInTheRule(t *testing.T) {
	l := New()
	for text, want := range map[string]string{
		"def f():\n    return 1 +\nmove(f, \"F\")":                                    "this line ends too early",
		"def f():\n    return 1\nmove(f, \"F\")":                                      "No move here has odds",
		"def f():\n    return roll(d6) // 0\nmove(f, \"F\")":                          "this divides by zero",
		"def f(n):\n    return roll(d6)\nmove(f, \"F\", n = number(\"Count\", 1, 3))": "",
	} {
		a := l.Respond(Request{Lang: "en", Text: text, Settings: []map[string]string{{"n": "2"}}})
		if got := a.Problem; (got != nil) != (want != "") || got != nil && !strings.Contains(got.Text, want) {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"def f():\n    return 1 / 2\nmove(f, \"F\")":    "дробей нет; делите через //",
		"def f():\n    return roll(-1)\nmove(f, \"F\")": "roll: бросить можно не больше 1000 кубиков",
	} {
		a := l.Respond(Request{Lang: "ru", Text: text})
		if a.Problem == nil || a.Problem.Line != 2 || !strings.Contains(a.Problem.Text, want) {
			t.Errorf("%q: %+v, want %q in line 2", text, a.Problem, want)
		}
	}
	a := l.Respond(Request{Lang: "ru", Text: Examples(lang.Ru)[0].Text, Settings: []map[string]string{{"bonus": "99"}}})
	if a.Problem == nil || a.Problem.Field != "bonus" || !strings.Contains(a.Problem.Text, "Бонус") {
		t.Errorf("a number out of range: %+v", a.Problem)
	}
}

// An outcome may have the same name as one of norn's own words.
func TestOutcomesAreNamedByTheRule(t *testing.T) {
	a := New().Respond(Request{
		Lang: "en",
		Text: "won = good(\"ahead {n}\", counts = True)\nlost = bad(\"behind\")\ndef f():\n" +
			"    n = roll(d6)\n    return won(n) if n > 5 else lost\nmove(f, \"F\")",
	})
	if a.Problem != nil || len(a.Sides[0].Rows) != 2 || a.Sides[0].Rows[0].Label != "ahead 6" ||
		a.Sides[0].Rows[1].Label != "behind" {
		t.Errorf("%+v", a)
	}
}

// Dice notation is a rule, and its mistakes are those of notation.
func TestDiceNotationIsARule(t *testing.T) {
	l := New()
	a := l.Respond(Request{Lang: "en", Text: "4d6kh3\n"})
	if a.Problem != nil || len(a.Sides) != 1 || len(a.Sides[0].Rows) != 16 || a.Sides[0].Rows[15].Plain != "7/432" ||
		a.Sides[0].Rows[15].Label != "18" || a.About != "four d6, the highest 3" {
		t.Errorf("%+v", a)
	}
	a = l.Respond(Request{Lang: "ru", Text: "к20+5 15+"})
	if a.Problem != nil || len(a.Sides[0].Heads) != 1 || math.Abs(a.Sides[0].Heads[0].P-0.55) > 1e-9 {
		t.Errorf("%+v", a)
	}
	for _, in := range lang.All {
		if a := l.Respond(Request{Lang: in, Text: "4d6kh"}); a.Problem == nil && len(a.Sides) == 0 {
			t.Errorf("%s: %+v", in, a)
		}
		a := l.Respond(Request{Lang: in, Text: "4d6kx3"})
		if a.Problem == nil || a.Problem.Line != 1 || !strings.Contains(a.Problem.Text, "4d6kx3") {
			t.Errorf("%s: %+v", in, a.Problem)
		}
	}
}

// Rules of any kind are compared, and the answer says how they differ. One with a mistake is left out.
func TestRulesOfSeveralKindsAreCompared(t *testing.T) {
	l, texts := New(), map[string]string{}
	for _, e := range Examples(lang.En) {
		texts[e.ID] = e.Text
	}
	a := l.Respond(Request{
		Lang: "en", Text: texts["advantage"], Settings: []map[string]string{{"bonus": "5", "how": "advantage"}},
		Others: []Rule{
			{Text: "d20+5 15+"},
			{Text: "def f(:"},
			{Text: texts["fate"], Set: map[string]string{"skill": "3"}},
			{Text: texts["advantage"], Move: "check", Set: map[string]string{"bonus": "5"}},
		},
	})
	names := make([]string, len(a.Sides))
	for i, side := range a.Sides {
		names[i] = side.Name
	}
	if want := []string{"d20+5 15+", "Roll · Skill 3", "Check · Roll: one die", "Check · Roll: advantage"}; a.Problem != nil ||
		!slices.Equal(names, want) {
		t.Fatalf("%q, want %q; %+v", names, want, a.Problem)
	}
	if got := strings.Join(a.Differences, "\n"); !strings.Contains(got, "percentage points higher than with d20+5 15+") {
		t.Errorf("differences: %s", got)
	}
	numbers := l.Respond(Request{Lang: "en", Text: "4d6kh3", Others: []Rule{{Text: "3d6"}}})
	if want := "4d6kh3: 1.74 more on average than 3d6"; !slices.Equal(numbers.Differences, []string{want}) {
		t.Errorf("%q, want %q", numbers.Differences, want)
	}
	for _, in := range lang.All {
		for _, e := range Examples(in) {
			if e.About == "" || strings.Contains(e.About, "def ") || in != lang.En && e.About == texts[e.ID] {
				t.Errorf("%s: %s says %q of itself", in, e.ID, e.About)
			}
		}
	}
}

// What a page of odds gives the script is compared with a rule in words.
func TestRuleIsComparedWithThePageOfAMove(t *testing.T) {
	l := New()
	page := l.Respond(Request{Lang: "en", Text: "d20+5 15+"})
	data, err := json.Marshal(page.Sides)
	if err != nil {
		t.Fatal(err)
	}
	var asked Request
	if err := json.Unmarshal([]byte(`{"lang":"en","text":"d20+9 15+","pages":`+string(data)+`}`), &asked); err != nil {
		t.Fatal(err)
	}
	a := l.Respond(asked)
	want := []string{"d20+9 15+: the chance to reach it is 20 percentage points higher than with d20+5 15+"}
	if len(a.Sides) != 2 || a.Sides[0].Name != "d20+5 15+" || !slices.Equal(a.Differences, want) {
		t.Errorf("%q, want %q", a.Differences, want)
	}
}
