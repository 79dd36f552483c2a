package web_test

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"norn/dice"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/web"
)

// updated returns the house after an update of norn, in which each check of Spire rolls another die
// first.
func (h *house) updated() *house {
	h.t.Helper()
	spire, _ := game.Find(games.All(), "spire")
	newer := *spire
	newer.Edition++
	newer.Moves = slices.Clone(spire.Moves)
	for i := range newer.Moves {
		play := newer.Moves[i].Play
		newer.Moves[i].Play = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
			rest := play(s, args)
			return func(r *rule.Run) rule.Outcome {
				r.Throw(dice.Pool{N: 1, Sides: 6, For: "omen"})
				return rest(r)
			}
		}
	}
	_ = h.host.Close()
	r, played := local.New(), []*game.Game{&newer}
	later := *h
	later.host = table.New(table.Config{
		Games: game.Fixed(played), Words: spoken(), Journal: h.kept, Relay: r, Now: time.Now, Entropy: rand.Reader,
		Log: h.log, Version: "later",
	})
	server := httptest.NewServer(web.New(web.Config{
		Host: later.host, Words: spoken(), Games: game.Fixed(played),
		Log: h.log,
	}))
	later.url = server.URL
	h.t.Cleanup(func() {
		_ = later.host.Close()
		server.CloseClientConnections()
		server.Close()
		_ = r.Close()
	})
	return &later
}

// After an update the page explains what has changed; a game master continues with one press.
func TestGameMasterSwitchesToNewerRulesByOnePress(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	spire, _ := game.Find(games.All(), "spire")
	h := open(t)
	begun := h.risky("open")
	seen := h.sits("anna")
	was := seen.get(seen.at("")).the(t, "data-live", seen.at("/live?")).attrs["data-live-after"]
	h = h.updated()
	gm, anna := h.sits("gm"), h.sits("anna")
	stream, stop := anna.listen(was)
	defer stop()
	contains(t, "a page of before", hear(t, stream, "view").data,
		"until the GM takes up edition "+strconv.Itoa(spire.Edition+1))
	page := anna.get(anna.at(""))
	contains(t, "Anna's page", page.the(t, "id", "edition").says(),
		"Norn’s rules for Spire have changed. The table still plays by edition "+strconv.Itoa(spire.Edition))
	if len(page.with("data-form", "edition")) != 0 {
		t.Error("a player is offered to take the newer rules up")
	}
	refused := anna.post(anna.at("/move"),
		url.Values{"_m": {"no-roll"}, "_a": {"c1"}, "text": {"Over the wall"}, "_key": {"k"}, "_touched": {"*"}})
	want(t, "a move meanwhile", refused.status, http.StatusUnprocessableEntity)
	contains(t, "what she typed", refused.body, "Over the wall")
	contains(t, "why", refused.says(), "The GM has to take up the newer one first")
	want(t, "a player takes it", anna.post(anna.at("/act/take-edition"), url.Values{"_key": {"x"}}).status,
		http.StatusForbidden)

	notice := gm.get(gm.at("")).the(t, "data-form", "edition")
	contains(t, "the game master's page", notice.says(),
		"What can’t go on by the newer rules is cancelled, and all is as it was before it: Lira, “")
	taken := gm.submit(notice, nil)
	want(t, "status", taken.status, http.StatusOK)
	contains(t, "what couldn't go on", taken.the(t, "data-move", begun.Entry.Move).says(), "Cancelled by GM")
	contains(t, "the log", taken.says(),
		"The table plays by edition "+strconv.Itoa(spire.Edition+1)+" of norn’s rules for Spire now")
	if len(taken.with("id", "edition")) != 0 {
		t.Error("it's offered again")
	}
	heard := parse(t, hear(t, stream, "entry").data)
	if len(heard.piece(t, "#calls").with("id", "edition")) != 0 {
		t.Error("Anna is still told to wait")
	}
	contains(t, "Anna's card", heard.the(t, "data-move", begun.Entry.Move).says(), "Cancelled by GM")
	want(t, "twice", gm.post(gm.at("/act/take-edition"), url.Values{"_key": {"y"}}).status,
		http.StatusUnprocessableEntity)
	want(t, "a move now", anna.post(anna.at("/move"),
		url.Values{"_m": {"no-roll"}, "_a": {"c1"}, "text": {"Over the wall"}, "_key": {"k"}, "_touched": {"*"}}).status, http.StatusOK)
	for _, l := range lang.All {
		gm.lang = string(l)
		want(t, "in "+string(l), gm.get(gm.at("")).status, http.StatusOK)
	}
}
