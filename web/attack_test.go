package web_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"norn/limit"
	"norn/web"
)

// Whoever sends a body has a place among the requests at once while it comes, whatever the address is called: the streams'
// own routes alone last.
func TestBodiesAreAmongTheRequestsAtOnce(t *testing.T) {
	h := open(t)
	for _, request := range []string{
		"PATCH /api/v1/tables/x/seats/live", "PATCH /api/v1/tables/" + h.table + "/characters/live", "POST /api/v1/odds/spire/live",
		"POST /api/v1/odds/dice", "POST /api/v1/tables", "POST /look", "POST /tables", "POST /join",
	} {
		t.Run(request, func(t *testing.T) {
			server := h.guarded(func(c *web.Config) { c.Door = limit.New(limit.Limits{AtOnce: 2}, time.Now, nil) })
			address := strings.TrimPrefix(server.URL, "http://")
			media := "application/json"
			if !strings.Contains(request, "/api/") {
				media = "application/x-www-form-urlencoded"
			}
			for range 2 {
				conn, err := net.Dial("tcp", address)
				must(t, err)
				t.Cleanup(func() { conn.Close() })
				_, err = io.WriteString(conn, request+" HTTP/1.1\r\nHost: "+address+"\r\nContent-Type: "+media+"\r\nContent-Length: 1000\r\n\r\n{")
				must(t, err)
			}
			for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
				answer, _ := h.ask(server, "", "GET", "/", "")
				if answer.StatusCode == http.StatusTooManyRequests {
					break
				}
				if time.Since(begun) > 10*time.Second {
					t.Fatal("bodies are read that have no place")
				}
			}
		})
	}
}

// Bodies that find no room are refused before they're read to their end, and small ones come in all the same.
func TestBodiesHaveSoMuchRoom(t *testing.T) {
	h := open(t)
	turned := &tally{}
	server := h.guarded(func(c *web.Config) { c.Door = limit.New(limit.Limits{Bodies: 2}, time.Now, turned.count) })
	large := strings.Repeat("a", 700_000)
	answer, text := h.ask(server, "", "POST", "/look", "back=%2F&a="+large)
	want(t, "a form", answer.StatusCode, http.StatusTooManyRequests)
	contains(t, "a form", text, "Too much in a short time")
	answer, text = h.ask(server, "", "POST", "/api/v1/odds/dice", `{"a":"`+large+`"}`)
	want(t, "JSON", answer.StatusCode, http.StatusTooManyRequests)
	contains(t, "JSON", text, `"code":"too-often"`)
	want(t, "turned away", turned.of("bodies"), 2)
	for range 3 { // and the room is free again
		answer, text = h.ask(server, "", "POST", "/api/v1/odds/dice", `{"args":{"notation":"`+strings.Repeat(" ", 500_000)+`2d6"}}`)
		if answer.StatusCode == http.StatusTooManyRequests {
			t.Errorf("half a MiB: %s", text)
		}
	}
}
