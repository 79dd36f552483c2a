//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"norn/lang"
)

// A player on a phone agrees to a recovery code at arrival, loses the phone, and has the seat back
// on another one without the game master. An own laptop gets the seat by the link in its menu.
func TestPlayerWhoLostAPhoneRecoversTheSeat(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, tongue := range lang.All {
		made := s.must("POST", "/tables", "", body{"game": "mage", "name": "Четверги на Александровской улице", "lang": tongue})
		table, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
		invited := s.must("POST", "/tables/"+table+"/seats", secret,
			body{"name": "Вероника Александровна", "role": "player"})
		link := s.url("/t/" + table + "/" + invited["secret"].(string))
		device := func(name string, width, height int64) *seat {
			p := sit(t, name+"-"+string(tongue), width, height)
			if width < 500 {
				p.do("use a touch screen", chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
			}
			p.arrives(s.url("/"))
			p.run("document.cookie = 'lang=" + string(tongue) + "; path=/'")
			return p
		}
		fits := func(p *seat, what string) {
			t.Helper()
			p.picture(what)
			if p.ask("document.documentElement.scrollWidth > innerWidth") != "false" {
				t.Errorf("%s: the page %s is wider than the screen", tongue, what)
			}
		}

		phone := device("phone", 360, 780)
		phone.arrives(link)
		phone.click("[data-form=arrive] [name=_recovery]")
		fits(phone, "arrival")
		phone.click("[data-form=arrive] button[name=_to]")
		phone.sees("[data-form=make-code]", "")
		if phone.ask("document.querySelector('#recovery-code') === null && history.length < 4") != "true" {
			t.Errorf("%s: a code without a press, or a link in the history", tongue)
		}
		fits(phone, "offer")
		phone.click("[data-form=make-code] button")
		phone.sees(".screen-parts .button.primary", "")
		code := phone.ask("document.querySelector('#recovery-code').value")
		at := phone.text(".screen-parts p .hash")
		fits(phone, "code")
		phone.click(".screen-parts .button.primary")
		phone.sees("[data-form=hero]", "")

		laptop := device("laptop", 1366, 768)
		phone.visit(s.url("/t/" + table))
		phone.click("#seat-menu > summary")
		phone.click("[data-form=own-link] button")
		phone.sees("#seat-link input", "")
		laptop.visit(phone.ask("document.querySelector('#own-link').value"))
		laptop.sees("#seat-name", "Вероника")

		found := device("another", 360, 780)
		found.arrives(s.url("/t/" + table))
		fits(found, "nothing")
		found.click("a[href$='/recover']")
		found.choose("#recovery", "AAAAA-BBBBB-CCCCC-DDDDD")
		found.click("[data-form=recover] button")
		found.sees("[data-form=recover] .problem", "")
		fits(found, "wrong")
		found.arrives(at)
		found.choose("#recovery", code)
		found.click("[data-form=recover] button")
		found.sees("[data-form=make-code]", "")
		fits(found, "back")
		found.click(".screen-parts .button.quiet")
		found.sees("#seat-name", "Вероника")
		phone.visit(s.url("/t/" + table))
		phone.sees("a[href$='/recover']", "")

		gm := device("gm", 1366, 768)
		gm.follows(s.url("/t/" + table + "/" + secret))
		gm.sees("#log", "Вероника")
		fits(gm, "log")
	}
}
