//go:build e2e

package playtest

import (
	"testing"

	"norn/lang"
)

// A game master prepares a scene with a picture and sets it by one press. A player on a phone sees
// its picture behind the table's head, its title and its note, and turns the picture off.
func TestASceneIsSet(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("mage", lang.Ru)
	gm, anna := sit(t, "gm", 1366, 768), phone(t, "anna", 360, 780)
	gm.visit(table.gm)
	anna.visit(table.anna)
	for _, each := range []*seat{gm, anna} {
		each.run("document.cookie = 'lang=ru; path=/'")
		each.visit(each.ask("location.href"))
	}
	gm.opensTab("notes")
	gm.picture("drawer-before")
	gm.click("#drawer a[href$='/pictures#scenes']")
	gm.click("#scene-title-")
	gm.types("Северный вокзал, полночь: очень длинное название места")
	gm.click("#scene-note-")
	gm.types("Дождь. Часы над перроном остановились, и никто не помнит, когда.")
	gm.uploads("#scene-file-", photo(t, 2400, 1600))
	gm.picture("prepare")
	gm.click("#scene-new form button[type=submit]")
	gm.sees("#scenes", "Северный вокзал")
	gm.picture("prepared")
	gm.visit(n.url("/t/" + table.id))
	gm.opensTab("notes")
	gm.click("#gm-scenes button")
	gm.sees("#scene", "Северный вокзал")
	gm.picture("drawer")
	gm.click(".drawer-close")
	gm.picture("gm")
	gm.run("document.documentElement.dataset.theme = 'dark'")
	gm.picture("gm-dark")
	loaded := "String(document.querySelector('.scene-picture')?.naturalWidth)"
	anna.until("see the picture", func() bool { return anna.ask(loaded) == "1600" },
		func() string { return anna.text(".bar") })
	anna.sees(".scene-note summary", "Северный вокзал")
	anna.picture("phone")
	anna.click(".scene-note summary")
	anna.sees(".scene-note .said", "Дождь.")
	anna.picture("phone-note")
	anna.click(".bar > .menu:last-child summary")
	anna.click("[data-feel=scene]")
	anna.picture("phone-off")
	if got := anna.ask("getComputedStyle(document.querySelector('.scene-picture')).display"); got != "none" {
		t.Errorf("the picture is turned off and shown as %s", got)
	}
	anna.visit(anna.ask("location.href"))
	anna.until("stay without the picture", func() bool {
		return anna.ask("getComputedStyle(document.querySelector('.scene-picture')).display") == "none"
	}, func() string { return anna.text(".bar") })
}
