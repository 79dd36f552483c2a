//go:build e2e

package playtest

import (
	"strconv"
	"testing"
)

// Each tab of the game master's drawer fits a laptop's height with 20 characters, in every
// language. Other people's actions don't switch the tab, and the session can be ended from the
// table by two presses.
func TestDrawerTabsFitALaptopAndStayOpen(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, lang := range []string{"en", "ru", "uk"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			table := s.long("spire", lang, 4)
			path := "/tables/" + table.id
			for i := range 20 {
				s.must("POST", path+"/characters", table.gm,
					body{
						"name": spokenNames[lang].hero + " " + strconv.Itoa(i+2), "kind": "character",
						"sheet": body{},
					})
			}
			s.must("POST", path+"/notes", table.gm, body{"text": spokenNames[lang].said})
			gm := sit(t, "gm", 1366, 768)
			gm.visit(s.url("/"))
			gm.run("document.cookie = 'lang=" + lang + "; path=/'")
			gm.follows(s.url("/t/" + table.id + "/" + table.gm))
			gm.styled()
			for _, tab := range []string{"characters", "notes", "session", "settings", "players"} {
				gm.opensTab(tab)
				gm.sees(".drawer-nav [aria-current][href='#tab-"+tab+"']", "")
				if shown := gm.ask("[...document.querySelectorAll('.drawer-tab')].filter((tab) => tab.checkVisibility()).map((tab) => tab.id)"); shown != "tab-"+tab {
					t.Errorf("of the tabs there are %s", shown)
				}
				if over := gm.ask("document.querySelector('#drawer').scrollHeight - innerHeight"); over != "0" {
					t.Errorf("%s goes on %s px below the window", tab, over)
				}
				gm.picture(tab)
			}
			gm.opensTab("characters")
			s.must("POST", path+"/characters", table.gm, body{"name": "Another", "kind": "character", "sheet": body{}})
			gm.sees("#gm-stock", "Another")
			gm.sees("#tab-characters:target", "")
			gm.click("#drawer .drawer-close")

			gm.click("[data-drawer]") // these are the two presses
			gm.click("#drawer-end button")
			gm.sees("#seal [data-session='2']", "")
			gm.sees("#drawer-end a", "") // the new session has no rolls: one press doesn't end it
		})
	}
}
