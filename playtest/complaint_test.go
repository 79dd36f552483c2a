//go:build e2e

package playtest

import "testing"

// An error on a page disappears when its cause is changed.
func TestErrorDisappearsWhenItsCauseIsFixed(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	gm := sit(t, "gm", 1366, 768)
	table := s.sheets("spire", "en")
	gm.follows(table.gm)
	gm.follows(s.url("/t/" + table.id + "?_a=c1&_m=check"))
	gm.click(".hand:not(.ask) summary")
	gm.choose("#hand-dice", "11 12")
	gm.click("[data-by-hand]")
	gm.sees(".field-wrong .problem", "")
	gm.picture("faces")
	gm.choose("#hand-dice", "1")
	gm.gone(".field-wrong, #composer .problem")
	gm.choose("#hand-dice", "")
	gm.click("[data-by-hand]")
	gm.choose(".question [name=faces]", "1 2 3 4")
	gm.click(".question .primary")
	gm.sees(".question .problem", "1 number from 1 to 10; you gave 4")
	gm.choose(".question [name=faces]", "1")
	gm.gone(".question .problem")

	gm.choose("#line", "/nonsense")
	gm.click(".line-send")
	gm.sees("#line-note .problem", "")
	gm.picture("line")
	gm.choose("#line", "Hello")
	gm.gone("#line-note .problem")
}

// On a phone the close button of a form covers none of its fields, however far it is scrolled.
func TestCloseButtonCoversNoFieldOnAPhone(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	for _, size := range [][2]int64{{360, 780}, {780, 360}} {
		p := phone(t, "anna", size[0], size[1])
		for _, game := range []string{"spire", "mage", "eclipse", "edda", "godbound"} {
			p.follows(s.url("/demo/" + game))
			p.styled()
			p.click(".compose-open")
			p.sees("#composer:target", "")
			found := p.ask(`(() => {
				const composer = document.querySelector('#composer'), close = document.querySelector('.compose-close a'), found = new Set()
				for (const a of document.getAnimations()) a.finish()
				for (composer.scrollTop = 0; ; composer.scrollTop += 20) {
					const one = close.getBoundingClientRect(), before = composer.scrollTop
					for (const e of composer.querySelectorAll('.fields :is(input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea, button, .chip, .segment)')) {
						const other = e.getBoundingClientRect(), x = Math.max(one.left, other.left) + 1, y = Math.max(one.top, other.top) + 1
						if (e.checkVisibility() && x < Math.min(one.right, other.right) && y < Math.min(one.bottom, other.bottom) && close.contains(document.elementFromPoint(x, y)) && !document.querySelector('.composer-who').contains(document.elementFromPoint(one.left - 2, y))) found.add(e.name || e.innerText)
					}
					composer.scrollTop += 20
					if (composer.scrollTop === before) return [...found].join(', ')
					composer.scrollTop -= 20
				}
			})()`)
			if found != "" {
				t.Errorf("%s at %v: the button covers %s", game, size, found)
			}
			p.run("document.querySelector('#composer').scrollTop = 60")
			p.picture(game)
		}
	}
}

// A player without a hero sees one large button: to choose one.
func TestPlayerWithoutAHeroSeesAButtonToChooseOne(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, c := range []struct {
		lang, want    string
		width, height int64
	}{{"en", "Choose a hero", 1366, 768}, {"ru", "Выбрать героя", 360, 780}, {"uk", "Обрати героя", 780, 360}} {
		table := s.sheets("spire", "en")
		made := s.must("POST", "/tables/"+table.id+"/seats", table.secret,
			map[string]any{"name": "Olena", "role": "player"})
		p := sit(t, "olena-"+c.lang, c.width, c.height)
		p.visit(s.url("/"))
		p.run("document.cookie = 'lang=" + c.lang + "; path=/'")
		p.follows(s.url("/t/" + table.id + "/" + made["secret"].(string)))
		p.styled()
		p.picture("no-hero")
		large := p.ask(`[...document.querySelectorAll('a, button')].filter((e) => {
			const box = e.getBoundingClientRect(), style = getComputedStyle(e)
			return e.checkVisibility({visibilityProperty: true}) && box.height > 40 && box.width > 90 && style.backgroundColor === getComputedStyle(document.querySelector('.no-hero')).backgroundColor
		}).map((e) => e.innerText.trim()).join('; ')`)
		if large != c.want {
			t.Errorf("%s: the large buttons are %q, want %q", c.lang, large, c.want)
		}
		if c.width > c.height && c.height > 480 {
			p.click(".no-hero")
		} else {
			p.click(".hero-first [href$='/hero']")
		}
		p.sees("#ready-head", "")
	}
}

// The button that answers a question covers no stepper that somebody uses.
func TestAnswerButtonCoversNoStepper(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	for _, size := range [][2]int64{{360, 780}, {780, 360}, {1366, 768}} {
		gm := sit(t, "gm", size[0], size[1])
		gm.follows(s.url("/demo/spire"))
		gm.styled()
		gm.sees(".question .stepper", "")
		found := gm.ask(`(() => {
			const found = []
			for (const input of document.querySelectorAll('.question .stepper input')) {
				input.scrollIntoView({block: 'nearest', behavior: 'instant'})
				const box = input.getBoundingClientRect()
				for (const y of [box.top + 2, box.bottom - 2]) {
					const top = document.elementFromPoint(box.x + box.width / 2, y)
					if (!input.contains(top)) found.push(input.name + ' is under ' + (top?.className || top?.tagName))
				}
			}
			return [...new Set(found)].join('; ')
		})()`)
		if found != "" {
			t.Errorf("%v: %s", size, found)
		}
		gm.picture("steppers")
	}
}
