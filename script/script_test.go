package script

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// head is the start of a game to which a test adds its rule.
const head = `game("Test")
hero = sheet("Hero", nerve = number("Nerve", 0, 6), name_of = text("Called"), things = items("Things", ` +
	`max = 3, name = text("In words")))
done = good("done")
ill = bad("ill")
seen = []
known = {"a": 1}
`

func compiled(t *testing.T, source string) *game.Game {
	t.Helper()
	g, err := Compile(Text{Game: source})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// tried runs the move "try" by a hero, live, and returns its error.
func tried(t *testing.T, source string) error {
	t.Helper()
	return attempted(t, compiled(t, attemptBy(source)))
}

// attemptBy returns the text of a game whose only move is a rule named attempt.
func attemptBy(source string) string { return head + source + "\nmove(attempt, \"Try\", by = hero)\n" }

// attempted plays that move, and returns its mistake.
func attempted(t *testing.T, g *game.Game) error {
	t.Helper()
	m, _ := g.Move("attempt")
	scene := game.Scene{
		Actor: "ann", Settings: g.Settings.Default,
		Cast: map[string]game.Member{"ann": {ID: "ann", Kind: "hero", Name: "Ann", Sheet: g.Kinds[0].Blank}},
	}
	args, err := m.Decode(m.Form.For(form.AtTable), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Allow(scene, args); err != nil {
		return err
	}
	_, err = rule.Play(m.Play(scene, args),
		rule.Options{Source: rule.RollerSource(dice.NewStream([32]byte{1})), Policy: rule.Policy{}})
	return err
}

// wrongText is the text of a game with what its error says.
type wrongText struct{ source, want string }

// wrongSyntax lists texts that Starlark or norn can't read.
func wrongSyntax() map[string]wrongText {
	return map[string]wrongText{
		"nothing":    {"", "game.star:1:1: begin with the game’s name: game("},
		"no sheet":   {`game("A")`, "a game needs a sheet and a move"},
		"a fraction": {head + "x = 0.5", "game.star:7:5: 0.5 isn’t a whole number"},
		"a quotient": {head + "x = 3 / 2", "game.star:7:7: there are no fractions; divide with //"},
		"float":      {head + `x = float("1")`, "game.star:7:10: float: there are no fractions"},
		"braces in braces": {
			head + `x = "{{.N}} of them"`,
			"game.star:7:5: “{{.N}} of them” has two braces in a row",
		},
		"a control character": {
			head + `x = "Da\x00re"`,
			"game.star:7:5: \"Da\\x00re\" has an invisible character",
		},
		"text turned round": {head + `x = "\u202eevil"`, "has an invisible character"},
		"while": {
			head + "def f():\n    while True:\n        pass\n",
			"game.star:8:5: there is no while; use for … in range(n)",
		},
		"load":            {head + `load("other.star", "x")`, "load can’t be used"},
		"an unknown name": {head + "x = heor", "game.star:7:5: nothing is called heor"},
		"a syntax error":  {head + "def f(:\n", "game.star:7:6: the bracket “(” isn’t closed; put )"},
		"an endless loop": {
			head + "def f():\n    for a in range(1000000000):\n        pass\nf()\n",
			"too many steps",
		},
		"a name of norn's": {
			head + "good = good(\"well\")\n",
			"good referenced before assignment: norn may have a function of that name",
		},
		"recursion": {head + "def f(n):\n    return f(n)\nf(1)\n", "a rule can’t call itself"},
		"deep nesting": {
			head + "x = " + strings.Repeat("[", 100) + strings.Repeat("]", 100),
			"nested too deeply",
		},
		"deep minus": {head + "x = " + strings.Repeat("-", 9000) + "1", "nested too deeply"},
		"too long":   {head + strings.Repeat("# long\n", 30000), "210,215 bytes, and at most 131,072 are allowed"},
		"not UTF-8":  {head + "x = \"\xff\"", "save it as UTF-8"},
	}
}

// wrongDeclarations lists fields, names and words that don't fit.
func wrongDeclarations() map[string]wrongText {
	return map[string]wrongText{
		"an unknown field's word": {
			head + `h = sheet("H", a = number("A", 1, 4, mni = 3))`,
			`game.star:7:26: number: there is no argument mni; write number("Label", min, max, look = "boxes", ` +
				`start = 2, secret = True, required = True, `,
		},
		"a range of nothing": {
			head + `h = sheet("H", a = number("A", 4, 1))`,
			"the first number must be less than the second",
		},
		"a start outside": {
			head + `h = sheet("H", a = number("A", 1, 4, start = 5))`,
			"start must be from 1 to 4, not 5",
		},
		"a nameless outcome": {head + `good("x")`, "give it a name"},
		"a nameless sheet":   {head + `x = [sheet("x")]`, "give it a name"},
		"a bad name":         {head + `Hero2 = sheet("x")`, "use lower-case Latin letters"},
		"one label too many": {head +
			"other = sheet(\"O\", nerve = number(\"Other\", 1, 2))\ndef f(me):\n    return done\n" +
			"move(f, \"F\", by = hero)", "is called “Other” here and “Nerve” elsewhere"},
		"no words": {head + `x = good()`, `put a text in quotes first: good("Label", short = "Label"`},
		"an argument not taken": {
			head +
				"def f(me):\n    return done\nmove(f, \"F\", by = hero, risk = number(\"R\", 1, 2))",
			"write def f(me, risk)",
		},
		"a parameter not asked": {
			head + "def f(me, risk):\n    return done\nmove(f, \"F\", by = hero)",
			"f takes risk, but the move has no such field",
		},
	}
}

// wrongMoves lists moves and turns that can't be.
func wrongMoves() map[string]wrongText {
	return map[string]wrongText{
		"a rule at the top": {head + "count(2, d6, at_least = 5)", "count: this works only in a rule"},
		"an id of norn's":   {`game("Dice")`, "can’t be the game’s id"},
		"a rule's id":       {head + `rules({"1": "x"})`, "isn’t a rule’s id"},
		"a turn that isn't": {
			head + "def f(me):\n    return done\nmove(f, \"F\", by = hero, turn = \"next\")",
			`turn must be one of "joins", "ends", "over"`,
		},
		"nobody's turn": {
			head + "def f():\n    return done\nmove(f, \"F\", by = gm, turn = \"joins\")",
			`turn = "joins" is only for a move of a sheet`,
		},
		"a turn without an end": {
			head + "def f(me):\n    return done\nmove(f, \"F\", by = hero, turn = \"joins\")",
			"add turn = \"ends\" to a move",
		},
		"an end without a turn": {
			head + "def f(me):\n    return done\nmove(f, \"F\", by = hero, turn = \"ends\")",
			"nobody can join the turns",
		},
		"an end that asks": {
			head +
				"def f(me, n):\n    return done\nmove(f, \"F\", by = hero, n = number(\"N\", 1, 2), turn = \"ends\")",
			"one press ends the turn",
		},
		"a lambda for a move": {head + `move(lambda me: done, "F", by = hero)`, "put a function first that def makes"},
	}
}

// Mistakes in a script are reported with their place and what to do.
func TestMistakesInAScriptAreReportedWithTheirPlace(t *testing.T) {
	for _, texts := range []map[string]wrongText{wrongSyntax(), wrongDeclarations(), wrongMoves()} {
		for name, c := range texts {
			t.Run(name, func(t *testing.T) {
				_, err := Compile(Text{Game: c.source})
				if p := (*Problem)(nil); !errors.As(err, &p) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %s", err, c.want)
				}
			})
		}
	}
}

// wrongRule is a rule with what its error says.
type wrongRule struct{ rule, want string }

// wrongChanges lists rules that keep, throw or change what they can't.
func wrongChanges() map[string]wrongRule {
	return map[string]wrongRule{
		"keeps something in a list": {
			"def attempt(me):\n    roll(d6)\n    seen.append(1)\n    return done",
			"game.star:9:16: this list can’t be changed",
		},
		"keeps something in a dict": {
			"def attempt(me):\n    roll(d6)\n    known[\"b\"] = 1\n    return done",
			"can’t be changed",
		},
		"keeps something in a part": {
			"def attempt(me):\n    mine = []\n    part(lambda: mine.append(roll(d6)))\n    return done",
			"can’t be changed",
		},
		"loops without an end": {
			"def attempt(me):\n    roll(d6)\n    for a in range(1000000000):\n        pass\n    return done",
			"takes too many steps",
		},
		"throws too much": {
			"def attempt(me):\n    sum(100000, d6)\n    return done",
			"at most 1000 dice can be thrown, of 1 to 1000 sides",
		},
		"throws impossible dice": {
			"def attempt(me):\n    sum(1, 0)\n    return done",
			"at most 1000 dice can be thrown, of 1 to 1000 sides",
		},
		"knows no such field": {
			"def attempt(me):\n    roll(d6)\n    return done if me.nervs else ill",
			"game.star:9:22: Hero: there is no field nervs here; there are nerve, name_of, things",
		},
		"changes no such field": {
			"def attempt(me):\n    change(me, nervs = 1)\n    return done",
			"Hero: there is no field nervs here",
		},
		"changes to a wrong type": {
			"def attempt(me):\n    change(me, nerve = \"much\")\n    return done",
			"nerve must be a whole number, but this is a text",
		},
		"a list that's too long": {
			"def attempt(me):\n    change(me, things = [dict(name = \"x\")] * 4)\n    return done",
			"things has 4 items, and at most 3 are allowed",
		},
		"a text that's too long": {
			"def attempt(me):\n    change(me, name_of = \"x\" * 300)\n    return done",
			"name_of is too long: 300 letters, and at most 200 are allowed",
		},
		"an item of other fields": {
			"def attempt(me):\n    change(me, things = [dict(nom = \"x\")])\n    return done",
			"there is no field nom here; there are name",
		},
	}
}

// wrongResults lists rules that return, say or run what they can't.
func wrongResults() map[string]wrongRule {
	return map[string]wrongRule{
		"returns nothing": {
			"def attempt(me):\n    roll(d6)\n    if me.nerve > 9:\n        return done",
			"attempt must return one of done, but it returned nothing",
		},
		"a text put together": {
			"def attempt(me):\n    roll(d6)\n    tell(\"a \" + me.name)\n    return done",
			"don’t put a text together",
		},
		"a place that stays empty": {
			"def attempt(me):\n    tell(\"{who} falls\")\n    return done",
			"has the place {who}, but no value for it",
		},
		"refuses too late": {
			"def attempt(me):\n    roll(d6)\n    refuse(\"It's too late.\")\n    return done",
			"refuse must come before the first throw",
		},
		"a result that's too large": {
			"def attempt(me):\n    part(lambda: [\"x\" * 9000])\n    return done",
			"game.star:8:10: what part and fold return must be small",
		},
		"two parts, one field": {
			"def attempt(me):\n    together(lambda: change(me, nerve = 1), lambda: change(me, nerve = 2))\n    return done",
			"two functions in together change nerve of Ann",
		},
		"recursion through parts": {
			"def attempt(me):\n    part(lambda: attempt(me))\n    return done",
			"a rule can’t call itself",
		},
		"too many digits": {
			"def attempt(me):\n    n = 3\n    for i in range(9):\n        n *= n\n    part(lambda: n)\n    return done",
			"too many digits",
		},
		"no end of text": {
			"def attempt(me):\n    roll(d6)\n    s = \"x\" * (1 << 40)\n    return done",
			"too large",
		},
		"declares while it's played": {
			"def attempt(me):\n    number(\"N\", 1, 2)\n    return done",
			"write it outside of def",
		},
	}
}

// A mistake in a running rule ends it, reports its place, and is shown as a refusal.
func TestMistakesInARunningRuleAreReported(t *testing.T) {
	for _, rules := range []map[string]wrongRule{wrongChanges(), wrongResults()} {
		for name, c := range rules {
			t.Run(name, func(t *testing.T) {
				err := tried(t, c.rule)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("%v, want %s", err, c.want)
				}
				if r, ok := game.AsRefusal(err); !ok || r.Word != "script.refusal.fault" ||
					!strings.HasPrefix(r.Data["Where"].(string), "game.star:") {
					t.Errorf("it's told as %#v", r)
				} else if said := ownWords().In(lang.Uk).Say(r.Word, r.Data); strings.Contains(said, "⟨") {
					t.Errorf("it's told as %s", said)
				}
			})
		}
	}
}

// Changes of a part are visible after it, in a walk as at a table.
func TestChangesOfAPartAreVisibleAfterIt(t *testing.T) {
	g := compiled(t, head+`
def attempt(me):
    def hurt():
        n = roll(d6)
        change(me, nerve = n)
        return n > 3
    if part(hurt) and me.nerve < 4:
        return ill
    if together(lambda: roll(d4), lambda: change(me, nerve = 6).nerve)[1] != me.nerve:
        return ill
    return done

move(attempt, "Try", by = hero)
`)
	m, _ := g.Move("attempt")
	scene := game.Scene{
		Actor: "ann", Settings: g.Settings.Default,
		Cast: map[string]game.Member{"ann": {ID: "ann", Kind: "hero", Name: "Ann", Sheet: g.Kinds[0].Blank}},
	}
	law, err := rule.Walk(m.Price(scene, m.Strip(scene, newArgs(t, m))), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(law.Values) != 1 || law.Values[0].ID != "done" {
		t.Errorf("it comes out as %v", law.Values)
	}
	result, err := rule.Play(m.Play(scene, newArgs(t, m)),
		rule.Options{Source: rule.RollerSource(dice.NewStream([32]byte{2}))})
	if err != nil || !result.Done || result.Value.ID != "done" || len(result.Events) != 2 {
		t.Errorf("%+v, %v", result, err)
	}
}

func newArgs(t *testing.T, m *game.Move) any {
	t.Helper()
	args, err := m.Decode(m.Form.For(form.AtTable), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// An almost endless rule must reach the limit of a walk long before it strains the machine.
func TestAlmostEndlessRuleReachesTheWalkLimit(t *testing.T) {
	g := compiled(t, head+`
def attempt(me):
    n = 0
    for i in range(200):
        n += roll(d20)
    return done if n > 900 else ill

move(attempt, "Try", by = hero)
`)
	m, _ := g.Move("attempt")
	var limit *rule.LimitError
	if _, err := rule.Walk(m.Price(game.Scene{Settings: g.Settings.Default}, newArgs(t, m)), nil,
		rule.Limits{}); !errors.As(err, &limit) {
		t.Errorf("%v, want a LimitError", err)
	}
}

func TestMistakesInWordsAreReported(t *testing.T) {
	rest := "\ndef attempt(me):\n    tell(\"{who} falls\", who = me)\n    return done\nmove(attempt, \"Try\", by = hero)\n"
	for words, want := range map[string]string{
		"[de]\n\"Hero\" = \"Held\"":            "words.toml: [de] isn’t a language",
		"[ru]\n\"Hero\" = 3":                   `words.toml:2:1: [ru] "Hero": write the translation in quotes`,
		"[ru]\n\"Hero = 3":                     "words.toml:2:",
		"[ru]\n\"{who} falls\" = \"упал\"":     "must be {who}, not —",
		"[ru]\n\"Hero\" = { two = \"герои\" }": "one, few, many, other",
		"[ru]\n\"Hero\" = \"{{.Name}} и {{{\"": "words.toml",
	} {
		if _, err := Compile(Text{Game: head + rest, Words: words}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", words, err, want)
		}
	}
}

func TestTextIsParsedBackFromItsBytes(t *testing.T) {
	text := Text{Game: head, Words: "[ru]\n\"Hero\" = \"Герой\""}
	back, err := Parse(text.Bytes())
	if err != nil || back != text || back.Hash() != text.Hash() {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := Parse([]byte("{}")); err == nil {
		t.Error("nothing is read as a text")
	}
}

// Any script, however broken, must be either refused or playable.
func FuzzText(f *testing.F) {
	f.Add(head + "def attempt(me):\n    change(me, nerve = roll(d6))\n    return done\n" +
		"move(attempt, \"Try\", by = hero)\n")
	f.Add(head + "def attempt(me):\n    a = fold(3, d6, 0, lambda s, face, n: s + face * n)\n" +
		"    return done if a > 9 else ill\nmove(attempt, \"Try\", by = hero)\n")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := Compile(Text{Game: source})
		if err != nil {
			if p := (*Problem)(nil); !errors.As(err, &p) || p.What == nil {
				t.Fatalf("%#v is no problem", err)
			}
			return
		}
		for _, m := range g.Moves {
			if m.Price == nil {
				continue
			}
			args, err := m.Decode(m.Form.For(form.Bare), []byte("{}"))
			if err != nil {
				continue
			}
			_, _ = rule.Walk(m.Price(game.Scene{Settings: g.Settings.Default}, args), nil, rule.Limits{Branches: 1000})
		}
	})
}

// A ready character in stock whose sheet players may have is offered as a hero; without one, those
// of the demo are.
func TestStockWithAPlayersSheetIsAHero(t *testing.T) {
	const text = `
game("Lantern")
hero = sheet("Hero", nerve = number("Nerve", 1, 4, start = 2))
rat = npc("Rat", bite = number("Bite", 1, 4))
done = good("done")
def dare(me):
    return done
move(dare, "Dare", by = hero)
demo("A cellar", cast = [ready(hero, "Zoe", nerve = 3), ready(rat, "A rat")])
`
	for more, want := range map[string]string{
		"":                                  "Zoe 3",
		`stock(rat, "A big rat", bite = 4)`: "Zoe 3",
		"stock(hero, \"Ann\", nerve = 4)\nstock(hero, \"Bo\")\nstock(rat, \"A rat\")\n": "Ann 4, Bo 2",
	} {
		g, err := Compile(Text{Game: text + more})
		if err != nil {
			t.Fatal(err)
		}
		words, err := lang.Load(g.Words)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, h := range g.ReadyHeroes(words.In(lang.En)) {
			data, _ := json.Marshal(h.Sheet)
			all = append(all, h.Name+" "+strings.Trim(string(data), `{}"nerv:`))
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("with %q the heroes are %s, not %s", more, got, want)
		}
	}
}

// Unknown arguments of a declaration must be refused with their line, never ignored.
func TestUnknownArgumentsAreRefusedWithTheirLine(t *testing.T) {
	const text = `game("Lantern")
hero = sheet("Hero", nerve = number("Nerve", 1, 4, start = 2))
done = good("done")
def dare(me):
    return done
move(dare, "Dare", by = hero)
`
	for odd, want := range map[string]string{
		`stock(hero, "Zoe", 5)`:              "game.star:7:6: stock: one value too many (a number)",
		`stock(hero, "Zoe", brave = 5)`:      "Hero: there is no field brave here",
		`demo("A", cast = 1)`:                "cast must be a list: cast = [ready(",
		`demo("A", story = "dare")`:          "story must be a list: story = [made(",
		`demo("A", cast = [1])`:              "cast must be a list: cast = [ready(",
		`demo("A", crew = [])`:               "there is no argument crew",
		`demo("A", story = [made(dare, 5)])`: "made: one value too many (a number); write made(rule, by = ",
		`ready(hero, "Zoe", nerve = 9)`:      "game.star:7:6: Zoe: nerve must be from 1 to 4, not 9",
	} {
		_, err := Compile(Text{Game: text + odd + "\n"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", odd, err, want)
		}
	}
}

// A state may be a single word in lower case, returned by a lambda or a function.
func TestStateMayBeASingleLowerCaseWord(t *testing.T) {
	for _, state := range []string{`lambda c: "full" if c.filled >= 2 else None`, "stand"} {
		g, err := Compile(Text{Game: `
game("Lantern")
def stand(c):
    if c.filled >= 2:
        return "full"
clock = thing("Clock", filled = track("Filled", 4), state = ` + state + `)
hero = sheet("Hero", nerve = number("Nerve", 1, 4))
done = good("done")
def dare(me, all):
    return done
move(dare, "Dare", by = hero, all = picks("Clocks", clock, hero, max = 3))
stock(clock, "A clock", filled = 2)
`})
		if err != nil {
			t.Fatal(err)
		}
		words, err := lang.Load(g.Words)
		if err != nil {
			t.Fatal(err)
		}
		kind, _ := g.Kind("clock")
		if said := kind.State(g.InStock(words.In(lang.En))[0].Sheet); words.In(lang.En).Say(said.Word) != "full" {
			t.Errorf("%s: it's said as %q", state, said.Word)
		}
	}
}

// A secret number that has become 0 must be 0 when its sheet is read again, whatever its start
// value; the same holds for a secret flag that was cleared.
func TestSecretFieldAtZeroIsReadBackAsZero(t *testing.T) {
	g := compiled(t, strings.Replace(head, `nerve = number("Nerve", 0, 6)`,
		`nerve = number("Nerve", 0, 6), doom = number("Doom", 0, 6, start = 3, secret = True), `+
			`hope = number("Hope", 0, 6, secret = True), sworn = flag("Sworn", start = True, secret = True)`, 1)+
		"def wait(turn): return done\nmove(wait, \"Wait\", by = hero)\n")
	k := g.Kinds[0]
	sheet, err := k.Restore([]byte(`{"nerve":0,"doom":0,"sworn":false}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		data, err := json.Marshal(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if sheet, err = k.Restore(data); err != nil {
			t.Fatal(err)
		}
		doom, sworn := game.FieldValue[int](sheet, "doom"), game.FieldValue[bool](sheet, "sworn")
		if doom != 0 || sworn {
			t.Fatalf("%s is read as doom %d, sworn %t", data, doom, sworn)
		}
	}
}

func TestTextsSavedOnWindowsAreTheSameGame(t *testing.T) {
	source := head + "def attempt(me):\n    change(me, nerve = roll(d6))\n    return done\n" +
		"move(attempt, \"Try\", by = hero)\n"
	text := Text{Game: source, Words: "[ru]\n\"Hero\" = \"Герой\"\n", Look: "[light]\npaper = \"#fdf6e3\"\n"}
	folder := fstest.MapFS{}
	for name, source := range map[string]string{file: text.Game, wordsFile: text.Words, lookFile: text.Look} {
		folder[name] = &fstest.MapFile{Data: []byte("\ufeff" + strings.ReplaceAll(source, "\n", "\r\n"))}
	}
	got, err := Read(folder)
	if err != nil || got != text || got.Hash() != text.Hash() {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := Compile(got); err != nil {
		t.Error(err)
	}
}
