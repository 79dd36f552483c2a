//go:build e2e

package playtest

import (
	"context"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Dice roll for half a second at most next to a result that is there at once. A key stops them; the
// menu and the device turn them off. Sound is off by default.
func TestDiceAnimationIsShortAndCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	open := func() {
		gm.follows(s.url("/t/" + id + "?_c=c1&_m=stress"))
		// Animations are recorded as they begin: the number of dice, the longest time, and the text
		// at that moment.
		gm.run(`window.fallen = 0; window.longest = 0; window.heard = 0
			const animate = Element.prototype.animate
			Element.prototype.animate = function (frames, options) {
				if (this.matches('.die')) {
					window.fallen++
					window.longest = Math.max(window.longest, options.duration + options.delay)
					window.face = this.querySelector('.die-face').textContent
				}
				return animate.call(this, frames, options)
			}
			const start = OscillatorNode.prototype.start
			OscillatorNode.prototype.start = function (...at) { window.heard++; return start.apply(this, at) }`)
	}
	throws := 0
	throw := func() {
		gm.choose("[data-form=move] [name=die][value=d6]", "d6")
		gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
		gm.run("document.querySelector('.hand').open = true")
		gm.choose("#hand-dice", "4 9") // no fallout, so it ends at once
		gm.click("[data-by-hand]")
		throws++
		gm.until("see the throw", func() bool {
			return gm.ask("document.querySelectorAll('#log .card').length") == strconv.Itoa(throws)
		}, func() string { return gm.text("#log") })
	}
	moved := func(want bool, when string) {
		t.Helper()
		if got := gm.ask("window.fallen > 0"); got != strconv.FormatBool(want) {
			t.Errorf("%s: dice move is %s", when, got)
		}
	}

	rollsInSight(t, gm, open, throw, moved)
	rollsByChoice(gm, open, throw, moved)
	rollsForWhoWantsLessMotion(gm, open, throw, moved)
}

// rollsInSight rolls dice briefly and silently, until a key is pressed.
func rollsInSight(t *testing.T, gm *seat, open, throw func(), moved func(bool, string)) {
	open()
	throw()
	moved(true, "at first")
	if face := gm.ask("window.face"); face != "4" && face != "9" {
		t.Errorf("a die shows %q as it begins to roll", face)
	}
	if took := gm.ask("window.longest <= 500"); took != "true" {
		t.Errorf("dice roll for %s ms", gm.ask("window.longest"))
	}
	if heard := gm.ask("window.heard"); heard != "0" {
		t.Errorf("%s dice were heard that nobody wanted to hear", heard)
	}
	gm.run(`const rolling = () => document.getAnimations().filter(a => a.effect.target.matches('.die') && a.playState !== 'finished').length
		const die = document.querySelector('#log .die')
		die.parentNode.prepend(die)
		queueMicrotask(() => { // after the page has seen it come
			window.rolling = rolling()
			document.dispatchEvent(new KeyboardEvent('keydown', {key: 'x', bubbles: true}))
			window.resting = rolling()
		})`)
	if before, after := gm.ask("window.rolling"), gm.ask("window.resting"); before == "0" || after != "0" {
		t.Errorf("%s dice roll, after a key %s", before, after)
	}
}

// rollsByChoice checks that the settings for motion and sound are remembered.
func rollsByChoice(gm *seat, open, throw func(), moved func(bool, string)) {
	gm.click("details.menu:has(#feel) > summary")
	gm.click("[data-feel=motion]")
	gm.click("[data-feel=sound]")
	gm.picture("menu")
	open() // both settings are remembered
	throw()
	moved(false, "switched off")
	gm.until("hear the dice", func() bool {
		return gm.ask("window.heard") == "2"
	}, func() string {
		return gm.ask("window.heard")
	})
}

// rollsForWhoWantsLessMotion moves nothing if the device prefers reduced motion.
func rollsForWhoWantsLessMotion(gm *seat, open, throw func(), moved func(bool, string)) {
	gm.run("localStorage.clear()")
	gm.do("ask for less motion", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		less := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: less})
		return err
	}))
	open()
	throw()
	moved(false, "reduced motion")
}

// A new roll is shown large, with its outcome after its dice, and closes by itself or at a key. The
// first one asks whether dice should make sounds, and no other does.
func TestNewRollIsShownLargeAndClosesByItself(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	phone := sit(t, "phone", 360, 740)
	phone.do("touch", chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch))
	phone.visit(s.url("/t/" + id + "/" + secret))

	stageTriumph(t, s, phone, id)
	typeFaces(t, s, phone, id)
	throwWithoutMotion(t, s, phone, id)
	hearQuestion(t, phone)
}

// watchStage opens the move and records the large display, for it doesn't stay.
func watchStage(s *server, phone *seat, id string) {
	phone.follows(s.url("/t/" + id + "?_c=c1&_m=check"))
	phone.run(`window.staged = []
			new MutationObserver((changes) => {
				for (const stage of changes.flatMap((change) => [...change.addedNodes])) if (stage.matches?.('.stage')) staged.push([location.hash,
					[...stage.querySelectorAll('.die')].map((die) => die.textContent.trim()).join(' '), stage.querySelector('.outcome')?.textContent.trim(), stage.className].join('|'))
			}).observe(document.body, {childList: true})`)
}

// throwByKeypad throws by the keypad of faces, without typing.
func throwByKeypad(phone *seat, faces ...string) {
	phone.click(".compose-open")
	if phone.ask("document.querySelector('.hand').open") != "true" {
		phone.click(".hand summary")
	}
	for _, face := range faces {
		phone.sees(".pad", face)
		phone.run("[...document.querySelectorAll('.pad button')].find((key) => key.textContent === '" + face +
			"').click()")
	}
	phone.run("document.querySelector('[data-by-hand]').click()")
}

// seeStaged waits for what the large display has shown.
func seeStaged(t *testing.T, phone *seat, want string) {
	t.Helper()
	phone.until("see "+want, func() bool {
		return phone.ask("staged.join('; ')") == want
	}, func() string {
		return phone.ask("staged.join('; ')")
	})
}

// stageTriumph throws a critical success, which is displayed large, with sound if wanted.
func stageTriumph(t *testing.T, s *server, phone *seat, id string) {
	watchStage(s, phone, id)
	throwByKeypad(phone, "10")
	seeStaged(t, phone, "#_|10|Critical success, 1 ten|stage stage-triumph")
	phone.until("be left alone", func() bool {
		return phone.ask("document.querySelector('.stage') === null") == "true"
	}, func() string {
		return "a throw that stays"
	})
	phone.sees("#log .card:last-child > .hear", "Turn on the sound of dice") // in the card, so it covers no other line
	phone.click(".hear")
	phone.gone(".hear")
	if on := phone.ask("localStorage['norn.sound']"); on != "true" {
		t.Errorf("sound is %s after it was wanted", on)
	}
}

// typeFaces types faces without spaces and with one that no die has.
func typeFaces(t *testing.T, s *server, phone *seat, id string) {
	watchStage(s, phone, id)
	phone.click(".compose-open")
	if phone.ask("document.querySelector('.hand').open") != "true" {
		phone.click(".hand summary")
	}
	phone.sees(".pad", "10")
	phone.click("#hand-dice")
	phone.do("type 89", chromedp.KeyEvent("89")) // a phone's keypad has no space
	sent := "document.querySelector('#hand-dice').value + ' is sent as ' + new FormData(document.querySelector('#composer-form')).get('_dice')"
	phone.until("send two faces", func() bool {
		return phone.ask(sent) == "89 is sent as 8 9"
	}, func() string {
		return phone.ask(sent)
	})
	phone.run("document.querySelector('#hand-dice').value = ''")
	phone.do("type faces of which no die has one", chromedp.KeyEvent("2 3 11"))
	phone.until("keep what is typed", func() bool {
		return phone.ask(sent) == "2 3 11 is sent as 2 3 11"
	}, func() string {
		return phone.ask(sent)
	})
	if keys := phone.ask("[...document.querySelectorAll('.pad button')].map((key) => key.textContent).join(' ')"); keys != "1 2 3 4 5 6 7 8 9 10 ⌫" {
		t.Errorf("the keypad of d10 offers %s", keys)
	}
}

// throwWithoutMotion throws with motion turned off, so nothing is displayed large.
func throwWithoutMotion(t *testing.T, s *server, phone *seat, id string) {
	phone.run("document.querySelector('#hand-dice').value = ''")
	phone.run("localStorage['norn.motion'] = 'false'")
	watchStage(s, phone, id)
	throwByKeypad(phone, "8")
	phone.until("see both throws", func() bool {
		return phone.ask("document.querySelectorAll('#log .card[data-throws]').length") == "2"
	}, func() string {
		return phone.text("#log")
	})
	seeStaged(t, phone, "")
}

// hearQuestion throws a question for the reader, which makes a sound too: two notes.
func hearQuestion(t *testing.T, phone *seat) {
	phone.run(`window.notes = 0
		const start = OscillatorNode.prototype.start
		OscillatorNode.prototype.start = function (...at) { if (this.type === 'sine') notes++; return start.apply(this, at) }`)
	throwByKeypad(phone, "1") // the question is which stress it is
	phone.sees(".question[data-mine]", "")
	phone.until("hear it", func() bool {
		return phone.ask("notes") == "2"
	}, func() string {
		return phone.ask("notes")
	})
	if phone.ask("document.querySelector('.hear') === null") != "true" {
		t.Error("sound is offered again")
	}
}
