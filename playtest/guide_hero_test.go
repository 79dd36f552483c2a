//go:build e2e

package playtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"norn/game"
	"norn/games"
	"norn/lang"
)

// A player makes a hero of each game step by step, on a phone and on a laptop: one step is shown at
// a time, back and forth and a reload lose nothing, and it can be finished at any step. A game of
// the table's own has the same steps.
func TestHeroOfEveryGameIsMadeStepByStep(t *testing.T) {
	t.Parallel()
	s := serve(t, "--games", "../examples")
	own := games.All()
	for i, g := range own {
		tongue := lang.All[i%len(lang.All)]
		t.Run(g.ID, func(t *testing.T) { guided(t, s, g.ID, tongue, stepsOf(g)) })
	}
	t.Run("an own game", func(t *testing.T) { guided(t, s, "mayak", lang.Ru, nil) })
}

// stepsOf returns the fields of the steps to a player's usual hero.
func stepsOf(g *game.Game) (fields []string) {
	for _, k := range g.Kinds {
		if k.Player && !k.Thing {
			for _, asked := range g.AskedOf(k) {
				if !slices.Contains(k.Reserved, asked.Field) {
					fields = append(fields, asked.Field)
				}
			}
			return fields
		}
	}
	return nil
}

func guided(t *testing.T, s *server, id string, tongue lang.Lang, steps []string) {
	made := s.must("POST", "/tables", "", body{"game": id, "name": "Heroes", "lang": tongue})
	table, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	invited := s.must("POST", "/tables/"+table+"/seats", secret, body{"name": "Anna", "role": "player"})
	for _, screen := range []struct {
		name          string
		width, height int64
	}{{"phone", 360, 780}, {"laptop", 1366, 768}} {
		p := sit(t, id+"-"+screen.name, screen.width, screen.height)
		if screen.width < 500 {
			p.do("use a touch screen", chromedp.EmulateViewport(screen.width, screen.height, chromedp.EmulateMobile, chromedp.EmulateTouch))
		}
		p.arrives(s.url("/"))
		p.run("document.cookie = 'lang=" + string(tongue) + "; path=/'")
		p.visit(s.url("/t/" + table + "/" + invited["secret"].(string)))
		p.visit(s.url("/t/" + table + "/hero"))
		p.click("#to-guide")
		name := "Вероника Александровна Заречная " + screen.name
		p.choose("#hero-name", name)
		shown := func() string {
			return p.ask("[...document.querySelectorAll('.guide-step')].filter((step) => step.checkVisibility()).map((step) => step.id).join()")
		}
		count := 0
		for p.ask("document.querySelector('.guide-step:target .guide-links a:last-child')?.hash !== document.querySelector('.guide-step:target .guide-links a:first-child')?.hash || location.hash === '#step-name'") == "true" {
			at := p.ask("location.hash.slice(1)")
			p.until("see only the step "+at, func() bool { return shown() == at }, shown)
			if p.ask("document.documentElement.scrollWidth > innerWidth") != "false" {
				t.Errorf("%s: %s is wider than the screen", id, at)
			}
			p.picture(fmt.Sprintf("%d", count))
			p.click(".guide-step:target .guide-links a:last-child")
			count++
			if count > 20 || p.ask("location.hash") == "#"+at {
				break
			}
			if p.ask("document.querySelectorAll('.guide-step:target .guide-links a').length") == "1" {
				break
			}
		}
		p.picture("last")
		if steps != nil && count != len(steps) {
			t.Errorf("%s: %d steps, want %d", id, count, len(steps))
		}
		p.do("load the page again", chromedp.Reload())
		p.until("have the name again", func() bool {
			return p.ask("document.querySelector('#hero-name')?.value") == name
		}, func() string { return p.text("[data-form=hero]") })
		p.click(".guide-step:target .guide-links a:first-child")
		p.click("[data-form=hero] .actions button.primary")
		p.sees("#sheet .sheet h2", "")
		if got := p.ask("document.querySelector('#sheet .sheet h2').textContent.includes('" + name + "')"); got != "true" {
			t.Errorf("%s: the sheet isn't that of %s", id, name)
		}
		p.picture("sheet")
	}
}
