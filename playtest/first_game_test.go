//go:build e2e

package playtest

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"norn/chat"
	"norn/examples/undertow"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/web"
)

// A new game is played like norn's own: its demo, a move with its odds, a consequence that is named
// and resisted, and its sheets, which it doesn't draw itself.
func TestOwnGameIsPlayedLikeABuiltInOne(t *testing.T) {
	t.Parallel()
	ctx, g := t.Context(), undertow.New()
	words, err := lang.Load(form.Words, widget.Words, bare.Words, chat.Words, table.Words, web.Words, g.Words)
	if err != nil {
		t.Fatal(err)
	}
	j, err := sqlite.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, log, relay := []*game.Game{g}, slog.New(slog.NewTextHandler(io.Discard, nil)), local.New()
	host := table.New(table.Config{
		Games: game.Fixed(all), Words: words, Journal: j, Relay: relay, Now: time.Now,
		Entropy: rand.Reader, Log: log, Version: "test",
	})
	server := httptest.NewServer(web.New(web.Config{Host: host, Words: words, Games: game.Fixed(all), Log: log}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		_ = host.Close()
		server.Close()
		_, _ = relay.Close(), j.Close()
	})

	created, err := host.Create(ctx, request.NewTable{Game: g.ID, Name: "Undertow", Lang: lang.Ru})
	if err != nil {
		t.Fatal(err)
	}
	keeper, err := host.Enter(ctx, created.ID, created.Seat.Secret, lang.Ru)
	if err != nil {
		t.Fatal(err)
	}
	invited, err := table.Do(ctx, keeper, act.AddSeat, act.SeatRequest{Name: "Вера", Role: string(game.Player)}, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range g.Demo(words.In(lang.Ru)).Cast {
		kind, _ := g.Kind(c.Kind)
		sheet := json.RawMessage(kind.Form.JSON(c.Sheet))
		owner := ""
		if i == 0 {
			owner = invited.ID
		}
		if _, err := table.Do(ctx, keeper, act.AddCharacter,
			act.CharacterRequest{Name: c.Name, Kind: c.Kind, Owner: owner, Sheet: sheet}, ""); err != nil {
			t.Fatal(err)
		}
	}

	gm, player := sit(t, "gm", 1366, 768), sit(t, "vera", 360, 780)
	for who, secret := range map[*seat]string{gm: created.Seat.Secret, player: invited.Secret} {
		who.visit(server.URL + "/")
		who.run(`document.cookie = "lang=ru; path=/"`)
		who.follows(server.URL + "/t/" + created.ID + "/" + secret)
	}
	player.compose("act")
	player.fills(composer, "action", "skulk")
	player.fills(composer, "clock", "c3")
	player.sees(composer, "75 % на успех")
	player.picture("composer")
	player.byHand("2 4")
	gm.sees("[data-question-kind='undertow.consequence']", "Вера")
	gm.picture("consequence")
	// new characters can be named too
	if _, err := table.Do(ctx, keeper, act.AddCharacter, act.CharacterRequest{Stock: "alarm"}, ""); err != nil {
		t.Fatal(err)
	}
	gm.sees("[data-question-kind='undertow.consequence']", "Тревога")
	gm.answers("undertow.consequence", "what", "threat", "clock", "c2") // nobody held that clock before
	player.answers("undertow.resist", "resist", "true")
	player.answers("dice", "faces", "5 1")
	gm.sees("[data-move]", "Сторожевой катер")
	gm.sees("#cast", "2")
	player.click(".tabs [data-to-tab=sheet]")
	player.sees("#sheet", "Красться")
	player.sees("#sheet [data-track=stress]", "4")
	player.picture("sheet")
	gm.picture("table")
}
