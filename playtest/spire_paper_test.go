package playtest

import (
	"maps"
	"testing"
)

// spirePaper is a table of Spire with Chris, who plays Justine, Anna, who plays Harold, and Alex, the game master.
type spirePaper struct {
	paper
	chris, anna, alex string // what opens their seats
	justine, harold   string // ids
}

// calm is a sheet without stress.
var calm = body{"blood": 0, "mind": 0, "silver": 0, "shadow": 0, "reputation": 0}

// only is the stress of some tracks, and none elsewhere.
func only(marks body) body {
	all := maps.Clone(calm)
	maps.Copy(all, marks)
	return body{"stress": all}
}

// stress sets a character's stress, and takes fallouts away.
func (p *spirePaper) stress(who string, marks body) {
	p.t.Helper()
	sheet := only(marks)
	sheet["fallouts"] = []body{}
	p.becomes(who, sheet)
}

// stressed checks a character's stress.
func (p *spirePaper) stressed(who string, marks body) {
	p.t.Helper()
	p.reckoned(who, only(marks))
}

// brokenArm is a fallout of Harold's.
func brokenArm(stabilised bool) body {
	return body{"kind": "blood", "severity": "moderate", "stabilised": stabilised, "suggestion": "", "text": "Сломанная рука"}
}

// Every example that Spire's source works through, and those of its rules, live over the API with a pencil at hand.
func TestSpireExamplesOnPaper(t *testing.T) {
	t.Parallel()
	p := &spirePaper{paper: serve(t).opens("spire", "ru")}
	p.sets(body{"helpers-asked": false}) // all dice are on paper before anybody is asked
	var chriss, annas string
	p.chris, chriss = p.invites("Крис")
	p.anna, annas = p.invites("Анна")
	p.alex = p.gm
	p.justine = p.adds("character", "Жюстин", chriss, body{
		"skills": []body{{"name": "compel", "mastery": true}}, "domains": []body{{"name": "occult"}},
	})
	p.harold = p.adds("character", "Гарольд", annas, body{
		"skills": []body{{"name": "fix"}, {"name": "sneak"}}, "refresh": "Помогай тем, кто не может помочь себе",
	})
	p.play(t, []paperStep{
		{"a check at a cost tells the authorities", p.barAndInformer},
		{"one die, mastery and domains come out as the tables say", p.oneDie},
		{"a 1 doubles the stress, and enemies add to it", p.doubledStress},
		{"only to avoid harm, a 6 or 7 takes a smaller die", p.partial},
		{"dangers have their dice, and a weapon its own", p.dangers},
		{"who helps adds a die and shares the stress; who leads lends mastery", p.helpers},
		{"Harold lies low, acts or refreshes", p.relief},
		{"stress in free slots does not count", p.freeSlots},
		{"a fallout is taken as two lesser ones, or raises another", p.lesserAndRaised},
		{"a fix steadies a fallout, and weeks of care end it", p.fixAndCare},
		{"magic heals a fallout by its severity", p.heal},
		{"with less lethal falls, only one track counts", p.lessLethal},
		{"a bond takes stress as a resistance does", p.bond},
		{"stress can be shown to players in words", p.words},
		{"the stakes are what the game master says", p.stakes},
		{"the player throws the d10 where the table says so", p.falloutByPlayer},
	})
}

// The bar turns round without dice. The informer is found at a cost: a 6, and the authorities have noticed. 4 isn't below 4.
func (p *spirePaper) barAndInformer(t *testing.T) {
	p.moves(p.chris, "no-roll", p.justine, body{"text": "Весь бар оборачивается к Жюстин."})
	p.came("happens", 0)
	p.moves(p.chris, "check", p.justine, body{}, 6)
	p.answers(p.alex, "spire.risk", body{"die": "d6", "resistance": "shadow"})
	p.throws(p.chris, 4)
	p.throws(p.alex, 4)
	p.came("success-at-cost", 0)
	p.stressed(p.justine, body{"shadow": 4})
}

// One die against difficulty 2: a 10 counts as 6–7. SP-05's other cases, and those of SP-02 and SP-03.
func (p *spirePaper) oneDie(t *testing.T) {
	p.moves(p.chris, "check", p.justine, body{"difficulty": 2, "risk": "d3", "resistance": "shadow"}, 10, 2)
	p.throws(p.alex, 6)
	p.came("success-at-cost", 0)
	p.stressed(p.justine, body{"shadow": 6})
	p.stress(p.justine, nil)
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
		p.moves(p.chris, "check", p.justine, c.args, c.faces...)
		p.came(c.outcome, c.n)
	}
	p.moves(p.chris, "check", p.justine, body{"domain": "occult", "difficulty": 2, "risk": "d3", "resistance": "mind"}, 9, 1)
	p.throws(p.alex, 1)
	p.came("success-at-cost", 0)
	p.stressed(p.justine, body{"mind": 1})
}

// A 1 doubles: 4 are 8, and against three enemies 10. 10 isn't below 8 nor below 10.
func (p *spirePaper) doubledStress(t *testing.T) {
	p.stress(p.justine, nil)
	for enemies, want := range map[int]int{1: 8, 3: 10} {
		p.moves(p.chris, "check", p.justine, body{"risk": "d6", "resistance": "blood", "enemies": enemies}, 1, 4)
		p.throws(p.alex, 10)
		p.came("critical-failure", 0)
		p.stressed(p.justine, body{"blood": want})
		p.stress(p.justine, nil)
	}
}

// Only to avoid harm: at 6–7 the d8 is a d6, a d3 is 1, and a failure costs the whole die.
func (p *spirePaper) partial(t *testing.T) {
	p.moves(p.chris, "check", p.justine, body{"partial": true, "risk": "d8", "resistance": "mind"}, 7, 6)
	p.throws(p.alex, 6)
	p.moves(p.chris, "check", p.justine, body{"partial": true, "risk": "d3", "resistance": "mind"}, 6)
	p.throws(p.alex, 7)
	p.moves(p.chris, "check", p.justine, body{"partial": true, "risk": "d8", "resistance": "silver"}, 5, 8)
	p.answers(p.alex, "dice", body{"faces": []int{10}})
	p.answers(p.alex, "spire.fallout", body{"do": "take", "pick": "", "text": "Кошелёк украден.", "clear": calm})
	p.stressed(p.justine, body{"mind": 7, "silver": 1}) // 15 is always a fallout, a severe one: silver 7
	p.reckoned(p.justine, body{"fallouts": []body{{"kind": "silver", "severity": "severe", "stabilised": false, "suggestion": "", "text": "Кошелёк украден."}}})
}

// The three dangers: slums d3, a rough bar d6, the duke's headquarters d8. In a fight it's the weapon's die.
func (p *spirePaper) dangers(t *testing.T) {
	p.stress(p.justine, nil)
	guard := p.adds("npc", "Страж", "", body{"resistance": 5, "difficulty": 1, "die": "d8"})
	for _, die := range []string{"d3", "d6", "d8"} {
		p.moves(p.alex, "stress", p.justine, body{"die": die, "resistance": "shadow"}, 1, 10)
	}
	p.stressed(p.justine, body{"shadow": 3})
	p.moves(p.chris, "check", p.justine, body{"skill": "compel", "against": guard, "resistance": "blood"}, 4, 2, 7)
	p.throws(p.alex, 10)
	p.stressed(p.justine, body{"shadow": 3, "blood": 7})
	// Two tens are two stress, the die of harm 3: five of five, and the guard flees.
	p.moves(p.chris, "check", p.justine, body{"skill": "compel", "against": guard, "harm": "d6"}, 10, 10, 3)
	p.answers(p.alex, "spire.ending", body{"how": "flees"})
	p.came("critical-success", 2)
	p.reckoned(guard, body{"stress": 5, "ending": "flees"})
	p.refused(p.chris, "check", p.justine, body{"harm": "d6"}, "SP-03")
}

// Who helps adds a die and takes the same, an NPC on a track of its own. Who leads a group lends mastery.
func (p *spirePaper) helpers(t *testing.T) {
	p.stress(p.justine, nil)
	p.stress(p.harold, nil)
	boatman := p.adds("npc", "Лодочник", "", body{"resistance": 5})
	p.moves(p.chris, "check", p.justine, body{"with": []string{p.harold, boatman}, "means": "знает каналы", "risk": "d6", "resistance": "shadow"}, 2, 3, 5, 4)
	p.throws(p.alex, 9)
	p.throws(p.alex, 9)
	p.stressed(p.justine, body{"shadow": 4})
	p.stressed(p.harold, body{"shadow": 4})
	p.reckoned(boatman, body{"stress": 4})
	p.moves(p.anna, "group", p.harold, body{"members": []string{p.justine}, "skill": "sneak", "risk": "d3", "resistance": "shadow"}, 8, 2)
	p.throws(p.chris, 1, 9) // without the skill, with mastery
	p.came("success", 0)
	p.moves(p.anna, "group", p.harold, body{"members": []string{p.justine}, "skill": "sneak", "risk": "d3", "resistance": "shadow"}, 2, 3)
	p.throws(p.chris, 4) // with neither
	p.throws(p.anna, 1)
	p.throws(p.chris, 2)
	p.throws(p.alex, 10)
	p.throws(p.alex, 10)
	p.came("failure", 0)
	p.stressed(p.harold, body{"shadow": 5})
	p.stressed(p.justine, body{"shadow": 6})
}

// Harold lies low and the watch finds a cache; or he acts, for 4 of a d6 on Shadow; or he refreshes, 6 of a d8 wherever he likes.
func (p *spirePaper) relief(t *testing.T) {
	strained := body{"shadow": 7, "blood": 2, "mind": 1}
	p.stress(p.harold, strained)
	p.moves(p.anna, "lie-low", p.harold, body{})
	p.answers(p.alex, "spire.meanwhile", body{"text": "Стража нашла тайный склад оружия."})
	p.came("cleared", 10)
	p.stressed(p.harold, nil)
	p.stress(p.harold, strained)
	p.moves(p.anna, "act", p.harold, body{"die": "d6", "resistance": "shadow", "text": "Подкупает стражника."}, 4)
	p.came("cleared", 4)
	p.stressed(p.harold, body{"shadow": 3, "blood": 2, "mind": 1})
	p.stress(p.harold, strained)
	p.moves(p.anna, "refresh", p.harold, body{"die": "d8"}, 6)
	p.answers(p.anna, "spire.split", body{"clear": body{"shadow": 3, "blood": 2, "mind": 1}})
	p.stressed(p.harold, body{"shadow": 4})
}

// A slot is free: +1 Blood and a point there don't count, so that nothing can come of it.
func (p *spirePaper) freeSlots(t *testing.T) {
	p.stress(p.harold, nil)
	p.becomes(p.harold, body{"slots": body{"blood": 1}})
	p.moves(p.alex, "stress", p.harold, body{"die": "d3", "resistance": "blood"}, 1, 1)
	p.came("stress", 1)
	if total := p.sees(p.gm, p.harold)["sheet"].(map[string]any)["total"]; total != 0.0 {
		t.Errorf("what counts of a point in a free slot: %v", total)
	}
	// Mind 4 in 4 free slots, Shadow 3, Blood 2: the moderate fallout clears Blood 2 and Shadow 3. SP-16
	p.becomes(p.harold, body{"slots": body{"blood": 0, "mind": 4}})
	p.stress(p.harold, body{"mind": 4, "shadow": 3, "blood": 1})
	p.moves(p.alex, "stress", p.harold, body{"die": "d3", "resistance": "blood"}, 1, 4)
	p.answers(p.alex, "spire.fallout", body{"pick": "blood.moderate.1"})
	p.stressed(p.harold, body{"mind": 4})
	p.becomes(p.harold, body{"slots": body{"mind": 0}})
}

// Instead of one that knocks him out he bleeds and panics; then he bleeds again in the same fight, and a limb breaks.
func (p *spirePaper) lesserAndRaised(t *testing.T) {
	p.stress(p.harold, body{"blood": 5})
	p.moves(p.alex, "stress", p.harold, body{"die": "d3", "resistance": "blood"}, 1, 5)
	p.answers(p.alex, "spire.fallout", body{"do": "lesser", "text": "Кровотечение", "second-kind": "mind", "second-text": "Паника"})
	p.stressed(p.harold, nil)
	minor := func(kind, text string) body {
		return body{"kind": kind, "severity": "minor", "stabilised": false, "suggestion": "", "text": text}
	}
	p.reckoned(p.harold, body{"fallouts": []body{minor("blood", "Кровотечение"), minor("mind", "Паника")}})
	p.moves(p.alex, "stress", p.harold, body{"die": "d3", "resistance": "blood"}, 3, 2)
	p.answers(p.alex, "spire.fallout", body{"do": "raise", "replaces": "0", "text": "Сломанная рука"})
	p.stressed(p.harold, nil)
	p.reckoned(p.harold, body{"fallouts": []body{minor("mind", "Паника"), brokenArm(false)}})
}

// Panic hinders a careful hand: ticked, it's a die less. Then a Fix takes it away, and steadies the arm; weeks of care end that.
func (p *spirePaper) fixAndCare(t *testing.T) {
	p.moves(p.anna, "fix", p.harold, body{"fallout": p.harold + ":0", "hindered": []string{"0"}, "risk": "d3", "resistance": "mind"}, 8)
	p.came("success", 0)
	p.reckoned(p.harold, body{"fallouts": []body{brokenArm(false)}})
	p.moves(p.anna, "fix", p.harold, body{"fallout": p.harold + ":0", "risk": "d3", "resistance": "mind"}, 8, 2)
	p.reckoned(p.harold, body{"fallouts": []body{brokenArm(true)}})
	p.moves(p.alex, "day", "", body{})
	p.answers(p.alex, "spire.day", body{}) // as it is ticked
	p.reckoned(p.harold, body{"fallouts": []body{brokenArm(true)}})
	p.moves(p.anna, "care", p.harold, body{"fallout": p.harold + ":0", "text": "Месяц у тётки в деревне."})
	p.answers(p.alex, "spire.care", body{"allow": true})
	p.reckoned(p.harold, body{"fallouts": []body{}})
}

// Magic heals instead of clearing stress: 3, 5, 7, and the last as a rule not at all. When a day passes, what is minor is ticked.
func (p *spirePaper) heal(t *testing.T) {
	carried := func(severity string) body {
		return body{"kind": "blood", "severity": severity, "stabilised": false, "suggestion": "", "text": "Рана"}
	}
	p.becomes(p.harold, body{"fallouts": []body{carried("minor"), carried("moderate"), carried("severe"), carried("minor")}})
	for worth := range 3 {
		p.refused(p.chris, "heal", p.justine, body{"fallout": p.harold + ":1", "worth": 2 + worth}, "SP-21")
	}
	p.moves(p.chris, "heal", p.justine, body{"fallout": p.harold + ":1", "worth": 5})
	p.moves(p.chris, "heal", p.justine, body{"fallout": p.harold + ":0", "worth": 3})
	p.moves(p.chris, "heal", p.justine, body{"fallout": p.harold + ":0", "worth": 7})
	p.answers(p.alex, "spire.heal-severe", body{"allow": false})
	p.came("refused", 0)
	p.moves(p.alex, "day", "", body{})
	p.answers(p.alex, "spire.day", body{}) // as it is ticked
	p.reckoned(p.harold, body{"fallouts": []body{carried("severe")}})
}

// Less lethal: Mind 4, Blood 6 and 1 more in Mind need less than 5, and a 4 is a moderate fallout of Mind alone.
func (p *spirePaper) lessLethal(t *testing.T) {
	p.sets(body{"less-lethal": true})
	p.stress(p.justine, body{"mind": 4, "blood": 6})
	p.moves(p.alex, "stress", p.justine, body{"die": "d3", "resistance": "mind"}, 1, 5)
	p.stressed(p.justine, body{"mind": 5, "blood": 6})
	p.stress(p.justine, body{"mind": 4, "blood": 6})
	p.moves(p.alex, "stress", p.justine, body{"die": "d3", "resistance": "mind"}, 1, 4)
	p.answers(p.alex, "spire.fallout", body{"pick": "mind.moderate.2"})
	p.stressed(p.justine, body{"blood": 6})
	p.sets(body{"less-lethal": false})
}

// A bond with an NPC takes a check's stress as if it were a resistance: its own track, its own fallout, its own relief.
func (p *spirePaper) bond(t *testing.T) {
	p.stress(p.justine, body{"blood": 3})
	p.becomes(p.justine, body{"bonds": []body{{"name": "Старый Веррис", "npc": true, "stress": 3, "fallouts": []body{}}}})
	p.moves(p.chris, "check", p.justine, body{"risk": "d6", "resistance": "bond:0"}, 5, 5)
	p.throws(p.alex, 7)
	p.answers(p.alex, "spire.fallout", body{"pick": "bond.moderate.1"})
	p.stressed(p.justine, body{"blood": 3})
	p.reckoned(p.justine, body{"bonds": []body{{
		"name": "Старый Веррис", "npc": true, "stress": 3,
		"fallouts": []body{{"kind": "bond", "severity": "moderate", "stabilised": false, "suggestion": "bond.moderate.1", "text": ""}},
	}}})
	p.moves(p.chris, "act", p.justine, body{"die": "d3", "resistance": "bond:0"}, 2)
	p.moves(p.anna, "heal", p.harold, body{"fallout": p.justine + ":0.0", "worth": 5})
	p.reckoned(p.justine, body{"bonds": []body{{"name": "Старый Веррис", "npc": true, "stress": 1, "fallouts": []body{}}}})
}

// The GM tracks stress: 4 in Mind and Blood are words to the player, and numbers to the GM.
func (p *spirePaper) words(t *testing.T) {
	p.sets(body{"stress-shown": "words"})
	p.stress(p.justine, body{"mind": 4, "blood": 4})
	seen := p.sees(p.chris, p.justine)["sheet"].(map[string]any)
	if bands, _ := seen["bands"].(map[string]any); seen["stress"] != nil || seen["total"] != nil || bands["mind"] != "uneasy" {
		t.Errorf("the player sees %v", seen)
	}
	p.stressed(p.justine, body{"mind": 4, "blood": 4})
	p.sets(body{"stress-shown": "numbers"})
}

// Stakes are the GM's. What they ask for is thrown, whoever leaves it out; who says otherwise is refused.
func (p *spirePaper) stakes(t *testing.T) {
	p.stress(p.justine, nil)
	call := func(move, who string, args body) {
		p.must("POST", p.path+"/calls", p.alex, body{"move": move, "character": who, "args": args})
	}
	call("check", p.justine, body{"difficulty": 2, "risk": "d8"})
	p.refused(p.chris, "check", p.justine, body{"difficulty": 0}, "")
	p.moves(p.chris, "check", p.justine, body{"skill": "compel", "resistance": "shadow"}, 9)
	p.came("success", 0) // three dice less two
	p.sets(body{"stakes": "gm"})
	p.must("POST", p.path+"/moves", p.chris, body{"move": "check", "character": p.justine, "byHand": true, "args": body{"skill": "compel", "risk": "d3", "resistance": "shadow"}})
	standard := p.asked(p.alex, "spire.stakes")["standard"]
	p.holds("the stakes", standard.(map[string]any), body{"difficulty": 0, "risk": "d3", "resistance": "shadow"})
	p.answers(p.alex, "spire.stakes", body{"difficulty": 1, "risk": "d6"})
	p.throws(p.chris, 5, 4) // two dice now
	p.throws(p.chris, 3)
	p.throws(p.alex, 3)
	p.came("failure", 0)
	p.stressed(p.justine, body{"shadow": 3})
	call("check", p.justine, body{"difficulty": 1})
	p.moves(p.chris, "check", p.justine, body{"skill": "compel"}, 8, 1)
	p.came("success", 0) // what the GM has set, and left open, isn't asked for again
	p.moves(p.alex, "check", p.justine, body{"skill": "compel", "difficulty": 1}, 8, 1)
	p.came("success", 0) // nor what they throw themselves
	p.moves(p.chris, "act", p.justine, body{"die": "d8", "resistance": "shadow"})
	p.answers(p.alex, "spire.relief", body{"die": "d3"})
	p.sets(body{"stakes": "players", "fallout-by": "player"})
}

// The d10 is the player's, by the table's word.
func (p *spirePaper) falloutByPlayer(t *testing.T) {
	p.stress(p.justine, body{"blood": 3})
	p.moves(p.chris, "check", p.justine, body{"risk": "d3", "resistance": "blood"}, 4, 1, 4)
	p.came("failure", 0)
	p.stressed(p.justine, body{"blood": 4})
}
