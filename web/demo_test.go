//go:build !race

package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/table/request"
	"norn/web"
	"norn/web/webtest"
)

// A demo opens with a filled-in form, by its button and by its link, so that a visitor's first
// press rolls dice.
func TestDemoOpensWithAFormReadyToRoll(t *testing.T) {
	h := open(t)
	first := h.make(request.Move{
		Move: "check", Character: "c1",
		Args: []byte(`{"skill":"sneak","domain":"crime","risk":"d3","resistance":"mind"}`), ByHand: true,
		Dice: []int{9, 2, 3, 4}, Key: "k",
	})
	demo := func(_ context.Context, _ *game.Game, _ lang.Speaker, role game.Role, _ func() error) (string, error) {
		link := map[game.Role]string{game.Master: h.links["gm"], game.Player: h.links["anna"]}[role]
		return link + "?_again=" + strconv.FormatUint(first.Entry.Seq, 10) + "&_c=c1", nil
	}
	server := httptest.NewServer(web.New(web.Config{
		Host: h.host, Words: spoken(), Games: games.All(), Demo: demo,
		Gate: webtest.RoomyGate(), Log: h.log,
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	for name, arrives := range map[string]func(*browser) answer{
		"by a press":  func(b *browser) answer { return b.post("/demo/spire", nil) },
		"by its link": func(b *browser) answer { return b.post(b.get("/demo/spire").url.RequestURI(), nil) },
		"a player's": func(b *browser) answer {
			return b.post(b.get("/demo/spire/player").url.RequestURI(), nil)
		},
		"held by the browser": func(b *browser) answer { b.post("/demo/spire", nil); return b.get("/demo/spire") },
	} {
		b := h.stranger()
		page := arrives(b)
		form := page.the(t, "data-form", "move")
		sent := form.sends()
		want(t, name+": who acts, by which move, with what",
			sent.Get("_a")+" "+sent.Get("_m")+" "+sent.Get("skill")+" "+sent.Get("domain"), "c1 check sneak crime")
		made := b.submit(form, map[string]string{"_by": "hand", "_dice": "9 3 2 4"})
		want(t, name+": status", made.status, http.StatusOK)
	}
}
