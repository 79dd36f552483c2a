package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"norn/games"
	"norn/web"
)

// routes has a request to each route of the pages, some with several; {table} is filled in later.
var routes = func() []string {
	fill := strings.NewReplacer("{$}", "", "{game}", "spire", "{lang}", "uk", "{secret}", "wrong", "{n}", "1", "{file}",
		"odds.csv", "/check/{move}", "/check/m1", "{move}", "check")
	all := []string{
		"GET /odds/mage/roll", "GET /odds/godbound/straight", "GET /odds/dice/odds.svg",
		"GET /t/{table}/check/m2", "GET /t/{table}/session/2",
	}
	for _, pattern := range web.Routes() {
		if !strings.Contains(pattern, " ") {
			pattern = "GET " + pattern
		}
		all = append(all, fill.Replace(pattern))
	}
	return all
}()

// hostile lists forms and queries that must not make any page fail.
var hostile = []string{
	"", "_move=check&_character=c1&difficulty=1", "_c=c1&_m=check&_tab=log&_edit=1&_log=3",
	"name=x&kind=npc&role=player&game=spire&lang=en",
	"share=%00&share=x", "_question=m1::0&die=d6", "a=%zz", "%ff=%fe", "difficulty=99999999999999999999",
	"_dice=1e9,,,", "seat=s1&character=c1&_key=k",
	"_back=//x", "link=/t/a/b", "notation=99d99&keep=difficulty%3D1", "skills.0.name=x&skills.99999.name=y",
	"_seq=18446744073709551616",
	"_line=%2Fcheck&line=%2Fodds+x&_find=zq&_part=talk&_again=5&_at=5",
	"_value=c1.stress&by=1&name=mage&text=n&aim=succeed",
	"name=%02&text=%0B&notation=%1F&difficulty=%02&_find=%02&_key=%01&_dice=%02&_q=%EF%BF%BF",
}

// siege is a table for trying any route.
type siege struct {
	*house
	pages http.Handler
}

func besiege(t testing.TB) siege {
	h := open(t)
	return siege{h, web.New(web.Config{Host: h.host, Words: spoken(), Games: games.All(), Log: h.log})}
}

// try posts a form, or requests with a query. The response must not be 5xx, except to try again,
// and must have the security headers.
func (s siege) try(t testing.TB, route, who string, script bool, sent string) {
	method, path, _ := strings.Cut(route, " ")
	path = strings.Replace(path, "{table}", s.table, 1)
	r := httptest.NewRequest(method, "/", nil)
	if strings.HasSuffix(path, "/live") { // streams don't end
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		r = r.WithContext(ended)
	}
	r.URL.Path = path
	if method == http.MethodGet {
		r.URL.RawQuery = sent
	} else {
		r.Body = io.NopCloser(strings.NewReader(sent))
		r.ContentLength = int64(len(sent))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if script {
		r.Header.Set("HX-Request", "true")
	}
	if who != "" {
		r.AddCookie(&http.Cookie{Name: "seat_" + s.table, Value: s.links[who][strings.LastIndex(s.links[who], "/")+1:]})
	}
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	// odds have a time limit, which a slow machine exceeds
	if busy := w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != ""; w.Code >= 500 && !busy {
		t.Errorf("%s: %d for %q", route, w.Code, sent)
	}
	guarded(t, path, w.Result())
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		inline(t, path, parse(t, w.Body.String()))
	}
}

var whoever = []string{"gm", "anna", "watcher", ""}

// Every route survives every hostile form.
func TestHostileFormsBreakNoRoute(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	s := besiege(t)
	for i, route := range routes {
		for n, sent := range hostile {
			s.try(t, route, whoever[(i+n)%len(whoever)], (i+n/4)%2 == 0, sent)
		}
	}
}

// FuzzForms posts anything to any route by any seat.
func FuzzForms(f *testing.F) {
	s := besiege(f)
	for i, sent := range hostile {
		f.Add(byte(i*7), byte(i), i%2 == 0, sent)
	}
	for i := range routes {
		f.Add(byte(i), byte(i), i%2 == 0, hostile[i%len(hostile)])
	}
	f.Fuzz(func(t *testing.T, route, seat byte, script bool, sent string) {
		if len(sent) > 1<<14 {
			return
		}
		s.try(t, routes[int(route)%len(routes)], whoever[int(seat)%len(whoever)], script, sent)
	})
}

// guarded checks the headers of every response.
func guarded(t testing.TB, what string, answer *http.Response) {
	t.Helper()
	if answer.Header.Get("X-Request-Id") == "" {
		t.Errorf("%s has no id", what)
	}
	want(t, what+": sniffing", answer.Header.Get("X-Content-Type-Options"), "nosniff")
	want(t, what+": for others", answer.Header.Get("Cross-Origin-Resource-Policy"), "same-origin")
	// these aren't pages
	if _, path, _ := strings.Cut(what, " "); strings.HasPrefix(path, "/api/") ||
		answer.Header.Get("Content-Type") == "text/event-stream" {
		want(t, what+": the policy", answer.Header.Get("Content-Security-Policy"),
			"default-src 'none'; frame-ancestors 'none'")
		return
	}
	want(t, what+": openers", answer.Header.Get("Cross-Origin-Opener-Policy"), "same-origin")
	policy, referrer := answer.Header.Get("Content-Security-Policy"), answer.Header.Get("Referrer-Policy")
	refused := (answer.StatusCode >= http.StatusBadRequest || answer.StatusCode == http.StatusNoContent) &&
		strings.Contains(what, "/t/")
	if wrong := strings.HasSuffix(what, "/wrong"); referrer != "origin" &&
		(wrong || referrer != "same-origin" && referrer != "no-referrer") || referrer == "origin" && !refused {
		t.Errorf("%s: Referrer-Policy %s", what, referrer)
	}
	switch kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";"); {
	case kind == "image/svg+xml" && strings.HasSuffix(what, "odds.svg"): // it has its own style and nothing else
		want(t, what+": the policy", policy, "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	default:
		for _, part := range []string{
			"default-src 'self'", "script-src 'self'", "object-src 'none'", "base-uri 'none'",
			"frame-ancestors 'none'", "form-action 'self'",
		} {
			contains(t, what+": the policy", policy, part)
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", what, policy)
		}
		if kind == "text/html" {
			contains(t, what+": permissions", answer.Header.Get("Permissions-Policy"), "camera=()")
		}
	}
	for _, c := range answer.Cookies() {
		if c.SameSite != http.SameSiteLaxMode || strings.HasPrefix(c.Name, "seat_") && !c.HttpOnly {
			t.Errorf("%s sets the cookie %v", what, c)
		}
	}
}

// inline reports scripts and styles that the policy would have to allow.
func inline(t testing.TB, what string, page *node) {
	t.Helper()
	for _, n := range page.all(func(*node) bool { return true }) {
		if n.tag == "style" || n.tag == "script" && n.attrs["src"] == "" {
			t.Errorf("%s has an inline %s", what, n.tag)
		}
		for name, value := range n.attrs {
			if name == "style" || strings.HasPrefix(name, "on") || strings.HasPrefix(name, "hx-on") ||
				strings.HasPrefix(strings.ToLower(value), "javascript:") {
				t.Errorf("%s: <%s> has %s=%q", what, n.tag, name, value)
			}
		}
	}
}

// Every response to every seat, and to no seat, in every state, has its security headers: pages,
// parts, files, errors, the API.
func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	h := open(t)
	server := h.guarded(func(*web.Config) {})
	paths := []string{
		"GET /nowhere", "GET /favicon.ico", "GET /assets/favicon.svg", "GET /assets/none.js", "GET /healthz",
		"GET /readyz", "DELETE /", "PUT /tables",
		"GET /t/{table}/wrong", "GET /t/aaaaaaaaaaaaaaaa", "GET /t/{table}/live", "GET /api/openapi.json",
		"GET /api/v1/games", "GET /api/v1/tables/{table}",
		"POST /api/v1/tables/{table}/moves", "PUT /api/v1/games", "GET /api/nowhere", "GET /t/{table}?_c=c1&_edit=1",
		"GET /t/{table}?_tab=questions&_m=stress",
		"GET //evil.example/..", "GET /t/{table}/", "OPTIONS /",
	}
	for _, route := range append(paths, routes...) {
		method, path, _ := strings.Cut(route, " ")
		path = strings.Replace(path, "{table}", h.table, 1)
		for _, who := range []string{"gm", "anna", "watcher", ""} {
			for _, script := range []string{"false", "true"} {
				for _, site := range []string{"same-origin", "cross-site"} {
					answer, text := h.ask(server, who, method, path, "", "HX-Request", script, "Sec-Fetch-Site", site)
					guarded(t, route, answer)
					if site == "cross-site" && method == http.MethodPost && !strings.HasPrefix(path, "/api/") {
						want(t, route+" from another site", answer.StatusCode, http.StatusForbidden)
					}
					if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
						inline(t, route, parse(t, text))
					}
					if answer.Header.Get("Strict-Transport-Security") != "" {
						t.Errorf("%s: strict transport without TLS", route)
					}
				}
			}
		}
	}
}
