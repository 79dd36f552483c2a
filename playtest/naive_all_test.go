//go:build e2e

package playtest

import (
	"flag"
	"testing"

	"norn/lang"
)

// naiveGames are those that are played by somebody who knows nothing: all five, and one that isn't norn's.
var naiveGames = []string{"spire", "mage", "eclipse", "edda", "godbound", "nightferry"}

// everywhere asks for the evenings and demos of all games: a quarter of an hour, with dice that
// nobody has chosen, so that two runs may meet different questions.
var everywhere = flag.Bool("everywhere", false, "let somebody who knows nothing play all games in all languages")

func needEverywhere(t *testing.T) {
	t.Helper()
	if !*everywhere {
		t.Skip("a quarter of an hour: go test -tags e2e -run Naive ./playtest -args -everywhere")
	}
}

// Somebody who presses what is most prominent plays every game, in every language, from the first page to the recap.
func TestNaiveEveningsOfAllGames(t *testing.T) {
	t.Parallel()
	needEverywhere(t)
	s := serve(t, "--games", "../examples")
	for _, game := range naiveGames {
		for _, tongue := range lang.All {
			t.Run(game+"/"+string(tongue), func(t *testing.T) { s.naiveEvening(t, game, tongue) })
		}
	}
}

// In the demos such a person answers and throws, as game master and as player on a phone.
func TestNaiveVisitsToDemos(t *testing.T) {
	t.Parallel()
	needEverywhere(t)
	masters, players := serve(t, "--demo", "--games", "../examples"), serve(t, "--demo", "--games", "../examples")
	for _, game := range naiveGames {
		for _, tongue := range lang.All {
			t.Run(game+"/"+string(tongue), func(t *testing.T) {
				gm := masters.arrive(t, "game master", tongue, masters.url("/demo/"+game))
				gm.reach(gm.answer())
				gm.reach(gm.throw(3))
				player := players.arrive(t, "player", tongue, players.url("/demo/"+game+"/player"))
				player.reach(player.answer())
				player.reach(player.throw(3))
			})
		}
	}
}
