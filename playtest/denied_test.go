//go:build e2e

package playtest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A browser without any storage shows every page and can play, without errors.
func TestTableIsPlayedInABrowserWithoutStorage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	reader := sit(t, "reader", 1440, 900)
	if _, err := chromedp.Run(reader.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
			window.faults = []
			const deny = (of, name) => Object.defineProperty(of, name, {get() { throw new DOMException(name + ' is denied', 'SecurityError') }})
			for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) deny(window, name)
			deny(navigator, 'serviceWorker')
			addEventListener('error', event => faults.push(event.message))
			addEventListener('unhandledrejection', event => faults.push(String(event.reason)))
			const said = console.error
			console.error = (...words) => { faults.push(words.join(' ')); said.apply(console, words) }
		`})
		return 0, err
	}); err != nil {
		t.Fatal(err)
	}
	whole := func() {
		t.Helper()
		// Deferred scripts have run.
		reader.run("requestIdleCallback(() => setTimeout(() => document.body.dataset.idle = '', 50), {timeout: 2000})")
		reader.sees("[data-idle]", "")
		if faults := reader.ask("JSON.stringify(faults)"); faults != "[]" {
			t.Errorf("%s: %s", reader.ask("location.pathname"), faults)
		}
	}
	for _, path := range []string{
		"/", "/odds", "/odds/spire/check", "/odds/dice?notation=2d6", "/offline/en",
		"/nowhere",
	} {
		reader.visit(s.url(path))
		reader.sees("h1", "")
		whole()
	}
	created := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	table, secret := "/t/"+created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+created["id"].(string)+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	reader.follows(s.url(table + "/" + secret))
	reader.click("#throw")
	reader.sees("#log [data-throws] [data-check]", "")
	reader.choose("#line", "Nothing is kept here")
	reader.click("[data-form=say] button[type=submit]")
	reader.sees("#log [data-talk]", "Nothing is kept here")
	whole()
	for _, path := range []string{"/gm", "/session/1"} {
		reader.visit(s.url(table + path))
		whole()
	}
	reader.visit(s.url(table))
	reader.click("#log [data-check]")
	reader.sees(".check", "")
	whole()
}
