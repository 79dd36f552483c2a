package script

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/lang"
)

// All that the table lists has its words, and there are no other words for the reference.
func TestTheReferenceHasWordsForAllThatATextCalls(t *testing.T) {
	used := map[string]bool{}
	for _, f := range callable {
		used["script.function."+idOf(f.name)] = true
		for _, a := range f.args {
			used["script.sort."+a.sort.id] = true
			used["script.argument."+idOf(cmp.Or(a.about, a.name))] = true
		}
	}
	for id := range used {
		if !slices.Contains(ownWords().IDs(lang.En), id) {
			t.Errorf("%s has no word", id)
		}
	}
	for _, id := range ownWords().IDs(lang.En) {
		for _, of := range []string{"script.function.", "script.sort.", "script.argument."} {
			if strings.HasPrefix(id, of) && !used[id] {
				t.Errorf("nothing is %s", id)
			}
		}
	}
	for _, l := range lang.All {
		if page := Reference(ownWords().In(l)); strings.Contains(page, "⟨") {
			t.Errorf("%s: the page lacks a word:\n%s", l, page)
		}
	}
}

func TestEveryFunctionIsListedOnce(t *testing.T) {
	names := map[string]bool{}
	for _, f := range callable {
		if names[f.name] {
			t.Errorf("%s is listed twice", f.name)
		}
		names[f.name] = true
		args := map[string]bool{}
		for _, a := range f.args {
			if args[a.name] {
				t.Errorf("%s has two arguments %s", f.name, a.name)
			}
			args[a.name] = true
		}
	}
}

// What the code reads by a name is listed, and what is listed by a name is read.
func TestWhatIsReadIsListed(t *testing.T) {
	read := map[string]bool{"at_least": true, "at_most": true, "exactly": true} // by a loop
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"value", "text", "flag", "number", "def"}, fn.Sel.Name) {
				return true
			}
			for _, arg := range call.Args {
				if name, ok := arg.(*ast.BasicLit); ok && len(call.Args) == 1 {
					text, _ := strconv.Unquote(name.Value)
					read[text] = true
				}
			}
			return true
		})
	}
	for _, list := range []string{"cast", "story"} { // by calls
		read[list] = true
	}
	listed := map[string]bool{}
	for _, f := range callable {
		for _, a := range f.args {
			listed[a.name] = true
			if a.named && !read[a.name] {
				t.Errorf("%s is listed for %s, and nothing reads it", a.name, f.name)
			}
		}
	}
	for name := range read {
		if !listed[name] {
			t.Errorf("%s is read, and nothing lists it", name)
		}
	}
}

// What a call lacks, has too much of, or has of another sort is said by the table, with how it's written.
func TestMistakesInACallAreSaidByTheTable(t *testing.T) {
	for call, want := range map[string]string{
		`number("A", 4, min = 1)`:          "",
		`picks("A", 3, hero)`:              "",
		`picks("A", hero, 3)`:              "",
		`number("A", "x", 3)`:              "number: min must be a whole number, but this is a text",
		`number("A", 1, 4, look = "disc")`: `number: look must be one of "boxes", "dots", "bar", "clock"`,
		`number("A", 1, 4, hides = True)`:  "number: only flag can have hides; write number(",
		`track("A")`:                       "track: write track(",
		`track("A", 0)`:                    "track: max must be from 1 to 1,000,000, not 0",
		`flag("A", required = True)`:       "flag: there is no argument required",
		`choice("A", one = 3)`:             "one needs a label in quotes, but this is a number",
		`choice("A")`: `there is nothing to choose from; write choice("Label", ` +
			`one = "Label", other = "Label", …)`,
		`items("A", a = flag("B"), max = 0)`: "items: max must be from 1 to 100, not 0",
		`pick("A")`:                          "say which sheets can be picked",
		`text(3)`:                            "put a text in quotes first, but this is a number",
		`text("A", 3)`:                       "one value too many (a number)",
	} {
		_, err := Compile(Text{Game: head + "q = question(\"Q?\", a = " + call + ")\n" +
			"def dare(me):\n    return done\nmove(dare, \"Dare\", by = hero)\n"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
	for call, want := range map[string]string{
		`count(n = 2, sides = d6, exactly = 3)`:     "",
		`count(2, d6)`:                              "say which faces count",
		`count(2, d6, at_least = 2, at_most = 3)`:   "say which faces count",
		`count(d6, at_least = 2)`:                   "count: write count(n, d6, ",
		`keep(3, d6, highest = 0)`:                  "highest must be from 1 to 1000: keep(",
		`keep(3, d6, highest = 1, lowest = 1)`:      "with highest or lowest",
		`sum([1, 2], d6)`:                           "sum: write sum(",
		`let_go(me, who = me)`:                      "let_go: there is no argument who; write let_go(foe, …)",
		`ask(resist, to = gm, seal = True)`:         "there is no argument seal",
		`refuse("TO-01")`:                           "put a text in quotes first",
		`roll(1 << 80)`:                             "too many digits",
		`tell("{who} falls", who = me, secret = 1)`: "secret must be True or False",
		`symbols(3, d6, "a")`:                       "put a die of your own here",
	} {
		err := tried(t, "resist = question(\"Resist?\", n = number(\"N\", 1, 2))\n"+
			"def attempt(me):\n    "+call+"\n    return done")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
}
