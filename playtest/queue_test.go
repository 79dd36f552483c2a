//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A roll made while the server is down waits, or can be cancelled, and is made once when the server
// is back. Typed text survives a reload.
func TestMovesWaitForTheConnection(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.follows(s.url("/t/" + id + "?_c=c1&_m=stress"))

	// Typed, not sent, and loaded again.
	gm.run("document.querySelector('.hand').open = true")
	gm.choose("#hand-dice", "4 9") // no fallout, so it ends at once
	gm.do("load the page again", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-live-state=open]", "")
	if typed := gm.ask("document.querySelector('#hand-dice').value"); typed != "4 9" {
		t.Fatalf("after a reload there is %q", typed)
	}
	throw := func(dice string) {
		gm.choose("[data-form=move] [name=die][value=d6]", "d6")
		gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
		gm.run("document.querySelector('.hand').open = true")
		gm.choose("#hand-dice", dice)
		gm.click("[data-by-hand]")
	}

	s.stop()
	gm.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	throw("4 9")
	gm.sees("#queue .queued:nth-child(1)", "Waiting for the connection")
	throw("5 8")
	gm.sees("#queue .queued:nth-child(2)", "Lira")
	throw("1 2")
	gm.sees("#queue .queued:nth-child(3)", "Lira")
	gm.picture("waiting")
	gm.click("#queue .queued:nth-child(2) [data-drop]")
	gm.gone("#queue .queued:nth-child(3)")
	if made := gm.ask("document.querySelectorAll('#log .card').length"); made != "0" {
		t.Errorf("%s moves were made without a server", made)
	}

	s.start()
	gm.sees("[data-live-state=open]", "")
	gm.gone("#queue .queued")
	made := func() string { return gm.ask("document.querySelectorAll('#log .card').length") }
	gm.until("see both moves", func() bool { return made() == "2" }, made)
	gm.do("load the page again", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-live-state=open]", "")
	if n := made(); n != "2" {
		t.Errorf("two moves were queued, %s are in the log", n)
	}
	gm.gone("#queue .queued")
	gm.picture("sent")

	// A roll that is refused later is returned with all its fields.
	s.stop()
	gm.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	throw("5 8") // Lira is busy: the last roll has asked the game master for a fallout
	gm.sees("#queue .queued", "")
	gm.choose("#hand-dice", "")
	s.start()
	gm.sees("#queue .queued.refused", "Lira")
	gm.sees("#log .question", "")
	gm.picture("refused")
	gm.click("#queue .refused [data-again]")
	gm.gone("#queue .queued")
	gm.until("see the faces again", func() bool {
		return gm.ask("document.querySelector('#hand-dice')?.value") == "5 8"
	}, func() string {
		return gm.text("#composer-box")
	})

	// A norn that answers but can't write has the same effect: a line waits, and is sent once.
	gm.run(`const real = window.fetch; let times = 2
		window.fetch = (at, how) => how?.method === 'POST' && times-- > 0 ? Promise.resolve(new Response('<p class=problem>no</p>', { status: 503, headers: { 'X-Request-Id': 'x' } })) : real(at, how)`)
	gm.choose("#line", "Still here?")
	gm.click("#line-form button")
	gm.sees("#queue .queued", "Still here?")
	gm.sees("#log .speech", "Still here?")
	gm.gone("#queue .queued")
	if said := gm.ask("document.querySelectorAll('#log .speech').length"); said != "1" {
		t.Errorf("it's said %s times", said)
	}
}
