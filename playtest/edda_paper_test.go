package playtest

import "testing"

// What the Edda's source says of its numbers, and the examples that its rules work through, live over the API with a pencil
// beside them.
func TestEddaExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("edda", "ru")
	fate := p.gm
	anna, annas := p.invites("Анна")
	boris, boriss := p.invites("Борис")
	clara, claras := p.invites("Клара")
	asta := p.adds("hero", "Аста", annas, body{
		"strengths": []body{{"name": "Знает лёд", "steps": 3}, {"name": "Поёт", "steps": 2}},
		"weakness":  body{"text": "Боится темноты", "marks": 3},
		"memories":  []body{{"text": "Переправа деда", "calls": 3}},
	})
	jon := p.adds("hero", "Йон", boriss, body{"strengths": []body{{"name": "Держит верёвку", "steps": 3}, {"name": "Смеётся", "steps": 2}}, "experience": 15})
	mia := p.adds("hero", "Мия", claras, body{"strengths": []body{{"name": "Песни", "steps": 1}}})
	frost := p.adds("fated", "Мороз", "", body{"dice": 3})
	of := func(list ...string) []string { return append([]string{}, list...) }
	gives := func(name string, n int, kind string) body { return body{"name": name, "kind": kind, "size": n} }
	noEffort := func(secret string) { t.Helper(); p.answers(secret, "edda.effort", body{"pay": "none"}) }

	// Pool 5, dice 5 2 6 1 3: 2 successes. Complexity 3 is a fiasco, 2 a success, and 1 leaves a surplus.
	for complexity, outcome := range map[int]string{1: "success", 2: "success", 3: "fiasco"} {
		p.moves(anna, "act", asta, body{"strengths": of("0", "1"), "complexity": complexity}, 5, 2, 6, 1, 3)
		noEffort(anna)
		if outcome == "fiasco" {
			p.answers(fate, "edda.condition", body{"write": false})
		}
		p.came(outcome, 2)
	}
	p.reckoned(asta, body{"conditions": []body{}, "experience": 0, "weakness": body{"text": "Боится темноты", "marks": 3}})

	// The same with 2 1 3 thrown again, 6 4 5: 4. It's paid by a call on the memory, the next by fatigue; one an action.
	p.moves(anna, "act", asta, body{"strengths": of("0", "1"), "complexity": 3}, 5, 2, 6, 1, 3)
	p.answers(anna, "edda.effort", body{"pay": "memory", "memory": "0"})
	p.throws(anna, 6, 4, 5)
	p.came("success", 4)
	p.reckoned(asta, body{"memories": []body{{"text": "Переправа деда", "calls": 4}}})
	p.moves(anna, "act", asta, body{"strengths": of("0"), "complexity": 3}, 1, 1, 1)
	p.answers(anna, "edda.effort", body{"pay": "condition"})
	p.throws(anna, 5, 5, 6)
	p.came("success", 3)
	p.reckoned(asta, body{"conditions": []body{gives("fatigue", 1, "body")}})

	// Steps 3 + 2, fatigue 1, the weakness 3, a difficulty 1, an advantage 2, gear 1: 3 dice. What is for one action is over.
	p.becomes(asta, body{"gear": []body{{"name": "Коньки", "dice": 1, "strengths": []body{}}}})
	p.moves(fate, "set", asta, body{"sort": "difficulty", "name": "Ветер", "size": 1})
	p.moves(fate, "set", asta, body{"sort": "advantage", "name": "Луна", "size": 2})
	p.moves(anna, "act", asta, body{"strengths": of("0", "1"), "weakness": true, "gear": of("0")}, 1, 2, 3)
	noEffort(anna)
	p.answers(fate, "edda.condition", body{"write": true, "condition": "fatigue", "size": 2})
	p.came("fiasco", 0)
	// A weakness of 3 marks and a fiasco: experience 3, 1 mark left. Like conditions add up.
	p.reckoned(asta, body{
		"experience": 3, "weakness": body{"text": "Боится темноты", "marks": 1}, "conditions": []body{gives("fatigue", 3, "body")},
		"difficulties": []body{}, "advantages": []body{},
	})
	// A success marks the scale once more, at six no more.
	for marks, then := range map[int]int{1: 2, 6: 6} {
		p.becomes(asta, body{"weakness": body{"marks": marks}, "conditions": []body{}, "gear": []body{}})
		p.moves(anna, "act", asta, body{"strengths": of("0", "1"), "weakness": true, "miracle": "dice", "bonus": 6}, []int{5, 1, 1, 1, 1, 1, 1, 1, 1, 1}[:11-marks]...)
		noEffort(anna)
		p.came("success", 1)
		p.reckoned(asta, body{"weakness": body{"text": "Боится темноты", "marks": then}})
	}

	// 18 experience and 5 for a fifth call: 20, and 3 are lost.
	p.becomes(asta, body{"experience": 18, "weakness": body{"marks": 1}})
	p.moves(anna, "act", asta, body{"strengths": of("0")}, 1, 1, 1)
	p.answers(anna, "edda.effort", body{"pay": "memory", "memory": "0"})
	p.throws(anna, 6, 1, 1)
	p.answers(anna, "edda.rethink", body{"take": "experience"})
	p.came("success", 1)
	p.reckoned(asta, body{"experience": 20, "memories": []body{}})
	// 10 are a step, three at most; 5 restore what has faded.
	p.moves(anna, "spend", asta, body{"on": "step", "strength": "1"})
	p.refused(anna, "spend", asta, body{"on": "step", "strength": "0"}, "ED-19")
	p.becomes(asta, body{"strengths": []body{{"name": "Знает лёд", "steps": 3}, {"name": "Поёт", "steps": 3, "faded": true}}})
	p.moves(anna, "spend", asta, body{"on": "restore", "strength": "1"})
	p.moves(anna, "spend", asta, body{"on": "reword-weakness", "words": "Не любит темноты"})
	p.answers(fate, "edda.reword", body{"agree": true})
	p.reckoned(asta, body{"experience": 0, "weakness": body{"text": "Не любит темноты", "marks": 1}})
	p.refused(anna, "spend", asta, body{"on": "step", "strength": "1"}, "ED-19")

	// 3 successes, 1 success and a fiasco: 1. Each plans before any die falls.
	p.must("POST", p.path+"/moves", anna, body{"move": "joint", "character": asta, "byHand": true, "args": body{"strengths": of("0"), "with": of(jon, mia)}})
	for _, other := range []string{boris, clara} {
		p.answers(other, "edda.plan", body{"strengths": of("0")})
	}
	p.throws(anna, 5, 6, 5)
	p.throws(boris, 6, 1, 2)
	noEffort(boris)
	p.throws(clara, 4)
	noEffort(clara)
	p.answers(fate, "edda.condition", body{"write": true, "condition": "Стыд", "kind": "mind", "size": 2})
	p.came("success", 1)
	p.reckoned(mia, body{"conditions": []body{gives("Стыд", 2, "mind")}})
	// Against somebody: 4 of theirs and 1 of Frost's leave 3, and Fate makes them his condition.
	p.must("POST", p.path+"/moves", anna, body{"move": "joint", "character": asta, "byHand": true, "args": body{"strengths": of("0"), "with": of(jon), "against": frost}})
	p.answers(boris, "edda.plan", body{"strengths": of("0")})
	p.throws(anna, 5, 6, 5)
	p.throws(boris, 6, 1, 2)
	noEffort(boris)
	p.throws(fate, 5, 1, 1)
	noEffort(fate)
	p.answers(fate, "edda.yield", body{"becomes": "condition", "condition": "Ярость", "kind": "mind"})
	p.came("win", 3)
	p.reckoned(frost, body{"conditions": []body{gives("Ярость", 3, "mind")}})
	p.becomes(frost, body{"conditions": []body{}})

	// Successes cancel one for one: 2 against 2 is a draw; 3 against 1 leaves Jon a condition of 2, or a difficulty, or Asta an advantage.
	contest := func(mine, theirs []int) {
		t.Helper()
		p.must("POST", p.path+"/moves", anna, body{"move": "contest", "character": asta, "byHand": true, "args": body{"strengths": of("0"), "against": jon}})
		p.answers(boris, "edda.plan", body{"strengths": of("0")})
		p.throws(anna, mine...)
		p.throws(boris, theirs...)
	}
	contest([]int{5, 6, 1}, []int{6, 6, 2})
	noEffort(anna)
	noEffort(boris)
	p.came("draw", 0)
	contest([]int{5, 6, 6}, []int{6, 1, 2})
	noEffort(boris)
	p.answers(fate, "edda.yield", body{"becomes": "condition", "condition": "Ушиб"})
	p.came("win", 2)
	p.reckoned(jon, body{"conditions": []body{gives("Ушиб", 2, "body")}})
	contest([]int{5, 6, 6}, []int{1}) // 3 less the bruise
	noEffort(boris)
	p.answers(fate, "edda.yield", body{"becomes": "advantage", "called": "Йон на снегу"})
	p.came("win", 3)
	p.reckoned(asta, body{"advantages": []body{{"name": "Йон на снегу", "size": 3, "lasts": "once"}}})
	p.becomes(asta, body{"advantages": []body{}})

	// Each success of a helper is a die, and none takes one away; without a strength there's no help.
	p.refused(boris, "help", jon, body{"helped": asta, "strengths": of()}, "ED-08")
	p.moves(boris, "help", jon, body{"helped": asta, "strengths": of("0"), "conditions": of(), "deed": "Держит"}, 5, 6, 1)
	noEffort(boris)
	p.came("helps", 2)
	p.reckoned(asta, body{"advantages": []body{{"name": "Держит", "size": 2, "lasts": "once"}}})
	p.moves(clara, "help", mia, body{"helped": asta, "strengths": of("0"), "conditions": of(), "deed": "Поёт"}, 2)
	noEffort(clara)
	p.answers(fate, "edda.condition", body{"write": false})
	p.reckoned(asta, body{"difficulties": []body{{"name": "Поёт", "size": 1, "lasts": "once"}}})
	p.moves(anna, "act", asta, body{"strengths": of("0")}, 1, 1, 1, 5) // 3 + 2 − 1
	noEffort(anna)
	p.reckoned(asta, body{"advantages": []body{}, "difficulties": []body{}})

	// Attempts: 0, then 2 of 2.
	p.moves(anna, "act", asta, body{"strengths": of("0"), "complexity": 2, "attempts": 2, "time": "час"}, 1, 1, 1)
	noEffort(anna)
	p.answers(anna, "edda.again", body{"again": true})
	p.throws(anna, 5, 6, 1)
	noEffort(anna)
	p.came("success", 2)

	// Each success takes a step off a condition.
	p.moves(anna, "mend", asta, body{"eased": jon + ":0", "strengths": of("0")}, 5, 1, 1)
	noEffort(anna)
	p.came("eased", 1)
	p.reckoned(jon, body{"conditions": []body{gives("Ушиб", 1, "body")}})
	p.moves(fate, "lift", jon, body{"eased": "0"})
	p.reckoned(jon, body{"conditions": []body{}})
	// Bodily conditions of 6 together put him out, or a mental one above 5; different ones of the mind don't add up.
	p.moves(fate, "afflict", jon, body{"name": "Страх", "kind": "mind", "size": 5})
	p.moves(fate, "afflict", jon, body{"name": "Тоска", "kind": "mind", "size": 5})
	p.moves(fate, "afflict", jon, body{"name": "Ушиб", "size": 3})
	p.moves(boris, "act", jon, body{"strengths": of("0"), "conditions": of()}, 5, 5, 5)
	p.moves(fate, "afflict", jon, body{"name": "Голод", "size": 3})
	p.refused(boris, "act", jon, body{"strengths": of("0")}, "ED-11")
	p.moves(anna, "mend", asta, body{"eased": jon + ":3", "strengths": of("0")}, 5, 1, 1)
	noEffort(anna)
	p.moves(boris, "act", jon, body{"strengths": of("0"), "conditions": of()}, 5, 5, 5)
	p.becomes(jon, body{"conditions": []body{gives("Страх", 5, "mind")}})
	p.moves(fate, "afflict", jon, body{"name": "Страх", "kind": "mind", "size": 1})
	p.refused(boris, "act", jon, body{"strengths": of("0")}, "ED-11")

	// A strength fades: one success for sure and six dice, and the impossible if Fate agrees. It isn't used any more.
	p.becomes(jon, body{"conditions": []body{}, "experience": 4})
	p.must("POST", p.path+"/moves", boris, body{
		"move": "act", "character": jon, "byHand": true, "args": body{"strengths": of("0"), "fade": "1", "miracle": "both", "complexity": 3},
	})
	p.answers(fate, "edda.miracle", body{"agree": true})
	p.throws(boris, 5, 6, 1, 1, 1, 1, 1, 1, 1)
	noEffort(boris)
	p.came("success", 3)
	p.refused(boris, "act", jon, body{"strengths": of("1")}, "ED-22")
	// The last one: oblivion.
	p.moves(boris, "act", jon, body{"fade": "0", "miracle": "dice"}, 5, 1, 1, 1, 1, 1)
	noEffort(boris)
	p.came("success", 2)
	p.refused(boris, "act", jon, body{}, "ED-23")
	// A thirteenth strength, a fourth memory.
	many := make([]body, 13)
	for i := range many {
		many[i] = body{"name": "Сила", "steps": 0}
	}
	if status, refused := p.call("PATCH", p.path+"/characters/"+mia, clara, body{"sheet": body{"strengths": many}}); status != 422 || refused["rule"] != "ED-17" {
		t.Errorf("a thirteenth strength: %d %v", status, refused)
	}
	for range 3 {
		p.moves(clara, "remember", mia, body{"memory": "Первая звезда"})
	}
	p.refused(clara, "remember", mia, body{"memory": "Вторая звезда"}, "ED-14")
}
