//go:build e2e

package playtest

import (
	"strconv"
	"strings"
	"testing"
)

// A name in a right-to-left script doesn't move the number after it, and talk in such a script has
// its own direction.
func TestRightToLeftNamesKeepNumbersInPlace(t *testing.T) {
	t.Parallel()
	s := serve(t)
	created := s.must("POST", "/tables", "", body{"game": "spire", "name": "שולחן 3", "lang": "en"})
	id, secret := created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
	player := s.must("POST", "/tables/"+id+"/seats", secret, body{"name": "שירה", "role": "player"})
	s.must("POST", "/tables/"+id+"/characters", secret,
		body{"name": "דן 🎲", "kind": "character", "sheet": body{}, "owner": player["id"]})
	s.must("POST", "/tables/"+id+"/moves", player["secret"].(string),
		body{"character": "c1", "move": "check", "args": body{}})
	s.must("POST", "/tables/"+id+"/talk", player["secret"].(string), body{"text": "שלום, Anna 7"})
	reader := sit(t, "reader", 1440, 900)
	reader.follows(s.url("/t/" + id + "/" + secret))
	reader.picture("table")
	if way := reader.ask("getComputedStyle(document.querySelector('.said')).unicodeBidi"); way != "plaintext" {
		t.Errorf("what is said stands %s", way)
	}
	reader.visit(s.url("/t/" + id + "/session/1"))
	reader.picture("session")
	// Position of a part of the line about one's luck.
	at := func(piece string) float64 {
		t.Helper()
		place := reader.ask(`(() => {
			const walk = document.createTreeWalker(document.querySelector('[data-lucks]'), NodeFilter.SHOW_TEXT)
			while (walk.nextNode()) {
				const at = walk.currentNode.data.indexOf('` + piece + `')
				if (at < 0 || !walk.currentNode.data.includes('1 roll')) continue
				const range = document.createRange()
				range.setStart(walk.currentNode, at)
				range.setEnd(walk.currentNode, at + 1)
				return range.getBoundingClientRect().left
			}
		})()`)
		left, err := strconv.ParseFloat(strings.TrimSpace(place), 64)
		if err != nil {
			t.Fatalf("%s stands at %q; there is %q", piece, place, reader.text("[data-lucks]"))
		}
		return left
	}
	if name, number := at("שירה"), at("1 roll"); number < name {
		t.Errorf("the number stands at %v, before the name at %v", number, name)
	}
}
