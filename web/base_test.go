package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"norn/games"
	"norn/table/request"
	"norn/web"
	"norn/web/api"
	"norn/web/middleware"
)

const base = "/norn"

// below returns the house served below a base path.
func (h *house) below(t *testing.T) *house {
	config := web.Config{Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log, Base: base}
	config.API = api.New(api.Config{Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log, Base: base})
	server := httptest.NewServer(web.New(config))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	site := *h
	site.t, site.url = t, server.URL+base
	return &site
}

// typed lists attributes with text by people, which may begin like a path.
var typed = map[string]bool{
	"value": true, "placeholder": true, "data-line": true, "title": true, "aria-label": true,
	"d": true,
}

// checkAddresses reports each address in a page that is outside of the base, and returns its links,
// without it.
func checkAddresses(t *testing.T, page answer, origin string) (links []string) {
	t.Helper()
	for _, n := range page.all(func(*node) bool { return true }) {
		for name, value := range n.attrs {
			own, absolute := strings.CutPrefix(value, origin)
			outside := own != base && !strings.HasPrefix(own, base+"/") && !strings.HasPrefix(own, base+"?")
			if (absolute || strings.HasPrefix(value, "/") && !typed[name]) && outside {
				t.Errorf("%s: <%s %s=%q> leads out of %s", page.url.Path, n.tag, name, value, base)
			}
		}
		to, err := page.url.Parse(n.attrs["href"])
		if err == nil && n.tag == "a" && to.Host == page.url.Host && !outsidePages(to.Path) {
			to.Fragment = ""
			links = append(links, strings.TrimPrefix(to.String(), origin+base))
		}
	}
	return links
}

// outsidePages reports whether a path is of a file instead of a page.
func outsidePages(path string) bool {
	for _, end := range []string{".md", ".jsonl", ".ics", ".svg", ".csv", ".json", "/export"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return strings.Contains(path, "/assets/")
}

// Below a base, no page, event or response has an address outside of it.
func TestAllAddressesStayBelowTheBasePath(t *testing.T) {
	h := open(t)
	h.make(request.Move{Move: "check", Character: "c1", ByHand: true, Dice: []int{3}, Key: "k"})
	site := h.below(t)
	origin := strings.TrimSuffix(site.url, base)
	gm := site.sits("gm")
	anna := site.sits("anna")
	for _, reader := range []*browser{gm, anna} {
		seen, kinds := map[string]bool{}, map[string]int{}
		next := []string{
			"/", "/guide", "/rules", "/odds", reader.at(""), reader.at("/gm"), reader.at("?_m=check"),
			reader.at("/nowhere"),
		}
		for len(next) > 0 && len(seen) < 150 {
			path := next[0]
			next = next[1:]
			kind, _, _ := strings.Cut(path, "?")
			if seen[path] || kinds[kind] > 6 {
				continue
			}
			seen[path] = true
			kinds[kind]++
			next = append(next, checkAddresses(t, reader.get(path), origin)...)
		}
		if len(seen) < 60 {
			t.Errorf("only %d pages were walked", len(seen))
		}
	}

	events, stop := anna.listen("0")
	defer stop()
	page := anna.get(anna.at(""))
	h.make(request.Move{Move: "check", Character: "c2", ByHand: true, Dice: []int{9}, Key: "l"})
	e := <-events
	for !strings.Contains(e.data, "href=") {
		e = <-events
	}
	checkAddresses(t, answer{node: parse(t, e.data), url: page.url}, origin)

	form := page.the(t, "action", base+"/look")
	looked := anna.post("/look", url.Values{"_back": {form.sends().Get("_back")}, "_lang": {"uk"}})
	want(t, "back from the choice of a language", looked.url.Path, base+anna.at(""))
	link := gm.post(gm.at("/link"), nil)
	want(t, "an invitation", link.the(t, "id", "own-link").attrs["value"], site.url+h.links["gm"])
	contains(t, "the app", anna.get("/manifest.webmanifest").body,
		`"scope":"/norn/","short_name":"norn","start_url":"/norn/"`)
	contains(t, "the API's document", anna.get("/api/openapi.json").body, `"servers":[{"url":"/norn"}]`)
	at, err := url.Parse(site.url + "/")
	must(t, err)
	for _, c := range anna.http.Jar.Cookies(at) {
		if strings.HasPrefix(c.Name, "seat_") {
			t.Errorf("the cookie %s is sent to every page", c.Name)
		}
	}
}

// norn doesn't serve paths outside of the base; the base without a slash redirects to the start
// page.
func TestPathsOutsideTheBaseAreNotServed(t *testing.T) {
	h := open(t)
	site := h.below(t)
	for path, want := range map[string]int{
		"/": 404, "/guide": 404, "/nornx/": 404, "/norn": 200, "/norn/": 200,
		"/norn/healthz": 200, "/healthz": 404,
	} {
		answer, err := http.Get(strings.TrimSuffix(site.url, base) + path)
		must(t, err)
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
}

// Cookies, redirects and addresses for the script begin with the base; text by people doesn't
// change.
func TestBaseChangesAddressesButNotPeoplesText(t *testing.T) {
	for drawn, want := range map[string]string{
		`<a href="/guide">`:                       `<a href="/norn/guide">`,
		`<button formaction="/t/x" hx-get="/t">`:  `<button formaction="/norn/t/x" hx-get="/norn/t">`,
		`<input value="/roll 3d6">`:               `<input value="/roll 3d6">`,
		`<p>see href=&#34;/guide&#34;</p>`:        `<p>see href=&#34;/guide&#34;</p>`,
		`<a href="#log">`:                         `<a href="#log">`,
		`<a href="index">`:                        `<a href="index">`,
		`<meta name="later" content="/assets/a">`: `<meta name="later" content="/norn/assets/a">`,
	} {
		if got := string(middleware.Base(base).Pages([]byte(drawn))); got != want {
			t.Errorf("%s: %s, want %s", drawn, got, want)
		}
	}
}
