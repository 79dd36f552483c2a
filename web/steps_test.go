//go:build !race

package web_test

import (
	"net/http"
	"strings"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// ticked returns the steps that a page shows, with + for those that are done.
func ticked(p answer) string {
	var steps []string
	for _, n := range p.with("data-first-step", "*") {
		mark := "-"
		if n.attrs["data-done"] == "true" {
			mark = "+"
		}
		steps = append(steps, mark+n.attrs["data-first-step"])
	}
	return strings.Join(steps, " ")
}

// The first steps follow the state of the table, are only for game masters, and can be hidden.
func TestFirstStepsFollowTheTable(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	want(t, "steps of a table with people", ticked(gm.get(gm.at(""))), "+invite +cast -move -session")
	h.make(request.Move{Move: "check", Character: "c1", ByHand: true, Dice: []int{3}, Key: "k"})
	page := gm.get(gm.at(""))
	want(t, "steps after a move", ticked(page), "+invite +cast +move -session")
	for _, who := range []string{"anna", "watcher"} {
		other := h.sits(who)
		want(t, "steps on the page of "+who, ticked(other.get(other.at(""))), "")
	}

	away := gm.submit(page.the(t, "data-form", "steps"), nil)
	want(t, "putting them away", away.status, http.StatusOK)
	want(t, "steps that were put away", ticked(away), "")
	want(t, "steps later", ticked(gm.get(gm.at(""))), "")
}

func TestFirstStepsDisappearAfterTheFirstSession(t *testing.T) {
	h := open(t)
	h.make(request.Move{Move: "no-roll", Character: "c1", Args: []byte(`{"text":"He waits."}`), Key: "k"})
	gm := h.sits("gm")
	if _, err := table.Do(t.Context(), h.master, act.EndSession, act.Nothing{}, "end"); err != nil {
		t.Fatal(err)
	}
	want(t, "steps after the first session", ticked(gm.get(gm.at(""))), "")
}

// A game master's filled button invites until somebody has come, then it leads to the heroes.
func TestInvitingComesFirstUntilSomebodyHasCome(t *testing.T) {
	h := open(t)
	created, err := h.host.Create(t.Context(), request.NewTable{Game: "spire", Name: "New", Lang: lang.En})
	must(t, err)
	gm := h.stranger()
	first := func(p answer) string {
		t.Helper()
		filled := p.the(t, "id", "composer-box").all(func(n *node) bool { return n.is("primary") })
		if len(filled) != 1 {
			t.Fatalf("%d buttons are filled", len(filled))
		}
		return filled[0].attrs["href"]
	}
	page := gm.takes("/t/" + created.ID + "/" + created.Seat.Secret)
	want(t, "alone", first(page), "#drawer-seats")
	seat, err := h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	_, err = table.Do(t.Context(), seat, act.AddSeat, act.SeatRequest{Name: "Anna", Role: string(game.Player)}, "")
	must(t, err)
	want(t, "with a player", strings.HasSuffix(first(gm.get(page.url.Path)), "/hero"), true)
}

// While a game master looks at a player's sheet, the form stays with an NPC; a move that they choose
// for the hero is the hero's.
func TestFormOfAGameMasterActsForAnNPC(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	actor := func(at string) string {
		t.Helper()
		return gm.get(gm.at(at)).the(t, "data-form", "move").sends().Get("_a")
	}
	want(t, "at a hero's sheet", actor("?_c=c1"), "c3")
	want(t, "with a move of hers", actor("?_c=c1&_m=check"), "c1")
	anna := h.sits("anna")
	want(t, "a player's", anna.get(anna.at("?_c=c1")).the(t, "data-form", "move").sends().Get("_a"), "c1")
}
