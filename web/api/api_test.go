package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/web/api"
	"norn/web/webtest"
)

// spoken has the words of everything that the API says.
var spoken = sync.OnceValue(func() *lang.Words {
	folders := []fs.FS{foreign.Words, form.Words, widget.Words, bare.Words, table.Words, api.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		panic(err)
	}
	return words
})

// client calls an API over a journal of its own.
type client struct {
	t       testing.TB
	url     string
	journal journal.Journal
	lang    string
	loose   bool // the request may have what the document doesn't describe, such as null for a missing value
}

func serve(t testing.TB) *client {
	t.Helper()
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return serveOn(t, j)
}

func serveOn(t testing.TB, j journal.Journal) *client {
	t.Helper()
	return servePlayed(t, j, games.All())
}

// servePlayed is serveOn with other games or editions.
func servePlayed(t testing.TB, j journal.Journal, played []*game.Game) *client {
	t.Helper()
	log, r := slog.New(slog.DiscardHandler), local.New()
	host := table.New(table.Config{
		Games: game.Fixed(played), Words: spoken(), Journal: j, Relay: r, Now: time.Now, Entropy: newDrawn(), Log: log,
		Version: "test",
	})
	server := httptest.NewUnstartedServer(api.NewTimed(api.Config{
		Host: host, Words: spoken(),
		Games: game.Fixed(played), Gate: webtest.RoomyGate(), Log: log, Hooks: &hooks{},
	}, 50*time.Millisecond,
		500*time.Millisecond))
	server.Config.ConnContext = webtest.Narrow
	server.Start()
	t.Cleanup(func() {
		_ = host.Close()
		server.CloseClientConnections()
		server.Close()
		_ = r.Close()
	})
	return &client{t: t, url: server.URL, journal: j, lang: "en"}
}

// drawn returns the same bytes in each run, so that the dice are the same.
type drawn struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

func newDrawn() *drawn { return &drawn{r: rand.NewChaCha8([32]byte{1})} }

func (d *drawn) Read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.Read(b)
}

// answer is a response.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// send makes a request; a body that isn't a string is sent as JSON.
func (c *client) send(method, path, secret string, body any) answer {
	c.t.Helper()
	var sent io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		sent = strings.NewReader(body)
	default:
		data, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		sent = bytes.NewReader(data)
	}
	r, err := http.NewRequest(method, c.url+path, sent)
	if err != nil {
		c.t.Fatal(err)
	}
	if sent != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return c.request(r, secret)
}

func (c *client) request(r *http.Request, secret string) answer {
	c.t.Helper()
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	r.Header.Set("Accept-Language", c.lang)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	openAPI(c.t).keeps(c.t, r, got, data, c.loose)
	return answer{c.t, got.StatusCode, got.Header, data}
}

// want checks the status and returns the body.
func (a answer) want(status int) object {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	var o object
	if err := json.Unmarshal(a.body, &o); err != nil {
		a.t.Fatalf("%v: %s", err, a.body)
	}
	return o
}

// problem checks status, code and form of an error.
func (a answer) problem(status int, code string) object {
	a.t.Helper()
	o := a.want(status)
	if o["code"] != code {
		a.t.Fatalf("code %v, want %s: %s", o["code"], code, a.body)
	}
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		a.t.Errorf("an error of type %s", got)
	}
	for _, name := range []string{"type", "title", "detail"} {
		if text, _ := o[name].(string); text == "" || strings.ContainsAny(text, "⟨⟩") {
			a.t.Errorf("%s of %s is %q", name, code, text)
		}
	}
	if o["status"] != float64(status) {
		a.t.Errorf("status in the body is %v, want %d", o["status"], status)
	}
	return o
}

// object is a JSON object.
type object map[string]any

// at returns the value at a path of members and indexes ("characters", 0, "sheet").
func (o object) at(t testing.TB, path ...any) any {
	t.Helper()
	var v any = map[string]any(o)
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("no %v in %v: %v", path, o, step)
			}
			v = m[step]
		case int:
			l, ok := v.([]any)
			if !ok || len(l) <= step {
				t.Fatalf("no %v in %v: %v", path, o, step)
			}
			v = l[step]
		}
	}
	return v
}

func (o object) text(t testing.TB, path ...any) string {
	t.Helper()
	s, ok := o.at(t, path...).(string)
	if !ok {
		t.Fatalf("%v is %v, no text", path, o.at(t, path...))
	}
	return s
}

// party is a table with a game master, a player who owns Vex, and a spectator.
type party struct {
	*client
	base                  string // address of the table
	gm, player, spectator string // secrets
	playerSeat            string
	vex                   string // id of the player's character
}

type body = map[string]any

func open(c *client) *party {
	c.t.Helper()
	made := c.send("POST", "/api/v1/tables", "", body{"game": "spire", "name": "Tuesday", "lang": "en"}).want(201)
	p := &party{client: c, base: "/api/v1/tables/" + made.text(c.t, "id"), gm: made.text(c.t, "seat", "secret")}
	seat := p.post("/seats", p.gm, body{"name": "Olena", "role": "player"}).want(201)
	p.player, p.playerSeat = seat.text(c.t, "secret"), seat.text(c.t, "id")
	p.spectator = p.post("/seats", p.gm, body{"name": "Ivan", "role": "spectator"}).want(201).text(c.t, "secret")
	p.vex = p.add(p.player, body{"name": "Vex", "kind": "character", "sheet": body{
		"class": "Azurite", "skills": []any{body{"name": "fight", "mastery": true}},
		"domains": []any{body{"name": "crime"}},
	}})
	return p
}

func (p *party) post(path, secret string, b any) answer {
	p.t.Helper()
	return p.send("POST", p.base+path, secret, b)
}

func (p *party) get(path, secret string) answer {
	p.t.Helper()
	return p.send("GET", p.base+path, secret, nil)
}

// add adds a character and returns its id.
func (p *party) add(secret string, b body) string {
	p.t.Helper()
	return p.post("/characters", secret, b).want(201).text(p.t, "id")
}

// sheet returns a character's sheet as a seat sees it.
func (p *party) sheet(secret, id string) object {
	p.t.Helper()
	view := p.get("", secret).want(200)
	for i := range view.at(p.t, "characters").([]any) {
		if view.text(p.t, "characters", i, "id") == id {
			return view.at(p.t, "characters", i, "sheet").(map[string]any)
		}
	}
	p.t.Fatalf("no character %s in %v", id, view)
	return nil
}

// entries counts the journal's entries.
func (c *client) entries() uint64 {
	c.t.Helper()
	heads, err := c.journal.Tables(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	n := uint64(len(heads))
	for _, h := range heads {
		n += h.Seq
	}
	return n
}
