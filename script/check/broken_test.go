package check_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"norn/form"
	"norn/lang"
	"norn/script"
	"norn/script/check"
)

// folder returns a game with one sheet and the given lines, and its cases.
func folder(lines, cases string) fstest.MapFS {
	return fstest.MapFS{
		"game.star": {Data: []byte("game(\"Tower\")\n" +
			"hero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 4), strain = track(\"Strain\", 4))\n" +
			"done = good(\"done\")\nill = bad(\"ill\")\n" + lines)},
		"cases/a.txt": {Data: []byte(cases)},
	}
}

func report(t *testing.T, game fstest.MapFS) *check.Report {
	t.Helper()
	r, err := check.Folder(game)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func has(faults []string, part string) bool {
	return slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, part) })
}

// A mistake that shows only when a rule runs is no result: the report must say where it is, once,
// and the cases stay as they are.
func TestMistakeOfARunningRuleIsAFaultAndNeverACasesResult(t *testing.T) {
	for name, rule := range map[string]string{
		"before the dice": "    return [done][me.nerve]\n",
		"after the dice":  "    n = roll(d6)\n    return [done][n + me.nerve]\n",
		"in an answer": "    n = ask(asked, to = me, check = look)\n    return done if roll(d6) > 3 else ill\n" +
			"def look(answer):\n    refuse(\"nothing\" + str(1 // 0))\n",
	} {
		text := "asked = question(\"How many?\", many = number(\"Many\", 0, 3))\ndef dare(me):\n" + rule +
			"move(dare, \"Dare\", by = hero)\n"
		cases := "# it goes\ncharacter ann hero {}\nmove dare by ann {}\ndice 3\nanswer asked {\"many\": 2}\n> outcome done\n"
		if !strings.Contains(rule, "ask(") {
			cases = strings.Replace(cases, "answer asked {\"many\": 2}\n", "", 1)
		}
		r := report(t, folder(text, cases))
		faults := faultsOf(r)
		told := has(faults, "“it goes” meets a mistake in the text: game.star:")
		if !told || has(faults, "⟨") || has(faults, "script.refusal") {
			t.Errorf("%s: the faults are %q", name, faults)
		}
		if n := strings.Count(strings.Join(faults, "\n"), "meets a mistake"); n != 1 {
			t.Errorf("%s: one mistake is reported %d times: %q", name, n, faults)
		}
		if r.Updated["a.txt"] != cases {
			t.Errorf("%s: --update would write\n%s", name, r.Updated["a.txt"])
		}
	}
}

func TestCaseWithTwoMovesIsRefused(t *testing.T) {
	cases := "# twice\ncharacter ann hero {}\nmove dare by ann {}\nmove dare by ann {}\ndice 3\n> outcome done\n"
	r := report(t, folder("def dare(me):\n    return done if roll(d6) + me.nerve > 3 else ill\n"+
		"move(dare, \"Dare\", by = hero)\n", cases))
	if faults := faultsOf(r); !has(faults, "a case makes one move") {
		t.Errorf("the faults are %q", faults)
	}
	if r.Updated["a.txt"] != cases {
		t.Errorf("--update would write\n%s", r.Updated["a.txt"])
	}
}

// Every fault is reported in the reader's language, also a rare one: what is wrong with a line of a case, and with
// the game's own texts. Only norn's own mistakes have English in them.
func TestRareFaultsAreToldInEachLanguage(t *testing.T) {
	const rule = "more = question(\"More?\", more = flag(\"More\"))\ndef dare(me):\n" +
		"    ask(more, to = me)\n    return done if roll(d6) + me.nerve > 3 else ill\nmove(dare, \"Dare\", by = hero)\n"
	const begin = "# it goes\ncharacter ann hero {}\n"
	for cases, word := range map[string]string{
		begin + "move dare by ann {}\nmove dare by ann {}\ndice 3\n":          "case-two-moves",
		begin + "move dare by ann {}\nshout\n":                                "case-verb",
		begin + "move dare by ann {}\nanswer {}\n":                            "case-usage",
		begin + "plays ann bo\nmove dare by ann {}\n":                         "case-usage",
		"# it goes\ncharacter ann {}\nmove dare by ann {}\n":                  "case-usage",
		"# it goes\ncharacter ann hero {\"nerve\": 9}\nmove dare by ann {}\n": "case-line",
		"# it goes\ncharacter ann hero {\"nerve\"}\nmove dare by ann {}\n":    "case-line",
		begin + "move dare by ann {}\ndice six\n":                             "case-no-face",
		begin + "move dare by ann {}\nanswer more {}\ndice 7\n":               "case-face",
		begin + "move dare by ann {}\nanswer more {}\ndice 3 4\n":             "case-faces-left",
		begin + "move dare by ann {}\nanswer more {}\n":                       "case-faces-few",
		begin + "move dare by ann {}\nanswer less {}\ndice 3\n":               "case-not-asked",
		begin + "dice 3\n": "case-moveless",
	} {
		r := report(t, folder(rule, cases))
		i := slices.IndexFunc(r.Faults, func(err error) bool {
			m, ok := err.(*script.Mistake)
			return ok && m.Word == word
		})
		if i < 0 {
			t.Errorf("%q: %s isn't among %q", cases, word, faultsOf(r))
			continue
		}
		words, err := lang.Load(script.Words, form.Words, r.Game.Words)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []lang.Lang{lang.Ru, lang.Uk} {
			text := script.Explain(words.In(l), r.Faults[i])
			if strings.Contains(text, "⟨") || english.MatchString(text) {
				t.Errorf("%s in %s: %s", word, l, text)
			}
		}
	}
	for text, word := range map[string]string{
		"Come on!": "case-text-exclamation", "two  spaces": "case-text-space", "Герой": "case-text-letter",
	} {
		r := report(t, folder(strings.Replace(rule, "More?", text, 1), begin+"move dare by ann {}\nanswer more {}\ndice 3\n"))
		if !slices.ContainsFunc(r.Faults, func(err error) bool {
			m, ok := err.(*script.Mistake)
			return ok && m.Word == word
		}) {
			t.Errorf("%q: %s isn't among %q", text, word, faultsOf(r))
		}
	}
}

// english matches words of English sentences, which no line of a case here has.
var english = regexp.MustCompile(`\b(is|are|the|an?|of|must|want|not|on|for|with)\b`)

// A case may name a question as the text does, after the game's id, too.
func TestCaseFindsAQuestionByItsNameAsWritten(t *testing.T) {
	for _, name := range []string{"my_q", "my-q", "tower.my_q", "tower.my-q"} {
		r := report(t, folder("my_q = question(\"More?\", more = flag(\"More\"))\ndef dare(me):\n"+
			"    came(done if roll(d6) + me.nerve > 3 else ill)\n    ask(my_q, to = me)\nmove(dare, \"Dare\", by = hero)\n",
			"# it goes\ncharacter ann hero {}\nmove dare by ann {}\ndice 3\nanswer "+name+" {}\n"))
		if !strings.Contains(r.Updated["a.txt"], "> answer tower.my-q\n") {
			t.Errorf("%s: %q", name, faultsOf(r))
		}
	}
}

// A move that several kinds of sheets make says without a table what each of them holds.
func TestSheetThatIsntTheFirstOfAMoveIsStrippedToo(t *testing.T) {
	lines := "foe = npc(\"Foe\", nerve = number(\"Nerve\", 1, 4), teeth = track(\"Teeth\", 4))\n" +
		"def dare(me):\n    return done if roll(d6) + me.nerve > 4 else ill\nmove(dare, \"Dare\", by = [hero, foe])\n"
	r := report(t, folder(lines, "# a wolf\ncharacter wolf foe {\"nerve\": 3}\nmove dare by wolf {}\ndice 3\n"))
	if faults := faultsOf(r); has(faults, "same odds without a table") {
		t.Errorf("the faults are %q", faults)
	}
}

// Texts that a rule takes apart, compares or builds others of reach nobody, so no language must have
// them, nor must they say something. Those that reach people must.
func TestOnlyTextsThatReachPeopleAreChecked(t *testing.T) {
	game := folder("SEPARATOR = \", \"\nWORST = \"The Worst of All\"\ndef dare(me):\n"+
		"    names = \"Ann Lee, Bo Dun\".split(\", \")\n    line = \" \".join(names) + \" - \" + SEPARATOR.join(names)\n"+
		"    tell(\"{who} calls {n}\", who = me, n = line)\n    if line == \"Nobody Is Here\" or line == WORST:\n"+
		"        refuse(\"No one.\")\n"+
		"    return done if roll(d6) + me.nerve > 3 else ill\nmove(dare, \"Dare\", by = hero)\n",
		"# it goes\ncharacter ann hero {}\nmove dare by ann {}\ndice 3\n")
	game["words.toml"] = &fstest.MapFile{Data: []byte("[ru]\n\"Hero\" = \"Герой\"\n")}
	r := report(t, game)
	for _, fault := range faultsOf(r) {
		if strings.Contains(fault, "its words are there") {
			t.Error(fault)
		}
	}
	for _, text := range []string{"Ann Lee, Bo Dun", "Nobody Is Here", "The Worst of All"} {
		if slices.Contains(r.Texts[lang.Ru], text) {
			t.Errorf("%q should be translated", text)
		}
	}
	for _, text := range []string{"{who} calls {n}", "No one."} {
		if !slices.Contains(r.Texts[lang.Ru], text) {
			t.Errorf("%q needn't be translated: %q", text, r.Texts[lang.Ru])
		}
	}
}

// Without cases there is one thing to do, so the report says that alone.
func TestGameWithoutCasesIsToldToWriteSome(t *testing.T) {
	game := folder("def dare(me):\n    return done if roll(d6) + me.nerve > 3 else ill\n"+
		"move(dare, \"Dare\", by = hero)\n", "")
	delete(game, "cases/a.txt")
	if faults := faultsOf(report(t, game)); len(faults) != 1 || !has(faults, "there are no cases") {
		t.Errorf("the faults are %q", faults)
	}
}
