//go:build e2e

package playtest

import "testing"

// Somebody is asked how to counter a power, and binds Effort meanwhile: nobody waits, the question is
// asked anew, and what was typed into it stays. Then a blow fells the hero, and a friend heals before
// it's said whether to rise: the question says that there is nothing to rise from. GB-02
func TestActsWhileAQuestionIsOpenAreInIt(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("godbound", "ru")
	anna, annas := p.invites("Анна")
	boris, boriss := p.invites("Борис")
	hero := body{
		"level": 3, "hp": 14, "ac": 9, "effort": body{"total": 4}, "words": []body{{"name": "Солнце"}},
		"gifts": []body{{"name": "Эгида", "action": "instant", "cost": "sustained"}},
	}
	arren := p.adds("hero", "Аррен", annas, hero)
	sefa := p.adds("hero", "Сефа", boriss, hero)
	kirou := p.adds("foe", "Киро", "", body{
		"hd": 9, "ac": 4, "bonus": 9, "attacks": []body{{"name": "Когти", "dice": "1d12", "straight": true}},
	})
	player := p.sit("anna", anna, 390, 844)
	p.moves(p.gm, "power", kirou, body{"name": "Рёв", "does": "hinder", "targets": []string{arren}, "timing": "instant"})
	const defend = "[data-question-kind='godbound.defend']"
	player.sees(defend, "Рёв")
	player.choose(defend+" [name=with]", "word:0")
	player.fills(defend, "how", "Свет глушит рёв")
	player.picture("asked")
	p.moves(anna, "gift", arren, body{"gift": "0"})
	player.until("be asked anew", func() bool {
		return player.ask("document.querySelector(\""+defend+" [value='up:0']\") !== null") == "true"
	}, func() string { return player.ask("document.querySelector(\"" + defend + "\").innerHTML") })
	player.picture("asked-anew")
	if typed := player.ask("document.querySelector(\"" + defend + " [name=how]\").value + document.querySelector(\"" + defend + " [name=with]\").value"); typed != "Свет глушит рёвword:0" {
		t.Errorf("of what was typed %q is left", typed)
	}
	player.click(defend + " .actions .primary")
	player.gone(defend)
	p.answers(p.gm, "godbound.nod", body{"yes": true})

	p.becomes(arren, body{"lost": 13})
	p.moves(p.gm, "strike", kirou, body{"target": arren}, 19, 9)
	const rise = "[data-question-kind='godbound.rise']"
	player.sees(rise, "Ярост")
	p.moves(boris, "heal", sefa, body{"patient": arren, "points": 5, "by": "word:0", "until": "day"})
	player.sees("[data-question-kind='godbound.accept']", "Сефа")
	player.picture("healed-while-falling")
	player.click("[data-question-kind='godbound.accept'] .actions .primary")
	player.sees(rise, "исцеление")
	player.picture("nothing-to-rise-from")
	player.click(rise + " .actions .primary")
	player.gone(rise)
	p.reckoned(arren, body{"lost": 9, "state": ""})
}
