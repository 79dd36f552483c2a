package playtest

import (
	"fmt"
	"strings"
	"testing"
)

// Every example that Mage's source works through, and those of its rules, live over the API with a pencil beside them.
func TestMageExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("mage", "ru")
	robert, roberts := p.invites("Роберт")
	jeff, jeffs := p.invites("Джефф")
	storyteller := p.gm
	jago := p.adds("character", "Яго", roberts, body{
		"attributes": body{"intelligence": 4, "perception": 4},
		"skills":     []body{{"name": "technology", "dots": 3}},
		"knowledges": []body{{"name": "computer", "dots": 4}, {"name": "investigation", "dots": 1}},
		"willpower":  body{"permanent": 5, "temporary": 5},
	})
	mary := p.adds("character", "Мэри Чэнь", jeffs, body{
		"attributes": body{"dexterity": 4}, "talents": []body{{"name": "brawl", "dots": 3}, {"name": "athletics", "dots": 2}},
		"willpower": body{"permanent": 4, "temporary": 4},
	})
	cass := p.adds("character", "Кэсс", "", body{"attributes": body{"intelligence": 3}, "knowledges": []body{{"name": "computer", "dots": 3}}})
	nessa := p.adds("character", "Несса", "", body{"attributes": body{"perception": 3}, "knowledges": []body{{"name": "investigation", "dots": 3}}})
	jules := p.adds("character", "Джулс", "", body{"attributes": body{"perception": 3}, "knowledges": []body{{"name": "investigation", "dots": 1}}})
	raven := p.adds("character", "Рейвен", "", body{"attributes": body{"perception": 3}, "talents": []body{{"name": "alertness", "dots": 2}}})
	michael := p.adds("character", "Отец Майкл", "", body{"attributes": body{"charisma": 3}, "talents": []body{{"name": "expression", "dots": 2}}})
	marc := p.adds("character", "Марк Гиллан", "", body{"attributes": body{"dexterity": 3}, "talents": []body{{"name": "athletics", "dots": 3}}})
	with := func(attribute, ability string, more body) body {
		args := body{"attribute": attribute, "ability": ability}
		for name, value := range more {
			args[name] = value
		}
		return args
	}

	contest := func(secret, who string, args body) { // dice are asked for once the other side has answered
		t.Helper()
		p.must("POST", p.path+"/moves", secret, body{"move": "resisted", "character": who, "args": args, "byHand": true})
	}

	// MG-03: three of seven dice at 6. MG-06: Raven hears a word or two. MG-05: the rule of one. MG-03: tens alone at 10.
	p.moves(robert, "roll", jago, with("perception", "technology", nil), 2, 3, 4, 5, 8, 9, 10)
	p.came("success", 3)
	p.moves(storyteller, "roll", raven, with("perception", "alertness", body{"difficulty": 8}), 2, 7, 6, 4, 5)
	p.came("failure", 0)
	p.moves(storyteller, "roll", raven, with("perception", "alertness", body{"difficulty": 10}), 9, 9, 10, 2, 3)
	p.came("success", 1)
	p.moves(storyteller, "roll", raven, with("perception", "alertness", body{"threshold": 2}), 7, 8, 1, 2, 3)
	p.came("botch", 0)
	p.refused(robert, "roll", jago, with("perception", "technology", body{"difficulty": 11}), "MG-03")

	// MG-07: a pool of 7 meets difficulty 7, not 8, and never in a fight.
	p.moves(robert, "automatic", jago, with("intelligence", "technology", body{"difficulty": 7}))
	p.came("success", 1)
	p.refused(robert, "automatic", jago, with("intelligence", "technology", body{"difficulty": 8}), "MG-07")
	p.refused(robert, "automatic", jago, with("intelligence", "technology", body{"circumstances": "combat"}), "MG-07")

	// MG-20: difficulty 8 and an effect of 2 are 9 with a threshold of 1: four successes leave three.
	p.moves(storyteller, "roll", marc, with("dexterity", "athletics", body{"difficulty": 8, "modifier": 2}), 9, 9, 10, 10, 2, 3)
	p.came("success", 3)
	p.sets(body{"threshold-rule": false})
	p.moves(storyteller, "roll", marc, with("dexterity", "athletics", body{"difficulty": 8, "modifier": 2}), 9, 9, 10, 10, 2, 3)
	p.came("success", 2)
	p.sets(body{"threshold-rule": true})

	// MG-12: Father Michael fails at 6; the next try is at 7, whoever writes its name how.
	p.moves(storyteller, "roll", michael, with("charisma", "expression", body{"attempt": "Епископ"}), 2, 3, 4, 5, 5)
	p.came("failure", 0)
	p.reckoned(michael, body{"retries": []body{{"attempt": "Епископ", "penalty": 1, "final": false}}})
	p.refused(storyteller, "automatic", michael, with("charisma", "expression", body{"difficulty": 5, "attempt": " епископ"}), "MG-07")
	p.moves(storyteller, "roll", michael, with("charisma", "expression", body{"attempt": " епископ "}), 6, 6, 5, 4, 3)
	p.came("failure", 0)
	p.reckoned(michael, body{"retries": []body{{"attempt": "Епископ", "penalty": 2, "final": false}}})
	p.moves(storyteller, "retry", michael, body{"attempt": "Епископ", "do": "final"})
	p.refused(storyteller, "roll", michael, with("charisma", "expression", body{"attempt": "ЕПИСКОП"}), "MG-12")

	// MG-10: where nobody counts turns, nothing bounds them. Then Mary declares a jump and two kicks: 3, 3 and 2 dice.
	for left := 3; left > 1; left-- { // MG-08
		p.moves(jeff, "roll", mary, with("dexterity", "athletics", body{"willpower": true}), 2, 3, 4, 5, 2, 3)
		p.came("success", 1)
		p.reckoned(mary, body{"willpower": body{"temporary": left}})
	}
	p.moves(storyteller, "clock", "", body{"to": "turn"})
	p.reckoned(mary, body{"clock": body{"turn": 1, "counted": true, "bought": false}})
	p.moves(jeff, "declare", mary, body{"intents": []body{{"text": "Прыжок"}, {"text": "Пинок"}, {"text": "Ещё пинок"}}})
	due := func(done ...bool) []body {
		var all []body
		for i, text := range []string{"Прыжок", "Пинок", "Ещё пинок"} {
			all = append(all, body{"text": text, "kind": "action", "less": 3 + i, "done": done[i]})
		}
		return all
	}
	p.reckoned(mary, body{"actions": due(false, false, false)})
	p.moves(jeff, "roll", mary, with("dexterity", "athletics", nil), 2, 3, 1) // she fails to jump, and kicks for all that
	p.came("botch", 0)
	p.reckoned(mary, body{"actions": due(true, false, false)})
	guard := p.adds("character", "Охранник", "", body{"attributes": body{"dexterity": 2}, "clock": body{"counted": true}})
	contest(jeff, mary, with("dexterity", "brawl", body{"against": guard, "willpower": true}))
	p.answers(storyteller, "mage.resist", body{"attribute": "dexterity", "ability": "brawl"})
	p.throws(jeff, 6, 7, 3)
	p.throws(storyteller, 6, 2)
	p.came("win", 2)
	p.reckoned(mary, body{"actions": due(true, true, false), "willpower": body{"temporary": 1}})
	p.reckoned(guard, body{"clock": body{"acted": true}})
	p.refused(jeff, "roll", mary, with("dexterity", "brawl", body{"willpower": true}), "MG-08")
	p.moves(jeff, "roll", mary, with("dexterity", "brawl", body{"modifier": -1}), 5, 4)
	p.came("success", 1)
	p.reckoned(mary, body{"actions": due(true, true, true)})
	p.refused(jeff, "roll", mary, with("dexterity", "brawl", nil), "MG-10")
	p.refused(jeff, "declare", mary, body{"intents": []body{{"text": "И ещё"}}}, "MG-10")

	// MG-09: she can't resist with all 7 for free; with the Storyteller's leave she may, and a roll of Willpower is a reflex.
	thug := p.adds("character", "Громила", "", body{"attributes": body{"dexterity": 1}, "talents": []body{{"name": "brawl", "dots": 1}}})
	contest(storyteller, thug, with("dexterity", "brawl", body{"against": mary}))
	status, refused := p.call("POST", p.path+"/answers", jeff, body{"question": p.asked(jeff, "mage.resist")["id"], "answer": body{"attribute": "dexterity", "ability": "brawl", "pass": false}})
	if refused["rule"] != "MG-09" {
		t.Errorf("Mary resists for nothing: %d %v", status, refused)
	}
	p.answers(jeff, "mage.resist", body{"attribute": "dexterity", "ability": "brawl", "pass": false, "leave": true})
	p.answers(storyteller, "mage.leave", body{"allow": false})
	p.answers(jeff, "mage.resist", body{"attribute": "", "ability": false, "alone": "willpower", "pass": false})
	p.throws(storyteller, 6, 7)
	p.throws(jeff, 6, 7, 8, 1)
	p.came("draw", 0)

	// MG-10: a chase: to drive and to shoot, and to duck in answer to somebody, out of order.
	p.moves(storyteller, "clock", "", body{"to": "turn"})
	p.reckoned(mary, body{"actions": []body{}, "clock": body{"turn": 2}})
	p.moves(jeff, "declare", mary, body{"intents": []body{{"text": "Руль"}, {"text": "Выстрел"}, {"text": "Пригнуться", "kind": "defence"}}})
	contest(storyteller, thug, with("dexterity", "brawl", body{"against": mary}))
	p.answers(jeff, "mage.resist", body{"attribute": "dexterity", "ability": "brawl", "pass": false})
	p.throws(storyteller, 6, 2)
	p.throws(jeff, 8, 9)
	p.came("lose", 1)
	p.moves(jeff, "roll", mary, with("dexterity", "athletics", nil), 6, 2, 3)
	p.moves(jeff, "roll", mary, with("dexterity", "brawl", nil), 6, 7, 3)
	p.came("success", 2)
	p.moves(storyteller, "clock", "", body{"to": "scene"})

	// MG-13: the computer, five successes at 9: 1, 0, 0, 2, 1, 1, on as many days.
	repair := p.adds("extended", "Починка", "", body{"target": 5, "difficulty": 9, "interval": "day"})
	gathered := 0
	for day, faces := range [][]int{{1, 9, 10, 3, 5, 6, 6}, {2, 3, 4, 5, 6, 7, 8}, {2, 2, 3, 4, 5, 6, 7}, {9, 10, 2, 3, 4, 5, 6}, {9, 2, 3, 4, 5, 6, 7}, {10, 2, 3, 4, 5, 6, 7}} {
		p.moves(robert, "extended", jago, with("intelligence", "technology", body{"on": repair}), faces...)
		gathered += []int{1, 0, 0, 2, 1, 1}[day]
		p.reckoned(repair, body{"gathered": gathered, "used": day + 1})
	}
	p.came("done", 6)
	p.reckoned(repair, body{"state": "done"})

	// MG-13: a ritual of five hours whose botch brings another spirit, and is harder from there on.
	ritual := p.adds("extended", "Призыв", "", body{"target": 5, "difficulty": 8, "limit": 5})
	p.moves(robert, "extended", jago, with("intelligence", "technology", body{"on": ritual}), 8, 9, 2, 3, 4, 5, 6)
	p.moves(robert, "extended", jago, with("intelligence", "technology", body{"on": ritual}), 1, 2, 3, 4, 5, 6, 7)
	p.answers(storyteller, "mage.ruin", body{"do": "raise", "by": 2, "text": "Вместо духа приходит его враг."})
	p.came("botch", 2)
	p.reckoned(ritual, body{"gathered": 0, "used": 2, "difficulty": 8, "raised": 2, "state": "running"})
	p.moves(robert, "extended", jago, with("intelligence", "technology", body{"on": ritual}), 9, 9, 10, 2, 3, 4, 5) // 9 and threshold 1
	p.reckoned(ritual, body{"gathered": 2})

	// MG-14: four successes of Jago's against two of Cass's.
	computers := func(more body) body { return with("intelligence", "computer", more) }
	contest(robert, jago, computers(body{"against": cass, "difficulty": 7, "against-difficulty": 7}))
	p.answers(storyteller, "mage.resist", computers(nil))
	p.throws(robert, 7, 8, 9, 10, 2, 3, 4, 5)
	p.throws(storyteller, 7, 8, 2, 3, 4, 5)
	p.came("win", 2)

	// MG-15: a boxing match to five. Five against four is one; then a botch loses what was gathered.
	match := p.adds("extended", "Бой", "", body{"target": 5, "difficulty": 7, "rival-goal": "own", "rival-target": 3})
	round := func(own, other []int) {
		t.Helper()
		contest(robert, jago, computers(body{"against": cass, "on": match}))
		p.answers(storyteller, "mage.resist", computers(nil))
		p.throws(robert, own...)
		p.throws(storyteller, other...)
	}
	round([]int{7, 7, 8, 9, 10, 2, 3, 4}, []int{7, 8, 9, 10, 2, 3})
	p.reckoned(match, body{"gathered": 1, "opposed": 0, "first": jago, "second": cass})
	round([]int{1, 2, 3, 4, 5, 6, 2, 3}, []int{7, 8, 2, 3, 4, 5})
	p.answers(storyteller, "mage.ruin", body{"do": "raise", "by": 1})
	p.came("lose", 2)
	p.reckoned(match, body{"gathered": 0, "opposed": 2, "raised": 1, "rival-raised": 0})
	round([]int{7, 7, 8, 2, 2, 2, 2, 2}, []int{7, 7, 2, 2, 2, 2}) // Jago's at 8 now
	p.reckoned(match, body{"gathered": 0, "opposed": 3, "state": "lost"})

	// MG-16: five successes are needed to find a trace; two, three and none are just enough.
	search := with("perception", "investigation", body{"with": []string{nessa, jules}, "difficulty": 7, "needs": 5})
	p.moves(robert, "team", jago, search, 7, 4, 1, 9, 8)
	join := func(name string, faces ...int) {
		t.Helper()
		for _, each := range p.must("GET", p.path, storyteller, nil)["questions"].([]any) {
			q := each.(map[string]any)
			if q["question"] == "mage.join" && q["to"] == name {
				p.must("POST", p.path+"/answers", storyteller, body{"question": q["id"], "answer": with("perception", "investigation", nil)})
				p.throws(storyteller, faces...)
				return
			}
		}
		t.Errorf("nobody asks %s to join", name)
	}
	join(nessa, 2, 8, 10, 6, 6, 7)
	join(jules, 5, 3, 4, 4)
	p.came("success", 5)

	// MG-31: what needs no dice. MG-01: Arete is the Storyteller's to give.
	p.moves(storyteller, "record", jago, body{"how": "impossible", "text": "Земля всё так же кружит вокруг Солнца."})
	p.came("impossible", 0)
	p.refused(robert, "gain", jago, body{"points": "arete"}, "MG-01")
	if status, _ := p.call("PATCH", p.path+"/characters/"+jago, robert, body{"sheet": body{"arete": 9}}); status < 400 {
		t.Error("a player writes Arete on the sheet")
	}
	if status, answer := p.call("POST", p.path+"/characters", robert, body{"kind": "character", "name": "Лоренцо", "sheet": body{"arete": 9}}); status < 400 {
		t.Error("a player adds a character with Arete 9:", fmt.Sprint(answer))
	}
	p.must("POST", p.path+"/characters", robert, body{"kind": "character", "name": "Лоренцо", "sheet": body{"attributes": body{"wits": 4}}})
	p.moves(storyteller, "arete", jago, body{"arete": 3})
	p.reckoned(jago, body{"arete": 3})

	// MG-32: a called roll at 8 takes no modifier of the player's without leave.
	p.must("POST", p.path+"/calls", storyteller, body{"move": "roll", "character": mary, "args": body{"difficulty": 8}})
	p.must("POST", p.path+"/moves", jeff, body{"move": "roll", "character": mary, "args": with("dexterity", "brawl", body{"difficulty": 8, "modifier": -5}), "byHand": true})
	p.answers(storyteller, "mage.added", body{"allow": false})
	p.throws(jeff, 3, 4, 5, 6, 7, 2, 2)
	p.came("failure", 0)

	// MG-03: a tease fails whatever falls. Players don't learn of the flag, and can't set it.
	p.moves(storyteller, "roll", mary, with("dexterity", "brawl", body{"tease": true}), 10, 10, 10, 10, 10, 10, 10)
	p.came("failure", 0)
	if log := p.must("GET", p.path+"/log?limit=1000", jeff, nil); strings.Contains(fmt.Sprint(log), "tease:true") {
		t.Error("a player reads that a throw was a tease")
	}
	if log := p.must("GET", p.path+"/log?limit=1000", storyteller, nil); !strings.Contains(fmt.Sprint(log), "tease:true") {
		t.Error("the Storyteller doesn't read that a throw was a tease")
	}
	if status, _ := p.call("POST", p.path+"/moves", jeff, made("roll", mary, with("dexterity", "brawl", body{"tease": true}), nil)); status < 400 {
		t.Error("a player teases")
	}

	// MG-33: players see of the Storyteller's characters what is shown, and resist them all the same.
	vane := p.adds("npc", "Вейн", "", body{"attributes": body{"wits": 4}, "shows": body{"attributes": true}})
	for seat, sees := range map[string]bool{jeff: false, storyteller: true} {
		for _, each := range p.must("GET", p.path, seat, nil)["characters"].([]any) {
			c := each.(map[string]any)
			shown := fmt.Sprint(c["sheet"])
			if c["id"] == vane && (strings.Contains(shown, "arete:") != sees || !strings.Contains(shown, "wits:4")) {
				t.Errorf("seen of an NPC: %s", shown)
			}
		}
	}
}
