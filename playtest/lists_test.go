//go:build e2e

package playtest

import (
	"fmt"
	"strings"
	"testing"

	"norn/lang"
)

// A game master pastes a Russian list of two hundred gifts, matches its columns, sees what doesn't fit
// and shares it. A player on a phone finds a row and takes it with one press.
func TestAListIsPickedFrom(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("godbound", lang.Ru)
	gm, anna := sit(t, "gm", 1366, 768), phone(t, "anna", 360, 780)
	gm.visit(table.gm)
	anna.visit(table.anna)
	for _, each := range []*seat{gm, anna} {
		each.run("document.cookie = 'lang=ru; path=/'")
		each.visit(each.ask("location.href"))
	}
	gm.opensTab("notes")
	gm.click("#drawer a[href$='/lists']")
	gm.picture("empty")
	var gifts strings.Builder
	gifts.WriteString("Дар\tСлово\tСрок\n")
	for i := range 199 {
		fmt.Fprintf(&gifts, "Дар номер %d\tОгонь\t\n", i+1)
	}
	gifts.WriteString("Шаг сквозь пламя, о котором поют в северных городах\tОгонь\tнавсегда\n")
	gm.choose("#list-target", "hero gifts")
	gm.run(fmt.Sprintf("document.getElementById('list-text').value = %q", gifts.String()))
	gm.click("#list-new button[value=read]")
	gm.sees("#list-fit", "200")
	gm.picture("preview")
	gm.choose("#list-column-2", "cost")
	gm.click("#list-new button[value=read]")
	gm.sees("#list-fit", "199")
	gm.sees("#list-problems", "Строка 201.")
	gm.picture("problems")
	gm.choose("#list-column-2", "")
	gm.click("#list-new button[value=read]")
	gm.sees("#list-fit", "200")
	gm.click("#list-name-")
	gm.types("Дары северных городов")
	gm.click("#list-new [name=_whom][value=all]")
	gm.click("#list-new button[value=store]")
	gm.sees("#list-found", "Дар номер 1")
	gm.picture("list")

	anna.click(".tabs [data-to-tab=sheet]")
	anna.sees(".sheet a[href*='/lists/']", "Дары северных городов")
	anna.run("document.querySelector('.sheet a[href*=\"/lists/\"]').scrollIntoView()")
	anna.picture("phone-sheet")
	anna.click(".sheet a[href*='/lists/']")
	anna.sees("#list-found", "Дар номер 1")
	anna.picture("phone-list")
	anna.click("#list-q")
	anna.types("сквозь пламя")
	anna.until("find one row", func() bool {
		return anna.ask("document.querySelectorAll('#list-found li').length") == "1"
	}, func() string { return anna.text("#list-found") })
	anna.picture("phone-found")
	anna.click("#list-found li button")
	anna.sees("#list-said", "Шаг сквозь пламя")
	anna.picture("phone-taken")
	anna.click("#list-said + p a")
	anna.sees(".sheet", "Шаг сквозь пламя")
	gm.visit(n.url("/t/" + table.id))
	gm.sees("#log", "Шаг сквозь пламя")
}
