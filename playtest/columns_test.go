//go:build e2e

package playtest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// overlaps returns which parts of a table's page are drawn over each other, and what of a column doesn't fit into it.
const overlaps = `(() => {
	const box = (selector) => document.querySelector(selector).getBoundingClientRect()
	const parts = ['.story', '.cast', '.sheet-panel'], found = []
	const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
	for (const [i, one] of parts.entries()) for (const other of parts.slice(i + 1)) if (meet(box(one), box(other))) found.push(one + ' and ' + other)
	for (const part of [...parts, '.log-box', '.line-form', '.online']) {
		const e = document.querySelector(part)
		if (e.scrollWidth > e.clientWidth + 1) found.push(part + ' needs ' + e.scrollWidth + ' of ' + e.clientWidth + ' px')
	}
	const column = box('.story')
	for (const e of document.querySelectorAll('.log-box, .line-send, #composer .primary')) {
		if (e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().right > column.right + 1) found.push(e.className + ' leaves .story')
	}
	return found.join('; ')
})()`

// crowd opens a table of 22 characters with names of 49 characters and returns the game master's link.
func (s *server) crowd(game, kind, name string) string {
	s.t.Helper()
	made := s.must("POST", "/tables", "", map[string]any{"game": game, "name": name, "lang": "en"})
	secret := made["seat"].(map[string]any)["secret"].(string)
	for i := range 22 {
		long := name[:49-len(strconv.Itoa(i))] + strconv.Itoa(i)
		s.must("POST", "/tables/"+made["id"].(string)+"/characters", secret, map[string]any{"name": long, "kind": kind, "sheet": map[string]any{}})
	}
	return s.url("/t/" + made["id"].(string) + "/" + secret)
}

const (
	unbroken = "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	inWords  = "Lady Evangeline Montgomery-Ashcroft of Lower Spire"
)

// Long names leave each column of a tablet and of a phone held sideways its own room.
func TestLongNamesKeepColumnsApart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	reader := sit(t, "reader", 1024, 768)
	for _, name := range []string{unbroken, inWords} {
		reader.follows(s.crowd("spire", "character", name))
		for _, size := range [][2]int64{{820, 1180}, {768, 1024}, {1024, 768}, {780, 360}, {1000, 700}} {
			reader.do("turn the screen", chromedp.EmulateViewport(size[0], size[1]))
			if found := reader.ask(overlaps); found != "" {
				t.Errorf("%d × %d, %q: %s", size[0], size[1], name, found)
			}
			reader.picture(fmt.Sprintf("%d-%d-%d", size[0], size[1], strings.Count(name, " ")))
		}
	}
}

// Held sideways, a phone gives at least half of its height to the log, and the composer opens next to it with its button in view.
func TestTheLogKeepsHalfOfAPhoneHeldSideways(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	for _, size := range [][2]int64{{780, 360}, {915, 412}, {640, 360}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			reader := phone(t, "reader", size[0], size[1])
			reader.follows(s.url("/demo/spire"))
			reader.styled()
			high := func(selector string) int {
				n, _ := strconv.Atoi(reader.ask("Math.round(document.querySelector('" + selector + "').clientHeight)"))
				return n
			}
			if got := high(".log-box"); got*2 < int(size[1]) {
				t.Errorf("the log has %d of %d px", got, size[1])
			}
			reader.picture("log")
			reader.click(".compose-open")
			reader.sees("#composer", "")
			reader.until("see the button that throws", func() bool {
				return reader.ask(`(() => {
					const box = document.querySelector('[data-throw]').getBoundingClientRect()
					return box.top >= 0 && box.bottom <= innerHeight && document.querySelector('[data-throw]').contains(document.elementFromPoint(box.x + 5, box.y + box.height / 2))
				})()`) == "true"
			}, func() string {
				return reader.ask("JSON.stringify(document.querySelector('[data-throw]').getBoundingClientRect())")
			})
			reader.picture("composer")
			reader.click(".compose-close a")
			reader.until("see the composer go", func() bool {
				return reader.ask("getComputedStyle(document.querySelector('#composer')).visibility") == "hidden"
			}, func() string { return reader.ask("location.hash") })
		})
	}
}
