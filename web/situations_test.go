//go:build !race

package web_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/chat/bridge"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/kvstore"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
	"norn/web"
	"norn/web/api"

	gocmp "github.com/google/go-cmp/cmp"
)

// situation is a typical case of a rule between two others.
type situation struct {
	rules, game string
	settings    string
	cast        []act.CharacterRequest // those with an Owner are Anna's or Bohdan's
	before      []doing                // what leads to it, made by the API
	then        doing
	seed        byte // of the dice
	answers     map[string][]string
	says        [3]string // what players read in the log: in English, Russian and Ukrainian
}

// doing is one thing that is done: a move, or the newest offer that is taken.
type doing struct {
	move, args string
	by         string // "c1" unless it says otherwise
	take       string // the move that is offered
	call       string // what the game master calls for first
}

func (d doing) who() string { return cmp.Or(d.by, "c1") }

// somebody makes a character of an evening.
func somebody(name, kind, owner, sheet string) act.CharacterRequest {
	return act.CharacterRequest{Name: name, Kind: kind, Owner: owner, Sheet: json.RawMessage(sheet)}
}

// way is one way to a table.
type way struct {
	name   string
	lang   string
	make   func(e *lived, d doing)
	answer func(e *lived, q view.Question, answer string)
	undo   func(e *lived, seq uint64)
}

// lived is a situation at a real table.
type lived struct {
	*house
	situation
	ids    map[string]string // seats by "anna" and "bohdan"
	seats  map[string]*table.Seat
	bridge *bridge.Bridge
	chat   *quietChat
	lang   string
}

// quietChat is a chat of which only the answers are read.
type quietChat struct {
	mu sync.Mutex
	n  int
}

func (c *quietChat) Name() string            { return "fake" }
func (c *quietChat) Run(ctx context.Context) { <-ctx.Done() }
func (c *quietChat) Join(string) string      { return "" }
func (c *quietChat) Lead(string) string      { return "/" }

func (c *quietChat) Private(_ context.Context, person string) (string, error) {
	return "fake:dm:" + strings.TrimPrefix(person, "fake:"), nil
}

func (c *quietChat) Post(context.Context, string, bridge.Message, string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return fmt.Sprint(c.n), nil
}

func (c *quietChat) Edit(context.Context, string, string, bridge.Message) error { return nil }

// bridged has the words of pages and chats.
var bridged = sync.OnceValue(func() *lang.Words {
	words, err := lang.Load(append(wordFolders(), bridge.Words, api.Words)...)
	if err != nil {
		panic(err)
	}
	return words
})

// begun opens a table with the cast of a situation. The same seed gives the same dice.
func begun(t *testing.T, s situation, l string) *lived {
	t.Helper()
	ctx := t.Context()
	dir := t.TempDir()
	j, err := sqlite.Open(ctx, dir)
	must(t, err)
	store, err := kvstore.Open(ctx, dir)
	must(t, err)
	r, log := local.New(), slog.New(slog.DiscardHandler)
	host := table.New(table.Config{
		Games: games.All(), Words: bridged(), Journal: j, Relay: r, Now: time.Now, Log: log, Version: "test",
		Entropy: rand.NewChaCha8([32]byte{s.seed}),
	})
	c := web.Config{Host: host, Words: bridged(), Games: games.All(), Log: log}
	c.API = api.New(api.Config{Host: host, Words: bridged(), Games: games.All(), Log: log})
	server := httptest.NewServer(web.New(c))
	t.Cleanup(func() {
		_ = host.Close()
		server.Close()
		_ = r.Close()
		_ = store.Close()
		_ = j.Close()
	})
	created, err := host.Create(ctx, request.NewTable{Game: s.game, Name: "Yule", Lang: lang.En})
	must(t, err)
	e := &lived{
		house:     &house{t: t, url: server.URL, host: host, table: created.ID, links: map[string]string{}},
		situation: s, ids: map[string]string{}, seats: map[string]*table.Seat{}, chat: &quietChat{}, lang: l,
	}
	e.master, err = host.Enter(ctx, created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	e.links["gm"] = created.Seat.Secret
	for _, name := range []string{"anna", "bohdan"} {
		seat, err := table.Do(ctx, e.master, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, name)
		must(t, err)
		e.ids[name], e.links[name] = seat.ID, seat.Secret
	}
	for name, secret := range e.links {
		l, _ := lang.Parse(l)
		e.seats[name], err = host.Enter(ctx, created.ID, secret, l)
		must(t, err)
	}
	if s.settings != "" {
		_, err = table.Do(ctx, e.master, act.Configure, act.ConfigureRequest{Settings: json.RawMessage(s.settings)}, "")
		must(t, err)
	}
	for _, who := range s.cast {
		who.Owner = e.ids[who.Owner]
		added(t, e.master, who)
	}
	bot, err := bridge.New(ctx, bridge.Config{
		Host: host, Games: game.Fixed(games.All()), Words: bridged(), Store: store, Now: time.Now, Log: log,
	})
	must(t, err)
	stop := bot.Attach(context.Background(), e.chat)
	t.Cleanup(func() {
		stop()
		bot.Close()
	})
	e.bridge = bot
	return e
}

// secret returns a seat's secret, which is what links hold here.
func (e *lived) secret(who string) string { return e.links[who] }

// whose returns the seat that answers for somebody: "anna", "bohdan" or "gm".
func (e *lived) whose(to string) string {
	for i, who := range e.cast {
		if to == fmt.Sprint("c", i+1) && who.Owner != "" {
			return who.Owner
		}
	}
	return "gm"
}

// view returns what the game master sees.
func (e *lived) view() *view.View {
	e.t.Helper()
	v, err := e.master.View(e.t.Context())
	must(e.t, err)
	return v
}

// does makes a move, or takes an offer, and answers all its questions, in one way.
func (e *lived) does(by way, d doing) {
	e.t.Helper()
	if d.call != "" {
		_, err := table.Do(e.t.Context(), e.master, act.CallMove,
			act.CallRequest{Move: d.move, Character: form.Ref(d.who()), Args: json.RawMessage(d.call)}, "")
		must(e.t, err)
	}
	by.make(e, d)
	given := map[string]int{}
	for range 20 {
		open := e.view().Questions
		if len(open) == 0 {
			return
		}
		q, answer := open[0], "{}"
		if all := e.answers[q.Question]; given[q.Question] < len(all) {
			answer = all[given[q.Question]]
		}
		given[q.Question]++
		by.answer(e, q, answer)
	}
	e.t.Errorf("%s: still asked: %+v", by.name, e.view().Questions)
}

// api sends a request to the API.
func (e *lived) api(who, path string, b map[string]any) {
	e.t.Helper()
	data, err := json.Marshal(b)
	must(e.t, err)
	r, err := http.NewRequestWithContext(e.t.Context(), "POST", e.url+"/api/v1/tables/"+e.table+path, bytes.NewReader(data))
	must(e.t, err)
	r.Header.Set("Authorization", "Bearer "+e.secret(who))
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	must(e.t, err)
	defer got.Body.Close()
	if said, _ := io.ReadAll(got.Body); got.StatusCode >= 300 {
		e.t.Fatalf("the API answers %s %s with %d: %s", path, data, got.StatusCode, said)
	}
}

// offer returns the first offer of a move, who may take it, and its number among theirs.
func (e *lived) offer(move string) (o view.OfferShown, who string, n int) {
	e.t.Helper()
	for _, o := range e.view().Offers {
		if o.Move != move {
			continue
		}
		who := e.whose(o.To)
		v, err := e.seats[who].View(e.t.Context())
		must(e.t, err)
		return o, who, 1 + slices.IndexFunc(v.Offers, func(own view.OfferShown) bool { return own.ID == o.ID })
	}
	e.t.Fatalf("%s isn't offered", move)
	return o, who, n
}

var byAPI = way{
	name: "API", lang: "en",
	make: func(e *lived, d doing) {
		if d.take != "" {
			o, who, _ := e.offer(d.take)
			e.api(who, "/offers", map[string]any{"offer": o.ID, "key": o.ID})
			return
		}
		e.api(e.whose(d.who()), "/moves",
			map[string]any{"move": d.move, "character": d.who(), "args": json.RawMessage(d.args)})
	},
	answer: func(e *lived, q view.Question, answer string) {
		e.api(e.whose(q.To), "/answers", map[string]any{"question": q.ID, "answer": json.RawMessage(answer)})
	},
	undo: func(e *lived, seq uint64) { e.api("gm", "/undo", map[string]any{"seq": seq}) },
}

// browses returns a seat's browser.
func (e *lived) browses(who string) *browser {
	e.t.Helper()
	b := e.stranger()
	b.lang = e.lang
	b.takes("/t/" + e.table + "/" + e.secret(who))
	return b
}

// shaped returns values of JSON in the shape of a form's.
func shaped(value any) any {
	switch value := value.(type) {
	case float64:
		return int(value)
	case map[string]any:
		for name, inner := range value {
			value[name] = shaped(inner)
		}
	case []any:
		var texts []string
		var groups []map[string]any
		for _, each := range value {
			if group, ok := shaped(each).(map[string]any); ok {
				groups = append(groups, group)
			} else {
				texts = append(texts, fmt.Sprint(each))
			}
		}
		if groups != nil {
			return groups
		}
		return texts
	}
	return value
}

// fills returns what a page's form sends with some of its fields filled in.
func (e *lived) fills(on *node, f *form.Form, args string) url.Values {
	e.t.Helper()
	values := on.sends()
	var given map[string]any
	must(e.t, json.Unmarshal([]byte(args), &given))
	for name := range given {
		values.Del(name)
	}
	maps.Copy(values, f.InputsOf(shaped(given).(map[string]any)))
	return values
}

func (e *lived) posts(b *browser, on *node, values url.Values) answer {
	e.t.Helper()
	action, _, _ := strings.Cut(on.attrs["action"], "#")
	got := b.post(action, values)
	if got.status != http.StatusOK {
		e.t.Fatalf("the page answers %v with %d: %s", values, got.status, got.says())
	}
	return got
}

var byPage = way{
	name: "page", lang: "ru",
	make: func(e *lived, d doing) {
		if d.take != "" {
			o, who, _ := e.offer(d.take)
			b := e.browses(who)
			page := b.get(b.at(""))
			for _, on := range page.with("data-form", "take") {
				if on.sends().Get("_offer") == o.ID {
					e.posts(b, on, on.sends())
					return
				}
			}
			e.t.Fatalf("the page doesn't offer %s", o.ID)
		}
		who := e.whose(d.who())
		b := e.browses(who)
		on := b.get(b.at("?_c="+d.who()+"&_m="+d.move)).the(e.t, "data-form", "move")
		f, err := e.seats[who].MoveForm(e.t.Context(), d.move, d.who())
		must(e.t, err)
		values := e.fills(on, f, d.args)
		var given map[string]any
		must(e.t, json.Unmarshal([]byte(d.args), &given))
		values.Set("_touched", strings.Join(slices.Sorted(maps.Keys(given)), " "))
		// what was set may decide what norn fills in
		again := b.script().get(b.at("/odds?" + values.Encode()))
		if form := again.with("data-form", "move"); len(form) > 0 {
			values = form[0].sends()
		}
		values.Set("_by", "throw")
		e.posts(b, on, values)
	},
	answer: func(e *lived, q view.Question, answer string) {
		b := e.browses(e.whose(q.To))
		on := b.get(b.at("")).the(e.t, "data-question", q.ID).the(e.t, "data-form", "answer")
		e.posts(b, on, e.fills(on, q.Form, answer))
	},
	undo: func(e *lived, seq uint64) {
		b := e.browses("gm")
		on := b.get(b.at("")).the(e.t, "data-move", fmt.Sprint("m", seq)).the(e.t, "data-form", "undo")
		e.posts(b, on, on.sends())
	},
}

// words writes values as people do: "label: value, label: value".
func (e *lived) words(f *form.Form, args string) string {
	e.t.Helper()
	g, _ := game.Find(games.All(), e.game)
	l, _ := lang.Parse(e.lang)
	say := bridged().In(l)
	var given map[string]any
	must(e.t, json.Unmarshal([]byte(args), &given))
	var parts []string
	for _, field := range f.Fields {
		value, ok := given[field.Name]
		if !ok {
			continue
		}
		label := g.Label(say, field.Name)
		switch value := value.(type) {
		case bool:
			if value {
				parts = append(parts, label)
			} else {
				parts = append(parts, label+": "+strings.Fields(say.Say("chat.no"))[0])
			}
		case []any:
			for _, each := range value {
				parts = append(parts, label+": "+e.called(field, fmt.Sprint(each)))
			}
		default:
			parts = append(parts, label+": "+e.called(field, fmt.Sprint(value)))
		}
	}
	return strings.Join(parts, ", ")
}

// called returns a value as people write it: somebody's name, or the value itself.
func (e *lived) called(field form.Field, value string) string {
	for i, who := range e.cast {
		if value == fmt.Sprint("c", i+1) {
			return who.Name
		}
	}
	for _, o := range field.Options {
		if o.Value == value && o.Text != "" && !strings.Contains(o.Text, ":") {
			return o.Text
		}
	}
	return value
}

// commands returns the way of commands, written in the line of a page or in a chat.
func commands(name, l string, writes func(e *lived, who, line string)) way {
	return way{
		name: name, lang: l,
		make: func(e *lived, d doing) {
			g, _ := game.Find(games.All(), e.game)
			l, _ := lang.Parse(e.lang)
			say := bridged().In(l)
			if d.take != "" {
				_, who, n := e.offer(d.take)
				writes(e, who, fmt.Sprint("/take ", n))
				return
			}
			who := e.whose(d.who())
			f, err := e.seats[who].MoveForm(e.t.Context(), d.move, d.who())
			must(e.t, err)
			writes(e, who, "/"+strings.ToLower(say.Say(g.Word("move", d.move)))+" "+e.words(f, d.args))
		},
		answer: func(e *lived, q view.Question, answer string) {
			who := e.whose(q.To)
			v, err := e.seats[who].View(e.t.Context())
			must(e.t, err)
			n := 1 + slices.IndexFunc(v.Questions, func(own view.Question) bool { return own.ID == q.ID })
			writes(e, who, fmt.Sprintf("/answer #%d %s", n, e.words(q.Form, answer)))
		},
		undo: func(e *lived, _ uint64) { writes(e, "gm", "/undo") },
	}
}

var byLine = commands("line", "uk", func(e *lived, who, line string) {
	e.t.Helper()
	b := e.browses(who)
	on := b.get(b.at("")).the(e.t, "data-form", "say")
	got := b.submit(on, map[string]string{"_line": line})
	if got.status != http.StatusOK {
		e.t.Fatalf("the line %q is answered with %d: %s", line, got.status, got.says())
	}
})

var byChat = commands("chat", "ru", inChat)

// inChat writes a line in somebody's private chat.
func inChat(e *lived, who, line string) {
	e.t.Helper()
	e.chat.mu.Lock()
	e.chat.n++
	n := e.chat.n
	e.chat.mu.Unlock()
	u := bridge.Update{
		ID: fmt.Sprint("fake:u", n), By: bridge.Person{ID: "fake:" + who, Name: who}, Place: "fake:dm:" + who, Private: true,
		Line: strings.TrimPrefix(line, "/"),
	}
	a, err := e.bridge.Do(e.t.Context(), u)
	must(e.t, err)
	if a.Alone && len(a.Message.Lines) > 0 {
		e.t.Logf("%q is answered with %+v", line, a.Message.Lines)
	}
}

// sitsInChat lets everybody sit in the chat.
func (e *lived) sitsInChat() {
	e.t.Helper()
	l, _ := lang.Parse(e.lang)
	for _, who := range []string{"gm", "anna", "bohdan"} {
		code, err := e.bridge.Code(e.t.Context(), e.table, e.secret(who), false, l, "https://norn.example/t/"+e.table)
		must(e.t, err)
		inChat(e, who, "sit "+code)
	}
}

// log returns what players read of the newest move, by language, and what anybody sees of it.
func (e *lived) log(since uint64) map[string]string {
	e.t.Helper()
	read := map[string]string{}
	for _, l := range lang.All {
		seat, err := e.host.Enter(e.t.Context(), e.table, e.secret("anna"), l)
		must(e.t, err)
		all, err := seat.Log(e.t.Context(), since, 0)
		must(e.t, err)
		var lines []string
		for _, entry := range all {
			if entry.Outcome != nil {
				lines = append(lines, entry.Outcome.Text)
			}
			for _, line := range entry.Lines {
				lines = append(lines, line.Text)
			}
		}
		read[string(l)] = strings.ReplaceAll(strings.Join(lines, "\n"), "\u00a0", " ")
	}
	return read
}

// begin opens a table of a situation, and does what leads to it.
func (s situation) begin(t *testing.T, by way) *lived {
	t.Helper()
	e := begun(t, s, by.lang)
	for _, d := range s.before {
		e.does(byAPI, d)
	}
	if by.name == byChat.name {
		e.sitsInChat()
	}
	return e
}

// last returns the number of the newest entry.
func (e *lived) last() uint64 {
	e.t.Helper()
	all, err := e.master.Last(e.t.Context(), 1)
	must(e.t, err)
	return all[0].Seq
}

// sees returns all sheets, open questions and offers, as the game master or a player sees them.
func (e *lived) sees(who string) string {
	e.t.Helper()
	v, err := e.seats[who].View(e.t.Context())
	must(e.t, err)
	data, err := json.MarshalIndent([]any{v.Characters, v.Questions, v.Offers, v.Calls}, "", " ")
	must(e.t, err)
	return string(data)
}

// A rule between two others holds on the page, in its line, in a chat and by the API, with
// the same dice, questions and log, written in three languages, and it's undone as a whole.
func TestRulesBetweenRulesHoldInEveryWay(t *testing.T) {
	for _, s := range sampled() {
		t.Run(s.rules, func(t *testing.T) {
			t.Parallel()
			var told map[string]string
			for _, by := range []way{byAPI, byPage, byLine, byChat} {
				e := s.begin(t, by)
				since, before := e.last(), e.sees("gm")
				e.does(by, s.then)
				if t.Failed() {
					t.Fatalf("by %s", by.name)
				}
				read := e.log(since)
				if by.name == byAPI.name {
					for i, l := range lang.All {
						if !strings.Contains(read[string(l)], s.says[i]) || s.says[i] == "" {
							t.Errorf("%s doesn't say %q:\n%s", l, s.says[i], read[string(l)])
						}
					}
				}
				if diff := gocmp.Diff(told, read); told != nil && diff != "" {
					t.Errorf("players read another thing by %s than by the API (-API +%[1]s):\n%s", by.name, diff)
				}
				told = read
				if s.then.call != "" && strings.Contains(e.sees("anna")+e.sees("bohdan"), "tease") {
					t.Error("players see all of what was called for")
				}
				opened := e.opened(since)
				by.undo(e, opened)
				if s.then.call != "" {
					want(t, "calls after an undo by "+by.name, len(e.view().Calls), 1)
					continue
				}
				if diff := gocmp.Diff(before, e.sees("gm")); diff != "" {
					t.Errorf("an undo by %s doesn't restore (-before +after):\n%s", by.name, diff)
				}
			}
		})
	}
}

// opened returns the number of the first move after an entry.
func (e *lived) opened(since uint64) uint64 {
	e.t.Helper()
	all, err := e.master.Log(e.t.Context(), since, 0)
	must(e.t, err)
	for _, entry := range all {
		if entry.Kind == view.KindMove {
			return entry.Seq
		}
	}
	e.t.Fatal("nothing was done")
	return 0
}

// Made in secret by the game master, the same situation leaves nothing for players to see, but what
// changes on their own sheets.
func TestRulesBetweenRulesAreSecretInSecretMoves(t *testing.T) {
	for _, s := range sampled() {
		if s.then.take != "" || s.then.call != "" {
			continue
		}
		t.Run(s.rules, func(t *testing.T) {
			t.Parallel()
			e := s.begin(t, byAPI)
			since := e.last()
			e.does(secretly, s.then)
			for _, who := range []string{"anna", "bohdan"} {
				log, err := e.seats[who].Log(t.Context(), since, 0)
				must(t, err)
				v, err := e.seats[who].View(t.Context())
				must(t, err)
				if len(log)+len(v.Questions)+len(v.Offers) > 0 {
					t.Errorf("%s reads %+v and is asked %+v and offered %+v", who, log, v.Questions, v.Offers)
				}
			}
		})
	}
}

var secretly = way{
	name: "secret",
	make: func(e *lived, d doing) {
		e.api("gm", "/moves", map[string]any{
			"move": d.move, "character": d.who(), "args": json.RawMessage(d.args), "secret": true,
		})
	},
	answer: func(e *lived, q view.Question, answer string) {
		e.api("gm", "/answers", map[string]any{"question": q.ID, "answer": json.RawMessage(answer)})
	},
}

// sampled returns the situations, under -short one of four.
func sampled() []situation {
	if !testing.Short() {
		return situations
	}
	var some []situation
	for i := 0; i < len(situations); i += 4 {
		some = append(some, situations[i])
	}
	return some
}

// situations of the rules in which something was wrong between two of them.
var situations = []situation{
	{
		rules: "ED-05 ED-09", game: "edda",
		cast: []act.CharacterRequest{
			somebody("Снежа", "hero", "anna", `{"strengths": [{"name": "Kindness", "steps": 1}]}`),
			somebody("Bram", "hero", "bohdan", `{"strengths": [{"name": "Stubborn", "steps": 1}]}`),
			somebody("Troll", "fated", "", `{"dice": 1}`),
		},
		then: doing{move: "joint", args: `{"with": ["c2"], "against": "c3", "strengths": ["0"]}`},
		says: [3]string{"Draw", "Ничья", "Нічия"},
	},
	{
		rules: "ED-04", game: "edda",
		cast: []act.CharacterRequest{
			somebody("Snezha", "hero", "anna", `{"strengths": [{"name": "Kindness", "steps": 3}]}`),
		},
		then: doing{move: "act", args: `{"strengths": ["0"], "complexity": 3, "attempts": 2}`},
		answers: map[string][]string{
			"edda.effort": {`{"pay": "condition", "condition": "fatigue",
				"size": 1}`}, "edda.again": {`{"again": true}`},
		},
		says: [3]string{"2 dice – Kindness +3, fatigue −1", "2 кубика — Kindness +3, усталость −1", "2 кубики — Kindness +3, утома −1"},
	},
	{
		rules: "ED-23", game: "edda",
		cast: []act.CharacterRequest{
			somebody("Snezha", "hero", "anna", `{"experience": 6, "strengths": [{"name": "Kindness", "steps": 1},
				{"name": "Skates", "steps": 2, "faded": true}]}`),
		},
		then:    doing{move: "act", args: `{"fade": "0"}`},
		answers: map[string][]string{"edda.restore": {`{"strength": "1"}`}},
		says:    [3]string{"Skates is back", "восстановлена сила «Skates»", "повертається сила «Skates»"},
	},
	{
		rules: "EP-18", game: "eclipse",
		cast: []act.CharacterRequest{
			somebody("Nova", "character", "anna", `{"skills": [{"name": "infiltrate", "aptitude": "ref",
				"kind": "physical", "value": 60}]}`),
			somebody("Rook", "character", "bohdan", `{"wounds": 1, "skills": [{"name": "perceive",
				"aptitude": "int", "kind": "mental", "value": 95}]}`),
		},
		then: doing{move: "opposed", args: `{"on": "skill:infiltrate", "against": "c2",
				"against-on": "skill:perceive", "against-target": 50}`},
		says: [3]string{"Perceive 95, wounds −10. Target 85", "Восприятие 95, раны −10. Цель 85", "Сприйняття 95, рани −10. Ціль 85"},
	},
	{
		rules: "EP-17", game: "eclipse",
		cast: []act.CharacterRequest{
			somebody("Nova", "character", "anna", `{"skills": [{"name": "infiltrate", "aptitude": "ref",
				"kind": "physical", "value": 60}]}`),
			somebody("Rook", "character", "bohdan", `{"skills": [{"name": "perceive", "aptitude": "int",
				"kind": "mental", "value": 40}]}`),
			somebody("Guard", "npc", "", `{"skills": [{"name": "perceive", "aptitude": "int",
				"kind": "mental", "value": 40}]}`),
		},
		then: doing{move: "opposed", args: `{"on": "skill:infiltrate", "against": "c2",
				"against-on": "skill:perceive", "against-with": ["c3"]}`},
		says: [3]string{"Perceive 40, helpers +10. Target 50", "Восприятие 40, помощники +10. Цель 50", "Сприйняття 40, співробітники +10. Ціль 50"},
	},
	{
		rules: "EP-19", game: "eclipse",
		cast: []act.CharacterRequest{
			somebody("Nova", "character", "anna", `{"skills": [{"name": "guns", "aptitude": "ref",
				"kind": "combat", "value": 5}]}`),
		},
		before: []doing{{move: "test", args: `{"on": "skill:guns"}`}},
		then:   doing{take: "waive"},
		says:   [3]string{"trying again is no harder", "повторная попытка не сложнее", "повторна спроба не складніша"},
	},
	{
		rules: "EP-20 EP-22", game: "eclipse",
		cast: []act.CharacterRequest{
			somebody("Nova", "character", "anna", `{"skills": [{"name": "guns", "aptitude": "ref",
				"kind": "combat", "value": 50}],
				"pools": {"vigor": {"now": 1, "max": 1}}}`),
		},
		settings: `{"effects": "off"}`,
		before:   []doing{{move: "test", args: `{"on": "skill:guns"}`}},
		then:     doing{take: "point"},
		says:     [3]string{"flips 84 to 48 for 1 Vigor", "84 становится 48 — Бодрость −1", "84 стає 48 — Снага −1"},
	},
	{
		rules: "GB-02", game: "godbound",
		cast: []act.CharacterRequest{
			somebody("Arren", "hero", "anna", `{"effort": {"total": 1},
				"gifts": [{"name": "Aegis", "action": "instant", "cost": "sustained"}]}`),
			somebody("Kirou", "foe", "", `{"hd": 10}`),
			somebody("The bridge", "fight", "", `{"round": 1, "turn": "foes",
				"fighters": [{"who": "c1", "acted": 1}, {"who": "c2", "side": "foes"}]}`),
		},
		then: doing{move: "gift", args: `{"gift": "0"}`},
		says: [3]string{"Aegis", "Aegis", "Aegis"},
	},
	{
		rules: "GB-15", game: "godbound",
		cast: []act.CharacterRequest{
			somebody("Arren", "hero", "anna", `{"level": 5, "bonus": 19, "weapons": [{"name": "Hammer",
				"dice": "8d12"}]}`),
			somebody("Kirou", "foe", "", `{"hd": 1, "ac": 9}`),
		},
		before: []doing{{move: "attack", args: `{"target": "c2", "weapon": "0"}`}},
		then:   doing{take: "fate"},
		says:   [3]string{"Kirou: Dead", "Kirou: Смерть", "Kirou: Смерть"},
	},
	{
		rules: "GB-17", game: "godbound",
		cast: []act.CharacterRequest{
			somebody("Arren", "hero", "anna", `{"hp": 2, "ac": 9}`),
			somebody("Kirou", "foe", "", `{"hd": 10, "bonus": 19, "attacks": [{"name": "Claw", "dice": "4d12",
				"times": 2}]}`),
		},
		then:    doing{move: "strike", by: "c2", args: `{"target": "c1"}`},
		answers: map[string][]string{"godbound.finish": {`{"finish": true}`}, "godbound.rise": {`{"rise": true}`}},
		says:    [3]string{"falls in Fury and can’t be raised", "гибнет в Ярости, и воскресить уже нельзя", "гине в люті, і воскресити вже не можна"},
	},
	{
		rules: "MG-11", game: "mage",
		cast: []act.CharacterRequest{
			somebody("Mary", "character", "anna", `{"attributes": {"dexterity": 3}, "clock": {"counted": true},
				"actions": [{"text": "Strike", "kind": "extra"}]}`),
		},
		then: doing{move: "roll", args: `{"attribute": "dexterity"}`},
		says: [3]string{"Dexterity: 3 dice", "Ловкость: 3 кубика", "Спритність: 3 кубики"},
	},
	{
		rules: "MG-12", game: "mage",
		cast: []act.CharacterRequest{
			somebody("Mary", "character", "anna", `{"attributes": {"dexterity": 1}}`),
		},
		before: []doing{{move: "roll", args: `{"attribute": "dexterity", "difficulty": 10}`}},
		then:   doing{take: "forgive"},
		says:   [3]string{"trying again is no harder", "повторная попытка не сложнее", "повторна спроба не складніша"},
	},
	{
		rules: "MG-16", game: "mage", seed: 3,
		cast: []act.CharacterRequest{
			somebody("Mary", "character", "anna", `{"attributes": {"dexterity": 1}}`),
			somebody("Jago", "character", "bohdan", `{"attributes": {"dexterity": 5}}`),
		},
		then: doing{move: "team", args: `{"attribute": "dexterity", "with": ["c2"], "ruins": "itself"}`},
		says: [3]string{"– botch\n1 success", "— провал\n1 успех", "— провал\n1 успіх"},
	},
	{
		rules: "MG-32", game: "mage",
		cast: []act.CharacterRequest{
			somebody("Mary", "character", "anna", `{"attributes": {"dexterity": 5}}`),
		},
		then: doing{
			move: "roll", args: `{"attribute": "dexterity", "modifier": -2}`, call: `{"difficulty": 7,
				"tease": true}`,
		},
		answers: map[string][]string{"mage.added": {`{"allow": false}`}},
		says:    [3]string{"rolled – failure", "— неудача", "— невдача"},
	},
	{
		rules: "SP-09", game: "spire", seed: 1,
		cast: []act.CharacterRequest{
			somebody("Lira", "character", "anna", `{"skills": [{"name": "sneak"}]}`),
			somebody("Bram", "character", "bohdan", `{"skills": [{"name": "sneak", "mastery": true,
				"untrained": true}]}`),
			somebody("Odel", "character", "bohdan", `{}`),
		},
		then: doing{move: "group", args: `{"members": ["c2", "c3"], "skill": "sneak"}`},
		answers: map[string][]string{"spire.danger": {`{"die": "d3",
				"resistance": "shadow"}`}, "spire.risk": {`{"die": "d3", "resistance": "shadow"}`}},
		says: [3]string{"Odel: Shadow +", "Odel: Тень +", "Odel: Тінь +"},
	},
	{
		rules: "SP-27 SP-20", game: "spire",
		cast: []act.CharacterRequest{
			somebody("Lira", "character", "anna", `{"skills": [{"name": "fix"}]}`),
			somebody("Bram", "character", "bohdan", `{"fallouts": [{"kind": "blood", "severity": "moderate",
				"suggestion": "blood.moderate.1"}],
				"bonds": [{"name": "Verris", "npc": true, "fallouts": [{"kind": "blood", "severity": "moderate", "text": "His hand is broken."}]}]}`),
		},
		then: doing{move: "fix", args: `{"fallout": "c2:0.0", "skill": "fix"}`},
		says: [3]string{"bond with Verris: fallout stabilised", "связь «Verris»: последствие стабилизировано", "зв’язок «Verris»: наслідок стабілізовано"},
	},
}
