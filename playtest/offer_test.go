//go:build e2e

package playtest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// A move's offers are on its card for the players who may take them. They can be taken by a press,
// by a line and by the API, return after each undo, disappear with their move, and the table's file
// can be verified.
func TestOfferIsTakenAndReturnsAfterAnUndo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	path := "/tables/" + table.id
	guard := s.must("POST", path+"/characters", table.secret, body{"name": "Gatekeeper", "kind": "npc"})["id"].(string)
	gm, anna := sit(t, "gm", 1366, 768), phone(t, "anna", 360, 780)
	gm.follows(table.gm)
	anna.follows(table.anna)
	made := s.must("POST", path+"/moves", table.secret,
		body{"move": "check", "character": table.cast[0], "args": body{"against": guard}, "dice": []int{10}})
	card := "#" + made["move"].(string)
	offer := card + " .offer button"
	undo := func() {
		entries := s.must("GET", path+"/log", table.secret, nil)["entries"].([]any)
		s.must("POST", path+"/undo", table.secret, body{"seq": entries[len(entries)-1].(map[string]any)["seq"]})
	}
	anna.sees(card, "")
	if anna.ask("document.querySelector('.offer') === null") != "true" {
		t.Error("a player is offered what is the game master's")
	}
	for name, take := range map[string]func(){
		"press": func() { gm.click(offer) },
		"line":  func() { gm.says("/take") },
		"API": func() {
			id := s.must("GET", path, table.secret, nil)["offers"].([]any)[0].(map[string]any)["id"]
			s.must("POST", path+"/offers", table.secret, body{"offer": id})
		},
	} {
		gm.sees(offer, "Whom: Gatekeeper")
		gm.picture("offered")
		take()
		gm.gone(offer)
		gm.sees("#log .card:last-child", "Gatekeeper: stress +1")
		gm.picture("taken by " + name)
		undo()
	}
	gm.sees(offer, "Whom: Gatekeeper")
	s.must("POST", path+"/undo", table.secret, body{"seq": made["seq"]})
	gm.gone(offer)

	s.kill()
	file := filepath.Join(t.TempDir(), "offers.jsonl")
	for _, args := range [][]string{{"export", "--data", s.dir, "--table", table.id, "--out", file}, {"verify", file}} {
		if said, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			t.Errorf("norn %s says %s", args[0], said)
		}
	}
}
