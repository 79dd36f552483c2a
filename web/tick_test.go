//go:build !race

package web_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"norn/game"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// A move of an own game ticks the clock that it names. Players who see the clock read about it, and
// undoing the move turns it back.
func TestMoveOfAnOwnGameTicksAClockAndUndoTurnsItBack(t *testing.T) {
	ctx := t.Context()
	text, err := script.Read(fstest.MapFS{"game.star": {Data: []byte(`game("Watch")
hero = sheet("Hero", nerve = number("Nerve", 1, 4))
seen = good("seen")

def dare(me):
    tick("The watch", by = 2)
    return seen

move(dare, "Dare", by = hero)
`)}})
	must(t, err)
	g, err := script.Compile(text)
	must(t, err)
	h, gm := hosted(t, g)
	seat, err := table.Do(ctx, gm, act.AddSeat, act.SeatRequest{Name: "anna", Role: string(game.Player)}, "")
	must(t, err)
	h.links["anna"] = "/t/" + h.table + "/" + seat.Secret
	who := added(t, gm, act.CharacterRequest{Name: "Oak", Kind: "hero", Owner: seat.ID, Sheet: json.RawMessage(`{"nerve":2}`)})
	dares := func(secret bool) view.Made {
		t.Helper()
		made, err := gm.Make(ctx, request.Move{Move: "dare", Character: who, Args: json.RawMessage(`{}`), Secret: secret})
		must(t, err)
		return made
	}
	clock := func() view.ClockShown {
		v, err := gm.View(ctx)
		must(t, err)
		return v.Clocks[0]
	}
	page := func() string {
		anna := h.sits("anna")
		return anna.get(h.links["anna"]).body
	}

	dares(false) // there's no such clock, so nothing happens
	want(t, "a clock that isn't there is no player's to know", strings.Contains(page(), "The watch"), false)
	_, err = table.Do(ctx, gm, act.SetClock, act.ClockRequest{Name: "THE  watch", Max: 6, Hidden: true}, "")
	must(t, err)
	dares(false)
	want(t, "a hidden clock ticks", clock().At, 2)
	want(t, "and no player reads of it", strings.Contains(page(), "The watch"), false)
	_, err = table.Do(ctx, gm, act.SetClock, act.ClockRequest{ID: clock().ID, Name: "The watch", Max: 6, At: 0}, "")
	must(t, err)
	open := dares(false)
	want(t, "a clock that all see ticks", clock().At, 2)
	contains(t, "its players read of it", page(), "The watch")
	secret := dares(true)
	want(t, "a secret move ticks it", clock().At, 4)
	contains(t, "whoever sees the clock sees where it is", page(), "4/6")
	for _, made := range []struct {
		view.Made
		at int
	}{{secret, 2}, {open, 0}} {
		_, err := table.Do(ctx, gm, act.Undo, act.UndoRequest{Seq: int(made.Entry.Seq)}, "")
		must(t, err)
		want(t, "undone", clock().At, made.at)
	}
}

// A move that ticked a clock and is cancelled while its question is open turns the clock back.
func TestCancellingAMoveTurnsItsClockBack(t *testing.T) {
	ctx := t.Context()
	text, err := script.Read(fstest.MapFS{"game.star": {Data: []byte(`game("Watch")
hero = sheet("Hero", nerve = number("Nerve", 1, 4))
seen = good("seen")
price = question("What is the price?", word = text("In a word"))

def dare(me):
    tick("The watch", by = 2)
    ask(price, to = gm)
    return seen

move(dare, "Dare", by = hero)
`)}})
	must(t, err)
	g, err := script.Compile(text)
	must(t, err)
	_, gm := hosted(t, g)
	who := added(t, gm, act.CharacterRequest{Name: "Oak", Kind: "hero", Sheet: json.RawMessage(`{"nerve":2}`)})
	_, err = table.Do(ctx, gm, act.SetClock, act.ClockRequest{Name: "The watch", Max: 6, At: 1}, "")
	must(t, err)
	at := func() int {
		v, err := gm.View(ctx)
		must(t, err)
		return v.Clocks[0].At
	}
	made, err := gm.Make(ctx, request.Move{Move: "dare", Character: who, Args: json.RawMessage(`{}`)})
	must(t, err)
	want(t, "questions are open", len(made.Open), 1)
	want(t, "the clock has ticked", at(), 3)
	_, err = table.Do(ctx, gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "")
	must(t, err)
	want(t, "the clock is back", at(), 1)
}
