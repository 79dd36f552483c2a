//go:build e2e

package playtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"norn/foreign/foreigntest"
	"norn/lang"
)

// foreignFile is a hero's file of another program, and what is seen of it.
type foreignFile struct {
	game, name, file, text string
	derived                string // a label of what was computed, "" for nothing
	width, height          int64
	keyboard               bool
}

var foreignFiles = []foreignFile{
	{
		game: "eclipse", name: "Октавиан Белозерский-Ладожский", file: "fvtt-Actor-oktavian.json",
		text: foreigntest.Actor(11, "character", "Октавиан Белозерский-Ладожский",
			foreigntest.EclipseSystem, foreigntest.EclipseItems, foreigntest.EclipseFlags),
		derived: "Уклонение", width: 1366, height: 768,
	},
	{
		game: "mage", name: "Венцеслава Звонарёва", file: "fvtt-Actor-ventseslava.json",
		text:    foreigntest.Mage(13, true, "Венцеслава Звонарёва"),
		derived: "Парадокс", width: 390, height: 844,
	},
	{
		game: "godbound", name: "Ору, хранитель соляных берегов", file: "godbound-oru.json",
		text: foreigntest.Actor(13, "pc", "Ору, хранитель соляных берегов",
			strings.Replace(foreigntest.GodboundSystem, `"str":{"score":16}`, `"str":{"score":40}`, 1),
			foreigntest.GodboundItems, ""),
		derived: "КБ", width: 390, height: 844,
	},
	{
		game: "spire", name: "Перо из Нижнего Сада", file: "keeper.csv",
		text:  foreigntest.KeeperCSV(foreigntest.KeeperCells("Перо из Нижнего Сада")),
		width: 1366, height: 768, keyboard: true,
	},
}

// A player gives the file of a hero from another program, sees what it becomes, takes it with one
// press, and the game master can undo that.
func TestHeroFromElsewhereIsLookedAtTakenAndUndone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, f := range foreignFiles {
		t.Run(f.game, func(t *testing.T) {
			made := s.must("POST", "/tables", "", body{"game": f.game, "name": "Соляной берег", "lang": lang.Ru})
			table, master := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
			invited := s.must("POST", "/tables/"+table+"/seats", master, body{"name": "Анна", "role": "player"})
			anna := sit(t, "anna", f.width, f.height)
			if f.width < 500 {
				anna.do("use a touch screen",
					chromedp.EmulateViewport(f.width, f.height, chromedp.EmulateMobile, chromedp.EmulateTouch))
			}
			anna.arrives(s.url("/"))
			anna.run("document.cookie = 'lang=ru; path=/'")
			anna.visit(s.url("/t/" + table + "/" + invited["secret"].(string)))
			anna.visit(s.url("/t/" + table + "/hero"))
			file := filepath.Join(t.TempDir(), f.file)
			if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
				t.Fatal(err)
			}
			anna.uploads("#hero-file", file)
			anna.click("#from-file button.primary")
			anna.sees("#look h2", "")
			if name := anna.ask("document.querySelector('#look-name').value"); name != f.name {
				t.Errorf("the hero is called %q", name)
			}
			anna.styled()
			anna.looksAtAll()
			if f.derived != "" {
				anna.sees("#look-derived", f.derived)
			}
			if n := len(s.must("GET", "/tables/"+table, master, nil)["characters"].([]any)); n != 0 {
				t.Errorf("%d heroes are there before one is taken", n)
			}
			if f.keyboard {
				anna.run("document.querySelector('#look-name').focus()")
				anna.tabs("#look .actions button.primary")
				anna.do("press Enter", chromedp.KeyEvent(kb.Enter))
			} else {
				anna.click("#look .actions button.primary")
			}
			anna.sees("#sheet [aria-label$='"+f.name+"']", "")
			anna.picture("taken")
			if f.width < 500 {
				anna.click(".tabs [data-to-tab=log]")
			}
			anna.click("#log .take-back summary")
			anna.click("#log [data-form=undo] button")
			anna.gone("#sheet [aria-label$='" + f.name + "']")
		})
	}
}

// looksAtAll opens all parts of the page of a hero that was read, which fit its width.
func (s *seat) looksAtAll() {
	s.t.Helper()
	s.picture("look")
	s.run("for (const part of document.querySelectorAll('#look > form > details')) part.open = true")
	if wide := s.ask("document.documentElement.scrollWidth > innerWidth"); wide != "false" {
		s.t.Error("the page is wider than the window")
	}
	s.picture("look-all")
	s.run("scrollTo(0, 0)")
}

// A game master gives a hero from another program to a player, and prepares another that players don't
// see, in each engine. What a card names has its description a press away.
func TestGameMasterGivesAHeroFromElsewhereAndHidesAnother(t *testing.T) {
	t.Parallel()
	for engine, sits := range map[string]func(t *testing.T) *seat{
		"chromium": func(t *testing.T) *seat { return sit(t, "gm", 1366, 768) },
		"firefox":  func(t *testing.T) *seat { return startFirefox(t).sitAt(t, "gm", 1366, 768) },
		"webkit":   func(t *testing.T) *seat { return sitInWebKit(t, "gm", 1366, 768) },
	} {
		t.Run(engine, func(t *testing.T) {
			s := serve(t)
			made := s.must("POST", "/tables", "", body{"game": "godbound", "name": "Соляной берег", "lang": lang.Ru})
			table, master := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
			anna := s.must("POST", "/tables/"+table+"/seats", master, body{"name": "Анна", "role": "player"})
			gm := sits(t)
			gm.arrives(s.url("/"))
			gm.run("document.cookie = 'lang=ru; path=/'")
			gm.follows(s.url("/t/" + table + "/" + master))
			gm.takesFile(s.url("/t/"+table+"/hero"), "Ору", anna["id"].(string), "")
			gm.takesFile(s.url("/t/"+table+"/hero"), "Тень", "", "on")

			var open string
			for _, c := range s.must("GET", "/tables/"+table, anna["secret"].(string), nil)["characters"].([]any) {
				c := c.(map[string]any)
				if open = c["id"].(string); c["name"] != "Ору" || c["mine"] != true {
					t.Errorf("Anna sees %v, and it's hers: %v", c["name"], c["mine"])
				}
			}
			if n := len(s.must("GET", "/tables/"+table, master, nil)["characters"].([]any)); n != 2 {
				t.Errorf("the game master sees %d heroes", n)
			}
			s.must("POST", "/tables/"+table+"/moves", anna["secret"].(string),
				body{"move": "gift", "character": open, "args": body{"gift": "0"}})
			gm.visit(s.url("/t/" + table))
			gm.sees("#log .card .described", "")
			if text := gm.ask("document.querySelector('#log .card .described').textContent"); strings.Contains(text, "2d6") {
				t.Errorf("the card has the description before it's opened: %s", text)
			}
			gm.click("#log .card .described summary")
			gm.sees("#log .card .described", "Rolls 2d6.")
			gm.picture("text-" + engine)
		})
	}
}

// takesFile takes a hero of Godbound from a file for an owner, "" for nobody, hidden or not.
func (s *seat) takesFile(page, name, owner, hidden string) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "hero.json")
	text := foreigntest.Actor(13, "pc", name, foreigntest.GodboundSystem, foreigntest.GodboundItems, "")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.visit(page)
	s.sees("#hero-file", "")
	s.uploads("#hero-file", file)
	s.choose("#file-owner", owner)
	s.choose("#from-file [name=_hidden]", hidden)
	s.click("#from-file button.primary")
	s.sees("#look h2", "")
	if got := s.ask("document.querySelector('#look-name').value"); got != name {
		s.t.Errorf("the hero is called %q", got)
	}
	if got := s.ask("document.querySelector('#look-owner').value"); got != owner {
		s.t.Errorf("the owner was %q, and is %q now", owner, got)
	}
	if got := s.ask("document.querySelector('#look [name=_hidden]').checked"); got != strconv.FormatBool(hidden != "") {
		s.t.Errorf("hidden was %q, and is %s now", hidden, got)
	}
	s.click("#look .actions button.primary")
	s.sees("#sheet [aria-label$='"+name+"']", "")
}
