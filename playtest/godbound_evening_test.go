package playtest

import (
	"net/http"
	"testing"
)

// godboundPaper is a table of Godbound with Anna, Boris and Clara, who play Arren, Sefa and Toma.
type godboundPaper struct {
	paper
	anna, boris, clara string // what opens their seats
	arren, sefa, toma  string // heroes
	mob, king, fight   string
	canal, lighthouse  string // projects
}

// A whole evening over the API, with a game master's pencil beside it: three
// heroes, a mob of twelve and a champion with three attacks, four rounds.
func TestGodboundEveningOnPaper(t *testing.T) {
	t.Parallel()
	p := &godboundPaper{paper: serve(t).opens("godbound", "en")}
	p.sets(body{"healing-effort": "ask"})
	var annas, boriss, claras string
	p.anna, annas = p.invites("Anna")
	p.boris, boriss = p.invites("Boris")
	p.clara, claras = p.invites("Clara")
	p.arren = p.adds("hero", "Arren", annas, body{
		"level": 2, "hp": 11, "ac": 4, "bonus": 3, "attributes": body{"strength": 16}, "words": []body{{"name": "Sun"}},
		"weapons": []body{{"name": "Hammer", "dice": "3d8", "attribute": "strength", "melee": true}},
		"gifts": []body{
			{"name": "Ring of Morning", "action": "instant", "cost": "sustained"},
			{"name": "Stride", "action": "on-turn"},
			{"name": "Spear of Noon", "action": "action", "cost": "scene"},
			{"name": "Blow of Noon", "action": "action", "cost": "day"},
		},
		"effort": body{"total": 4}, "influence": body{"total": 3}, "dominion": 2,
	})
	p.sefa = p.adds("hero", "Sefa", boriss, body{
		"level": 2, "hp": 9, "ac": 6, "bonus": 2, "attributes": body{"dexterity": 13}, "words": []body{{"name": "Night"}},
		"weapons": []body{{"name": "Knife", "dice": "1d6", "attribute": "dexterity", "melee": true}},
		"gifts":   []body{{"name": "Warm hands", "action": "action", "cost": "day"}}, "effort": body{"total": 3},
	})
	p.toma = p.adds("hero", "Toma", claras, body{
		"level": 2, "hp": 10, "ac": 7, "bonus": 2, "attributes": body{"strength": 13}, "words": []body{{"name": "Sea"}},
		"weapons": []body{{"name": "Spear", "dice": "1d8", "attribute": "strength", "melee": true}},
		"effort":  body{"total": 2}, "divinity": "free",
	})
	p.mob = p.adds("foe", "Guards", "", body{"hd": 1, "count": 12, "ac": 7, "bonus": 1, "morale": 7, "attacks": []body{{"name": "Spears", "dice": "1d6"}}})
	p.king = p.adds("foe", "King", "", body{
		"hd": 10, "ac": 5, "bonus": 5, "attacks": []body{{"name": "Claws", "dice": "1d10", "times": 2}, {"name": "Bite", "dice": "1d6"}},
	})
	p.fight = p.adds("fight", "Bridge", "", body{})
	p.canal = p.adds("project", "Canal", "", body{"scale": "village", "degree": "improbable"})
	p.play(t, []paperStep{
		{"a player proposes a project without its price", p.proposes},
		{"in the first round gifts and miracles cost Effort", p.firstRound},
		{"in the second round one hero rises in Fury and one falls", p.secondRound},
		{"in the third round a miracle heals and the mob flees", p.thirdRound},
		{"in the fourth round the king is beaten, and time is the game master's", p.fourthRound},
		{"the end of a scene and dawn return Effort", p.rests},
		{"a month pays for projects and a level", p.months},
	})
}

// What a player proposes has no price before the GM has set it.
func (p *godboundPaper) proposes(t *testing.T) {
	proposed := body{"kind": "project", "name": "Lighthouse", "sheet": body{"goal": "Light.", "scale": "village"}}
	if status, refused := p.call("POST", p.path+"/characters", p.anna, proposed); status != http.StatusUnprocessableEntity {
		t.Errorf("a player sets what a change costs: %d %v", status, refused)
	}
	p.lighthouse = p.must("POST", p.path+"/characters", p.anna, body{"kind": "project", "name": "Lighthouse", "sheet": body{"goal": "Light."}})["id"].(string)
}

// Round 1. Of Arren's 4 Effort 1 is sustained and 1 for the scene; the spear's 8 and 3 are 2 + 1. Fray 7 is 2, 8 is 2.
func (p *godboundPaper) firstRound(t *testing.T) {
	p.moves(p.gm, "begin", p.fight, body{"heroes": []string{p.arren, p.sefa, p.toma}, "foes": []string{p.mob, p.king}})
	p.moves(p.anna, "gift", p.arren, body{"gift": "0"})
	p.moves(p.anna, "gift", p.arren, body{"gift": "1"})
	p.moves(p.anna, "gift", p.arren, body{"gift": "2", "targets": []string{p.king}, "dice": "2d8"}, 8, 3)
	p.moves(p.anna, "fray", p.arren, body{"target": p.mob}, 7)
	p.moves(p.boris, "miracle", p.sefa, body{"word": "0", "use": "hinder", "until": "sustained", "targets": []string{p.king}, "text": "Blind"})
	p.moves(p.boris, "fray", p.sefa, body{"target": p.mob}, 8)
	p.moves(p.clara, "attack", p.toma, body{"target": p.king, "weapon": "0"}, 3, 5) // 3 + 2 + 1 + 5 = 11: a miss, and the 5 isn't needed
	p.reckoned(p.king, body{"lost": 3, "bindings": []body{{"by": p.sefa, "name": "Night: Blind", "point": 1}}})
	p.reckoned(p.mob, body{"count": 8})
	status, refused := p.call("POST", p.path+"/moves", p.clara, body{"move": "attack", "character": p.toma, "args": body{"target": p.king, "fight": ""}})
	if status != http.StatusUnprocessableEntity || refused["rule"] != "GB-02" {
		t.Errorf("a second attack outside of the fight: %d %v", status, refused)
	}
	// Four spears at Arren need 15, four at Toma 12: one hit of 6, two of 3 and 6. The king's claws need 11, his bite at Toma 8.
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.gm, "strike", p.mob, body{"target": p.arren, "split": []body{{"target": p.toma, "blows": 4}}}, 15, 2, 3, 4, 12, 2, 2, 20, 6, 3, 6)
	p.moves(p.gm, "strike", p.king, body{"target": p.arren, "split": []body{{"target": p.toma, "attack": "1"}}}, 11, 5, 13, 9, 6)
	p.reckoned(p.arren, body{"lost": 4})
	p.reckoned(p.toma, body{"lost": 5})
}

// Round 2. The blow's 8 is 2. Sefa's hands cost her the day, and Arren his last Effort. Toma hits with 14, and 8 + 1 is 2.
func (p *godboundPaper) secondRound(t *testing.T) {
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.anna, "gift", p.arren, body{"gift": "3", "targets": []string{p.king}, "dice": "1d8"}, 8)
	p.moves(p.boris, "heal", p.sefa, body{"patient": p.arren, "points": 3, "by": "gift:0"})
	p.answers(p.anna, "godbound.accept", body{"accept": true})
	p.answers(p.gm, "godbound.waive", body{"waive": false})
	p.moves(p.clara, "fray", p.toma, body{"target": p.mob}, 4)
	p.moves(p.clara, "attack", p.toma, body{"target": p.king, "weapon": "0"}, 14, 8)
	p.reckoned(p.king, body{"lost": 7})
	p.reckoned(p.arren, body{"lost": 1})
	// Seven spears, six of them hit for 2 each: Arren, at 10, rises with 6. The king fells Toma: 4, 0 and 1 of his 5.
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.gm, "strike", p.mob, body{"target": p.arren}, 20, 19, 18, 17, 16, 15, 2, 6, 6, 6, 6, 6, 6)
	p.answers(p.anna, "godbound.rise", body{"rise": true})
	p.moves(p.gm, "strike", p.king, body{"target": p.toma}, 8, 9, 10, 10, 1, 5)
	p.answers(p.clara, "godbound.rise", body{"rise": false})
	p.reckoned(p.arren, body{"lost": 5, "state": "fury", "rounds": 2, "fury-level": 2})
	p.reckoned(p.toma, body{"lost": 10, "state": "dying"})
}

// Round 3. Arren misses. Sefa lifts Toma by a miracle, the GM waives its price; 4 + 1 on the knife is 1.
func (p *godboundPaper) thirdRound(t *testing.T) {
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.anna, "attack", p.arren, body{"target": p.king, "weapon": "0"}, 2, 8, 6, 2)
	p.moves(p.boris, "heal", p.sefa, body{"patient": p.toma, "points": 4, "by": "word:0", "until": "scene"})
	p.answers(p.clara, "godbound.accept", body{"accept": true})
	p.answers(p.gm, "godbound.waive", body{"waive": true})
	p.moves(p.boris, "attack", p.sefa, body{"target": p.mob, "weapon": "0"}, 10, 4)
	p.moves(p.clara, "miracle", p.toma, body{"word": "0", "use": "guard", "until": "scene"})
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.gm, "morale", p.mob, body{}, 6, 5)
	p.answers(p.gm, "godbound.rout", body{"fate": "flees"})
	p.moves(p.gm, "strike", p.king, body{"target": p.toma}, 5, 6, 7, 3, 4, 5) // AC 3 needs 12: all miss
	p.reckoned(p.toma, body{"lost": 6, "state": "", "guard": true, "guard-point": 1})
	p.reckoned(p.mob, body{"count": 6, "fate": "flees"})
}

// Round 4. 8 + 2 is 4, with 2 and 1 it's 7 of the king's last 3.
func (p *godboundPaper) fourthRound(t *testing.T) {
	p.moves(p.gm, "next", p.fight, body{})
	p.moves(p.anna, "attack", p.arren, body{"target": p.king, "weapon": "0"}, 12, 8, 6, 2)
	p.answers(p.anna, "godbound.die", body{"die": "8"})
	p.answers(p.gm, "godbound.fate", body{"fate": "beaten"})
	p.moves(p.gm, "end", p.fight, body{})
	p.moves(p.anna, "fury", p.arren, body{"fury": "end"})
	p.reckoned(p.arren, body{"lost": 5, "state": "spent", "rounds": 5})
	for _, move := range []string{"rest", "month", "dawn", "scene"} { // time is the GM's
		if status, _ := p.call("POST", p.path+"/moves", p.anna, body{"move": move, "character": p.arren, "args": body{}}); status != http.StatusForbidden {
			t.Errorf("a player makes %s: %d", move, status)
		}
	}
	p.moves(p.anna, "ask", p.arren, body{"time": "dawn"})
}

// The scene's end frees the spear, Sefa's healing and Toma's armour; dawn all but the ring, which Arren keeps. What
// blinded the king ends with Sefa's Effort.
func (p *godboundPaper) rests(t *testing.T) {
	p.moves(p.gm, "scene", "", body{})
	p.reckoned(p.toma, body{"guard": false, "effort": body{"committed": []body{}, "total": 2}})
	p.reckoned(p.king, body{"bindings": []body{{"by": p.sefa, "name": "Night: Blind", "point": 1}}})
	p.moves(p.gm, "dawn", "", body{})
	p.answers(p.anna, "godbound.keep", body{"keep": []string{"0"}})
	p.answers(p.boris, "godbound.keep", body{"keep": []string{}})
	p.reckoned(p.king, body{"bindings": []body{}})
}

// A month of a free divinity on level 2 is 1; the adventure 1, and 1 more for Arren. The canal costs 1 × 2.
func (p *godboundPaper) months(t *testing.T) {
	p.moves(p.gm, "month", p.toma, body{"months": 1})
	p.moves(p.gm, "adventure", "", body{"worthy": []string{p.arren}})
	p.moves(p.anna, "work", p.arren, body{"project": p.canal, "influence": 1, "dominion": 1})
	p.reckoned(p.arren, body{"influence": body{"committed": 1, "total": 3}})
	// What is taken away lets go of its Influence: the lighthouse held 1 more, as it's undone again.
	p.must("PATCH", p.path+"/characters/"+p.lighthouse, p.gm, body{"sheet": body{"scale": "village", "degree": "plausible"}})
	p.moves(p.anna, "work", p.arren, body{"project": p.lighthouse, "influence": 1})
	p.reckoned(p.arren, body{"influence": body{"committed": 2, "total": 3}})
	gone := p.must("DELETE", p.path+"/characters/"+p.lighthouse, p.gm, nil)
	p.reckoned(p.arren, body{"influence": body{"committed": 1, "total": 3}})
	p.must("POST", p.path+"/undo", p.gm, body{"seq": gone["seq"]})
	p.reckoned(p.arren, body{"influence": body{"committed": 2, "total": 3}})
	p.must("DELETE", p.path+"/characters/"+p.lighthouse, p.gm, nil)
	p.moves(p.gm, "close", p.canal, body{"how": "done"})
	p.moves(p.gm, "level", p.arren, body{})
	p.answers(p.anna, "godbound.level-up", body{
		"hp": 15, "bonus": 4, "saves": body{"hardiness": 14, "evasion": 14, "spirit": 14}, "fray": "1d8", "effort": 5, "influence": 3, "gifts": []body{},
	})

	p.reckoned(p.arren, body{
		"level": 3, "hp": 15, "lost": 5, "state": "", "dominion": 3, "influence": body{"committed": 0, "total": 3}, "fury-level": 2,
		"effort": body{"committed": []body{{"for": "Ring of Morning", "n": 1, "purpose": "gift", "stays": false, "until": "sustained"}}, "total": 5},
	})
	p.reckoned(p.sefa, body{"lost": 0, "dominion": 1, "effort": body{"committed": []body{}, "total": 3}})
	p.reckoned(p.toma, body{"lost": 6, "state": "", "dominion": 2, "effort": body{"committed": []body{}, "total": 2}})
	p.reckoned(p.mob, body{"count": 6, "fate": "flees"})
	p.reckoned(p.king, body{"count": 0, "fate": "beaten"})
	p.reckoned(p.canal, body{"over": "done", "paid": []body{{"dominion": 1, "influence": 0, "who": p.arren}}})
}
