//go:build e2e

package playtest

import (
	"fmt"
	"testing"
)

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

// meanwhile is a question that changes while somebody types an answer to it.
type meanwhile struct {
	game       string
	question   string
	fills      []string // name, value: what is typed before
	part       string   // finds a part of the question that changes
	was, is    string   // its text before and after; without any it's gone then
	asked, too *seat    // whom it's asked of, and another game master, whose page has it, too
}

// plays lets the asked one type, somebody else act, and checks that both pages have the question anew and that
// nothing typed is lost.
func (m meanwhile) plays(acts func()) {
	at := "[data-question-kind='" + m.game + "." + m.question + "'] "
	for _, s := range []*seat{m.asked, m.too} {
		s.sees(at+m.part, m.was)
	}
	for i := 0; i < len(m.fills); i += 2 {
		m.asked.fills(at, m.fills[i], m.fills[i+1])
	}
	acts()
	for _, s := range []*seat{m.asked, m.too} {
		if m.is == "" {
			s.gone(at + m.part)
		} else {
			s.sees(at+m.part, m.is)
		}
	}
	for i := 0; i < len(m.fills); i += 2 {
		name, want := m.fills[i], m.fills[i+1]
		have := m.asked.ask(fmt.Sprintf("new FormData(document.querySelector(%q)).get(%q)", at+"form", name))
		if have != want {
			m.asked.t.Errorf("of what was typed %s is %q, want %q", name, have, want)
		}
	}
	m.asked.picture("asked-anew")
	m.asked.click(at + ".actions .primary")
	for _, s := range []*seat{m.asked, m.too} {
		s.gone(at)
	}
}

// masters adds a second game master, whose page is open.
func (p *apiTable) masters() *seat {
	p.t.Helper()
	added := p.must("POST", p.path+"/seats", p.gm, body{"name": "Cleo", "role": "gm"})
	return p.sit("cleo", added["secret"].(string), 1280, 900)
}

// A game master rules on a fallout while a friend heals one that could have grown: it isn't offered any more, on
// anybody's page. SP-18, SP-21
func TestFalloutHealedMeanwhileIsNotOffered(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("spire", "en")
	_, annas := p.invites("Anna")
	boris, boriss := p.invites("Boris")
	p.sets(body{"stakes": "players"})
	cut := func(n string) body {
		return body{"kind": "blood", "severity": "minor", "suggestion": "blood.minor." + n}
	}
	lira := p.adds("character", "Lira", annas, body{"stress": body{"blood": 3}, "fallouts": []body{cut("1"), cut("2")}})
	tam := p.adds("character", "Tam", boriss, body{})
	master, cleo := p.sit("master", p.gm, 1280, 900), p.masters()
	p.moves(p.gm, "fallout", lira, body{"resistance": "blood"}, 1)
	meanwhile{
		game: "spire", question: "fallout", fills: []string{"text", "A limp that stays"},
		part: "[data-field=replaces] [value='1']", asked: master, too: cleo,
	}.plays(func() { p.moves(boris, "heal", tam, body{"fallout": lira + ":0", "worth": 3}) })
}

// Somebody is asked how to resist while the Storyteller gives Paradox: the question counts it, on every page.
// MG-09, MG-14
func TestPointsGainedMeanwhileAreInWhatResists(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("mage", "en")
	anna, annas := p.invites("Anna")
	boris, boriss := p.invites("Boris")
	mage := body{
		"attributes": body{"wits": 3}, "arete": 2, "willpower": body{"permanent": 5, "temporary": 3},
	}
	marta, ilya := p.adds("character", "Marta", annas, mage), p.adds("character", "Ilya", boriss, mage)
	player, cleo := p.sit("boris", boris, 390, 844), p.masters()
	p.moves(anna, "resisted", marta, body{"attribute": "wits", "against": ilya})
	meanwhile{
		game: "mage", question: "resist", fills: []string{"alone", "willpower", "willpower", "on"},
		part: "[data-field=alone]", was: "Парадокс 0", is: "Парадокс 2", asked: player, too: cleo,
	}.plays(func() { p.moves(p.gm, "gain", ilya, body{"points": "paradox", "amount": 2}) })
}

// Somebody is asked what to defend with while their last point is spent on an aptitude: the question offers no
// point any more, on every page. EP-18, EP-20
func TestPointsSpentMeanwhileAreNotOffered(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("eclipse", "en")
	anna, annas := p.invites("Anna")
	boris, boriss := p.invites("Boris")
	ego := body{
		"aptitudes": body{"ref": 15}, "pools": body{"vigor": body{"now": 1, "max": 1}},
		"skills": []body{
			{"name": "guns", "aptitude": "ref", "kind": "combat", "value": 45, "defaultable": true},
			{"name": "fray", "aptitude": "ref", "kind": "combat", "value": 30, "defaultable": true},
		},
	}
	amina, sava := p.adds("character", "Amina", annas, ego), p.adds("character", "Sava", boriss, ego)
	player, cleo := p.sit("boris", boris, 390, 844), p.masters()
	p.moves(anna, "opposed", amina, body{"on": "skill:guns", "against": sava})
	meanwhile{
		game: "eclipse", question: "defence", fills: []string{"on", "skill:fray", "situation", "minor-boon"},
		part: "[name=boost]", asked: player, too: cleo,
	}.plays(func() { p.moves(p.gm, "boon", sava, body{"aptitude": "ref"}) })
}
