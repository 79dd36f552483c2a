//go:build e2e

package playtest

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabs presses Tab until an element that a selector finds has the focus. Each focused element on
// the way is in the window and shows its focus.
func (s *seat) tabs(selector string) {
	s.t.Helper()
	for range 250 {
		s.do("press Tab", chromedp.KeyEvent(kb.Tab))
		unseen := s.ask(`(() => {
			const e = document.activeElement
			if (!e || e === document.body) return '' // between the last and the first
			for (const a of document.getAnimations()) a.finish()
			const rings = (x) => x && getComputedStyle(x).outlineStyle !== 'none' && parseFloat(getComputedStyle(x).outlineWidth) > 0
			const strokes = e.closest('svg') !== null // bars of plots are outlined by strokes
			if (!rings(e) && !rings(e.nextElementSibling) && !strokes) return 'no ring around ' + e.outerHTML.slice(0, 200)
			const box = (rings(e) ? e : e.nextElementSibling ?? e).getBoundingClientRect()
			if (box.right < 0 || box.left > innerWidth || box.bottom < 0 || box.top > innerHeight) return 'out of the window: ' + e.outerHTML.slice(0, 200)
			return ''
		})()`)
		if unseen != "" {
			s.t.Errorf("the focus isn't seen: %s", unseen)
		}
		if s.ask(fmt.Sprintf("!!document.activeElement?.matches(%q)", selector)) == "true" {
			return
		}
	}
	s.t.Fatalf("Tab never comes to %s", selector)
}

// From the start page a table is created, a hero chosen, and the first field of a move reached,
// with at most sixteen presses of Tab.
func TestFirstMoveIsReachedByAtMostSixteenTabs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	one := sit(t, "one", 1366, 768)
	one.visit(s.url("/"))
	pressed := 0
	tab := func(selector string) {
		t.Helper()
		for ; one.ask(fmt.Sprintf("!!document.activeElement?.matches(%q)", selector)) != "true"; pressed++ {
			if pressed > 16 {
				t.Fatalf("sixteen tabs don't lead to %s, but to %s", selector,
					one.ask("document.activeElement.outerHTML.slice(0, 200)"))
			}
			one.do("press Tab", chromedp.KeyEvent(kb.Tab))
		}
	}
	tab(".skip")
	one.press(kb.Enter)
	tab("[name=game]")
	tab("#name")
	one.press("Tabs", kb.Enter)
	one.sees("[data-live-state=open]", "")
	tab(".skip")
	one.press(kb.Enter)
	tab("#composer a[href$='/hero']")
	one.press(kb.Enter)
	one.sees("[name=_hero]", "")
	tab("[name=_hero]")
	one.press(kb.Enter)
	one.sees("#composer-form", "")
	one.settled() // what comes meanwhile may be drawn anew under the focus
	tab(".skip")
	one.press(kb.Enter)
	one.sees("#moves a:focus", "")
	one.press(kb.Enter)
	one.sees("#composer-head:focus", "") // which says who makes which move
	tab("#composer-form :is(input, select)")
}

// A whole session without a mouse: a move is chosen, filled in and rolled, a question answered, a
// track changed, something said, the drawer opened, the session ended and the drawer closed. Other
// people's actions change neither the focus nor text being typed or open parts.
func TestWholeSessionWorksByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Keys", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	path := "/tables/" + id
	s.must("POST", path+"/characters", secret, body{"name": "Lira", "kind": "character", "sheet": body{
		"skills": []body{{"name": "sneak"}}, "domains": []body{{"name": "crime"}},
	}})
	anna := s.must("POST", path+"/seats", secret, body{"name": "Anna", "role": "player"})["secret"].(string)
	s.must("POST", path+"/characters", anna, body{"name": "Ivo", "kind": "character", "sheet": body{}})

	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.sees("[data-live-state=open]", "")
	cards := func() int {
		n, err := strconv.Atoi(gm.ask("document.querySelectorAll('#log [data-throws]').length"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}

	throwsByKeys(t, gm, cards)
	keepsTheFocus(t, s, path, anna, gm, cards)
	answersByKeys(s, secret, path, gm)
	endsTheSessionByKeys(gm)
}

// throwsByKeys chooses a move, its fields and the roll.
func throwsByKeys(t *testing.T, gm *seat, cards func() int) {
	gm.tabs("#moves a:nth-of-type(1)")
	gm.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowLeft)
	gm.press(kb.Enter)
	gm.sees("#moves a:nth-of-type(2)[aria-current]", "")
	gm.tabs("#moves a:nth-of-type(1)")
	gm.press(kb.Enter)
	gm.sees("#moves a:nth-of-type(1)[aria-current]", "")
	gm.tabs("#composer-form select[name=skill]")
	gm.press("s")
	if got := gm.ask("document.querySelector('#composer-form select[name=skill]').value"); got != "sneak" {
		t.Fatalf("the skill is %q after its first letter", got)
	}
	gm.tabs("#composer-form input[name=difficulty]")
	gm.press(kb.ArrowRight)
	gm.sees("#composer-form input[name=difficulty][value='1']:checked", "")
	gm.tabs(".hand > summary") // real dice, so that the result is known
	gm.press(kb.Enter)
	gm.tabs("#hand-dice")
	gm.press("9")
	gm.tabs("[data-by-hand]")
	gm.press(kb.Enter)
	gm.until("see the throw", func() bool { return cards() == 1 }, func() string { return gm.text("#log") })
}

// keepsTheFocus checks that the focus, the caret, typed text and open parts stay when others act.
func keepsTheFocus(t *testing.T, s *server, path, anna string, gm *seat, cards func() int) {
	gm.tabs("#log .take-back > summary")
	gm.press(kb.Enter)
	gm.sees("#log .take-back[open]", "")
	gm.tabs("#line")
	gm.press("half a sentence", kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft)
	for i := range 3 {
		s.must("POST", path+"/moves", anna,
			body{"move": "check", "character": "c2", "args": body{}, "dice": []int{9}, "key": "k" + strconv.Itoa(i)})
	}
	gm.until("see what Anna does", func() bool { return cards() == 4 }, func() string { return gm.text("#log") })
	if got := gm.ask("document.activeElement.id + ' ' + document.activeElement.value + ' ' + document.activeElement.selectionStart"); got != "line half a sentence 12" {
		t.Errorf("after others' moves the focus is at %q", got)
	}
	gm.sees("#log .take-back[open]", "")
	gm.press(kb.End, kb.Enter)
	gm.sees("#log", "half a sentence")
}

// answersByKeys changes a track, and answers a question that the key q leads to.
func answersByKeys(s *server, secret, path string, gm *seat) {
	gm.tabs("#sheet [data-track=mind] [role=slider]")
	gm.press(kb.ArrowRight)
	gm.sees("#sheet [data-track=mind][data-now='1']", "Mind")

	// A question of another character's move: q leads to it, and a choice answers it.
	s.must("POST", path+"/characters", secret, body{"name": "Nox", "kind": "character", "sheet": body{}})
	s.must("POST", path+"/moves", secret,
		body{"move": "check", "character": "c3", "args": falling, "dice": []int{2, 5, 1}})
	gm.sees(".question[data-mine]", "Nox")
	gm.run("document.activeElement.blur()")
	gm.press("q")
	question := "#" + gm.ask("document.activeElement.closest('.question').id")
	gm.tabs(question + " button[type=submit]")
	gm.press(kb.Enter)
	gm.gone(question)
}

// endsTheSessionByKeys opens the drawer and ends the session.
func endsTheSessionByKeys(gm *seat) {
	gm.tabs(".drawer-open")
	gm.press(kb.Enter)
	gm.sees("#drawer:target", "")
	gm.tabs("#drawer-end button")
	gm.press(kb.Enter)
	gm.sees("#drawer-session", "Session 2")
	gm.press(kb.Escape)
	gm.gone("#drawer:target")
	gm.tabs("#line") // the focus isn't trapped
}
