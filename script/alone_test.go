package script

import (
	"context"
	"testing"

	"norn/internal/bare"
)

func TestCompileRuleNeedsNoGameAndGivesItsNumbers(t *testing.T) {
	g, err := CompileRule("def attack(bonus, twice):\n" +
		"    best = keep(2, d20, highest = 1) if twice else roll(d20)\n    return best + bonus\n\n" +
		"move(attack, \"Attack\", bonus = number(\"Bonus\", 0, 10), twice = flag(\"Advantage\"))\n")
	if err != nil {
		t.Fatal(err)
	}
	m, ok := bare.Move(g, "attack")
	if !ok {
		t.Fatal("the move has no odds")
	}
	throw, err := bare.Texts(g, m, map[string]string{"bonus": "3", "twice": "on"})
	if err != nil {
		t.Fatal(err)
	}
	o, err := throw.Quote(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Mean().FloatString(3); len(o.Rows) != 20 || got != "16.825" {
		t.Errorf("%d rows, mean %s; want 20, 16.825", len(o.Rows), got)
	}
}

func TestCompileRuleReportsWhatIsMissing(t *testing.T) {
	for text, want := range map[string]string{
		"": "game.star:1:1: there is no move; add move(attack, \"Attack\", bonus = " +
			"number(\"Bonus\", 0, 10))",
		"def f():\n    return 1 +\n": "game.star:2:15: this line ends too early; write what comes after “+”",
		"while True:\n    pass\n":    "game.star:1:1: there is no while; use for … in range(n)",
		"def f():\n    return 1\nmove(f)": `game.star:3:5: move: put a text in quotes first: ` +
			`move(rule, "Label", by = sheet, name = field, …, about = "…", …)`,
	} {
		if _, err := CompileRule(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
