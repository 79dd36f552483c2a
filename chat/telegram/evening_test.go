package telegram_test

import (
	"context"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/telegram"
	"norn/chat/telegram/telegramtest"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/kvstore"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// evening is a norn with a table of Spire, and a Telegram.
type evening struct {
	*telegramtest.Server
	t       *testing.T
	dir     string
	words   *lang.Words
	host    *table.Host
	bridge  *bridge.Bridge
	chat    *telegram.Chat
	log     *safe
	table   string
	secrets map[string]string
	stop    func()
}

func (e *evening) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func open(t *testing.T) *evening {
	t.Helper()
	folders := []fs.FS{form.Words, widget.Words, bare.Words, table.Words, chat.Words, bridge.Words, telegram.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	w, err := lang.Load(folders...)
	if err != nil {
		t.Fatal(err)
	}
	e := &evening{
		Server: telegramtest.New(), t: t, dir: t.TempDir(), words: w, log: &safe{},
		secrets: map[string]string{},
	}
	e.start()
	t.Cleanup(func() {
		e.stop()
		e.Close()
	})
	made, err := e.host.Create(t.Context(), request.NewTable{Game: "spire", Name: "Night shift", Lang: lang.En})
	e.must(err)
	e.table, e.secrets["gm"] = made.ID, made.Seat.Secret
	gm := e.seat("gm")
	player, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "Ada", Role: string(game.Player)}, "")
	e.must(err)
	e.secrets["Ada"] = player.Secret
	_, err = table.Do(t.Context(), e.seat("Ada"), act.AddCharacter,
		act.CharacterRequest{Name: "Lira", Kind: "character", Sheet: []byte(`{"skills":[{"name":"sneak"}]}`)}, "")
	e.must(err)
	return e
}

func (e *evening) seat(name string) *table.Seat {
	e.t.Helper()
	s, err := e.host.Enter(e.t.Context(), e.table, e.secrets[name], lang.En)
	e.must(err)
	return s
}

// start starts norn with the data in its folder.
func (e *evening) start() {
	e.t.Helper()
	ctx := context.Background()
	j, err := sqlite.Open(ctx, e.dir)
	e.must(err)
	kept, err := kvstore.Open(ctx, e.dir)
	e.must(err)
	wire, log := local.New(), slog.New(slog.NewTextHandler(e.log, nil))
	e.host = table.New(table.Config{
		Games: games.All(), Words: e.words, Journal: j, Relay: wire, Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{1}), Log: log, Version: "test",
	})
	e.bridge, err = bridge.New(ctx,
		bridge.Config{Host: e.host, Games: games.All(), Words: e.words, Store: kept, Now: time.Now, Log: log})
	e.must(err)
	e.chat, err = telegram.New(telegram.Config{
		Token: telegramtest.Token, API: e.URL, Hearer: e.bridge, Words: e.words,
		Log: log,
	})
	e.must(err)
	end := e.bridge.Attach(ctx, e.chat)
	e.stop = func() {
		end()
		e.chat.Close()
		e.bridge.Close()
		e.host.Close()
		wire.Close()
		kept.Close()
		j.Close()
	}
}

func (e *evening) code(name string, whole bool) string {
	e.t.Helper()
	code, err := e.bridge.Code(e.t.Context(), e.table, e.secrets[name], whole, lang.En,
		"https://norn.example/t/"+e.table)
	e.must(err)
	return code
}

// reads waits until a chat shows all these.
func (e *evening) reads(chat int64, all ...string) *telegramtest.Message {
	e.t.Helper()
	var m *telegramtest.Message
	if !e.Until(soon, func() bool {
		shown := e.Own(chat)
		i := slices.IndexFunc(shown, func(m *telegramtest.Message) bool {
			return !slices.ContainsFunc(all, func(text string) bool {
				return !strings.Contains(m.Text, text) && !slices.Contains(m.Labels(), text)
			})
		})
		if i >= 0 {
			m = shown[i]
		}
		return i >= 0
	}) {
		var texts []string
		for _, m := range e.Shows(chat) {
			texts = append(texts, m.From+": "+m.Text+" "+strings.Join(m.Labels(), "|"))
		}
		e.t.Fatalf("%d never shows %q:\n%s\nlog: %s", chat, all, strings.Join(texts, "\n---\n"), e.log)
	}
	return m
}

// An evening over Telegram alone: the game master answers a question with a button after a restart,
// a secret stays secret, a repeated update rolls once, and an undo replaces the throw.
func TestSessionInTelegramKeepsSecretsAndSurvivesARestart(t *testing.T) {
	e := open(t)
	e.Group(group, "Spire")
	gaby, ada := e.Person(anna, "Gaby", "en"), e.Person(boris, "Ada", "en")
	gaby.Writes(group, "/norn table "+e.code("gm", true))
	e.reads(group, "Night shift")
	gaby.Starts(e.code("gm", false))
	e.reads(anna, "You sit here")
	ada.Starts(e.code("Ada", false))
	e.reads(boris, "as Ada")

	ada.Writes(group, "/norn Good evening!")
	e.reads(group, "Good evening!")
	ada.Writes(group, "/norn check sneak")
	m := e.reads(group, "Lira · Check", "Answer")
	if m.Silent || len(m.Looks("text_mention")) != 1 {
		t.Errorf("the game master isn't called: %+v", m)
	}
	e.stop()
	gaby.Presses(group, m.ID, "Answer")
	e.Twice()
	e.start()
	asked := e.reads(anna, "Lira · Check")
	e.Again()
	if len(asked.Buttons) == 0 {
		t.Fatalf("nothing to press: %+v", asked)
	}
	gaby.Presses(anna, asked.ID, asked.Labels()[0])
	resistance := e.reads(anna, "✎", "Resistance") // it has no usual answer
	gaby.Presses(anna, resistance.ID, "Blood")
	gaby.Presses(anna, e.reads(anna, "✎", "Resistance: Blood", "Die").ID, "Skip")
	e.reads(group, "🎲")
	if !e.Until(soon, func() bool { return e.CountUnconfirmed() == 0 }) {
		t.Fatal("something isn't heard")
	}
	moves := 0
	for _, m := range e.Own(group) {
		moves += strings.Count(m.Text, "Lira · Check")
	}
	if moves != 1 {
		t.Errorf("%d moves stand in the group", moves)
	}

	gaby.Writes(anna, "undo")
	if !e.Until(soon, func() bool {
		return slices.ContainsFunc(e.Own(group), func(m *telegramtest.Message) bool {
			return strings.Contains(m.Text, "Lira · Check") && m.Edited > 0 && len(m.Looks("strikethrough")) > 0
		})
	}) {
		t.Errorf("the undone throw stands: %q; Ada reads %q", e.Last(group).Text, e.Last(boris).Text)
	}
	gaby.Writes(group, "/norn secret roll 3d6")
	e.reads(anna, "🎲")
	for _, m := range append(e.Own(boris), e.Own(group)...) {
		if strings.Contains(m.Text, "3d6") {
			t.Errorf("the secret throw is read: %q", m.Text)
		}
	}
	ada.Writes(boris, "odds check sneak")
	if m := e.reads(boris, "Lira · Check · "); m.Photo == nil {
		t.Errorf("no picture: %+v", m)
	}
	// The group becomes a supergroup and keeps the table; after a restart, too.
	e.Supergroup(group, -1_000_000_000_200)
	ada.Writes(group, "/norn Still here?")
	e.reads(group, "Ada", "Still here?")
	e.stop()
	e.start()
	ada.Writes(group, "/norn And now?")
	e.reads(group, "Ada", "And now?")

	if strings.Contains(e.log.String(), "a_secret") {
		t.Error("the token is in the log")
	}
}
