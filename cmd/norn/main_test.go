package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"norn/bare"
	"norn/form"
	"norn/games"
	"norn/lang"
	"norn/lang/langtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"norn": main})
}

// home is norn with its games, for calls in this process.
var home = sync.OnceValue(func() wired {
	norn, err := wire(games.All())
	if err != nil {
		panic(err)
	}
	return norn
})

// Scripts call norn as people do and compare what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("LC_ALL", "C")
			e.Setenv("TERM", "xterm-256color")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each call takes a second longer under -race
			return nil
		},
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status, "played": played, "bare": bareStore},
	})
}

// status runs norn and compares its exit status: status 2 norn roll.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N norn ARGUMENTS")
	}
	var want string
	switch err := ts.Exec(args[1], args[2:]...); {
	case err == nil:
		want = "0"
	default:
		want = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if args[0] != want {
		ts.Fatalf("exit status %s, want %s", want, args[0])
	}
}

// called runs norn in this process.
func called(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = home().run(context.Background(), args, strings.NewReader(""), &out, &errs, []string{"LANG=en_GB.UTF-8"})
	return status, out.String(), errs.String()
}

// The fractions are exact: whatever the move and its flags, they sum to 1.
func TestOddsSumToOne(t *testing.T) {
	lines := [][]string{
		{"spire", "check", "--skill", "--domain", "--difficulty", "1"},
		{"spire", "check", "--helpers", "9", "--mastery", "--skill=fight"},
		{"dice", "4d6kh3"},
		{"dice", "100d6"},
		{"dice", "7d10>=6"},
		{"dice", "2d6+1d8-3"},
		{"dice", "1d4-1d4"},
		{"dice", "7"},
	}
	needed := map[string][]string{ // what a move can't be without
		"mage multi": {"--pools", "6,7,7"},
		"mage team":  {"--pools", "5,6"},
	}
	for _, g := range home().games {
		for _, m := range g.Moves {
			if m.Bare && m.Price != nil {
				lines = append(lines, append([]string{g.ID, m.ID}, needed[g.ID+" "+m.ID]...))
			}
		}
	}
	for _, line := range lines {
		status, out, errs := called(t, append(append([]string{"odds"}, line...), "--json")...)
		if status != 0 {
			t.Errorf("%v: status %d: %s", line, status, errs)
			continue
		}
		var answer struct {
			Game, Move string
			Args       map[string]any
			Rows       []struct {
				Outcome     string
				P           string
				Probability float64
			}
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatalf("%v: %v", line, err)
		}
		sum := new(big.Rat)
		for _, row := range answer.Rows {
			p, ok := new(big.Rat).SetString(row.P)
			if !ok || p.Sign() <= 0 || p.RatString() != row.P {
				t.Errorf("%v: %q is no reduced fraction above 0", line, row.P)
				continue
			}
			if f, _ := p.Float64(); f != row.Probability {
				t.Errorf("%v: %s isn't %v", line, row.P, row.Probability)
			}
			sum.Add(sum, p)
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%v: the fractions sum to %s", line, sum.RatString())
		}
	}
}

// What roll throws, roll judges again from the faces it told.
func TestRollAgainByHand(t *testing.T) {
	for _, line := range [][]string{
		{"spire", "check", "--skill", "--domain", "--mastery"},
		{"spire", "stress", "--die", "d8", "--critical"},
		{"spire", "fallout", "--total", "6"},
		{"dice", "3d6+2d8kh1-1"},
		{"dice", "7d10>=6"},
	} {
		type answer struct {
			Dice    []die
			Outcome string
			N       *int
			Text    string
		}
		read := func(args ...string) (a answer) {
			t.Helper()
			status, out, errs := called(t, append(append([]string{"roll"}, line...), append(args, "--json")...)...)
			if status != 0 {
				t.Fatalf("%v %v: status %d: %s", line, args, status, errs)
			}
			if err := json.Unmarshal([]byte(out), &a); err != nil {
				t.Fatal(err)
			}
			return a
		}
		thrown := read()
		var faces []string
		for _, d := range thrown.Dice {
			if d.Face < 1 || d.Face > d.Sides {
				t.Errorf("%v: %d on a die of %d sides", line, d.Face, d.Sides)
			}
			faces = append(faces, big.NewInt(int64(d.Face)).String())
		}
		judged := read("--dice", strings.Join(faces, ","))
		if judged.Outcome != thrown.Outcome || judged.Text != thrown.Text || (judged.N == nil) != (thrown.N == nil) ||
			judged.N != nil && *judged.N != *thrown.N {
			t.Errorf("%v: thrown %+v, judged by hand %+v", line, thrown, judged)
		}
	}
}

// No line of what people read is wider than their terminal, in any language.
func TestLinesFit(t *testing.T) {
	for _, l := range lang.All {
		for _, line := range []string{
			"", "roll --help", "roll dice --help", "odds spire check --help", "odds spire stress --help", "games", "rules spire", "completion --help",
			"odds spire check --skill --domain --mastery --helpers 9 --partial", "odds spire fallout --total 5",
			"odds dice 100d6", "odds dice 4d6kh3", "odds dice 2d6 --simulate 1000", "roll dice 100d100", "roll spire check --helpers 9 --skill",
		} {
			status, out, errs := called(t, append([]string{"--lang", string(l)}, strings.Fields(line)...)...)
			if status != 0 {
				t.Errorf("%s: norn %s: status %d: %s", l, line, status, errs)
			}
			for text := range strings.Lines(out) {
				text = strings.TrimSuffix(text, "\n")
				if n := len([]rune(text)); n > usualWidth && !strings.Contains(text, "norn completion") {
					t.Errorf("%s: norn %s: %d columns: %s", l, line, n, text)
				}
				if strings.ContainsAny(text, "⟨⟩") {
					t.Errorf("%s: norn %s: a word is missing: %s", l, line, text)
				}
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  []string
		want lang.Lang
	}{
		{nil, nil, lang.En},
		{nil, []string{"LANG=uk_UA.UTF-8"}, lang.Uk},
		{nil, []string{"LANG=uk_UA.UTF-8", "LC_ALL=ru_RU.UTF-8"}, lang.Ru},
		{nil, []string{"LANG=uk_UA.UTF-8", "LC_MESSAGES=C"}, lang.En},
		{[]string{"--lang", "ru", "games"}, []string{"LANG=uk_UA"}, lang.Ru},
		{[]string{"games", "--lang=uk"}, nil, lang.Uk},
		{[]string{"games", "--lang=fr"}, []string{"LANG=ru_RU"}, lang.Ru},
		{[]string{"--", "--lang=uk"}, nil, lang.En},
		{[]string{"games", "--lang"}, nil, lang.En},
	} {
		if got := language(c.args, getenv(c.env)); got != c.want {
			t.Errorf("language(%v, %v) = %s, want %s", c.args, c.env, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"chekc", "check"}, {"chek", "check"}, {"fall", "fallout"}, {"strss", "stress"}, {"zzz", ""}, {"x", ""}, {"", ""},
	} {
		if got := nearest(c.typed, []string{"check", "stress", "fallout"}); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestGrouped(t *testing.T) {
	_, out, _ := called(t, "odds", "dice", "100d6")
	if n := strings.Count(out, "\n"); n > mostBars+8 {
		t.Errorf("the chart of 100d6 takes %d lines", n)
	}
	for _, c := range []struct{ n, step, want int }{{9, 10, 0}, {10, 10, 0}, {11, 10, 1}, {0, 10, -1}, {-9, 10, -1}, {-10, 10, -2}, {3, 1, 2}, {-3, 1, -4}} {
		if got := floor(c.n, c.step); got != c.want {
			t.Errorf("floor(%d, %d) = %d, want %d", c.n, c.step, got, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		part float64
		want string
	}{{0, ""}, {0.0001, "▏"}, {0.125, "▌"}, {0.5, "██"}, {1, "████"}} {
		if got := blocks(c.part, 4); got != c.want {
			t.Errorf("blocks(%v) = %q, want %q", c.part, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	words, err := lang.Load(Words, form.Words, bare.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots:    []string{"."},
		Prefixes: []string{"lang.", "form.", "bare.", "dice.", "norn.fault.", "norn.verify."},
		Same:     []string{"bare.", "dice.outcome.total"},
	})
}
