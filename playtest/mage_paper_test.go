package playtest

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// magePaper is a table of Mage with Robert, who plays Jago, Jeff, who plays Mary, and a Storyteller.
type magePaper struct {
	paper
	robert, jeff, storyteller                            string // what opens their seats
	jago, mary, cass, nessa, jules, raven, michael, marc string // characters
	thug                                                 string // joins once turns are counted
}

// traits are the arguments of a roll of an attribute and an ability, with more.
func traits(attribute, ability string, more body) body {
	args := body{"attribute": attribute, "ability": ability}
	maps.Copy(args, more)
	return args
}

func computers(more body) body { return traits("intelligence", "computer", more) }

// contest begins a resisted roll. Its dice are asked for once the other side has answered.
func (p *magePaper) contest(secret, who string, args body) {
	p.t.Helper()
	p.must("POST", p.path+"/moves", secret, body{"move": "resisted", "character": who, "args": args, "byHand": true})
}

// Every example that Mage's source works through, and those of its rules, live over the API with a pencil beside them.
func TestMageExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := &magePaper{paper: serve(t).opens("mage", "ru")}
	var roberts, jeffs string
	p.robert, roberts = p.invites("Роберт")
	p.jeff, jeffs = p.invites("Джефф")
	p.storyteller = p.gm
	p.jago = p.adds("character", "Яго", roberts, body{
		"attributes": body{"intelligence": 4, "perception": 4},
		"skills":     []body{{"name": "technology", "dots": 3}},
		"knowledges": []body{{"name": "computer", "dots": 4}, {"name": "investigation", "dots": 1}},
		"willpower":  body{"permanent": 5, "temporary": 5},
	})
	p.mary = p.adds("character", "Мэри Чэнь", jeffs, body{
		"attributes": body{"dexterity": 4}, "talents": []body{{"name": "brawl", "dots": 3}, {"name": "athletics", "dots": 2}},
		"willpower": body{"permanent": 4, "temporary": 4},
	})
	p.cass = p.adds("character", "Кэсс", "", body{"attributes": body{"intelligence": 3}, "knowledges": []body{{"name": "computer", "dots": 3}}})
	p.nessa = p.adds("character", "Несса", "", body{"attributes": body{"perception": 3}, "knowledges": []body{{"name": "investigation", "dots": 3}}})
	p.jules = p.adds("character", "Джулс", "", body{"attributes": body{"perception": 3}, "knowledges": []body{{"name": "investigation", "dots": 1}}})
	p.raven = p.adds("character", "Рейвен", "", body{"attributes": body{"perception": 3}, "talents": []body{{"name": "alertness", "dots": 2}}})
	p.michael = p.adds("character", "Отец Майкл", "", body{"attributes": body{"charisma": 3}, "talents": []body{{"name": "expression", "dots": 2}}})
	p.marc = p.adds("character", "Марк Гиллан", "", body{"attributes": body{"dexterity": 3}, "talents": []body{{"name": "athletics", "dots": 3}}})
	p.play(t, []paperStep{
		{"a roll counts its successes, and ones botch it", p.rolls},
		{"a pool as large as the difficulty succeeds without a roll", p.automatic},
		{"a difficulty above 9 is a threshold", p.thresholds},
		{"another try is harder, until it is the last", p.retries},
		{"where turns are counted, actions are declared and split", p.turns},
		{"who has no action left resists only with leave", p.resisting},
		{"an action is split with a defence out of order", p.chase},
		{"an extended action gathers successes by the day", p.extended},
		{"a botch raises the difficulty of a ritual", p.ritual},
		{"a resisted roll is won by the difference", p.resisted},
		{"a match goes on to its target, and a botch loses what was gathered", p.match},
		{"a team adds its successes up", p.team},
		{"what needs no dice is recorded, and Arete is the Storyteller's to give", p.record},
		{"a called roll takes a player's modifier only with leave", p.called},
		{"a tease fails whatever falls, and players do not learn of it", p.tease},
		{"players see of an NPC what is shown", p.shown},
	})
}

// MG-03: three of seven dice at 6. MG-06: Raven hears a word or two. MG-05: the rule of one. MG-03: tens alone at 10.
func (p *magePaper) rolls(t *testing.T) {
	p.moves(p.robert, "roll", p.jago, traits("perception", "technology", nil), 2, 3, 4, 5, 8, 9, 10)
	p.came("success", 3)
	p.moves(p.storyteller, "roll", p.raven, traits("perception", "alertness", body{"difficulty": 8}), 2, 7, 6, 4, 5)
	p.came("failure", 0)
	p.moves(p.storyteller, "roll", p.raven, traits("perception", "alertness", body{"difficulty": 10}), 9, 9, 10, 2, 3)
	p.came("success", 1)
	p.moves(p.storyteller, "roll", p.raven, traits("perception", "alertness", body{"threshold": 2}), 7, 8, 1, 2, 3)
	p.came("botch", 0)
	p.refused(p.robert, "roll", p.jago, traits("perception", "technology", body{"difficulty": 11}), "MG-03")
}

// MG-07: a pool of 7 meets difficulty 7, not 8, and never in a fight.
func (p *magePaper) automatic(t *testing.T) {
	p.moves(p.robert, "automatic", p.jago, traits("intelligence", "technology", body{"difficulty": 7}))
	p.came("success", 1)
	p.refused(p.robert, "automatic", p.jago, traits("intelligence", "technology", body{"difficulty": 8}), "MG-07")
	p.refused(p.robert, "automatic", p.jago, traits("intelligence", "technology", body{"circumstances": "combat"}), "MG-07")
}

// MG-20: difficulty 8 and an effect of 2 are 9 with a threshold of 1: four successes leave three.
func (p *magePaper) thresholds(t *testing.T) {
	p.moves(p.storyteller, "roll", p.marc, traits("dexterity", "athletics", body{"difficulty": 8, "modifier": 2}), 9, 9, 10, 10, 2, 3)
	p.came("success", 3)
	p.sets(body{"threshold-rule": false})
	p.moves(p.storyteller, "roll", p.marc, traits("dexterity", "athletics", body{"difficulty": 8, "modifier": 2}), 9, 9, 10, 10, 2, 3)
	p.came("success", 2)
	p.sets(body{"threshold-rule": true})
}

// MG-12: Father Michael fails at 6; the next try is at 7, whoever writes its name how.
func (p *magePaper) retries(t *testing.T) {
	p.moves(p.storyteller, "roll", p.michael, traits("charisma", "expression", body{"attempt": "Епископ"}), 2, 3, 4, 5, 5)
	p.came("failure", 0)
	p.reckoned(p.michael, body{"retries": []body{{"attempt": "Епископ", "penalty": 1, "final": false}}})
	p.refused(p.storyteller, "automatic", p.michael, traits("charisma", "expression", body{"difficulty": 5, "attempt": " епископ"}), "MG-07")
	p.moves(p.storyteller, "roll", p.michael, traits("charisma", "expression", body{"attempt": " епископ "}), 6, 6, 5, 4, 3)
	p.came("failure", 0)
	p.reckoned(p.michael, body{"retries": []body{{"attempt": "Епископ", "penalty": 2, "final": false}}})
	p.moves(p.storyteller, "retry", p.michael, body{"attempt": "Епископ", "do": "final"})
	p.refused(p.storyteller, "roll", p.michael, traits("charisma", "expression", body{"attempt": "ЕПИСКОП"}), "MG-12")
}

// MG-10: where nobody counts turns, nothing bounds them. Then Mary declares a jump and two kicks: 3, 3 and 2 dice.
func (p *magePaper) turns(t *testing.T) {
	for left := 3; left > 1; left-- { // MG-08
		p.moves(p.jeff, "roll", p.mary, traits("dexterity", "athletics", body{"willpower": true}), 2, 3, 4, 5, 2, 3)
		p.came("success", 1)
		p.reckoned(p.mary, body{"willpower": body{"temporary": left}})
	}
	p.moves(p.storyteller, "clock", "", body{"to": "turn"})
	p.reckoned(p.mary, body{"clock": body{"turn": 1, "counted": true, "bought": false}})
	p.moves(p.jeff, "declare", p.mary, body{"intents": []body{{"text": "Прыжок"}, {"text": "Пинок"}, {"text": "Ещё пинок"}}})
	due := func(done ...bool) []body {
		var all []body
		for i, text := range []string{"Прыжок", "Пинок", "Ещё пинок"} {
			all = append(all, body{"text": text, "kind": "action", "less": 3 + i, "done": done[i]})
		}
		return all
	}
	p.reckoned(p.mary, body{"actions": due(false, false, false)})
	p.moves(p.jeff, "roll", p.mary, traits("dexterity", "athletics", nil), 2, 3, 1) // she fails to jump, and kicks for all that
	p.came("botch", 0)
	p.reckoned(p.mary, body{"actions": due(true, false, false)})
	guard := p.adds("character", "Охранник", "", body{"attributes": body{"dexterity": 2}, "clock": body{"counted": true}})
	p.contest(p.jeff, p.mary, traits("dexterity", "brawl", body{"against": guard, "willpower": true}))
	p.answers(p.storyteller, "mage.resist", body{"attribute": "dexterity", "ability": "brawl"})
	p.throws(p.jeff, 6, 7, 3)
	p.throws(p.storyteller, 6, 2)
	p.came("win", 2)
	p.reckoned(p.mary, body{"actions": due(true, true, false), "willpower": body{"temporary": 1}})
	p.reckoned(guard, body{"clock": body{"acted": true}})
	p.refused(p.jeff, "roll", p.mary, traits("dexterity", "brawl", body{"willpower": true}), "MG-08")
	p.moves(p.jeff, "roll", p.mary, traits("dexterity", "brawl", body{"modifier": -1}), 5, 4)
	p.came("success", 1)
	p.reckoned(p.mary, body{"actions": due(true, true, true)})
	p.refused(p.jeff, "roll", p.mary, traits("dexterity", "brawl", nil), "MG-10")
	p.refused(p.jeff, "declare", p.mary, body{"intents": []body{{"text": "И ещё"}}}, "MG-10")
}

// MG-09: she can't resist with all 7 for free; with the Storyteller's leave she may, and a roll of Willpower is a reflex.
func (p *magePaper) resisting(t *testing.T) {
	p.thug = p.adds("character", "Громила", "", body{"attributes": body{"dexterity": 1}, "talents": []body{{"name": "brawl", "dots": 1}}})
	p.contest(p.storyteller, p.thug, traits("dexterity", "brawl", body{"against": p.mary}))
	status, refused := p.call("POST", p.path+"/answers", p.jeff, body{"question": p.asked(p.jeff, "mage.resist")["id"], "answer": body{"attribute": "dexterity", "ability": "brawl", "pass": false}})
	if refused["rule"] != "MG-09" {
		t.Errorf("Mary resists for nothing: %d %v", status, refused)
	}
	p.answers(p.jeff, "mage.resist", body{"attribute": "dexterity", "ability": "brawl", "pass": false, "leave": true})
	p.answers(p.storyteller, "mage.leave", body{"allow": false})
	p.answers(p.jeff, "mage.resist", body{"attribute": "", "ability": false, "alone": "willpower", "pass": false})
	p.throws(p.storyteller, 6, 7)
	p.throws(p.jeff, 6, 7, 8, 1)
	p.came("draw", 0)
}

// MG-10: a chase: to drive and to shoot, and to duck in answer to somebody, out of order.
func (p *magePaper) chase(t *testing.T) {
	p.moves(p.storyteller, "clock", "", body{"to": "turn"})
	p.reckoned(p.mary, body{"actions": []body{}, "clock": body{"turn": 2}})
	p.moves(p.jeff, "declare", p.mary, body{"intents": []body{{"text": "Руль"}, {"text": "Выстрел"}, {"text": "Пригнуться", "kind": "defence"}}})
	p.contest(p.storyteller, p.thug, traits("dexterity", "brawl", body{"against": p.mary}))
	p.answers(p.jeff, "mage.resist", body{"attribute": "dexterity", "ability": "brawl", "pass": false})
	p.throws(p.storyteller, 6, 2)
	p.throws(p.jeff, 8, 9)
	p.came("lose", 1)
	p.moves(p.jeff, "roll", p.mary, traits("dexterity", "athletics", nil), 6, 2, 3)
	p.moves(p.jeff, "roll", p.mary, traits("dexterity", "brawl", nil), 6, 7, 3)
	p.came("success", 2)
	p.moves(p.storyteller, "clock", "", body{"to": "scene"})
}

// MG-13: the computer, five successes at 9: 1, 0, 0, 2, 1, 1, on as many days.
func (p *magePaper) extended(t *testing.T) {
	repair := p.adds("extended", "Починка", "", body{"target": 5, "difficulty": 9, "interval": "day"})
	gathered := 0
	for day, faces := range [][]int{{1, 9, 10, 3, 5, 6, 6}, {2, 3, 4, 5, 6, 7, 8}, {2, 2, 3, 4, 5, 6, 7}, {9, 10, 2, 3, 4, 5, 6}, {9, 2, 3, 4, 5, 6, 7}, {10, 2, 3, 4, 5, 6, 7}} {
		p.moves(p.robert, "extended", p.jago, traits("intelligence", "technology", body{"on": repair}), faces...)
		gathered += []int{1, 0, 0, 2, 1, 1}[day]
		p.reckoned(repair, body{"gathered": gathered, "used": day + 1})
	}
	p.came("done", 6)
	p.reckoned(repair, body{"state": "done"})
}

// MG-13: a ritual of five hours whose botch brings another spirit, and is harder from there on.
func (p *magePaper) ritual(t *testing.T) {
	ritual := p.adds("extended", "Призыв", "", body{"target": 5, "difficulty": 8, "limit": 5})
	p.moves(p.robert, "extended", p.jago, traits("intelligence", "technology", body{"on": ritual}), 8, 9, 2, 3, 4, 5, 6)
	p.moves(p.robert, "extended", p.jago, traits("intelligence", "technology", body{"on": ritual}), 1, 2, 3, 4, 5, 6, 7)
	p.answers(p.storyteller, "mage.ruin", body{"do": "raise", "by": 2, "text": "Вместо духа приходит его враг."})
	p.came("botch", 2)
	p.reckoned(ritual, body{"gathered": 0, "used": 2, "difficulty": 8, "raised": 2, "state": "running"})
	p.moves(p.robert, "extended", p.jago, traits("intelligence", "technology", body{"on": ritual}), 9, 9, 10, 2, 3, 4, 5) // 9 and threshold 1
	p.reckoned(ritual, body{"gathered": 2})
}

// MG-14: four successes of Jago's against two of Cass's.
func (p *magePaper) resisted(t *testing.T) {
	p.contest(p.robert, p.jago, computers(body{"against": p.cass, "difficulty": 7, "against-difficulty": 7}))
	p.answers(p.storyteller, "mage.resist", computers(nil))
	p.throws(p.robert, 7, 8, 9, 10, 2, 3, 4, 5)
	p.throws(p.storyteller, 7, 8, 2, 3, 4, 5)
	p.came("win", 2)
}

// MG-15: a boxing match to five. Five against four is one; then a botch loses what was gathered.
func (p *magePaper) match(t *testing.T) {
	match := p.adds("extended", "Бой", "", body{"target": 5, "difficulty": 7, "rival-goal": "own", "rival-target": 3})
	round := func(own, other []int) {
		t.Helper()
		p.contest(p.robert, p.jago, computers(body{"against": p.cass, "on": match}))
		p.answers(p.storyteller, "mage.resist", computers(nil))
		p.throws(p.robert, own...)
		p.throws(p.storyteller, other...)
	}
	round([]int{7, 7, 8, 9, 10, 2, 3, 4}, []int{7, 8, 9, 10, 2, 3})
	p.reckoned(match, body{"gathered": 1, "opposed": 0, "first": p.jago, "second": p.cass})
	round([]int{1, 2, 3, 4, 5, 6, 2, 3}, []int{7, 8, 2, 3, 4, 5})
	p.answers(p.storyteller, "mage.ruin", body{"do": "raise", "by": 1})
	p.came("lose", 2)
	p.reckoned(match, body{"gathered": 0, "opposed": 2, "raised": 1, "rival-raised": 0})
	round([]int{7, 7, 8, 2, 2, 2, 2, 2}, []int{7, 7, 2, 2, 2, 2}) // Jago's at 8 now
	p.reckoned(match, body{"gathered": 0, "opposed": 3, "state": "lost"})
}

// MG-16: five successes are needed to find a trace; two, three and none are just enough.
func (p *magePaper) team(t *testing.T) {
	search := traits("perception", "investigation", body{"with": []string{p.nessa, p.jules}, "difficulty": 7, "needs": 5})
	p.moves(p.robert, "team", p.jago, search, 7, 4, 1, 9, 8)
	join := func(name string, faces ...int) {
		t.Helper()
		for _, each := range p.must("GET", p.path, p.storyteller, nil)["questions"].([]any) {
			q := each.(map[string]any)
			if q["question"] == "mage.join" && q["to"] == name {
				p.must("POST", p.path+"/answers", p.storyteller, body{"question": q["id"], "answer": traits("perception", "investigation", nil)})
				p.throws(p.storyteller, faces...)
				return
			}
		}
		t.Errorf("nobody asks %s to join", name)
	}
	join(p.nessa, 2, 8, 10, 6, 6, 7)
	join(p.jules, 5, 3, 4, 4)
	p.came("success", 5)
}

// MG-31: what needs no dice. MG-01: Arete is the Storyteller's to give.
func (p *magePaper) record(t *testing.T) {
	p.moves(p.storyteller, "record", p.jago, body{"how": "impossible", "text": "Земля всё так же кружит вокруг Солнца."})
	p.came("impossible", 0)
	p.refused(p.robert, "gain", p.jago, body{"points": "arete"}, "MG-01")
	if status, _ := p.call("PATCH", p.path+"/characters/"+p.jago, p.robert, body{"sheet": body{"arete": 9}}); status < 400 {
		t.Error("a player writes Arete on the sheet")
	}
	if status, answer := p.call("POST", p.path+"/characters", p.robert, body{"kind": "character", "name": "Лоренцо", "sheet": body{"arete": 9}}); status < 400 {
		t.Error("a player adds a character with Arete 9:", fmt.Sprint(answer))
	}
	p.must("POST", p.path+"/characters", p.robert, body{"kind": "character", "name": "Лоренцо", "sheet": body{"attributes": body{"wits": 4}}})
	p.moves(p.storyteller, "arete", p.jago, body{"arete": 3})
	p.reckoned(p.jago, body{"arete": 3})
}

// MG-32: a called roll at 8 takes no modifier of the player's without leave.
func (p *magePaper) called(t *testing.T) {
	p.must("POST", p.path+"/calls", p.storyteller, body{"move": "roll", "character": p.mary, "args": body{"difficulty": 8}})
	p.must("POST", p.path+"/moves", p.jeff, body{"move": "roll", "character": p.mary, "args": traits("dexterity", "brawl", body{"difficulty": 8, "modifier": -5}), "byHand": true})
	p.answers(p.storyteller, "mage.added", body{"allow": false})
	p.throws(p.jeff, 3, 4, 5, 6, 7, 2, 2)
	p.came("failure", 0)
}

// MG-03: a tease fails whatever falls. Players don't learn of the flag, and can't set it.
func (p *magePaper) tease(t *testing.T) {
	p.moves(p.storyteller, "roll", p.mary, traits("dexterity", "brawl", body{"tease": true}), 10, 10, 10, 10, 10, 10, 10)
	p.came("failure", 0)
	if log := p.must("GET", p.path+"/log?limit=1000", p.jeff, nil); strings.Contains(fmt.Sprint(log), "tease:true") {
		t.Error("a player reads that a throw was a tease")
	}
	if log := p.must("GET", p.path+"/log?limit=1000", p.storyteller, nil); !strings.Contains(fmt.Sprint(log), "tease:true") {
		t.Error("the Storyteller doesn't read that a throw was a tease")
	}
	if status, _ := p.call("POST", p.path+"/moves", p.jeff, made("roll", p.mary, traits("dexterity", "brawl", body{"tease": true}), nil)); status < 400 {
		t.Error("a player teases")
	}
}

// MG-33: players see of the Storyteller's characters what is shown, and resist them all the same.
func (p *magePaper) shown(t *testing.T) {
	vane := p.adds("npc", "Вейн", "", body{"attributes": body{"wits": 4}, "shows": body{"attributes": true}})
	for seat, sees := range map[string]bool{p.jeff: false, p.storyteller: true} {
		for _, each := range p.must("GET", p.path, seat, nil)["characters"].([]any) {
			c := each.(map[string]any)
			shown := fmt.Sprint(c["sheet"])
			if c["id"] == vane && (strings.Contains(shown, "arete:") != sees || !strings.Contains(shown, "wits:4")) {
				t.Errorf("seen of an NPC: %s", shown)
			}
		}
	}
}
