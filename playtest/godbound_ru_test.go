//go:build e2e

package playtest

import "testing"

// reads opens a seat in a new browser with a language.
func (p *apiTable) reads(name, lang, secret string, width, height int64) *seat {
	p.t.Helper()
	s := sit(p.t, name, width, height)
	s.arrives(p.url("/"))
	s.run("document.cookie = 'lang=" + lang + "; path=/'; document.cookie = 'steps=away; path=/'")
	s.follows(p.url("/t" + p.path[len("/tables"):] + "/" + secret))
	return s
}

// A session of two seats in Russian, a game master's and a player's with two heroes, by real
// presses: a mob of twelve and a champion with three attacks, gifts at every cost, healing that
// needs an answer, morale, Fury, a fall, the scene's end, dawn, a month and a change of the world
// that the player proposes.
func TestGodboundSessionOfTwoSeatsInRussian(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("godbound", "ru")
	anna, annas := p.invites("Анна")
	arren := p.adds("hero", "Аррен", annas, body{
		"level": 2, "hp": 11, "ac": 4, "bonus": 3, "attributes": body{"strength": 16},
		"words":   []body{{"name": "Солнце"}},
		"weapons": []body{{"name": "Молот", "dice": "3d8", "attribute": "strength", "melee": true}},
		"gifts": []body{
			{"name": "Кольцо утра", "action": "instant", "cost": "sustained"},
			{"name": "Поступь света", "action": "on-turn"},
			{"name": "Копьё полудня", "action": "action", "cost": "scene"},
			{"name": "Удар полудня", "action": "action", "cost": "day"},
		},
		"effort": body{"total": 5}, "influence": body{"total": 3}, "dominion": 2, "divinity": "free",
	})
	sefa := p.adds("hero", "Сефа", annas, body{
		"level": 2, "hp": 9, "ac": 6, "bonus": 2, "attributes": body{"dexterity": 13},
		"words":   []body{{"name": "Ночь"}},
		"weapons": []body{{"name": "Нож", "dice": "1d6", "attribute": "dexterity", "melee": true}},
		"effort":  body{"total": 3},
	})
	mob := p.adds("foe", "Стража моста", "",
		body{
			"hd": 1, "count": 12, "ac": 7, "bonus": 1, "morale": 7,
			"attacks": []body{{"name": "Копья", "dice": "1d6"}},
		})
	king := p.adds("foe", "Король пошлин", "", body{
		"hd": 10, "ac": 5, "bonus": 5,
		"attacks": []body{{"name": "Когти", "dice": "1d10", "times": 2}, {"name": "Пасть", "dice": "1d6"}},
	})
	fight := p.adds("fight", "На мосту", "", body{})
	gm, her := p.reads("gm", "ru", p.gm, 1440, 900), p.reads("anna", "ru", anna, 360, 740)
	both := func(text string) {
		t.Helper()
		for _, one := range []*seat{gm, her} {
			one.sees("[data-move]", text)
		}
	}

	forecastsTheFight(t, arren, mob, gm)
	beginsTheFight(arren, sefa, mob, king, fight, gm, both)
	usesGiftsAtEveryCost(arren, sefa, mob, king, gm, her, both)
	foesStrike(arren, mob, king, gm, her, both)
	healsForEffort(arren, sefa, king, fight, gm, her, both)
	fallsAndRises(arren, mob, king, fight, gm, her, both)
	asksForDawn(arren, gm, her, both)
	changesTheWorld(arren, gm, her, both)

	// The final values of the sheets, computed by hand: 11 − 2 + 3 − 10, then Fury's 6; a free
	// divinity's month is 1.
	p.reckoned(arren, body{
		"lost": 5, "state": "", "dominion": 2, "fury-level": 2, "influence": body{"committed": 0, "total": 3},
		"effort": body{"total": 5, "committed": []body{{
			"for": "Кольцо утра", "n": 1, "purpose": "gift", "stays": false,
			"until": "sustained",
		}}},
	})
	p.reckoned(sefa, body{"lost": 0, "effort": body{"total": 3, "committed": []body{}}})
	p.reckoned(mob, body{"count": 9, "fate": "flees"})
	p.reckoned(king, body{"count": 0, "fate": "beaten"})
}

// forecastsTheFight shows the fight's likely end round by round, and the remaining HP after a
// victory.
func forecastsTheFight(t *testing.T, arren, mob string, gm *seat) {
	gm.begins(arren, "fight")
	gm.fills(composer, "against", mob)
	gm.sees("#odds [data-course] .stacked", "")
	gm.sees("#odds .odds-heads", "")
	gm.click("#odds-exact summary")
	if n := gm.ask("[...document.querySelectorAll('#odds-exact .columns')].at(-1).querySelectorAll('.bar').length"); n != "11" {
		t.Errorf("%s bars show what is left of 11 HP", n)
	}
	gm.picture("00-forecast")
}

// beginsTheFight puts two heroes against a mob and its king.
func beginsTheFight(arren, sefa, mob, king, fight string, gm *seat, both func(string)) {
	gm.begins(fight, "begin")
	for field, who := range map[string][]string{"heroes": {arren, sefa}, "foes": {mob, king}} {
		for _, each := range who {
			gm.fills(composer, field, each)
		}
	}
	gm.picture("01-begin")
	gm.click("#throw")
	both("Бой")
}

// usesGiftsAtEveryCost plays the heroes' first round.
func usesGiftsAtEveryCost(arren, sefa, mob, king string, gm, her *seat, both func(string)) {
	her.begins(arren, "gift")
	her.picture("02-gift")
	her.fills(composer, "gift", "0")
	her.click("#throw")
	both("Кольцо утра")
	her.begins(arren, "gift")
	her.fills(composer, "gift", "1")
	her.click("#throw")
	both("Поступь света")
	her.begins(arren, "gift")
	her.fills(composer, "gift", "2")
	her.fills(composer, "targets", king)
	her.fills(composer, "dice", "2к8")
	her.picture("03-gift-spear")
	her.byHand("8 3")
	both("Король пошлин: ХД −3")
	her.begins(sefa, "miracle")
	her.picture("04-miracle")
	her.fills(composer, "use", "guard")
	her.picture("04b-guard")
	her.fills(composer, "use", "wall")
	her.fills(composer, "dice", "1к6")
	her.fills(composer, "until", "scene")
	her.fills(composer, "text", "Стена теней поперёк моста")
	her.picture("05-miracle-wall")
	gm.picture("05-gm")
	her.click("#throw")
	both("Стена теней")
	gm.click(cast(sefa))
	gm.sees("#sheet .works", "Стена теней поперёк моста")
	her.begins(sefa, "zone")
	her.fills(composer, "targets", mob)
	her.byHand("7")
	her.sees("#composer .problem", "6")
	her.choose("#hand-dice", "5")
	her.click("[data-by-hand]")
	both("Стража моста: ХД −1")
	her.begins(arren, "fray")
	her.fills(composer, "target", mob)
	her.byHand("7")
	both("на ногах: 9")
	her.picture("06-log")
}

// foesStrike divides the spears between the two heroes, with the king at Arren: a 15 and better
// hits AC 4, a 13 AC 6.
func foesStrike(arren, mob, king string, gm, her *seat, both func(string)) {
	her.gone("[data-form=pass]") // it is the game master's
	gm.click("[data-form=pass] button")
	both("Ходят противники")
	gm.begins(mob, "strike")
	gm.fills(composer, "target", arren)
	gm.picture("07-strike")
	gm.byHand("15 2 3 4 5 6 7 8 9")
	gm.answers("dice", "faces", "6")
	both("Аррен: ХП −2 → 9")
	gm.begins(king, "strike")
	gm.fills(composer, "target", arren)
	gm.byHand("11 9 8 6")
	both("Аррен: ХП −2 → 7")
	her.picture("08-hurt")
}

// healsForEffort plays the day's gift and a miracle that heals, which needs an answer.
func healsForEffort(arren, sefa, king, fight string, gm, her *seat, both func(string)) {
	gm.begins(fight, "next")
	gm.click("#throw")
	both("Раунд 2")
	her.begins(arren, "gift")
	her.fills(composer, "gift", "3")
	her.fills(composer, "targets", king)
	her.fills(composer, "dice", "1к8")
	her.byHand("8")
	both("Король пошлин: ХД −2")
	her.begins(sefa, "heal")
	her.picture("09-heal")
	her.fills(composer, "patient", arren)
	her.fills(composer, "points", "3")
	her.fills(composer, "by", "word:0")
	her.click("#throw")
	her.picture("10-accept")
	her.answers("godbound.accept", "accept", "on")
	both("Аррен: ХП +3")
}

// fallsAndRises lets Arren fall, rise in Fury and break the king; the guards flee.
func fallsAndRises(arren, mob, king, fight string, gm, her *seat, both func(string)) {
	gm.begins(fight, "next")
	gm.click("#throw")
	gm.begins(king, "strike")
	gm.fills(composer, "target", arren)
	gm.byHand("20 20 20 10 10 6")
	her.sees("[data-question-kind='godbound.rise']", "0 ХП")
	her.picture("12-rise")
	gm.picture("12-rise")
	her.answers("godbound.rise", "rise", "on")
	both("Аррен поднимается в Божественной Ярости: 6 ХП")
	gm.begins(mob, "morale")
	gm.byHand("6 5")
	gm.picture("13-rout")
	gm.answers("godbound.rout", "fate", "flees")
	both("Бегство")
	gm.begins(fight, "next")
	gm.click("#throw")
	her.begins(arren, "attack")
	her.fills(composer, "target", king)
	her.byHand("12 8 6 2")
	her.picture("14-die")
	her.answers("godbound.die")
	her.sees("[data-move]:last-child .offer + .offer button", "")
	her.picture("14-fate")
	her.click("[data-move]:last-child .offer + .offer button")
	both("Король пошлин: ")
	gm.click(cast(fight))
	gm.picture("15-fight")
	gm.begins(fight, "end")
	gm.click("#throw")
	both("Бой окончен")
}

// asksForDawn lets the player ask for dawn. The game master ends the scene and grants it, and the
// ring stays.
func asksForDawn(arren string, gm, her *seat, both func(string)) {
	her.begins(arren, "ask")
	her.fills(composer, "time", "dawn")
	her.picture("16-ask")
	her.click("#throw")
	both("рассвет")
	gm.begins("", "scene")
	gm.click("#throw")
	both("Стена теней")
	gm.begins("", "dawn")
	gm.click("#throw")
	her.picture("17-keep")
	her.answers("godbound.keep")
	both("Вернулось")
	her.click(".tabs [data-to-tab=sheet]")
	her.picture("18-sheet")
}

// changesTheWorld lets the player propose a change, the game master price it and the player pay.
func changesTheWorld(arren string, gm, her *seat, both func(string)) {
	gm.begins(arren, "month")
	gm.click("#throw")
	both("Владычество")
	her.click(".tabs [data-to-tab=cast]")
	her.click("#cast-add summary")
	her.choose("#add-name", "Маяк")
	her.choose("[data-form=character] [name=_kind][value=project]", "project")
	her.picture("19-project")
	her.click("[data-form=character] button[type=submit]")
	gm.sees("#cast", "Маяк")
	her.click(".tabs [data-to-tab=log]")
	her.begins(arren, "work")
	her.picture("20-unpriced")
	her.click(".compose-close a")
	id := gm.ask("[...document.querySelectorAll('#cast [data-character]')].find(e => e.textContent.includes('Маяк')).dataset.character")
	gm.click(cast(id))
	gm.sees("#sheet", "Масштаб и степень назначает Ведущий")
	const sheet = "#sheet form[data-form=sheet]"
	gm.changes()
	gm.click("#sheet [data-edit]")
	gm.sees(sheet, "Деревня: тысяча человек")
	gm.fills(sheet, "scale", "village")
	gm.fills(sheet, "degree", "improbable")
	gm.picture("21-price")
	gm.click(sheet + " button.primary")
	gm.sees("#sheet [data-track=paid]", "0")
	her.begins(arren, "work")
	her.fills(composer, "project", id)
	her.fills(composer, "influence", "1")
	her.fills(composer, "dominion", "1")
	her.picture("22-work")
	her.click("#throw")
	both("мир меняется")
	gm.begins(id, "close")
	gm.click("#throw")
	both("Завершено; Влияние снова свободно")
	gm.sees("#sheet", "Цена была 2")
	gm.picture("23-done")
}
