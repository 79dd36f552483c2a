package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/games"
	"norn/internal/limit"
	"norn/internal/wait"
	"norn/lang"
	"norn/odds"
	"norn/table/request"
	"norn/web"
	"norn/web/api"
)

// tally is a meter that records.
type tally struct {
	mu    sync.Mutex
	times map[string]int
}

func (h *tally) count(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.times == nil {
		h.times = map[string]int{}
	}
	h.times[what]++
}

func (h *tally) of(what string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.times[what]
}

func (h *tally) CountRequest(route string, status int, took time.Duration) {
	h.count(fmt.Sprint(route, " ", status, " ", took == 0))
}
func (h *tally) CountFrame() { h.count("frame") }
func (h *tally) CountSlow()  { h.count("slow") }

// guardWords has the words of the pages and the API.
var guardWords = sync.OnceValue(func() *lang.Words {
	words, err := lang.Load(append(wordFolders(), api.Words)...)
	if err != nil {
		panic(err)
	}
	return words
})

// guarded returns another server over the house's tables, with the API. It waits for a place among
// the odds longer than any machine is busy.
func (h *house) guarded(change func(*web.Config)) *httptest.Server {
	return h.guardedBy(web.New, 0, change)
}

// hasty is guarded with a short time limit for everything.
func (h *house) hasty(change func(*web.Config)) *httptest.Server {
	return h.guardedBy(func(c web.Config) http.Handler { return web.NewHasty(c, time.Second) }, time.Second, change)
}

func (h *house) guardedBy(pages func(web.Config) http.Handler, head time.Duration,
	change func(*web.Config),
) *httptest.Server {
	h.t.Helper()
	gate := odds.NewGate(4, 2, time.Minute)
	c := web.Config{Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log, Gate: gate}
	change(&c)
	h.writes.now.Store(c.Limiter)
	meter, _ := c.Meter.(api.Meter)
	if counted, ok := c.Meter.(*tally); ok {
		gate.Count = counted.count
	}
	c.API = api.New(api.Config{
		Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log, Limiter: c.Limiter,
		Meter: meter, Gate: c.Gate,
	})
	server := httptest.NewUnstartedServer(pages(c))
	server.Config.ReadHeaderTimeout = head
	server.Start()
	h.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// ask makes a request with the named seat, "" for none; a body is a form, or JSON if it begins with
// a brace.
func (h *house) ask(server *httptest.Server, name, method, path, body string, headers ...string) (*http.Response,
	string,
) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, server.URL+path, strings.NewReader(body))
	must(h.t, err)
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	} else if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if name != "" {
		secret := h.links[name][strings.LastIndex(h.links[name], "/")+1:]
		r.AddCookie(&http.Cookie{Name: "seat_" + h.table, Value: secret})
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	must(h.t, err)
	defer answer.Body.Close()
	if answer.Header.Get("Content-Type") == "text/event-stream" {
		return answer, ""
	}
	text, err := io.ReadAll(answer.Body)
	must(h.t, err)
	return answer, string(text)
}

// limitedHouse is a house with servers that have limits. It counts the requests that they refuse.
type limitedHouse struct {
	*house
	turned *tally
}

var twiceAMinute = limit.Rate{N: 2, Per: time.Minute}

// limited sets limits, with a stopped clock, so that a slow test doesn't regain any
// allowance.
func (h *limitedHouse) limited(l limit.Limits) func(*web.Config) {
	still := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	return func(c *web.Config) { c.Limiter = limit.New(l, func() time.Time { return still }, h.turned.count) }
}

// tooOften checks that a response asks to wait, and its text.
func tooOften(t *testing.T, answer *http.Response, text, says string) {
	t.Helper()
	want(t, "status", answer.StatusCode, http.StatusTooManyRequests)
	after, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || after < 1 || after > 60 {
		t.Errorf("Retry-After is %q", answer.Header.Get("Retry-After"))
	}
	contains(t, "the answer", text, says)
}

// A client with too many requests is asked to wait, in its language and with the time; no other is.
func TestClientWithTooManyRequestsIsAskedToWait(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := &limitedHouse{open(t), &tally{}}
	for _, of := range []struct {
		name  string
		check func(t *testing.T)
	}{
		{"a seat's changes and files a minute", h.limitsWrites},
		{"an entry of 40 kB counts as eleven", h.countsLargeEntries},
		{"new tables a minute", h.limitsTables},
		{"wrong secrets a minute", h.limitsKnocks},
		{"requests a minute", h.limitsRequests},
		{"requests at once, without streams", h.limitsRequestsAtOnce},
		{"files at once", h.limitsFilesAtOnce},
		{"streams of a seat at once", h.limitsStreams},
	} {
		t.Run(of.name, func(t *testing.T) {
			h.t = t
			of.check(t)
		})
		h.t = t
	}
}

func (h *limitedHouse) limitsWrites(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{Writes: twiceAMinute}))
	for range 2 {
		answer, text := h.ask(server, "anna", "POST", "/t/"+h.table+"/act/add-share", "share=abcdef")
		if answer.StatusCode == http.StatusTooManyRequests {
			t.Fatal(text)
		}
	}
	answer, text := h.ask(server, "anna", "POST", "/t/"+h.table+"/act/add-share", "share=abcdef")
	tooOften(t, answer, text, "Too much in a short time")
	answer, text = h.ask(server, "anna", "POST", "/t/"+h.table+"/act/add-share", "share=abcdef", "HX-Request", "true",
		"Accept-Language", "uk")
	tooOften(t, answer, text, `<p class="toast">Забагато за короткий час. `)
	answer, text = h.ask(server, "anna", "POST", "/api/v1/tables/"+h.table+"/moves",
		`{"move":"check","character":"c1"}`, "Accept-Language", "ru")
	tooOften(t, answer, text, `"code":"too-often"`)
	contains(t, "the problem", text, "Повторите через 30 секунд.")
	want(t, "content type", answer.Header.Get("Content-Type"), "application/problem+json")
	answer, _ = h.ask(server, "anna", "GET", "/t/"+h.table, "")
	want(t, "reading on", answer.StatusCode, http.StatusOK)
	answer, text = h.ask(server, "bohdan", "POST", "/t/"+h.table+"/act/add-share", "share=abcdef")
	if answer.StatusCode == http.StatusTooManyRequests {
		t.Errorf("another seat: %s", text)
	}
	// a file is as expensive as a change
	for _, path := range []string{"/t/" + h.table + "/seen.jsonl", "/api/v1/tables/" + h.table + "/seen"} {
		answer, text = h.ask(server, "anna", "GET", path, "")
		tooOften(t, answer, text, "oo much")
	}
	want(t, "turned away", h.turned.of("writes"), 5)
}

func (h *limitedHouse) countsLargeEntries(t *testing.T) {
	large := `{"sheet":{"fallouts":[` +
		strings.TrimSuffix(strings.Repeat(`{"kind":"blood","severity":"minor","text":"`+strings.Repeat("x", 8000)+`"},`,
			5), ",") + `]}}`
	for _, then := range []struct{ path, body string }{
		{"/t/" + h.table + "/say", "_line=x"}, {"/api/v1/tables/" + h.table + "/talk", `{"text":"x"}`},
	} {
		server := h.guarded(h.limited(limit.Limits{Writes: limit.Rate{N: 10, Per: time.Minute}}))
		answer, text := h.ask(server, "gm", "PATCH", "/api/v1/tables/"+h.table+"/characters/c1", large)
		want(t, "a large sheet: "+text, answer.StatusCode, http.StatusOK)
		answer, text = h.ask(server, "gm", "POST", then.path, then.body)
		tooOften(t, answer, text, "oo much")
	}
	server := h.guarded(h.limited(limit.Limits{Writes: limit.Rate{N: 10, Per: time.Minute}}))
	// stores the whole sheet again
	answer, text := h.ask(server, "gm", "POST", "/t/"+h.table+"/act/change-character",
		"_form=value&_c=c1&_path=class&_value=x")
	want(t, "a value of a large sheet: "+text, answer.StatusCode, http.StatusSeeOther)
	answer, text = h.ask(server, "gm", "POST", "/t/"+h.table+"/say", "_line=x")
	tooOften(t, answer, text, "oo much")
}

func (h *limitedHouse) limitsTables(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{Tables: twiceAMinute}))
	for i, c := range []struct{ path, body string }{
		{"/tables", "game=spire&name=One&lang=en"},
		{"/api/v1/tables", `{"game":"spire","name":"Two","lang":"en"}`},
		{"/tables", "game=spire&name=Three&lang=en"},
		{"/api/v1/tables", `{"game":"spire","name":"Four","lang":"en"}`},
	} {
		answer, text := h.ask(server, "", "POST", c.path, c.body)
		if i >= 2 {
			tooOften(t, answer, text, "oo much")
		} else if answer.StatusCode >= 400 {
			t.Errorf("%s: %d %s", c.path, answer.StatusCode, text)
		}
	}
}

func (h *limitedHouse) limitsKnocks(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{Knocks: twiceAMinute}))
	answer, _ := h.ask(server, "anna", "GET", "/t/"+h.table, "")
	want(t, "anna", answer.StatusCode, http.StatusOK)
	for range 2 {
		answer, _ = h.ask(server, "", "GET", "/t/"+h.table+"/wrong", "")
		want(t, "a wrong secret", answer.StatusCode, http.StatusNotFound)
	}
	answer, text := h.ask(server, "", "GET", "/t/"+h.table+"/wronger", "")
	tooOften(t, answer, text, "Too much in a short time")
	answer, text = h.ask(server, "", "GET", "/api/v1/tables/"+h.table, "")
	tooOften(t, answer, text, `"code":"too-often"`)
	answer, _ = h.ask(server, "anna", "GET", "/t/"+h.table, "")
	want(t, "anna, whom the door knows", answer.StatusCode, http.StatusOK)
}

func (h *limitedHouse) limitsRequests(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{Requests: twiceAMinute}))
	for range 2 {
		answer, _ := h.ask(server, "", "GET", "/", "")
		want(t, "the start page", answer.StatusCode, http.StatusOK)
	}
	answer, text := h.ask(server, "", "GET", "/", "")
	tooOften(t, answer, text, "Too much in a short time")
	answer, text = h.ask(server, "", "GET", h.links["anna"], "")
	tooOften(t, answer, text, "Too much in a short time")
	want(t, "referrer of a page that stays at a link", answer.Header.Get("Referrer-Policy"), "origin")
	answer, text = h.ask(server, "", "GET", "/api/v1/games", "")
	tooOften(t, answer, text, `"code":"too-often"`)
	for at, status := range map[string]int{
		"GET /assets/favicon.svg": 200, "GET /healthz": 429, "GET /api/openapi.json": 429, "GET /api/v1/nowhere": 429,
		"PUT /api/v1/games": 429,
	} {
		method, path, _ := strings.Cut(at, " ")
		answer, _ = h.ask(server, "", method, path, "")
		want(t, at, answer.StatusCode, status)
	}
}

// limitsRequestsAtOnce counts requests whose body hasn't arrived yet.
func (h *limitedHouse) limitsRequestsAtOnce(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{AtOnce: 2}))
	for range 2 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		must(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "POST /look HTTP/1.1\r\nHost: norn\r\nExpect: 100-continue\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n")
		must(t, err)
		goesOn, err := bufio.NewReader(conn).ReadString('\n') // the server waits for the body
		must(t, err)
		contains(t, "the answer", goesOn, "100 Continue")
	}
	answer, text := h.ask(server, "", "GET", "/", "")
	tooOften(t, answer, text, "Too much in a short time")
	answer, text = h.ask(server, "", "GET", "/api/v1/games", "")
	tooOften(t, answer, text, `"code":"too-often"`)
	answer, _ = h.ask(server, "anna", "GET", "/t/"+h.table+"/live", "")
	want(t, "a stream beside them", answer.StatusCode, http.StatusOK)
}

func (h *limitedHouse) limitsFilesAtOnce(t *testing.T) {
	one := limit.New(limit.Limits{Files: 1}, time.Now, nil)
	server := h.guarded(func(c *web.Config) { c.Limiter = one })
	files := []string{
		"/t/" + h.table + "/story.md", "/t/" + h.table + "/seen.jsonl", "/t/" + h.table + "/export.jsonl",
		"/api/v1/tables/" + h.table + "/export",
		"/api/v1/tables/" + h.table + "/export.md", "/api/v1/tables/" + h.table + "/seen",
	}
	for range 2 { // each gives its place back
		for _, path := range files {
			answer, _ := h.ask(server, "gm", "GET", path, "")
			want(t, path, answer.StatusCode, http.StatusOK)
		}
	}
	_, err := one.File("127.0.0.1")
	must(t, err)
	for _, path := range files {
		answer, text := h.ask(server, "gm", "GET", path, "")
		tooOften(t, answer, text, "oo much")
	}
}

func (h *limitedHouse) limitsStreams(t *testing.T) {
	server := h.guarded(h.limited(limit.Limits{SeatStreams: 1}))
	opens := func(name, path string) { // waits until an earlier stream's place is free
		t.Helper()
		wait.Until(t, "the place of a closed stream is free", func() bool {
			answer, _ := h.ask(server, name, "GET", path, "")
			return answer.StatusCode == http.StatusOK
		})
	}
	for _, path := range []string{"/t/" + h.table + "/live", "/api/v1/tables/" + h.table + "/live"} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/t/"+h.table+"/live", nil)
		must(t, err)
		r.AddCookie(&http.Cookie{
			Name:  "seat_" + h.table,
			Value: h.links["anna"][strings.LastIndex(h.links["anna"], "/")+1:],
		})
		var stream *http.Response
		wait.Until(t, "the first stream opens", func() bool { // an earlier stream may still have its place
			stream, err = http.DefaultTransport.RoundTrip(r)
			must(t, err)
			return stream.StatusCode == http.StatusOK
		})
		answer, text := h.ask(server, "anna", "GET", path, "")
		tooOften(t, answer, text, "oo much")
		opens("bohdan", path)
		must(t, stream.Body.Close())
		opens("anna", path)
	}
}

// Forwarding headers of a trusted proxy are believed, and no others.
func TestForwardingHeadersOnlyOfATrustedProxyCount(t *testing.T) {
	h := open(t)
	asks := func(networks []netip.Prefix, headers ...string) (*http.Response, *limit.Limiter) {
		limiter := limit.New(limit.Limits{Requests: limit.Rate{N: 1, Per: time.Hour}}, time.Now, nil)
		server := h.guarded(func(c *web.Config) { c.Limiter, c.Proxies = limiter, networks })
		answer, _ := h.ask(server, "", "POST", h.links["anna"], "", headers...)
		return answer, limiter
	}
	cookieOf := func(answer *http.Response) *http.Cookie {
		for _, c := range answer.Cookies() {
			return c
		}
		t.Fatal("no cookie")
		return nil
	}
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	said := []string{"X-Forwarded-For", "203.0.113.9, 198.51.100.7, 127.0.0.3", "X-Forwarded-Proto", "https"}

	for name, c := range map[string]struct {
		networks  []netip.Prefix
		headers   []string
		encrypted bool
		address   string
	}{
		"nobody is trusted":  {nil, said, false, "127.0.0.1"},
		"another is trusted": {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, said, false, "127.0.0.1"},
		"the proxy":          {local, said, true, "198.51.100.7"},
		"what it heard before": {
			local,
			[]string{"X-Forwarded-For", "6.6.6.6, nonsense, 198.51.100.7", "X-Forwarded-Proto", "https, http"},
			false,
			"198.51.100.7",
		},
		"says nothing":            {local, nil, false, "127.0.0.1"},
		"nonsense":                {local, []string{"X-Forwarded-For", "198.51.100.7, nonsense"}, false, "127.0.0.1"},
		"everybody is of our own": {local, []string{"X-Forwarded-For", "127.0.0.9"}, false, "127.0.0.9"},
	} {
		answer, limiter := asks(c.networks, c.headers...)
		cookie := cookieOf(answer)
		want(t, name+": Secure", cookie.Secure, c.encrypted)
		want(t, name+": HttpOnly", cookie.HttpOnly, true)
		want(t, name+": SameSite", cookie.SameSite, http.SameSiteLaxMode)
		want(t, name+": Strict-Transport-Security", answer.Header.Get("Strict-Transport-Security") != "", c.encrypted)
		_, err := limiter.Request(c.address, false)
		want(t, name+": counted for "+c.address, err != nil, true)
	}
}

// A client that sends or reads slowly is cut off, but not a stream that is read.
func TestSlowSendersAreCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := open(t)
	meter := &tally{}
	server := h.hasty(func(c *web.Config) { c.Meter = meter })
	address := strings.TrimPrefix(server.URL, "http://")
	secret := h.links["anna"][strings.LastIndex(h.links["anna"], "/")+1:]
	cookie := "Cookie: seat_" + h.table + "=" + secret + "\r\n"

	// A stream that was open before, for longer than any time limit.
	live, err := net.Dial("tcp", address)
	must(t, err)
	defer live.Close()
	_, err = io.WriteString(live, "GET /t/"+h.table+"/live HTTP/1.1\r\nHost: "+address+"\r\n"+cookie+"\r\n")
	must(t, err)
	stream, err := http.ReadResponse(bufio.NewReader(live), nil)
	must(t, err)
	want(t, "the stream", stream.StatusCode, http.StatusOK)

	for name, begin := range map[string]string{
		"head": "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"form": "POST /t/" + h.table + "/act/add-share HTTP/1.1\r\nHost: " + address + "\r\n" +
			cookie + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\n",
		"chunks": "POST /look HTTP/1.1\r\nHost: " + address +
			"\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\nfff0\r\n",
		"JSON": "POST /api/v1/tables HTTP/1.1\r\nHost: " + address +
			"\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
		"body that nobody reads": "POST /nowhere HTTP/1.1\r\nHost: " + address + "\r\nContent-Length: 100000\r\n\r\n",
		"body of a GET":          "GET / HTTP/1.1\r\nHost: " + address + "\r\nContent-Length: 100000\r\n\r\n",
		"body of an API GET": "GET /api/v1/games HTTP/1.1\r\nHost: " + address +
			"\r\nContent-Length: 100000\r\n\r\n",
		"body of a live page": "GET /t/" + h.table + "/live HTTP/1.1\r\nHost: " + address + "\r\n" + cookie +
			"Content-Length: 100000\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", address)
			must(t, err)
			defer conn.Close()
			_, err = io.WriteString(conn, begin)
			must(t, err)
			gone := make(chan string, 1)
			go func() {
				text, _ := io.ReadAll(conn) // until it's cut off
				gone <- string(text)
			}()
			for { // a byte now and then
				select {
				case text := <-gone:
					if name == "form" {
						contains(t, "the answer", text, " 408 ")
						contains(t, "the answer", text, "</html>")
					}
					if status, _, _ := strings.Cut(strings.TrimPrefix(text, "HTTP/1.1 "),
						" "); strings.HasPrefix(status, "5") {
						t.Errorf("answered with %s", status)
					}
					return
				case <-time.After(50 * time.Millisecond):
					_, _ = conn.Write([]byte("a")) // fails after the cut
				}
			}
		})
	}

	h.make(request.Move{Move: "no-roll", Character: "c1", Args: []byte(`{"text":"after all of that"}`)})
	text := bufio.NewReader(stream.Body)
	must(t, live.SetReadDeadline(time.Now().Add(10*time.Second)))
	for {
		line, err := text.ReadString('\n')
		must(t, err)
		if strings.Contains(line, "after all of that") {
			break
		}
	}
	if meter.of("frame") == 0 {
		t.Error("no frame was counted")
	}
}

// A response that the client doesn't read doesn't hold its connection for ever.
func TestClientsThatReadNothingAreCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := open(t)
	server := h.hasty(func(*web.Config) {})
	address := strings.TrimPrefix(server.URL, "http://")
	conn, err := net.Dial("tcp", address)
	must(t, err)
	defer conn.Close()
	must(t, conn.(*net.TCPConn).SetReadBuffer(4096))
	ended := make(chan error, 1)
	go func() { // many responses that aren't read
		for {
			must(t, conn.SetWriteDeadline(time.Now().Add(10*time.Second)))
			if _, err := io.WriteString(conn,
				"GET /api/openapi.json HTTP/1.1\r\nHost: "+address+"\r\n\r\n"); err != nil {
				ended <- err
				return
			}
		}
	}()
	select {
	case err := <-ended:
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("the server waits")
		}
	case <-time.After(20 * time.Second):
		t.Error("the server neither takes nor cuts off")
	}
}

// A body that is too large gets an explanation.
func TestTooLargeBodyIsRefusedWithAnExplanation(t *testing.T) {
	h := open(t)
	server := h.guarded(func(*web.Config) {})
	fields := strings.Builder{}
	for i := range 2500 {
		fmt.Fprintf(&fields, "f%d=1&", i)
	}
	deep := `{"move":"check","character":"c1","args":` + strings.Repeat(`{"a":`, 5000) + "1" +
		strings.Repeat("}", 5000) + "}"
	digits := `{"move":"check","character":"c1","args":{"difficulty":` + strings.Repeat("9", 100_000) + `}}`
	moves := "/api/v1/tables/" + h.table + "/moves"
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"a long address": {
			"GET", "/odds?a=" + strings.Repeat("a", 20_000), "", 414,
			"The address is too long",
		},
		"a long address (API)": {
			"GET", "/api/v1/games?a=" + strings.Repeat("a", 20_000), "", 414,
			`"code":"too-long"`,
		},
		"a long address nowhere": {"GET", "/api/v1/x/" + strings.Repeat("a", 20_000), "", 414, `"code":"too-long"`},
		"a long head":            {"GET", "/?" + strings.Repeat("a", 1_200_000), "", 431, ""},
		"many fields": {
			"POST", "/t/" + h.table + "/act/add-share", fields.String(), 413,
			"Too many fields at once",
		},
		"a large form": {
			"POST", "/t/" + h.table + "/act/add-share", "a=" + strings.Repeat("a", 2<<20), 413,
			"That is too much at once",
		},
		"a large body": {
			"POST", moves, `{"a":"` + strings.Repeat("a", 2<<20) + `"}`, 413,
			`"code":"too-large"`,
		},
		"deep JSON": {"POST", moves, deep, 400, `"code":"malformed"`},
		"very deep JSON": {
			"POST", moves, `{"args":` + strings.Repeat("[", 200_000), 400,
			`"code":"malformed"`,
		},
		"a number of many digits": {"POST", moves, digits, 422, `"code":"invalid"`},
		"percent":                 {"POST", "/look", "a=%", 400, "can’t be read"},
	} {
		answer, text := h.ask(server, "anna", c.method, c.path, c.body)
		want(t, name, answer.StatusCode, c.status)
		contains(t, name, text, c.says)
		if len(text) > 20_000 {
			t.Errorf("%s: the answer has %d bytes", name, len(text))
		}
	}
}

// The server reports that it runs, and whether it serves tables, but not why not.
func TestHealthSaysWhetherTablesAreServedButNotWhy(t *testing.T) {
	h := open(t)
	var broken error
	server := h.guarded(func(c *web.Config) {
		c.Ready = func(context.Context) error { return broken }
	})
	for _, c := range []struct {
		method, path string
		broken       error
		status       int
		text         string
	}{
		{"GET", "/healthz", nil, 200, "ok\n"},
		{"GET", "/readyz", nil, 200, "ok\n"},
		{"HEAD", "/readyz", nil, 200, ""},
		{"GET", "/healthz", errors.New("hush"), 200, "ok\n"},
		{"GET", "/readyz", errors.New("hush"), 503, "not ready\n"},
		{"POST", "/readyz", nil, 405, ""},
	} {
		broken = c.broken
		answer, text := h.ask(server, "", c.method, c.path, "")
		want(t, c.method+" "+c.path, answer.StatusCode, c.status)
		want(t, c.method+" "+c.path, text, c.text)
	}
}

// A HEAD request for a stream gets its headers and uses no resources.
func TestHEADOfAStreamEndsAtOnceWithItsHeaders(t *testing.T) {
	h := open(t)
	server := h.guarded(func(*web.Config) {})
	secret := h.links["anna"][strings.LastIndex(h.links["anna"], "/")+1:]
	for _, path := range []string{"/t/" + h.table + "/live", "/api/v1/tables/" + h.table + "/live"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		must(t, err)
		must(t, conn.SetDeadline(time.Now().Add(5*time.Second)))
		_, err = io.WriteString(conn, "HEAD "+path+" HTTP/1.1\r\nHost: norn\r\nCookie: seat_"+h.table+"="+secret+
			"\r\nAuthorization: Bearer "+secret+"\r\n\r\n"+
			"GET /healthz HTTP/1.1\r\nHost: norn\r\nConnection: close\r\n\r\n")
		must(t, err)
		text, err := io.ReadAll(conn)
		must(t, err)
		must(t, conn.Close())
		contains(t, path, string(text), "text/event-stream")
		contains(t, "what comes after "+path, string(text), "\r\n\r\nok\n")
	}
}

// Requests are counted, without names.
func TestMetricsCountRequestsWithoutNames(t *testing.T) {
	h := open(t)
	meter := &tally{}
	server := h.guarded(func(c *web.Config) { c.Meter = meter })
	h.ask(server, "", "GET", "/", "")
	h.ask(server, "anna", "GET", "/t/"+h.table, "")
	h.ask(server, "", "GET", "/t/"+h.table+"/wrong", "")
	h.ask(server, "", "GET", "/api/v1/odds/spire/check?difficulty=1", "")
	h.ask(server, "", "GET", "/api/v1/odds/dice?notation="+url.QueryEscape("4d6kh3"), "")
	h.ask(server, "", "GET", "/api/v1/odds/spire/check?difficulty=100", "")
	for what, n := range map[string]int{
		"GET /{$} 200 false": 1, "GET /t/{table} 200 false": 1, "GET /t/{table}/{secret} 404 false": 1,
		"GET /api/v1/odds/{game}/{move} 200 false": 1, "GET /api/v1/odds/{game}/{move} 422 false": 1,
	} {
		wait.Until(t, what+" is counted after the answer", func() bool { return meter.of(what) >= n })
		want(t, what, meter.of(what), n)
	}
	if meter.of("exact") < 2 {
		t.Errorf("%d odds were exact", meter.of("exact"))
	}
	for what := range meter.times {
		if strings.Contains(what, h.table) {
			t.Errorf("%q names a table", what)
		}
	}
}

// A client that leaves before the response is no failure: nothing is logged, and no 5xx is counted.
func TestClientThatLeavesIsNotCountedAsAFailure(t *testing.T) {
	h := open(t)
	var logged bytes.Buffer
	meter := &tally{}
	pages := web.New(web.Config{
		Host: h.host, Words: spoken(), Games: games.All(), Meter: meter,
		Log: slog.New(slog.NewTextHandler(&logged, nil)),
	})
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, path := range []string{
		"/", "/odds/spire/check", "/t/" + h.table, "/t/" + h.table + "/gm",
		"/t/" + h.table + "/story.md", "/t/" + h.table + "/live",
	} {
		r := httptest.NewRequestWithContext(gone, "GET", path, nil)
		r.AddCookie(&http.Cookie{
			Name:  "seat_" + h.table,
			Value: h.links["gm"][strings.LastIndex(h.links["gm"], "/")+1:],
		})
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code >= 500 || logged.Len() > 0 {
			t.Errorf("%s: %d, and the log says %q", path, w.Code, &logged)
			logged.Reset()
		}
	}
	for what := range meter.times {
		if strings.Contains(what, " 5") {
			t.Errorf("counted: %s", what)
		}
	}
}

// A stream has the same security headers for a page and a program, and in both versions of HTTP.
func TestStreamsOfPagesAndAPISendTheSameHeaders(t *testing.T) {
	h := open(t)
	server := h.guarded(func(*web.Config) {})
	// these depend on a request or its language
	own := []string{"X-Request-Id", "Date", "Vary", "Content-Language", "Content-Encoding", "Connection"}
	sent := func(path string) http.Header {
		t.Helper()
		answer, text := h.ask(server, "anna", "GET", path, "")
		want(t, path+": "+text, answer.StatusCode, http.StatusOK)
		for _, name := range own {
			answer.Header.Del(name)
		}
		return answer.Header
	}
	page, program := sent("/t/"+h.table+"/live"), sent("/api/v1/tables/"+h.table+"/live")
	if diff := cmp.Diff(page, program); diff != "" {
		t.Errorf("the page's stream (-) and the API's (+):\n%s", diff)
	}
	for name, value := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		want(t, name, page.Get(name), value)
	}
}

// A person who opens a table gets in, even if others at the same address have guessed too often.
func TestTableCreatorGetsInDespiteWrongLinksFromTheirAddress(t *testing.T) {
	h := open(t)
	still := func() time.Time { return time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC) }
	server := h.guarded(func(c *web.Config) {
		c.Limiter = limit.New(limit.Limits{Knocks: limit.Rate{N: 1, Per: time.Hour}}, still, nil)
	})
	for i := range 3 {
		h.ask(server, "", "GET", fmt.Sprint("/t/", h.table, "/wrong", i), "")
	}
	answer, _ := h.ask(server, "anna", "GET", "/t/"+h.table, "")
	want(t, "who wasn't here lately", answer.StatusCode, http.StatusTooManyRequests)

	_, text := h.ask(server, "", "POST", "/api/v1/tables", `{"game":"spire","name":"Two","lang":"en"}`)
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	must(t, json.Unmarshal([]byte(text), &made))
	answer, text = h.ask(server, "", "GET", "/api/v1/tables/"+made.ID, "", "Authorization", "Bearer "+made.Seat.Secret)
	want(t, "the API's table: "+text, answer.StatusCode, http.StatusOK)

	opened, text := h.ask(server, "", "POST", "/tables", "game=spire&name=One&lang=en")
	want(t, "opening: "+text, opened.StatusCode, http.StatusSeeOther)
	cookie := opened.Cookies()[0]
	answer, _ = h.ask(server, "", "GET", opened.Header.Get("Location"), "", "Cookie", cookie.Name+"="+cookie.Value)
	want(t, "the page's table", answer.StatusCode, http.StatusOK)
}

// Webhooks of chat platforms pass the guard like all requests.
func TestWebhooksOfChatPlatformsPassTheGuard(t *testing.T) {
	h := open(t)
	read := make(chan error, 1)
	hook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusOK)
		read <- err
	})
	meter := &tally{}
	server := h.guarded(func(c *web.Config) {
		c.Hooks, c.Meter = map[string]http.Handler{"/discord": hook}, meter
		c.Limiter = limit.New(limit.Limits{Requests: limit.Rate{N: 2, Per: time.Hour}}, time.Now, nil)
	})
	answer, _ := h.ask(server, "", "POST", "/discord", "x=1")
	want(t, "a call", answer.StatusCode, http.StatusOK)
	want(t, "what it reads", <-read, nil)
	want(t, "no page", answer.Header.Get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'")
	h.ask(server, "", "POST", "/discord", "x="+strings.Repeat("x", 2<<20))
	if err := <-read; !errors.As(err, new(*http.MaxBytesError)) {
		t.Errorf("2 MiB were read: %v", err)
	}
	answer, _ = h.ask(server, "", "POST", "/discord", "x=1")
	want(t, "a call too many", answer.StatusCode, http.StatusTooManyRequests)
	want(t, "counted", meter.of("hook 200 false"), 2)
}
