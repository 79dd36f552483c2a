package script

import (
	"context"
	"testing"

	"norn/internal/bare"
)

// A move of a game whose rule returns a number has the odds of that number, as a rule alone has; one
// that only says something ends as before.
func TestMovesThatReturnNumbersHaveOdds(t *testing.T) {
	g := compiled(t, `game("Lantern")
hero = sheet("Hero", nerve = number("Nerve", 0, 5, start = 2))
def damage(me, dice):
    return sum(dice, d6) + me.nerve
def best(me):
    return max(roll(d6), roll(d6))
def call(me):
    fell = roll(d6)
    return tell("{n} fell", n = fell)
def rest(me):
    if roll(d6) > 3:
        me.nerve += 1
move(damage, "Damage", by = hero, dice = number("Dice", 1, 6, start = 2))
move(best, "Best", by = hero)
move(call, "Call", by = hero)
move(rest, "Rest", by = hero)
`)
	for id, want := range map[string]string{"damage": "9.000", "best": "4.472"} {
		m, ok := bare.Move(g, id)
		if !ok {
			t.Fatalf("%s has no odds", id)
		}
		throw, err := bare.Texts(g, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		o, err := throw.Quote(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Mean().FloatString(3); got != want {
			t.Errorf("%s: the mean is %s, want %s", id, got, want)
		}
	}
	for _, id := range []string{"call", "rest"} {
		if m, ok := bare.Move(g, id); ok || len(g.Moves) != 4 {
			t.Errorf("%s has odds: %+v", id, m)
		}
	}
}

// Of a pair of symbols the second cancels the first, with dice of one kind and of several.
func TestSymbolsOfAPairCancelEachOther(t *testing.T) {
	for call, want := range map[string]string{
		`symbols(2, luck, ("★", "☠"))`:                    "0.667", // each die: 2 stars, none, a skull and a blank
		`symbols({luck: 1, doom: 1}, ("★", "☠"))`:         "-0.167",
		`symbols({luck: 1, doom: 1}, "★")`:                "0.667",
		`symbols({luck: 1, doom: 1}, "★", ("☠", "★"))[1]`: "0.167",
	} {
		g, err := CompileRule("luck = die(\"Luck\", \"★★\", \"\", \"☠\")\ndoom = die(\"Doom\", \"☠\", \"\")\n" +
			"def f():\n    return " + call + "\nmove(f, \"F\")\n")
		if err != nil {
			t.Fatal(call, err)
		}
		m, _ := bare.Move(g, "f")
		throw, err := bare.Texts(g, m, nil)
		if err != nil {
			t.Fatal(call, err)
		}
		o, err := throw.Quote(context.Background())
		if err != nil {
			t.Fatal(call, err)
		}
		if got := o.Mean().FloatString(3); got != want {
			t.Errorf("%s: the mean is %s, want %s", call, got, want)
		}
	}
	for _, wrong := range []string{`("★",)`, `("★", "")`, `("★", 1)`, `7`} {
		_, err := CompileRule("luck = die(\"Luck\", \"★\", \"\")\ndef f():\n" +
			"    return symbols(1, luck, " + wrong + ")\nmove(f, \"F\")\n")
		if err == nil {
			g, _ := CompileRule("luck = die(\"Luck\", \"★\", \"\")\ndef f():\n" +
				"    return symbols(1, luck, " + wrong + ")\nmove(f, \"F\")\n")
			m, _ := bare.Move(g, "f")
			throw, _ := bare.Texts(g, m, nil)
			if _, err = throw.Quote(context.Background()); err == nil {
				t.Errorf("%s is taken for a symbol", wrong)
			}
		}
	}
}
