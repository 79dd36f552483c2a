package script

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/lang"
	"norn/lang/langtest"
)

// givenMistakes returns the calls in the sources that make a mistake: the words with the names of
// their data, by word.
func givenMistakes(t *testing.T) map[string][][]string {
	t.Helper()
	given := map[string][][]string{}
	literal := func(e ast.Expr) (string, bool) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, err := strconv.Unquote(l.Value)
			return text, err == nil
		}
		return "", false
	}
	makes := func(name string, args []ast.Expr) {
		added, known := map[string][]string{
			"wrong": nil, "mistake": nil, "d.wrong": {"Code"}, "want": {"Name", "Got"},
		}[name]
		if name == "fault" || name == "d.fault" { // of package judge, after an English text
			if word, ok := literal(args[0]); ok {
				given["case-"+word] = append(given["case-"+word], []string{"Case", "Line"})
				last := len(given["case-"+word]) - 1
				for i := 2; i < len(args); i += 2 {
					data, _ := literal(args[i])
					given["case-"+word][last] = append(given["case-"+word][last], data)
				}
				if strings.HasPrefix(word, "none-") { // check folds these
					given["case-"+word][last] = []string{"Moves", "Move"}
				}
			}
			return
		}
		if !known || len(args) == 0 {
			return
		}
		if word, ok := literal(args[0]); ok {
			for i := 1; i < len(args); i += 2 {
				data, _ := literal(args[i])
				added = append(slices.Clone(added), data)
			}
			given[word] = append(given[word], added)
		}
	}
	for _, folder := range []string{".", "check", "../game/judge"} {
		paths, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					switch fn := call.Fun.(type) {
					case *ast.Ident:
						makes(fn.Name, call.Args)
					case *ast.SelectorExpr:
						makes("d."+fn.Sel.Name, call.Args)
					}
				}
				return true
			})
		}
	}
	for _, a := range advice {
		given[a.word] = [][]string{{"Text", "Name"}}
	}
	for _, f := range callable {
		for _, a := range f.args {
			given[a.sort.want] = append(given[a.sort.want], []string{"Name", "Got"})
			given[a.sort.here] = append(given[a.sort.here], []string{"Got", "Code"})
			for _, word := range []string{a.sort.missing, a.lacks} {
				given[word] = append(given[word], []string{"Name", "Code"})
			}
		}
	}
	delete(given, "")
	// by package judge from other errors
	given["case-large"], given["case-face"] = [][]string{{"Case", "N"}}, [][]string{{"Case", "Face", "Sides"}}
	given["case-faces-few"] = [][]string{{"Case", "Dice", "N"}}
	for _, rule := range []string{"plurals", "letter", "space", "apostrophe", "exclamation"} {
		given["case-text-"+rule] = [][]string{{"Lang", "ID", "Given", "Text"}}
	}
	given["missing-folder"] = [][]string{nil}                                  // by cmd/norn
	given["id-taken"], given["no-games"] = [][]string{{"ID"}}, [][]string{nil} // by cmd/norn
	given["undefined-near"] = [][]string{{"Name", "Near"}}
	for _, theme := range []string{"contrast-light", "contrast-dark"} {
		given[theme] = [][]string{{"Over", "Under", "Contrast", "Min"}}
	}
	for _, name := range []string{"string", "int", "bool", "NoneType", "list", "tuple", "dict", "function"} {
		given["type-"+name] = [][]string{nil}
	}
	return given
}

// Every mistake has a word in all languages with data for its places, and every word is used.
func TestEveryMistakeHasAWordAndItsData(t *testing.T) {
	words, err := lang.Load(Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots: []string{"."},
		Prefixes: []string{
			"lang.", "script.mistake.", "script.function.",
			"script.argument.", "script.sort.", "script.reference.",
		},
	})
	given := givenMistakes(t)
	place := regexp.MustCompile(`{{\.(\w+)}}`)
	for word, calls := range given {
		text := words.Forms(lang.En, "script.mistake."+word)["other"]
		if text == "" {
			t.Errorf("the mistake %s has no word", word)
		}
		for _, found := range place.FindAllStringSubmatch(text, -1) {
			for _, names := range calls {
				if !slices.Contains(names, found[1]) {
					t.Errorf("%s: a mistake has the data %q, without %s", word, names, found[1])
				}
			}
		}
	}
	for _, id := range words.IDs(lang.En) {
		if word, ok := strings.CutPrefix(id, "script.mistake."); ok && given[word] == nil {
			t.Errorf("no mistake is %s", word)
		}
	}
}

func TestMistakesAreSaidInEachLanguage(t *testing.T) {
	for name, c := range wrongDeclarations() {
		_, err := Compile(Text{Game: c.source})
		p, ok := err.(*Problem)
		if !ok {
			t.Fatalf("%s: %v is no problem", name, err)
		}
		if ru, uk := p.Say(ownWords().In(lang.Ru)), p.Say(ownWords().In(lang.Uk)); ru == uk || ru == p.Error() {
			t.Errorf("%s: %s is said in all languages", name, ru)
		}
	}
}

func TestMistakesQuoteLittleOfALongText(t *testing.T) {
	if said := wrong("braces", "Text", strings.Repeat("я", 9000)).Error(); len([]rune(said)) > 500 {
		t.Errorf("it has %d letters", len([]rune(said)))
	}
}

func TestUsageIsThatOfTheReference(t *testing.T) {
	for _, f := range callable {
		name := f.name
		if code := f.usage(true); !strings.HasPrefix(code, name+"(") || strings.Contains(code, "\n") ||
			strings.Count(code, "(") != strings.Count(code, ")") || code == name+"(…)" {
			t.Errorf("%s: %s", name, code)
		}
	}
	got := functionOf("card").usage(true) + functionOf("group").usage(false)
	if got != `card(deck, "sun")group("Head", name = field, …)` {
		t.Error(got)
	}
}

// All mistakes of a text are reported at once, each at its place, and none that only follows from another.
func TestAllMistakesOfATextAreToldAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		places []string
	}{
		"names and declarations": {
			"game(\"Tower\")\nrules({\"TO-01\": 5})\n" +
				"hero = sheet(\"Hero\", nerve = number(\"Nerve\", 1), hurt = trak(\"Hurt\", 6))\n" +
				"done = god(\"done\")\nfate = deck(\"Fate\", Sun = \"The Sun\")\ndef dare(me, foe):\n    return undone\n" +
				"move(dare, \"Dare\", by = [hero], foe = pick(\"Whom\", hero))\nmove(dares, \"Dare\", by = hero)\n",
			[]string{"2:6", "3:36", "3:57", "4:8", "5:12", "7:12", "9:6"},
		},
		"moves": {
			"game(\"Tower\")\nhero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 3))\n" +
				"foe = npc(\"Foe\", nerve = number(\"Grit\", 1, 3))\n" +
				"def dare(me):\n    return None\nmove(dare, \"Dare\", by = hero, bare = [\"luck\"])\n" +
				"move(dare, \"Again\", by = hero)\n",
			[]string{"3:32", "6:5", "7:5"},
		},
	} {
		_, err := Compile(Text{Game: c.source})
		p, ok := err.(*Problem)
		if !ok {
			t.Fatalf("%s: %v", name, err)
		}
		var places []string
		for _, one := range p.All() {
			places = append(places, fmt.Sprintf("%d:%d", one.Line, one.Col))
		}
		if !slices.Equal(places, c.places) {
			t.Errorf("%s: mistakes at %v, want %v; first %v", name, places, c.places, err)
		}
	}
}

// Lists that hold each other, or one list many times over, don't stop or slow down the reading of a text.
func TestListsThatHoldEachOtherAreRead(t *testing.T) {
	for name, made := range map[string]string{
		"a list in a list in itself": "a = []\nb = [a]\na.append(b)\n",
		"a dict in itself":           "a = {}\na[\"x\"] = [a]\n",
		"one list many times over":   "a = []\n" + strings.Repeat("a = [a, a]\n", 60),
		"one tuple many times over":  "a = ()\n" + strings.Repeat("a = (a, a)\n", 60),
	} {
		_, err := Compile(Text{Game: "game(\"Tower\")\n" + made + "hero = sheet(\"Hero\", nerve = " +
			"number(\"Nerve\", a, 3))\n"})
		if p, ok := err.(*Problem); !ok || p.Line < 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
