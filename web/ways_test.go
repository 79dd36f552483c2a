package web_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"norn/internal/limit"
	"norn/web"
	"norn/web/middleware"
)

// waysIn lists what limits each route in addition to the guard: connections, sizes, times, and
// requests of an address. A new route must be in this list, or the test fails; sockets and chat
// platforms are in ways_test.go next to go.mod. Routes that only show a table need its secret, and
// wrong ones count as failed tries.
var waysIn = map[string]string{
	"bundled files, which are light and many": "GET /assets/{file}",

	"nothing more: the same for everybody": `
		/ | /healthz | /readyz | GET /{$} | GET /favicon.ico | GET /guide | GET /guide/{lang}/{page} | GET /manifest.webmanifest | GET /offline/{lang} |
		GET /rules/{game} | GET /t/{table}/recover | GET /worker.js | POST /join | POST /look | GET /api/v1/games`,

	"a recovery code: wrong ones count as failed tries of an address": "POST /t/{table}/recover | POST /api/v1/tables/{id}/recover",

	"demos: tables opened by an address, once others have used the newest": "GET /demo/{game} | GET /demo/{game}/player | POST /demo/{game}",

	"tables opened by an address": "POST /tables | POST /api/v1/tables",

	"the gate to odds": `
		GET /odds | GET /odds/rule | GET /odds/frame | GET /odds/dice | GET /odds/dice/{file} | GET /odds/{game}/{move} | GET /odds/{game}/{move}/{file} |
		GET /api/v1/odds/dice | POST /api/v1/odds/dice | GET /api/v1/odds/{game}/{move} | POST /api/v1/odds/{game}/{move} | POST /api/v1/odds/{game}/{move}/compare`,

	"the seat's secret": `
		GET /t/{table} | GET /t/{table}/{secret} | POST /t/{table}/{secret} | GET /t/{table}/about | GET /t/{table}/called | GET /t/{table}/called/key |
		GET /t/{table}/character | GET /t/{table}/chats | GET /t/{table}/check/{move} | GET /t/{table}/complete | GET /t/{table}/gm | GET /t/{table}/hero | GET /t/{table}/hero/guide | GET /t/{table}/hero.json |
		GET /t/{table}/move | GET /t/{table}/news | GET /t/{table}/next.ics | GET /t/{table}/picture/{id} | GET /t/{table}/pictures | GET /t/{table}/lists |
		GET /t/{table}/lists/{id} | GET /t/{table}/lists/{id}/file | GET /t/{table}/public |
		GET /t/{table}/session/{n} | GET /t/{table}/text | GET /t/{table}/recovery | POST /t/{table}/steps |
		GET /api/v1/tables/{id} | GET /api/v1/tables/{id}/characters/{cid}/file | GET /api/v1/tables/{id}/handouts | GET /api/v1/tables/{id}/hooks | GET /api/v1/tables/{id}/lists/{list} | GET /api/v1/tables/{id}/lists/{list}/file | GET /api/v1/tables/{id}/lists/{list}/csv | GET /api/v1/tables/{id}/lists/{list}/xlsx | GET /api/v1/tables/{id}/log |
		GET /api/v1/tables/{id}/luck | GET /api/v1/tables/{id}/pictures | GET /api/v1/tables/{id}/pictures/{hash}`,

	"the seat's secret, and the gate to odds": "GET /t/{table}/between | GET /api/v1/tables/{id}/between | GET /t/{table}/odds | GET /t/{table}/story | POST /api/v1/tables/{id}/odds",

	"places of live streams": "GET /t/{table}/live | GET /api/v1/tables/{id}/live",

	"files made for an address at a time": `
		GET /t/{table}/story.md | GET /t/{table}/export.jsonl | GET /api/v1/tables/{id}/export | GET /api/v1/tables/{id}/export.md`,

	"pictures sent from an address, and one computation at a time": "POST /api/v1/tables/{id}/read-hero",

	"files, and the seat's writes": "GET /t/{table}/seen.jsonl | GET /api/v1/tables/{id}/seen",

	"pictures sent from an address, and the seat's writes": "POST /t/{table}/pictures | POST /t/{table}/lists | POST /api/v1/tables/{id}/pictures | POST /api/v1/tables/{id}/import-character | POST /api/v1/tables/{id}/lists",

	// Those that write no entry call Seat.Spend; for all others the table does.
	"the seat's writes": `
		POST /t/{table}/act/{name} | POST /t/{table}/act/talk | POST /t/{table}/answer | POST /t/{table}/between | POST /t/{table}/called | POST /t/{table}/chats/code |
		POST /t/{table}/chats/end | POST /t/{table}/hook | POST /t/{table}/link | POST /t/{table}/move | POST /t/{table}/pass |
		POST /t/{table}/quiet | POST /t/{table}/say | POST /t/{table}/uncalled | POST /t/{table}/unhook |
		POST /t/{table}/take | POST /t/{table}/x-card | POST /t/{table}/x-card/back |
		POST /api/v1/tables/{id}/answers | POST /api/v1/tables/{id}/clocks | POST /api/v1/tables/{id}/clocks/{clock}/remove |
		POST /api/v1/tables/{id}/clocks/{clock}/tick | POST /api/v1/tables/{id}/scene | POST /api/v1/tables/{id}/scenes |
		POST /api/v1/tables/{id}/scenes/{scene}/remove | POST /api/v1/tables/{id}/calls | POST /api/v1/tables/{id}/cancel | POST /api/v1/tables/{id}/characters |
		POST /api/v1/tables/{id}/lists/{list}/remove | POST /api/v1/tables/{id}/lists/{list}/pick |
		DELETE /api/v1/tables/{id}/characters/{cid} | PATCH /api/v1/tables/{id}/characters/{cid} | POST /api/v1/tables/{id}/characters/{cid}/portrait |
		POST /api/v1/tables/{id}/characters/{cid}/show | POST /api/v1/tables/{id}/edition | POST /api/v1/tables/{id}/favourites |
		POST /api/v1/tables/{id}/handouts | POST /api/v1/tables/{id}/handouts/hide | POST /api/v1/tables/{id}/hooks | DELETE /api/v1/tables/{id}/hooks/{hid} |
		POST /api/v1/tables/{id}/moves | POST /api/v1/tables/{id}/next | POST /api/v1/tables/{id}/moves/{mid}/show | POST /api/v1/tables/{id}/notes |
		POST /api/v1/tables/{id}/pictures/{hash}/hide | POST /api/v1/tables/{id}/pictures/{hash}/show | POST /api/v1/tables/{id}/seats |
		PATCH /api/v1/tables/{id}/seats/{sid} | DELETE /api/v1/tables/{id}/seats/{sid} | POST /api/v1/tables/{id}/seats/{sid}/blank | POST /api/v1/tables/{id}/seats/{sid}/secret |
		POST /api/v1/tables/{id}/recovery | DELETE /api/v1/tables/{id}/recovery |
		POST /api/v1/tables/{id}/deletion | POST /api/v1/tables/{id}/deletion/back | POST /api/v1/tables/{id}/reading | POST /api/v1/tables/{id}/room | POST /api/v1/tables/{id}/session | PATCH /api/v1/tables/{id}/settings | POST /api/v1/tables/{id}/shares | POST /api/v1/tables/{id}/talk |
		POST /api/v1/tables/{id}/undo | POST /api/v1/tables/{id}/withdraw | POST /api/v1/tables/{id}/x-card | POST /api/v1/tables/{id}/x-card/away |
		POST /api/v1/tables/{id}/x-card/back | POST /api/v1/tables/{id}/offers`,

	"the API's limits for each message": middleware.AgentRoute,
	"the platform's own proof":          "/platform",
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

func TestEveryRouteIsListedAndPassesTheGuard(t *testing.T) {
	bound := map[string]string{}
	for by, routes := range waysIn {
		for route := range strings.SplitSeq(routes, "|") {
			if route = strings.TrimSpace(route); bound[route] != "" {
				t.Errorf("%s is listed twice", route)
			}
			bound[route] = by
		}
	}
	h := open(t)
	reached := false
	hook := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })
	limiter := limit.New(limit.Limits{Requests: limit.Rate{N: 1, Per: 1000 * time.Hour}}, time.Now, nil)
	server := h.guarded(func(c *web.Config) {
		c.Agents, c.Hooks, c.Limiter = hook, map[string]http.Handler{"/platform": hook}, limiter
	})
	_, text := h.ask(server, "", "GET", "/api/openapi.json", "")
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	must(t, json.Unmarshal([]byte(text), &document))
	routes := append(web.Routes(), middleware.AgentRoute, "/platform")
	for at, methods := range document.Paths {
		for method := range methods {
			routes = append(routes, strings.ToUpper(method)+" "+at)
		}
	}
	for _, route := range routes {
		if bound[route] == "" {
			t.Errorf("%s isn't in the list of ways in: say what bounds it", route)
			continue
		}
		status := http.StatusTooManyRequests
		if strings.HasPrefix(bound[route], "bundled") {
			status = http.StatusNotFound
		}
		delete(bound, route)
		method, path, named := strings.Cut(route, " ")
		if !named {
			method, path = "POST", route
		}
		answer, _ := h.ask(server, "gm", method, parameter.ReplaceAllString(strings.TrimSuffix(path, "{$}"), "x"), "")
		want(t, route, answer.StatusCode, status)
	}
	for route := range bound {
		t.Errorf("%s is in the list of ways in, and isn't there", route)
	}
	if reached {
		t.Error("an address that comes too often reaches a handler")
	}
}
