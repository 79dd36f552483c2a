package script_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// camp has moves that are suggested between sessions.
const camp = `game("Camp")
hero = sheet("Hero", hurt = track("Hurt", 6), coin = number("Coin", 0, 99))
foe = npc("Foe", hurt = track("Hurt", 6))
share = question("What is each hero's share?", n = number("Coins", 0, 20, start = 3))

def pay(who):
    n = ask(share, to = gm).n
    for one in who:
        change(one, coin = one.coin + n)

def rest(me, days):
    change(me, hurt = max(0, me.hurt - days))

def fight(me):
    change(me, hurt = me.hurt + 1)

move(pay, "Pay", by = gm, who = picks("Who", hero), between = "ticked")
move(rest, "Rest", by = [hero, foe], days = number("Days", 1, 7), between = True)
move(fight, "Fight", by = hero, between = False)
`

// suggests returns what a seat is suggested, with a star where it's ticked and the number of its
// questions.
func (e *evening) suggests(seat *table.Seat) string {
	e.t.Helper()
	all, err := seat.Between(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	return strings.Join(game.Each(all, func(s view.Suggestion) string {
		text := s.Character + ":" + s.Move + strings.Repeat("?", len(s.Questions))
		if s.Ticked {
			text += "*"
		}
		if s.Made != nil {
			text += "=" + s.Made.Move
		}
		return text
	}), " ")
}

// A game's text says which of its moves are suggested between sessions. Players are suggested what
// they may make with their own characters; of hidden ones only the game master knows.
func TestScriptSuggestsMovesBetweenSessions(t *testing.T) {
	e := begin(t, script.Text{Game: camp})
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero"})
	e.add(e.gm, act.CharacterRequest{Name: "Wolf", Kind: "foe"})
	lost := e.add(e.gm, act.CharacterRequest{Name: "Lost", Kind: "hero", Hidden: true})
	check := func(what, want, got string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("the game master", ":pay?* "+ann+":rest "+lost+":rest", e.suggests(e.gm))
	check("the player", ann+":rest", e.suggests(e.ann))
	made, err := e.gm.Make(t.Context(),
		request.Move{Move: "pay", Args: json.RawMessage(`{"who":["` + ann + `"]}`)})
	if err != nil || len(made.Open) != 1 {
		t.Fatal(made, err)
	}
	check("once it's made", ":pay?="+made.Entry.Move, strings.Fields(e.suggests(e.gm))[0])
	if _, err := table.Do(t.Context(), e.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, ""); err != nil {
		t.Fatal(err)
	}
	check("once it's cancelled", ":pay?*", strings.Fields(e.suggests(e.gm))[0])
	if _, err := e.gm.Make(t.Context(), request.Move{Move: "rest", Character: ann, Secret: true}); err != nil {
		t.Fatal(err)
	}
	check("a player after a secret rest", ann+":rest", e.suggests(e.ann))
	if !slices.Contains(strings.Fields(e.suggests(e.gm)), lost+":rest") {
		t.Error("another character counts as rested")
	}
}
