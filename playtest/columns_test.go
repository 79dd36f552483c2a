//go:build e2e

package playtest

import (
	"fmt"
	"strconv"
	"testing"
)

// On a phone in landscape the log has at least half of the height, and the composer opens next to
// it with its button in view.
func TestLogKeepsHalfTheHeightOfAPhoneInLandscape(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	for _, size := range [][2]int64{{780, 360}, {915, 412}, {640, 360}} {
		t.Run(fmt.Sprintf("%d×%d px", size[0], size[1]), func(t *testing.T) {
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

// On a phone there is room for a table's name next to the game master's buttons, the menu leads to
// the start page, and only open questions are in their tab, the reader's own first.
func TestPhoneHeaderShowsTheTableName(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	gm := phone(t, "gm", 360, 780)
	for _, lang := range []string{"en", "ru", "uk"} {
		gm.visit(s.url("/"))
		gm.run("document.cookie = 'lang=" + lang + "; path=/'")
		for _, play := range plays {
			gm.visit(s.url("/demo/" + play.game))
			gm.styled()
			broken := gm.ask(`(() => {
				const title = document.querySelector('.bar h1').firstChild, range = document.createRange(), broken = []
				for (const {0: word, index} of title.data.matchAll(/\S+/g)) {
					range.setStart(title, index)
					range.setEnd(title, index + word.length)
					if (range.getClientRects().length > 1) broken.push(word)
				}
				return broken.join(' ')
			})()`)
			if broken != "" {
				t.Errorf("%s, %s: the table's name is broken in %q", lang, play.game, broken)
			}
			gm.picture(lang + "-" + play.game)
			gm.click(".tabs [data-to-tab=questions]")
			for _, other := range []string{".log-top", ".log-more"} {
				if gm.ask("[...document.querySelectorAll('"+other+"')].some((e) => e.checkVisibility())") == "true" {
					t.Errorf("%s, %s: the questions show %s", lang, play.game, other)
				}
			}
			if first := gm.ask(`[...document.querySelectorAll('.question')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].matches('[data-mine]')`); first != "true" {
				t.Errorf("%s, %s: another's question comes before the reader's", lang, play.game)
			}
		}
	}
	gm.click(".bar > .menu:last-child > summary")
	gm.click(".menu-body a[href='/']")
	gm.sees(".start-row, [data-form=open], main", "")
	if at := gm.ask("location.pathname"); at != "/" {
		t.Errorf("the menu leads to %s", at)
	}
}
