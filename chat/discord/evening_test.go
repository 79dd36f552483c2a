package discord_test

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/chat/discord/discordtest"
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

// evening is a norn with a table of Spire, its bridge, and a Discord.
type evening struct {
	*testing.T
	*discordtest.Server
	dir     string
	host    *table.Host
	bridge  *bridge.Bridge
	log     discordtest.Log
	secrets map[string]string
	id      string
	stop    func()

	hall               *discordtest.Channel
	gaby, ada, visitor *discordtest.Person
}

func gather(t *testing.T) *evening {
	t.Parallel()
	e := &evening{T: t, Server: discordtest.New(t), dir: t.TempDir(), secrets: map[string]string{}}
	e.hall, e.gaby, e.ada, e.visitor = e.Channel("hall"), e.Person("Gaby", "en-US"), e.Person("Ada", "en-GB"),
		e.Person("Гость", "ru")
	e.start()
	t.Cleanup(func() {
		e.stop()
		for _, secret := range e.secrets {
			if strings.Contains(e.log.String(), secret) {
				t.Error("a seat's secret stands in the log")
			}
		}
		if strings.Contains(e.log.String(), discordtest.Token) {
			t.Error("the bot's token stands in the log")
		}
	})
	made, err := e.host.Create(t.Context(), request.NewTable{Game: "spire", Name: "Night shift", Lang: lang.En})
	e.must(err)
	e.id, e.secrets["gm"] = made.ID, made.Seat.Secret
	invited, err := table.Do(t.Context(), e.seat("gm"), act.AddSeat,
		act.SeatRequest{Name: "Ada", Role: string(game.Player)}, "")
	e.must(err)
	e.secrets["Ada"] = invited.Secret
	_, err = table.Do(t.Context(), e.seat("Ada"), act.AddCharacter,
		act.CharacterRequest{Name: "Lira", Kind: "character", Sheet: []byte(`{"skills":[{"name":"sneak"}]}`)}, "")
	e.must(err)
	e.gaby.Command(e.hall, "table "+e.code("gm", true))
	e.visitor.Find(e.hall, "Night shift")
	e.gaby.Command(e.gaby.DM(), "sit "+e.code("gm", false))
	e.gaby.Find(e.gaby.DM(), "You sit here")
	e.ada.Command(e.hall, "sit "+e.code("Ada", false))
	if m := e.ada.Find(e.hall, "as Ada"); !m.Alone {
		t.Error("who sits where is told to all")
	}
	return e
}

func (e *evening) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *evening) start() {
	e.Helper()
	folders := []fs.FS{form.Words, widget.Words, bare.Words, table.Words, chat.Words, bridge.Words, discord.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	e.must(err)
	j, err := sqlite.Open(context.Background(), e.dir)
	e.must(err)
	s, err := kvstore.Open(context.Background(), e.dir)
	e.must(err)
	r := local.New()
	log := slog.New(slog.NewTextHandler(&e.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	e.host = table.New(table.Config{
		Games: games.All(), Words: words, Journal: j, Relay: r, Now: time.Now, Entropy: rand.NewChaCha8([32]byte{1}),
		Log: log, Version: "test",
	})
	e.bridge, err = bridge.New(context.Background(),
		bridge.Config{Host: e.host, Games: games.All(), Words: words, Store: s, Now: time.Now, Log: log})
	e.must(err)
	bot, err := discord.New(discord.Config{
		Token: discordtest.Token, API: e.URL, Gateway: true, Hearer: e.bridge,
		Words: words, Log: log,
	})
	e.must(err)
	end := e.bridge.Attach(context.Background(), bot)
	e.stop = func() {
		end()
		bot.Close()
		e.bridge.Close()
		_ = e.host.Close()
		_ = r.Close()
		_ = s.Close()
		_ = j.Close()
	}
	e.Until("norn at the gateway", bot.Up)
}

func (e *evening) seat(name string) *table.Seat {
	e.Helper()
	s, err := e.host.Enter(e.Context(), e.id, e.secrets[name], lang.En)
	e.must(err)
	return s
}

func (e *evening) code(name string, whole bool) string {
	e.Helper()
	code, err := e.bridge.Code(e.Context(), e.id, e.secrets[name], whole, lang.En, "https://norn.example/t/"+e.id)
	e.must(err)
	return code
}

// count returns how often a text is in what a person reads.
func count(p *discordtest.Person, c *discordtest.Channel, part string) int {
	return strings.Count(p.Reads(c), part)
}

// A throw with a question, sent twice, with a restart of norn while it waits, undone at the end.
func TestRepeatedThrowIsMadeOnceAnsweredAndUndoneInDiscord(t *testing.T) {
	e := gather(t)
	e.ada.Command(e.hall, "Good *evening*, @everyone!")
	if m := e.visitor.Find(e.hall, "Good *evening*, @everyone!"); len(m.Called) > 0 || m.Alone {
		t.Errorf("%+v", m)
	}
	thrown := e.ada.Command(e.hall, "check sneak")
	thrown.Again()
	asked := e.visitor.Find(e.hall, "Waits for")
	answer, ok := asked.Control("Answer")
	if !ok {
		t.Fatalf("%+v", asked.Controls)
	}
	e.visitor.Press(asked, answer.ID)
	if m := e.visitor.Find(e.hall, "места"); !m.Alone {
		t.Error("who has no seat hears so before all")
	}

	e.stop()
	e.start()
	thrown.Again() // sent again to a norn that doesn't remember it
	e.gaby.Press(asked, answer.ID)
	var question discordtest.Message
	e.Until("the game master to be asked alone", func() bool {
		question = e.gaby.Last(e.hall)
		return question.Alone && len(question.Controls) > 0
	})
	if strings.Contains(e.ada.Reads(e.hall), question.Text) {
		t.Error("the question is read by all")
	}
	first := question.Controls[0][0]
	var chosen []string
	if len(first.Options) > 0 {
		chosen = []string{first.Options[0].Value}
	}
	pressed := e.gaby.Press(question, first.ID, chosen...)
	if form := strings.HasPrefix(first.ID, "form"); form {
		pressed.Submit(map[string]string{"resistance": "o0"})
	}
	e.Until("the throw to be told", func() bool {
		return strings.Contains(e.visitor.Reads(e.hall), "Lira · Check") &&
			!strings.Contains(e.visitor.Reads(e.hall), "Waits for the")
	})
	if n := count(e.visitor, e.hall, "Lira · Check"); n != 1 {
		t.Errorf("the throw stands there %d times:\n%s", n, e.visitor.Reads(e.hall))
	}
	// Only the game master sees the secret.
	before := e.ada.Reads(e.hall)
	e.gaby.Command(e.hall, "secret roll 3d6")
	e.Until("the secret throw to be told", func() bool {
		return strings.Contains(e.gaby.Reads(e.gaby.DM())+e.gaby.Reads(e.hall), "3d6")
	})
	if e.ada.Reads(e.hall) != before || strings.Contains(e.visitor.Reads(e.hall), "3d6") {
		t.Errorf("before:\n%s\nnow:\n%s", before, e.ada.Reads(e.hall))
	}

	e.gaby.Command(e.hall, "undo") // undoes the secret one, which is the newest
	e.gaby.Command(e.hall, "say Enough for today")
	e.visitor.Find(e.hall, "Enough for today")
	t.Log(e.gaby.Reads(e.hall), "\n--- alone:\n", e.gaby.Reads(e.gaby.DM()))
}

// A channel that gets a thousand messages while Discord asks to wait delays nothing else, and gets
// them in order.
func TestThousandMessagesArriveInOrderUnderARateLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	e := gather(t)
	const many = 1000
	seat := e.seat("Ada")
	began := time.Now()
	for n := range many {
		if n == 300 {
			e.Limit(3, 200*time.Millisecond)
		}
		_, err := table.Do(t.Context(), seat, act.Talk, act.TalkRequest{Text: fmt.Sprintf("word %d.", n)}, "")
		e.must(err)
	}
	t.Logf("said in %v", time.Since(began))
	e.visitor.Find(e.hall, fmt.Sprintf("word %d.", many-1))
	read, at := e.visitor.Reads(e.hall), 0
	for n := range many {
		i := strings.Index(read[at:], fmt.Sprintf("word %d.", n))
		if i < 0 {
			t.Fatalf("word %d is missing or out of order", n)
		}
		at += i
	}
	t.Logf("%d messages", len(e.visitor.Sees(e.hall)))
}

func TestOddsInDiscordComeWithAPicture(t *testing.T) {
	e := gather(t)
	street := e.Channel("street")
	e.visitor.Command(street, "шансы 3к6")
	e.Until("a picture", func() bool {
		m := e.visitor.Last(street)
		return len(m.Files) == 1 && strings.HasPrefix(string(m.Files[0].Data), "\x89PNG")
	})
	if offered := e.ada.Types(e.hall, "che"); len(offered) == 0 || !strings.HasPrefix(offered[0].Value, "check") {
		t.Errorf("%+v", offered)
	}
	if offered := e.visitor.Types(street, "odds spire check "); len(offered) == 0 {
		t.Error("nothing is offered")
	}
}

// After a move Discord offers what is on the hero's sheet, then the names of the fields.
func TestTheHerosSkillsAreCompletedInDiscord(t *testing.T) {
	e := gather(t)
	for _, line := range []string{"check ", "odds check "} {
		var offered []string
		for _, c := range e.ada.Types(e.hall, line) {
			offered = append(offered, strings.TrimPrefix(c.Value, line))
		}
		if len(offered) < 2 || offered[0] != "Sneak " || !slices.Contains(offered, "difficulty: ") ||
			slices.Contains(offered, "Fight ") {
			t.Errorf("%q offers %q", line, offered)
		}
	}
	if offered := e.ada.Types(e.hall, "check sneak "); len(offered) == 0 || strings.Contains(offered[0].Value, "Sneak") {
		t.Errorf("a chosen skill is offered again: %q", offered)
	}
}
