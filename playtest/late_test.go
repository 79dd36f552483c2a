//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"norn/lang"
)

// held delays the answers to a page's requests from now on, until window.release(), and counts
// those with a sheet: odds may be requested at any time.
const held = `{
	const real = window.real ??= window.fetch, released = new Promise((go) => { window.release = go });
	window.answers = 0;
	window.fetch = async (at, how) => {
		const answer = await real(at, how);
		if (!(answer.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) { window.answers += String(at).includes('/character?'); await released; }
		return answer;
	};
}`

// A late answer doesn't overwrite newer content: neither the sheet that was changed, nor one that
// was chosen meanwhile.
func TestLateResponseDoesNotOverwriteNewerContent(t *testing.T) {
	t.Parallel()
	s := serve(t)
	opened := s.sheets("spire", lang.En)
	gm, anna := sit(t, "gm", 1440, 900), sit(t, "anna", 1440, 900)
	gm.visit(opened.gm)
	anna.visit(opened.anna)
	lira := opened.cast[0]
	at := func(path string) string { return "v-" + lira + "-" + path }
	gm.sees("#sheet-"+lira, "")

	change := func(by *seat, path, value string) {
		t.Helper()
		by.run("document.getElementById('" + at(path) + "').focus()")
		by.press(kb.Enter)
		by.sees(".value-box input", "")
		by.run("document.activeElement.select()")
		by.press(value, kb.Enter)
	}
	marks := func(by *seat, path, key string) {
		t.Helper()
		by.run("document.getElementById('" + at(path) + "').focus()")
		by.press(key)
	}
	gm.run(held)
	marks(gm, "stress-blood", "4")
	anna.sees("#sheet [data-track=blood][data-now='4']", "")
	anna.changes()
	change(anna, "gear-1-armour", "2")
	gm.sees("#sheet .gear", "Armour 2")
	gm.run("window.release()")
	gm.sees("#sheet [data-track=blood][data-now='4']", "")
	gm.sees("#sheet .gear", "Armour 2")

	gm.run(held)
	other := opened.cast[1]
	gm.click("#cast-" + other + " a")
	gm.until("ask for the other sheet", func() bool {
		return gm.ask("window.answers") == "1"
	}, func() string {
		return gm.ask("window.answers")
	})
	gm.run("window.release()")
	gm.sees("#sheet-"+other, "")

	gm.run(held)
	gm.click("#cast-" + lira + " a")
	gm.until("ask for the sheet", func() bool {
		return gm.ask("window.answers") == "1"
	}, func() string {
		return gm.ask("window.answers")
	})
	change(anna, "gear-1-armour", "4")
	gm.sees("#log .note:last-child", "→ 4")
	gm.run("window.release()")
	gm.sees("#sheet-"+lira+" .gear", "Armour 4")
}
