//go:build e2e

package playtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/chat/discord/discordtest"
	"norn/chat/telegram/telegramtest"
)

// gathering is a session of people on four platforms at one table.
type gathering struct {
	*testing.T
	*server
	discord  *discordtest.Server
	telegram *telegramtest.Server
	id       string
	secrets  map[string]string

	hall  *discordtest.Channel
	gaby  *discordtest.Person  // game master, in Discord
	guest *discordtest.Person  // reads in Discord, without a seat
	boris *telegramtest.Person // player, only in Telegram
	anna  *seat                // player, in a browser
	golem *seatedAgent         // player, an agent
}

// A session of Spire with a game master in Discord, players in Telegram and in a browser, and an
// agent, at one table. A button answers a fallout question although norn was restarted meanwhile,
// and another after kill -9. Only the game master reads a secret roll, an undo appears everywhere,
// and in the end all have received the same.
func TestDiscordTelegramBrowserAndAgentShareATable(t *testing.T) {
	g := gather(t)
	talkEverywhere(g)
	restartDuringFallout(g)
	rollInSecret(t, g)
	killDuringFallout(g)
	undoEverywhere(t, g)
	g.boris.Writes(g.boris.ID, "Good night, all.")
	g.everywhere("Good night, all.")
	g.agree()
}

// talkEverywhere says a sentence at each face, which the others show.
func talkEverywhere(g *gathering) {
	g.gaby.Command(g.hall, "say The night is young.")
	g.everywhere("The night is young.")
	g.boris.Writes(g.boris.ID, "Harald yawns.")
	g.everywhere("Harald yawns.")
	g.anna.choose("[name=_line]", "Ivo looks at the door.")
	g.anna.click("[data-form=say] button[type=submit]")
	g.everywhere("Ivo looks at the door.")
	g.golem.call("talk", body{"text": "I go over the roof.", "character": "c3"})
	g.everywhere("I go over the roof.")
}

// restartDuringFallout gives the agent fallout: norn restarts during the question, and the game
// master answers with a button.
func restartDuringFallout(g *gathering) {
	g.golem.call("make_move", body{
		"move": "check", "character": "c3",
		"args": body{"skill": "sneak", "risk": "d8", "resistance": "shadow"}, "dice": []int{1, 1, 8}, "key": "roof",
	})
	g.dice("1")
	question := g.asked("What fallout is it?")
	g.stop()
	g.start()
	g.ready()
	g.answer(question)
	g.everywhere("Lira · Check", "allout")
}

// rollInSecret rolls a secret that only the game master reads.
func rollInSecret(t *testing.T, g *gathering) {
	g.gaby.Command(g.gaby.DM(), "secret roll 3d6+40")
	g.discord.Until("the game master to read the secret", func() bool {
		return strings.Contains(g.gaby.Reads(g.gaby.DM()), "3d6")
	})
	g.boris.Writes(g.boris.ID, "Here goes nothing.")
	g.everywhere("Here goes nothing.")
	if now := g.guest.Reads(g.hall); strings.Contains(now, "3d6") {
		t.Errorf("the channel has heard of a secret:\n%s", now)
	}
}

// killDuringFallout gives Boris fallout, and norn is killed during the question.
func killDuringFallout(g *gathering) {
	g.must("POST", "/tables/"+g.id+"/moves", g.secrets["Boris"],
		body{
			"move": "check", "character": "c1", "args": body{"skill": "fight", "risk": "d8", "resistance": "blood"},
			"dice": []int{1, 1, 8}, "key": "fight",
		})
	g.discord.Until("Harald to wait for the game master", func() bool {
		return strings.Contains(g.gaby.Last(g.hall).Text, "Waits for")
	})
	g.tells("Harald · Check")
	g.golem.call("talk", body{"text": "Look out!"})
	// so each chat has recorded its earlier posts: a post that is interrupted in between may be
	// repeated
	g.everywhere("Look out!")
	g.kill()
	g.start()
	g.ready()
	g.dice("2")
	g.answer(g.asked("What fallout is it?"))
	g.discord.Until("Harald's check to be told", func() bool {
		return !strings.Contains(g.gaby.Reads(g.hall), "Waits for")
	})
}

// undoEverywhere undoes the check, which appears everywhere.
func undoEverywhere(t *testing.T, g *gathering) {
	boris := g.boris.ID
	g.gaby.Command(g.hall, "undo")
	g.discord.Until("the check to be struck out", func() bool {
		return slices.ContainsFunc(g.guest.Sees(g.hall), func(m discordtest.Message) bool {
			return strings.Contains(m.Text, "Harald · Check") && strings.Contains(m.Text, "Undone by")
		})
	})
	if !g.telegram.Until(waits, func() bool {
		return slices.ContainsFunc(g.telegram.Own(boris), func(m *telegramtest.Message) bool {
			return strings.Contains(m.Text, "Harald · Check") && strings.Contains(m.Text, "Undone by")
		})
	}) {
		t.Errorf("Telegram doesn't say that it was taken back")
	}
	g.anna.sees("#log .card[data-undone], #log .card.undone", "")
}

const waits = 30 * time.Second

func gather(t *testing.T) *gathering {
	t.Helper()
	t.Parallel()
	g := &gathering{T: t, discord: discordtest.New(t), telegram: telegramtest.New(), secrets: map[string]string{}}
	t.Cleanup(g.telegram.Close)
	dir := t.TempDir()
	token := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	g.server = serve(t, "--discord", "--discord-api", g.discord.URL, "--discord-token-file",
		token("discord", discordtest.Token),
		"--telegram", "--telegram-api", g.telegram.URL, "--telegram-token-file", token("telegram", telegramtest.Token))
	made := g.must("POST", "/tables", "", body{"game": "spire", "name": "Night shift", "lang": "en"})
	g.id, g.secrets["gm"] = made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	for _, p := range []struct{ name, character string }{{"Boris", "Harald"}, {"Anna", "Ivo"}, {"Golem", "Lira"}} {
		seat := g.must("POST", "/tables/"+g.id+"/seats", g.secrets["gm"], body{"name": p.name, "role": "player"})
		g.secrets[p.name] = seat["secret"].(string)
		g.must("POST", "/tables/"+g.id+"/characters", g.secrets[p.name],
			body{
				"name": p.character, "kind": "character",
				"sheet": body{"skills": []body{{"name": "sneak"}, {"name": "fight"}}},
			})
	}
	g.hall, g.gaby, g.guest = g.discord.Channel("hall"), g.discord.Person("Gaby", "en-US"),
		g.discord.Person("Guest", "en-US")
	g.boris = g.telegram.Person(100, "Boris", "en")
	g.ready()

	// Codes are shown on pages: the channel's and Gaby's own on the game master's, Boris's on his.
	gm := sit(t, "gm", 1024, 800)
	gm.visit(g.url("/t/" + g.id + "/" + g.secrets["gm"]))
	gm.sees("[data-live-state=open]", "")
	gm.click(".menu:has([data-call]) > summary")
	gm.click(".menu a[href$='/chats']")
	gm.sees("h1", "Chats")
	gm.click("[data-form=chat-table] button")
	gm.sees(".chat-code", "/norn table")
	gm.picture("chats")
	g.gaby.Command(g.hall, "table "+gm.ask("document.querySelector('.chat-code code').textContent"))
	g.guest.Find(g.hall, "Night shift")
	gm.click("[data-form=chat-seat] button")
	gm.sees(".chat-code", "/norn sit")
	g.gaby.Command(g.gaby.DM(), "sit "+gm.ask("document.querySelector('.chat-code code').textContent"))
	g.gaby.Find(g.gaby.DM(), "You sit here as")

	boris := sit(t, "boris", 390, 800)
	boris.visit(g.url("/t/" + g.id + "/" + g.secrets["Boris"]))
	boris.sees("[data-live-state=open]", "")
	boris.click(".menu:has([data-call]) > summary")
	boris.click(".menu a[href$='/chats']")
	boris.click("[data-form=chat-seat] button")
	boris.sees(".chat-code", "Telegram")
	boris.picture("chats-own")
	join := boris.ask("document.querySelector('.chat-code a').href")
	code := boris.ask("document.querySelector('.chat-code code').textContent")
	if !strings.Contains(join, strings.ReplaceAll(code, "-", "")) && !strings.Contains(join, code) {
		t.Errorf("the code %s is given at %s", code, join)
	}
	_, parameter, _ := strings.Cut(join, "start=")
	g.boris.Starts(parameter)
	g.tells("as Boris")

	g.anna = sit(t, "anna", 1280, 800)
	g.anna.visit(g.url("/t/" + g.id + "/" + g.secrets["Anna"]))
	g.anna.sees("[data-live-state=open]", "")
	g.golem = agentAt(t, g.url("/t/"+g.id+"/"+g.secrets["Golem"]))
	return g
}

// ready waits until norn is connected to both chats.
func (g *gathering) ready() {
	g.Helper()
	g.discord.Until("norn at the gateway", g.discord.IsConnected)
}

// tells waits until Telegram shows Boris some texts.
func (g *gathering) tells(all ...string) {
	g.Helper()
	if !g.telegram.Until(waits, func() bool {
		read := g.inTelegram()
		return !slices.ContainsFunc(all, func(text string) bool { return !strings.Contains(read, text) })
	}) {
		g.Fatalf("Telegram never tells %q:\n%s", all, g.inTelegram())
	}
}

func (g *gathering) inTelegram() string {
	var texts []string
	for _, m := range g.telegram.Own(g.boris.ID) {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// everywhere waits until some texts appear on every platform.
func (g *gathering) everywhere(all ...string) {
	g.Helper()
	g.discord.Until("the channel to tell "+strings.Join(all, ", "), func() bool {
		read := g.guest.Reads(g.hall)
		return !slices.ContainsFunc(all, func(text string) bool { return !strings.Contains(read, text) })
	})
	g.tells(all...)
	for _, text := range all {
		name, _, _ := strings.Cut(text, " · ")
		g.anna.sees("#log", name)
	}
}

// asked lets the game master press the newest message's button, and returns the question that only
// she sees.
func (g *gathering) asked(part string) discordtest.Message {
	g.Helper()
	var last, m discordtest.Message
	// the next question appears by itself after an answer
	g.discord.Until("something to ask about "+part, func() bool {
		last = g.gaby.Last(g.hall)
		if last.Alone {
			return strings.Contains(last.Text, part)
		}
		all := g.gaby.Sees(g.hall)
		i := slices.IndexFunc(all, func(m discordtest.Message) bool { return strings.Contains(m.Text, "Waits for") })
		if i >= 0 {
			m = all[i]
		}
		return i >= 0
	})
	if last.Alone {
		return last
	}
	answer, ok := m.Control("Answer")
	if !ok {
		g.Fatalf("nothing answers %q: %+v", m.Text, m.Controls)
	}
	g.gaby.Press(m, answer.ID)
	var question discordtest.Message
	g.discord.Until("the game master to be asked alone about "+part, func() bool {
		question = g.gaby.Last(g.hall)
		return question.Alone && strings.Contains(question.Text, part) && len(question.Controls) > 0
	})
	return question
}

// dice lets the game master enter faces.
func (g *gathering) dice(faces string) {
	g.Helper()
	g.discord.Until("dice to be asked for", func() bool {
		return slices.ContainsFunc(g.gaby.Sees(g.hall), func(m discordtest.Message) bool {
			return strings.Contains(m.Text, "Waits for")
		})
	})
	q := g.asked("roll d10")
	fill := q.Controls[0][len(q.Controls[0])-1]
	pressed := g.gaby.Press(q, fill.ID)
	fields := map[string]string{}
	for _, f := range pressed.Modal().Fields {
		fields[f.ID] = faces
	}
	pressed.Submit(fields)
}

// answer answers a question by its first control.
func (g *gathering) answer(q discordtest.Message) {
	g.Helper()
	g.Logf("answered is:\n%s\n%+v", q.Text, q.Controls)
	c := q.Controls[0][0]
	var values []string
	if len(c.Options) > 0 {
		values = []string{c.Options[0].Value}
	}
	pressed := g.gaby.Press(q, c.ID, values...)
	if strings.HasPrefix(c.ID, "form") {
		pressed.Submit(nil)
	}
}

// agree compares the messages on each platform with a player's log: the same things in the same
// order.
func (g *gathering) agree() {
	g.Helper()
	log := g.must("GET", "/tables/"+g.id+"/log?limit=1000", g.secrets["Anna"], nil)["entries"].([]any)
	// only what everybody at the table knows: a move is one thing with all its consequences, and
	// its outcome is the first
	var things [][]string
	at := map[string]int{}
	for _, one := range log {
		var e struct {
			Kind, Move string
			Lines      []struct{ Text string }
			Outcome    *struct{ Text string }
		}
		data, _ := json.Marshal(one)
		if err := json.Unmarshal(data, &e); err != nil {
			g.Fatal(err)
		}
		if e.Kind != "talk" && e.Kind != "move" && e.Kind != "answer" {
			continue
		}
		i, known := at[e.Move]
		if !known || e.Move == "" {
			i = len(things)
			at[e.Move], things = i, append(things, nil)
		}
		if e.Outcome != nil {
			things[i] = append([]string{e.Outcome.Text}, things[i]...)
		}
		for _, l := range e.Lines {
			if l.Text != "" {
				things[i] = append(things[i], l.Text)
			}
		}
	}
	told := slices.Concat(things...)
	if len(told) < 8 {
		g.Fatalf("the log tells %q", told)
	}
	faces := map[string]string{"Discord": g.guest.Reads(g.hall), "Telegram": g.inTelegram()}
	text, _ := json.Marshal(g.golem.call("log", body{"limit": 200}))
	faces["the agent"] = string(text)
	for face, read := range faces {
		at := 0
		for _, one := range told {
			if face == "the agent" { // entries are values there, with names of their members
				at = 0
			}
			i := strings.Index(read[at:], one)
			if i < 0 {
				g.Errorf("%s doesn't tell %q in its place:\n%s", face, one, read)
				break
			}
			at += i
		}
		if strings.Contains(read, "3d6+40") {
			g.Errorf("%s tells a secret", face)
		}
	}
	g.Logf("the channel reads:\n%s\n\nand Telegram:\n%s", faces["Discord"], faces["Telegram"])
	g.anna.picture("four-faces")
}
