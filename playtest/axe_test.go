package playtest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Every page and state of the tables stands up to axe-core, in all languages,
// narrow and wide, light and dark; and nothing scrolls sideways.
func TestPagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("%v: `make bundle` brings axe-core", err)
	}
	s := serve(t, "--demo")
	reader := sit(t, "reader", 1440, 900)
	reader.visit(s.url("/"))
	looks := []struct {
		lang, theme string
		width       int64
	}{{"en", "light", 360}, {"ru", "dark", 1440}, {"uk", "light", 1440}, {"ru", "light", 360}, {"uk", "dark", 360}, {"en", "dark", 1440}}
	n := 0
	check := func(path string) {
		t.Helper()
		look := looks[n%len(looks)]
		n++
		reader.run(fmt.Sprintf("document.cookie = 'lang=%s; path=/'; document.cookie = 'theme=%s; path=/'", look.lang, look.theme))
		reader.do("turn the screen", chromedp.EmulateViewport(look.width, 800))
		reader.visit(s.url(path))
		where := fmt.Sprintf("%s in %s, %s, %d px", path, look.lang, look.theme, look.width)
		for _, problem := range reader.axe(string(axe)) {
			t.Errorf("%s: %s", where, problem)
		}
		if reader.ask("document.documentElement.scrollWidth > innerWidth") == "true" {
			t.Errorf("%s: the page scrolls sideways", where)
		}
		if got := reader.ask("document.documentElement.lang"); got != look.lang {
			t.Errorf("%s: the page says that it's in %q", where, got)
		}
	}

	for range 2 {
		for _, path := range []string{"/", "/odds", "/odds/mage/roll?pool=7&difficulty=8", "/odds/dice?notation=4d6kh3", "/nowhere"} {
			check(path)
		}
	}
	for _, game := range []string{"spire", "mage", "eclipse", "edda", "godbound"} {
		check("/demo/" + game)
		table := reader.ask("location.pathname")
		for _, state := range []string{"#drawer", "?_tab=sheet", "?_edit=1&_tab=sheet", "?_tab=cast", "?_tab=questions#composer", "/gm"} {
			reader.visit(s.url("/"))
			check(table + state)
		}
	}
}

// axe tells what axe-core finds wrong with the page.
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
