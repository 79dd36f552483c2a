//go:build e2e

package playtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// beside opens another tab of the same browser, which has its seats.
func (s *seat) beside(name string) *seat {
	s.t.Helper()
	ctx, closeTab := chromedp.NewContext(s.ctx)
	s.t.Cleanup(closeTab)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1366, 768), focused); err != nil {
		s.t.Fatalf("%s gets no tab: %v", name, err)
	}
	return &seat{t: s.t, name: name, ctx: ctx}
}

// turns brings the tab to the front or to the back: in tests all windows are in front.
func (s *seat) turns(front bool) {
	s.t.Helper()
	s.run(fmt.Sprintf(`
		Object.defineProperty(document, "hidden", { configurable: true, get: () => %t })
		document.dispatchEvent(new Event("visibilitychange"))`, !front))
}

// sends types a line, and waits until the page shows it.
func (s *seat) sends(text string) {
	s.t.Helper()
	s.click("#line")
	s.types(text)
	s.press("\r")
	s.sees("#log", text)
}

// Nine tabs of three seats in one browser, over plain http with its six connections: a line can be
// sent from each of them. The tabs that were out of view for longest have no stream, but their
// seats stay online, their titles announce news, and they catch up when they are viewed.
func TestNineTabsInOneBrowserAllSendAndCatchUp(t *testing.T) {
	t.Parallel()
	n := serve(t)
	made := n.must("POST", "/tables", "", body{"game": "spire", "name": "Thursdays", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	links := []string{n.url("/t/" + id + "/" + secret)}
	for _, name := range []string{"Anna", "Boris"} {
		links = append(links, n.url("/t/"+id+"/"+
			n.must("POST", "/tables/"+id+"/seats", secret, body{"name": name, "role": "player"})["secret"].(string)))
	}
	single := sit(t, "tab 1", 1366, 768)
	single.follows(links[0])
	single.sends("a line of a single tab")

	tabs := []*seat{single}
	for i := 1; i < 9; i++ {
		tabs[i-1].turns(false)
		tab := single.beside(fmt.Sprint("tab ", i+1))
		tab.follows(links[i/3])
		tabs = append(tabs, tab)
	}
	tabs[8].turns(false)
	for i, tab := range tabs {
		tab.turns(true)
		tab.sends(fmt.Sprintf("a line of tab %d", i+1)) // it never succeeds if streams hold all connections
		tab.turns(false)
	}
	for _, resting := range tabs[:5] {
		resting.sees("[data-live-state=resting]", "")
		resting.until("say in its title that something has come", func() bool {
			return strings.HasPrefix(resting.ask("document.title"), "• ")
		}, func() string { return resting.ask("document.title") })
	}
	for _, streaming := range tabs[5:] {
		streaming.sees("[data-live-state=open]", "")
	}
	if here := tabs[8].ask("String(document.querySelectorAll('header #online [data-online=true]').length)"); here != "3" {
		t.Errorf("%s of three seats are online, one of which has only tabs without a stream", here)
	}
	first := tabs[0]
	if strings.Contains(first.text("#log"), "a line of tab 9") {
		t.Error("a tab without a stream is told of lines")
	}
	first.turns(true)
	first.sees("#log", "a line of tab 9")
	if title := first.ask("document.title"); strings.HasPrefix(title, "• ") {
		t.Errorf("all is seen, and the title is %q", title)
	}
}

// A page whose requests get no connection explains the possible reason after five seconds, until
// one is free. Then what was pressed is sent.
func TestAPageWithoutAConnectionSaysWhy(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("spire", "en")
	gm := sit(t, "gm", 360, 780)
	gm.follows(table.gm)
	gm.styled()
	if shown := gm.ask("String(document.querySelector('#live-why').checkVisibility())"); shown != "false" {
		t.Error("it says so while nothing waits")
	}
	gm.run(`window.full = new AbortController
		for (let i = 0; i < 5; i++) fetch(location.pathname + "/live?" + i, { signal: full.signal })`)
	gm.click("#line")
	gm.types("this waits\r")
	gm.sees("#live-why:not([hidden])", "six connections")
	gm.picture("why")
	gm.run(`full.abort()`)
	gm.sees("#log", "this waits")
	gm.sees("#live-why[hidden]", "")
}
