//go:build e2e

package playtest

import (
	"fmt"
	"strings"
	"testing"
)

// A session of two seats: a chase in which the player declares three actions, drives, is attacked
// and ducks out of order, shoots with Willpower, and has nothing left; then a contest over time
// that a botch costs.
func TestMageSessionOfTwoSeats(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := s.opens("mage", "en")
	annaSecret, annas := p.invites("Anna")
	mary := p.adds("character", "Mary", annas, body{
		"attributes": body{"dexterity": 4, "wits": 3},
		"talents":    []body{{"name": "athletics", "dots": 3}, {"name": "brawl", "dots": 3}},
		"skills":     []body{{"name": "Drive", "dots": 2}}, "willpower": body{"permanent": 4, "temporary": 3},
	})
	agent := p.adds("character", "Agent", "",
		body{"attributes": body{"dexterity": 2, "wits": 3}, "talents": []body{{"name": "brawl", "dots": 2}}})
	gm, anna := sit(t, "gm", 1440, 900), sit(t, "anna", 360, 780)
	gm.visit(s.url("/t" + strings.TrimPrefix(p.path, "/tables") + "/" + p.gm))
	anna.visit(s.url("/t" + strings.TrimPrefix(p.path, "/tables") + "/" + annaSecret))

	declaresThreeActions(gm, anna)
	drives(anna)
	ducksOutOfOrder(mary, agent, gm, anna)
	shootsWithWillpower(anna)
	resistsWithLeave(p, mary, agent, gm, anna)
	spendsWillpowerFreely(gm, anna)
	contestsOverTime(p, mary, agent, gm, anna)
}

// declaresThreeActions begins a turn in which Anna declares three actions, the last a defence.
func declaresThreeActions(gm, anna *seat) {
	gm.click("#move-clock")
	gm.click("#throw")
	anna.sees("[data-move]", "Turn 1 begins")
	anna.compose("declare")
	for i, text := range []string{"Drive", "Shoot", "Duck"} {
		action := fmt.Sprintf("[data-form=move] [name='intents.%d.", i)
		if anna.ask(fmt.Sprintf("document.querySelector(\"%stext']\") === null", action)) == "true" {
			anna.click("[data-form=move] button.add")
		}
		anna.choose(action+"text']", text)
	}
	anna.choose("[data-form=move] [name='intents.2.kind'][value=defence]", "defence")
	anna.picture("declaring")
	anna.click("#throw")
	anna.sees("[data-move]", "Mary declares, in dice: 1. Drive −3; 2. Shoot −4; 3. Duck −5")
	anna.click(".tabs [data-to-tab=sheet]")
	anna.sees("#sheet [data-declared='1']", "Drive")
	anna.sees("#sheet [data-declared='1'] .declared-next", "next")
	anna.sees("#sheet [data-declared='3']", "−5")
	anna.picture("declared")
}

// drives rolls the first action: 4 + 2 less 3.
func drives(anna *seat) {
	anna.click(".tabs [data-to-tab=log]")
	anna.compose("roll")
	anna.fills("[data-form=move]", "attribute", "dexterity")
	anna.fills("[data-form=move]", "ability", "Drive")
	anna.sees("#odds", "Dexterity +4 · Drive +2 · action 1 (Drive) −3 · difficulty 6 (standard)")
	anna.picture("driving")
	anna.byHand("6 7 2")
	anna.sees("[data-move]", "Action 1, Drive (−3)")
}

// ducksOutOfOrder answers an attack before she shoots: 4 + 3 less 5.
func ducksOutOfOrder(mary, agent string, gm, anna *seat) {
	gm.begins(agent, "resisted")
	gm.fills("[data-form=move]", "attribute", "dexterity")
	gm.fills("[data-form=move]", "ability", "brawl")
	gm.fills("[data-form=move]", "against", mary)
	gm.sees("#odds", "against Mary: 2d10, difficulty 6")
	gm.picture("striking")
	gm.click("#throw")
	anna.sees("[data-question-kind='mage.resist']", "Agent acts against Mary")
	anna.picture("asked")
	anna.answers("mage.resist", "attribute", "dexterity", "ability", "athletics")
	anna.sees("[data-move]", "Mary: action 3, Duck (−5)")
	gm.sees("[data-move]", "Mary: action 3, Duck (−5)")
	anna.picture("ducked")
}

// shootsWithWillpower spends the last action, and refuses another. MG-10
func shootsWithWillpower(anna *seat) {
	anna.compose("roll")
	anna.fills("[data-form=move]", "ability", "brawl")
	anna.fills("[data-form=move]", "willpower", "on")
	anna.sees("#odds", "action 2 (Shoot) −4")
	anna.byHand("6 7 2")
	anna.sees("[data-move]", "Action 2, Shoot (−4)")
	anna.compose("roll")
	anna.choose("[data-form=move] [name=willpower]", "")
	anna.click("#throw")
	anna.sees("#composer-problem .problem", "MG-10: 3 actions are already declared for this turn")
	anna.picture("spoken-for")
}

// resistsWithLeave lets the Storyteller allow her to resist with no action left.
func resistsWithLeave(p *apiTable, mary, agent string, gm, anna *seat) {
	gm.fills("[data-form=move]", "against", mary)
	p.must("PATCH", p.path+"/characters/"+agent, p.gm, body{"sheet": body{"clock": body{"acted": false}}})
	gm.sees("#odds", "Mary has no action left to resist with")
	gm.click("#throw")
	anna.sees("[data-question-kind='mage.resist'] [name=leave]", "")
	anna.click(".compose-close a")
	anna.picture("nothing-left")
	anna.answers("mage.resist", "pass", "", "leave", "on")
	gm.sees("[data-question-kind='mage.leave']", "no action left for it and asks to resist all the same")
	gm.picture("leave")
	gm.answers("mage.leave", "allow", "on")
	gm.sees("[data-move]", "Mary may resist without an action")
}

// spendsWillpowerFreely ends the turns in a new scene: Willpower can be spent on one roll after
// another.
func spendsWillpowerFreely(gm, anna *seat) {
	gm.click("#move-clock")
	gm.fills("[data-form=move]", "to", "scene")
	gm.click("#throw")
	for left := 1; left >= 0; left-- {
		anna.compose("roll")
		anna.fills("[data-form=move]", "willpower", "on")
		anna.byHand("6 7 2 3 4 5 2")
		anna.sees("[data-move]", fmt.Sprintf("Willpower −1 → %d", left))
	}
}

// contestsOverTime lets her gather successes, then botch, in a contest to five at the action's
// difficulty of 7.
func contestsOverTime(p *apiTable, mary, agent string, gm, anna *seat) {
	hack := p.adds("extended", "The hack", "", body{"target": 5, "difficulty": 7})
	anna.compose("resisted")
	anna.fills("[data-form=move]", "attribute", "wits")
	anna.fills("[data-form=move]", "ability", "Drive")
	anna.fills("[data-form=move]", "against", agent)
	anna.fills("[data-form=move]", "on", hack)
	anna.sees("#odds", "difficulty 7 (challenging) · against Agent: 3d10, difficulty 7")
	anna.picture("contest")
	for round, faces := range []string{"7 8 9 2 3", "1 2 3 4 5"} {
		if round > 0 {
			anna.compose("resisted")
		}
		anna.byHand("")
		gm.answers("mage.resist")
		anna.answers("dice", "faces", faces)
		gm.answers("dice", "faces", "7 2 3")
	}
	gm.sees("[data-question-kind='mage.ruin']", "The hack: Mary botches, and all that was gathered is lost.")
	gm.picture("botch")
	gm.answers("mage.ruin", "do", "raise")
	anna.sees("[data-move]", "The hack: Mary 0 of 5; Agent 1 of 5; Mary loses 2 by the botch")
	anna.sees("[data-move]", "The hack, Mary: difficulty +1 → 8")
	gm.click(cast(hack))
	gm.sees("#sheet [data-progress=opposed][data-now='1']", "1 of 5")
	gm.sees("#sheet", "Agent: difficulty 7 (challenging)")
	gm.picture("hack")
	anna.picture("evening")
	p.reckoned(hack, body{"gathered": 0, "opposed": 1, "raised": 1, "first": mary, "second": agent})
	p.reckoned(mary, body{"willpower": body{"permanent": 4, "temporary": 0}})
}

// cast returns the selector of a character in the cast.
func cast(id string) string { return fmt.Sprintf("#cast a[data-character=%q]", id) }

// byHand enters the faces of real dice.
func (s *seat) byHand(faces string) {
	s.t.Helper()
	if s.ask("document.querySelector('.hand').open") != "true" {
		s.click(".hand summary")
	}
	s.choose("#hand-dice", faces)
	s.click("[data-by-hand]")
}
