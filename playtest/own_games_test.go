//go:build e2e

package playtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownTable is a table of an example game with a game master at a laptop and a player at a phone,
// who owns the first hero.
type ownTable struct {
	*server
	path, secret string
	gm, player   *seat
}

// playsExample creates a table of an example game in its language: with a hero of a kind for the
// player and, if named, one thing that moves affect.
func playsExample(t *testing.T, game, lang, hero, heroName, thing, thingName string, sheet body) *ownTable {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, game), os.DirFS("../examples/"+game)); err != nil {
		t.Fatal(err)
	}
	o := &ownTable{server: serve(t, "--games", folder)}
	made := o.must("POST", "/tables", "", body{"game": game, "name": heroName, "lang": lang})
	id := made["id"].(string)
	o.path, o.secret = "/tables/"+id, made["seat"].(map[string]any)["secret"].(string)
	invited := o.must("POST", o.path+"/seats", o.secret, body{"name": "Bo", "role": "player", "key": "bo"})
	o.must("POST", o.path+"/characters", o.secret,
		body{"name": heroName, "kind": hero, "sheet": sheet, "owner": invited["id"], "key": "hero"})
	if thing != "" {
		o.must("POST", o.path+"/characters", o.secret,
			body{"name": thingName, "kind": thing, "sheet": body{}, "key": "thing"})
	}
	o.gm, o.player = sit(t, "gm", 1366, 768), sit(t, "player", 360, 780)
	for who, secret := range map[*seat]string{o.gm: o.secret, o.player: invited["secret"].(string)} {
		who.visit(o.url("/"))
		who.run(`document.cookie = "lang=` + lang + `; path=/"`)
		who.follows(o.url("/t/" + id + "/" + secret))
	}
	return o
}

// A game that is written only in Russian is played in Russian: its move, its odds, its question.
func TestGameWrittenOnlyInRussianIsPlayed(t *testing.T) {
	t.Parallel()
	o := playsExample(t, "mayak", "ru", "keeper", "Агафья", "light", "Дальний маяк", body{"will": 2, "craft": "glass"})
	o.player.compose("watch")
	o.player.fills(composer, "on", "c2")
	o.player.sees(composer, "удержать свет")
	o.player.picture("composer")
	o.player.byHand("1 2")
	o.player.sees("[data-question-kind='mayak.price']", "Чем вы платите?")
	o.player.picture("question")
	o.player.answers("mayak.price", "pays", "glow", "how", "Верхний фонарь")
	for _, who := range []*seat{o.gm, o.player} {
		who.sees("#log", "свет слабеет")
		who.sees("#log", "Гаснет: Верхний фонарь")
		who.sees("#log", "Дальний маяк: свет −1")
	}
	o.gm.picture("played")
}

// Dice with symbols show them to everybody, in the log and in odds.
func TestSymbolDiceShowTheirSymbols(t *testing.T) {
	t.Parallel()
	o := playsExample(t, "sparks", "en", "smith", "Odda", "", "", body{"craft": 3})
	o.player.compose("forge")
	o.player.sees(composer, "Danger")
	o.player.picture("composer")
	o.player.byHand("6 5 1 4")
	for _, who := range []*seat{o.gm, o.player} {
		who.sees("#log", "done with 0 to spare")
		shown := strings.Fields(who.ask("[...document.querySelectorAll('#log .die-face')].map(d => d.textContent).join(' ')"))
		if strings.Join(shown, " ") != "★⚡ ★★ · ⚡⚡" {
			t.Errorf("%s sees dice %q", who.name, shown)
		}
	}
	o.gm.picture("played")
	o.player.picture("played")
}

// Only its player and the game master see the cards of a hand. A question asks which cards are
// played.
func TestHandOfCardsIsSeenOnlyByItsPlayerAndGameMaster(t *testing.T) {
	t.Parallel()
	o := playsExample(t, "crossroads", "en", "wanderer", "Ilse", "table", "Table", body{})
	other := o.must("POST", o.path+"/seats", o.secret, body{"name": "Cy", "role": "player", "key": "cy"})
	cy := sit(t, "cy", 1366, 768)
	cy.follows(o.url("/t/" + strings.TrimPrefix(o.path, "/tables/") + "/" + other["secret"].(string)))
	o.player.compose("take")
	o.player.fills(composer, "on", "c2")
	o.player.fills(composer, "n", "2")
	o.player.picture("composer")
	o.player.click("#throw")
	o.player.sees("#log", "Take cards")
	o.player.click(".tabs [data-to-tab=sheet]")
	card := o.inHand()
	o.player.sees("#sheet", card)
	o.player.picture("hand")
	o.gm.sees("#log", "Take cards")
	cy.sees("#log", "Take cards")
	if page := cy.text("body"); strings.Contains(page, card) {
		t.Errorf("another player sees the hand: %s", page)
	}
	cy.picture("other")
	o.player.click(".tabs [data-to-tab=log]")
	o.player.compose("play")
	o.player.fills(composer, "on", "c2")
	o.player.click("#throw")
	o.player.sees("[data-question-kind='crossroads.plays']", "Which card do you play?")
	o.choosesACardOffline(card)
	o.player.sees("#log", "Ilse plays "+card)
	o.gm.sees("#log", "Ilse plays "+card)
	o.gm.picture("played")
}

// choosesACardOffline tries to lengthen the answer's list without a server: nothing of it waits, and
// it works once the server is back.
func (o *ownTable) choosesACardOffline(card string) {
	o.t.Helper()
	const question = "[data-question-kind='crossroads.plays']"
	o.stop()
	o.player.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	o.player.click(question + " [name=_add]")
	o.player.picture("offline")
	o.start()
	o.player.sees("[data-live-state=open]", "")
	if n := o.player.ask("document.querySelectorAll('#queue .queued').length"); n != "0" {
		o.t.Errorf("%s things wait to be sent", n)
	}
	o.player.sees(question, "Which card do you play?")
	// another part of the page comes while the answer that lengthens the list is on its way
	o.player.run(`document.addEventListener("htmx:before:response", () =>
		document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: {} } })))`)
	if o.player.ask("document.querySelector(\""+question+" .list-item\") === null") == "true" {
		o.player.click(question + " [name=_add]")
	}
	o.player.sees(question+" .list-item", card)
	value := map[string]string{
		"The Sun": "sun", "The Moon": "moon", "The Tower": "tower", "The Road": "road", "The Sea": "sea", "The Crow": "crow",
	}[card]
	o.player.answers("crossroads.plays", "which.0.which-one", value)
}

// inHand returns the name of the first card in the hero's hand.
func (o *ownTable) inHand() string {
	o.t.Helper()
	hero := o.must("GET", o.path, o.secret, nil)["characters"].([]any)[0].(map[string]any)
	sheet := hero["sheet"].(map[string]any)
	first := sheet["hand"].([]any)[0].(map[string]any)["fate-card"].(string)
	return map[string]string{
		"sun": "The Sun", "moon": "The Moon", "tower": "The Tower", "road": "The Road", "sea": "The Sea",
		"crow": "The Crow",
	}[first]
}
