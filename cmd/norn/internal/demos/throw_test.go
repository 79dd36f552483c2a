package demos

import (
	"encoding/json"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// In the demo of every game, own games too, each of the two seats has an open question, and both
// can make the roll that the form is filled in with.
func TestVisitorOfAnyDemoCanMakeThePreparedThrow(t *testing.T) {
	all := games.All()
	for _, name := range []string{"nightferry", "longroad", "underhill"} {
		text, err := script.Read(os.DirFS("../../../../examples/" + name))
		if err != nil {
			t.Fatal(err)
		}
		g, err := script.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	norn, err := cli.Wire(all)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	host := table.New(table.Config{
		Games: game.Fixed(all), Words: norn.Words, Journal: store, Relay: local.New(), Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{1}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	defer host.Close()
	for i, g := range all {
		l := lang.All[i%len(lang.All)]
		for _, role := range []game.Role{game.Master, game.Player} {
			t.Run(g.ID+" "+string(role), func(t *testing.T) {
				demo, err := Play(t.Context(), host, g, norn.Words.In(l))
				if err != nil {
					t.Fatal(err)
				}
				secret := demo.GM
				if role == game.Player {
					secret = demo.Player
				}
				seat, err := host.Enter(t.Context(), demo.Table, secret, l)
				if err != nil {
					t.Fatal(err)
				}
				throwsAgain(t, g, role, seat, demo)
			})
		}
	}
}

func throwsAgain(t *testing.T, g *game.Game, role game.Role, seat *table.Seat, demo Table) {
	t.Helper()
	shown, err := seat.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(shown.Questions, func(q view.Question) bool { return q.Mine }) {
		t.Errorf("no question waits for the seat, but %+v", shown.Waiting)
	}
	if demo.Again == 0 {
		t.Fatal("nobody of the player's is free to throw")
	}
	entries, err := seat.Log(t.Context(), demo.Again-1, 1)
	if err != nil || len(entries) != 1 || entries[0].Character != demo.Hero {
		t.Fatalf("the move to make again: %+v, %v", entries, err)
	}
	filled := maps.Clone(entries[0].Args)
	if move, _ := g.Move(entries[0].Name); role != game.Master {
		for _, field := range move.Form.Fields {
			if field.GM { // the player's form doesn't have it
				delete(filled, field.Name)
			}
		}
	}
	args, err := json.Marshal(filled)
	if err != nil {
		t.Fatal(err)
	}
	made, err := seat.Make(t.Context(), request.Move{Move: entries[0].Name, Character: demo.Hero, Args: args})
	if err != nil {
		t.Fatalf("the first throw is refused: %v", err)
	}
	if len(made.Entry.Throws) == 0 {
		t.Error("no dice fell")
	}
}
