//go:build e2e

package playtest

import "testing"

// The guide is one press away from a table, and after it was opened it can be read offline with the
// games' rules. Nothing of the table can.
func TestGuideAndRulesAreReadableOffline(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Thursday", "lang": "en"})
	table := s.url("/t/" + made["id"].(string))
	reader := sit(t, "reader", 390, 800)
	reader.visit(table + "/" + made["seat"].(map[string]any)["secret"].(string))
	reader.click(".menu:has([data-call]) > summary")
	reader.sees(".menu a[href='/guide/en/index']", "Guide")
	reader.visit(s.url("/guide"))
	reader.sees("main[data-kept] h1", "norn: a guide")
	reader.until("keep the guide", func() bool {
		return reader.ask(`(caches.keys().then(async (names) => {
			const paths = []
			for (const name of names) for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
			window.kept = paths.filter((path) => /guide|rules/.test(path)).join(' ')
		}), ['/guide/en/players', '/guide/en/index', '/guide/en/talk', '/rules/spire'].every((path) => window.kept?.split(' ').includes(path)))`) == "true"
	}, func() string { return reader.ask("String(window.kept)") })
	s.kill()
	reader.visit(s.url("/guide/en/players"))
	reader.sees("h1", "For players")
	reader.click("main a[href='index']")
	reader.click("main a[href='talk']")
	reader.sees("h1", "Talk and commands")
	reader.visit(s.url("/rules/spire"))
	reader.sees("#SP-01", "")
	reader.visit(table)
	reader.sees("[data-offline]", "")
}
