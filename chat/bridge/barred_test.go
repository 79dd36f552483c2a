package bridge_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"norn/games"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// barring is a game with moves that no player ever makes.
const barring = `game("Tower")
hero = sheet("Hero", nerve = number("Nerve", 1, 4))
foe = npc("Foe", nerve = number("Nerve", 1, 4))
done = good("done")

def twist():
    return done

def bite(me):
    return done

def dare(me):
    return done

move(twist, "Twist", by = gm)
move(bite, "Bite", by = foe)
move(dare, "Dare", by = hero)
`

// A player who tries a move that only others make hears who may make it, in a chat and from the table.
func TestRefusalOfAMoveSaysWhoMayMakeIt(t *testing.T) {
	source, err := script.Read(fstest.MapFS{"game.star": {Data: []byte(barring)}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	e := openOf(t, g.ID, append(slices.Clone(games.All()), g))
	e.invite("Ada")
	ada := e.seat("Ada")
	_, err = table.Do(t.Context(), ada, act.AddCharacter,
		act.CharacterRequest{Name: "Lira", Kind: "hero", Sheet: []byte(`{}`)}, "")
	e.must(err)
	voice, err := ada.Voice(t.Context())
	e.must(err)
	e.tied()
	for move, who := range map[string]string{"twist": "Only game masters may make this move", "bite": "may make this move: Foe"} {
		_, err := ada.Make(t.Context(), request.Move{Move: move})
		if said := refusal.Say(voice, err); !strings.Contains(said, who) {
			t.Errorf("%s is refused by %q", move, said)
		}
		for _, line := range []string{move, "/" + move} {
			a := e.write("ada", "hall", line)
			if said := text(a.Message); !a.Alone || !strings.Contains(said, who) {
				t.Errorf("%q is answered with %q", line, said)
			}
		}
	}
	e.write("ada", "hall", "twist of fate, they said")
	e.reads("hall", ">twist of fate, they said")
	if said := text(e.write("gaby", "hall", "twist").Message); strings.Contains(said, "Only") {
		t.Errorf("the game master hears %q", said)
	}
	e.reads("hall", "· Twist")
}
