//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A roll made while the server is down waits, or can be cancelled, and is made once when the server
// is back. Typed text survives a reload.
func TestRollMadeOfflineIsSentOnceOnReconnect(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.follows(s.url("/t/" + id + "?_c=c1&_m=stress"))

	keepTyped(t, gm)
	queueMoves(t, s, gm)
	sendQueued(t, s, gm)
	returnRefused(s, gm)
	sendOnce(t, gm)
}

// keepTyped types dice without sending them, and loads the page again.
func keepTyped(t *testing.T, gm *seat) {
	gm.run("document.querySelector('.hand').open = true")
	gm.choose("#hand-dice", "4 9") // no fallout, so it ends at once
	gm.do("load the page again", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-live-state=open]", "")
	if typed := gm.ask("document.querySelector('#hand-dice').value"); typed != "4 9" {
		t.Fatalf("after a reload there is %q", typed)
	}
}

// throwStress throws the stress of a d6 to shadow.
func throwStress(gm *seat, dice string) {
	gm.choose("[data-form=move] [name=die][value=d6]", "d6")
	gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
	gm.run("document.querySelector('.hand').open = true")
	gm.choose("#hand-dice", dice)
	gm.click("[data-by-hand]")
}

// queueMoves makes three moves without a server, and drops one.
func queueMoves(t *testing.T, s *server, gm *seat) {
	s.stop()
	gm.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	throwStress(gm, "4 9")
	gm.sees("#queue .queued:nth-child(1)", "Waiting for the connection")
	throwStress(gm, "5 8")
	gm.sees("#queue .queued:nth-child(2)", "Lira")
	throwStress(gm, "1 2")
	gm.sees("#queue .queued:nth-child(3)", "Lira")
	gm.picture("waiting")
	gm.click("#queue .queued:nth-child(2) [data-drop]")
	gm.gone("#queue .queued:nth-child(3)")
	if made := gm.ask("document.querySelectorAll('#log .card').length"); made != "0" {
		t.Errorf("%s moves were made without a server", made)
	}
}

// sendQueued starts the server, which gets the two moves once.
func sendQueued(t *testing.T, s *server, gm *seat) {
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
}

// returnRefused queues a roll that is refused later, and returned with all its fields.
func returnRefused(s *server, gm *seat) {
	s.stop()
	gm.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	throwStress(gm, "5 8") // Lira is busy: the last roll has asked the game master for a fallout
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
}

// sendOnce says a line to a norn that answers but can't write: the line waits, and is sent once.
func sendOnce(t *testing.T, gm *seat) {
	gm.run(`const real = window.fetch; let times = 2
		window.fetch = (at, how) => how?.method === 'POST' && times-- > 0 ? Promise.resolve(new Response('<p class=problem>no</p>', { status: 503, headers: { 'X-Request-Id': 'x' } })) : real(at, how)`)
	gm.choose("#line", "Still here?")
	gm.click("#line-form [type=submit]")
	gm.sees("#queue .queued", "Still here?")
	gm.sees("#log .speech", "Still here?")
	gm.gone("#queue .queued")
	if said := gm.ask("document.querySelectorAll('#log .speech').length"); said != "1" {
		t.Errorf("it's said %s times", said)
	}
}
