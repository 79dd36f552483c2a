//go:build e2e

package playtest

import (
	"flag"
	"testing"

	"norn/lang"
)

// naiveGames lists the games that somebody without knowledge plays: all five, and one that isn't
// norn's.
var naiveGames = []string{"spire", "mage", "eclipse", "edda", "godbound", "nightferry"}

// everywhere is the flag for each game in each language.
var everywhere = flag.Bool("everywhere", false, "let somebody who knows nothing play all games in all languages")

// inLanguages plays each game: `make e2e` in one language, the games in turns from the first; with
// -everywhere in all of them, which takes minutes more.
func inLanguages(t *testing.T, first int, play func(t *testing.T, game string, tongue lang.Lang)) {
	t.Helper()
	for i, game := range naiveGames {
		for l, tongue := range lang.All {
			if !*everywhere && l != (first+i)%len(lang.All) {
				continue
			}
			t.Run(game+"/"+string(tongue), func(t *testing.T) {
				t.Parallel()
				play(t, game, tongue)
			})
		}
	}
}

// Somebody who presses the most prominent control plays every game from the first page to the
// recap.
func TestNewcomerPlaysEveryGameToItsRecap(t *testing.T) {
	t.Parallel()
	s := serve(t, "--games", "../examples")
	inLanguages(t, 0, s.naiveEvening)
}

// On a phone, too, such a person opens a table of every game, takes a hero and rolls.
func TestNewcomerRollsInEveryGameOnAPhone(t *testing.T) {
	t.Parallel()
	s := serve(t, "--games", "../examples")
	inLanguages(t, 2, func(t *testing.T, game string, tongue lang.Lang) {
		gm := s.arrive(t, "player", tongue, s.url("/"))
		gm.reach(gm.open(s.called(game, tongue)))
		gm.reach(gm.hero())
		gm.reach(gm.throw(3))
	})
}

// In the demos such a person answers and rolls, as player on a phone and as game master, whatever
// the visitors before them have left open.
func TestNewcomerAnswersAndRollsInDemos(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo", "--games", "../examples")
	inLanguages(t, 1, func(t *testing.T, game string, tongue lang.Lang) {
		player := s.arrive(t, "player", tongue, s.url("/demo/"+game+"/player"))
		player.reach(player.answer())
		player.reach(player.throw(3))
		gm := s.arrive(t, "game master", tongue, s.url("/demo/"+game))
		gm.reach(gm.answer())
		gm.reach(gm.throw(3))
	})
}
