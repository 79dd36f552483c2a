//go:build e2e

package playtest

import (
	"strings"
	"testing"

	"norn/games"
	"norn/lang"
)

// In every game a session has ended: the log leads the game master to the page between sessions,
// where one press does what is ticked, and a player's phone lists what that player may do.
func TestBetweenSessionsPageDoesWhatIsTickedInEveryGame(t *testing.T) {
	t.Parallel()
	n := serve(t)
	for i, g := range games.All() {
		table := n.sheets(g.ID, lang.Ru)
		n.must("POST", "/tables/"+table.id+"/session", table.secret, map[string]any{})
		gm, anna := sit(t, g.ID+"-gm", 1366, 768), phone(t, g.ID+"-anna", 360, 780)
		gm.visit(table.gm)
		anna.visit(table.anna)
		for _, each := range []*seat{gm, anna} {
			each.run("document.cookie = 'lang=ru; path=/'")
			each.visit(each.ask("location.href"))
		}
		gm.sees(".log-session a[href$='/between']", "Между сессиями")
		gm.click(".log-session a[href$='/between']")
		gm.sees("#between", "уже отмечено")
		ticked := gm.ask("document.querySelectorAll('#between [name=_line]:checked').length")
		gm.picture("begin")
		if lines := gm.ask("document.querySelectorAll('#between [name=_line]').length"); lines == "0" {
			t.Errorf("%s suggests nothing", g.ID)
		}
		if ticked == "0" { // the rules give nothing: a line that needs no words
			gm.run("document.querySelector('#between [value$=lift], #between [value=\":clock\"], #between [value=\":new-day\"], #between [value$=\":act\"]').click()")
			gm.picture("ticked")
		}
		gm.click(".between-do button")
		gm.sees("#between-done", "Сделано")
		gm.picture("done")
		if left := gm.ask("document.querySelectorAll('#between [name=_line]:checked').length"); left != "0" {
			t.Errorf("%s: %s lines are ticked again", g.ID, left)
		}
		gm.run("location.reload()")
		gm.sees("#between-done", "Сделано")
		gm.click("#between-done a")
		gm.sees("#log", "")

		anna.visit(strings.TrimSuffix(anna.ask("location.origin + location.pathname"), "/") + "/between")
		anna.sees("#between", "ваши персонажи")
		if wide := anna.ask("document.documentElement.scrollWidth > innerWidth"); wide == "true" {
			t.Errorf("%s: the page is wider than the phone", g.ID)
		}
		anna.run("for (const box of document.querySelectorAll('[name=_line]')) box.click()")
		anna.picture("phone")
		if i == 0 {
			gm.visit(n.url("/t/" + table.id))
			gm.opensTab("session")
			gm.sees("#drawer-session a[href$='/between']", "Между сессиями")
			gm.picture("drawer")
		}
	}
}
