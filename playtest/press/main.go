// Press counts what one press of Roll on a page runs. tools/press.sh builds it with coverage, runs it and
// prints the sums.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime/coverage"
	"strconv"
	"strings"
	"time"

	"norn/chat"
	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/games"
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

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "press:", err)
		os.Exit(1)
	}
}

// run presses at a table of each game, and writes the counters of the second press of a kind, when all
// is warm, into a folder of its own.
func run(ctx context.Context, into string) error {
	folders := []fs.FS{foreign.Words, form.Words, widget.Words, bare.Words, table.Words, chat.Words, web.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "press")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer j.Close()
	log := slog.New(slog.DiscardHandler)
	host := table.New(table.Config{
		Games: games.All(), Words: words, Journal: j, Relay: local.New(), Now: time.Now, Entropy: rand.Reader,
		Log: log, Version: "press",
	})
	defer host.Close()
	served := web.New(web.Config{Host: host, Words: words, Games: games.All(), Log: log})
	for _, g := range games.All() {
		p, err := sit(ctx, host, served, g)
		if err != nil {
			return fmt.Errorf("%s: %w", g.ID, err)
		}
		for _, kind := range []string{"refused", "made"} {
			for range 2 {
				if err := p.press(ctx, kind == "refused", filepath.Join(into, g.ID+" "+kind)); err != nil {
					return fmt.Errorf("%s, %s: %w", g.ID, kind, err)
				}
			}
		}
	}
	return nil
}

// player is a game master with a hero, at a page with the form of a roll.
type player struct {
	served        http.Handler
	seat          *table.Seat
	secret        string
	move, hero    string
	keys          int
	refusedNumber string // a field that takes no number so large
}

// sit opens a table with the game's first ready hero and finds a move that rolls dice.
func sit(ctx context.Context, host *table.Host, served http.Handler, g *game.Game) (*player, error) {
	made, err := host.Create(ctx, request.NewTable{Game: g.ID, Name: "Press", Lang: lang.En})
	if err != nil {
		return nil, err
	}
	seat, err := host.Enter(ctx, made.ID, made.Seat.Secret, lang.En)
	if err != nil {
		return nil, err
	}
	p := &player{served: served, seat: seat, secret: made.Seat.Secret}
	hero := g.ReadyHeroes(seat.Speaker())[0].ID
	if _, err = table.Do(ctx, seat, act.AddCharacter, act.CharacterRequest{Name: "Oak", Hero: hero}, ""); err != nil {
		return nil, err
	}
	shown, err := seat.View(ctx)
	if err != nil {
		return nil, err
	}
	p.hero = shown.Characters[0].ID
	for _, m := range g.Moves {
		if !m.Throws {
			continue
		}
		prepared, err := p.prepare(ctx, m.ID)
		if err != nil {
			continue
		}
		for _, f := range prepared.Form.Fields {
			if f.Kind == form.KindInt {
				p.move, p.refusedNumber = m.ID, f.Name
				return p, nil
			}
		}
	}
	return nil, errors.New("no move rolls dice and takes a number")
}

func (p *player) prepare(ctx context.Context, move string) (act.Prepared, error) {
	return p.seat.Prepare(ctx, request.Move{Move: move, Character: p.hero, Touched: []string{}}, act.Prepared{})
}

// press posts the form and writes what that has run.
func (p *player) press(ctx context.Context, refused bool, into string) error {
	prepared, err := p.prepare(ctx, p.move)
	if err != nil {
		return err
	}
	p.keys++
	sent := maps.Clone(prepared.Values)
	for name, text := range map[string]string{
		"_m": p.move, "_a": p.hero, "_c": p.hero, "_by": "throw", "_key": strconv.Itoa(p.keys), "_nonce": "n", "_touched": "",
	} {
		sent.Set(name, text)
	}
	want := http.StatusNoContent
	if refused {
		sent.Set(p.refusedNumber, "99999")
		sent.Set("_touched", p.refusedNumber)
		want = http.StatusUnprocessableEntity
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/t/"+p.seat.Table()+"/move", strings.NewReader(sent.Encode()))
	r.Header = http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Hx-Request": {"true"}, "Sec-Fetch-Site": {"same-origin"},
		"Cookie": {"seat_" + p.seat.Table() + "=" + p.secret},
	}
	got := httptest.NewRecorder()
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	p.served.ServeHTTP(got, r)
	if err := os.RemoveAll(into); err != nil {
		return err
	}
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	if err := errors.Join(coverage.WriteCountersDir(into), coverage.WriteMetaDir(into)); err != nil {
		return err
	}
	if got.Code != want {
		return fmt.Errorf("%s answers %d, not %d: %s", p.move, got.Code, want, url.QueryEscape(got.Body.String())[:200])
	}
	return p.cancel(ctx)
}

// cancel takes an open move back, so that the next one can be made.
func (p *player) cancel(ctx context.Context) error {
	shown, err := p.seat.View(ctx)
	for _, q := range shown.Questions {
		_, err = table.Do(ctx, p.seat, act.Cancel, act.CancelRequest{Move: q.Move}, "")
		break
	}
	return err
}
