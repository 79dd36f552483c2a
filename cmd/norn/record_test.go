package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
	"norn/form"
	"norn/game"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// hall is a host with demo tables, with the same times and dice at each run.
type hall struct {
	p     *cli.Program
	dir   string
	store *sqlite.Journal
	host  *table.Host
	demos map[string]demos.Table
}

func newHall(t *testing.T, l lang.Lang) *hall {
	t.Helper()
	var err error
	h := &hall{dir: t.TempDir(), demos: map[string]demos.Table{}}
	h.p = &cli.Program{
		Wired: home(), Speaker: home().Words.In(l), Out: cli.NewScreen(io.Discard, nil),
		Err: cli.NewScreen(io.Discard, nil), Getenv: cli.Getenv(nil),
	}
	if h.store, err = sqlite.Open(t.Context(), h.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.store.Close() })
	var seconds atomic.Int64
	now := func() time.Time {
		return time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC).Add(time.Duration(seconds.Add(1)) * time.Second)
	}
	h.host = table.New(table.Config{
		Games: home().Library, Words: home().Words, Journal: h.store, Relay: local.New(),
		Now:     now,
		Entropy: rand.NewChaCha8([32]byte{7}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	t.Cleanup(func() { h.host.Close() })
	for _, g := range home().Games {
		if h.demos[g.ID], err = demos.Play(t.Context(), h.host, g, h.p.Speaker); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *hall) gm(t *testing.T, id string) *table.Seat {
	t.Helper()
	s, err := h.host.Enter(t.Context(), h.demos[id].Table, h.demos[id].GM, h.p.Lang())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settle answers open questions with the answers that odds assume, and cancels what can't be
// answered.
func settle(t *testing.T, s *table.Seat) {
	t.Helper()
	for range 500 {
		v, err := s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Questions) == 0 {
			return
		}
		q := v.Questions[0]
		answer, err := json.Marshal(q.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if q.Standard == nil {
			answer = []byte("{}")
		}
		if _, err := s.Answer(t.Context(), request.Answer{Question: q.ID, Answer: answer}); err != nil {
			if _, err := table.Do(t.Context(), s, act.Cancel, act.CancelRequest{Move: q.Move}, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("questions without end")
}

// The export of any play in any game, with norn's dice and by hand, passes verification, and is the
// same in another folder.
func TestExportOfEveryGameIsVerified(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	h := newHall(t, lang.En)
	for _, g := range home().Games {
		t.Run(g.ID, func(t *testing.T) {
			gm := h.gm(t, g.ID)
			settle(t, gm)
			if _, err := table.Do(t.Context(), gm, act.AddShare, act.ShareRequest{Share: "a share"}, ""); err != nil {
				t.Fatal(err)
			}
			made, v := 0, shown(t, gm)
			try := func(r request.Move) {
				if _, err := gm.Make(t.Context(), r); err == nil { // otherwise it needs more than its default values
					made++
					settle(t, gm)
				}
			}
			for round := range 3 {
				for _, beat := range g.Demo(h.p.Speaker).Story {
					move, _ := g.Move(beat.Move)
					try(request.Move{
						Move: beat.Move, Character: beat.By,
						Args: move.Form.For(form.AtTable).JSON(beat.Args), Nonce: "beat",
					})
				}
				for _, m := range v.Moves {
					for _, who := range append(m.Characters, "") {
						if who == "" && len(m.Characters) > 0 {
							continue
						}
						try(request.Move{Move: m.ID, Character: who, Nonce: m.ID, Secret: round == 1})
					}
				}
			}
			if log, err := gm.Last(t.Context(), 5); err != nil || made < 3 {
				t.Fatalf("%d moves: %v", made, err)
			} else {
				for _, e := range log {
					if e.MayUndo {
						if _, err := table.Do(t.Context(), gm, act.Undo, act.UndoRequest{Seq: int(e.Seq)},
							""); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
			}
			if _, err := table.Do(t.Context(), gm, act.EndSession, act.Nothing{}, ""); err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := gm.Export(t.Context(), &file); err != nil {
				t.Fatal(err)
			}
			found, err := verify.File(home().Games, h.p.Words, bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if found.Dice == 0 || found.Hand == 0 || found.Sealed != 0 || found.Moves < made {
				t.Errorf("%d moves were made, found %+v", made, found)
			}
			there := newHallEmpty(t, h.p.Words)
			arriving, err := verify.ReadImport(home().Games, h.p.Words, &file, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := there.Import(t.Context(), arriving); err != nil {
				t.Error(err)
			}
		})
	}
}

func newHallEmpty(t *testing.T, words *lang.Words) *table.Host {
	t.Helper()
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	host := table.New(table.Config{
		Games: home().Library, Words: words, Journal: store, Relay: local.New(), Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{8}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	t.Cleanup(func() { host.Close() })
	return host
}

func shown(t *testing.T, s *table.Seat) *view.View {
	t.Helper()
	v, err := s.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// storyTalk lists what is said in a story: by the game master, as a character, in secret and by a
// player.
var storyTalk = map[lang.Lang][]string{
	lang.En: {"Somebody is singing behind that door.", "Then we knock.", "SECRET: who sings", "Pizza is here."},
	lang.Ru: {"За этой дверью кто-то поёт.", "Тогда постучим.", "SECRET: кто поёт", "Пицца приехала."},
	lang.Uk: {"За цими дверима хтось співає.", "Тоді постукаємо.", "SECRET: хто співає", "Піца приїхала."},
}

// playStory talks, throws openly and in secret, undoes a throw and ends the session.
func playStory(t *testing.T, gm, player *table.Seat, talk []string) {
	t.Helper()
	say := func(by *table.Seat, said act.TalkRequest) {
		t.Helper()
		if _, err := table.Do(t.Context(), by, act.Talk, said, ""); err != nil {
			t.Fatal(err)
		}
	}
	own := shown(t, player).Characters[0]
	say(gm, act.TalkRequest{Text: talk[0]})
	say(player, act.TalkRequest{Text: talk[1], Character: form.Ref(own.ID)})
	say(player, act.TalkRequest{Text: talk[2], ToGM: true})
	say(player, act.TalkRequest{Text: talk[3]})
	for range 3 { // the story mentions it once
		if _, err := gm.Make(t.Context(),
			request.Move{
				Move: game.PlainDice, Args: json.RawMessage(`{"notation":"2d6+1"}`), ByHand: true,
				Dice: []int{3, 4},
			}); err != nil {
			t.Fatal(err)
		}
		if _, err := gm.Make(t.Context(),
			request.Move{
				Move: game.PlainDice, Args: json.RawMessage(`{"notation":"d20"}`),
				Secret: true,
			}); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := gm.Make(t.Context(),
		request.Move{
			Move: game.PlainDice, Args: json.RawMessage(`{"notation":"1d100"}`), ByHand: true,
			Dice: []int{77},
		})
	if err == nil {
		_, err = table.Do(t.Context(), gm, act.Undo, act.UndoRequest{Seq: int(gone.Entry.Seq)}, "")
	}
	if err == nil {
		_, err = table.Do(t.Context(), gm, act.EndSession, act.Nothing{}, "")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// compareStory compares a story with its file, or rewrites it.
func compareStory(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("NORN_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	minute := regexp.MustCompile(`20:\d\d`) // it depends on the number of demos before it
	if d := cmp.Diff(minute.ReplaceAllString(string(want), "20:00"),
		minute.ReplaceAllString(string(got), "20:00")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, never := range []string{"⟨", "SECRET", "77", "d20"} {
		if strings.Contains(string(got), never) {
			t.Errorf("it says %q", never)
		}
	}
}

// Stories are readable, in each game and in each language. Set NORN_GOLDEN to write them again;
// then read them.
func TestStoriesMatchTheirGoldenFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	for _, l := range lang.All {
		h := newHall(t, l)
		for _, g := range home().Games {
			t.Run(string(l)+"/"+g.ID, func(t *testing.T) {
				gm := h.gm(t, g.ID)
				player, err := h.host.Enter(t.Context(), h.demos[g.ID].Table, h.demos[g.ID].Player, l)
				if err != nil {
					t.Fatal(err)
				}
				settle(t, gm)
				playStory(t, gm, player, storyTalk[l])
				var got bytes.Buffer
				if err := player.Story(t.Context(), &got, request.Telling{}); err != nil {
					t.Fatal(err)
				}
				compareStory(t, filepath.Join("testdata", "stories", g.ID+"."+string(l)+".md"), got.Bytes())
			})
		}
	}
}

// A norn on a backup has every table of that moment with its links, though people continued to
// play.
func TestConcurrentBackupOfARunningServerIsComplete(t *testing.T) {
	h := newHall(t, lang.En)
	gm := h.gm(t, "spire")
	settle(t, gm)
	ctx, stop := context.WithCancel(t.Context())
	began, played := make(chan struct{}), make(chan struct{})
	to := filepath.Join(t.TempDir(), "copy")
	before := shown(t, gm).Seq
	go func() {
		defer close(played)
		for n := 0; ctx.Err() == nil; n++ {
			if _, err := table.Do(t.Context(), gm, act.AddCharacter, act.CharacterRequest{Name: "More", Kind: "npc"},
				""); err != nil {
				break // the table is full
			}
			if n == 0 {
				close(began)
			}
		}
	}()
	select {
	case <-began:
	case <-played:
		t.Fatal("nobody could play")
	}
	status, out, errs := called(t, "backup", to, "--data", h.dir)
	stop()
	<-played
	if status != 0 {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	s := serve(t, "--data", to)
	s.hear(t, `^norn is open at (http://.+)$`)
	s.end(t)
	copied, err := sqlite.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	host := table.New(table.Config{
		Games: home().Library, Words: h.p.Words, Journal: copied, Relay: local.New(), Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{9}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	defer host.Close()
	for _, g := range home().Games {
		seat, err := host.Enter(t.Context(), h.demos[g.ID].Table, h.demos[g.ID].Player, lang.En)
		if err != nil {
			t.Fatalf("%s: %v", g.ID, err)
		}
		if seat.Role() != game.Player {
			t.Errorf("%s: a player's link is now %s's", g.ID, seat.Role())
		}
	}
	there, err := host.Enter(t.Context(), h.demos["spire"].Table, h.demos["spire"].GM, lang.En)
	if err != nil {
		t.Fatal(err)
	}
	if seq := shown(t, there).Seq; seq < before {
		t.Errorf("the copy ends at entry %d, %d stood before it", seq, before)
	}
}

// bareStore creates a folder with an empty database: bare FOLDER.
func bareStore(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: bare FOLDER")
	}
	store, err := sqlite.Open(context.Background(), ts.MkAbs(args[0]))
	if err != nil {
		ts.Fatalf("open: %v", err)
	}
	if err := store.Close(); err != nil {
		ts.Fatalf("close: %v", err)
	}
}

// onlyTable sets TABLE to the id of the only table that norn export --list --json has just printed.
func onlyTable(ts *testscript.TestScript, _ bool, _ []string) {
	var listed []struct{ Table string }
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &listed); err != nil || len(listed) != 1 {
		ts.Fatalf("listed are %v, %v", listed, err)
	}
	ts.Setenv("TABLE", listed[0].Table)
}

// played writes a file of a table where norn and people rolled dice, in two sessions of which the
// first is public, and one with the view of a seat: played FILE SEATS-FILE.
func played(ts *testscript.TestScript, _ bool, args []string) {
	check := func(err error) {
		if err != nil {
			ts.Fatalf("%v", err)
		}
	}
	store, err := sqlite.Open(context.Background(), ts.MkAbs("played"))
	check(err)
	defer store.Close()
	now := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	host := table.New(table.Config{
		Games: home().Library, Words: home().Words, Journal: store, Relay: local.New(),
		Now:     func() time.Time { now = now.Add(time.Minute); return now },
		Entropy: rand.NewChaCha8([32]byte{1}), Log: slog.New(slog.DiscardHandler), Version: "devel",
	})
	defer host.Close()
	ctx := context.Background()
	created, err := host.Create(ctx, request.NewTable{Game: "spire", Name: "Three bells", Lang: lang.En})
	check(err)
	gm, err := host.Enter(ctx, created.ID, created.Seat.Secret, lang.En)
	check(err)
	_, err = table.Do(ctx, gm, act.AddCharacter, act.CharacterRequest{Name: "Lira", Kind: "character"}, "")
	check(err)
	seat, err := table.Do(ctx, gm, act.AddSeat, act.SeatRequest{Name: "Bohdan", Role: string(game.Player)}, "")
	check(err)
	bohdan, err := host.Enter(ctx, created.ID, seat.Secret, lang.En)
	check(err)
	_, err = table.Do(ctx, gm, act.AddShare, act.ShareRequest{Share: "a share"}, "")
	check(err)
	throw := func(dice ...int) {
		made, err := gm.Make(ctx, request.Move{Move: "check", Character: "c1", Dice: dice})
		check(err)
		if !made.Entry.Done {
			_, err = table.Do(ctx, gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "")
			check(err)
		}
	}
	throw(9)
	throw()
	_, err = table.Do(ctx, gm, act.EndSession, act.Nothing{}, "")
	check(err)
	throw()
	file, err := os.Create(ts.MkAbs(args[0]))
	check(err)
	check(gm.Export(ctx, file))
	check(file.Close())
	file, err = os.Create(ts.MkAbs(args[1]))
	check(err)
	check(bohdan.ExportSeen(ctx, file))
	check(file.Close())
}
