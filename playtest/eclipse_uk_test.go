//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// A session of two seats in Ukrainian, a game master's and a player's, by real presses: a contest
// in which both choose before both roll, points before and after a roll, a +20 that the limit would
// cut, quality that is saved and used, a secret test, a task and a recharge.
func TestEclipseSessionOfTwoSeatsInUkrainian(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("eclipse", "uk")
	p.sets(body{"effects": "ask"})
	anna, annas := p.invites("Анна")
	skill := func(name, aptitude, kind string, value int) body {
		return body{"name": name, "aptitude": aptitude, "kind": kind, "value": value}
	}
	lira := p.adds("character", "Ліра", annas, body{
		"morph": "Екзальт", "aptitudes": body{"cog": 20, "int": 15, "ref": 15, "sav": 20, "som": 10, "wil": 15},
		"skills": []body{
			skill("persuade", "sav", "social", 60), skill("perceive", "int", "mental", 45),
			skill("guns", "ref", "combat", 35),
			skill("hardware", "cog", "technical", 50),
		},
		"pools": body{
			"insight": body{"now": 2, "max": 2}, "moxie": body{"now": 2, "max": 3},
			"flex": body{"now": 1, "max": 1},
		},
	})
	otto := p.adds("npc", "Отто", "",
		body{"morph": "Привид", "skills": []body{
			skill("deceive", "sav", "social", 70),
			skill("infiltrate", "ref", "physical", 50),
		}})
	gm, her := p.reads("gm", "uk", p.gm, 1440, 900), p.reads("anna", "uk", anna, 360, 740)
	both := func(text string) {
		t.Helper()
		for _, one := range []*seat{gm, her} {
			one.sees("[data-move]", text)
		}
	}

	hagglesWithOtto(otto, gm, her)
	spendsPoints(lira, gm, her, both)
	takesUpTheDrone(t, lira, her)
	throwsInSecret(t, lira, gm, her)
}

// hagglesWithOtto lets Otto choose before any die is rolled, and a point flip the player's 71.
func hagglesWithOtto(otto string, gm, her *seat) {
	her.begins("", "opposed")
	her.fills(composer, "on", "skill:persuade")
	her.fills(composer, "against", otto)
	her.sees("#odds .odds-sources", "60")
	her.picture("01-opposed")
	her.click(".hand summary")
	her.click("[data-by-hand]")
	gm.sees("[data-question-kind='eclipse.defence']", "Отто")
	gm.picture("02-defence")
	gm.answers("eclipse.defence", "on", "skill:deceive")
	her.picture("03-dice")
	her.answers("dice", "faces", "71")
	gm.answers("dice", "faces", "82")
	her.sees("[data-question-kind='eclipse.point']", "71")
	her.picture("04-point")
	her.answers("eclipse.point", "use", "flip", "pool", "moxie")
	for _, one := range []*seat{gm, her} {
		one.sees("[data-move] .throw", "Отто · к100") // she doesn't see its number
	}
	gm.picture("05-won")
}

// spendsPoints refuses +20 beyond the limit before it is paid, and applies it within.
func spendsPoints(lira string, gm, her *seat, both func(string)) {
	her.begins("", "test")
	her.fills(composer, "on", "skill:hardware")
	her.fills(composer, "difficulty", "very-easy")
	her.fills(composer, "situation", "major-boon")
	her.fills(composer, "boost", "on")
	her.byHand("53")
	her.sees("#composer .problem", "EP-20")
	her.picture("06-cap")
	her.fills(composer, "situation", "even")
	her.fills(composer, "difficulty", "average")
	her.click("[data-by-hand]")
	her.sees("[data-question-kind='eclipse.superior']", "")
	her.picture("07-superior")
	her.answers("eclipse.superior", "effect", "quality", "about", "_other", "about._other", "дрон")
	both("дрон")
	gm.click(cast(lira))
	gm.picture("08-kept")
}

// takesUpTheDrone uses the earlier result about the drone in a test.
func takesUpTheDrone(t *testing.T, lira string, her *seat) {
	her.begins("", "test")
	her.fills(composer, "on", "skill:perceive")
	her.picture("09-carried")
	her.fills(composer, "carried", lira+"/0")
	her.sees("#odds .odds-sources", "дрон")
	if ticked := her.ask("document.querySelector(\"[data-form=move] [name=boost]\").checked"); ticked != "false" {
		t.Error("the point paid for one test is ticked for the next")
	}
	her.byHand("54")
	her.answers("eclipse.point", "use", "keep")
	her.answers("eclipse.superior", "effect", "detail")
	her.picture("10-after")
}

// throwsInSecret lets the game master roll for the player in secret, which she doesn't notice.
func throwsInSecret(t *testing.T, lira string, gm, her *seat) {
	before := her.text("#log")
	gm.begins(lira, "test")
	gm.fills(composer, "on", "skill:perceive")
	gm.choose("[data-form=move] [name=_secret]", "on")
	gm.picture("11-secret")
	gm.byHand("40")
	gm.sees("[data-move]:last-child", "40")
	gm.picture("12-secret")
	if after := her.text("#log"); strings.TrimSpace(after) != strings.TrimSpace(before) {
		t.Errorf("of a secret test she reads %s", after)
	}
}
