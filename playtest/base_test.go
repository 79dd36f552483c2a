//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Below a base path a table works as at the root: its links, forms and stream, and offline.
func TestTableWorksBelowABasePath(t *testing.T) {
	t.Parallel()
	s := serve(t, "--base", "/norn")
	l := s.long("spire", "en", 3)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.styled()
	gm.visit(s.url("/t/" + l.id + "/" + l.gm))
	gm.sees("[data-live-state=open]", "")
	gm.settled()
	gm.until("have norn's worker", func() bool {
		return gm.ask("(navigator.serviceWorker.ready.then((r) => { window.scope = new URL(r.scope).pathname }), window.scope)") == "/norn/"
	}, func() string { return gm.ask("String(window.scope)") })
	gm.says("Here I am")
	gm.sees("#log", "Here I am")
	gm.follows(s.url("/t/" + l.id + "?_c=c1&_m=stress"))
	throw := func(dice string) {
		gm.choose("[data-form=move] [name=die][value=d6]", "d6")
		gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
		gm.run("document.querySelector('.hand').open = true")
		gm.choose("#hand-dice", dice)
		gm.click("[data-by-hand]")
	}
	cards := func() string { return gm.ask("document.querySelectorAll('#log .card').length") }
	before := cards()
	throw("4 9")
	gm.until("see the move", func() bool { return cards() != before }, cards)
	s.stop()
	gm.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	throw("5 8")
	gm.sees("#queue .queued", "Waiting for the connection")
	before = cards()
	s.start()
	gm.sees("[data-live-state=open]", "")
	gm.gone("#queue .queued")
	gm.until("see the move that waited", func() bool { return cards() != before }, cards)
	s.kill()
	gm.do("reload without norn", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-offline]", "")
	s.start()
	gm.sees("#log", "Here I am")
}
