//go:build e2e

package playtest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// No single letter rolls or writes anything, on a Cyrillic keyboard either: / leads to the line, m
// to the form, and only Ctrl+Enter in the form rolls.
func TestOnlyCtrlEnterRollsByKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Keys", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		body{"name": "Lira", "kind": "character", "sheet": body{"skills": []body{{"name": "sneak"}}}})
	gm := sit(t, "gm", 1366, 768)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.sees("[data-live-state=open]", "")
	gm.sees("#throw", "")
	cards := func() string { return gm.ask("document.querySelectorAll('#log [data-move]').length") }
	focus := func() string { return gm.ask("document.activeElement?.id") }
	out := func() { gm.run("document.activeElement.blur()") }

	presses := func(on, event string) {
		gm.run(on + ".dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, " + event + "}))")
	}
	for _, letter := range "abcdefghijklmnopqrstuvwxyz" {
		out()
		gm.do("press "+string(letter), chromedp.KeyEvent(string(letter)))
		out()
		// on a Cyrillic keyboard
		presses("document.body", "key: 'е', code: 'Key"+strings.ToUpper(string(letter))+"'")
	}
	out()
	if writes := gm.ask("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', code: 'Slash', bubbles: true, cancelable: true}))"); writes != "false" {
		t.Error("the key that leads to the line writes itself there")
	}
	gm.until("be in the line", func() bool { return focus() == "line" }, focus)
	out()
	gm.do("press m", chromedp.KeyEvent("m"))
	within := func() bool {
		return gm.ask("document.querySelector('#composer').contains(document.activeElement)") == "true"
	}
	gm.until("be in the form", within, focus)
	if n := cards(); n != "0" {
		t.Fatalf("before Ctrl+Enter %s moves were made: %s", n, gm.text("#log"))
	}
	presses("document.activeElement", "key: 'Enter', ctrlKey: true")
	gm.until("see the throw", func() bool {
		return cards() == "1"
	}, func() string {
		return gm.text("#log") + gm.text("#composer-problem")
	})

	if small := gm.ask(`[...document.querySelectorAll("#cast *")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.textContent).join()`); small != "" {
		t.Errorf("labels of the cast are smaller than 12 px: %s", small)
	}

	phone := sit(t, "phone", 360, 780)
	phone.visit(s.url("/t/" + id + "/" + secret))
	phone.styled()
	phone.click(".bar > .menu:last-child > summary")
	if shown := phone.ask("document.querySelector('.keys-open').checkVisibility()"); shown != "false" {
		t.Error("a phone offers help with the keyboard")
	}
}
