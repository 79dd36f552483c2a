package playtest

import "testing"

// eddaPaper is a table of the Edda with Anna, Boris and Clara, who play Asta, Jon and Mia, and Fate.
type eddaPaper struct {
	paper
	fate, anna, boris, clara string // what opens their seats
	asta, jon, mia, frost    string // characters
}

func of(list ...string) []string { return append([]string{}, list...) }

// condition is a condition on a sheet.
func condition(name string, size int, kind string) body {
	return body{"name": name, "kind": kind, "size": size}
}

// noEffort pays for no special effort.
func (p *eddaPaper) noEffort(secret string) {
	p.t.Helper()
	p.answers(secret, "edda.effort", body{"pay": "none"})
}

// contest has Asta compete with Jon.
func (p *eddaPaper) contest(mine, theirs []int) {
	p.t.Helper()
	p.must("POST", p.path+"/moves", p.anna, body{"move": "contest", "character": p.asta, "byHand": true, "args": body{"strengths": of("0"), "against": p.jon}})
	p.answers(p.boris, "edda.plan", body{"strengths": of("0")})
	p.throws(p.anna, mine...)
	p.throws(p.boris, theirs...)
}

// What the Edda's source says of its numbers, and the examples that its rules work through, live over the API with a pencil
// beside them.
func TestEddaExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := &eddaPaper{paper: serve(t).opens("edda", "ru")}
	p.fate = p.gm
	var annas, boriss, claras string
	p.anna, annas = p.invites("Анна")
	p.boris, boriss = p.invites("Борис")
	p.clara, claras = p.invites("Клара")
	p.asta = p.adds("hero", "Аста", annas, body{
		"strengths": []body{{"name": "Знает лёд", "steps": 3}, {"name": "Поёт", "steps": 2}},
		"weakness":  body{"text": "Боится темноты", "marks": 3},
		"memories":  []body{{"text": "Переправа деда", "calls": 3}},
	})
	p.jon = p.adds("hero", "Йон", boriss, body{"strengths": []body{{"name": "Держит верёвку", "steps": 3}, {"name": "Смеётся", "steps": 2}}, "experience": 15})
	p.mia = p.adds("hero", "Мия", claras, body{"strengths": []body{{"name": "Песни", "steps": 1}}})
	p.frost = p.adds("fated", "Мороз", "", body{"dice": 3})
	p.play(t, []paperStep{
		{"an action counts its successes against its complexity", p.actions},
		{"an effort throws again and is paid for", p.efforts},
		{"a pool has its steps, conditions and gear, and what is for one action is over", p.pool},
		{"experience is gained, bounded and spent", p.experience},
		{"a joint action adds up what each throws", p.joint},
		{"a contest is won by the difference", p.contests},
		{"help gives a die for each success", p.help},
		{"a second attempt follows a fiasco", p.attempts},
		{"conditions are eased, and put somebody out", p.conditions},
		{"a strength fades for a miracle, and the last is oblivion", p.fading},
	})
}

// Pool 5, dice 5 2 6 1 3: 2 successes. Complexity 3 is a fiasco, 2 a success, and 1 leaves a surplus.
func (p *eddaPaper) actions(t *testing.T) {
	for complexity, outcome := range map[int]string{1: "success", 2: "success", 3: "fiasco"} {
		p.moves(p.anna, "act", p.asta, body{"strengths": of("0", "1"), "complexity": complexity}, 5, 2, 6, 1, 3)
		p.noEffort(p.anna)
		if outcome == "fiasco" {
			p.answers(p.fate, "edda.condition", body{"write": false})
		}
		p.came(outcome, 2)
	}
	p.reckoned(p.asta, body{"conditions": []body{}, "experience": 0, "weakness": body{"text": "Боится темноты", "marks": 3}})
}

// The same with 2 1 3 thrown again, 6 4 5: 4. It's paid by a call on the memory, the next by fatigue; one an action.
func (p *eddaPaper) efforts(t *testing.T) {
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0", "1"), "complexity": 3}, 5, 2, 6, 1, 3)
	p.answers(p.anna, "edda.effort", body{"pay": "memory", "memory": "0"})
	p.throws(p.anna, 6, 4, 5)
	p.came("success", 4)
	p.reckoned(p.asta, body{"memories": []body{{"text": "Переправа деда", "calls": 4}}})
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0"), "complexity": 3}, 1, 1, 1)
	p.answers(p.anna, "edda.effort", body{"pay": "condition"})
	p.throws(p.anna, 5, 5, 6)
	p.came("success", 3)
	p.reckoned(p.asta, body{"conditions": []body{condition("fatigue", 1, "body")}})
}

// Steps 3 + 2, fatigue 1, the weakness 3, a difficulty 1, an advantage 2, gear 1: 3 dice. What is for one action is over.
func (p *eddaPaper) pool(t *testing.T) {
	p.becomes(p.asta, body{"gear": []body{{"name": "Коньки", "dice": 1, "strengths": []body{}}}})
	p.moves(p.fate, "set", p.asta, body{"sort": "difficulty", "name": "Ветер", "size": 1})
	p.moves(p.fate, "set", p.asta, body{"sort": "advantage", "name": "Луна", "size": 2})
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0", "1"), "weakness": true, "gear": of("0")}, 1, 2, 3)
	p.noEffort(p.anna)
	p.answers(p.fate, "edda.condition", body{"write": true, "condition": "fatigue", "size": 2})
	p.came("fiasco", 0)
	// A weakness of 3 marks and a fiasco: experience 3, 1 mark left. Like conditions add up.
	p.reckoned(p.asta, body{
		"experience": 3, "weakness": body{"text": "Боится темноты", "marks": 1}, "conditions": []body{condition("fatigue", 3, "body")},
		"difficulties": []body{}, "advantages": []body{},
	})
	// A success marks the scale once more, at six no more.
	for marks, then := range map[int]int{1: 2, 6: 6} {
		p.becomes(p.asta, body{"weakness": body{"marks": marks}, "conditions": []body{}, "gear": []body{}})
		p.moves(p.anna, "act", p.asta, body{"strengths": of("0", "1"), "weakness": true, "miracle": "dice", "bonus": 6}, []int{5, 1, 1, 1, 1, 1, 1, 1, 1, 1}[:11-marks]...)
		p.noEffort(p.anna)
		p.came("success", 1)
		p.reckoned(p.asta, body{"weakness": body{"text": "Боится темноты", "marks": then}})
	}
}

// 18 experience and 5 for a fifth call: 20, and 3 are lost.
func (p *eddaPaper) experience(t *testing.T) {
	p.becomes(p.asta, body{"experience": 18, "weakness": body{"marks": 1}})
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0")}, 1, 1, 1)
	p.answers(p.anna, "edda.effort", body{"pay": "memory", "memory": "0"})
	p.throws(p.anna, 6, 1, 1)
	p.answers(p.anna, "edda.rethink", body{"take": "experience"})
	p.came("success", 1)
	p.reckoned(p.asta, body{"experience": 20, "memories": []body{}})
	// 10 are a step, three at most; 5 restore what has faded.
	p.moves(p.anna, "spend", p.asta, body{"on": "step", "strength": "1"})
	p.refused(p.anna, "spend", p.asta, body{"on": "step", "strength": "0"}, "ED-19")
	p.becomes(p.asta, body{"strengths": []body{{"name": "Знает лёд", "steps": 3}, {"name": "Поёт", "steps": 3, "faded": true}}})
	p.moves(p.anna, "spend", p.asta, body{"on": "restore", "strength": "1"})
	p.moves(p.anna, "spend", p.asta, body{"on": "reword-weakness", "words": "Не любит темноты"})
	p.answers(p.fate, "edda.reword", body{"agree": true})
	p.reckoned(p.asta, body{"experience": 0, "weakness": body{"text": "Не любит темноты", "marks": 1}})
	p.refused(p.anna, "spend", p.asta, body{"on": "step", "strength": "1"}, "ED-19")
}

// 3 successes, 1 success and a fiasco: 1. Each plans before any die falls.
func (p *eddaPaper) joint(t *testing.T) {
	p.must("POST", p.path+"/moves", p.anna, body{"move": "joint", "character": p.asta, "byHand": true, "args": body{"strengths": of("0"), "with": of(p.jon, p.mia)}})
	for _, other := range []string{p.boris, p.clara} {
		p.answers(other, "edda.plan", body{"strengths": of("0")})
	}
	p.throws(p.anna, 5, 6, 5)
	p.throws(p.boris, 6, 1, 2)
	p.noEffort(p.boris)
	p.throws(p.clara, 4)
	p.noEffort(p.clara)
	p.answers(p.fate, "edda.condition", body{"write": true, "condition": "Стыд", "kind": "mind", "size": 2})
	p.came("success", 1)
	p.reckoned(p.mia, body{"conditions": []body{condition("Стыд", 2, "mind")}})
	// Against somebody: 4 of theirs and 1 of Frost's leave 3, and Fate makes them his condition.
	p.must("POST", p.path+"/moves", p.anna, body{"move": "joint", "character": p.asta, "byHand": true, "args": body{"strengths": of("0"), "with": of(p.jon), "against": p.frost}})
	p.answers(p.boris, "edda.plan", body{"strengths": of("0")})
	p.throws(p.anna, 5, 6, 5)
	p.throws(p.boris, 6, 1, 2)
	p.noEffort(p.boris)
	p.throws(p.fate, 5, 1, 1)
	p.noEffort(p.fate)
	p.answers(p.fate, "edda.yield", body{"becomes": "condition", "condition": "Ярость", "kind": "mind"})
	p.came("win", 3)
	p.reckoned(p.frost, body{"conditions": []body{condition("Ярость", 3, "mind")}})
	p.becomes(p.frost, body{"conditions": []body{}})
}

// Successes cancel one for one: 2 against 2 is a draw; 3 against 1 leaves Jon a condition of 2, or a difficulty, or Asta an advantage.
func (p *eddaPaper) contests(t *testing.T) {
	p.contest([]int{5, 6, 1}, []int{6, 6, 2})
	p.noEffort(p.anna)
	p.noEffort(p.boris)
	p.came("draw", 0)
	p.contest([]int{5, 6, 6}, []int{6, 1, 2})
	p.noEffort(p.boris)
	p.answers(p.fate, "edda.yield", body{"becomes": "condition", "condition": "Ушиб"})
	p.came("win", 2)
	p.reckoned(p.jon, body{"conditions": []body{condition("Ушиб", 2, "body")}})
	p.contest([]int{5, 6, 6}, []int{1}) // 3 less the bruise
	p.noEffort(p.boris)
	p.answers(p.fate, "edda.yield", body{"becomes": "advantage", "called": "Йон на снегу"})
	p.came("win", 3)
	p.reckoned(p.asta, body{"advantages": []body{{"name": "Йон на снегу", "size": 3, "lasts": "once"}}})
	p.becomes(p.asta, body{"advantages": []body{}})
}

// Each success of a helper is a die, and none takes one away; without a strength there's no help.
func (p *eddaPaper) help(t *testing.T) {
	p.refused(p.boris, "help", p.jon, body{"helped": p.asta, "strengths": of()}, "ED-08")
	p.moves(p.boris, "help", p.jon, body{"helped": p.asta, "strengths": of("0"), "conditions": of(), "deed": "Держит"}, 5, 6, 1)
	p.noEffort(p.boris)
	p.came("helps", 2)
	p.reckoned(p.asta, body{"advantages": []body{{"name": "Держит", "size": 2, "lasts": "once"}}})
	p.moves(p.clara, "help", p.mia, body{"helped": p.asta, "strengths": of("0"), "conditions": of(), "deed": "Поёт"}, 2)
	p.noEffort(p.clara)
	p.answers(p.fate, "edda.condition", body{"write": false})
	p.reckoned(p.asta, body{"difficulties": []body{{"name": "Поёт", "size": 1, "lasts": "once"}}})
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0")}, 1, 1, 1, 5) // 3 + 2 − 1
	p.noEffort(p.anna)
	p.reckoned(p.asta, body{"advantages": []body{}, "difficulties": []body{}})
}

// Attempts: 0, then 2 of 2.
func (p *eddaPaper) attempts(t *testing.T) {
	p.moves(p.anna, "act", p.asta, body{"strengths": of("0"), "complexity": 2, "attempts": 2, "time": "час"}, 1, 1, 1)
	p.noEffort(p.anna)
	p.answers(p.anna, "edda.again", body{"again": true})
	p.throws(p.anna, 5, 6, 1)
	p.noEffort(p.anna)
	p.came("success", 2)
}

// Each success takes a step off a condition.
func (p *eddaPaper) conditions(t *testing.T) {
	p.moves(p.anna, "mend", p.asta, body{"eased": p.jon + ":0", "strengths": of("0")}, 5, 1, 1)
	p.noEffort(p.anna)
	p.came("eased", 1)
	p.reckoned(p.jon, body{"conditions": []body{condition("Ушиб", 1, "body")}})
	p.moves(p.fate, "lift", p.jon, body{"eased": "0"})
	p.reckoned(p.jon, body{"conditions": []body{}})
	// Bodily conditions of 6 together put him out, or a mental one above 5; different ones of the mind don't add up.
	p.moves(p.fate, "afflict", p.jon, body{"name": "Страх", "kind": "mind", "size": 5})
	p.moves(p.fate, "afflict", p.jon, body{"name": "Тоска", "kind": "mind", "size": 5})
	p.moves(p.fate, "afflict", p.jon, body{"name": "Ушиб", "size": 3})
	p.moves(p.boris, "act", p.jon, body{"strengths": of("0"), "conditions": of()}, 5, 5, 5)
	p.moves(p.fate, "afflict", p.jon, body{"name": "Голод", "size": 3})
	p.refused(p.boris, "act", p.jon, body{"strengths": of("0")}, "ED-11")
	p.moves(p.anna, "mend", p.asta, body{"eased": p.jon + ":3", "strengths": of("0")}, 5, 1, 1)
	p.noEffort(p.anna)
	p.moves(p.boris, "act", p.jon, body{"strengths": of("0"), "conditions": of()}, 5, 5, 5)
	p.becomes(p.jon, body{"conditions": []body{condition("Страх", 5, "mind")}})
	p.moves(p.fate, "afflict", p.jon, body{"name": "Страх", "kind": "mind", "size": 1})
	p.refused(p.boris, "act", p.jon, body{"strengths": of("0")}, "ED-11")
}

// A strength fades: one success for sure and six dice, and the impossible if Fate agrees. It isn't used any more.
func (p *eddaPaper) fading(t *testing.T) {
	p.becomes(p.jon, body{"conditions": []body{}, "experience": 4})
	p.must("POST", p.path+"/moves", p.boris, body{
		"move": "act", "character": p.jon, "byHand": true, "args": body{"strengths": of("0"), "fade": "1", "miracle": "both", "complexity": 3},
	})
	p.answers(p.fate, "edda.miracle", body{"agree": true})
	p.throws(p.boris, 5, 6, 1, 1, 1, 1, 1, 1, 1)
	p.noEffort(p.boris)
	p.came("success", 3)
	p.refused(p.boris, "act", p.jon, body{"strengths": of("1")}, "ED-22")
	// The last one: oblivion.
	p.moves(p.boris, "act", p.jon, body{"fade": "0", "miracle": "dice"}, 5, 1, 1, 1, 1, 1)
	p.noEffort(p.boris)
	p.came("success", 2)
	p.refused(p.boris, "act", p.jon, body{}, "ED-23")
	// A thirteenth strength, a fourth memory.
	many := make([]body, 13)
	for i := range many {
		many[i] = body{"name": "Сила", "steps": 0}
	}
	if status, refused := p.call("PATCH", p.path+"/characters/"+p.mia, p.clara, body{"sheet": body{"strengths": many}}); status != 422 || refused["rule"] != "ED-17" {
		t.Errorf("a thirteenth strength: %d %v", status, refused)
	}
	for range 3 {
		p.moves(p.clara, "remember", p.mia, body{"memory": "Первая звезда"})
	}
	p.refused(p.clara, "remember", p.mia, body{"memory": "Вторая звезда"}, "ED-14")
}
