//go:build e2e

package playtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"norn/form"
	"norn/games"
	"norn/internal/widget"
	"norn/lang"
)

// sheetTable is a table with a game's demo cast. Anna owns the characters of players.
type sheetTable struct {
	id, secret string   // of the table, and of the game master's seat
	gm, anna   string   // links
	cast       []string // ids
}

// sheets creates a table of a game by the API.
func (s *server) sheets(game string, tongue lang.Lang) sheetTable {
	s.t.Helper()
	answer := s.must("POST", "/tables", "", map[string]any{"game": game, "name": "Sheets", "lang": tongue})
	table, secret := answer["id"].(string), answer["seat"].(map[string]any)["secret"].(string)
	anna := s.must("POST", "/tables/"+table+"/seats", secret, map[string]any{"name": "Anna", "role": "player"})
	opened := sheetTable{
		id: table, secret: secret, gm: s.url("/t/" + table + "/" + secret),
		anna: s.url("/t/" + table + "/" + anna["secret"].(string)),
	}
	for _, g := range games.All() {
		if g.ID != game {
			continue
		}
		words, err := lang.Load(form.Words, widget.Words, g.Words)
		if err != nil {
			s.t.Fatal(err)
		}
		for i, c := range g.Demo(words.In(tongue)).Cast {
			owner := ""
			if c.Player {
				owner = anna["id"].(string)
			}
			kind, _ := g.Kind(c.Kind)
			s.must("POST", "/tables/"+table+"/characters", secret, map[string]any{
				"name": c.Name, "kind": c.Kind, "owner": owner, "sheet": kind.Form.Fill(c.Sheet),
			})
			opened.cast = append(opened.cast, fmt.Sprintf("c%d", i+1))
		}
	}
	return opened
}

// reaches presses Tab until the element with an id has the focus.
func (s *seat) reaches(id string) {
	s.t.Helper()
	for range 80 {
		if s.ask("document.activeElement.id") == id {
			return
		}
		s.press(kb.Tab)
	}
	s.t.Fatalf("%s doesn't reach %s by the keyboard; the focus is on %s", s.name, id,
		s.ask("document.activeElement.outerHTML.slice(0, 300)"))
}

// tool presses what the sheet's head offers: on a phone in its menu.
func (s *seat) tool(selector string) {
	s.t.Helper()
	s.opensTools()
	s.click("#sheet " + selector)
}

// opensTools opens the menu in a sheet's head, if it is one at this width.
func (s *seat) opensTools() {
	s.t.Helper()
	const more = "#sheet .sheet-more > summary"
	s.sees("#sheet .sheet-more", "")
	if s.ask("document.querySelector('"+more+"').checkVisibility()") == "true" {
		s.click(more)
	}
}

// changes starts to edit the shown sheet in its place.
func (s *seat) changes() {
	s.t.Helper()
	s.tool("[data-change]")
	s.sees("#panel-sheet[data-changes] #sheet > [data-changing]", "")
}

// A sheet is edited by the keyboard alone. Somebody else follows, edits it too, and doesn't disturb
// the text being typed.
func TestSheetIsEditedByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	opened := s.sheets("spire", lang.En)
	gm, anna := sit(t, "gm", 1440, 900), sit(t, "anna", 1440, 900)
	gm.visit(opened.gm)
	anna.visit(opened.anna)
	lira := opened.cast[0]
	at := func(path string) string { return "v-" + lira + "-" + path }
	gm.sees("#sheet-"+lira, "")

	fillsFromTheSheet(anna)
	changesATrack(t, gm, anna, at)
	changesAText(t, gm, anna, at)
	changesANumber(t, gm, anna, at)
	keepsAFieldThatIsTyped(t, gm, anna, at)
	togglesWhileAListShrinks(gm, anna, at)
	gm.visit(opened.gm) // without the script of tracks
	marksASheetThatComesAnew(gm, at)
}

// fillsFromTheSheet fills the composer from the sheet, one thing after another.
func fillsFromTheSheet(anna *seat) {
	anna.click("#sheet .traits:nth-of-type(1) li:nth-child(2) a.use")
	anna.click("#sheet .traits:nth-of-type(2) li:nth-child(1) a.use")
	anna.until("have both in the composer", func() bool {
		return anna.ask("['skill', 'domain'].map((n) => document.querySelector(`#composer-form [name=${n}]`).value).join()") == "deceive,crime"
	}, func() string { return anna.ask("document.querySelector('#composer-form').innerText") })
	anna.sees("#sheet-said", "Check: Crime")
}

// marksASheetThatComesAnew replaces a track right after a key on it, before the script that marks it
// is there: the key still counts.
func marksASheetThatComesAnew(gm *seat, at func(string) string) {
	gm.run(`((slider) => {
		const line = slider.closest('.track-line')
		slider.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))
		line.replaceWith(line.cloneNode(true))
	})(document.getElementById('` + at("stress-mind") + `'))`)
	gm.sees("#sheet [data-track=mind][data-now='1']", "")
}

// changesATrack makes one change with arrows, and others with digits and Home.
func changesATrack(t *testing.T, gm, anna *seat, at func(string) string) {
	anna.run("document.querySelector('#sheet a, #sheet button').focus()")
	anna.reaches(at("stress-blood"))
	anna.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	anna.sees("#"+at("stress-blood")+"[aria-valuenow='4'][aria-valuetext^='4 of 10']", "")
	gm.sees("#sheet [data-track=blood][data-now='4']", "")
	gm.sees("#log", "Lira: Stress: Blood 1 → 4")
	anna.sees("#sheet-said", "Blood 1 → 4")
	anna.press("7")
	gm.sees("#sheet [data-track=blood][data-now='7']", "")
	anna.press(kb.Home)
	gm.sees("#sheet [data-track=blood][data-now='0']", "")
	gm.sees("#log", "Lira: Stress: Blood 1 → 0")
	gm.sees("#log .note:last-child .note-by", "Anna")
	if n := gm.ask("document.querySelectorAll('#log .note[data-edited]').length + ' ' + document.querySelectorAll('#log .note-before[data-edited]').length"); n != "3 2" {
		t.Errorf("three quick edits aren't one line: %s", n)
	}
	if at := anna.ask("document.activeElement.getAttribute('role')"); at != "slider" {
		t.Errorf("the focus has gone to %s", at)
	}
}

// changesAText opens and saves a text with Enter, and cancels with Escape.
func changesAText(t *testing.T, gm, anna *seat, at func(string) string) {
	anna.changes()
	anna.reaches(at("refresh"))
	anna.press(kb.Enter)
	anna.sees(".value-box input", "")
	anna.press("Nothing", kb.Escape)
	anna.gone(".value-box")
	anna.sees("#"+at("refresh"), "Take something")
	anna.press(kb.Enter)
	anna.run("document.activeElement.select()")
	anna.press("Steal a secret", kb.Enter)
	anna.gone(".value-box")
	gm.sees("#sheet", "Steal a secret")
	if id := anna.ask("document.activeElement.id"); id != at("refresh") {
		t.Errorf("the focus is on %q after a change", id)
	}
}

// changesANumber changes a number with arrows; a refused value stays as it was typed.
func changesANumber(t *testing.T, gm, anna *seat, at func(string) string) {
	anna.reaches(at("gear-1-armour"))
	anna.press(kb.ArrowUp)
	anna.sees(".value-box input[type=number]", "")
	anna.press(kb.ArrowUp, kb.Enter)
	anna.gone(".value-box")
	gm.sees("#sheet .gear", "Armour 3")
	anna.press(kb.Enter, "44", kb.Enter)
	anna.sees(".value-box .problem", "9")
	if got := anna.ask("document.querySelector('.value-box input').value"); got != "44" {
		t.Errorf("what was typed has become %q", got)
	}
	anna.picture("refused")
}

// keepsAFieldThatIsTyped checks that the open field and its text stay while the game master edits
// the sheet.
func keepsAFieldThatIsTyped(t *testing.T, gm, anna *seat, at func(string) string) {
	gm.changes()
	gm.run("document.getElementById('" + at("class") + "').focus()")
	gm.press(kb.Enter)
	gm.run("document.activeElement.select()")
	gm.press("Ghost", kb.Enter)
	anna.sees("#sheet .sheet-lead", "Ghost")
	if got := anna.ask("document.activeElement.value"); got != "44" {
		t.Errorf("the field was taken away: %q", got)
	}
	anna.run("document.activeElement.select()")
	anna.press("2", kb.Enter)
	anna.gone(".value-box")
	gm.sees("#sheet .gear", "Armour 2")
}

// togglesWhileAListShrinks toggles a checkbox with Space, and reports that the list has shrunk
// during the edit.
func togglesWhileAListShrinks(gm, anna *seat, at func(string) string) {
	anna.run("document.getElementById('" + at("skills-1-mastery") + "').focus()")
	anna.press(" ")
	gm.sees("#"+at("skills-1-mastery")+"[aria-checked=true]", "")
	anna.run("document.getElementById('" + at("gear-1-name") + "').focus()")
	anna.press(kb.Enter, "!")
	gm.click("[data-edit]")
	gm.click("[data-form=sheet] button[name=_drop][value='gear.0']")
	gm.gone("[data-form=sheet] button[name=_drop][value='gear.0']")
	gm.click("[data-form=sheet] .actions button[type=submit]")
	gm.sees("#log", "Gear − Oyster knife")
	anna.press(kb.Enter)
	anna.sees(".value-box .problem", "meanwhile")
	anna.press(kb.Escape)
	anna.gone(".value-box")
}

// With a thumb at 360 px: all controls are large enough and work.
func TestSheetIsEditedByTouchOnASmallPhone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for i, g := range games.All() {
		tongue := lang.All[i%len(lang.All)]
		opened := s.sheets(g.ID, tongue)
		anna := sit(t, g.ID, 360, 780)
		anna.do("use a touch screen", chromedp.EmulateViewport(360, 780, chromedp.EmulateMobile, chromedp.EmulateTouch))
		anna.visit(opened.anna)
		anna.run("document.cookie = 'lang=" + string(tongue) + "; path=/'; document.cookie = 'theme=dark; path=/'")
		anna.visit(anna.ask("location.origin + location.pathname") + "?_tab=sheet")
		anna.sees("#sheet .sheet", "")
		small := `JSON.stringify([...document.querySelectorAll('#sheet :is(button, a, [role=slider])')].filter(e => {
			const box = e.getBoundingClientRect()
			return box.width > 0 && (box.height < 44 || box.width < 44 && e.getAttribute('role') !== 'slider')
		}).map(e => e.outerHTML.slice(0, 120) + Math.round(e.getBoundingClientRect().height)))`
		if small := anna.ask(small); small != "[]" {
			t.Errorf("%s: too small for a thumb: %s", g.ID, small)
		}
		if wide := anna.ask("document.documentElement.scrollWidth > 360 || document.getElementById('panel-sheet').scrollWidth > 360"); wide != "false" {
			t.Errorf("%s: the sheet is wider than the screen", g.ID)
		}
		if live := anna.ask("document.querySelectorAll('#sheet .ratings [role=slider], #sheet button[data-value]').length"); live != "0" {
			t.Errorf("%s: %s values change by a slip of the thumb", g.ID, live)
		}
		slider := "#sheet [role=slider]"
		before := anna.ask("document.querySelector('" + slider + "').getAttribute('aria-valuenow')")
		step := "#sheet .track-line:has([role=slider]) [data-track-step='-1']"
		if before == "0" {
			step = "#sheet .track-line:has([role=slider]) [data-track-step='1']"
		}
		anna.click(step)
		anna.until("see the track change", func() bool {
			return anna.ask("document.querySelector('"+slider+"').getAttribute('aria-valuenow')") != before &&
				anna.ask("document.querySelector('#sheet-said').textContent") != ""
		}, func() string { return before })
		anna.picture("touched")
		anna.changes()
		if small := anna.ask(small); small != "[]" {
			t.Errorf("%s: too small for a thumb while it's changed: %s", g.ID, small)
		}
		anna.click("#sheet [data-changed]")
		anna.sees("#sheet > [id^=sheet-]", "")

		// A press on the sheet fills the composer, which opens.
		anna.click("#sheet a.use")
		anna.sees("#composer #composer-form", "")
		anna.until("have it in the composer", func() bool {
			return anna.ask("location.hash") == "#composer" &&
				anna.ask("document.querySelector('#composer-form .fields :is(input:checked:not([value=\"\"]), option:checked:not([value=\"\"]))') !== null") == "true"
		}, func() string { return anna.ask("document.querySelector('#composer-form')?.innerText") })
		anna.picture("used")
	}
}

// Every sheet of the demos prints on one page.
func TestASheetPrintsOnOnePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	one := sit(t, "printer", 1440, 900)
	for _, g := range games.All() {
		opened := s.sheets(g.ID, lang.Ru)
		one.visit(opened.gm)
		base := one.ask("location.origin + location.pathname")
		for _, id := range opened.cast {
			one.visit(base + "?_c=" + id)
			one.sees("#sheet-"+id, "")
			pdf := one.prints()
			if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n != 1 {
				t.Errorf("%s %s prints on %d pages", g.ID, id, n)
			}
			keepPDF(t, g.ID+"-"+id, pdf)
		}
		one.visit(base + "?_c=" + opened.cast[0])
		one.changes()
		one.do("turn to paper", chromedp.EmulateViewport(700, 990), medium("print"))
		if pressed := one.ask(`[...document.querySelectorAll(".sheet-head :is(button, .button, summary), .sheet-move")]
			.filter(el => !el.closest("h2") && el.checkVisibility()).map(el => el.textContent).join()`); pressed != "" {
			t.Errorf("%s: paper has what can only be pressed on a screen: %s", g.ID, pressed)
		}
		one.do("turn back", chromedp.EmulateViewport(1440, 900), medium(""))
	}
}

// medium shows a page as it is on "print", or on a screen, "".
func medium(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
		return err
	})
}

// A sheet with a great deal on it prints smaller, and still on one page.
func TestALongSheetPrintsOnOnePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	opened := s.sheets("spire", lang.Ru)
	many := func(n int, item func(i int) map[string]any) (items []any) {
		for i := range n {
			items = append(items, item(i))
		}
		return items
	}
	s.must("PATCH", "/tables/"+opened.id+"/characters/"+opened.cast[0], opened.secret,
		map[string]any{"sheet": map[string]any{
			"skills": many(9, func(i int) map[string]any {
				return map[string]any{"name": fmt.Sprintf("Навык %d",
					i+1)}
			}),
			"bonds": many(8, func(i int) map[string]any {
				return map[string]any{
					"name": fmt.Sprintf("Связь номер %d со старым знакомым", i+1), "npc": true,
					"stress": i,
				}
			}),
			"gear": many(12, func(i int) map[string]any {
				return map[string]any{"name": fmt.Sprintf("Вещь номер %d с длинным описанием того, на что она годится",
					i+1), "die": "d6"}
			}),
			"fallouts": many(8, func(i int) map[string]any {
				return map[string]any{
					"kind": "blood", "severity": "minor",
					"text": fmt.Sprintf("Последствие %d: рана, которая ноет к дождю и мешает спать", i+1),
				}
			}),
		}})
	one := sit(t, "printer", 1440, 900)
	one.visit(opened.gm)
	one.visit(one.ask("location.origin + location.pathname") + "?_c=" + opened.cast[0])
	one.sees("#sheet", "Связь номер 8")
	pdf := one.prints()
	keepPDF(t, "long", pdf)
	if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n != 1 {
		t.Errorf("it prints on %d pages", n)
	}
}

// Paper is white in dark mode too, and pages outside of tables can be printed.
func TestPrintedPagesAreWhiteInDarkMode(t *testing.T) {
	t.Parallel()
	s := serve(t)
	one := sit(t, "printer", 1440, 900)
	one.visit(s.url("/"))
	one.run("document.cookie = 'theme=dark; path=/'")
	for path, shown := range map[string]string{
		"/": ".start-open", "/odds": ".odds-games",
		"/odds/mage/roll?pool=7": "[data-odds]",
	} {
		one.visit(s.url(path))
		one.do("turn to paper", medium("print"))
		if got := one.ask("getComputedStyle(document.documentElement).colorScheme"); !strings.Contains(got, "light") ||
			strings.Contains(got, "dark") {
			t.Errorf("%s is printed as %q", path, got)
		}
		if one.ask(fmt.Sprintf("document.querySelector(%q)?.checkVisibility()", shown)) != "true" {
			t.Errorf("%s prints without %s", path, shown)
		}
	}
}

// prints returns the page as a PDF.
func (s *seat) prints() []byte {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), preferCSS))
	if err != nil {
		s.t.Fatalf("%s can't print: %v", s.name, err)
	}
	return pdf
}

// keepPDF saves a print as a picture where NORN_PICTURES says.
func keepPDF(t *testing.T, name string, pdf []byte) {
	t.Helper()
	folder := os.Getenv("NORN_PICTURES")
	if folder == "" || !bytes.HasPrefix(pdf, []byte("%PDF")) {
		return
	}
	path := filepath.Join(folder, "print-"+name)
	if err := os.WriteFile(path+".pdf", pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	if draw, err := exec.LookPath("pdftoppm"); err == nil {
		if out, err := exec.Command(draw, "-png", "-r", "80", path+".pdf", path).CombinedOutput(); err != nil {
			t.Logf("no picture of %s: %s", name, out)
		}
	}
}

// preferCSS uses the paper size of the page's own style, as a person's browser does.
func preferCSS(p *page.PrintToPDFParams) { p.PreferCSSPageSize = new(true) }

// A missing entry of a sheet is added in its place, by the keyboard too.
func TestSheetEntryIsAddedInItsPlace(t *testing.T) {
	t.Parallel()
	s := serve(t)
	opened := s.sheets("spire", lang.En)
	anna := sit(t, "anna", 360, 740)
	anna.visit(opened.anna)
	anna.visit(anna.ask("location.origin + location.pathname") + "?_tab=sheet&_c=" + opened.cast[0])
	lira := opened.cast[0]
	anna.changes()
	anna.click("#v-" + lira + "-gear-new-name")
	anna.sees("#v-"+lira+"-gear-new-name-input", "")
	anna.enters("A rope of hair")
	anna.sees("#sheet .gear", "A rope of hair")
	anna.sees("#sheet-said", "A rope of hair")
	anna.click("#v-" + lira + "-skills-new-name")
	anna.choose("#v-"+lira+"-skills-new-name-input", "steal")
	anna.press(kb.Enter)
	anna.sees("#sheet .traits", "Steal")
	anna.run("document.querySelector('.sheet-add').scrollIntoView()")
	anna.picture("grown")
	gm := sit(t, "gm", 1440, 900)
	gm.visit(opened.gm)
	gm.sees("#sheet .gear", "A rope of hair")
	gm.picture("grown")
}
