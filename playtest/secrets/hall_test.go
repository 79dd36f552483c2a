// Package secrets plays random games over real HTTP and searches every byte that anybody is sent
// for secrets.
package secrets

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/meter"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/verify"
	"norn/table/view"
	"norn/web"
	"norn/web/api"
	"norn/web/middleware"
)

// spoken returns all words.
var spoken = sync.OnceValue(func() *lang.Words {
	folders := []fs.FS{form.Words, widget.Words, bare.Words, table.Words, web.Words, api.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		panic(err)
	}
	return words
})

// hall is a server with its pages, its API and its files.
type hall struct {
	t       testing.TB
	url     string
	journal journal.Journal
	host    *table.Host
	ledger  *ledger

	again int          // moves that the verification of seats' files ran again
	asked atomic.Int64 // number of requests, without streams

	log   written
	meter *meter.Meter

	mu    sync.Mutex
	leaks []leak
	bytes map[string]int           // by guest: the number of bytes received
	heard func(guest, text string) // called with each text, for tests that search for something else; nil for none
}

// written is a log as text.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(line)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// leak is a secret that somebody was sent.
type leak struct {
	guest, where string
	mark         *mark
}

// openHall starts a server. All its randomness follows from a seed, and its clock advances by a
// second with each request of the test.
func openHall(t testing.TB, played *game.Game, seed uint64) *hall {
	t.Helper()
	h := &hall{t: t, ledger: newLedger(), bytes: map[string]int{}, meter: meter.New("test")}
	began := time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)
	clock := func() time.Time { return began.Add(time.Duration(h.asked.Load()) * time.Second) }
	j, err := sqlite.Open(t.Context(), t.TempDir())
	must(t, err)
	relay, log := local.New(), slog.New(middleware.RequestLog(slog.NewTextHandler(&h.log,
		&slog.HandlerOptions{Level: slog.LevelDebug})))
	host := table.New(table.Config{
		Games: game.Fixed{played}, Words: spoken(), Journal: j, Relay: relay, Now: clock, Entropy: newDrawn(seed),
		Log: log, Version: "test", Meter: h.meter,
	})
	below := api.New(api.Config{Host: host, Words: spoken(), Games: game.Fixed{played}, Log: log})
	server := httptest.NewServer(web.New(web.Config{
		Host: host, Words: spoken(), Games: game.Fixed{played}, API: below,
		Log: log, Meter: h.meter,
	}))
	t.Cleanup(func() {
		_ = host.Close()
		server.CloseClientConnections()
		server.Close()
		_ = relay.Close()
		_ = j.Close()
	})
	h.url, h.journal, h.host = server.URL, j, host
	return h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hears searches what a guest was sent. The guest's own request isn't a leak.
func (h *hall) hears(guest, where, text string, said ...string) {
	echo := h.ledger.found(guest, strings.Join(said, "\n"))
	found := slices.DeleteFunc(h.ledger.found(guest, text), func(m *mark) bool { return slices.Contains(echo, m) })
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bytes[guest] += len(text)
	if h.heard != nil {
		h.heard(guest, text)
	}
	for _, m := range found {
		if !slices.ContainsFunc(h.leaks, func(l leak) bool { return l.guest == guest && l.mark == m }) {
			h.leaks = append(h.leaks, leak{guest, where, m})
		}
	}
}

// tight fails the test for each secret that somebody was sent, including readers of the most
// detailed log and of the metrics, who may know nothing of a table.
func (h *hall) tight() {
	h.t.Helper()
	counted := httptest.NewRecorder()
	h.meter.Handler().ServeHTTP(counted, httptest.NewRequest("GET", "/metrics", nil))
	log := h.log.String()
	if !strings.Contains(log, "request=") || !strings.Contains(counted.Body.String(), "norn_requests_total") {
		h.t.Error("nothing was logged or counted")
	}
	h.hears("the log", "it", log)
	h.hears("the metrics", "them", counted.Body.String())
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.leaks {
		if !l.mark.none {
			h.t.Errorf("%s was sent %s, in %s", l.guest, l.mark.what, l.where)
		}
	}
}

// guest is a client of the server: a seat, or nobody.
type guest struct {
	*hall
	name   string
	table  string
	id     string // of the seat
	secret string // "" for nobody
	lang   string
	pages  *http.Client
	seat   *table.Seat // the same seat inside the process; nil for nobody
}

// comes returns a guest with a right or wrong secret for a table.
func (h *hall) comes(name, tableID, id, secret string) *guest {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	must(h.t, err)
	g := &guest{hall: h, name: name, table: tableID, id: id, secret: secret, lang: "en"}
	g.pages = &http.Client{Jar: jar, Timeout: 20 * time.Second}
	g.seat, _ = h.host.Enter(h.t.Context(), tableID, secret, lang.En)
	if secret != "" {
		g.page("GET", "/t/"+tableID+"/"+secret, nil, nil)
		g.page("POST", "/t/"+tableID+"/"+secret, url.Values{}, nil)
	}
	return g
}

// sent is an answer.
type sent struct {
	status int
	header http.Header
	body   []byte
}

// page requests a page as a browser does; values are posted as a form.
func (g *guest) page(method, path string, values url.Values, header map[string]string) sent {
	var body io.Reader
	if values != nil {
		body = strings.NewReader(values.Encode())
	}
	r, err := http.NewRequest(method, g.url+path, body)
	must(g.t, err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if values != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return g.do(g.pages, r)
}

// api asks the API.
func (g *guest) api(method, path string, body any) sent {
	var text io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		must(g.t, err)
		text = bytes.NewReader(data)
	}
	r, err := http.NewRequest(method, g.url+"/api/v1/tables/"+g.table+path, text)
	must(g.t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if g.secret != "" {
		r.Header.Set("Authorization", "Bearer "+g.secret)
	}
	return g.do(http.DefaultClient, r)
}

// do sends a request and searches the answer, and those of redirects too.
func (g *guest) do(client *http.Client, r *http.Request) sent {
	r.Header.Set("Accept-Language", g.lang)
	// compressed content is the same, and compressing a thousand pages takes seconds; streams are
	// compressed
	r.Header.Set("Accept-Encoding", "identity")
	g.asked.Add(1)
	asked := *client
	asked.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		g.hears(g.name, r.Method+" "+r.URL.Path+" (redirect)", headed(next.Response))
		return nil
	}
	response, err := asked.Do(r)
	must(g.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(g.t, err)
	said := r.URL.RequestURI()
	if r.GetBody != nil {
		again, err := r.GetBody()
		must(g.t, err)
		text, err := io.ReadAll(again)
		must(g.t, err)
		said += string(text)
	}
	g.hears(g.name, r.Method+" "+r.URL.RequestURI(), headed(response)+string(body), said)
	return sent{response.StatusCode, response.Header, body}
}

// headed returns an answer's status and headers as text.
func headed(r *http.Response) string {
	var b strings.Builder
	b.WriteString(r.Status + "\n")
	_ = r.Header.Write(&b)
	return b.String()
}

// stream reads a live stream until the test ends. dress adds the guest's identity to the request.
func (g *guest) stream(path string, client *http.Client, dress func(*http.Request)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", g.url+path, nil)
	must(g.t, err)
	r.Header.Set("Accept-Language", g.lang)
	dress(r)
	done := make(chan struct{})
	begun := make(chan struct{})
	go func() {
		defer close(done)
		endless := *client
		endless.Timeout = 0
		response, err := endless.Do(r)
		close(begun)
		if err != nil {
			return
		}
		defer response.Body.Close()
		g.hears(g.name, "GET "+path, headed(response))
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			g.hears(g.name, "stream "+path, lines.Text())
		}
	}()
	<-begun
	return func() {
		cancel()
		<-done
	}
}

// listens follows the table by page and by API.
func (g *guest) listens() (stop func()) {
	page := g.stream("/t/"+g.table+"/live", g.pages, func(r *http.Request) { r.Header.Set("HX-Request", "true") })
	api := g.stream("/api/v1/tables/"+g.table+"/live?after=0", http.DefaultClient, func(r *http.Request) {
		if g.secret != "" {
			r.Header.Set("Authorization", "Bearer "+g.secret)
		}
	})
	return func() { page(); api() }
}

// looks requests everything that can be read: sometimes whole pages, as they contain most of it at
// once, and the script's requests for each character.
func (g *guest) looks(shown *view.View) {
	base := "/t/" + g.table
	script := map[string]string{"HX-Request": "true"}
	g.api("GET", "", nil)
	g.api("GET", "/log?limit=1000", nil)
	g.page("GET", base+"?_log=9&_tab=cast", nil, nil)
	if shown == nil {
		return
	}
	g.page("GET", base+"?_tab=questions", nil, nil)
	for i, c := range shown.Characters[max(0, len(shown.Characters)-8):] {
		if i == 0 {
			g.page("GET", base+"?_tab=sheet&_edit=1&_c="+c.ID, nil, nil)
		}
		g.page("GET", base+"/character?_c="+c.ID, nil, script)
		g.page("GET", base+"/character?_edit=1&_c="+c.ID, nil, script)
	}
	g.page("GET", base+"/story.md", nil, nil)
	for _, kept := range []sent{g.page("GET", base+"/seen.jsonl", nil, nil), g.api("GET", "/seen", nil)} {
		if kept.status != http.StatusOK {
			continue // the link isn't valid any more
		}
		if found, err := verify.File(games.All(), spoken(), bytes.NewReader(kept.body)); err != nil {
			g.t.Errorf("%s's file: %v", g.name, err)
		} else {
			g.again += found.Moves
		}
	}
}

// exported returns the table's file for a game master.
func (g *guest) exported() (string, error) {
	var file bytes.Buffer
	err := g.seat.Export(g.t.Context(), &file)
	return file.String(), err
}

// kept marks the keys in the journal: the hashes of links, and the secret of the dice of each
// current session.
func (h *hall) kept(tableID string) {
	h.t.Helper()
	entries, err := h.journal.Read(h.t.Context(), tableID, 0, 0)
	must(h.t, err)
	session := 0
	for _, e := range entries {
		var body struct {
			Events []struct {
				Type string `json:"type"`
				Data struct {
					Secret string `json:"secret"`
					Lock   struct{ Hash, Salt []byte }
				} `json:"data"`
			} `json:"events"`
		}
		must(h.t, json.Unmarshal(e.Body, &body))
		for _, event := range body.Events {
			if lock := event.Data.Lock; len(lock.Hash) > 0 {
				h.ledger.key(fmt.Sprintf("the hash of a link, entry %d", e.Seq), lock.Hash)
				if len(lock.Salt) > 0 {
					h.ledger.key(fmt.Sprintf("the salt of a link, entry %d", e.Seq), lock.Salt)
				}
			}
			if event.Type == "table.dice-sealed" {
				session++
				seal, err := hexBytes(event.Data.Secret)
				must(h.t, err)
				h.ledger.key("seal "+strconv.Itoa(session)+".", seal)
			}
		}
	}
}

func hexBytes(text string) ([]byte, error) {
	var b []byte
	_, err := fmt.Sscanf(text, "%x", &b)
	return b, err
}
