package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/games"
	"norn/internal/bare"
	"norn/lang"
	"norn/lang/langtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"norn": main})
}

// home is norn with its games, for calls in this process.
var home = sync.OnceValue(func() cli.Wired {
	norn, err := cli.Wire(games.All())
	if err != nil {
		panic(err)
	}
	return norn
})

type commands = map[string]func(*testscript.TestScript, bool, []string)

// Scripts call norn as users do, each time as a process of its own, and compare its output.
func TestNornPrintsWhatScriptsExpect(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	scripts(t, "testdata", commands{"status": status, "played": played, "bare": bareStore, "table": onlyTable})
}

// Scripts that need no folder, input or terminal call norn in this process, which is a hundred
// times as fast.
func TestNornPrintsWhatScriptsExpectInThisProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	scripts(t, "testdata/within", commands{"status": statusWithin, "call": callWithin})
}

func scripts(t *testing.T, dir string, known commands) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LC_ALL", "C")
			e.Setenv("TERM", "xterm-256color")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each call takes a second longer under -race
			return nil
		},
		RequireExplicitExec: true,
		Cmds:                known,
	})
}

// callWithin runs norn in this process: call norn roll.
func callWithin(ts *testscript.TestScript, neg bool, args []string) {
	if got := within(ts, args); neg == (got == cli.Done) {
		ts.Fatalf("exit status %d", got)
	}
}

// statusWithin runs norn in this process and compares its exit status.
func statusWithin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N norn ARGUMENTS")
	}
	if got := within(ts, args[1:]); args[0] != strconv.Itoa(got) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

func within(ts *testscript.TestScript, args []string) int {
	if len(args) == 0 || args[0] != "norn" {
		ts.Fatalf("only norn is called in this process")
	}
	var env []string
	for _, name := range []string{"HOME", "LC_ALL", "LC_MESSAGES", "LANG", "TERM"} {
		env = append(env, name+"="+ts.Getenv(name)) // no script here sets the other variables that norn reads
	}
	return run(context.Background(), home(), args[1:], strings.NewReader(""), ts.Stdout(), ts.Stderr(), env)
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
	status = run(context.Background(), home(), args, strings.NewReader(""), &out, &errs, []string{"LANG=en_GB.UTF-8"})
	return status, out.String(), errs.String()
}

// The fractions are exact: they sum to 1 for each move and its flags.
func TestOddsSumToOne(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	lines := [][]string{
		{"spire", "check", "--skill", "--domain", "--difficulty", "1"},
		{"spire", "check", "--helpers", "9", "--mastery", "--skill=fight"},
		{"dice", "4d6kh3"},
		{"dice", "100d6"},
		{"dice", "7d10>=6"},
		{"dice", "2d6+1d8-3"},
		{"dice", "1d4-1d4"},
	}
	needed := map[string][]string{ // the required flags of moves
		"mage multi": {"--pools", "6,7,7"},
		"mage team":  {"--pools", "5,6"},
	}
	for _, g := range home().Games {
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

// The faces that a roll prints give the same roll when they are entered by hand.
func TestPrintedFacesGiveTheSameRollByHand(t *testing.T) {
	for _, line := range [][]string{
		{"spire", "check", "--skill", "--domain", "--mastery"},
		{"spire", "stress", "--die", "d8", "--critical"},
		{"spire", "fallout", "--total", "6"},
		{"dice", "3d6+2d8kh1-1"},
		{"dice", "7d10>=6"},
	} {
		type answer struct {
			Dice    []struct{ Sides, Face int }
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

// No line of output is wider than the terminal, in any language.
func TestNoLineIsWiderThanATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	for _, l := range lang.All {
		for _, line := range []string{
			"", "roll --help", "roll dice --help", "odds spire check --help", "odds spire stress --help", "games",
			"rules spire", "completion --help",
			"odds spire check --skill --domain --mastery --helpers 9 --partial", "odds spire fallout --total 5",
			"odds dice 100d6", "odds dice 4d6kh3", "odds dice 2d6 --simulate 1000", "roll dice 100d100",
			"roll spire check --helpers 9 --skill",
		} {
			status, out, errs := called(t, append([]string{"--lang", string(l)}, strings.Fields(line)...)...)
			if status != 0 {
				t.Errorf("%s: norn %s: status %d: %s", l, line, status, errs)
			}
			for text := range strings.Lines(out) {
				text = strings.TrimSuffix(text, "\n")
				if n := len([]rune(text)); n > 80 && !strings.Contains(text, "norn completion") {
					t.Errorf("%s: norn %s: %d columns: %s", l, line, n, text)
				}
				if strings.ContainsAny(text, "⟨⟩") {
					t.Errorf("%s: norn %s: a word is missing: %s", l, line, text)
				}
			}
		}
	}
}

func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(cli.Words, form.Words, bare.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots:    []string{"."},
		Prefixes: []string{"lang.", "form.", "bare.", "dice.", "norn.fault.", "norn.verify."},
		Same:     []string{"bare.", "dice.outcome.total"},
	})
}
