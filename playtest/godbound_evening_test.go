package playtest

import (
	"net/http"
	"testing"
)

// A whole evening over the API, with a game master's pencil beside it: three
// heroes, a mob of twelve and a champion with three attacks, four rounds.
func TestGodboundEveningOnPaper(t *testing.T) {
	t.Parallel()
	g := serve(t).opens("godbound", "en")
	g.sets(body{"healing-effort": "ask"})
	anna, annas := g.invites("Anna")
	boris, boriss := g.invites("Boris")
	clara, claras := g.invites("Clara")
	arren := g.adds("hero", "Arren", annas, body{
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
	sefa := g.adds("hero", "Sefa", boriss, body{
		"level": 2, "hp": 9, "ac": 6, "bonus": 2, "attributes": body{"dexterity": 13}, "words": []body{{"name": "Night"}},
		"weapons": []body{{"name": "Knife", "dice": "1d6", "attribute": "dexterity", "melee": true}},
		"gifts":   []body{{"name": "Warm hands", "action": "action", "cost": "day"}}, "effort": body{"total": 3},
	})
	toma := g.adds("hero", "Toma", claras, body{
		"level": 2, "hp": 10, "ac": 7, "bonus": 2, "attributes": body{"strength": 13}, "words": []body{{"name": "Sea"}},
		"weapons": []body{{"name": "Spear", "dice": "1d8", "attribute": "strength", "melee": true}},
		"effort":  body{"total": 2}, "divinity": "free",
	})
	mob := g.adds("foe", "Guards", "", body{"hd": 1, "count": 12, "ac": 7, "bonus": 1, "morale": 7, "attacks": []body{{"name": "Spears", "dice": "1d6"}}})
	king := g.adds("foe", "King", "", body{
		"hd": 10, "ac": 5, "bonus": 5, "attacks": []body{{"name": "Claws", "dice": "1d10", "times": 2}, {"name": "Bite", "dice": "1d6"}},
	})
	fight := g.adds("fight", "Bridge", "", body{})
	canal := g.adds("project", "Canal", "", body{"scale": "village", "degree": "improbable"})

	// What a player proposes has no price before the GM has set it.
	proposed := body{"kind": "project", "name": "Lighthouse", "sheet": body{"goal": "Light.", "scale": "village"}}
	if status, refused := g.call("POST", g.path+"/characters", anna, proposed); status != http.StatusUnprocessableEntity {
		t.Errorf("a player sets what a change costs: %d %v", status, refused)
	}
	lighthouse := g.must("POST", g.path+"/characters", anna, body{"kind": "project", "name": "Lighthouse", "sheet": body{"goal": "Light."}})["id"].(string)

	// Round 1. Of Arren's 4 Effort 1 is sustained and 1 for the scene; the spear's 8 and 3 are 2 + 1. Fray 7 is 2, 8 is 2.
	g.moves(g.gm, "begin", fight, body{"heroes": []string{arren, sefa, toma}, "foes": []string{mob, king}})
	g.moves(anna, "gift", arren, body{"gift": "0"})
	g.moves(anna, "gift", arren, body{"gift": "1"})
	g.moves(anna, "gift", arren, body{"gift": "2", "targets": []string{king}, "dice": "2d8"}, 8, 3)
	g.moves(anna, "fray", arren, body{"target": mob}, 7)
	g.moves(boris, "miracle", sefa, body{"word": "0", "use": "hinder", "until": "sustained", "targets": []string{king}, "text": "Blind"})
	g.moves(boris, "fray", sefa, body{"target": mob}, 8)
	g.moves(clara, "attack", toma, body{"target": king, "weapon": "0"}, 3, 5) // 3 + 2 + 1 + 5 = 11: a miss, and the 5 isn't needed
	g.reckoned(king, body{"lost": 3, "bindings": []body{{"by": sefa, "name": "Night: Blind", "point": 1}}})
	g.reckoned(mob, body{"count": 8})
	status, refused := g.call("POST", g.path+"/moves", clara, body{"move": "attack", "character": toma, "args": body{"target": king, "fight": ""}})
	if status != http.StatusUnprocessableEntity || refused["rule"] != "GB-02" {
		t.Errorf("a second attack outside of the fight: %d %v", status, refused)
	}
	// Four spears at Arren need 15, four at Toma 12: one hit of 6, two of 3 and 6. The king's claws need 11, his bite at Toma 8.
	g.moves(g.gm, "next", fight, body{})
	g.moves(g.gm, "strike", mob, body{"target": arren, "split": []body{{"target": toma, "blows": 4}}}, 15, 2, 3, 4, 12, 2, 2, 20, 6, 3, 6)
	g.moves(g.gm, "strike", king, body{"target": arren, "split": []body{{"target": toma, "attack": "1"}}}, 11, 5, 13, 9, 6)
	g.reckoned(arren, body{"lost": 4})
	g.reckoned(toma, body{"lost": 5})

	// Round 2. The blow's 8 is 2. Sefa's hands cost her the day, and Arren his last Effort. Toma hits with 14, and 8 + 1 is 2.
	g.moves(g.gm, "next", fight, body{})
	g.moves(anna, "gift", arren, body{"gift": "3", "targets": []string{king}, "dice": "1d8"}, 8)
	g.moves(boris, "heal", sefa, body{"patient": arren, "points": 3, "by": "gift:0"})
	g.answers(anna, "godbound.accept", body{"accept": true})
	g.answers(g.gm, "godbound.waive", body{"waive": false})
	g.moves(clara, "fray", toma, body{"target": mob}, 4)
	g.moves(clara, "attack", toma, body{"target": king, "weapon": "0"}, 14, 8)
	g.reckoned(king, body{"lost": 7})
	g.reckoned(arren, body{"lost": 1})
	// Seven spears, six of them hit for 2 each: Arren, at 10, rises with 6. The king fells Toma: 4, 0 and 1 of his 5.
	g.moves(g.gm, "next", fight, body{})
	g.moves(g.gm, "strike", mob, body{"target": arren}, 20, 19, 18, 17, 16, 15, 2, 6, 6, 6, 6, 6, 6)
	g.answers(anna, "godbound.rise", body{"rise": true})
	g.moves(g.gm, "strike", king, body{"target": toma}, 8, 9, 10, 10, 1, 5)
	g.answers(clara, "godbound.rise", body{"rise": false})
	g.reckoned(arren, body{"lost": 5, "state": "fury", "rounds": 2, "fury-level": 2})
	g.reckoned(toma, body{"lost": 10, "state": "dying"})

	// Round 3. Arren misses. Sefa lifts Toma by a miracle, the GM waives its price; 4 + 1 on the knife is 1.
	g.moves(g.gm, "next", fight, body{})
	g.moves(anna, "attack", arren, body{"target": king, "weapon": "0"}, 2, 8, 6, 2)
	g.moves(boris, "heal", sefa, body{"patient": toma, "points": 4, "by": "word:0", "until": "scene"})
	g.answers(clara, "godbound.accept", body{"accept": true})
	g.answers(g.gm, "godbound.waive", body{"waive": true})
	g.moves(boris, "attack", sefa, body{"target": mob, "weapon": "0"}, 10, 4)
	g.moves(clara, "miracle", toma, body{"word": "0", "use": "guard", "until": "scene"})
	g.moves(g.gm, "next", fight, body{})
	g.moves(g.gm, "morale", mob, body{}, 6, 5)
	g.answers(g.gm, "godbound.rout", body{"fate": "flees"})
	g.moves(g.gm, "strike", king, body{"target": toma}, 5, 6, 7, 3, 4, 5) // AC 3 needs 12: all miss
	g.reckoned(toma, body{"lost": 6, "state": "", "guard": true, "guard-point": 1})
	g.reckoned(mob, body{"count": 6, "fate": "flees"})

	// Round 4. 8 + 2 is 4, with 2 and 1 it's 7 of the king's last 3.
	g.moves(g.gm, "next", fight, body{})
	g.moves(anna, "attack", arren, body{"target": king, "weapon": "0"}, 12, 8, 6, 2)
	g.answers(anna, "godbound.die", body{"die": "8"})
	g.answers(g.gm, "godbound.fate", body{"fate": "beaten"})
	g.moves(g.gm, "end", fight, body{})
	g.moves(anna, "fury", arren, body{"fury": "end"})
	g.reckoned(arren, body{"lost": 5, "state": "spent", "rounds": 5})
	for _, move := range []string{"rest", "month", "dawn", "scene"} { // time is the GM's
		if status, _ := g.call("POST", g.path+"/moves", anna, body{"move": move, "character": arren, "args": body{}}); status != http.StatusForbidden {
			t.Errorf("a player makes %s: %d", move, status)
		}
	}
	g.moves(anna, "ask", arren, body{"time": "dawn"})

	// The scene's end frees the spear, Sefa's healing and Toma's armour; dawn all but the ring, which Arren keeps. What
	// blinded the king ends with Sefa's Effort.
	g.moves(g.gm, "scene", "", body{})
	g.reckoned(toma, body{"guard": false, "effort": body{"committed": []body{}, "total": 2}})
	g.reckoned(king, body{"bindings": []body{{"by": sefa, "name": "Night: Blind", "point": 1}}})
	g.moves(g.gm, "dawn", "", body{})
	g.answers(anna, "godbound.keep", body{"keep": []string{"0"}})
	g.answers(boris, "godbound.keep", body{"keep": []string{}})
	g.reckoned(king, body{"bindings": []body{}})

	// A month of a free divinity on level 2 is 1; the adventure 1, and 1 more for Arren. The canal costs 1 × 2.
	g.moves(g.gm, "month", toma, body{"months": 1})
	g.moves(g.gm, "adventure", "", body{"worthy": []string{arren}})
	g.moves(anna, "work", arren, body{"project": canal, "influence": 1, "dominion": 1})
	g.reckoned(arren, body{"influence": body{"committed": 1, "total": 3}})
	// What is taken away lets go of its Influence: the lighthouse held 1 more, as it's undone again.
	g.must("PATCH", g.path+"/characters/"+lighthouse, g.gm, body{"sheet": body{"scale": "village", "degree": "plausible"}})
	g.moves(anna, "work", arren, body{"project": lighthouse, "influence": 1})
	g.reckoned(arren, body{"influence": body{"committed": 2, "total": 3}})
	gone := g.must("DELETE", g.path+"/characters/"+lighthouse, g.gm, nil)
	g.reckoned(arren, body{"influence": body{"committed": 1, "total": 3}})
	g.must("POST", g.path+"/undo", g.gm, body{"seq": gone["seq"]})
	g.reckoned(arren, body{"influence": body{"committed": 2, "total": 3}})
	g.must("DELETE", g.path+"/characters/"+lighthouse, g.gm, nil)
	g.moves(g.gm, "close", canal, body{"how": "done"})
	g.moves(g.gm, "level", arren, body{})
	g.answers(anna, "godbound.level-up", body{
		"hp": 15, "bonus": 4, "saves": body{"hardiness": 14, "evasion": 14, "spirit": 14}, "fray": "1d8", "effort": 5, "influence": 3, "gifts": []body{},
	})

	g.reckoned(arren, body{
		"level": 3, "hp": 15, "lost": 5, "state": "", "dominion": 3, "influence": body{"committed": 0, "total": 3}, "fury-level": 2,
		"effort": body{"committed": []body{{"for": "Ring of Morning", "n": 1, "purpose": "gift", "stays": false, "until": "sustained"}}, "total": 5},
	})
	g.reckoned(sefa, body{"lost": 0, "dominion": 1, "effort": body{"committed": []body{}, "total": 3}})
	g.reckoned(toma, body{"lost": 6, "state": "", "dominion": 2, "effort": body{"committed": []body{}, "total": 2}})
	g.reckoned(mob, body{"count": 6, "fate": "flees"})
	g.reckoned(king, body{"count": 0, "fate": "beaten"})
	g.reckoned(canal, body{"over": "done", "paid": []body{{"dominion": 1, "influence": 0, "who": arren}}})
}
