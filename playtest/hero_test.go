//go:build e2e

package playtest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"norn/games"
	"norn/lang"
)

// maxPresses limits the steps to a hero of one's own, from the invitation's page on: fields filled
// in, and presses after the one that takes the seat.
const maxPresses = 8

// Somebody arrives by an invitation, on a phone, and has a hero after a few presses. Nothing half
// filled is lost.
func TestInvitedPlayerGetsAHeroInAFewPresses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for i, g := range games.All() {
		tongue := lang.All[i%len(lang.All)]
		answer := s.must("POST", "/tables", "", body{"game": g.ID, "name": "Heroes", "lang": tongue})
		table, secret := answer["id"].(string), answer["seat"].(map[string]any)["secret"].(string)
		invited := s.must("POST", "/tables/"+table+"/seats", secret, body{"name": "Anna", "role": "player"})
		anna := sit(t, g.ID, 360, 780)
		anna.do("use a touch screen", chromedp.EmulateViewport(360, 780, chromedp.EmulateMobile, chromedp.EmulateTouch))
		anna.arrives(s.url("/"))
		anna.run("document.cookie = 'lang=" + string(tongue) + "; path=/'")
		anna.arrives(s.url("/t/" + table + "/" + invited["secret"].(string)))
		anna.click("[data-form=arrive] button[name=_to]")
		anna.sees("[data-form=hero]", "")
		anna.picture("heroes")
		if wide := anna.ask("document.documentElement.scrollWidth > 360"); wide != "false" {
			t.Errorf("%s: the page of heroes is wider than the screen", g.ID)
		}
		if g.ID != "spire" {
			anna.click("[data-form=ready] button")
			anna.sees("#sheet .sheet a.use", "")
			anna.picture("taken")
			continue
		}

		presses := 0
		click := func(selector string) { presses++; anna.click(selector) }
		fill := func(selector, text string) { presses++; anna.choose(selector, text) }
		fill("#hero-name", "Mirra")
		fill("#hero-class", "Locksmith")
		click("label:has(> [name='_pick.skills'][value=sneak])")
		click("label:has(> [name='_pick.skills'][value=steal])")
		click("label:has(> [name='_pick.skills'][value=fix])")
		click("label:has(> [name='_pick.domains'][value=crime])")
		anna.until("hear what is still open", func() bool {
			return anna.ask("!document.querySelector('#open').textContent.includes('SP-01')") == "true"
		},
			func() string { return anna.text("#open") })
		anna.picture("half")
		anna.do("load the page again", chromedp.Reload())
		anna.until("have all of it again", func() bool {
			return anna.ask("document.querySelector('#hero-name')?.value + document.querySelectorAll('[data-form=hero] :checked').length") == "Mirra4"
		}, func() string { return anna.ask("JSON.stringify(localStorage)") + anna.text("[data-form=hero]") })
		fill("#hero-refresh", "Open what was shut")
		click("[data-form=hero] .actions button.primary")
		anna.sees("#sheet .sheet h2", "Mirra")
		if presses > maxPresses {
			t.Errorf("a hero of one's own takes %d presses", presses)
		}
		anna.picture("own")
		anna.click("#sheet .traits a.use")
		anna.until("play what stands there", func() bool {
			return anna.ask("document.querySelector('#composer-form [name=skill]')?.value") == "fix"
		}, func() string {
			return anna.text("#composer")
		})
		if seen := anna.ask("document.querySelector('#throw').checkVisibility() + getComputedStyle(document.getElementById('composer')).visibility"); seen != "truevisible" {
			t.Errorf("the composer that was filled isn't seen: %s", seen)
		}
	}
}
