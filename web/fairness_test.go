//go:build !race

package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"norn/dice"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// proved holds the data on a page that its script verifies.
type proved struct {
	Table, Commitment, Move, Nonce, Secret string
	Shares                                 []string
	Throws                                 []struct {
		Place string
		Sides int
		Faces []int
	}
}

// A throw's faces are on the page from the start, its proof once its session is over; both on a
// page and in a panel.
func TestProofOfAThrowAppearsOnceItsSessionIsOver(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	args := json.RawMessage(`{"resistance":"blood","text":"sleeps"}`)
	_, err := table.Do(t.Context(), h.master, act.AddShare, act.ShareRequest{Share: `seven "grey" cranes`}, "s")
	must(t, err)
	move := h.make(request.Move{Move: "act", Character: "c1", Args: args, Nonce: "n & m", Key: "l"}).Entry.Move
	hand := h.make(request.Move{
		Move: "act", Character: "c1", Args: args, ByHand: true, Dice: []int{2},
		Key: "h",
	}).Entry.Move
	secret := h.make(request.Move{Move: "act", Character: "c2", Args: args, Secret: true, Key: "x"}).Entry.Move

	link := anna.get(anna.at("")).the(t, "data-move", move).with("data-check", "*")
	if len(link) != 1 || link[0].attrs["href"] != anna.at("/check/"+move) {
		t.Fatalf("the card's links: %v", link)
	}
	for _, none := range []string{hand, secret, "m999", "m", "x", "c1"} {
		want(t, none, anna.get(anna.at("/check/"+none)).status, http.StatusNotFound)
	}
	for _, b := range []*browser{anna, anna.script()} {
		before := b.get(b.at("/check/" + move))
		want(t, "status", before.status, http.StatusOK)
		contains(t, "panel", before.says(), "This session still lasts")
		contains(t, "numbers", before.says(), `seven "grey" cranes`)
		if len(before.with("data-proof", "*")) != 0 {
			t.Error("there is a proof before the secret is opened")
		}
	}
	want(t, "a stranger's", h.stranger().get(anna.at("/session/1")).status, http.StatusNotFound)
	contains(t, "session", anna.get(anna.at("/session/1")).says(), "This session still lasts")
	contains(t, "session", anna.get(anna.at("/session/1")).says(), "What happened")
	want(t, "a session to come", anna.get(anna.at("/session/2")).status, http.StatusNotFound)

	_, err = table.Do(t.Context(), h.master, act.EndSession, act.Nothing{}, "e")
	must(t, err)
	later := h.make(request.Move{Move: "act", Character: "c1", Args: args, Key: "later"}).Entry.Move
	proof := func(page answer, n int) proved {
		t.Helper()
		found := page.with("data-proof", "*")
		if len(found) != n {
			t.Fatalf("%d proofs, want %d", len(found), n)
		}
		var p proved
		must(t, json.Unmarshal([]byte(found[0].attrs["data-proof"]), &p))
		return p
	}
	panel := anna.script().get(anna.at("/check/" + move))
	contains(t, "what fits", panel.with("data-fits", "*")[0].attrs["data-fits"], "The die is fair")
	p := proof(panel, 1)
	sealed, err := dice.ParseSecret(p.Secret)
	must(t, err)
	if !dice.Check(p.Commitment, sealed) || p.Move != move || p.Nonce != "n & m" || len(p.Throws) != 1 {
		t.Errorf("proof %+v", p)
	}
	if face := dice.NewStream(dice.Key(sealed, p.Shares, p.Table, p.Move, p.Nonce,
		p.Throws[0].Place)).Face(p.Throws[0].Sides); face != p.Throws[0].Faces[0] {
		t.Errorf("the die is %d, its proof gives %d", p.Throws[0].Faces[0], face)
	}
	first := anna.get(anna.at("/session/1"))
	proof(first, 1)
	proof(gm.get(gm.at("/session/1")), 2) // includes the secret one
	want(t, "rows", len(first.with("id", hand))+len(first.with("id", move)), 2)
	if len(first.with("id", secret))+len(first.with("id", later)) != 0 || strings.Contains(first.says(), "Harald") {
		t.Error("the session shows what isn't Anna's to see, or isn't of it")
	}
}

// The luck of a session is on its page for those who may know the odds, in the reader's language,
// and that of a throw on its panel.
func TestLuckIsShownOnlyToThoseWhoMayKnowTheOdds(t *testing.T) {
	h := open(t)
	anna, watcher := h.sits("anna"), h.sits("watcher")
	_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
		act.ChangeRequest{ID: "c1", Sheet: json.RawMessage(`{"stress":{"blood":6}}`)}, "s")
	must(t, err)
	args := json.RawMessage(`{"resistance":"blood","text":"sleeps"}`)
	move := h.make(request.Move{Move: "act", Character: "c1", Args: args, ByHand: true, Dice: []int{5}, Key: "a"}).Entry
	want(t, "or better", move.Luck.OrBetter, "1/3")
	_, err = table.Do(t.Context(), h.master, act.EndSession, act.Nothing{}, "e")
	must(t, err)
	page := anna.get(anna.at("/session/1"))
	contains(t, "luck", page.the(t, "data-luck-of", "s1").says(), "GM 1 luckier than 75% of sessions")
	contains(t, "the throw", page.the(t, "id", move.Move).says(), "33%")
	if len(watcher.get(watcher.at("/session/1")).with("data-luck", "*")) != len(page.with("data-luck", "*")) {
		t.Error("sheets lie open in Spire, so does their luck")
	}
	if len(anna.get(anna.at("/session/2")).with("data-lucks", "*")) != 0 {
		t.Error("a session without throws has luck")
	}
	_, err = table.Do(t.Context(), h.master, act.Undo, act.UndoRequest{Seq: int(move.Seq)}, "u")
	must(t, err)
	contains(t, "a throw that was undone", anna.get(anna.at("/session/1")).the(t, "id", move.Move).says(),
		"Undone by GM")
}
