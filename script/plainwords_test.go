package script

import (
	"testing"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// What plain dice say, too, a game says in its own words where it has some; plain dice keep theirs.
func TestGamesOwnWordsReplaceThoseOfPlainDice(t *testing.T) {
	g := compiled(t, `game("Regatta")
sailor = sheet("Sailor", notation = text("Ship’s papers"))
won = good("You lead the race")
tied = mixed("You sail side by side")
lost = bad("You fall behind", short = "behind")
def race(me):
    n = roll(d6)
    return won if n > 4 else tied if n > 2 else lost
move(race, "Race", by = sailor, chances = {"won": [won]})
`)
	words, err := lang.Load(form.Words, g.Words)
	if err != nil {
		t.Fatal(err)
	}
	s := words.In(lang.En)
	race, _ := g.Move("race")
	for id, want := range map[string]string{
		g.MoveWord(race, "outcome", "won"):        "You lead the race",
		g.MoveWord(race, "outcome", "tied"):       "You sail side by side",
		g.MoveWord(race, "outcome-short", "lost"): "behind",
		g.Word("field", "notation"):               "Ship’s papers",
	} {
		if s.Has(id) && s.Say(id) == want {
			continue
		}
		t.Errorf("%s isn't %q", id, want)
	}
	if said := s.Say(g.MoveWord(race, "headline", "won"), "P", "33%"); said != "33% won" {
		t.Errorf("the chance is said as %q", said)
	}
	if id := g.MoveWord(&game.Plain, "outcome", "won"); id != "dice.outcome.won" {
		t.Errorf("plain dice say %s", id)
	}
	if id := g.Word("outcome", "reached"); id != "dice.outcome.reached" {
		t.Errorf("a word that the game lacks is %s", id)
	}
	if shown := g.Showing(rule.Throw{For: "fate", Sides: 6, Faces: []int{1, 3, 6}}); shown != nil {
		t.Errorf("six-sided dice for Fate show %v", shown)
	}
}
