package playtest

import "testing"

// eclipsePaper is a table of Eclipse Phase with Anna, who plays Lira, and Boris, who plays Tam.
type eclipsePaper struct {
	paper
	anna, boris           string // what opens their seats
	lira, tam, vera, nils string // characters
	robot                 string // a task
}

func eclipseSkill(name, aptitude, kind string, value int) body {
	return body{"name": name, "aptitude": aptitude, "kind": kind, "value": value}
}

// tests throws a test and leaves what a superior or critical result offers to talk about.
func (p *eclipsePaper) tests(secret, who string, args body, face int, want string) {
	p.t.Helper()
	p.moves(secret, "test", who, args, face)
	for {
		seat, q := "", map[string]any(nil)
		for _, each := range []string{p.anna, p.boris, p.gm} {
			if open := p.must("GET", p.path, each, nil)["questions"].([]any); len(open) > 0 && seat == "" {
				seat, q = each, open[0].(map[string]any)
			}
		}
		if seat == "" {
			break
		}
		answer, _ := q["standard"].(map[string]any)
		for _, member := range []string{"effect", "second"} {
			if answer[member] != nil && answer[member] != "" {
				answer[member] = "nothing"
			}
		}
		p.must("POST", p.path+"/answers", seat, body{"question": q["id"], "answer": answer})
	}
	p.came(want, 0)
}

// opposed has Lira persuade Tam, who resists with Kinesics.
func (p *eclipsePaper) opposed(mine, theirs int) {
	p.t.Helper()
	p.must("POST", p.path+"/moves", p.anna, body{"move": "opposed", "character": p.lira, "args": body{"on": "skill:persuade", "against": p.tam}, "byHand": true})
	p.answers(p.boris, "eclipse.defence", body{"on": "skill:kinesics"})
	p.throws(p.boris, theirs)
	p.throws(p.anna, mine)
}

// Each example that the rules work out, thrown at a table over the API, with what each leaves on the sheets beside it.
func TestEclipseExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := &eclipsePaper{paper: serve(t).opens("eclipse", "uk")}
	p.sets(body{"effects": "ask"})
	var annas, boriss string
	p.anna, annas = p.invites("Анна")
	p.boris, boriss = p.invites("Борис")
	p.lira = p.adds("character", "Ліра", annas, body{
		"aptitudes": body{"cog": 20, "int": 15, "ref": 16, "sav": 10, "som": 15, "wil": 10},
		"skills": []body{
			eclipseSkill("persuade", "sav", "social", 60), eclipseSkill("guns", "ref", "combat", 60), eclipseSkill("perceive", "int", "mental", 30),
			eclipseSkill("athletics", "som", "physical", 30), eclipseSkill("hardware", "cog", "technical", 0),
		},
		"pools": body{"insight": body{"now": 1, "max": 2}, "vigor": body{"now": 2, "max": 3}, "flex": body{"now": 0, "max": 1}},
	})
	p.tam = p.adds("character", "Там", boriss, body{
		"aptitudes": body{"cog": 15, "int": 20, "ref": 20, "sav": 15, "som": 30, "wil": 20},
		"skills":    []body{eclipseSkill("kinesics", "sav", "social", 55), eclipseSkill("perceive", "int", "mental", 50), eclipseSkill("hardware", "cog", "technical", 45)},
	})
	p.vera = p.adds("character", "Віра", "", body{"skills": []body{eclipseSkill("hardware", "cog", "technical", 60)}})
	p.nils = p.adds("character", "Нільс", "", body{"skills": []body{eclipseSkill("hardware", "cog", "technical", 39)}})
	p.robot = p.adds("task", "Робот", "", body{"timeframe": 3, "unit": "hours"})
	p.play(t, []paperStep{
		{"a roll is compared with its target", p.targets},
		{"who lacks a skill defaults to an aptitude or a related skill", p.defaulting},
		{"groups search, push and repair together", p.teamwork},
		{"an opposed test is won by the higher success", p.contests},
		{"points change a throw, and a recharge brings them back", p.points},
		{"a task takes longer or shorter by its results", p.tasks},
		{"offered effects wait for nobody", p.offers},
	})
}

// A target of 60: a 5 and a 3 are 53, and so on. A 0 that is typed is 00.
func (p *eclipsePaper) targets(t *testing.T) {
	for face, want := range map[int]string{
		53: "superior-success", 44: "critical-success", 61: "superior-failure", 7: "success", 88: "critical-failure", 0: "critical-success", 100: "critical-success",
	} {
		p.tests(p.anna, p.lira, body{"on": "skill:persuade"}, face, want)
	}
	// A target of 30.
	for face, want := range map[int]string{31: "superior-failure-2", 67: "failure", 66: "critical-failure"} {
		p.tests(p.anna, p.lira, body{"on": "skill:athletics"}, face, want)
	}
	// 30 × 3 with +30 is 120, where a 99 fails all the same; 30 with −60 and more is −30, where a 00 succeeds.
	p.tests(p.boris, p.tam, body{"on": "check:som", "difficulty": "very-easy"}, 99, "critical-failure")
	hard := body{"on": "skill:athletics", "difficulty": "very-hard", "situation": "major-hindrance", "retries": 1}
	p.tests(p.anna, p.lira, hard, 100, "critical-success")
	p.tests(p.anna, p.lira, hard, 1, "superior-failure-2")
	// +30, +30 and +20 count as +60: 90 of 30.
	p.tests(p.anna, p.lira, body{"on": "skill:perceive", "difficulty": "very-easy", "situation": "major-boon", "also": []body{{"name": "Сенсори", "value": 20}}}, 90, "superior-success-2")
	p.tests(p.anna, p.lira, body{"on": "skill:perceive", "difficulty": "very-easy", "situation": "major-boon", "also": []body{{"name": "Сенсори", "value": 20}}}, 91, "failure")
	p.refused(p.anna, "test", p.lira, body{"on": "skill:perceive", "also": []body{{"name": "Сенсори", "value": 15}}}, "EP-05")
	// 2d10 + 3 with a 5 and a 3 is 11; with a 0, which is 10, it's 16.
	p.moves(p.anna, "damage", p.lira, body{"d10": 2, "bonus": 3}, 5, 3)
	p.came("damage", 11)
	p.moves(p.anna, "damage", p.lira, body{"d10": 2, "bonus": 3}, 0, 3)
	p.came("damage", 16)
	// (15 + 16) ÷ 5 is 7, rounded up.
	p.moves(p.anna, "initiative", p.lira, body{}, 3)
	p.came("initiative", 10)
}

// Tam has no Guns: Reflexes, 20, is what he throws against; a double counts as plain, and 99 as ever.
func (p *eclipsePaper) defaulting(t *testing.T) {
	for face, want := range map[int]string{20: "success", 11: "success", 21: "superior-failure-2", 99: "critical-failure", 100: "success"} {
		p.tests(p.boris, p.tam, body{"on": "lacking:ref"}, face, want)
	}
	// Lira has no Hardware, and mends a gun by Guns, 60, at −10, −20 or −30; by COG, 20, without a modifier.
	for distance, most := range map[string]int{"close": 50, "loose": 40, "far": 30} {
		args := body{"on": "skill:hardware", "defaulting": "related", "related": "skill:guns", "distance": distance}
		p.tests(p.gm, p.lira, args, most-1, map[string]string{"close": "superior-success", "loose": "superior-success", "far": "success"}[distance])
		p.tests(p.gm, p.lira, args, most+1, map[string]string{"close": "superior-failure", "loose": "superior-failure", "far": "superior-failure-2"}[distance])
	}
	p.tests(p.anna, p.lira, body{"on": "skill:hardware"}, 20, "success")
	p.becomes(p.tam, body{"skills": []body{
		eclipseSkill("kinesics", "sav", "social", 55), eclipseSkill("perceive", "int", "mental", 50), eclipseSkill("hardware", "cog", "technical", 45),
		{"name": "psi", "aptitude": "wil", "kind": "psi", "value": 0, "defaultable": false},
	}})
	p.refused(p.boris, "test", p.tam, body{"on": "skill:psi"}, "EP-16")
	p.refused(p.boris, "routine", p.tam, body{"on": "skill:psi"}, "EP-07")
	p.moves(p.boris, "routine", p.tam, body{"on": "skill:hardware"})
	p.came("happens", 0)
}

// Two search a room as one: by the better Perceive, 50, and by the worse, 30, where they're hindered.
func (p *eclipsePaper) teamwork(t *testing.T) {
	p.tests(p.anna, p.lira, body{"on": "skill:perceive", "group": []string{p.tam}}, 49, "superior-success")
	p.tests(p.anna, p.lira, body{"on": "skill:perceive", "group": []string{p.tam}, "hindered": true}, 49, "superior-failure")
	// Four push a door: 30 and 30. Robots are mended together by who has 40 at least.
	p.tests(p.anna, p.lira, body{"on": "skill:athletics", "with": []string{p.tam, p.vera, p.nils}}, 60, "superior-success")
	p.tests(p.anna, p.lira, body{"on": "skill:athletics", "with": []string{p.tam}}, 41, "superior-failure")
	p.tests(p.boris, p.tam, body{"on": "skill:hardware", "with": []string{p.vera}}, 54, "superior-success")
	p.refused(p.boris, "test", p.tam, body{"on": "skill:hardware", "with": []string{p.vera, p.nils}}, "EP-17")
	p.refused(p.gm, "test", p.nils, body{"on": "skill:hardware", "with": []string{p.vera}}, "EP-17")
	// Trying again is −10 each time.
	p.tests(p.anna, p.lira, body{"on": "skill:persuade", "retries": 2}, 41, "superior-failure")
	p.reckoned(p.lira, body{"effects": []body{}, "pools": body{
		"flex": body{"max": 1, "now": 0, "temporary": 0}, "insight": body{"max": 2, "now": 1, "temporary": 0},
		"moxie": body{"max": 0, "now": 0, "temporary": 0}, "vigor": body{"max": 3, "now": 2, "temporary": 0},
	}})
}

// Persuade 60 against Kinesics 55: 45 against 33, which is critical and wins; the game master makes it count for the next test.
func (p *eclipsePaper) contests(t *testing.T) {
	p.opposed(45, 33)
	p.answers(p.gm, "eclipse.critical", body{"effect": "next"})
	p.came("lose", 0)
	p.reckoned(p.tam, body{"effects": []body{{"kind": "next", "n": 20}}})
	p.tests(p.boris, p.tam, body{"on": "skill:perceive"}, 70, "superior-success-2") // 50 + 20
	p.reckoned(p.tam, body{"effects": []body{}})
	// Both succeed: the higher roll. Both fail, or the same: nobody.
	p.opposed(47, 21)
	p.answers(p.anna, "eclipse.superior", body{"effect": "quality", "about": "поручник"})
	p.came("win", 0)
	p.opposed(70, 80)
	p.came("deadlock", 0)
	p.sets(body{"deadlock": "higher"})
	p.opposed(70, 80)
	p.came("lose", 0)
	p.opposed(70, 99) // a critical failure never wins
	p.answers(p.gm, "eclipse.critical", body{"effect": "action"})
	p.came("win", 0)
	p.reckoned(p.tam, body{"effects": []body{{"kind": "lost-action", "n": 0}}})
	p.moves(p.boris, "settle", p.tam, body{"effect": "0"})
	p.reckoned(p.tam, body{"effects": []body{}})
	// What Lira won about the guarantor helps Tam with him, and nothing else unasked.
	p.tests(p.boris, p.tam, body{"on": "skill:kinesics"}, 60, "superior-failure")
	p.tests(p.boris, p.tam, body{"on": "skill:kinesics", "carried": []string{p.lira + "/0"}}, 60, "superior-success")
}

// Guns 60 with a point after the throw: 71 flipped is 17. +20 before it is 80. Two points on REF are +10 until the recharge.
func (p *eclipsePaper) points(t *testing.T) {
	p.moves(p.anna, "test", p.lira, body{"on": "skill:guns"}, 71)
	p.answers(p.anna, "eclipse.point", body{"use": "flip"})
	p.came("success", 0)
	p.tests(p.anna, p.lira, body{"on": "skill:guns", "boost": true}, 80, "superior-success-2")
	p.refused(p.anna, "test", p.lira, body{"on": "skill:guns", "boost": true}, "EP-20") // Vigor is out, and so is Flex
	p.refused(p.anna, "boon", p.lira, body{"aptitude": "ref"}, "EP-20")
	p.reckoned(p.lira, body{"pools": body{
		"flex": body{"max": 1, "now": 0, "temporary": 0}, "insight": body{"max": 2, "now": 1, "temporary": 0},
		"moxie": body{"max": 0, "now": 0, "temporary": 0}, "vigor": body{"max": 3, "now": 0, "temporary": 0},
	}})
	p.moves(p.anna, "short-recharge", p.lira, body{}, 3)
	p.answers(p.anna, "eclipse.split", body{"back": body{"insight": 0, "vigor": 2, "flex": 1}})
	p.moves(p.anna, "boon", p.lira, body{"aptitude": "ref", "points": 2})
	p.tests(p.anna, p.lira, body{"on": "skill:guns"}, 70, "superior-success-2")
	p.moves(p.anna, "short-recharge", p.lira, body{}, 1)
	p.answers(p.anna, "eclipse.split", body{"back": body{"insight": 1, "vigor": 0}})
	p.refused(p.anna, "short-recharge", p.lira, body{}, "EP-21")
	p.moves(p.anna, "long-recharge", p.lira, body{})
	p.reckoned(p.lira, body{"boons": []body{}, "day": body{"long": 1, "short": 2}, "pools": body{
		"flex": body{"max": 1, "now": 1, "temporary": 0}, "insight": body{"max": 2, "now": 2, "temporary": 0},
		"moxie": body{"max": 0, "now": 0, "temporary": 0}, "vigor": body{"max": 3, "now": 3, "temporary": 0},
	}})
}

// A robot takes three hours. A superior failure at 45 costs half of them, and −10; then a superior success takes a quarter off.
func (p *eclipsePaper) tasks(t *testing.T) {
	p.moves(p.boris, "task", p.tam, body{"task": p.robot, "on": "skill:hardware"}, 50)
	p.answers(p.gm, "eclipse.superior", body{"effect": "time"})
	p.reckoned(p.robot, body{"lost": 90, "tries": 1, "state": "open"})
	p.moves(p.boris, "task", p.tam, body{"task": p.robot, "on": "skill:hardware"}, 35)
	p.answers(p.boris, "eclipse.superior", body{"effect": "time"})
	p.reckoned(p.robot, body{"lost": 90, "needs": 135, "state": "running"})
	// Each wound and each trauma takes 10, and the game master's one modifier stands for them all.
	p.becomes(p.tam, body{"wounds": 1, "traumas": 1})
	p.tests(p.boris, p.tam, body{"on": "skill:kinesics"}, 36, "superior-failure")
	p.tests(p.boris, p.tam, body{"on": "skill:kinesics", "health": "overall", "situation": "minor-hindrance"}, 45, "superior-success")
}

// EP-13: where the card offers effects nobody waits, and the next test ends what wasn't taken.
func (p *eclipsePaper) offers(t *testing.T) {
	p.sets(body{"effects": "offer"})
	offered := func(seat string) []any { return p.must("GET", p.path, seat, nil)["offers"].([]any) }
	p.moves(p.anna, "test", p.lira, body{"on": "skill:persuade"}, 53)
	p.answers(p.anna, "eclipse.point", body{"use": "keep"})
	p.came("superior-success", 0)
	if n := len(offered(p.boris)); n != 0 {
		t.Errorf("Boris is offered %d effects of Lira's", n)
	}
	p.must("POST", p.path+"/offers", p.anna, body{"offer": offered(p.anna)[0].(map[string]any)["id"]})
	p.answers(p.anna, "eclipse.superior", body{"effect": "detail"})
	if n := len(offered(p.anna)); n != 0 {
		t.Errorf("%d effects are offered after they were chosen", n)
	}
	p.moves(p.anna, "test", p.lira, body{"on": "skill:persuade"}, 54)
	p.answers(p.anna, "eclipse.point", body{"use": "keep"})
	p.moves(p.anna, "test", p.lira, body{"on": "skill:persuade"}, 10)
	p.answers(p.anna, "eclipse.point", body{"use": "keep"})
	if n := len(offered(p.anna)); n != 0 {
		t.Errorf("%d effects are offered after the next test", n)
	}
}
