//go:build e2e

package playtest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A new game master creates a table, its four steps lead to their places, and the first page lists
// the table, where it can be removed.
func TestFirstStepsLeadToTheirPlaces(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 390, 800)
	gm.visit(s.url("/"))
	if shown := gm.ask("document.querySelector('#own-tables').hidden"); shown != "true" {
		t.Error("a newcomer is shown tables of their own")
	}
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button")
	gm.sees("#steps", "0 of 4")
	gm.sees("[data-live-state=open]", "")
	for step, form := range map[string]string{"invite": "[data-form=invite]", "session": "[id^=end-session]"} {
		gm.click("[data-first-step=" + step + "] a")
		gm.until("see where it's done", func() bool {
			return gm.ask(`(() => {
				const {top, bottom, left, right} = document.querySelector('#drawer `+form+`').getBoundingClientRect()
				return top >= 0 && top < innerHeight / 2 && left >= 0 && right <= innerWidth
			})()`) == "true"
		}, func() string { return gm.text("#drawer") })
		gm.picture(step)
		gm.press(kb.Escape)
		gm.gone("#drawer:is(:target, :has(:target))")
	}

	gm.visit(s.url("/"))
	gm.sees("#own-tables a", "Friday")
	gm.sees("#own-tables a", "Spire")
	gm.picture("own")
	gm.click("#own-tables a")
	gm.sees("#steps", "0 of 4")
	if stored := gm.ask("JSON.stringify({...localStorage})"); strings.Contains(stored, "seat_") ||
		strings.Count(stored, "/t/") != 1 {
		t.Errorf("the browser keeps %s", stored)
	}
	gm.visit(s.url("/"))
	gm.click("#own-tables button")
	gm.until("have it taken off", func() bool {
		return gm.ask("document.querySelector('#own-tables').hidden") == "true"
	}, func() string {
		return gm.text("#own-tables")
	})
}

// Enter in the field of faces uses them, and in a question to a player asks it: it never rolls.
func TestEnterPressesTheFieldsButtonAndNeverRolls(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Keys", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	anna := s.must("POST", "/tables/"+id+"/seats", secret, body{"name": "Anna", "role": "player"})["secret"].(string)
	gm := sit(t, "gm", 1440, 900)
	gm.follows(s.url("/t/" + id + "/" + secret))
	gm.sees("#no-sheet", "No character yet")

	// A table's first visitor sees the sheet at once.
	s.must("POST", "/tables/"+id+"/characters", anna, body{"name": "Ivo", "kind": "character", "sheet": body{}})
	gm.sees("#sheet h2", "Ivo")

	gm.click(".hand:not(.ask) > summary")
	gm.click("#hand-dice")
	gm.enters("9")
	gm.sees("#log .card", "by hand")
	gm.click(".ask > summary")
	gm.click("#ask-about")
	gm.enters("The lock creaks")
	gm.sees("#gm-calls [data-call]", "")
	if asked := gm.ask("document.querySelector('#gm-calls').textContent"); !strings.Contains(asked, "The lock creaks") {
		t.Errorf("Anna is asked %q", asked)
	}
	if n := gm.ask("document.querySelectorAll('#log [data-throws]').length"); n != "1" {
		t.Errorf("there are %s throws, want the one by hand", n)
	}
}

// Typed text survives a reload until it is sent, and sent text doesn't reappear, even if
// others act meanwhile.
func TestOnlyUnsentTextReappearsAfterAReload(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 1440, 900)
	gm.follows(table.gm)
	gm.press("2")
	gm.until("see another act", func() bool {
		return gm.ask("document.querySelector('#actor').value") == table.cast[1]
	}, func() string {
		return gm.text("#composer")
	})
	gm.press(kb.Enter) // to the line
	gm.sees("#line:focus", "")
	gm.enters("It rains")
	gm.sees("#log", "It rains")
	gm.run("location.hash = 'tab-notes'")
	gm.click("#new-note-text")
	gm.types("The boatman lies")
	gm.do("load the page again", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-live-state=open]", "")
	if got := gm.ask("document.querySelector('#line').value + '|' + document.querySelector('#new-note-text').value"); got != "|The boatman lies" {
		t.Errorf("after a reload the line and the note are %q", got)
	}
	gm.click("#new-note button")
	gm.sees("#gm-notes textarea", "")
	gm.run("location.hash = '_'")
	gm.click("#line")
	gm.press(kb.ArrowUp)
	if again := gm.ask("document.querySelector('#line').value"); again != "It rains" {
		t.Errorf("an arrow up brings back %q", again)
	}
	gm.press(kb.ArrowDown)
	if again := gm.ask("document.querySelector('#line').value"); again != "" {
		t.Errorf("an arrow down goes on to %q", again)
	}
	gm.do("load the page again", chromedp.Reload(), chromedp.WaitReady("body"))
	gm.sees("[data-live-state=open]", "")
	if got := gm.ask("document.querySelector('#new-note-text').value"); got != "" {
		t.Errorf("the note that was added is there again: %q", got)
	}
}

// The keyboard focus stays in place after an answer, though the question disappears. Screen readers
// announce that the connection is lost and back, and controls that can't wait for it say so.
func TestFocusStaysAndConnectionChangesAreAnnounced(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 1440, 900)
	gm.follows(table.gm)
	s.must("POST", "/tables/"+table.id+"/moves", table.secret,
		body{"move": "check", "character": table.cast[0], "args": body{}, "dice": []int{2}})
	gm.sees(".question[data-mine]", "")
	gm.press("q")
	card := gm.ask("document.activeElement.closest('#log > li').id")
	gm.choose(".question[data-mine] [name=resistance]", "blood")
	gm.tabs(".question[data-mine] button[type=submit]")
	gm.press(kb.Enter)
	gm.gone(".question[data-mine]")
	gm.until("keep the keyboard", func() bool {
		return gm.ask("document.activeElement.id") == card
	}, func() string {
		return gm.ask("document.activeElement.outerHTML.slice(0, 200)")
	})

	odds := gm.text("#odds")
	s.stop()
	gm.sees("#live-said", "The connection is lost")
	gm.run("location.hash = 'tab-characters'")
	gm.click("#gm-stock button")
	gm.sees("#toasts", "No connection")
	gm.run("location.hash = '_'")
	gm.choose("#composer-form input[name=difficulty][value='1']", "1")
	gm.sees("#odds", "The connection is lost")
	s.start()
	gm.sees("#live-said", "The connection is back")
	gm.sees("#odds", "%")
	if now := gm.text("#odds"); now == odds {
		t.Errorf("the chances are still those of before: %s", now)
	}
}

// If the answer with the odds is lost, or the server is too busy for it, they are requested again,
// and the old ones don't stay.
func TestLostOddsAreRequestedAgain(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 1440, 900)
	gm.follows(table.gm)
	before := gm.text("#odds")
	for i, lost := range []string{
		"Promise.reject(new TypeError('lost'))",
		"Promise.resolve(new Response('', {status: 503}))",
		"Promise.resolve(new Response(new ReadableStream({start: (body) => body.error(new TypeError('cut off'))})))",
	} {
		gm.run(`const real = window.fetch
			window.unanswered = false
			window.fetch = (at, ...how) => {
				if (!String(at).includes('/odds')) return real(at, ...how)
				window.fetch = real
				window.unanswered = true
				return ` + lost + `
			}`)
		difficulty := strconv.Itoa((i + 1) % 3)
		gm.choose("#composer-form input[name=difficulty][value='"+difficulty+"']", difficulty)
		gm.until("lose an answer", func() bool {
			return gm.ask("window.unanswered") == "true"
		}, func() string {
			return gm.text("#odds")
		})
		gm.until("be told other odds", func() bool {
			now := gm.text("#odds")
			return strings.Contains(now, "%") && now != before
		}, func() string { return gm.text("#odds") })
		before = gm.text("#odds")
	}
}

// A player without dice leaves the roll of a move with real dice to norn. Others are offered the
// real dice first.
func TestPlayerWithoutDiceLetsNornRoll(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 390, 800)
	gm.follows(table.gm)
	s.must("POST", "/tables/"+table.id+"/moves", table.secret,
		body{"move": "check", "character": table.cast[1], "args": falling, "dice": []int{2}})
	gm.click(".tabs [data-to-tab=questions]")
	question := gm.ask("document.querySelector('.question').id")
	gm.sees("#"+question+" .pad", "")
	gm.picture("at hand")
	gm.click("#" + question + " [name=roll]")
	gm.gone("#" + question)
}
