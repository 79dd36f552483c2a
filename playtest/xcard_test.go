//go:build e2e

package playtest

import (
	"fmt"
	"testing"

	"norn/lang"
)

// A player who raised an X-card by mistake withdraws it with one press, anonymously. Others only
// see it appear and disappear, and the next one appears at once. Later it can only be put away.
func TestXCardIsWithdrawnAnonymously(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("spire", lang.Ru)
	gm, anna := sit(t, "gm", 1366, 768), sit(t, "anna", 360, 780)
	gm.visit(table.gm)
	anna.visit(table.anna)
	for _, each := range []*seat{gm, anna} {
		each.run("document.cookie = 'lang=ru; path=/'")
		each.visit(each.ask("location.href"))
		each.sees("[data-live-state=open]", "")
		each.sees(".x-raise", "Икс-карта")
		each.styled()
		each.picture("bar")
	}
	shown := func(s *seat, selector string) string {
		return s.ask(fmt.Sprintf("String(document.querySelector(%q)?.checkVisibility() ?? false)", selector))
	}
	anna.click(".x-raise button")
	gm.sees(".x-card", "Икс-карта")
	anna.sees(".x-card", "Икс-карта")
	anna.sees(".x-mine", "Забрать обратно")
	anna.picture("mine")
	gm.picture("theirs")
	if got := shown(gm, ".x-mine"); got != "false" {
		t.Error("another may take it back")
	}
	if got := shown(anna, ".x-card form"); got != "false" {
		t.Error("who may take it back unnamed is offered to put it away, which names them")
	}
	anna.click(".x-raise button") // an accidental press
	anna.click(".x-mine button")
	anna.gone(".x-card")
	gm.gone(".x-card")
	gm.sees("#log", "Икс-карту забрали обратно")

	anna.click(".x-raise button")
	gm.sees(".x-card", "")
	anna.sees(".x-mine", "")
	anna.gone(".x-mine") // after its ten seconds
	anna.sees(".x-card form", "")
	if got := shown(anna, ".x-card form"); got != "true" {
		t.Error("nobody can put it away")
	}
	gm.click(".x-card button")
	anna.gone(".x-card")
}

// Every menu has its own close button, which returns the focus to where it was opened.
func TestEachMenuClosesByItsOwnButton(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("spire", lang.En)
	for _, width := range []int64{360, 1366} {
		gm := sit(t, fmt.Sprintf("gm-%d", width), width, 780)
		gm.visit(table.gm)
		gm.styled()
		for _, menu := range []string{".bar > .seal", ".bar > .seat-menu", ".bar > .menu:last-child"} {
			gm.click(menu + " > summary")
			gm.sees(menu+"[open] [data-close]", "✕")
			gm.picture("open")
			gm.click(menu + "[open] [data-close]")
			gm.gone(menu + "[open]")
			if at := gm.ask("document.activeElement.localName"); at != "summary" {
				t.Errorf("%d px, %s: the focus is at %s", width, menu, at)
			}
		}
		if width == 360 { // narrow pages don't mention keys
			continue
		}
		gm.click(".bar > .menu:last-child > summary")
		gm.click("[popovertarget=keys]:not([popovertargetaction])")
		gm.sees("#keys:popover-open [popovertargetaction=hide]", "✕")
		gm.picture("keys")
		gm.click("#keys [popovertargetaction=hide]")
		gm.gone("#keys:popover-open")
	}
}
