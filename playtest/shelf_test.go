//go:build e2e

package playtest

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"norn/lang"
)

// A game master shows a picture to one player by two presses and a file, sets a scene with a picture by
// three presses and a title, and makes a portrait, all without leaving the table or losing the text in
// the line; a picture that is pasted anywhere is on the shelf. Nobody else sees what one player is shown.
func TestPictureIsShownFromTheShelfByTwoPresses(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{1366, 360} {
		t.Run(fmt.Sprintf("%d px", width), func(t *testing.T) {
			t.Parallel()
			n := serve(t)
			table := n.sheets("spire", lang.Uk)
			boris := n.must("POST", "/tables/"+table.id+"/seats", table.secret,
				map[string]any{"name": "Борис", "role": "player"})["secret"].(string)
			gm := sit(t, "gm", width, 768)
			if width == 360 {
				gm = phone(t, "gm", width, 740)
			}
			anna, other := sit(t, "anna", 360, 740), sit(t, "boris", 360, 740)
			gm.follows(table.gm)
			anna.follows(table.anna)
			other.follows(n.url("/t/" + table.id + "/" + boris))
			presses := 0
			press := func(what string) {
				t.Helper()
				gm.click(what)
				presses++
			}
			most := func(what string, n int) {
				t.Helper()
				if presses > n {
					t.Errorf("%s takes %d presses, more than %d", what, presses, n)
				}
				presses = 0
			}

			gm.sees(".shelf-open svg", "")
			gm.click("#line")
			gm.types("half a thought")
			gm.run("document.activeElement.blur()")

			press(".shelf-open")
			gm.sees("#shelf-new", "")
			gm.uploads("#shelf-file", photo(t, 800, 600))
			gm.sees("#shelf-all li img", "")
			gm.until("stand on the button that shows it", func() bool {
				return gm.ask("document.activeElement.matches('[data-shows]')") == "true"
			}, func() string { return gm.ask("document.activeElement.outerHTML") })
			gm.picture("shelf")
			if other.ask("document.querySelectorAll('#log .picture').length") != "0" {
				t.Error("a player sees what lies on the shelf")
			}
			press("#shelf [data-shows]")
			gm.gone("#shelf[open]")
			most("to show a picture", 2)
			for _, s := range []*seat{gm, anna, other} {
				s.sees("#log .picture img", "")
			}
			gm.inView("#log > li:last-child .picture")
			gm.picture("shown")

			gm.click(".shelf-open")
			gm.click("#shelf-all li:first-child [data-shows] + details summary")
			gm.click("#shelf-all li:first-child [name=_to]")
			gm.sees("#shelf-all li:first-child [data-shows]", "Anna")
			gm.picture("whom")
			gm.click("#shelf-all li:first-child [data-shows]")
			gm.gone("#shelf[open]")
			shown := func(s *seat, want int) {
				t.Helper()
				got := func() string { return s.ask("document.querySelectorAll('#log .picture').length") }
				s.until("see the pictures", func() bool { return got() == strconv.Itoa(want) }, got)
			}
			shown(anna, 2)
			shown(gm, 2)

			press(".shelf-open")
			press("#shelf-all li:first-child > details summary")
			gm.click("#shelf-all [name=_title]")
			gm.types("The night ferry")
			press("#shelf-all li:first-child > details[open] button")
			gm.gone("#shelf[open]")
			most("to set a scene with a picture", 3)
			for _, s := range []*seat{gm, anna, other} {
				s.sees("#log > li:last-child", "The night ferry")
				s.sees("#log > li:last-child .picture img", "")
			}
			shown(other, 2) // the first and the scene's

			gm.click(".shelf-open")
			gm.click("#shelf-all li:first-child > details + details summary")
			gm.click("#shelf-all li:first-child > details[open] button")
			anna.sees("#cast .face", "")
			gm.gone("#shelf[open]")

			press(".shelf-open")
			gm.click("#shelf-clock-name")
			gm.types("Dawn")
			press("#shelf-clock button")
			gm.gone("#shelf[open]")
			most("to start a clock", 2)
			anna.sees("#clocks", "0/6")

			pastes := func(target, kinds string) {
				gm.run(`(async () => {
					const all = new DataTransfer()
					for (const side of [2, 3]) {
						const drawn = new OffscreenCanvas(side, side)
						drawn.getContext('2d').fillRect(0, 0, 1, 1)
						all.items.add(new File([await drawn.convertToBlob()], side + '.png', { type: 'image/png' }))
					}
					` + kinds + `
					document.querySelector('` + target + `').dispatchEvent(new ClipboardEvent('paste', { clipboardData: all, bubbles: true, cancelable: true }))
					document.body.dataset.pasted = '` + target + `'
				})()`)
				gm.sees("[data-pasted='"+target+"']", "")
			}
			pastes("#line", "all.setData('text/plain', 'words')")
			if gm.ask("document.querySelector('#shelf[open]')") != "null" {
				t.Error("text that is pasted with a picture opens the shelf")
			}
			pastes("#log", "")
			gm.until("see both on the shelf, beside the first and its portrait", func() bool {
				return gm.ask("document.querySelectorAll('#shelf[open] li').length") == "4"
			}, func() string { return gm.text("#shelf") })
			gm.run("history.back()")
			gm.gone("#shelf[open]")
			if said := gm.ask("document.querySelector('#line').value"); said != "half a thought" {
				t.Errorf("the line has %q", said)
			}

			gm.run("document.querySelector('.shelf-open').focus()") // by keys alone
			gm.press(kb.Enter)
			gm.sees("#shelf[open] #shelf-new", "")
			gm.press(kb.Escape)
			gm.gone("#shelf[open]")
			if gm.ask("document.activeElement.matches('.shelf-open')") != "true" {
				t.Error("the keyboard doesn't come back to where the shelf was opened")
			}
			if gm.ask("location.pathname") != "/t/"+table.id {
				t.Error("closing the shelf leaves the table")
			}
		})
	}
}

// inView checks that an element is in the window.
func (s *seat) inView(selector string) {
	s.t.Helper()
	fault := fmt.Sprintf(`(() => {
		const {top, bottom} = document.querySelector(%q).getBoundingClientRect(), box = document.querySelector('#log-box').getBoundingClientRect()
		return bottom > box.top && top < box.bottom ? '' : [top, bottom, box.top, box.bottom].join()
	})()`, selector)
	s.until("see "+selector, func() bool { return s.ask(fault) == "" }, func() string { return s.ask(fault) })
}

// By keys alone a game master shows a picture to one player, sets a scene with it and starts a clock on
// the shelf; reads the scene's note, moves the clock and opens the first steps in the strip over the log.
// The focus is seen all the way.
func TestShelfAndStripWorkByKeyboardAlone(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("spire", lang.En)
	gm, anna := sit(t, "gm", 1366, 768), sit(t, "anna", 360, 740)
	gm.follows(table.gm)
	anna.follows(table.anna)
	opens := func() {
		t.Helper()
		gm.tabs(".shelf-open")
		gm.press(kb.Enter)
		gm.sees("#shelf[open] #shelf-new", "")
	}
	first := "#shelf-all li:first-child "

	opens()
	gm.tabs("#shelf-file")
	gm.uploads("#shelf-file", photo(t, 80, 60)) // the system's own window takes over here
	gm.sees(first+"[data-shows]:focus", "")
	gm.tabs(first + "[data-shows] + details > summary")
	gm.press(kb.Enter)
	gm.tabs(first + "[name=_to]")
	gm.press(" ")
	gm.sees(first+"[data-shows]", "Anna")
	gm.press(kb.Enter) // in the form: show
	gm.gone("#shelf[open]")
	anna.sees("#log .picture img", "")

	opens()
	gm.tabs(first + "> details > summary")
	gm.press(kb.Enter)
	gm.tabs(first + "[name=_title]")
	gm.press("The night ferry")
	gm.tabs(first + "[name=_note]")
	gm.press("Fog, and a bell.")
	gm.tabs(first + "details[open] [type=submit]")
	gm.press(kb.Enter)
	gm.gone("#shelf[open]")
	anna.sees("#log > li:last-child .picture img", "")

	opens()
	gm.tabs("#shelf-clock-name")
	gm.press("Dawn", kb.Enter)
	gm.gone("#shelf[open]")
	anna.sees("#clocks", "0/6")

	gm.tabs("#clocks [name=_by][value='1']")
	gm.press(kb.Enter)
	anna.sees("#clocks", "1/6")
	gm.sees("#clocks [name=_by][value='1']:focus", "") // for the next
	gm.tabs("#scene-said summary")
	gm.press(kb.Enter)
	gm.sees("#scene-said details[open]", "Fog, and a bell.")
	gm.tabs("#steps summary")
	gm.press(kb.Enter)
	gm.tabs("#steps-list a")
}
