//go:build e2e

package playtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// misfits returns the page's text that is cut off and the controls that are too small for a thumb.
//
// Text is cut off if it extends beyond the window sideways, or beyond an element that clips without
// scrolling; text for screen readers is exempt. A control is large enough with 44 px each way. In a
// line of text or a log entry WCAG 2.2 asks for 24 px or as much room around it (2.5.8).
const misfits = `(touch) => {
	for (const a of document.getAnimations()) a.finish()
	const found = new Set()
	const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.classList].map(c => '.' + c).join('')
	const told = (e) => name(e.parentElement) + ' > ' + name(e) + ' "' + (e.innerText || e.getAttribute('aria-label') || '').trim().slice(0, 40).replace(/\s+/g, ' ') + '"'
	const shown = (e) => e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}) && !e.closest('.sr-only')
	if (document.documentElement.scrollWidth > innerWidth) found.add('the page scrolls sideways, to ' + document.documentElement.scrollWidth + ' px')

	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	const range = document.createRange()
	for (let text; (text = walk.nextNode());) {
		const e = text.parentElement
		if (!text.data.trim() || !shown(e) || e.closest('svg, option')) continue
		range.selectNodeContents(text)
		const box = range.getBoundingClientRect()
		if (box.width === 0) continue
		let room = {left: 0, right: innerWidth}, by = 'the window'
		for (let p = e; p && p !== document.documentElement; p = p.parentElement) {
			const style = getComputedStyle(p)
			if (['auto', 'scroll'].includes(style.overflowX) && p.scrollWidth > p.clientWidth) { room = null; break }
			if (style.overflowX !== 'visible') {
				const clip = p.getBoundingClientRect()
				if (clip.width <= 1) { room = null; break } // for screen readers only
				if (clip.left > room.left || clip.right < room.right) by = name(p)
				room = {left: Math.max(room.left, clip.left), right: Math.min(room.right, clip.right)}
			}
			if (style.position === 'fixed') break
		}
		if (room && (box.left < room.left - 1.5 || box.right > room.right + 1.5)) found.add('cut by ' + by + ': ' + told(e))
	}
	for (const e of document.querySelectorAll('input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea, button')) {
		if (!shown(e)) continue
		if (e.tagName === 'SELECT' || e.tagName === 'BUTTON') {
			if (e.scrollWidth > e.clientWidth + 1) found.add('too narrow: ' + told(e))
		}
		const box = e.getBoundingClientRect()
		if (box.width > innerWidth) found.add('wider than the window: ' + told(e))
	}
	if (!touch) return [...found].join('\n')

	const targets = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=slider], [tabindex="0"]')]
		.filter(e => shown(e) && !e.disabled && e.tabIndex >= 0 && !e.matches('.log-box, .composer, .drawer, svg *'))
		.map(e => { // a press on the label counts
			const label = e.matches('input[type=radio], input[type=checkbox]') ? e.closest('label') : null
			const box = (label ?? e).getBoundingClientRect()
			return {e, box}
		}).filter(({box}) => box.width > 0 && box.height > 0)
	for (const {e, box} of targets) {
		if (box.width >= 43.5 && box.height >= 43.5) continue
		const inText = e.matches('a') && getComputedStyle(e).display === 'inline'
		if (inText) continue
		const within = !!e.closest('.card, .note, .sheet, .question, p, li, td, dd')
		const large = box.width >= 24 && box.height >= 24
		const x = box.x + box.width / 2, y = box.y + box.height / 2
		const apart = targets.every(o => o.e === e || o.e.contains(e) || e.contains(o.e) ||
			Math.hypot(Math.max(o.box.left - x, x - o.box.right, 0), Math.max(o.box.top - y, y - o.box.bottom, 0)) >= 12)
		if (within && (large || apart)) continue
		found.add('a target of ' + Math.round(box.width) + ' x ' + Math.round(box.height) + ' px: ' + told(e))
	}
	return [...found].join('\n')
}`

// Every page and panel of all games (in a short run each game's in one language) fits phones,
// tablets and laptops in each language: no text is cut off, nothing scrolls sideways, and on a
// phone each control is large enough for a thumb.
func TestPagesFitEveryScreenInEachLanguage(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	reader := sit(t, "reader", 1440, 900)
	reader.visit(s.url("/"))
	check := func(path string, width int64) {
		t.Helper()
		screen := chromedp.EmulateViewport(width, 800)
		if width < 768 {
			screen = chromedp.EmulateViewport(width, 800, chromedp.EmulateTouch)
		}
		reader.do("turn the screen", screen)
		if path != "" {
			reader.visit(s.url(path))
		}
		reader.styled()
		// Paths that differ only in their fragment don't load again.
		where := reader.ask("location.pathname.replace(/[a-z0-9]{16}/, document.documentElement.dataset.game) + location.search + location.hash")
		found := reader.ask(fmt.Sprintf("(%s)(%t)", misfits, width < 768))
		if found == "" {
			return
		}
		for _, problem := range strings.Split(found, "\n") {
			t.Errorf("%s in %s at %d px: %s", where, reader.ask("document.documentElement.lang"), width, problem)
		}
	}
	for n, lang := range []string{"en", "ru", "uk"} {
		reader.run("document.cookie = 'lang=" + lang + "; path=/'")
		for _, path := range []string{
			"/", "/odds", "/odds/mage/roll?pool=7&difficulty=8", "/odds/dice?notation=4d6kh3",
			"/nowhere", "/offline/" + lang,
		} {
			for _, width := range []int64{360, 1440} {
				check(path, width)
			}
		}
		for i, play := range plays {
			if testing.Short() && (i+1)%3 != n {
				continue
			}
			reader.visit(s.url("/demo/" + play.game))
			table := reader.ask("location.pathname")
			check("", 1440)
			check("", 768)
			for _, state := range []string{
				"?_tab=log", "?_tab=log#composer", "?_tab=log#drawer",
				"?_tab=log#tab-characters", "?_tab=log#tab-notes", "?_tab=log#tab-session", "?_tab=log#tab-settings",
				"?_tab=sheet", "?_tab=cast", "?_tab=questions",
			} {
				check(table+state, 360)
			}
			check(table+"/gm", 360)
			check(table+"/gm", 1440)
			check(table+"/gm#tab-session", 360)
			check(table+"/gm#tab-notes", 1440)
		}
	}
}
