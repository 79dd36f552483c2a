//go:build e2e

package playtest

import (
	"net/http"
	"strings"
	"testing"
)

// godbound is a table of Godbound with its people: a game master, Anna who
// plays Arren, and Boris who plays Sefa; a mob, its champion and their fight
// wait on the bridge.
type godbound struct {
	apiTable
	anna, boris                      string // secrets
	arren, sefa, mob, king, theFight string // ids
}

func openGodbound(s *server) *godbound {
	s.t.Helper()
	g := &godbound{apiTable: apiTable{server: s}}
	made := s.must("POST", "/tables", "", body{"game": "godbound", "name": "The toll bridge", "lang": "en"})
	g.path = "/tables/" + made["id"].(string)
	g.gm = made["seat"].(map[string]any)["secret"].(string)
	invite := func(name string) (secret, id string) {
		seat := s.must("POST", g.path+"/seats", g.gm, body{"name": name, "role": "player"})
		return seat["secret"].(string), seat["id"].(string)
	}
	add := func(kind, name, owner string, sheet body) string {
		return s.must("POST", g.path+"/characters", g.gm, body{"name": name, "kind": kind, "owner": owner, "sheet": sheet})["id"].(string)
	}
	var annas, boriss string
	g.anna, annas = invite("Anna")
	g.boris, boriss = invite("Boris")
	g.arren = add("hero", "Arren", annas, body{
		"level": 2, "hp": 11, "ac": 4, "bonus": 3,
		"attributes": body{"strength": 16},
		"weapons":    []body{{"name": "Bell hammer", "dice": "3d8", "attribute": "strength", "melee": true}},
		"words":      []body{{"name": "Sun"}}, "effort": body{"total": 3},
		"bindings": []body{{"name": "The Toll-King’s ban"}},
	})
	g.sefa = add("hero", "Sefa", boriss, body{
		"level": 2, "hp": 9, "ac": 6, "bonus": 2,
		"attributes": body{"dexterity": 13},
		"weapons":    []body{{"name": "Ferryman’s knife", "dice": "1d6", "attribute": "dexterity", "melee": true}},
		"words":      []body{{"name": "Night"}}, "effort": body{"total": 2},
		"gifts": []body{{"name": "Veil of Night", "word": "Night", "action": "instant", "cost": "day"}},
	})
	g.mob = add("foe", "Toll guards", "", body{
		"hd": 1, "count": 6, "ac": 7, "bonus": 1, "morale": 7, "attacks": []body{{"name": "Spears", "dice": "1d6", "times": 1}},
	})
	g.king = add("foe", "The Toll-King", "", body{
		"hd": 10, "ac": 5, "bonus": 5, "morale": 11, "attacks": []body{{"name": "Two-handed blade", "dice": "1d12", "times": 2}},
	})
	g.theFight = add("fight", "On the bridge", "", body{})
	return g
}

// sit brings somebody to the table at a browser of their own.
func (g *godbound) sit(name, secret string, width, height int64) *seat {
	g.t.Helper()
	s := sit(g.t, name, width, height)
	s.visit(g.url("/t" + g.path[len("/tables"):] + "/" + secret))
	s.sees("header h1", "THE TOLL BRIDGE") // in inscription capitals
	return s
}

// begins opens the composer for a move of somebody's, "" for whoever is chosen
// or can be.
func (s *seat) begins(who, move string) {
	s.t.Helper()
	refused := s.ask("location.hash === '#composer' && document.querySelector('#composer .problem') !== null") == "true" // it's still open then
	if !refused && s.ask("document.querySelector('.compose-open').checkVisibility()") == "true" {
		s.click(".compose-open")
	}
	if who != "" && s.ask("document.querySelector('#actor').value") != who {
		s.choose("#actor", who)
		s.sees("[data-form=move] [name=_a][value='"+who+"']", "")
	}
	if s.ask("document.querySelector('#composer-form').dataset.composer") != move {
		s.click("#move-" + move)
	}
	s.sees("[data-composer="+move+"]", "")
}

// Two heroes against a mob and its champion: each acts once a round and throws
// the Fray die, one falls to 0 and rises in Divine Fury, both win; the scene
// ends, and dawn gives back the Effort of the day.
func TestGodboundMobChampionFuryAndDawn(t *testing.T) {
	t.Parallel()
	g := openGodbound(serve(t))
	gm := g.sit("gm", g.gm, 1440, 900)
	anna := g.sit("anna", g.anna, 390, 844)
	boris := g.sit("boris", g.boris, 1024, 768)
	all := []*seat{gm, anna, boris}

	forecastsTheFight(t, g, gm)
	opensTheFight(g, gm, all)
	fraysAndStrikes(t, g, gm, anna, boris, all)
	actsOnce(g, gm, anna)
	strikesByTheKnife(g, boris, all)
	risesInFury(g, gm, anna, boris, all)
	beatsTheChampion(g, gm, anna, boris, all)
	restsUntilDawn(g, gm, anna, boris, all)
	ragesOnce(t, g)
}

// forecastsTheFight shows round by round how the fight would end, and the HP that victory leaves.
func forecastsTheFight(t *testing.T, g *godbound, gm *seat) {
	gm.begins(g.arren, "fight")
	gm.fills(composer, "against", g.mob)
	gm.sees("#odds [data-course]", "After round 5")
	gm.sees("#odds .odds-heads", "to win")
	if n := gm.ask("document.querySelectorAll('#odds [data-course] .stacked').length"); n != "5" {
		t.Errorf("the plot shows %s rounds before the last", n)
	}
	gm.click("#odds-exact summary")
	if n := gm.ask("[...document.querySelectorAll('#odds-exact .columns')].at(-1).querySelectorAll('.bar').length"); n != "11" {
		t.Errorf("%s bars show what is left of 11 HP", n)
	}
	if n := gm.ask("document.querySelectorAll('#odds-exact .columns').length"); n != "5" && n != "6" { // after a round nobody may have won yet
		t.Errorf("what is left is shown for %s rounds", n)
	}
	gm.picture("forecast")
}

// opensTheFight puts two heroes against a mob and its champion.
func opensTheFight(g *godbound, gm *seat, all []*seat) {
	gm.begins(g.theFight, "begin")
	for field, who := range map[string][]string{"heroes": {g.arren, g.sefa}, "foes": {g.mob, g.king}} {
		for _, each := range who {
			gm.fills(composer, field, each)
		}
	}
	gm.picture("begin")
	gm.click("#throw")
	for _, one := range all {
		one.sees("[data-move]", "Fight: Arren and Sefa against Toll guards and The Toll-King. The heroes act first")
	}
}

// fraysAndStrikes fells two guards by the Fray die without an attack, and offers the best die of a
// hit first.
func fraysAndStrikes(t *testing.T, g *godbound, gm, anna, boris *seat, all []*seat) {
	anna.begins("", "fray")
	anna.fills(composer, "target", g.mob)
	anna.picture("fray-composer")
	anna.byHand("7")
	for _, one := range all {
		one.sees("[data-move]", "Toll guards: HD −2, fallen: 2, standing: 4")
		one.sees(cast(g.mob)+" [data-level=count]", "4")
	}

	// A hit with three dice: the best one for the modifier is offered first.
	anna.begins("", "attack")
	anna.fills(composer, "target", g.king)
	anna.sees("#odds .odds-heads", "75% to hit") // GB-09: against AC 9, for the king's own is hidden from her
	anna.picture("attack-composer")
	anna.byHand("14 1 4 8")
	anna.sees("[data-question-kind='godbound.die']", "Best: 8 → 10 (2 → 4), 5 in all")
	if die := anna.ask("document.querySelector(\"[data-question-kind='godbound.die'] :checked\").value"); die != "8" {
		t.Errorf("the die chosen before anybody chose is %s", die)
	}
	anna.picture("die")
	anna.answers("godbound.die")
	gm.sees("[data-move]", "The Toll-King: HD −5 → 5 of 10")
	boris.sees("[data-move]", "The Toll-King: HD −5")
	if text := boris.text("#log"); strings.Contains(text, "of 10") {
		t.Errorf("a player reads the champion's HD: %s", text)
	}
}

// actsOnce shows who has acted, who acts no more in this round.
func actsOnce(g *godbound, gm, anna *seat) {
	gm.click(cast(g.theFight))
	for _, used := range []string{"acted", "Fray die"} {
		gm.sees("#sheet [data-fighter='"+g.arren+"']", used)
	}
	anna.begins("", "attack")
	anna.byHand("20 8 8 8")
	anna.sees("#composer .problem", "Arren has no action left this round")
	anna.sees("#composer .problem", "GB-02")
	anna.picture("acted-already")
	anna.begins("", "fray")
	anna.fills(composer, "target", g.mob)
	anna.byHand("8")
	anna.sees("#composer .problem", "GB-13")
	anna.click(".compose-close a")
}

// strikesByTheKnife veils Sefa until dawn and strikes a guard down.
func strikesByTheKnife(g *godbound, boris *seat, all []*seat) {
	boris.begins("", "gift")
	boris.picture("gift-composer")
	boris.click("#throw")
	for _, one := range all {
		one.sees("[data-move]", "Sefa commits Effort until the day ends: Gift: Veil of Night")
		one.sees(cast(g.sefa)+" [data-level=effort]", "1")
	}
	boris.begins("", "attack")
	boris.fills(composer, "target", g.mob)
	boris.byHand("10 4")
	boris.sees("[data-move]", "Toll guards: HD −1, fallen: 1, standing: 3")
}

// risesInFury plays the foes' turn: Arren is at 0 HP, and nobody else may say whether he rises.
func risesInFury(g *godbound, gm, anna, boris *seat, all []*seat) {
	anna.sees("#turns .acted", "Arren")
	gm.click("[data-form=pass] button")
	for _, one := range all {
		one.sees("#turns .going", "round 1 Their foes act")
		one.sees("[data-move]", "Round 1. Their foes act")
	}
	anna.gone("[data-form=pass]") // it's the game master's
	gm.begins(g.mob, "strike")
	gm.fills(composer, "target", g.arren)
	gm.picture("strike-composer")
	gm.byHand("15 3 18")
	gm.answers("dice", "faces", "6 4")
	for _, one := range all {
		one.sees("[data-move]", "Arren: HP −3 → 8")
		one.sees(cast(g.arren)+" [data-level=hp]", "8")
	}
	gm.begins(g.king, "strike")
	gm.fills(composer, "target", g.arren)
	gm.byHand("12 15 11 10")
	anna.sees("[data-question-kind='godbound.rise']", "Arren is at 0 HP. Fury gives 6 HP for 2 rounds at most")
	boris.sees("[data-move]", "Arren: HP −4 → 0")
	boris.gone("[data-question]")
	anna.picture("at-0")
	gm.picture("at-0")
	boris.picture("at-0")
	anna.answers("godbound.rise", "rise", "on")
	boris.click(cast(g.arren))
	gm.click(cast(g.arren))
	anna.click(".tabs [data-to-tab=sheet]")
	for _, one := range all {
		one.sees("[data-move]", "Arren rises in Divine Fury: HP 6, 2 rounds at most, free of The Toll-King’s ban")
		one.sees("#sheet [data-track=hp][data-now='6']", "6")
		one.sees("#sheet .sheet-state[data-state=fury]", "In Divine Fury")
		one.sees("#sheet .bindings s", "The Toll-King’s ban")
	}
	anna.picture("fury")
	gm.picture("fury")
	boris.picture("fury")
}

// beatsTheChampion lets everybody act again, while Fury has a round less.
func beatsTheChampion(g *godbound, gm, anna, boris *seat, all []*seat) {
	gm.begins(g.theFight, "next")
	gm.click("#throw")
	for _, one := range all {
		one.sees("[data-move]", "Arren in Fury: 1 more round")
	}
	boris.click(cast(g.theFight))
	boris.sees("#sheet [data-round='2']", "Round 2")
	boris.gone("#sheet [data-fighter='" + g.sefa + "'] .tag") // and Arren's is only that he rages
	boris.gone("#sheet [data-fighter='" + g.arren + "'] .tag ~ .tag")
	boris.begins("", "fray")
	boris.fills(composer, "target", g.mob)
	boris.byHand("8")
	boris.sees("#sheet [data-fighter='"+g.sefa+"']", "Fray die")
	anna.click(".tabs [data-to-tab=log]")
	anna.begins("", "fray")
	anna.byHand("2")
	gm.answers("godbound.fate", "fate", "dead")
	anna.begins("", "attack")
	anna.fills(composer, "target", g.king)
	anna.byHand("12 8 6 2")
	anna.answers("godbound.die")
	gm.sees("[data-question-kind='godbound.fate']", "The Toll-King")
	gm.picture("fate")
	gm.answers("godbound.fate", "fate", "beaten")
	for _, one := range all {
		one.sees("[data-move]", "Toll guards: Dead")
		one.sees("[data-move]", "The Toll-King: Beaten")
		one.sees(cast(g.king)+" .out", "Beaten")
	}
	boris.sees("#sheet .out[data-fighter='"+g.king+"']", "Beaten") // though nothing of the fight's own has changed
}

// restsUntilDawn ends the fight, which leaves Arren helpless; the scene ends and dawn comes.
func restsUntilDawn(g *godbound, gm, anna, boris *seat, all []*seat) {
	gm.begins(g.theFight, "end")
	gm.click("#throw")
	boris.sees("#sheet", "No fight is on")
	anna.begins("", "fury")
	anna.fills(composer, "fury", "end")
	anna.click("#throw")
	for _, one := range all {
		one.sees("[data-move]", "The fight is over")
		one.sees("[data-move]", "Arren’s Fury is over: helpless for 5 rounds")
	}
	gm.begins("", "scene")
	gm.click("#throw")
	gm.sees("[data-move]", "Arren: what lasted to the scene’s end is over")
	gm.gone("#sheet .sheet-state")
	boris.sees(cast(g.sefa)+" [data-level=effort]", "1") // the scene's end gives nothing of the day back
	gm.begins("", "dawn")
	gm.picture("dawn-composer")
	gm.click("#throw")
	anna.click(".tabs [data-to-tab=cast]")
	for _, one := range all {
		one.sees("[data-move] [data-outcome=returned]", "1 Effort returned")
		one.sees(cast(g.sefa)+" [data-level=effort]", "2")
		one.sees(cast(g.arren)+" [data-level=hp]", "6")
	}
	gm.picture("dawn")
	boris.picture("dawn")
	anna.picture("dawn")
}

// ragesOnce refuses a second Fury on the same level. GB-17
func ragesOnce(t *testing.T, g *godbound) {
	status, refused := g.call("POST", g.path+"/moves", g.anna, body{"move": "fury", "character": g.arren, "args": body{"fury": "rise"}})
	if status != http.StatusUnprocessableEntity || refused["rule"] != "GB-17" {
		t.Errorf("a second Fury: %d %v", status, refused)
	}
}
