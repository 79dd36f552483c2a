package playtest

import "testing"

// Every example that Spire's source works through, and those of its rules, live over the API with a pencil beside them.
func TestSpireExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("spire", "ru")
	p.sets(body{"helpers-asked": false}) // all dice are on paper before anybody is asked
	chris, chriss := p.invites("Крис")
	anna, annas := p.invites("Анна")
	alex := p.gm // the game master
	justine := p.adds("character", "Жюстин", chriss, body{
		"skills": []body{{"name": "compel", "mastery": true}}, "domains": []body{{"name": "occult"}},
	})
	harold := p.adds("character", "Гарольд", annas, body{
		"skills": []body{{"name": "fix"}, {"name": "sneak"}}, "refresh": "Помогай тем, кто не может помочь себе",
	})
	calm := body{"blood": 0, "mind": 0, "silver": 0, "shadow": 0, "reputation": 0}
	stress := func(who string, marks body) { // nothing but these
		all := body{}
		for name, n := range calm {
			all[name] = n
		}
		for name, n := range marks {
			all[name] = n
		}
		p.becomes(who, body{"stress": all, "fallouts": []body{}})
	}
	reckoned := func(who string, marks body) {
		t.Helper()
		all := body{}
		for name, n := range calm {
			all[name] = n
		}
		for name, n := range marks {
			all[name] = n
		}
		p.reckoned(who, body{"stress": all})
	}

	// The bar turns round without dice. The informer is found at a cost: a 6, and the authorities have noticed. 4 isn't below 4.
	p.moves(chris, "no-roll", justine, body{"text": "Весь бар оборачивается к Жюстин."})
	p.came("happens", 0)
	p.moves(chris, "check", justine, body{}, 6)
	p.answers(alex, "spire.risk", body{"die": "d6", "resistance": "shadow"})
	p.throws(chris, 4)
	p.throws(alex, 4)
	p.came("success-at-cost", 0)
	reckoned(justine, body{"shadow": 4})

	// One die against difficulty 2: a 10 counts as 6–7. SP-05's other cases, and those of SP-02 and SP-03.
	p.moves(chris, "check", justine, body{"difficulty": 2, "risk": "d3", "resistance": "shadow"}, 10, 2)
	p.throws(alex, 6)
	p.came("success-at-cost", 0)
	reckoned(justine, body{"shadow": 6})
	stress(justine, nil)
	for _, c := range []struct {
		args    body
		faces   []int
		outcome string
		n       int
	}{
		{body{"domain": "occult", "mastery": true}, []int{2, 6, 10}, "critical-success", 1},
		{body{"skill": "compel"}, []int{10, 10, 3}, "critical-success", 2},
		{body{"skill": "compel", "mastery": true}, []int{2, 3, 8}, "success", 0}, // mastery once
		{body{"mastery": true}, []int{9, 2}, "success", 0},                       // and without a skill
		{body{"difficulty": 1}, []int{10}, "success", 0},                         // lowered: no bonus
	} {
		p.moves(chris, "check", justine, c.args, c.faces...)
		p.came(c.outcome, c.n)
	}
	p.moves(chris, "check", justine, body{"domain": "occult", "difficulty": 2, "risk": "d3", "resistance": "mind"}, 9, 1)
	p.throws(alex, 1)
	p.came("success-at-cost", 0)
	reckoned(justine, body{"mind": 1})

	// A 1 doubles: 4 are 8, and against three enemies 10. 10 isn't below 8 nor below 10.
	stress(justine, nil)
	for enemies, want := range map[int]int{1: 8, 3: 10} {
		p.moves(chris, "check", justine, body{"risk": "d6", "resistance": "blood", "enemies": enemies}, 1, 4)
		p.throws(alex, 10)
		p.came("critical-failure", 0)
		reckoned(justine, body{"blood": want})
		stress(justine, nil)
	}

	// Only to avoid harm: at 6–7 the d8 is a d6, a d3 is 1, and a failure costs the whole die.
	p.moves(chris, "check", justine, body{"partial": true, "risk": "d8", "resistance": "mind"}, 7, 6)
	p.throws(alex, 6)
	p.moves(chris, "check", justine, body{"partial": true, "risk": "d3", "resistance": "mind"}, 6)
	p.throws(alex, 7)
	p.moves(chris, "check", justine, body{"partial": true, "risk": "d8", "resistance": "silver"}, 5, 8)
	p.answers(alex, "dice", body{"faces": []int{10}})
	p.answers(alex, "spire.fallout", body{"do": "take", "pick": "", "text": "Кошелёк украден.", "clear": calm})
	reckoned(justine, body{"mind": 7, "silver": 1}) // 15 is always a fallout, a severe one: silver 7
	p.reckoned(justine, body{"fallouts": []body{{"kind": "silver", "severity": "severe", "stabilised": false, "suggestion": "", "text": "Кошелёк украден."}}})

	// The three dangers: slums d3, a rough bar d6, the duke's headquarters d8. In a fight it's the weapon's die.
	stress(justine, nil)
	guard := p.adds("npc", "Страж", "", body{"resistance": 5, "difficulty": 1, "die": "d8"})
	for _, die := range []string{"d3", "d6", "d8"} {
		p.moves(alex, "stress", justine, body{"die": die, "resistance": "shadow"}, 1, 10)
	}
	reckoned(justine, body{"shadow": 3})
	p.moves(chris, "check", justine, body{"skill": "compel", "against": guard, "resistance": "blood"}, 4, 2, 7)
	p.throws(alex, 10)
	reckoned(justine, body{"shadow": 3, "blood": 7})
	// Two tens are two stress, the die of harm 3: five of five, and the guard flees.
	p.moves(chris, "check", justine, body{"skill": "compel", "against": guard, "harm": "d6"}, 10, 10, 3)
	p.answers(alex, "spire.ending", body{"how": "flees"})
	p.came("critical-success", 2)
	p.reckoned(guard, body{"stress": 5, "ending": "flees"})
	p.refused(chris, "check", justine, body{"harm": "d6"}, "SP-03")

	// Who helps adds a die and takes the same, an NPC on a track of its own. Who leads a group lends mastery.
	stress(justine, nil)
	stress(harold, nil)
	boatman := p.adds("npc", "Лодочник", "", body{"resistance": 5})
	p.moves(chris, "check", justine, body{"with": []string{harold, boatman}, "means": "знает каналы", "risk": "d6", "resistance": "shadow"}, 2, 3, 5, 4)
	p.throws(alex, 9)
	p.throws(alex, 9)
	reckoned(justine, body{"shadow": 4})
	reckoned(harold, body{"shadow": 4})
	p.reckoned(boatman, body{"stress": 4})
	p.moves(anna, "group", harold, body{"members": []string{justine}, "skill": "sneak", "risk": "d3", "resistance": "shadow"}, 8, 2)
	p.throws(chris, 1, 9) // without the skill, with mastery
	p.came("success", 0)
	p.moves(anna, "group", harold, body{"members": []string{justine}, "skill": "sneak", "risk": "d3", "resistance": "shadow"}, 2, 3)
	p.throws(chris, 4) // with neither
	p.throws(anna, 1)
	p.throws(chris, 2)
	p.throws(alex, 10)
	p.throws(alex, 10)
	p.came("failure", 0)
	reckoned(harold, body{"shadow": 5})
	reckoned(justine, body{"shadow": 6})

	// Harold lies low and the watch finds a cache; or he acts, for 4 of a d6 on Shadow; or he refreshes, 6 of a d8 wherever he likes.
	strained := body{"shadow": 7, "blood": 2, "mind": 1}
	stress(harold, strained)
	p.moves(anna, "lie-low", harold, body{})
	p.answers(alex, "spire.meanwhile", body{"text": "Стража нашла тайный склад оружия."})
	p.came("cleared", 10)
	reckoned(harold, nil)
	stress(harold, strained)
	p.moves(anna, "act", harold, body{"die": "d6", "resistance": "shadow", "text": "Подкупает стражника."}, 4)
	p.came("cleared", 4)
	reckoned(harold, body{"shadow": 3, "blood": 2, "mind": 1})
	stress(harold, strained)
	p.moves(anna, "refresh", harold, body{"die": "d8"}, 6)
	p.answers(anna, "spire.split", body{"clear": body{"shadow": 3, "blood": 2, "mind": 1}})
	reckoned(harold, body{"shadow": 4})

	// A slot is free: +1 Blood and a point there don't count, so that nothing can come of it.
	stress(harold, nil)
	p.becomes(harold, body{"slots": body{"blood": 1}})
	p.moves(alex, "stress", harold, body{"die": "d3", "resistance": "blood"}, 1, 1)
	p.came("stress", 1)
	if total := p.sees(p.gm, harold)["sheet"].(map[string]any)["total"]; total != 0.0 {
		t.Errorf("what counts of a point in a free slot: %v", total)
	}
	// Mind 4 in 4 free slots, Shadow 3, Blood 2: the moderate fallout clears Blood 2 and Shadow 3. SP-16
	p.becomes(harold, body{"slots": body{"blood": 0, "mind": 4}})
	stress(harold, body{"mind": 4, "shadow": 3, "blood": 1})
	p.moves(alex, "stress", harold, body{"die": "d3", "resistance": "blood"}, 1, 4)
	p.answers(alex, "spire.fallout", body{"pick": "blood.moderate.1"})
	reckoned(harold, body{"mind": 4})
	p.becomes(harold, body{"slots": body{"mind": 0}})

	// Instead of one that knocks him out he bleeds and panics; then he bleeds again in the same fight, and a limb breaks.
	stress(harold, body{"blood": 5})
	p.moves(alex, "stress", harold, body{"die": "d3", "resistance": "blood"}, 1, 5)
	p.answers(alex, "spire.fallout", body{"do": "lesser", "text": "Кровотечение", "second-kind": "mind", "second-text": "Паника"})
	reckoned(harold, nil)
	minor := func(kind, text string) body {
		return body{"kind": kind, "severity": "minor", "stabilised": false, "suggestion": "", "text": text}
	}
	p.reckoned(harold, body{"fallouts": []body{minor("blood", "Кровотечение"), minor("mind", "Паника")}})
	p.moves(alex, "stress", harold, body{"die": "d3", "resistance": "blood"}, 3, 2)
	p.answers(alex, "spire.fallout", body{"do": "raise", "replaces": "0", "text": "Сломанная рука"})
	reckoned(harold, nil)
	broken := body{"kind": "blood", "severity": "moderate", "stabilised": false, "suggestion": "", "text": "Сломанная рука"}
	p.reckoned(harold, body{"fallouts": []body{minor("mind", "Паника"), broken}})

	// Panic hinders a careful hand: ticked, it's a die less. Then a Fix takes it away, and steadies the arm; weeks of care end that.
	p.moves(anna, "fix", harold, body{"fallout": harold + ":0", "hindered": []string{"0"}, "risk": "d3", "resistance": "mind"}, 8)
	p.came("success", 0)
	p.reckoned(harold, body{"fallouts": []body{broken}})
	p.moves(anna, "fix", harold, body{"fallout": harold + ":0", "risk": "d3", "resistance": "mind"}, 8, 2)
	broken["stabilised"] = true
	p.reckoned(harold, body{"fallouts": []body{broken}})
	p.moves(alex, "day", "", body{})
	p.answers(alex, "spire.day", body{}) // as it is ticked
	p.reckoned(harold, body{"fallouts": []body{broken}})
	p.moves(anna, "care", harold, body{"fallout": harold + ":0", "text": "Месяц у тётки в деревне."})
	p.answers(alex, "spire.care", body{"allow": true})
	p.reckoned(harold, body{"fallouts": []body{}})

	// Magic heals instead of clearing stress: 3, 5, 7, and the last as a rule not at all. When a day passes, what is minor is ticked.
	carried := func(severity string) body {
		return body{"kind": "blood", "severity": severity, "stabilised": false, "suggestion": "", "text": "Рана"}
	}
	p.becomes(harold, body{"fallouts": []body{carried("minor"), carried("moderate"), carried("severe"), carried("minor")}})
	for worth := range 3 {
		p.refused(chris, "heal", justine, body{"fallout": harold + ":1", "worth": 2 + worth}, "SP-21")
	}
	p.moves(chris, "heal", justine, body{"fallout": harold + ":1", "worth": 5})
	p.moves(chris, "heal", justine, body{"fallout": harold + ":0", "worth": 3})
	p.moves(chris, "heal", justine, body{"fallout": harold + ":0", "worth": 7})
	p.answers(alex, "spire.heal-severe", body{"allow": false})
	p.came("refused", 0)
	p.moves(alex, "day", "", body{})
	p.answers(alex, "spire.day", body{}) // as it is ticked
	p.reckoned(harold, body{"fallouts": []body{carried("severe")}})

	// Less lethal: Mind 4, Blood 6 and 1 more in Mind need less than 5, and a 4 is a moderate fallout of Mind alone.
	p.sets(body{"less-lethal": true})
	stress(justine, body{"mind": 4, "blood": 6})
	p.moves(alex, "stress", justine, body{"die": "d3", "resistance": "mind"}, 1, 5)
	reckoned(justine, body{"mind": 5, "blood": 6})
	stress(justine, body{"mind": 4, "blood": 6})
	p.moves(alex, "stress", justine, body{"die": "d3", "resistance": "mind"}, 1, 4)
	p.answers(alex, "spire.fallout", body{"pick": "mind.moderate.2"})
	reckoned(justine, body{"blood": 6})
	p.sets(body{"less-lethal": false})

	// A bond with an NPC takes a check's stress as if it were a resistance: its own track, its own fallout, its own relief.
	stress(justine, body{"blood": 3})
	p.becomes(justine, body{"bonds": []body{{"name": "Старый Веррис", "npc": true, "stress": 3, "fallouts": []body{}}}})
	p.moves(chris, "check", justine, body{"risk": "d6", "resistance": "bond:0"}, 5, 5)
	p.throws(alex, 7)
	p.answers(alex, "spire.fallout", body{"pick": "bond.moderate.1"})
	reckoned(justine, body{"blood": 3})
	p.reckoned(justine, body{"bonds": []body{{
		"name": "Старый Веррис", "npc": true, "stress": 3,
		"fallouts": []body{{"kind": "bond", "severity": "moderate", "stabilised": false, "suggestion": "bond.moderate.1", "text": ""}},
	}}})
	p.moves(chris, "act", justine, body{"die": "d3", "resistance": "bond:0"}, 2)
	p.moves(anna, "heal", harold, body{"fallout": justine + ":0.0", "worth": 5})
	p.reckoned(justine, body{"bonds": []body{{"name": "Старый Веррис", "npc": true, "stress": 1, "fallouts": []body{}}}})

	// The GM tracks stress: 4 in Mind and Blood are words to the player, and numbers to the GM.
	p.sets(body{"stress-shown": "words"})
	stress(justine, body{"mind": 4, "blood": 4})
	seen := p.sees(chris, justine)["sheet"].(map[string]any)
	if bands, _ := seen["bands"].(map[string]any); seen["stress"] != nil || seen["total"] != nil || bands["mind"] != "uneasy" {
		t.Errorf("the player sees %v", seen)
	}
	reckoned(justine, body{"mind": 4, "blood": 4})
	p.sets(body{"stress-shown": "numbers"})

	// Stakes are the GM's. What they ask for is thrown, whoever leaves it out; who says otherwise is refused.
	stress(justine, nil)
	call := func(move, who string, args body) {
		p.must("POST", p.path+"/calls", alex, body{"move": move, "character": who, "args": args})
	}
	call("check", justine, body{"difficulty": 2, "risk": "d8"})
	p.refused(chris, "check", justine, body{"difficulty": 0}, "")
	p.moves(chris, "check", justine, body{"skill": "compel", "resistance": "shadow"}, 9)
	p.came("success", 0) // three dice less two
	p.sets(body{"stakes": "gm"})
	p.must("POST", p.path+"/moves", chris, body{"move": "check", "character": justine, "byHand": true, "args": body{"skill": "compel", "risk": "d3", "resistance": "shadow"}})
	standard := p.asked(alex, "spire.stakes")["standard"]
	p.holds("the stakes", standard.(map[string]any), body{"difficulty": 0, "risk": "d3", "resistance": "shadow"})
	p.answers(alex, "spire.stakes", body{"difficulty": 1, "risk": "d6"})
	p.throws(chris, 5, 4) // two dice now
	p.throws(chris, 3)
	p.throws(alex, 3)
	p.came("failure", 0)
	reckoned(justine, body{"shadow": 3})
	call("check", justine, body{"difficulty": 1})
	p.moves(chris, "check", justine, body{"skill": "compel"}, 8, 1)
	p.came("success", 0) // what the GM has set, and left open, isn't asked for again
	p.moves(alex, "check", justine, body{"skill": "compel", "difficulty": 1}, 8, 1)
	p.came("success", 0) // nor what they throw themselves
	p.moves(chris, "act", justine, body{"die": "d8", "resistance": "shadow"})
	p.answers(alex, "spire.relief", body{"die": "d3"})
	p.sets(body{"stakes": "players", "fallout-by": "player"})

	// The d10 is the player's, by the table's word.
	stress(justine, body{"blood": 3})
	p.moves(chris, "check", justine, body{"risk": "d3", "resistance": "blood"}, 4, 1, 4)
	p.came("failure", 0)
	reckoned(justine, body{"blood": 4})
}
