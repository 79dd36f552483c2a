//go:build e2e

package playtest

import (
	"net/url"
	"strings"
	"testing"
)

// A GM and a player, each at a browser: a check with skill and mastery at
// difficulty 1 fails, stress comes, the GM is asked about the fallout, the
// server is killed with the question open, and both see the same marks in the
// end.
func TestSpireCheckThatTurnsIntoFallout(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")

	gm.invites("Anna")
	link := gm.ask("document.querySelector('[id^=invitation-]').value")

	player := sit(t, "player", 390, 844)
	player.visit(link)
	player.sees("header", "Friday")
	if address := player.ask("location.href"); strings.Contains(address, secretOf(t, link)) {
		t.Errorf("the secret stays in the address: %s", address)
	}
	player.click(".tabs [data-to-tab=cast]")
	player.choose("#add-name", "Lira")
	player.click("[data-form=character] button[type=submit]")
	gm.sees("#cast", "Lira")
	gm.click("#cast a")
	gm.sees("#sheet", "Lira")

	// A new character's sheet is open to be filled in.
	player.click("[data-form=sheet] button.add[value=skills]")
	player.sees("[data-form=sheet] [name='skills.0.name']:focus", "")
	player.choose("[data-form=sheet] [name='skills.0.name']", "sneak")
	player.choose("[data-form=sheet] [name='skills.0.mastery']", "on")
	player.click("[data-form=sheet] .actions button[type=submit]")
	player.sees("#sheet .mastery", "")
	gm.sees("#sheet", "Sneak")

	player.click(".tabs [data-to-tab=log]")
	player.click(".compose-open")
	player.choose("[data-form=move] [name=skill]", "sneak")
	player.choose("[data-form=move] [name=difficulty][value='1']", "1")
	player.choose("[data-form=move] [name=risk][value=d6]", "d6")
	player.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
	player.sees("#odds", "75%") // two dice: 1 − (5/10)² to succeed
	player.click(".hand summary")
	player.choose("#hand-dice", "3 2 5") // the d10 is the game master's
	player.click("[data-by-hand]")
	gm.answers("dice", "faces", "1")

	player.sees("[data-move] [data-outcome]", "Failure")
	gm.sees("[data-move] [data-outcome]", "Failure")
	gm.sees("[data-question-kind='spire.fallout']", "")
	player.sees("[data-move]", "Shadow +5")
	if player.ask("document.querySelector('[data-question]') === null") != "true" {
		t.Error("the player may answer the GM's question")
	}
	gm.picture("question")
	player.picture("waiting")

	s.kill()
	s.start()

	gm.visit(gm.ask("location.href"))
	gm.sees("[data-question-kind='spire.fallout']", "")
	gm.choose("[data-question-kind='spire.fallout'] [name=pick]", "shadow.moderate.1")
	name := gm.ask("document.querySelector(\"[data-question-kind='spire.fallout'] [name=pick]\").selectedOptions[0].innerText.trim()")
	gm.click("[data-question-kind='spire.fallout'] button[type=submit]")
	gm.gone("[data-question]")

	// The player's page has come back by itself.
	player.sees("[data-move]", name)
	player.click(".tabs [data-to-tab=sheet]")
	for _, one := range []*seat{gm, player} {
		one.sees("#sheet .fallout", name)
		one.sees("#sheet [data-track=shadow]", "0")
	}
	gm.picture("answered")
	player.picture("answered")
}

// secretOf is the part of a seat's link that nobody else may know.
func secretOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	return parts[len(parts)-1]
}
