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
