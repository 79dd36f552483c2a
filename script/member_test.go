package script_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"norn/distribution"
	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/script"
)

// A rule reads a sheet by a dot or by brackets; without a table both must ask for the field.
func TestFieldsReadByBracketsAreAskedForWithoutATable(t *testing.T) {
	text := func(lines string) string {
		return "game(\"Tower\")\n" +
			"hero = sheet(\"Hero\", might = number(\"Might\", 0, 9), wits = number(\"Wits\", 0, 9), luck = " +
			"number(\"Luck\", 0, 9))\n" +
			"done = good(\"done\")\nill = bad(\"ill\")\n" + lines
	}
	by := "move(dare, \"Dare\", by = hero, stat = choice(\"Stat\", might = \"Might\", wits = \"Wits\"))\n"
	for name, c := range map[string]struct{ lines, want string }{
		"a text": {
			"def dare(me, stat):\n    return done if roll(d6) + me[\"luck\"] > 3 else ill\n" + by, "luck",
		},
		"the move's choice": {
			"def dare(me, stat):\n    return done if roll(d6) + me[stat] > 3 else ill\n" + by, "might wits",
		},
		"a question's choice": {
			"how = question(\"How?\", by = choice(\"By\", luck = \"Luck\", wits = \"Wits\"))\ndef dare(me):\n" +
				"    return done if roll(d6) + me[ask(how, to = me).by] > 3 else ill\n" +
				"move(dare, \"Dare\", by = hero)\n", "wits luck",
		},
		"names in a list": {
			"all = [\"might\", \"luck\"]\ndef best(who):\n    n = 0\n    for name in all:\n" +
				"        n = max(n, who[name])\n    return n\n" +
				"def dare(me):\n    return done if roll(d6) + best(me) > 3 else ill\n" +
				"move(dare, \"Dare\", by = hero)\n", "might luck",
		},
		"getattr": {
			"def dare(me, stat):\n    return done if roll(d6) + getattr(me, \"luck\") > 3 else ill\n" + by, "luck",
		},
		"a place in a list": {
			"def dare(me):\n    return done if throw(2, d6)[0] + [1, 2][1] > 3 else ill\nmove(dare, \"Dare\", by = hero)\n", "",
		},
	} {
		g, err := script.Compile(script.Text{Game: text(c.lines)})
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, f := range g.Moves[0].Form.For(form.Bare).Fields {
			if f.Name != "stat" {
				asked = append(asked, f.Name)
			}
		}
		if got := strings.Join(asked, " "); got != c.want {
			t.Errorf("%s: without a table it asks for %q, want %q", name, got, c.want)
		}
	}
	g, err := script.Compile(script.Text{Game: text(
		"def dare(me):\n    return done if roll(d6) + me[\"lu\" + \"ck\"] > 3 else ill\nmove(dare, \"Dare\", by = hero)\n")})
	if err != nil {
		t.Fatal(err)
	}
	m := &g.Moves[0]
	args, err := m.Decode(m.Form.For(form.Bare), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = rule.Walk(m.Price(game.Scene{Settings: g.Settings.Default}, args), nil, rule.Limits{})
	if err == nil || !strings.Contains(err.Error(), `bare = ["luck", …]`) {
		t.Errorf("a field by a name that is made: %v", err)
	}
}

// The steps of a text bound its own loops. What an exact walk repeats is bounded by the walk's limit,
// and is too large then, which a simulation isn't.
func TestLargeOddsInPartsAndFoldsAreTooLargeAndNoMistake(t *testing.T) {
	for name, dice := range map[string]string{
		"part":     "part(lambda: roll(d100) + roll(d100) + roll(d100))",
		"together": "together(lambda: roll(d100) + roll(d100) + roll(d100), lambda: 1)[0]",
		"in part":  "part(lambda: part(lambda: roll(d100) * roll(d100)) + part(lambda: roll(d100) * roll(d100)))",
		"fold":     "fold(9, d100, 0, step)",
	} {
		g, err := script.Compile(script.Text{Game: "game(\"Tower\")\n" +
			"hero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 4))\n" +
			"done = good(\"done\")\nill = bad(\"ill\")\ndef step(so_far, face, n):\n    return so_far * 7 % 1000 + face * n\n" +
			"def dare(me):\n    return done if " + dice + " > 150 else ill\nmove(dare, \"Dare\", by = hero)\n"})
		if err != nil {
			t.Fatal(err)
		}
		m := &g.Moves[0]
		args, err := m.Decode(m.Form.For(form.Bare), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		price := m.Price(game.Scene{Settings: g.Settings.Default}, args)
		var large *rule.LimitError
		if _, err = rule.Walk(price, nil, rule.Limits{Branches: 200_000}); !errors.As(err, &large) {
			t.Errorf("%s: %v", name, err)
		}
	}
	loop := "game(\"Tower\")\nhero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 4))\ndone = good(\"done\")\n" +
		"ill = bad(\"ill\")\n" +
		"def much():\n    n = 0\n    for i in range(1000):\n        for j in range(1000):\n            n = n + 1\n" +
		"    return n + roll(d6)\n" +
		"def dare(me):\n    return done if part(much) > 3 else ill\nmove(dare, \"Dare\", by = hero)\n"
	g, err := script.Compile(script.Text{Game: loop})
	if err != nil {
		t.Fatal(err)
	}
	m := &g.Moves[0]
	args, err := m.Decode(m.Form.For(form.Bare), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = rule.Walk(m.Price(game.Scene{Settings: g.Settings.Default}, args), nil, rule.Limits{})
	if err == nil || !strings.Contains(err.Error(), "a loop that runs too long") {
		t.Errorf("a part with a long loop: %v", err)
	}
}

// Dice of several kinds thrown together have the odds of all their sequences, and only the counts
// take branches.
func TestSymbolsOfSeveralDiceTogetherHaveExactOdds(t *testing.T) {
	g, err := script.Compile(script.Text{Game: "game(\"Tower\")\n" +
		"hero = sheet(\"Hero\", nerve = number(\"Nerve\", 1, 4))\n" +
		"done = good(\"{n} more\", counts = True)\nill = bad(\"ill\")\n" +
		"yellow = die(\"Yellow\", \"\", \"s\", \"s\", \"ss\", \"a\", \"sa\")\n" +
		"purple = die(\"Purple\", \"\", \"f\", \"ff\", \"t\")\n" +
		"def dare(me, big):\n    n = 4 if big else 1\n" +
		"    s, f = symbols({yellow: n, purple: n}, \"s\", \"f\")\n    return done(s - f) if s > f else ill\n" +
		"move(dare, \"Dare\", by = hero, big = flag(\"Big\"))\n"})
	if err != nil {
		t.Fatal(err)
	}
	m := &g.Moves[0]
	law := func(args string, branches int) *distribution.Law[rule.Outcome] {
		t.Helper()
		decoded, err := m.Decode(m.Form.For(form.Bare), []byte(args))
		if err != nil {
			t.Fatal(err)
		}
		price := m.Price(game.Scene{Settings: g.Settings.Default}, decoded)
		law, err := rule.Walk(price, nil, rule.Limits{Branches: branches})
		if err != nil {
			t.Fatal(err)
		}
		return law
	}
	// of 24 pairs of faces: s−f is 2 for ss with "" or t; 1 for ss with f and for s, s, sa with "" or t
	small := law(`{}`, 0)
	for o, want := range map[rule.Outcome]*big.Rat{
		{ID: "done", N: 2}: big.NewRat(2, 24), {ID: "done", N: 1}: big.NewRat(7, 24), {ID: "ill"}: big.NewRat(15, 24),
	} {
		if got := small.Of(o); got.Cmp(want) != 0 {
			t.Errorf("%v has the odds %v, want %v", o, got, want)
		}
	}
	law(`{"big": true}`, 4000)
}
