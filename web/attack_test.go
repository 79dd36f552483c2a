package web_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"norn/internal/limit"
	"norn/internal/wait"
	"norn/odds"
	"norn/web"
)

// A request with a body occupies a place among concurrent requests while it arrives, whatever its
// address; only the streams' own routes are exempt.
func TestRequestsWithABodyTakeAPlaceWhileTheyArrive(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := open(t)
	for _, request := range []string{
		"PATCH /api/v1/tables/x/seats/live", "PATCH /api/v1/tables/" + h.table + "/characters/live",
		"POST /api/v1/odds/spire/live",
		"POST /api/v1/odds/dice", "POST /api/v1/tables", "POST /look", "POST /tables", "POST /join",
	} {
		t.Run(request, func(t *testing.T) {
			server := h.guarded(func(c *web.Config) { c.Limiter = limit.New(limit.Limits{AtOnce: 2}, time.Now, nil) })
			address := strings.TrimPrefix(server.URL, "http://")
			media := "application/json"
			if !strings.Contains(request, "/api/") {
				media = "application/x-www-form-urlencoded"
			}
			sends := func() {
				conn, err := net.Dial("tcp", address)
				must(t, err)
				t.Cleanup(func() { conn.Close() })
				_, err = io.WriteString(conn, request+" HTTP/1.1\r\nHost: "+address+"\r\nContent-Type: "+media+
					"\r\nContent-Length: 1000\r\n\r\n{")
				must(t, err)
			}
			sends()
			begun, sent := time.Now(), 1
			wait.Until(t, "a request finds no place", func() bool {
				// slow senders are cut off, on a busy machine before the next one has arrived
				if time.Since(begun) > time.Duration(sent-1)*time.Second {
					sends()
					sent++
				}
				answer, _ := h.ask(server, "", "GET", "/", "")
				return answer.StatusCode == http.StatusTooManyRequests
			})
		})
	}
}

// Bodies that exceed the space are refused before they're read completely, while small ones are
// accepted.
func TestBodiesThatExceedTheMemoryLimitAreRefused(t *testing.T) {
	h := open(t)
	turned := &tally{}
	server := h.guarded(func(c *web.Config) { c.Limiter = limit.New(limit.Limits{Bodies: 2}, time.Now, turned.count) })
	large := strings.Repeat("a", 700_000)
	tries := 0
	// a client that still sends when norn hangs up may not get the reason, and tries again
	refused := func(path, media, body string) (status int, text string) {
		for {
			tries++
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
			must(t, err)
			r.Header.Set("Content-Type", media)
			answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
			if err != nil && tries < 50 {
				continue
			}
			must(t, err)
			defer answer.Body.Close()
			said, err := io.ReadAll(answer.Body)
			must(t, err)
			return answer.StatusCode, string(said)
		}
	}
	status, text := refused("/look", "application/x-www-form-urlencoded", "back=%2F&a="+large)
	want(t, "a form", status, http.StatusTooManyRequests)
	contains(t, "a form", text, "Too much in a short time")
	status, text = refused("/api/v1/odds/dice", "application/json", `{"a":"`+large+`"}`)
	want(t, "JSON", status, http.StatusTooManyRequests)
	contains(t, "JSON", text, `"code":"too-often"`)
	want(t, "turned away", turned.of("bodies"), tries)
	for range 3 { // the space is free again
		answer, text := h.ask(server, "", "POST", "/api/v1/odds/dice",
			`{"args":{"notation":"`+strings.Repeat(" ", 500_000)+`2d6"}}`)
		if answer.StatusCode == http.StatusTooManyRequests {
			t.Errorf("half a MiB: %s", text)
		}
	}
}

// Searches, luck and a session's page wait for the same places as odds. Without a free one they say
// when to try again, in the reader's language; other requests are served meanwhile.
func TestSearchesWhileBusySayWhenToTryAgain(t *testing.T) {
	h := open(t)
	gate := odds.NewGate(2, 1, time.Millisecond)
	server := h.guarded(func(c *web.Config) { c.Gate = gate })
	leave, err := gate.Enter(t.Context(), "127.0.0.1", "somebody at the same address")
	must(t, err)
	page, api := "/t/"+h.table, "/api/v1/tables/"+h.table
	dear := []string{
		page + "?_find=rain", page + "?_part=throws", page + "/session/1", api + "/log?find=rain",
		api + "/log?part=mine", api + "/luck",
	}
	for _, at := range dear {
		answer, text := h.ask(server, "gm", "GET", at, "")
		want(t, at, answer.StatusCode, http.StatusTooManyRequests)
		want(t, at+" says when", answer.Header.Get("Retry-After"), "2")
		want(t, at+" says so", strings.Contains(text, "Too much in a short time"), true)
	}
	for said, lang := range map[string]string{"Слишком много": "ru", "Забагато": "uk"} {
		_, text := h.ask(server, "gm", "GET", page+"?_find=rain", "", "Accept-Language", lang)
		want(t, lang+" says so", strings.Contains(text, said), true)
	}
	for _, at := range []string{page, api, api + "/log"} {
		answer, _ := h.ask(server, "gm", "GET", at, "")
		want(t, at, answer.StatusCode, http.StatusOK)
	}
	leave()
	for _, at := range dear {
		answer, _ := h.ask(server, "gm", "GET", at, "")
		want(t, at+" later", answer.StatusCode, http.StatusOK)
	}
}
