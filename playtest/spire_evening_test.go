//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// sit opens a seat in a new browser, in Russian.
func (p *apiTable) sit(name, secret string, width, height int64) *seat {
	p.t.Helper()
	s := sit(p.t, name, width, height)
	s.arrives(p.url("/"))
	s.run("document.cookie = 'lang=ru; path=/'")
	s.follows(p.url("/t" + strings.TrimPrefix(p.path, "/tables") + "/" + secret))
	return s
}

// A session of Spire in Russian, with a game master and a player at their browsers: a requested
// move with its stakes, stress to a bond, two fallouts in the game master's own words, a strike
// while another question is open, relief and time.
func TestSpireSessionOfTwoSeatsInRussian(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("spire", "ru")
	anna, annas := p.invites("Анна")
	boris, boriss := p.invites("Борис")
	lira := p.adds("character", "Лира", annas, body{
		"class": "Взломщица", "skills": []body{{"name": "sneak", "mastery": true}, {"name": "fix"}},
		"domains": []body{{"name": "crime"}},
		"refresh": "Забрать то, чего кое-кому будет не хватать", "stress": body{"blood": 2, "shadow": 8},
		"bonds":    []body{{"name": "Старый Веррис", "npc": true, "stress": 3}},
		"gear":     []body{{"name": "Нож для устриц", "die": "d3"}},
		"fallouts": []body{{"kind": "blood", "severity": "minor", "suggestion": "blood.minor.2"}},
	})
	tam := p.adds("character", "Там", boriss, body{"skills": []body{{"name": "fight"}}, "stress": body{"mind": 2}})
	guard := p.adds("npc", "Стражник", "", body{"resistance": 5, "difficulty": 1, "die": "d6"})
	p.sets(body{"stakes": "gm"})
	gm, player := p.sit("gm", p.gm, 1440, 900), p.sit("anna", anna, 360, 780)

	takesUpACall(t, lira, gm, player)
	confirmsTheStakes(guard, gm, player)
	strikesMeanwhile(p, boris, tam, guard, gm, player)
	findsRelief(p, tam, gm, player)
	sneaksAndRests(p, lira, tam, guard, gm, player)
}

// takesUpACall lets the game master request a check with its stakes, which the bond takes. The
// player is asked nothing else.
func takesUpACall(t *testing.T, lira string, gm, player *seat) {
	if at := gm.ask("document.querySelector('#actor').value"); at == lira {
		t.Fatal("the GM composes for a player's hero unasked")
	}
	gm.begins(lira, "check")
	gm.fills(composer, "difficulty", "1")
	gm.fills(composer, "risk", "d6")
	gm.fills(composer, "resistance", "bond:0")
	gm.click(".ask summary")
	gm.choose("#ask-about", "пройти мимо лавки Верриса")
	gm.picture("ask")
	gm.click("[data-ask]")
	player.sees(".called", "пройти мимо лавки")
	player.picture("called")
	player.click(".called a")
	player.sees("[data-composer=check] .call", "Сложность 1")
	player.fills(composer, "skill", "sneak")
	player.fills(composer, "hindered", "0")
	player.sees("#odds", "30 % на успех без стресса") // three dice less two
	player.picture("composer")
	player.byHand("3 5")
	gm.answers("dice", "faces", "4") // of 8
	gm.sees("[data-question-kind='spire.fallout']", "Старый Веррис")
	gm.picture("bond-fallout")
	gm.answers("spire.fallout", "pick", "bond.moderate.2")
	player.sees("[data-move]:last-child", "Старый Веррис")
	player.picture("bond")
}

// confirmsTheStakes asks the game master for the stakes of the player's additions. Typed faces are
// requested when the pool is known.
func confirmsTheStakes(guard string, gm, player *seat) {
	player.compose("check")
	player.fills(composer, "skill", "sneak")
	player.fills(composer, "against", guard)
	player.fills(composer, "harm", "d3")
	player.fills(composer, "resistance", "shadow")
	player.byHand("4 4")
	player.sees(".hand", "norn спросит")
	player.picture("typed")
	player.click("[data-by-hand]")
	gm.sees("[data-question-kind='spire.stakes']", "Лира")
	gm.picture("stakes")
	gm.answers("spire.stakes", "difficulty", "1")
	player.answers("dice", "faces", "3")
	player.answers("dice", "faces", "6")
	gm.answers("dice", "faces", "2")
}

// strikesMeanwhile lets Tam strike the guard while the game master considers a severe fallout,
// which becomes two lesser ones.
func strikesMeanwhile(p *apiTable, boris, tam, guard string, gm, player *seat) {
	gm.sees("[data-question-kind='spire.fallout']", "")
	p.must("POST", p.path+"/moves", boris, body{
		"move": "check", "character": tam, "byHand": true,
		"args": body{"skill": "fight", "against": guard, "harm": "d6", "risk": "d6", "resistance": "blood"},
	})
	gm.answers("spire.stakes")
	p.throws(boris, 6)
	p.throws(boris, 3)
	p.throws(boris, 4)
	gm.sees("#"+onPage(p.asked(p.gm, "dice")), "") // not the question that Boris just answered
	gm.answers("dice", "faces", "2")
	gm.sees("#cast", "3") // the guard's stress
	gm.picture("two-open")
	gm.fills("[data-question-kind='spire.fallout']", "do", "lesser")
	gm.picture("lesser")
	gm.answers("spire.fallout", "text", "Кто-то расспрашивает о ней у каждого моста", "second-text",
		"Погоня не отстаёт", "second-kind", "blood")
	player.sees("#sheet .fallout", "Погоня не отстаёт")
	for _, one := range []*seat{gm, player} {
		one.sees("#sheet [data-track=shadow]", "4") // two moderate ones have cleared ten of fourteen: SP-16
	}
	gm.answers("spire.fallout", "do", "take", "pick", "", "text", "Сломано ребро")
	player.click(".tabs [data-to-tab=sheet]")
	player.picture("sheet")
	player.click(".tabs [data-to-tab=log]")
}

// findsRelief acts for the bond, refreshes with the player's division, and lets a friend be fixed.
// The game master grants the dice.
func findsRelief(p *apiTable, tam string, gm, player *seat) {
	player.compose("act")
	player.fills(composer, "resistance", "bond:0")
	player.click("[data-throw]")
	gm.picture("relief")
	gm.answers("spire.relief", "die", "d3")
	player.sees("[data-move]:last-child", "Старый Веррис")
	player.compose("refresh")
	player.byHand("")
	gm.answers("spire.relief", "die", "d6")
	player.answers("dice", "faces", "5")
	player.sees("[data-question-kind='spire.split']", "снять 5 стресса")
	player.picture("split")
	player.answers("spire.split", "clear.shadow", "3", "clear.blood", "2")
	player.sees("[data-move]:last-child [data-outcome]", "Снято 5 стресса")
	player.compose("fix")
	player.picture("fix")
	player.fills(composer, "fallout", tam+":0")
	player.fills(composer, "risk", "d3")
	player.fills(composer, "resistance", "mind")
	player.click("[data-throw]")
	gm.answers("spire.stakes")
	gm.picture("fixed")
	gm.sees("[data-move]:last-child [data-outcome]", "")
	for p.answersAsAssumed(p.path, p.gm) { // for any dice
	}
}

// sneaksAndRests lets everybody sneak with fallouts that hinder them and an NPC's help. Care ends
// stabilised fallout, and time the rest.
func sneaksAndRests(p *apiTable, lira, tam, guard string, gm, player *seat) {
	p.becomes(tam, body{"fallouts": []body{{
		"kind": "blood", "severity": "moderate", "suggestion": "",
		"text": "Сломано ребро", "stabilised": true,
	}}})
	player.compose("group")
	player.fills(composer, "members", tam)
	player.fills(composer, "hindered", tam+":0")
	player.fills(composer, "skill", "sneak")
	player.fills(composer, "with", guard)
	player.fills(composer, "means", "держит фонарь")
	player.picture("group")
	player.click("[data-throw]")
	gm.picture("group-stakes")
	gm.answers("spire.stakes", "risk", "d3", "resistance", "shadow")
	gm.sees("[data-move]:last-child", "Там: сложнее на 1")
	for p.answersAsAssumed(p.path, p.gm) {
	}
	gm.picture("group")
	player.compose("care")
	player.fills(composer, "fallout", tam+":0")
	player.click("[data-throw]")
	gm.picture("care")
	gm.answers("spire.care", "allow", "on")
	gm.sees("[data-move]:last-child [data-outcome]", "Последствие исцелено")
	gm.composes("day")
	gm.picture("day-composer")
	gm.click("[data-throw]")
	gm.sees("[data-question-kind='spire.day']", "Лира")
	gm.picture("day")
	gm.answers("spire.day", "ended", lira+":0")
	player.sees("[data-move]:last-child", "последствие прошло")
	player.click(".tabs [data-to-tab=sheet]")
	player.picture("end")
	gm.picture("end")
}
