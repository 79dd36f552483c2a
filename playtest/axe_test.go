//go:build e2e

package playtest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// axeLook holds the language, theme and width in which a page is looked at.
type axeLook struct {
	lang, theme string
	width       int64
}

// axeLooks lists looks that pages take in turn.
var axeLooks = []axeLook{
	{"en", "light", 360},
	{"ru", "dark", 1366},
	{"uk", "light", 1366},
	{"ru", "light", 360},
	{"uk", "dark", 360},
	{"en", "dark", 1366},
}

// looksOf returns how the n-th page is looked at: in a short run in one way, otherwise also in the
// other theme at the other width.
func looksOf(n int) []axeLook {
	one := axeLooks[n%len(axeLooks)]
	if testing.Short() {
		return []axeLook{one}
	}
	other := axeLook{one.lang, "light", 360 + 1366 - one.width}
	if one.theme == "light" {
		other.theme = "dark"
	}
	return []axeLook{one, other}
}

// Every page and state of the tables (in a short run of one game, and the sheets of the others)
// passes axe-core for game masters, players and spectators, in all languages, light and dark, narrow
// and wide. Nothing scrolls sideways, and no page requests anything from another server.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("%v: `make bundle` brings axe-core", err)
	}
	s := serve(t, "--demo")
	reader := sit(t, "reader", 1440, 900)
	abroad := reader.abroad(s.url("/"))
	reader.visit(s.url("/"))
	n, where := 0, ""
	judge := func() {
		t.Helper()
		for _, problem := range reader.axe(string(axe)) {
			t.Errorf("%s: %s", where, problem)
		}
		if reader.ask("document.documentElement.scrollWidth > innerWidth") == "true" {
			t.Errorf("%s: the page scrolls sideways", where)
		}
	}
	check := func(path string) {
		t.Helper()
		looks := looksOf(n)
		n++
		for _, as := range looks {
			reader.run(fmt.Sprintf("document.cookie = 'lang=%s; path=/'; document.cookie = 'theme=%s; path=/'",
				as.lang, as.theme))
			reader.do("turn the screen", chromedp.EmulateViewport(as.width, 800))
			reader.visit(s.url(path))
			where = fmt.Sprintf("%s in %s, %s, %d px", path, as.lang, as.theme, as.width)
			judge()
			if got := reader.ask("document.documentElement.lang"); got != as.lang {
				t.Errorf("%s: the page says that it's in %q", where, got)
			}
		}
	}

	checkPublicPages(check)
	for _, game := range []string{"spire", "mage", "eclipse", "edda", "godbound"} {
		check("/demo/" + game)
		table := reader.ask("location.pathname")
		where += ", all open"
		openEverything(reader)
		judge()
		for _, tab := range []string{"drawer", "tab-characters", "tab-notes", "tab-session", "tab-settings"} {
			where += ", and #" + tab
			reader.run("document.querySelector('#line').blur(); location.hash = '" + tab + "'")
			judge()
		}
		for _, state := range []string{"?_tab=sheet", "?_edit=1&_tab=sheet", "/hero", "/hero/guide"} {
			check(table + state)
		}
		if testing.Short() && game != "mage" { // it has the most to choose from
			continue
		}
		for _, state := range []string{
			"?_tab=cast", "?_tab=questions#composer", "/pictures", "/lists", "/story", "/recovery", "/recover",
		} {
			check(table + state)
		}
		check(table + "/gm")
		for _, tab := range []string{"tab-players", "tab-characters", "tab-notes", "tab-session", "tab-settings"} {
			where += ", and #" + tab
			reader.run("location.hash = '" + tab + "'")
			judge()
		}

		l := s.long(game, axeLooks[n%len(axeLooks)].lang, 12)
		checkRoles(s, reader, l, check, func(at string) {
			where = at
			judge()
		})
		check("/t/" + l.id + "/check/m3")
	}
	offlinePagesAreAccessible(t, axe, s, reader)
	asksForNothingElsewhere(t, s, abroad)
}

// openEverything opens what a press opens, and where sessions begin, without another load of the
// page.
func openEverything(reader *seat) {
	reader.run("for (const d of document.querySelectorAll('.card .take-back, .log-bar, #odds-exact, .hand')) d.open = true")
	reader.run("document.querySelector('#log').firstElementChild.scrollIntoView()")
	reader.choose("#line", "/")
	reader.sees("#line-list [role=option]", "")
}

// checkRoles checks the same table for a player and a spectator.
func checkRoles(s *server, reader *seat, l longTable, check, judge func(string)) {
	path := "/tables/" + l.id
	s.must("POST", path+"/undo", l.gm, body{"seq": s.must("GET", path, l.gm, nil)["seq"]})
	for role, states := range map[string][]string{
		"player":    {"?_tab=sheet", "?_tab=log#composer"},
		"spectator": {"/session/1"},
	} {
		seat := s.must("POST", path+"/seats", l.gm, body{"name": "Anna", "role": role})
		link := "/t/" + l.id + "/" + seat["secret"].(string)
		reader.arrives(s.url(link))
		judge("where a link arrives for a " + role)
		check(link)
		at := reader.ask("location.pathname")
		for _, state := range states {
			check(at + state)
		}
	}
}

// checkPublicPages checks the pages outside of tables.
func checkPublicPages(check func(path string)) {
	for _, path := range []string{
		"/", "/odds", "/odds/mage/roll?pool=7&difficulty=8", "/odds/dice?notation=4d6kh3",
		"/rules/edda", "/rules/edda?q=1", "/odds/rule", "/nowhere",
	} {
		check(path)
	}
}

// offlinePagesAreAccessible checks the pages for a lost connection.
func offlinePagesAreAccessible(t *testing.T, axe []byte, s *server, reader *seat) {
	for _, lang := range []string{"en", "ru", "uk"} {
		reader.visit(s.url("/offline/" + lang))
		for _, problem := range reader.axe(string(axe)) {
			t.Errorf("the page for a lost connection in %s: %s", lang, problem)
		}
	}
}

// asksForNothingElsewhere checks that no page requests or allows anything from another server.
func asksForNothingElsewhere(t *testing.T, s *server, abroad func() []string) {
	for _, url := range abroad() {
		t.Errorf("a page asks for %s", url)
	}
	page, err := http.Get(s.url("/"))
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	if policy := page.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self';") ||
		strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the pages' policy lets others in: %s", policy)
	}
}

// abroad records the requests of the pages from now on. The result returns those that didn't go to
// the server at home.
func (s *seat) abroad(home string) func() []string {
	s.t.Helper()
	s.do("listen", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.Enable, network.EnableParams{})
		return err
	}))
	var mu sync.Mutex
	seen, others := 0, []string{}
	if err := chromedp.Listen(s.ctx, func(event any) {
		asked, ok := event.(*network.EventRequestWillBeSent)
		if !ok || strings.HasPrefix(asked.Request.URL, "data:") || strings.HasPrefix(asked.Request.URL, "blob:") {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		seen++
		if !strings.HasPrefix(asked.Request.URL, home) {
			others = append(others, asked.Request.URL)
		}
	}); err != nil {
		s.t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		if seen == 0 {
			s.t.Error("no request was heard of")
		}
		return others
	}
}

// axe returns the findings of axe-core for the page.
func (s *seat) axe(script string) []string {
	s.t.Helper()
	s.run("window.axe || (() => { " + script + " })()")
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.fonts.ready
		.then(() => Promise.all(document.getAnimations().map(a => a.finished.catch(() => null))))
		.then(() => axe.run({resultTypes: ['violations']}))
		.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target + ' ' + n.failureSummary.replace(/\s+/g, ' '))).join('\n'))`, chromedp.EvalAwaitPromise))
	if err != nil {
		s.t.Fatalf("axe: %v", err)
	}
	if found == "" {
		return nil
	}
	return strings.Split(found, "\n")
}
