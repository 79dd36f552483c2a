//go:build e2e

package playtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"norn/games"
)

// fieldRoom reports the visible height of a move's fields on a laptop, "" if that is at least 150
// px or all of them.
const fieldRoom = `(() => {
	const composer = document.querySelector('#composer'), box = (e) => e.getBoundingClientRect()
	const foot = [...composer.querySelectorAll('.composer-form > .actions, .odds, .odds > *')].filter((e) => getComputedStyle(e).position === 'sticky')
	const end = Math.min(box(composer).bottom, ...foot.map((e) => box(e).top)), room = end - box(composer.querySelector('.composer-who')).bottom
	return room >= 150 || [...composer.querySelectorAll('.composer-form > .fields > .field')].every((e) => box(e).bottom <= end) ? '' : String(Math.round(room))
})()`

// usualRollOutOfView names what of a usual roll a laptop doesn't show without scrolling: fields, the
// chances, and the button.
const usualRollOutOfView = `(() => {
	const end = document.querySelector('#composer').getBoundingClientRect().bottom, top = document.querySelector('.composer-who').getBoundingClientRect().bottom
	const seen = (e) => { const box = e.getBoundingClientRect(); return box.top >= top - 1 && box.bottom <= end + 1 && box.width > 0 }
	if (!document.querySelector('#throw').checkVisibility()) return 'the button'
	return [...document.querySelectorAll('.composer-form > .fields > *, .odds-heads, #throw')].filter((e) => e.checkVisibility() && !seen(e)).map((e) => e.textContent.trim().slice(0, 40)).join('; ')
})()`

// The story has room: whatever move is open, the log keeps its part of a small laptop's window,
// most of it with the game's usual roll, and the composer is folded while the reader has an open
// question. The button that answers is in view.
func TestLogKeepsItsHeightWhateverMoveIsOpen(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	for _, own := range games.All() {
		g := own.ID
		gm := sit(t, g, 1366, 768)
		gm.visit(s.url("/demo/" + g))
		gm.sees("#moves", "")
		if gm.ask("document.querySelector('.question[data-mine]') !== null") == "true" {
			gm.sees("#composer.folded #fold[aria-expanded=false]", "")
			gm.until("have the move folded", func() bool {
				return gm.ask("document.querySelector('#throw').checkVisibility()") == "false"
			}, func() string {
				return ""
			})
			if inSight := gm.ask(`(() => {
				const box = document.querySelector('.question[data-mine] .actions button:not(.sr-only)').getBoundingClientRect(), log = document.getElementById('log-box').getBoundingClientRect()
				return box.top >= log.top && box.bottom <= log.bottom
			})()`); inSight != "true" {
				t.Errorf("%s: the button that answers is out of sight", g)
			}
			before := gm.ask("document.querySelectorAll('.card[data-move]').length")
			gm.do("press m", chromedp.Focus("#log-box"), chromedp.KeyEvent("m"))
			gm.sees("#composer:not(.folded) #throw", "")
			if after := gm.ask("document.querySelectorAll('.card[data-move]').length"); after != before {
				t.Errorf("%s: thrown by a letter", g)
			}
			gm.click("#fold")
			gm.sees("#composer.folded", "")
			gm.click("#moves a[aria-current]")
			gm.sees("#composer:not(.folded) #throw", "")
		}
		const share = "document.querySelector('.log-column').clientHeight / innerHeight"
		for _, height := range []int64{640, 768} {
			gm.do("have the window of a laptop", chromedp.EmulateViewport(1366, height))
			gm.picture(fmt.Sprint("usual roll at ", height))
			gm.until("have most of it for the log", func() bool { return gm.ask(share+" >= 0.55") == "true" }, func() string {
				return fmt.Sprint(g, " at ", height, ": ", gm.ask(share), ", the form: ", gm.text("#composer"))
			})
			if out := gm.ask(usualRollOutOfView); out != "" {
				t.Errorf("%s at %d: out of view: %s", g, height, out)
			}
		}
		for _, move := range strings.Fields(gm.ask("[...document.querySelectorAll('#moves a')].map((a) => a.id).join(' ')")) {
			gm.run("document.getElementById('" + move + "').click()") // it may be beyond the row's end
			gm.sees("[data-composer="+strings.TrimPrefix(move, "move-")+"] #throw", "")
			if got := gm.ask(share + " >= 0.45"); got != "true" {
				t.Errorf("%s: with %s open the log has %s of the height", g, move, gm.ask(share))
			}
			if room := gm.ask(fieldRoom); room != "" {
				t.Errorf("%s: of %s there are %s px in view between the moves and the odds", g, move, room)
			}
		}
		gm.click("#fold")
		gm.until("have the move folded", func() bool {
			return gm.ask("document.querySelector('#throw').checkVisibility()") == "false"
		}, func() string {
			return ""
		})
		gm.click("#fold")
		gm.sees("#throw", "")

		// In a small window nothing covers the roll button, even for a game master, who has two
		// rows of buttons.
		gm.do("have a smaller window", chromedp.EmulateViewport(1024, 768))
		covered := func() string {
			return gm.ask(`(() => {
				const button = document.querySelector("#throw"), box = button.getBoundingClientRect()
				const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
				return button.contains(top) ? "" : String(top?.outerHTML.slice(0, 200))
			})()`)
		}
		gm.until("see the button that throws", func() bool { return covered() == "" }, covered)
	}
}

// A game master who rolls for a player's hero is asked the questions for that hero: the form folds,
// the die stays in view, and the button that answers is the filled one.
func TestGameMasterWhoRollsForAHeroSeesItsQuestion(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	gm := sit(t, "gm", 1366, 768)
	gm.follows(s.url("/demo/spire"))
	gm.click(".question[data-mine] .actions button[type=submit]")
	gm.sees("#composer:not(.folded) #throw", "")
	gm.click(".hand:has(#hand-dice) summary")
	gm.choose("#hand-dice", "2 2 2 2")
	gm.click("[data-by-hand]")
	gm.sees(".card:last-child .question", "Teth")
	gm.sees("#composer.folded", "")
	gm.until("see its die and the filled button", func() bool {
		return gm.ask(`(() => {
			const log = document.getElementById('log-box').getBoundingClientRect(), top = document.querySelector('.log-top').getBoundingClientRect().bottom
			const seen = (box) => box.top >= top && box.bottom <= log.bottom
			const colour = (e) => getComputedStyle(e).backgroundColor
			const button = document.querySelector('.card:last-child .question .primary'), another = document.querySelector('.card:not(:last-child) .question .primary')
			return seen(button.getBoundingClientRect()) && seen(document.querySelector('.card:last-child [role=img]').getBoundingClientRect()) && colour(button) !== colour(another)
		})()`) == "true"
	}, func() string { return gm.text("#log-box") })
}

// The scene's strip isn't cut off if the log is longer than its box, a first step has room for its
// text after its link, and the part of the drawer that it leads to begins below the drawer's head.
func TestHeadingsAndTheSceneStripAreNotCutOff(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.long("mage", "ru", 6)
	gm := sit(t, "gm", 1366, 768)
	gm.follows(s.url("/t/" + table.id + "/" + table.gm))
	gm.sees(".turns *", "")
	if cut := gm.ask("Math.max(0, document.querySelector('.log-column').getBoundingClientRect().top - document.querySelector('.turns').getBoundingClientRect().top)"); cut != "0" {
		t.Errorf("%s px of the strip are cut", cut)
	}
	gm.click("#steps summary")
	gm.sees("#steps-list a", "")
	if gap := gm.ask("parseInt(getComputedStyle(document.querySelector('#steps-list a + .faint')).marginInlineStart) > 3"); gap != "true" {
		t.Error("a step's link and what it's about are one word")
	}
	gm.click("#steps-list [data-first-step=invite] a")
	under := func() string {
		return gm.ask("document.querySelector('#drawer-seats h2').getBoundingClientRect().top - document.querySelector('.drawer-head').getBoundingClientRect().bottom")
	}
	gm.until("see the whole heading of the seats", func() bool { return !strings.HasPrefix(under(), "-") }, under)
}
