//go:build e2e

package playtest

import "testing"

// A game master sets a difficulty before the player rolls: the player's page shows it, the odds
// change, and the player chooses the rest and rolls. One press adds an NPC, and a note stays the
// game master's.
func TestPlayerRollsAgainstTheDifficultySetByGameMaster(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.visit(s.url(gm.ask("location.pathname") + "/gm"))
	gm.choose("#invite-name", "Anna")
	gm.click("[data-form=invite] button[type=submit]")
	gm.sees("[data-invitation]", "Anna")
	player := joinsByInvitation(t, gm, gm.ask("document.querySelector('[id^=invitation-]').value"))
	unseen := hidesACharacter(gm)
	rollsWhatIsCalled(s, gm, player)

	if player.ask("document.documentElement.innerHTML.includes('"+unseen+"')") != "false" {
		t.Error("the player's page names who is unseen")
	}
	gm.visit(s.url(gm.ask("location.pathname") + "/gm"))
	gm.click(".drawer-nav [href='#tab-characters']")
	gm.click("[data-form=show-character] button")
	player.sees("#log", unseen)
	gm.gone("[data-form=show-character]")
	if player.ask("document.documentElement.innerHTML.includes('The duke is dead')") != "false" {
		t.Error("the player's page holds the GM's note")
	}
}

// joinsByInvitation invites somebody else and lets the first person come and make a character.
func joinsByInvitation(t *testing.T, gm *seat, link string) *seat {
	t.Helper()
	gm.choose("#invite-name", "Olena")
	gm.click("[data-form=invite] button[type=submit]")
	gm.sees("#seats-said > details:first-child[open]", "Olena")
	gm.sees("#seats-said > details:last-child:not([open])", "Anna") // one link doesn't hide the other

	player := sit(t, "player", 360, 780)
	player.visit(link)
	gm.sees("[data-come]", "Anna")
	gm.gone("[data-invitation]:has([data-come])[open]")
	player.click(".tabs [data-to-tab=cast]")
	player.choose("#add-name", "Lira")
	player.click("[data-form=character] button[type=submit]")
	player.click("[data-form=sheet] button.add[value=skills]")
	player.choose("[data-form=sheet] [name='skills.0.name']", "sneak")
	player.click("[data-form=sheet] .actions button[type=submit]")
	gm.sees("#gm-cast", "Lira")
	player.click(".tabs [data-to-tab=log]")
	return player
}

// hidesACharacter takes one character from the stock openly and another in secret, and keeps a note.
// It returns the name of the hidden one.
func hidesACharacter(gm *seat) (unseen string) {
	gm.click(".drawer-nav [href='#tab-characters']")
	gm.click("[data-form=stock] [value=watch]")
	gm.sees("#gm-cast", "City watchman")
	gm.click("[data-form=stock] [name=_hidden]")
	gm.click("[data-form=stock] [value=assassin]")
	gm.sees("#gm-stock [data-unplayed]:has([data-form=show-character])", "Hidden from players")
	unseen = gm.text("#gm-stock [data-unplayed]:has([data-form=show-character]) a")
	gm.click(".drawer-nav [href='#tab-notes']")
	gm.choose("#new-note-text", "The duke is dead")
	gm.click("[data-form=new-note] button")
	note := func() string { return gm.ask("document.querySelector('[data-form=note] textarea')?.value ?? ''") }
	gm.until("the note is kept", func() bool { return note() == "The duke is dead" }, note)
	gm.picture("screen")
	return unseen
}

// rollsWhatIsCalled asks the player for a move with a difficulty, and lets them roll it.
func rollsWhatIsCalled(s *server, gm, player *seat) {
	gm.visit(s.url(gm.ask("location.pathname.replace('/gm', '')") + "?_a=c1&_m=check"))
	gm.choose("[data-form=move] [name=difficulty][value='2']", "2")
	gm.click(".ask summary")
	gm.choose("#ask-about", "Over the wet roof")
	gm.picture("asking")
	gm.click("[data-ask]")

	player.sees("#calls", "Over the wet roof")
	player.picture("called")
	player.click("#calls a")
	player.gone("#calls .htmx-request") // the updated part shows the request too
	player.sees("#composer .call", "Difficulty 2")
	easy := player.text("#odds .odds-heads")
	player.choose("[data-form=move] [name=skill]", "sneak")
	player.until("the odds move", func() bool {
		return player.text("#odds .odds-heads") != easy
	}, func() string {
		return easy
	})
	player.choose("[data-form=move] [name=risk][value=d6]", "d6")
	player.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
	player.picture("taken-up")
	player.click("#throw")
	player.sees("[data-move] .card-options", "Difficulty 2")
	player.gone("#calls .called")
	gm.sees("[data-move] .card-options", "Difficulty 2")
}
