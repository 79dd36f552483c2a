//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// A session of the Edda in Russian, with Fate and a player at their browsers: help, a contest with
// sealed plans, joint work against an opponent, attempts with a miracle, conditions that Fate
// writes and lifts, and the change of a memory.
func TestEddaSessionOfFateAndAPlayerInRussian(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("edda", "ru")
	anna, annas := p.invites("Анна")
	boris, boriss := p.invites("Борис")
	asta := p.adds("hero", "Аста", annas, body{
		"strengths": []body{
			{"name": "Знает каждую трещину во льду", "steps": 3},
			{"name": "Поёт так, что заслушаешься", "steps": 2},
			{"name": "Держит слово", "steps": 1},
		},
		"weakness":   body{"text": "Боится темноты", "marks": 2},
		"memories":   []body{{"text": "Последняя переправа деда", "calls": 4}},
		"conditions": []body{{"name": "fatigue", "kind": "body", "size": 1}}, "experience": 4,
	})
	jon := p.adds("hero", "Йон", boriss, body{"strengths": []body{{"name": "Не выпустит верёвку", "steps": 3}}})
	frost := p.adds("fated", "Старший Мороз", "", body{"dice": 3})
	p.sets(body{"fate-agrees": true})
	fate, player := p.sit("gm", p.gm, 1440, 900), p.sit("anna", anna, 360, 780)

	fateWritesAndSets(asta, fate, player)
	triesTwice(t, p, boris, asta, jon, fate, player)
	contendsUnderSealedPlans(t, p, boris, jon, fate, player)
	worksTogetherAgainstFrost(p, anna, boris, asta, jon, frost, fate, player)
	conditionsPass(p, boris, asta, jon, fate, player)
}

func of(list ...string) []string { return list }

// fateWritesAndSets lets Fate write a condition and set a difficulty for Asta.
func fateWritesAndSets(asta string, fate, player *seat) {
	fate.begins(asta, "afflict")
	fate.fills(composer, "name", "_other")
	fate.choose(composer+" [name='name._other']", "Страх")
	fate.fills(composer, "kind", "mind")
	fate.fills(composer, "size", "2")
	fate.picture("afflict")
	fate.click("[data-throw]")
	player.sees("[data-move]:last-child", "Страх +2 → 2")
	fate.composes("set")
	fate.fills(composer, "name", "Встречный ветер")
	fate.picture("set")
	fate.click("[data-throw]")
	player.sees("[data-move]:last-child", "Встречный ветер −1")
}

// triesTwice lets Jon help with two successes. Asta leaves out her fear, which Fate has to allow,
// and tries twice, an hour each.
func triesTwice(t *testing.T, p *apiTable, boris, asta, jon string, fate, player *seat) {
	p.moves(boris, "help", jon, body{"helped": asta, "strengths": of("0"), "deed": "Держит сани"})
	fate.answers("edda.action", "agree", "on")
	for p.answersAsAssumed(p.path, p.gm) {
	}
	p.becomes(asta, body{
		"advantages":   []body{{"name": "Держит сани", "size": 2, "lasts": "once"}},
		"difficulties": []body{{"name": "Встречный ветер", "size": 1, "lasts": "once"}},
	})
	player.compose("act")
	player.fills(composer, "deed", "Идёт к колоколу по льду")
	player.fills(composer, "strengths", "0")
	player.sees("#odds .odds-sources", "Страх −2")
	player.choose(composer+" [name=conditions][value='1']", "")
	player.fills(composer, "complexity", "3")
	player.fills(composer, "attempts", "2")
	player.fills(composer, "time", "час")
	player.picture("act")
	player.byHand("")
	fate.sees("[data-question-kind='edda.action']", "Не учтено: Страх −2")
	fate.picture("action")
	fate.answers("edda.action", "agree", "on")
	player.answers("dice", "faces", "5 1 2") // 3 + 2 − 1 − 1
	player.picture("effort")
	player.answers("edda.effort", "pay", "none")
	player.sees("[data-question-kind='edda.again']", "попытка 1 из 2")
	player.picture("again")
	player.answers("edda.again", "again", "on")
	player.answers("dice", "faces", "6 3 1")
	player.answers("edda.effort", "pay", "memory", "memory", "0")
	player.answers("dice", "faces", "5 5")
	player.sees("[data-question-kind='edda.rethink']", "Последняя переправа деда")
	player.picture("rethink")
	player.answers("edda.rethink", "take", "strength", "name", "Помнит деда")
	fate.answers("edda.new-strength", "agree", "on")
	player.sees("[data-move]:last-child [data-outcome]", "Успех: 3 меры успеха")
	if options := fate.text("[data-move]:last-child .card-options"); strings.Contains(options, "Что взамен") {
		t.Errorf("the card says what nothing has faded for: %q", options)
	}
	fate.picture("attempts")
}

// contendsUnderSealedPlans checks that nobody sees the other's plan before both are closed. Fate
// decides about the surplus.
func contendsUnderSealedPlans(t *testing.T, p *apiTable, boris, jon string, fate, player *seat) {
	player.compose("contest")
	player.fills(composer, "against", jon)
	player.fills(composer, "strengths", "0")
	player.fills(composer, "strengths", "1")
	player.sees("#odds .odds-sources", "Страх −2")
	player.picture("contest")
	player.byHand("")
	fate.answers("edda.action", "agree", "on")
	p.asked(boris, "edda.plan")
	if strings.Contains(p.text(boris), `["0","1"]`) {
		t.Error("Boris reads Asta's plan")
	}
	p.answers(boris, "edda.plan", body{"strengths": of("0")})
	fate.answers("edda.action", "agree", "on")
	player.answers("dice", "faces", "5 1")
	p.throws(boris, 5, 5, 5)
	player.answers("edda.effort", "pay", "none")
	fate.sees("[data-question-kind='edda.yield']", "Аста: поражение")
	fate.fills("[data-question-kind='edda.yield']", "becomes", "difficulty")
	fate.picture("yield")
	fate.answers("edda.yield", "called", "Йон тянет назад", "lasts", "lasting")
	player.sees("[data-move]:last-child", "Йон тянет назад −2")
}

// worksTogetherAgainstFrost lets Asta's player plan in a question of her own.
func worksTogetherAgainstFrost(p *apiTable, anna, boris, asta, jon, frost string, fate, player *seat) {
	p.must("POST", p.path+"/moves", boris,
		body{
			"move": "joint", "character": jon, "byHand": true,
			"args": body{"strengths": of("0"), "with": of(asta), "against": frost, "deed": "Тянут колокол"},
		})
	fate.answers("edda.action", "agree", "on")
	player.sees("[data-question-kind='edda.plan']", "")
	player.picture("plan")
	player.fills("[data-question-kind='edda.plan']", "strengths", "1")
	player.fills("[data-question-kind='edda.plan']", "fade", "2")
	player.fills("[data-question-kind='edda.plan']", "miracle", "both")
	player.picture("plan-miracle")
	player.answers("edda.plan")
	fate.answers("edda.action", "agree", "on")
	fate.sees("[data-question-kind='edda.miracle']", "Держит слово")
	fate.picture("miracle")
	fate.answers("edda.miracle", "agree", "on")
	p.throws(boris, 5, 5, 5)
	player.sees("#"+onPage(p.asked(anna, "dice")), "") // not the question that Boris just answered
	player.answers("dice", "faces", "5 1 2 3 4 6")     // 5 + 6 − 1 − 2 − 2
	p.throws(p.gm, 1, 2, 3)
	player.answers("edda.effort", "pay", "condition")
	player.answers("dice", "faces", "1 1 1 1")
	fate.answers("edda.effort", "pay", "none")
	fate.answers("edda.yield", "becomes", "condition", "condition", "_other", "condition._other", "Трещины", "size",
		"6")
	player.sees("[data-move]:last-child", "Старший Мороз выбывает из сцены")
	player.sees("[data-move]:last-child [data-outcome]", "Победа с перевесом в 6 мер успеха")
	fate.picture("joint")
	player.picture("joint")
}

// conditionsPass ends conditions by deeds, or by Fate's decision.
func conditionsPass(p *apiTable, boris, asta, jon string, fate, player *seat) {
	p.sets(body{"fate-agrees": false})
	p.moves(boris, "mend", jon, body{"eased": asta + ":0", "strengths": of("0")}, 5, 5, 6)
	player.sees("[data-move]:last-child", "усталость −2, состояние прошло")
	fate.composes("lift")
	fate.click("[data-throw]")
	player.sees("[data-move]:last-child", "Страх −2, состояние прошло")
	fate.composes("end")
	fate.click("[data-throw]")
	player.sees("[data-move]:last-child", "Йон тянет назад −2 — прошло")
	p.reckoned(asta, body{"conditions": []body{}, "difficulties": []body{}})
	player.click(".tabs [data-to-tab=sheet]")
	player.picture("sheet")
}
