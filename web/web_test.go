package web_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"norn/chat"
	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/limit"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
	"norn/web"
	"norn/web/webtest"
)

// spoken has the words of everything on pages.
var spoken = sync.OnceValue(func() *lang.Words {
	words, err := lang.Load(wordFolders()...)
	if err != nil {
		panic(err)
	}
	return words
})

func wordFolders() []fs.FS {
	folders := []fs.FS{foreign.Words, form.Words, widget.Words, bare.Words, table.Words, chat.Words, web.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	return folders
}

// house is a server with one table of Spire: a game master, Anna with Lira, Bohdan with Harald, a
// spectator and a guard.
type house struct {
	t      testing.TB
	url    string
	host   *table.Host
	kept   journal.Journal
	table  string
	master *table.Seat
	links  map[string]string // path of the seat link by "gm", "anna", "bohdan", "watcher"
	logged *lines
	log    *slog.Logger
	writes *writeLimit
}

// writeLimit is the write limit of a house's host, which each of its servers may replace.
type writeLimit struct{ now atomic.Pointer[limit.Limiter] }

func (w *writeLimit) Write(table, seat string) time.Duration {
	if l := w.now.Load(); l != nil {
		return l.Write(table, seat)
	}
	return 0
}

func (w *writeLimit) Wrote(table, seat string, bytes int) {
	if l := w.now.Load(); l != nil {
		l.Wrote(table, seat, bytes)
	}
}

// lines is a log that can be read while it's written.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func open(t testing.TB) *house {
	t.Helper()
	ctx := t.Context()
	j, err := sqlite.Open(ctx, t.TempDir())
	must(t, err)
	logged := &lines{}
	log, r := slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug})), local.New()
	writes := &writeLimit{}
	host := table.New(table.Config{
		Games: games.All(), Words: spoken(), Journal: j, Relay: r, Now: time.Now, Entropy: rand.Reader, Log: log,
		Version: "test", Writes: writes,
	})
	server := httptest.NewUnstartedServer(web.NewSlow(web.Config{
		Host: host, Words: spoken(), Games: games.All(),
		Gate: webtest.RoomyGate(), Log: log,
	}, time.Second))
	server.Config.ConnContext = webtest.Narrow
	server.Start()
	t.Cleanup(func() {
		_ = host.Close()
		server.CloseClientConnections()
		server.Close()
		_ = r.Close()
		_ = j.Close()
	})

	h := &house{
		t: t, url: server.URL, host: host, kept: j, links: map[string]string{}, logged: logged, log: log,
		writes: writes,
	}
	created, err := host.Create(ctx, request.NewTable{Game: "spire", Name: "Thursdays", Lang: lang.En})
	must(t, err)
	h.table, h.links["gm"] = created.ID, created.Seat.Secret
	h.master, err = host.Enter(ctx, created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	ids := map[string]string{}
	for name, role := range map[string]game.Role{
		"anna": game.Player, "bohdan": game.Player,
		"watcher": game.Spectator,
	} {
		seat, err := table.Do(ctx, h.master, act.AddSeat, act.SeatRequest{Name: name, Role: string(role)}, "seat "+name)
		must(t, err)
		ids[name], h.links[name] = seat.ID, seat.Secret
	}
	for name, secret := range h.links {
		h.links[name] = "/t/" + h.table + "/" + secret
	}
	h.add("Lira", "character", ids["anna"],
		`{"skills":[{"name":"sneak","mastery":true}],"domains":[{"name":"crime"}],"stress":{"blood":2},"class":"Thief"}`)
	h.add("Harald", "character", ids["bohdan"], `{"skills":[{"name":"fix"}],"domains":[{"name":"crime"}]}`)
	h.add("Guard", "npc", "", `{"notes":"sleeps-at-the-post"}`)
	return h
}

func (h *house) add(name, kind, owner, sheet string) {
	h.t.Helper()
	_, err := table.Do(h.t.Context(), h.master, act.AddCharacter, act.CharacterRequest{
		Name: name, Kind: kind, Owner: owner, Sheet: json.RawMessage(sheet),
	}, name)
	must(h.t, err)
}

// make makes a move without the pages.
func (h *house) make(r request.Move) view.Made {
	h.t.Helper()
	made, err := h.master.Make(h.t.Context(), r)
	must(h.t, err)
	return made
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// browser is a person's browser, with cookies and a language.
type browser struct {
	*house
	http  *http.Client
	lang  string
	hx    bool
	extra http.Header
}

// sits returns a browser that has entered a seat by its link.
func (h *house) sits(who string) *browser {
	h.t.Helper()
	b := h.stranger()
	b.takes(h.links[who])
	return b
}

// takes opens a seat's link and enters the seat.
func (b *browser) takes(link string) answer {
	b.t.Helper()
	b.get(link).the(b.t, "data-form", "arrive")
	got := b.post(link, nil)
	if got.status != http.StatusOK {
		b.t.Fatalf("the seat of %s can't be taken: %d", link, got.status)
	}
	return got
}

func (h *house) stranger() *browser {
	jar, err := cookiejar.New(nil)
	must(h.t, err)
	return &browser{house: h, http: &http.Client{Jar: jar, Timeout: time.Minute}, lang: "en", extra: http.Header{}}
}

// script returns the same browser with htmx.
func (b *browser) script() *browser {
	copied := *b
	copied.hx = true
	return &copied
}

type answer struct {
	*node
	status int
	header http.Header
	url    *url.URL
	body   string
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil)
}

func (b *browser) post(path string, values url.Values) answer {
	b.t.Helper()
	return b.do(http.MethodPost, path, strings.NewReader(values.Encode()))
}

func (b *browser) do(method, path string, body io.Reader) answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, body)
	must(b.t, err)
	r.Header.Set("Accept-Language", b.lang)
	r.Header.Set("Accept-Encoding", "identity") // streams, the API and playtest's browsers test compression
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.hx {
		r.Header.Set("HX-Request", "true")
	}
	for name, values := range b.extra {
		r.Header[name] = values
	}
	response, err := b.http.Do(r)
	must(b.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(b.t, err)
	return answer{parse(b.t, string(text)), response.StatusCode, response.Header, response.Request.URL, string(text)}
}

// at returns the address of the table's page or something below it.
func (b *browser) at(what string) string { return "/t/" + b.table + what }

// submit posts a form with some values changed, "" removes one.
func (b *browser) submit(form *node, change map[string]string) answer {
	b.t.Helper()
	return b.presses(form, form.attrs["action"], change)
}

// presses posts a form by a button with its own address.
func (b *browser) presses(form *node, to string, change map[string]string) answer {
	b.t.Helper()
	values := form.sends()
	for name, value := range change {
		values.Set(name, value)
	}
	action, _, _ := strings.Cut(to, "#")
	return b.post(action, values)
}

func want(t testing.TB, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func contains(t testing.TB, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s says %q, which lacks %q", what, text, part)
	}
}

func TestEveryPageHasSafeHeadersAndNoInlineScript(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	for _, path := range []string{
		"/", gm.at(""), gm.at("?_c=c1&_edit=1"), gm.at("?_m=stress&_tab=questions"),
		"/nowhere",
	} {
		got := gm.get(path)
		policy := got.header.Get("Content-Security-Policy")
		contains(t, path+" policy", policy, "default-src 'self'")
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy allows too much: %s", path, policy)
		}
		want(t, path+" sniffing", got.header.Get("X-Content-Type-Options"), "nosniff")
		want(t, path+" referrer", got.header.Get("Referrer-Policy"), "same-origin")
		want(t, path+" cache", got.header.Get("Cache-Control"), "no-store")
		for _, n := range got.all(func(*node) bool { return true }) {
			if n.tag == "style" || n.tag == "script" && n.attrs["src"] == "" {
				t.Errorf("%s has an inline %s", path, n.tag)
			}
			for name := range n.attrs {
				if name == "style" || strings.HasPrefix(name, "on") || strings.HasPrefix(name, "hx-on") {
					t.Errorf("%s: <%s> has %s", path, n.tag, name)
				}
			}
		}
	}
}

func TestEveryIDOnAPageIsUnique(t *testing.T) {
	h := open(t)
	h.make(request.Move{Move: "check", Character: "c1", ByHand: true, Dice: []int{3}, Key: "k"})
	gm := h.sits("gm")
	for _, path := range []string{gm.at(""), gm.at("?_c=c1&_edit=1"), gm.at("?_m=group")} {
		seen := map[string]bool{}
		for _, n := range gm.get(path).with("id", "*") {
			if id := n.attrs["id"]; seen[id] {
				t.Errorf("%s has the id %s twice", path, id)
			} else {
				seen[id] = true
			}
		}
	}
}

func TestPagesAreInTheReadersLanguage(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	for _, l := range lang.All {
		gm.lang = string(l)
		for _, path := range []string{"/", gm.at(""), gm.at("?_m=check&_c=c1&_edit=1"), "/nowhere"} {
			got := gm.get(path)
			want(t, path+" language", got.all(func(n *node) bool {
				return n.tag == "html"
			})[0].attrs["lang"], string(l))
			if i := strings.Index(got.body, "⟨"); i >= 0 {
				t.Errorf("%s in %s has no words for %s", path, l, got.body[i:min(len(got.body), i+60)])
			}
		}
	}
	gm.post("/look", url.Values{"_lang": {"uk"}, "_back": {"/"}})
	gm.lang = "en"
	want(t, "chosen language", gm.get("/").all(func(n *node) bool { return n.tag == "html" })[0].attrs["lang"], "uk")
	for _, back := range []string{
		"//evil.example/", "/\t/evil.example/", "/\n/evil.example/", `/\evil.example/`,
		"https://evil.example/", "/\x00",
	} { // browsers ignore tabs
		want(t, fmt.Sprintf("way back to %q", back),
			gm.post("/look", url.Values{"_theme": {"dark"}, "_back": {back}}).url.Path, "/")
	}
	want(t, "chosen theme", gm.get("/").all(func(n *node) bool {
		return n.tag == "html"
	})[0].attrs["data-theme"], "dark")
}

func TestInvalidLinksAllGetTheSameResponse(t *testing.T) {
	h := open(t)
	revoked, err := table.Do(t.Context(), h.master, act.AddSeat,
		act.SeatRequest{Name: "gone", Role: string(game.Player)}, "gone")
	must(t, err)
	was := h.stranger()
	was.takes("/t/" + h.table + "/" + revoked.Secret)
	_, err = table.Do(t.Context(), h.master, act.RevokeSeat, act.SeatNamed{Seat: revoked.ID}, "revoke")
	must(t, err)

	none := "/t/aaaaaaaaaaaaaaaa"
	first := h.stranger().get(none)
	want(t, "no such table", first.status, http.StatusNotFound)
	first.the(t, "href", none+"/recover")
	const recovers = `<p><a href="/t/aaaaaaaaaaaaaaaa/recover">I lost my link and have a recovery code</a></p>`
	for what, got := range map[string]answer{
		"link to no table": h.stranger().get(none + "/secret"),
		"no seat":          h.stranger().get(h.stranger().at("")),
		"wrong secret":     h.stranger().get("/t/" + h.table + "/wrong"),
		"revoked link":     h.stranger().get("/t/" + h.table + "/" + revoked.Secret),
		"revoked cookie":   was.get(was.at("")),
		"stream":           was.get(was.at("/live")),
		"move":             was.post(was.at("/move"), url.Values{}),
		"nowhere":          h.stranger().get("/nowhere"),
	} {
		want(t, what, got.status, http.StatusNotFound)
		wanted := first.body
		if what == "nowhere" {
			wanted = strings.Replace(wanted, recovers, "", 1)
		}
		if strings.ReplaceAll(got.body, h.table, "aaaaaaaaaaaaaaaa") != wanted { // the address has the table's id
			t.Errorf("%s differs from a table that isn't there:\n%s", what, got.body)
		}
	}
}

// A table whose journal can't be read says why, and what to do.
func TestUnreadableTableSaysWhyAndWhatToDo(t *testing.T) {
	for body, why := range map[string]string{
		`{`:                      "damaged where this table is kept",
		`{"v":99,"kind":"seat"}`: "A newer norn wrote it",
	} {
		h := open(t)
		heads, err := h.kept.Tables(t.Context())
		must(t, err)
		for _, head := range heads {
			if head.Table == h.table {
				_, err := h.kept.Append(t.Context(), h.table, head.Seq,
					journal.Entry{Time: time.Now(), Seat: "s1", Move: "m99", Body: []byte(body)})
				must(t, err)
			}
		}
		log := slog.New(slog.DiscardHandler)
		r := local.New()
		defer r.Close()
		again := table.New(table.Config{ // a host that doesn't have the table in memory
			Games: games.All(), Words: spoken(), Journal: h.kept, Relay: r, Now: time.Now, Entropy: rand.Reader,
			Log: log, Version: "test",
		})
		defer again.Close()
		w := httptest.NewRecorder()
		web.New(web.Config{Host: again, Words: spoken(), Games: games.All(), Log: log}).ServeHTTP(w,
			httptest.NewRequest(http.MethodGet, h.links["gm"], nil))
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), why) ||
			!strings.Contains(w.Body.String(), "Request ") {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}

func TestSeatsSecretLeavesTheAddressBar(t *testing.T) {
	h := open(t)
	b := h.stranger()
	b.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := b.get(h.links["anna"])
	want(t, "arrival", got.status, http.StatusOK)
	want(t, "referrer there", got.header.Get("Referrer-Policy"), "origin") // its form must work
	want(t, "cache there", got.header.Get("Cache-Control"), "no-store")
	if secret := path.Base(h.links["anna"]); strings.Contains(got.body, secret) {
		t.Error("the secret stands in the page where its link arrives")
	}
	got = b.post(h.links["anna"], nil)
	want(t, "status", got.status, http.StatusSeeOther)
	at := got.header.Get("Location")
	if strings.Contains(at, h.links["anna"]) {
		t.Errorf("the secret stands in the address %q", at)
	}
	want(t, "the table", b.get(at).status, http.StatusOK)
	want(t, "referrer", got.header.Get("Referrer-Policy"), "no-referrer")
	cookie := got.header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/t/" + h.table} {
		contains(t, "cookie", cookie, part)
	}
	secret := strings.TrimPrefix(h.links["anna"], "/t/"+h.table+"/")
	for _, page := range []string{b.get(b.at("")).body, h.logged.String()} {
		if strings.Contains(page, secret) {
			t.Error("the secret stands in a page or in the log")
		}
	}

	for _, off := range []string{"x", "/", "/more", "%2e"} { // a link with something at its end
		got := b.get(h.links["anna"] + off)
		want(t, off, got.status, http.StatusNotFound)
		want(t, off+" referrer", got.header.Get("Referrer-Policy"), "origin")
	}

	server := httptest.NewTLSServer(web.New(web.Config{
		Host: h.host, Words: spoken(), Games: games.All(),
		Log: slog.New(slog.DiscardHandler),
	}))
	defer server.Close()
	client := server.Client()
	client.CheckRedirect = b.http.CheckRedirect
	response, err := client.Post(server.URL+h.links["anna"], "", nil)
	must(t, err)
	_ = response.Body.Close()
	contains(t, "cookie over TLS", response.Header.Get("Set-Cookie"), "Secure")
}

// A browser without cookies gets an explanation, whether the table exists or not.
func TestBrowserWithoutCookiesGetsAnExplanation(t *testing.T) {
	h := open(t)
	b := h.stranger()
	b.http.Jar = nil
	for l, says := range map[string]string{"en": "Allow cookies", "ru": "Разрешите cookie", "uk": "Дозвольте cookie"} {
		b.lang = l
		got := b.post(h.links["anna"], nil)
		want(t, "status", got.status, http.StatusNotFound)
		contains(t, "who follows a link", got.says(), says)
		none := b.get("/t/aaaaaaaaaaaaaaaa?" + got.url.RawQuery)
		if none.status != got.status || none.body != got.body {
			t.Errorf("a table that isn't there differs: %d\n%s", none.status, none.body)
		}
		opened := b.submit(b.get("/").the(t, "data-form", "open"), map[string]string{"name": "Fridays"})
		contains(t, "who opens a table", opened.says(), says)
	}
	was := h.sits("anna")
	seats := h.sits("gm").get(was.at("")).with("data-seat", "*")
	for _, seat := range seats {
		if strings.Contains(seat.says(), "anna") {
			_, err := table.Do(t.Context(), h.master, act.RevokeSeat, act.SeatNamed{Seat: seat.attrs["data-seat"]},
				"revoke")
			must(t, err)
		}
	}
	contains(t, "whose seat was taken away", was.get(was.at("?_came=1")).says(), "nothing here")
}

func TestTableIsOpenedAndJoinedByPlainForms(t *testing.T) {
	h := open(t)
	b := h.stranger()
	form := b.get("/").the(t, "data-form", "open")
	bad := b.submit(form, map[string]string{"name": strings.Repeat("x", 201)})
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	contains(t, "problem", bad.the(t, "data-form", "open").says(), "at most 200 characters")
	got := b.submit(form, map[string]string{"name": "Fridays", "lang": "ru"})
	want(t, "status", got.status, http.StatusOK)
	contains(t, "title", got.says(), "Fridays")
	if len(got.with("data-drawer", "*")) == 0 {
		t.Error("who opens a table isn't its game master")
	}
	contains(t, "game master's page without characters", b.get(got.url.Path+"/gm").the(t, "id", "gm-cast").says(),
		"No characters yet")
	wrong := b.submit(b.get("/").the(t, "data-form", "join"), map[string]string{"link": "https://evil.example/"})
	want(t, "wrong link", wrong.status, http.StatusUnprocessableEntity)
	joined := b.submit(b.get("/").the(t, "data-form", "join"),
		map[string]string{"link": "https://elsewhere.example" + h.links["anna"]})
	want(t, "joined", joined.url.Path, h.links["anna"])
}

func TestMoveIsMadeOnceByPlainForm(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	change := map[string]string{"_by": "throw", "skill": "sneak", "difficulty": "1", "risk": "d3", "resistance": "mind"}
	first := anna.submit(form, change)
	want(t, "status", first.status, http.StatusOK)
	cards := first.with("data-move", "*")
	want(t, "cards", len(cards), 1)
	if len(cards) != 1 {
		t.FailNow()
	}
	for _, part := range []string{"Lira", "Check", "Sneak", "Difficulty 1"} {
		contains(t, "card", cards[0].says(), part)
	}
	want(t, "outcomes", len(cards[0].with("data-outcome", "*")), 1)
	if len(cards[0].all(func(n *node) bool { return n.is("die-deciding") })) == 0 {
		t.Error("no die decided")
	}

	again := anna.submit(form, change) // a double click, a reload
	want(t, "cards after the same form once more", len(again.with("data-move", "*")), 1)
	change["difficulty"] = "0"
	want(t, "the same key for another move", anna.submit(form, change).status, http.StatusConflict)
}

// A value on a sheet is a link that fills in the composer, with a move that uses it.
func TestSheetValueLinksToAFilledInMoveForm(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	page := anna.get(anna.at("?_c=c1"))
	links := page.the(t, "data-sheet", "c1").with("class", "use")
	want(t, "what fills", links[0].says(), "Sneak")
	form := anna.get(links[0].attrs["href"]).the(t, "data-form", "move")
	want(t, "move", form.sends().Get("_m"), "check")
	want(t, "skill", form.sends().Get("skill"), "sneak")

	// With script existing values stay, and another move stays selected if it uses the value.
	for _, move := range []string{"check", "group"} {
		piece := anna.script().get(anna.at("/move?_keep=1&_c=c1&_a=c1&difficulty=2&_pressed=skills.0&_m="+
			move)).piece(t, "#composer-box").the(t, "data-form", "move")
		want(t, "move", piece.sends().Get("_m"), move)
		want(t, "skill", piece.sends().Get("skill"), "sneak")
		want(t, "difficulty", piece.sends().Get("difficulty"), "2")
	}
	other := anna.script().get(anna.at("/move?_keep=1&_c=c1&_a=c1&_m=refresh&_pressed=skills.0")).piece(t,
		"#composer-box").the(t, "data-form", "move")
	want(t, "another move", other.sends().Get("_m"), "check")
	nothing := anna.script().get(anna.at("/move?_c=c1&_a=c1&_m=refresh&_pressed=nowhere.7")).piece(t,
		"#composer-box").the(t, "data-form", "move")
	want(t, "what leads nowhere", nothing.sends().Get("_m"), "refresh")
	if links := anna.get(anna.at("?_c=c2")).the(t, "data-sheet", "c2").with("class", "use"); len(links) > 0 {
		t.Error("another's sheet leads to moves")
	}
}

func TestMoveWithTypedFacesIsValidated(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	bad := anna.submit(form, map[string]string{"_by": "hand", "skill": "sneak", "_dice": "11 2 3"})
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	sent := bad.the(t, "data-form", "move")
	want(t, "faces kept", sent.the(t, "name", "_dice").attrs["value"], "11 2 3")
	want(t, "skill kept", sent.sends().Get("skill"), "sneak")
	problem := sent.the(t, "name", "_dice").up.all(func(n *node) bool { return n.is("problem") })
	want(t, "problems at the faces", len(problem), 1)
	good := anna.submit(sent, map[string]string{"_by": "hand", "_dice": "8 2 3"})
	want(t, "status", good.status, http.StatusOK)
	contains(t, "card", good.with("data-move", "*")[0].says(), "Success")
	contains(t, "card", good.with("data-move", "*")[0].says(), "by hand")
}

// Questions for faces use the notation of the reader's language.
func TestFaceQuestionsUseTheReadersNotation(t *testing.T) {
	quoted := map[string]string{"en": "“x”", "ru": "«x»", "uk": "«x»"}
	for l, dice := range map[string]string{
		"en": "d10. Let norn do it, or type",
		"ru": "к10. Пусть бросит norn, или впишите", "uk": "к10. Хай кине norn, або впишіть",
	} {
		h := open(t)
		anna := h.sits("anna")
		anna.lang = l
		form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
		got := anna.submit(form, map[string]string{
			"_by": "hand", "difficulty": "2", "risk": "d3",
			"resistance": "mind",
		})
		contains(t, l, got.says(), dice)
		asked := got.the(t, "data-question-kind", "dice")
		want(t, "as an example", asked.the(t, "name", "faces").attrs["placeholder"], "3")
		bad := anna.submit(asked.the(t, "data-form", "answer"), map[string]string{"faces": "x"})
		want(t, "status", bad.status, http.StatusUnprocessableEntity)
		problem := bad.the(t, "data-field", "faces").says()
		contains(t, "problem in "+l, problem, quoted[l])
		if strings.Contains(problem, "faces.0") {
			t.Errorf("the problem in %s doesn't name the field: %s", l, problem)
		}
	}
}

// A player who chose to type dice in is asked for faces first; others in that move for norn's dice.
// Both may choose otherwise.
func TestPlayerAskedForFacesMayLetNornRoll(t *testing.T) {
	h := open(t)
	anna, gm := h.sits("anna"), h.sits("gm")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	mine := anna.submit(form, map[string]string{
		"_by": "hand", "difficulty": "2", "risk": "d3",
		"resistance": "mind",
	}).the(t, "data-question-kind", "dice")
	theirs := gm.get(gm.at("")).the(t, "data-question-kind", "dice")
	want(t, "anna's norn", mine.the(t, "name", "roll").attrs["class"], "quiet")
	want(t, "the game master's norn", theirs.the(t, "name", "roll").attrs["class"], "primary")
	want(t, "by hand behind a press", len(theirs.all(func(n *node) bool { return n.tag == "details" })), 1)
	both := anna.submit(mine.the(t, "data-form", "answer"), map[string]string{"faces": "3", "roll": "on"})
	want(t, "status", both.status, http.StatusUnprocessableEntity)
	refused := both.the(t, "data-question-kind", "dice")
	want(t, "what was typed", refused.the(t, "name", "faces").attrs["value"], "3")
	contains(t, "the refusal", refused.the(t, "data-field", "faces").says(), "“3” would be lost. Clear it first")
	rolled := anna.submit(mine.the(t, "data-form", "answer"), map[string]string{"faces": "", "roll": "on"})
	want(t, "status", rolled.status, http.StatusOK)
	card := rolled.with("data-move", "*")[0]
	want(t, "norn's dice can be checked", card.the(t, "data-check", "*").attrs["aria-label"], "check this roll")
	if strings.Contains(card.says(), "by hand") {
		t.Errorf("norn's dice: %s", card.says())
	}
}

// A card with throws of both kinds says for each whether norn rolled it.
func TestCardSaysWhichDiceNornRolled(t *testing.T) {
	h := open(t)
	h.make(request.Move{
		Move: "check", Character: "c1", Args: json.RawMessage(`{"risk":"d3","resistance":"mind"}`),
		ByHand: true, Dice: []int{2}, Key: "k",
	})
	gm := h.sits("gm")
	asked := gm.get(gm.at("")).the(t, "data-question-kind", "dice")
	card := gm.submit(asked.the(t, "data-form", "answer"),
		map[string]string{"faces": "", "roll": "on"}).with("data-move", "*")[0].says()
	contains(t, "the card", card, "by hand")
	contains(t, "the card", card, "norn’s dice")
}

// Enter presses a form's first button. Without script the field isn't known, so a move isn't made
// unless something was typed in for it.
func TestEnterInTheMoveFormMakesNoMoveByAccident(t *testing.T) {
	h := open(t)
	anna, gm := h.sits("anna"), h.sits("gm")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	first := form.all(func(n *node) bool { return n.tag == "button" && n.attrs["type"] == "submit" })[0].attrs
	enter := map[string]string{first["name"]: first["value"], "skill": "sneak", "risk": "d3", "resistance": "mind"}
	looked := anna.submit(form, enter)
	want(t, "status", looked.status, http.StatusOK)
	want(t, "moves made by a look", len(looked.with("data-move", "*")), 0)
	form = looked.the(t, "data-form", "move")
	want(t, "skill kept", form.sends().Get("skill"), "sneak")

	enter["_dice"] = "11 2 3"
	bad := anna.submit(form, enter)
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	want(t, "faces kept", bad.the(t, "name", "_dice").attrs["value"], "11 2 3")
	enter["_dice"] = "8 2 3"
	good := anna.submit(bad.the(t, "data-form", "move"), enter)
	contains(t, "card", good.with("data-move", "*")[0].says(), "by hand")

	form = gm.get(gm.at("?_c=c1&_a=c1&_m=check")).the(t, "data-form", "move")
	gm.submit(form, map[string]string{"_by": "enter", "_about": "the wet roof"})
	contains(t, "what is asked", anna.get(anna.at("")).the(t, "id", "calls").says(), "the wet roof")

	// the script handles the fields with a button of their own
	form = anna.get(anna.at("?_c=c1&_m=refresh")).the(t, "data-form", "move")
	anna.script().submit(form, map[string]string{"_by": "enter"})
	want(t, "moves with script", len(anna.get(anna.at("")).with("data-move", "*")), 2)
}

func TestInvalidInputGetsAnErrorAtItsField(t *testing.T) {
	h := open(t)
	for l, text := range map[string]string{"en": "must be 0 to 2", "ru": "от 0 до 2", "uk": "від 0 до 2"} {
		anna := h.sits("anna")
		anna.lang = l
		form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
		got := anna.submit(form, map[string]string{"_by": "throw", "difficulty": "7", "skill": "sneak"})
		want(t, "status", got.status, http.StatusUnprocessableEntity)
		contains(t, "field in "+l, got.the(t, "data-form", "move").the(t, "data-field", "difficulty").says(), text)
		want(t, "skill kept", got.the(t, "data-form", "move").sends().Get("skill"), "sneak")

		piece := anna.script().submit(form, map[string]string{"_by": "throw", "difficulty": "7"})
		want(t, "status for script", piece.status, http.StatusUnprocessableEntity)
		contains(t, "piece", piece.piece(t, "#composer-box").the(t, "data-field", "difficulty").says(), text)
	}
	if entries, err := h.master.Last(t.Context(), 100); err != nil || strings.Contains(fmt.Sprint(entries), "check") {
		t.Errorf("something was written: %v %v", entries, err)
	}
}

func TestRefusalByTheRulesNamesTheRule(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	got := anna.submit(form, map[string]string{"_by": "throw", "skill": "sneak", "with": "c2", "domain": ""})
	want(t, "status", got.status, http.StatusUnprocessableEntity)
	contains(t, "composer", got.the(t, "data-form", "move").says(), "SP-08")
}

func TestTooLargeAndCrossSitePostsAreRefused(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	large := anna.post(anna.at("/move"), url.Values{"text": {strings.Repeat("x", 1<<20)}})
	want(t, "too large", large.status, http.StatusRequestEntityTooLarge)
	large.the(t, "href", anna.at("")) // leads back to the table
	anna.extra.Set("Sec-Fetch-Site", "cross-site")
	got := anna.post(anna.at("/move"), url.Values{"_m": {"check"}, "_a": {"c1"}})
	want(t, "from another site", got.status, http.StatusForbidden)
	want(t, "reading from another site", anna.get(anna.at("")).status, http.StatusOK) // a followed link
}

// risky makes a check whose stress the game master must settle.
func (h *house) risky(key string) view.Made {
	return h.make(request.Move{Move: "check", Character: "c1", ByHand: true, Dice: []int{3}, Key: key})
}

func TestQuestionIsAnsweredByPlainForm(t *testing.T) {
	h := open(t)
	made := h.risky("k")
	gm, anna := h.sits("gm"), h.sits("anna")

	seen := anna.get(anna.at(""))
	if len(seen.with("data-question", "*")) != 0 {
		t.Error("a player sees the game master's question")
	}
	contains(t, "player's page", seen.the(t, "data-move", made.Entry.Move).says(), "Waiting for the game master")

	shown := gm.get(gm.at(""))
	question := shown.the(t, "data-question-kind", "spire.risk")
	contains(t, "tab", shown.the(t, "id", "tab-count").says(), "1")
	bad := gm.submit(question.the(t, "data-form", "answer"), map[string]string{"die": "d12", "resistance": "mind"})
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	contains(t, "field", bad.the(t, "data-question-kind", "spire.risk").the(t, "data-field", "die").says(),
		"must be one of")
	want(t, "kept", bad.the(t, "data-question-kind", "spire.risk").the(t, "data-form",
		"answer").sends().Get("resistance"), "mind")

	good := gm.submit(question.the(t, "data-form", "answer"),
		map[string]string{"die": "d3", "resistance": "mind", "_key": "mine"})
	want(t, "status", good.status, http.StatusOK)
	if len(good.with("data-question-kind", "spire.risk")) != 0 {
		t.Error("the question is still there")
	}
	late := gm.submit(question.the(t, "data-form", "answer"), map[string]string{"die": "d8", "_key": "other"})
	want(t, "status of a second answer", late.status, http.StatusConflict)
	contains(t, "page", late.says(), "has answered already")
}

func TestSheetIsEditedByPlainForm(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("?_c=c1&_edit=1")).the(t, "data-form", "sheet")
	want(t, "what stands there", form.sends().Get("class"), "Thief")

	grown := anna.submit(form, map[string]string{"_add": "skills", "class": "Burglar"}).the(t, "data-form", "sheet")
	want(t, "typed text is kept", grown.sends().Get("class"), "Burglar")
	if !grown.sends().Has("skills.1.name") {
		t.Fatal("no row was added")
	}
	if _, focused := grown.the(t, "name", "skills.1.name").attrs["autofocus"]; !focused {
		t.Error("who added a row must look for it")
	}
	dropped := anna.submit(grown, map[string]string{"_drop": "domains.0"}).the(t, "data-form", "sheet")
	if dropped.sends().Has("domains.0.name") {
		t.Error("no row was dropped")
	}

	// Meanwhile stress is marked: values that the form doesn't change must stay.
	h.make(request.Move{
		Move: "stress", Character: "c1", Args: json.RawMessage(`{"die":"d3","resistance":"silver"}`),
		ByHand: true, Dice: []int{1, 9}, Key: "s",
	})
	bad := anna.submit(dropped, map[string]string{
		"skills.1.name":        "_other",
		"skills.1.name._other": strings.Repeat("y", 201),
	})
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	contains(t, "form", bad.the(t, "data-form", "sheet").says(), "at most 200 characters")

	kept := anna.submit(dropped, map[string]string{"skills.1.name": "_other", "skills.1.name._other": "Juggling"})
	want(t, "status", kept.status, http.StatusOK)
	sheet := kept.the(t, "data-sheet", "c1")
	for _, part := range []string{"Burglar", "Juggling"} {
		contains(t, "sheet", sheet.says(), part)
	}
	want(t, "silver", sheet.the(t, "data-track", "silver").attrs["data-now"], "1")
	if len(sheet.with("data-value", "domains.0.name")) != 0 {
		t.Error("the dropped domain is still there")
	}
	want(t, "another's sheet", anna.post(anna.at("/act/change-character"),
		url.Values{"_c": {"c2"}, "_name": {"Stolen"}, "_key": {"x"}}).status, http.StatusForbidden)
}

func TestPlayerAddsACharacterButNoNPC(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("")).the(t, "data-form", "character")
	got := anna.submit(form, map[string]string{"_name": "Mirra"})
	want(t, "status", got.status, http.StatusOK)
	contains(t, "sheet to fill", got.the(t, "data-form", "sheet").sends().Get("_name"), "Mirra")
	want(t, "a kind that isn't the player's",
		anna.submit(form, map[string]string{"_kind": "npc", "_name": "X", "_key": "y"}).status, http.StatusForbidden)
	want(t, "a spectator", h.sits("watcher").post(anna.at("/act/add-character"),
		url.Values{"_kind": {"character"}, "_name": {"X"}}).status, http.StatusForbidden)
}

func TestSeatsAreOfferedOnlyWhatTheirRoleAllows(t *testing.T) {
	h := open(t)
	anna, watcher := h.sits("anna"), h.sits("watcher")
	page := watcher.get(watcher.at(""))
	if len(page.with("data-form", "move")) != 0 || len(page.with("data-form", "answer")) != 0 {
		t.Error("a spectator is offered a move")
	}
	for _, b := range []*browser{anna, watcher} {
		if page := b.get(b.at("")); len(page.with("id", "drawer")) != 0 {
			t.Error("somebody else sees the game master's drawer")
		}
		want(t, "inviting", b.post(b.at("/act/add-seat"),
			url.Values{"_name": {"X"}, "_role": {"gm"}, "_key": {"1"}}).status, http.StatusForbidden)
		want(t, "settings", b.post(b.at("/act/change-settings"),
			url.Values{"stress-shown": {"hidden"}, "_key": {"2"}}).status, http.StatusForbidden)
		want(t, "removing", b.post(b.at("/act/remove-character"), url.Values{"_cid": {"c2"}, "_key": {"3"}}).status,
			http.StatusForbidden)
		made := b.post(b.at("/move"), url.Values{"_m": {"check"}, "_a": {"c2"}, "_key": {"4"}})
		if strings.Contains(made.body, `data-move=`) {
			t.Error("somebody moved a character of somebody else's")
		}
	}
}

func TestInvitationOpensASeatUntilItIsRevoked(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	form := gm.get(gm.at("")).the(t, "data-form", "invite")
	got := gm.submit(form, map[string]string{"_name": "Oksana", "_role": "player"})
	want(t, "status", got.status, http.StatusOK)
	link := got.invitation(t).attrs["value"]
	at, err := url.Parse(link)
	must(t, err)
	guest := h.stranger()
	want(t, "the guest", guest.get(at.Path).status, http.StatusOK)
	if strings.Contains(gm.get(gm.at("")).body, link) {
		t.Error("the link is shown again")
	}
	seat := got.all(func(n *node) bool { return n.attrs["data-seat"] != "" && strings.Contains(n.says(), "Oksana") })[0]
	gm.submit(seat.the(t, "data-form", "seat"), map[string]string{"_name": "Olena", "_key": "r"})
	contains(t, "page", gm.get(gm.at("")).the(t, "data-seat", seat.attrs["data-seat"]).says(), "Olena")
	renewed := gm.presses(seat.the(t, "data-form", "seat"), gm.at("/act/renew-seat"), map[string]string{"_key": "n"})
	want(t, "the old link", guest.get(guest.at("")).status, http.StatusNotFound)
	at, err = url.Parse(renewed.invitation(t).attrs["value"])
	must(t, err)
	want(t, "the new link", guest.get(at.Path).status, http.StatusOK)
	gm.presses(seat.the(t, "data-form", "seat"), gm.at("/act/revoke-seat"), map[string]string{"_key": "v"})
	want(t, "the revoked link", guest.get(guest.at("")).status, http.StatusNotFound)

	last := gm.post(gm.at("/act/revoke-seat"), url.Values{"_sid": {"s1"}, "_key": {"w"}})
	want(t, "the last game master", last.status, http.StatusUnprocessableEntity)
}

func TestSettingsAreAppliedOrRefused(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	form := gm.get(gm.at("")).the(t, "data-form", "settings")
	contains(t, "settings", form.says(), "SP-28")
	want(t, "numbers", len(anna.get(anna.at("?_c=c1")).the(t, "data-sheet", "c1").with("data-track",
		"blood")[0].all(func(n *node) bool {
		return n.is("boxes")
	})), 1)
	got := gm.submit(form, map[string]string{"stress-shown": "words"})
	want(t, "status", got.status, http.StatusOK)
	want(t, "no numbers", len(anna.get(anna.at("?_c=c1")).the(t, "data-sheet", "c1").with("data-track",
		"blood")[0].all(func(n *node) bool {
		return n.is("boxes")
	})), 0)
	bad := gm.submit(form, map[string]string{"helpers-most": "99", "_key": "z"})
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	contains(t, "field", bad.the(t, "data-form", "settings").the(t, "data-field", "helpers-most").says(), "0 to 9")
}

func TestNoSecretReachesAPlayersPageOrStream(t *testing.T) {
	h := open(t)
	h.make(request.Move{
		Move: "no-roll", Character: "c1", Args: json.RawMessage(`{"text":"poison-in-the-cup"}`),
		Secret: true, Key: "k",
	})
	anna, gm := h.sits("anna"), h.sits("gm")
	contains(t, "the game master's page", gm.get(gm.at("?_c=c3")).body, "poison-in-the-cup")
	contains(t, "the game master's page", gm.get(gm.at("?_c=c3")).body, "sleeps-at-the-post")
	stream, stop := anna.listen("1")
	defer stop()
	first := hear(t, stream, "")
	for what, body := range map[string]string{
		"page":   anna.get(anna.at("?_c=c3")).body,
		"sheet":  anna.script().get(anna.at("/character?_c=c3")).body,
		"stream": first.data,
		"move":   anna.script().post(anna.at("/move"), url.Values{"_m": {"lie-low"}, "_a": {"c1"}, "_key": {"l"}}).body,
	} {
		for _, secret := range []string{"poison-in-the-cup", "sleeps-at-the-post"} {
			if strings.Contains(body, secret) {
				t.Errorf("the player's %s has %s", what, secret)
			}
		}
	}
}

func TestOddsFollowTheForm(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	values := form.sends()
	contains(t, "odds of one die", form.the(t, "id", "odds").says(), "50% to succeed")
	contains(t, "exact odds", form.the(t, "id", "odds").says(), "2/5")
	values.Set("skill", "sneak")
	piece := anna.script().get(anna.at("/odds?" + values.Encode()))
	contains(t, "odds with mastery", piece.says(), "88% to succeed") // 1 − (1/2)³ = 7/8
	page := anna.get(anna.at("/odds?" + values.Encode()))
	contains(t, "odds without script", page.the(t, "id", "odds").says(), "88% to succeed")
	want(t, "skill kept", page.the(t, "data-form", "move").sends().Get("skill"), "sneak")
	anna.lang = "ru"
	contains(t, "odds in Russian", anna.script().get(anna.at("/odds?"+values.Encode())).body, "88\u00a0%")
}

// Simulated odds say so, with their error, in the line and in the composer.
func TestSimulatedOddsAreMarkedWithTheirError(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	line := anna.get(anna.at("")).the(t, "data-form", "say")
	for text, large := range map[string]bool{"/odds 1000d1000": true, "/odds 3d6": false} {
		answer := anna.script().submit(line, map[string]string{"_line": text})
		want(t, text, answer.status, http.StatusOK)
		notes := answer.with("data-simulated", "*")
		if large != (len(notes) == 1) {
			t.Fatalf("%s: %d notices in %s", text, len(notes), answer.body)
		}
		if large {
			contains(t, text, notes[0].says(), "simulated with")
			contains(t, text, notes[0].says(), "Each chance is within")
		}
	}
}

// event is one server-sent event.
type event struct{ id, name, data string }

// listen reads the stream after the event with an id.
func (b *browser) listen(last string) (<-chan event, func()) {
	b.t.Helper()
	return b.follow("/live", last)
}

// follow is listen at an address of the table.
func (b *browser) follow(at, last string) (<-chan event, func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+b.at(at), nil)
	must(b.t, err)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	client := &http.Client{Jar: b.http.Jar}
	response, err := client.Do(r)
	must(b.t, err)
	want(b.t, "stream", response.Header.Get("Content-Type"), "text/event-stream")
	events := make(chan event, 100)
	go func() {
		defer close(events)
		defer response.Body.Close()
		var e event
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 4<<20) // an event contains everything since the last one
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data += value + "\n"
			case "":
				if e.name != "" {
					events <- e
				}
				e = event{}
			}
		}
	}()
	return events, cancel
}

// hear waits for an event with a name, "" for any.
func hear(t testing.TB, events <-chan event, name string) event {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the stream ended before %q", name)
			}
			if name == "" || e.name == name {
				return e
			}
		case <-late:
			t.Fatalf("no %q came", name)
		}
	}
}

func TestConcurrentLivePageResumesWithoutGaps(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	after := anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"]
	stream, stop := anna.listen(after)
	hear(t, stream, "view")
	made := h.risky("a")
	e := hear(t, stream, "entry")
	card := parse(t, e.data).the(t, "data-move", made.Entry.Move)
	contains(t, "card", card.says(), "Waiting for the game master")
	want(t, "id", e.id, fmt.Sprint(made.Entry.Seq))
	stop()

	gm := h.sits("gm")
	question := gm.get(gm.at("")).the(t, "data-question-kind", "spire.risk")
	gm.submit(question.the(t, "data-form", "answer"), map[string]string{"die": "d3", "resistance": "mind"})
	stream, stop = anna.listen(e.id)
	defer stop()
	resumed := hear(t, stream, "entry")
	card = parse(t, resumed.data).the(t, "data-move", made.Entry.Move)
	card.the(t, "data-question-kind", "dice") // Anna must type in the faces
	if resumed.id <= e.id {
		t.Errorf("resumed at %s after %s", resumed.id, e.id)
	}
	if strings.Contains(resumed.data, "spire.risk") {
		t.Error("a question that isn't the player's came")
	}
}

// A page that has seen more than there is, or is another seat's, reloads. It doesn't reveal the
// length of the log.
func TestLivePageOfAnotherSeatOrAheadReloads(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	main := anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs
	last, err := strconv.ParseUint(main["data-live-after"], 10, 64)
	must(t, err)
	for _, hidden := range []int{0, 2} {
		for i := range hidden {
			h.make(request.Move{
				Move: "no-roll", Character: "c1", Args: json.RawMessage(`{"text":"in secret"}`),
				Secret: true, Key: fmt.Sprint("hidden", i),
			})
		}
		for _, after := range []uint64{last, last + 1, last + 2, 1 << 40} {
			stream, stop := anna.listen(fmt.Sprint(after))
			name := "view"
			if after > last {
				name = "anew"
			}
			want(t, fmt.Sprintf("after %d of %d, %d hidden", after, last, hidden), hear(t, stream, "").name, name)
			stop()
		}
	}
	contains(t, "another seat's page", anna.get(anna.at("/live?_seat="+main["data-reader"]+"0")).body, "event: anew\n")
}

func TestStreamEndsWhenItsSeatIsRevoked(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	stream, stop := anna.listen("")
	defer stop()
	hear(t, stream, "view")
	now, err := h.master.View(t.Context())
	must(t, err)
	for _, seat := range now.Seats {
		if seat.Name == "anna" {
			_, err = table.Do(t.Context(), h.master, act.RevokeSeat, act.SeatNamed{Seat: seat.ID}, "out")
			must(t, err)
		}
	}
	want(t, "end", strings.TrimSpace(hear(t, stream, "end").data), "revoked")
	want(t, "page", anna.get(anna.at("")).status, http.StatusNotFound)
}

func TestConcurrentStreamShowsWhoIsOnline(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	stream, stop := gm.listen("")
	defer stop()
	hear(t, stream, "view")
	_, leave := h.sits("anna").listen("")
	defer leave()
	for deadline := time.Now().Add(5 * time.Second); ; {
		seats := parse(t, hear(t, stream, "view").data).piece(t, "#online")
		for _, seat := range seats.with("data-online", "true") {
			if strings.Contains(seat.says(), "anna") {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("anna isn't seen")
		}
	}
}

func TestScriptsGetPartsOfPages(t *testing.T) {
	h := open(t)
	anna := h.sits("anna").script()
	form := h.sits("anna").get(anna.at("?_c=c1&_m=check")).the(t, "data-form", "move")
	got := anna.submit(form, map[string]string{"_by": "throw", "risk": "d3", "resistance": "mind"})
	want(t, "status", got.status, http.StatusNoContent)
	want(t, "news for script", got.header.Get("HX-Trigger"), "made")
	for _, path := range []string{"/character?_c=c2", "/character?_c=c1&_edit=1", "/move?_a=c1&_m=refresh"} {
		piece := anna.get(anna.at(path))
		want(t, path, piece.status, http.StatusOK)
		if strings.Contains(piece.body, "<html") {
			t.Errorf("%s is a whole page", path)
		}
	}
	gone := h.stranger().script().get(anna.at("/character?_c=c1"))
	want(t, "a page whose seat is gone", gone.header.Get("HX-Refresh"), "true")
}

func TestOddInputBreaksNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	h := open(t)
	question := h.risky("k").Open[0].ID
	odd := []string{
		"", "0", "-1", "99999999999999999999", "\xff\xfe", "\x00", "a.b.c", "_other", "<script>",
		strings.Repeat("я", 20_000), "c1", "m8", "on",
	}
	names := map[string][]string{
		"/move": {
			"_a", "_m", "_key", "_nonce", "_dice", "_by", "_secret", "difficulty", "skill",
			"skill._other", "with", "with.0", "nowhere",
		},
		"/answer": {"_question", "_key", "die", "resistance", "clear.blood"},
		"/act/change-character": {
			"_c", "_form", "_name", "_owner", "_was", "_add", "_drop", "_path", "_value",
			"skills.0.name", "skills.x.name", "skills", "stress.blood",
		},
		"/act/add-character":    {"_form", "_name", "_kind", "_owner", "_hero", "_like", "_add", "_key"},
		"/act/remove-character": {"_cid", "_key"},
		"/act/add-seat":         {"_name", "_role", "_key"},
		"/act/rename-seat":      {"_sid", "_name", "_key"},
		"/act/change-settings":  {"stress-shown", "helpers-most", "less-lethal", "_reset", "_add", "_key"},
		"/act/share-note":       {"_note", "_whom", "_to", "_key"},
	}
	good := url.Values{
		"_a": {"c1"}, "_m": {"check"}, "_c": {"c1"}, "_name": {"Lira"}, "_question": {question}, "_role": {"player"},
		"_form": {"hero"},
		"_kind": {"npc"}, "_by": {"hand"}, "_dice": {"3"},
	}
	gm := h.sits("gm")
	for path, fields := range names {
		for _, name := range fields {
			for i, value := range odd {
				b := []*browser{gm, gm.script()}[i%2] // alternates between plain and script
				values := url.Values{"_key": {fmt.Sprint(path, name, i)}}
				for _, known := range append([]string{"_a", "_m", "_by", "_dice"}, fields...) {
					if text := good.Get(known); text != "" && (path != "/act/remove-character" || known != "_cid") {
						values.Set(known, text)
					}
				}
				values.Set(name, value)
				if status := b.try(path, values); status >= 500 {
					t.Errorf("%s with %s=%.20q: %d", path, name, value, status)
				}
			}
		}
	}
	for _, query := range []string{
		"?_c=%ff", "?_m=nothing&_a=c9", "?_tab=x&_log=-5&_log=9999999999",
		"/odds?difficulty=x&with=%00", "/character?_c=", "/move?_m=",
	} {
		if got := gm.get(gm.at(query)); got.status >= 500 {
			t.Errorf("%s: %d", query, got.status)
		}
	}
	if log := h.logged.String(); strings.Contains(log, "panicked") {
		t.Error(log[strings.Index(log, "panicked"):])
	}
}

func TestAssetsAreServed(t *testing.T) {
	h := open(t)
	b := h.stranger()
	icon, err := http.Get(h.url + "/assets/favicon.svg")
	must(t, err)
	_ = icon.Body.Close()
	want(t, "icon", icon.Header.Get("Content-Type"), "image/svg+xml")
	want(t, "nothing", b.get("/assets/nothing.css").status, http.StatusNotFound)
	for _, link := range b.get("/").with("rel", "stylesheet") { // only if the bundle was built
		style, err := http.Get(h.url + link.attrs["href"])
		must(t, err)
		_ = style.Body.Close()
		want(t, "style", style.StatusCode, http.StatusOK)
		contains(t, "cache", style.Header.Get("Cache-Control"), "immutable")
	}
}

func BenchmarkLongestLog(b *testing.B) {
	h := open(b)
	for i := range 100 {
		h.make(request.Move{
			Move: "check", Character: "c1", ByHand: true, Dice: []int{8, 3, 1}, Key: fmt.Sprint(i),
			Args: json.RawMessage(`{"skill":"sneak"}`),
		})
	}
	anna := h.sits("anna")
	whole := anna.at("?_log=4")
	if got := anna.get(whole); len(got.with("data-move", "*")) != 56 || len(got.with("data-earlier", "*")) != 1 {
		b.Fatal("not the newest ones")
	}
	b.ResetTimer()
	for range b.N {
		if got := anna.raw(whole); got < 10_000 {
			b.Fatal("the page is too short")
		}
	}
}

// try posts a form and only checks the status: the response may repeat what no parser of pages
// accepts.
func (b *browser) try(path string, values url.Values) int {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.url+b.at(path),
		strings.NewReader(values.Encode()))
	must(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if b.hx {
		r.Header.Set("HX-Request", "true")
	}
	client := &http.Client{Jar: b.http.Jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.Do(r)
	must(b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(b.t, err)
	if !utf8.Valid(body) {
		b.t.Errorf("%s with %v answers what isn't UTF-8", path, values)
	}
	return response.StatusCode
}

// raw returns the number of bytes of the table's page.
func (b *browser) raw(path string) int {
	response, err := b.http.Get(b.url + path)
	must(b.t, err)
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	must(b.t, err)
	return int(n)
}
