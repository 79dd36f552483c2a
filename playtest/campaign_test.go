//go:build e2e

package playtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"norn/form"
	"norn/games"
	"norn/internal/widget"
	"norn/lang"
	"norn/table"
	"norn/web"
)

// ownThings holds the things that a campaign of one game carries with it.
type ownThings struct {
	game, hero string // the game, and the kind of players' heroes
	list       string // the list of a hero's sheet that takes the rows
	column     string // its field for the second column
	value      string // of that field in each row
	wrong      string // a value of it that isn't one
	text       string // the field for a longer text; "" if there's none
	sheet      body   // of the hero that comes from another norn
	fight      []fightMove
}

// fightMove is a move that starts a fight. Its character and those among its arguments are named:
// "hero" and "foe" are ids.
type fightMove struct {
	kind string // of a thing that makes the move; "" for the hero
	move string
	args func(hero, foe string) body
}

// alone returns the arguments of a move that names nobody.
func alone(args body) func(hero, foe string) body { return func(string, string) body { return args } }

var campaigns = []ownThings{
	{
		"spire", "character", "gear", "armour", "1", "steel", "detail",
		body{"class": "Azurite", "refresh": "Sell what isn't theirs"},
		[]fightMove{{"", "check", alone(body{"risk": "d3", "resistance": "blood"})}},
	},
	{
		"eclipse", "character", "skills", "value", "40", "140", "",
		body{"morph": "Splicer", "aptitudes": body{"som": 20}},
		[]fightMove{{"", "initiative", alone(body{})}},
	},
	{
		"mage", "character", "knowledges", "dots", "2", "many", "",
		body{"attributes": body{"wits": 4}},
		[]fightMove{{"", "roll", alone(body{"alone": "willpower", "difficulty": 6})}},
	},
	{
		"edda", "hero", "gear", "dice", "1", "a lot", "detail",
		body{"experience": 2},
		[]fightMove{{"", "act", alone(body{"deed": "", "effort": "never", "bonus": 3})}},
	},
	{
		"godbound", "hero", "gifts", "cost", "day", "forever", "detail",
		body{"words": []body{{"name": "Night"}}},
		[]fightMove{{"fight", "begin", func(hero, foe string) body {
			return body{"heroes": []string{hero}, "foes": []string{foe}}
		}}},
	},
	{
		"underhill", "delver", "finds", "", "in a chest", "", "",
		body{"climb": 12},
		[]fightMove{{"", "come_first", alone(body{})}},
	},
}

// campaign is the scene of one game: its servers and its people, each with a language.
type campaign struct {
	*testing.T
	ownThings
	here, there *server
	words       *lang.Words
	id, secret  string // of the table and its game master
	gm          *tablemate
	anna        *tablemate // makes a hero step by step
	bohdan      *tablemate // takes a ready one
	vera        *tablemate // brings one from another norn
	players     []*tablemate
	list        string // its id
	picked      string // what Anna takes from the list
}

// tablemate holds the browser, language and seat of somebody at the table.
type tablemate struct {
	*seat
	lang.Speaker
	tongue lang.Lang
	id     string // of the seat
	secret string
	hero   string // id of the character
}

// Texts that only the game master may know.
const (
	hiddenList  = "Zorn's traitors"
	hiddenRow   = "Quisling Okonedo"
	hiddenClock = "Betrayal at dawn"
	hiddenScene = "The vault below Zorn"
)

// In each game, and a game of the table's own, a campaign brings its things: a list of 1,000 rows
// with texts from a spreadsheet, heroes of three kinds of origin, a scene with a picture and a clock that ticks in a
// fight. All of it is seen in three languages, is undone, travels to another norn, and what is
// hidden stays with the game master.
func TestCampaignMaterialIsSeenUndoneAndExported(t *testing.T) {
	t.Parallel()
	here, there := serve(t, "--games", "../examples"), serve(t, "--games", "../examples")
	for i, things := range campaigns {
		t.Run(things.game, func(t *testing.T) {
			c := opensCampaign(t, here, there, things, i)
			c.bringsAList()
			c.hidesThings()
			c.makesAHeroStepByStep()
			c.takesAReadyHero()
			c.bringsAHeroFromElsewhere()
			c.picksFromTheList()
			c.givesTheListAway()
			c.setsAScene()
			c.ticksAClockInAFight()
			c.undoesAll()
			c.hidesWhatIsHidden()
			c.travels()
		})
	}
}

// opensCampaign opens a table with three players, whose languages differ from game to game.
func opensCampaign(t *testing.T, here, there *server, things ownThings, i int) *campaign {
	c := &campaign{T: t, ownThings: things, here: here, there: there}
	sources := []fs.FS{form.Words, widget.Words, table.Words, web.Words}
	for _, g := range games.All() {
		if g.ID == things.game {
			sources = append(sources, g.Words)
		}
	}
	var err error
	if c.words, err = lang.Load(sources...); err != nil {
		t.Fatal(err)
	}
	tongue := func(n int) lang.Lang { return lang.All[(i+n)%len(lang.All)] }
	made := here.must("POST", "/tables", "", body{"game": things.game, "name": "Night shift", "lang": tongue(0)})
	c.id, c.secret = made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	c.gm = c.seats("gm", c.secret, tongue(0))
	for n, name := range []string{"anna", "bohdan", "vera"} {
		invited := here.must("POST", c.at("/seats"), c.secret, body{"name": name, "role": "player", "key": name})
		p := c.seats(name, invited["secret"].(string), tongue(n+1))
		p.id = invited["id"].(string)
		c.players = append(c.players, p)
	}
	c.anna, c.bohdan, c.vera = c.players[0], c.players[1], c.players[2]
	return c
}

// at returns an address of the table in the API.
func (c *campaign) at(path string) string { return "/tables/" + c.id + path }

// page returns an address of the table's page.
func (c *campaign) page(path string) string { return c.here.url("/t/" + c.id + path) }

// seats seats somebody: the game master at a laptop, players at phones.
func (c *campaign) seats(name, secret string, tongue lang.Lang) *tablemate {
	c.Helper()
	p := &tablemate{Speaker: c.words.In(tongue), tongue: tongue, secret: secret}
	if name == "gm" {
		p.seat = sit(c.T, name, 1366, 768)
	} else {
		p.seat = phone(c.T, name, 360, 780)
	}
	p.arrives(c.here.url("/"))
	p.run("document.cookie = 'lang=" + string(tongue) + "; path=/'")
	p.follows(c.page("/" + secret))
	return p
}

// fits fails if the page is wider than the screen.
func (c *campaign) fits(p *tablemate, what string) {
	c.Helper()
	p.until("have all of "+what, func() bool { return p.ask("document.readyState") == "complete" }, func() string { return "" })
	if wide := p.ask("document.documentElement.scrollWidth > innerWidth"); wide != "false" {
		c.Errorf("%s is wider than %s's screen", what, p.name)
	}
	if spoken := p.ask("document.documentElement.lang"); spoken != string(p.tongue) {
		c.Errorf("%s is in %s, want %s", what, spoken, p.tongue)
	}
	p.picture(what)
}

// bookRows is the number of rows of the campaign's list, with about a thousand characters each.
const bookRows = 1000

// book returns the list's rows as a spreadsheet copies them.
func (c *campaign) book() string {
	var text strings.Builder
	text.WriteString("№\tName\tExtra\tText\r\n")
	for i := range bookRows {
		name := fmt.Sprintf("Предмет №%d", i+1)
		if i == bookRows-1 {
			name = c.picked
		}
		fmt.Fprintf(&text, "%d\t%s\t%s\t%s\r\n", i+1, name, c.value, strings.Repeat(fmt.Sprintf("О нём поют в %d городах. ", i), 40))
	}
	return text.String()
}

// bringsAList pastes the rows of a book. One more doesn't fit, which is said by its number; the others
// are named and shared.
func (c *campaign) bringsAList() {
	gm := c.gm
	gm.opensTab("notes")
	gm.click("#drawer a[href$='/lists']")
	gm.sees("#list-new", "")
	c.fits(gm, "1-lists")
	c.picked = "Шаг сквозь пламя, о котором поют в северных городах"
	text := c.book()
	if c.wrong != "" {
		text += fmt.Sprintf("%d\tНе тот\t%s\r\n", bookRows+1, c.wrong)
	}
	gm.choose("#list-target", c.hero+" "+c.ownThings.list)
	gm.run(fmt.Sprintf("document.getElementById('list-text').value = %q", text))
	gm.click("#list-new button[value=read]")
	gm.sees("#list-preview", "Предмет №1")
	for column, field := range []string{"", "name", c.column, c.text} {
		gm.choose(fmt.Sprintf("#list-column-%d", column), field)
	}
	gm.run("document.querySelector('main').dataset.before = 'yes'")
	gm.click("#list-new button[value=read]")
	gm.sees("main:not([data-before]) #list-fit", gm.Say("web.list.fit", "N", bookRows))
	if c.wrong != "" {
		gm.sees("#list-problems", gm.Say("web.list.wrong-row", "Row", bookRows+2, "Text", ""))
	}
	c.fits(gm, "2-preview")
	gm.run("document.getElementById('list-fit').scrollIntoView()")
	gm.picture("2-problems")
	gm.choose("#list-name-", "Северная книга")
	gm.click("#list-new [name=_whom][value=all]")
	gm.click("#list-new button[value=store]")
	gm.sees("#list-found", "Предмет №1")
	c.fits(gm, "3-list")
	c.list = gm.ask("location.pathname.split('/').pop()")
	gm.follows(c.page(""))
	c.hears("table.event.list-set", "Name", "Северная книга", "N", bookRows)
}

// hears waits until everybody reads a line in the log, each in their language.
func (c *campaign) hears(word string, data ...any) {
	c.Helper()
	for _, p := range append([]*tablemate{c.gm}, c.players...) {
		if p.tongue != "" && p.ask("document.querySelector('#log') !== null") == "true" {
			p.until("read "+word, func() bool {
				return strings.Contains(unbound(p.ask("document.querySelector('#log').textContent")), unbound(p.Say(word, data...)))
			}, func() string { return p.ask("document.querySelector('#log').textContent") })
		}
	}
}

// hidesThings has a list, a clock and a scene that are the game master's alone, and a foe for the
// fight.
func (c *campaign) hidesThings() {
	c.here.must("POST", c.at("/lists"), c.secret, body{"name": hiddenList, "hidden": true, "rows": "Name\n" + hiddenRow})
	c.here.must("POST", c.at("/clocks"), c.secret, body{"name": hiddenClock, "max": 4, "hidden": true})
	c.here.must("POST", c.at("/scenes"), c.secret, body{"title": hiddenScene, "note": hiddenRow})
}

// makesAHeroStepByStep walks the guide to its end, and finishes there.
func (c *campaign) makesAHeroStepByStep() {
	anna := c.anna
	anna.visit(c.page("/hero"))
	anna.sees("#to-guide", "")
	c.fits(anna, "4-heroes")
	anna.click("#to-guide")
	anna.sees(".guide-step:target", "")
	anna.choose("#hero-name", "Вероника Заречная")
	c.fits(anna, "4-first-step")
	next := ".guide-step:target .guide-links a.primary"
	for range 40 {
		if anna.ask("document.querySelector('"+next+"') === null") == "true" {
			break
		}
		from := anna.ask("location.hash")
		anna.click(next)
		anna.until("come to the next step", func() bool { return anna.ask("location.hash") != from },
			func() string { return from })
	}
	c.fits(anna, "4-last-step")
	anna.click("[data-form=hero] .actions button.primary")
	anna.sees("#sheet [aria-label^='Вероника']", "")
	c.fits(anna, "4-sheet")
	anna.hero = anna.ask("document.querySelector('#sheet [data-sheet]').dataset.sheet")
}

// takesAReadyHero takes the first of the ready heroes, or in a game without any makes one by its
// name.
func (c *campaign) takesAReadyHero() {
	bohdan := c.bohdan
	bohdan.visit(c.page("/hero"))
	if bohdan.ask("document.querySelector('[data-form=ready]') === null") == "true" {
		bohdan.choose("#hero-name", "Тарас")
		bohdan.click("[data-form=hero] .actions button.primary")
	} else {
		bohdan.click("[data-form=ready] button")
	}
	bohdan.sees("#sheet .sheet h2", "")
	bohdan.hero = bohdan.ask("document.querySelector('#sheet [data-sheet]').dataset.sheet")
	c.fits(bohdan, "5-ready")
}

// bringsAHeroFromElsewhere saves a hero with a portrait at another norn, and takes the file here.
func (c *campaign) bringsAHeroFromElsewhere() {
	vera := c.vera
	made := c.there.must("POST", "/tables", "", body{"game": c.game, "name": "Elsewhere", "lang": vera.tongue})
	master := made["seat"].(map[string]any)["secret"].(string)
	path := "/tables/" + made["id"].(string)
	invited := c.there.must("POST", path+"/seats", master, body{"name": "Vera", "role": "player"})
	secret := invited["secret"].(string)
	c.there.must("POST", path+"/characters", secret, body{"name": "Полковник Бжезинская", "kind": c.hero, "sheet": c.sheet})

	vera.visit(c.there.url("/t/" + made["id"].(string) + "/" + secret))
	vera.visit(c.there.url("/t/" + made["id"].(string) + "/pictures"))
	vera.uploads("#portrait-file", photo(c.T, 900, 1200))
	vera.sees(".upload canvas", "")
	vera.click("form[data-upload='512'] button.primary")
	vera.sees(".gallery figcaption", "")
	vera.visit(c.there.url("/t/" + made["id"].(string) + "?_tab=sheet"))
	vera.opensTools()
	vera.sees(".sheet-tools a[download]", vera.Say("web.sheet.file"))
	c.fits(vera, "6-elsewhere")
	text := vera.fetched("await (await fetch(document.querySelector('.sheet-tools a[download]').href)).text()")
	c.takesAHeroFromAFile(strings.Replace(text, `"sheet": {`, `"sheet": { "wings": 2,`, 1))
}

// takesAHeroFromAFile takes a hero from a file in which something doesn't fit: that is listed, and
// one more press takes the rest.
func (c *campaign) takesAHeroFromAFile(text string) {
	vera := c.vera
	file := filepath.Join(c.TempDir(), "hero.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	vera.visit(c.page("/hero"))
	vera.uploads("#hero-file", file)
	vera.run("document.getElementById('from-file').scrollIntoView()")
	c.fits(vera, "6-file")
	vera.click("#from-file button.primary")
	vera.sees("#from-file li", "wings")
	c.fits(vera, "6-misfits")
	vera.click("#from-file [name=_fitting]")
	vera.sees("#sheet [aria-label$='Бжезинская']", "")
	vera.sees("#sheet .portrait img", "")
	vera.hero = vera.ask("document.querySelector('#sheet [data-sheet]').dataset.sheet")
	c.fits(vera, "6-sheet")
	c.gm.sees("#cast .face", "")
	c.gm.picture("6-cast")
}

// picksFromTheList finds a row of the list at the place of the sheet where such things are, and takes
// it, on a phone.
func (c *campaign) picksFromTheList() {
	anna := c.anna
	add := ".sheet a[href*='/lists/" + c.list + "']"
	anna.sees(add, "Северная книга")
	anna.run("document.querySelector(\"" + add + "\").scrollIntoView({block: 'center'})")
	anna.picture("7-sheet")
	anna.click(add)
	anna.sees("#list-found", "Предмет №1")
	c.fits(anna, "7-list")
	anna.click("#list-q")
	anna.types("сквозь пламя")
	anna.until("find one row", func() bool {
		return anna.ask("document.querySelectorAll('#list-found li').length") == "1"
	}, func() string { return anna.text("#list-found") })
	anna.click("#list-found li button")
	anna.sees("#list-said", anna.Say("web.list.taken", "Name", c.picked))
	c.fits(anna, "7-taken")
	anna.click("#list-said + p a")
	anna.sees(".sheet", c.picked)
	anna.sees(".sheet-section a[href*='/lists/"+c.list+"']", "+ Северная книга")
	anna.run("document.querySelector(\"" + add + "\").scrollIntoView({block: 'center'})")
	anna.picture("7-on-the-sheet")
	c.gm.sees("#log", c.picked)
}

// givesTheListAway saves the list to a file, and takes it at a table of another norn.
func (c *campaign) givesTheListAway() {
	gm := c.gm
	text := gm.fetched(fmt.Sprintf("await (await fetch(%q)).text()", "/t/"+c.id+"/lists/"+c.list+"/file"))
	file := filepath.Join(c.TempDir(), "list.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	made := c.there.must("POST", "/tables", "", body{"game": c.game, "name": "Elsewhere", "lang": gm.tongue})
	gm.visit(c.there.url("/t/" + made["id"].(string) + "/" + made["seat"].(map[string]any)["secret"].(string)))
	gm.visit(c.there.url("/t/" + made["id"].(string) + "/lists"))
	gm.uploads("#list-file", file)
	gm.click("#list-new button[value=read]")
	gm.sees("#list-fit", gm.Say("web.list.fit", "N", bookRows))
	if name := gm.ask("document.getElementById('list-name-').value"); name != "Северная книга" {
		c.Errorf("the list's file is called %q", name)
	}
	gm.click("#list-new button[value=store]")
	gm.sees("#list-found", "Предмет №1")
	c.copiesTheList()
	c.bringsItOtherwise(made["id"].(string), made["seat"].(map[string]any)["secret"].(string))
	gm.follows(c.page(""))
}

// copiesTheList copies the list that the game master sees to a table that they have led in this browser,
// by one press: it's there as it was, and nobody else sees it.
func (c *campaign) copiesTheList() {
	gm := c.gm
	from := gm.ask("location.href")
	made := c.there.must("POST", "/tables", "", body{"game": c.game, "name": "Another evening", "lang": gm.tongue})
	other := c.there.url("/t/" + made["id"].(string))
	gm.follows(other + "/" + made["seat"].(map[string]any)["secret"].(string))
	gm.until("be remembered there", func() bool {
		return strings.Contains(gm.ask("localStorage.getItem('norn.tables')"), made["id"].(string))
	}, func() string { return gm.ask("localStorage.getItem('norn.tables')") })
	gm.visit(from)
	gm.sees("[data-copies]:not([hidden]) option", "Another evening")
	c.fits(gm, "7-copy")
	gm.click("[data-copies] button")
	gm.until("be at the copy", func() bool { return strings.HasPrefix(gm.ask("location.href"), other+"/lists/") },
		func() string { return gm.ask("location.href") + ": " + gm.text("main") })
	gm.sees("#list-found", "Предмет №1")
	seen := c.there.must("GET", "/tables/"+made["id"].(string), made["seat"].(map[string]any)["secret"].(string), nil)
	list := seen["lists"].([]any)[0].(map[string]any)
	if list["rows"] != float64(bookRows) || list["hidden"] != true || list["name"] != "Северная книга" {
		c.Errorf("the copy is %v", list)
	}
}

// bringsItOtherwise brings the rows by the API and from the command line: both lists have all texts.
func (c *campaign) bringsItOtherwise(id, secret string) {
	at := "/tables/" + id
	c.there.must("POST", at+"/lists", secret, body{"name": "Северная книга", "rows": c.book()})
	file, link := filepath.Join(c.TempDir(), "Северная книга.tsv"), filepath.Join(c.TempDir(), "seat.txt")
	for name, text := range map[string]string{file: c.book(), link: c.there.url("/t/" + id + "/" + secret)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			c.Fatal(err)
		}
	}
	if said, err := exec.Command(binary, "list", "import", file, "--link", link).CombinedOutput(); err != nil {
		c.Fatalf("norn list import: %v\n%s", err, said)
	}
	lists := c.there.must("GET", at, secret, nil)["lists"].([]any)
	var files [2]string
	for i, list := range lists[len(lists)-2:] {
		kept := c.there.must("GET", at+"/lists/"+list.(map[string]any)["id"].(string)+"/file", secret, nil)
		data, err := json.Marshal(kept)
		if err != nil {
			c.Fatal(err)
		}
		files[i] = string(data)
		if rows := kept["rows"].([]any); len(rows) != bookRows || len(rows[bookRows-1].(map[string]any)["Text"].(string)) < 1000 {
			c.Errorf("a list has %d rows", len(rows))
		}
	}
	if files[0] != files[1] {
		c.Error("the API and the command line bring different lists")
	}
}

// setsAScene prepares a scene with a picture, and shows it by one press. Everybody sees its title,
// its note and its picture.
func (c *campaign) setsAScene() {
	gm := c.gm
	gm.opensTab("notes")
	gm.click("#drawer a[href$='/pictures#scenes']")
	gm.sees("#scene-new", "")
	if gm.ask("document.querySelector('#scene-new').open") != "true" {
		gm.click("#scene-new summary")
	}
	gm.choose("#scene-title-", "Северный вокзал, полночь")
	gm.choose("#scene-note-", "Дождь. Часы над перроном остановились.")
	gm.uploads("#scene-file-", photo(c.T, 2400, 1600))
	gm.sees("#scene-new canvas", "")
	c.fits(gm, "8-prepare")
	gm.click("#scene-new form button[type=submit]")
	gm.sees("#scenes", "Северный вокзал")
	gm.follows(c.page(""))
	gm.opensTab("notes")
	gm.click("#gm-scenes button:not([disabled]):last-of-type")
	gm.sees("#scene", "Северный вокзал")
	gm.click(".drawer-close")
	c.hears("table.event.scene-set-note", "Title", "Северный вокзал, полночь", "Note", "Дождь. Часы над перроном остановились.")
	loaded := "String(document.querySelector('.scene-picture')?.naturalWidth)"
	for _, p := range append([]*tablemate{gm}, c.players...) {
		p.until("see the picture", func() bool { return p.ask(loaded) == "1600" }, func() string { return p.text(".bar") })
	}
	for _, p := range c.players {
		p.click(".tabs [data-to-tab=log]")
	}
	c.anna.click(".scene-note summary")
	c.anna.sees(".scene-note .said", "Дождь.")
	c.fits(c.anna, "8-scene")
	c.turnsThePictureOff()
	c.fits(gm, "8-scene")
}

// turnsThePictureOff turns scenes' pictures off in Bohdan's browser alone, and on again.
func (c *campaign) turnsThePictureOff() {
	const drawn = "getComputedStyle(document.querySelector('.scene-picture')).display"
	bohdan := c.bohdan
	bohdan.click(".bar > .menu:last-child summary")
	bohdan.click("[data-feel=scene]")
	if got := bohdan.ask(drawn); got != "none" {
		c.Errorf("the picture is turned off and shown as %s", got)
	}
	bohdan.visit(bohdan.ask("location.href"))
	bohdan.until("stay without the picture", func() bool { return bohdan.ask(drawn) == "none" },
		func() string { return bohdan.text(".bar") })
	bohdan.click(".bar > .menu:last-child summary")
	bohdan.click("[data-feel=scene]")
	bohdan.visit(bohdan.ask("location.href"))
	bohdan.click(".tabs [data-to-tab=log]")
	if got := c.anna.ask(drawn); got == "none" {
		c.Error("the picture is turned off for another player")
	}
}

// ticksAClockInAFight adds a clock, begins a fight and advances the clock by one press.
func (c *campaign) ticksAClockInAFight() {
	gm := c.gm
	gm.opensTab("notes")
	gm.click("#clock-new > summary")
	gm.choose("#clock-name-", "Стража у ворот")
	gm.choose("#clock-max-", "4")
	gm.picture("9-new-clock")
	gm.click("#new-clock button[type=submit]")
	gm.sees("#clocks", "Стража у ворот")
	gm.click(".drawer-close")
	c.fights()
	at := gm.ask("[...document.querySelectorAll('#clocks li')].find((li) => li.textContent.includes('Стража')).id")
	for n := range 2 {
		gm.click("#" + at + " button[value='1']")
		for _, p := range append([]*tablemate{gm}, c.players...) {
			p.sees("#"+at+" b", fmt.Sprintf("%d/4", n+1))
		}
		c.hears("table.event.clock-ticked", "Name", "Стража у ворот", "Was", n, "At", n+1, "Max", 4)
	}
	gm.says("/tick Стража 1")
	c.hears("table.event.clock-ticked", "Name", "Стража у ворот", "Was", 2, "At", 3, "Max", 4)
	c.fits(gm, "9-clock")
	for _, p := range c.players {
		c.fits(p, "9-clock")
	}
}

// fights begins a fight of Bohdan's hero with somebody.
func (c *campaign) fights() {
	kinds := map[string]string{"edda": "fated", "godbound": "foe", "underhill": "dweller"}
	foe := c.here.must("POST", c.at("/characters"), c.secret,
		body{"name": "Привратник", "kind": cmp.Or(kinds[c.game], "npc"), "key": "foe"})["id"].(string)
	for _, m := range c.fight {
		who := c.bohdan.hero
		if m.kind != "" {
			who = c.here.must("POST", c.at("/characters"), c.secret,
				body{"name": "Бой у ворот", "kind": m.kind, "key": "fight"})["id"].(string)
		}
		c.here.must("POST", c.at("/moves"), c.secret,
			body{"move": m.move, "character": who, "args": m.args(c.bohdan.hero, foe), "key": m.move})
	}
	c.gm.sees("#log .card", "")
}

// undoesAll undoes what was done last of each, from the cards of the log: the tick, the scene, the
// row and the list.
func (c *campaign) undoesAll() {
	gm := c.gm
	undo := func(text string) {
		c.Helper()
		card := gm.ask(fmt.Sprintf(
			"[...document.querySelectorAll('#log > li:not(.undone)')].findLast((li) => li.textContent.replaceAll('\u00a0', ' ').includes(%q) && li.querySelector('.take-back')).id", text))
		gm.click("#" + card + " .take-back summary")
		gm.click("#" + card + " .take-back button")
		gm.sees("#"+card+".undone", "")
	}
	undo(unbound(gm.Say("table.event.clock-ticked", "Name", "Стража у ворот", "Was", 2, "At", 3, "Max", 4)))
	undo(unbound(gm.Say("table.event.scene-set-note", "Title", "Северный вокзал, полночь", "Note", "Дождь. Часы над перроном остановились.")))
	undo(c.picked)
	gm.visit(c.page("/lists/" + c.list))
	gm.click("#list-change form[action$='/remove-list'] button")
	gm.sees("#list-new", "")
	gm.gone("#lists a[href$='/" + c.list + "']")
	gm.follows(c.page(""))
	undo(unbound(gm.Say("table.event.list-removed", "Name", "Северная книга")))
	gm.sees("#clocks", "2/4")
	gm.picture("10-undone")
	for _, p := range c.players {
		p.sees("#clocks", "2/4")
		p.gone(".scene-picture")
		p.gone(".scene-note")
	}
	c.anna.click(".tabs [data-to-tab=sheet]")
	c.anna.sees(".sheet a[href*='/lists/"+c.list+"']", "")
	if strings.Contains(c.anna.text("#sheet"), c.picked) {
		c.Error("what was picked stays on the sheet")
	}
	c.anna.picture("10-undone")
}

// hidesWhatIsHidden looks for the game master's texts wherever a player's page, its stream, the API
// and files might have them.
func (c *campaign) hidesWhatIsHidden() {
	for _, p := range c.players {
		var seen strings.Builder
		seen.WriteString(p.ask("document.documentElement.outerHTML")) // with what the stream has sent
		for _, path := range []string{"", "/lists", "/pictures", "/gm", "/hero", "/story", "/story.md", "/seen.jsonl", "/export.jsonl"} {
			seen.WriteString(p.fetched(fmt.Sprintf("await (await fetch(%q)).text()", "/t/"+c.id+path)))
		}
		for _, path := range []string{"", "/log", "/export", "/characters/" + p.hero + "/file"} {
			_, answer := c.here.call("GET", c.at(path), p.secret, nil)
			data, err := json.Marshal(answer)
			if err != nil {
				c.Fatal(err)
			}
			seen.Write(data)
		}
		for _, text := range []string{hiddenList, hiddenRow, hiddenClock, hiddenScene} {
			if strings.Contains(seen.String(), text) || strings.Contains(seen.String(), strings.ReplaceAll(text, "'", "&#39;")) {
				c.Errorf("%s knows of %q", p.name, text)
			}
		}
		for _, path := range []string{"/lists/l9", "/clocks/k9/tick"} {
			if status, _ := c.here.call("POST", c.at(path), p.secret, body{}); status < http.StatusBadRequest {
				c.Errorf("%s posts to %s: %d", p.name, path, status)
			}
		}
	}
}

// travels takes the table's file to a third norn, in which all of it is there again.
func (c *campaign) travels() {
	gm := c.gm
	text := gm.fetched(fmt.Sprintf("await (await fetch(%q)).text()", "/t/"+c.id+"/export.jsonl"))
	dir := c.TempDir()
	file := filepath.Join(dir, "table.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	data := filepath.Join(dir, "tables")
	if said, err := exec.Command(binary, "import", file, "--data", data, "--trust", "--games", "../examples").CombinedOutput(); err != nil {
		c.Fatalf("norn import: %v\n%s", err, said)
	}
	third := serveIn(c.T, data, "--games", "../examples")
	gm.follows(third.url("/t/" + c.id + "/" + c.secret))
	gm.sees("#clocks", "2/4")
	gm.sees("#clocks", hiddenClock)
	gm.sees("#cast .face", "")
	gm.opensTab("notes")
	gm.sees("#gm-scenes", hiddenScene)
	gm.click("#gm-scenes button:not([disabled]):last-of-type")
	gm.until("see the scene's picture", func() bool {
		return gm.ask("String(document.querySelector('.scene-picture')?.naturalWidth)") == "1600"
	}, func() string { return gm.text(".bar") })
	c.fits(gm, "11-elsewhere")
	gm.visit(third.url("/t/" + c.id + "/lists"))
	gm.sees("#lists", hiddenList)
	gm.sees("#lists", "Северная книга")
}

// A player who owns a character with a field for game masters alone, in a game of the table's own,
// saves a file without it; the game master's has it.
func TestPlayersCharacterFileLacksGameMastersFields(t *testing.T) {
	t.Parallel()
	s := serve(t, "--games", "../examples")
	made := s.must("POST", "/tables", "", body{"game": "underhill", "name": "Below", "lang": "en"})
	path, master := "/tables/"+made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	anna := s.must("POST", path+"/seats", master, body{"name": "Anna", "role": "player"})
	dog := s.must("POST", path+"/characters", master, body{
		"name": "A pale dog", "kind": "dweller", "owner": anna["id"], "sheet": body{"heart": 17, "armour": 2},
	})
	for secret, knows := range map[string]bool{master: true, anna["secret"].(string): false} {
		file := s.must("GET", path+"/characters/"+dog["id"].(string)+"/file", secret, nil)
		sheet := file["sheet"].(map[string]any)
		if _, has := sheet["heart"]; has != knows {
			t.Errorf("seen by a %s, the file has the heart: %v", file["seen"], has)
		}
		if sheet["armour"] != 2.0 {
			t.Errorf("the file is without what everybody sees: %v", sheet)
		}
	}
}
