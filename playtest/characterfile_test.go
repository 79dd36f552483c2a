//go:build e2e

package playtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// A player takes a hero from the file of another norn, on a phone: what only game masters set is listed, and the rest
// comes by one more press. The sheet saves it again.
func TestAHeroComesFromTheFileOfAnotherNorn(t *testing.T) {
	t.Parallel()
	there, here := serve(t), serve(t)
	from := there.must("POST", "/tables", "", body{"game": "mage", "name": "Old", "lang": "en"})
	master := from["seat"].(map[string]any)["secret"].(string)
	path := "/tables/" + from["id"].(string)
	made := there.must("POST", path+"/characters", master,
		body{
			"name": "Вероника Александровна Заречная", "kind": "character",
			"sheet": body{"arete": 3, "attributes": body{"wits": 4}},
		})
	file := there.must("GET", path+"/characters/"+made["id"].(string)+"/file", master, nil)
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "hero.json")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}

	to := here.must("POST", "/tables", "", body{"game": "mage", "name": "New", "lang": "ru"})
	table, secret := to["id"].(string), to["seat"].(map[string]any)["secret"].(string)
	invited := here.must("POST", "/tables/"+table+"/seats", secret, body{"name": "Anna", "role": "player"})
	anna := sit(t, "anna", 360, 780)
	anna.do("use a touch screen", chromedp.EmulateViewport(360, 780, chromedp.EmulateMobile, chromedp.EmulateTouch))
	anna.arrives(here.url("/"))
	anna.run("document.cookie = 'lang=ru; path=/'")
	anna.visit(here.url("/t/" + table + "/" + invited["secret"].(string)))
	anna.visit(here.url("/t/" + table + "/hero"))
	anna.uploads("#hero-file", name)
	anna.run("document.getElementById('from-file').scrollIntoView()")
	anna.picture("file")
	anna.click("#from-file button.primary")
	anna.sees("#from-file li", "Арете")
	anna.picture("misfits")
	if wide := anna.ask("document.documentElement.scrollWidth > 360"); wide != "false" {
		t.Error("the page is wider than the screen")
	}
	anna.click("#from-file [name=_fitting]")
	anna.sees("#sheet .sheet h2", "Вероника")
	anna.picture("sheet")
	if got := anna.ask("document.querySelector('.sheet-tools a[download]').href"); got == "" {
		t.Error("the sheet isn't saved")
	}
	gm := sit(t, "gm", 1366, 768)
	gm.follows(here.url("/t/" + table + "/" + secret))
	gm.sees("#log", "Вероника")
	gm.picture("sheet")
	gm.visit(here.url("/t/" + table + "/hero"))
	gm.run("document.getElementById('from-file').scrollIntoView()")
	gm.picture("file")
}
