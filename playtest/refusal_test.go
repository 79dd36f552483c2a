//go:build browser || e2e

package playtest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// What a rule refuses of an answer stays explained, in view, until its reader changes something, in
// every engine: also where the question shows descriptions of what is chosen, and a choice takes
// the options of another field away.
func TestARefusedAnswerStaysExplainedInChromium(t *testing.T) {
	t.Parallel()
	refusesAnAnswer(serve(t), sit(t, "gm", 1366, 768))
}

func TestARefusedAnswerStaysExplainedInFirefox(t *testing.T) {
	t.Parallel()
	refusesAnAnswer(serve(t), startFirefox(t).sitAt(t, "gm", 1366, 768))
}

func TestARefusedAnswerStaysExplainedInWebKit(t *testing.T) {
	t.Parallel()
	refusesAnAnswer(serve(t), sitInWebKit(t, "gm", 1366, 768))
}

func refusesAnAnswer(s *server, gm *seat) {
	gm.t.Helper()
	p := s.opens("spire", "en")
	p.adds("character", "Lira", "", body{"stress": body{"shadow": 9}})
	p.moves(p.gm, "stress", "c1", body{"die": "d6", "resistance": "shadow"}, 5, 1)
	const form = "[data-question-kind='spire.fallout']"
	gm.follows(s.url("/t/" + p.path[len("/tables/"):] + "/" + p.gm))
	gm.sees(form, "")
	gm.run(`window.gone = 0
		new MutationObserver((changes) => {
			for (const { removedNodes } of changes) for (const node of removedNodes) if (node.matches?.('.problem')) window.gone++
		}).observe(document.body, { childList: true, subtree: true })
		window.under = 0
		document.addEventListener('htmx:before:request', () => { window.under++ })
		document.addEventListener('htmx:finally:request', () => { window.under-- })`)
	quiet := func() {
		gm.t.Helper()
		gm.until("be without requests", func() bool { return gm.ask("window.under") == "0" }, func() string { return gm.ask("window.under") })
	}
	explained := func(how string) {
		gm.t.Helper()
		gm.sees(form+" .problem", "SP-18")
		quiet()
		gm.draws()
		if gone := gm.ask("window.gone"); gone != "0" {
			gm.t.Errorf("%s: an error message goes by itself", how)
		}
		if at := gm.ask(`(() => {
			const { top, bottom } = document.querySelector("` + form + ` .problem").getBoundingClientRect()
			const box = document.querySelector('#log-box').getBoundingClientRect()
			return top >= box.top && bottom <= box.bottom ? '' : [top, bottom, box.top, box.bottom]
		})()`); at != "" {
			gm.t.Errorf("%s: the error message is out of view: %s", how, at)
		}
		if lost := gm.ask("[...document.querySelectorAll(\"" + form + " select\")].filter((s) => s.checkVisibility() && s.selectedIndex < 0).map((s) => s.name)"); lost != "" {
			gm.t.Errorf("%s: nothing is chosen of %s", how, lost)
		}
	}

	gm.click(form + " label:has([name=do][value=lesser])")
	gm.until("be asked for the second fallout", func() bool {
		return gm.ask("document.querySelector(\""+form+" [name=second]\").checkVisibility()") == "true"
	}, func() string { return gm.text(form) })
	quiet()
	gm.click(form + " .actions .primary")
	explained("a press")

	// The same by keyboard; the focus goes to the button again, next to what is wrong.
	gm.run(`window.gone = 0; for (const p of document.querySelectorAll("` + form + ` .problem")) p.className = 'old'
		document.querySelector("` + form + ` .actions .primary").focus()`)
	gm.types(kb.Enter)
	explained("Enter")
	if at := gm.ask(fmt.Sprintf(`(() => {
		const { top, bottom } = document.activeElement.getBoundingClientRect()
		return document.activeElement.matches(%q) && top >= 0 && bottom <= innerHeight ? '' : document.activeElement.outerHTML.slice(0, 100) + ' at ' + top
	})()`, form+" .actions .primary")); at != "" {
		gm.t.Errorf("Enter: the focus is on %s", at)
	}

	// It goes with a change, and the answer is taken.
	gm.choose(form+" [name=second]", "shadow.moderate.2")
	gm.gone(form + " .problem")
	gm.choose(form+" [name=pick]", "shadow.moderate.1")
	quiet()
	gm.click(form + " .actions .primary")
	gm.gone(form)
}
