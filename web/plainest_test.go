//go:build !race

package web_test

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/fstest"
	"time"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/web"
)

type post struct {
	Height int      `json:"height" form:"max=9"`
	Near   form.Ref `json:"near,omitempty"`
	Lit    bool     `json:"lit"`
	Of     string   `json:"of" form:"choice=oak|ash"`
	Says   string   `json:"says" form:"text"`
	Root   root     `json:"root"`
	Signs  []sign   `json:"signs" form:"max=3"`
}

type root struct {
	Depth int `json:"depth" form:"max=90"`
}

type sign struct {
	Text string `json:"text" form:"text"`
}

type knock struct {
	Times int `json:"times" form:"max=3,default=1"`
}

// plainest is a minimal game: its View is zero, and its move has only a rule.
func plainest() *game.Game {
	return &game.Game{
		ID: "plainest", Words: fstest.MapFS{},
		Kinds: []game.Kind{game.KindOf("post", true, post{}, nil)},
		Moves: []game.Move{game.Define(game.MoveSpec[knock]{
			ID: "knock", AtTable: true, Kinds: []string{"post"},
			Play: func(r *rule.Run, _ game.Scene, a knock) rule.Outcome {
				return rule.Outcome{ID: "heard", N: a.Times}
			},
		})},
		Settings: game.SettingsOf(struct{}{}),
	}
}

// hosted returns a house with another table, of a given game.
func hosted(t *testing.T, g *game.Game) (*house, *table.Seat) {
	t.Helper()
	ctx := t.Context()
	j, err := sqlite.Open(ctx, t.TempDir())
	must(t, err)
	all, log, r := append(games.All(), g), slog.New(slog.NewTextHandler(io.Discard, nil)), local.New()
	host := table.New(table.Config{
		Games: all, Words: spoken(), Journal: j, Relay: r, Now: time.Now, Entropy: rand.Reader, Log: log,
		Version: "test",
	})
	server := httptest.NewServer(web.New(web.Config{Host: host, Words: spoken(), Games: all, Log: log}))
	t.Cleanup(func() {
		_ = host.Close()
		server.Close()
		_ = r.Close()
		_ = j.Close()
	})
	created, err := host.Create(ctx, request.NewTable{Game: g.ID, Name: "Posts", Lang: lang.En})
	must(t, err)
	gm, err := host.Enter(ctx, created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	links := map[string]string{"gm": "/t/" + created.ID + "/" + created.Seat.Secret}
	return &house{t: t, url: server.URL, host: host, table: created.ID, links: links}, gm
}

// added adds a character with a sheet and returns its id.
func added(t *testing.T, gm *table.Seat, c act.CharacterRequest) string {
	t.Helper()
	entry, err := table.Do(t.Context(), gm, act.AddCharacter, c, "")
	must(t, err)
	var who struct {
		ID string `json:"id"`
	}
	must(t, json.Unmarshal(entry.Lines[0].Data, &who))
	return who.ID
}

func TestGameThatDefinesAlmostNothingIsPlayed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	h, gm := hosted(t, plainest())
	anna := ""
	for name, role := range map[string]game.Role{"anna": game.Player, "watcher": game.Spectator} {
		seat, err := table.Do(ctx, gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(role)}, "")
		must(t, err)
		h.links[name] = "/t/" + h.table + "/" + seat.Secret
		if role == game.Player {
			anna = seat.ID
		}
	}
	oak := added(t, gm, act.CharacterRequest{
		Name: "Oak", Kind: "post", Owner: anna,
		Sheet: json.RawMessage(`{"height":4,"lit":true,"of":"ash","says":"Halt","root":{"depth":70},"signs":[{"text":"To the ferry"}]}`),
	})
	if _, err := gm.Make(ctx, request.Move{Move: "knock", Character: oak, Args: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	drawn := h.sits("gm").get(h.links["gm"]) // a kind without a template is drawn from its form
	for _, want := range []string{"To the ferry", "Halt", "70", "boxes"} {
		contains(t, "the sheet", drawn.body, want)
	}
	sheet := url.Values{"height": {"5"}, "near": {""}, "of": {"oak"}, "root.depth": {"3"}}
	if _, err := table.Do(ctx, gm, act.ChangeCharacter, act.ChangeRequest{ID: oak, Values: sheet}, ""); err != nil {
		t.Errorf("the game master changes a sheet: %v", err)
	}
	for name := range h.links {
		b := h.sits(name)
		for _, at := range []string{
			"", "?_c=" + oak, "?_edit=1&_c=" + oak, "?_m=knock&_a=" + oak, "?_m=dice", "/gm",
			"/story", "/story.md", "/seen.jsonl",
		} {
			if got := b.get(b.at(at)); got.status >= http.StatusInternalServerError {
				t.Errorf("%s at %q: %d\n%.300s", name, at, got.status, got.body)
			}
		}
	}
}
