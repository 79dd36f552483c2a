//go:build e2e

package playtest

import "testing"

// A game master undoes a strike and cancels a roll; both pages follow. Each page adds its share to
// the dice by itself, and again when a new session begins.
func TestBothPagesFollowUndoCancelAndANewSession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.sees("#seal [data-share=s1]", "")
	gm.invites("Anna")

	player := sit(t, "player", 360, 780)
	player.visit(gm.ask("document.querySelector('[id^=invitation-]').value"))
	player.sees("header", "Friday")
	for _, one := range []*seat{gm, player} {
		one.sees("#seal [data-share=s2]", "")
	}
	player.click(".tabs [data-to-tab=cast]")
	player.choose("#add-name", "Lira")
	player.click("[data-form=character] button[type=submit]")
	gm.sees("#cast", "Lira")

	gm.visit(s.url("/t/" + gm.ask("location.pathname.split('/')[2]") + "?_c=c1&_m=stress"))
	gm.choose("[data-form=move] [name=die][value=d6]", "d6")
	gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
	gm.click(".hand summary")
	gm.choose("#hand-dice", "4 9") // no fallout, so it ends at once
	gm.click("[data-by-hand]")
	gm.sees("[data-move] .lines", "Shadow +")
	player.click(".tabs [data-to-tab=log]")
	player.sees("[data-move] .lines", "Shadow +")
	gm.click(".card .take-back summary")
	gm.picture("undo")
	if player.ask("document.querySelector('.card .take-back') === null") != "true" {
		t.Error("the player is offered to undo the move")
	}
	gm.click("[data-form=undo] button")
	for _, one := range []*seat{gm, player} {
		one.sees(".card.undone", "Undone by")
	}
	gm.sees("#sheet [data-track=shadow]", "0")
	gm.picture("undone")
	player.picture("undone")

	player.click(".compose-open")
	player.choose("[data-form=move] [name=difficulty][value='1']", "1")
	player.click(".hand summary")
	player.choose("#hand-dice", "3")
	player.click("[data-by-hand]")
	gm.sees("[data-question]", "")
	gm.click(".card:not(.undone) .take-back summary")
	gm.picture("cancel")
	gm.click("[data-form=cancel] button")
	for _, one := range []*seat{gm, player} {
		one.gone("[data-question]")
		one.sees(".card.undone:last-of-type", "Cancelled by")
	}

	before := gm.ask("document.querySelector('#commitment').textContent")
	gm.opensTab("session")
	gm.choose("#next-when", "2199-11-27T19:00")
	gm.click("[data-form=next] button")
	gm.sees("#next", "27 November 2199, 19:00")
	gm.click("[id^=end-session] summary") // the only move was undone, so the drawer asks first
	gm.click("[data-form=session] button")
	gm.sees("#drawer-session [id^=end-session]:not([open])", "") // another press at the same place ends nothing
	for _, one := range []*seat{gm, player} {
		one.sees("#seal [data-session='2'] [data-share=s1]", "")
		one.sees("#seal [data-session='2'] [data-share=s2]", "")
		one.run("document.querySelectorAll('.seal, .seal details').forEach((d) => { d.open = true })")
		one.sees("#seal [data-ended='1'] .hash", before)
		one.sees("#next", "27 November 2199, 19:00")
	}
	gm.picture("session")
	player.picture("session")
	gm.run("document.documentElement.dataset.theme = 'dark'")
	gm.picture("session-dark")
	player.run("document.querySelector('.seal').open = false")
	player.picture("log")
}

// A move that later ones depend on can't be undone: the page names them. When they are undone, it
// can be undone, and made again from its card.
func TestUndoNamesTheLaterMovesThatDependOnIt(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.choose("#add-name", "Lira")
	gm.click("[data-form=character] button[type=submit]")
	gm.sees("#cast", "Lira")
	gm.visit(s.url("/t/" + gm.ask("location.pathname.split('/')[2]") + "?_c=c1&_m=stress"))
	stress := func(faces, comes string) {
		gm.choose("[data-form=move] [name=die][value=d6]", "d6")
		gm.choose("[data-form=move] [name=resistance][value=shadow]", "shadow")
		if gm.ask("document.querySelector('.hand').open") != "true" {
			gm.click(".hand summary")
		}
		gm.choose("#hand-dice", faces)
		gm.click("[data-by-hand]")
		gm.sees("#sheet [data-track=shadow]", comes)
		gm.until("have the composer back", func() bool {
			return gm.ask("document.querySelector('#hand-dice')?.value") == ""
		},
			func() string { return gm.text("[data-form=move]") })
	}
	undo := func(card string) {
		if gm.ask("document.querySelector('"+card+" .take-back').open") != "true" {
			gm.click(card + " .take-back summary")
		}
		gm.click(card + " [data-form=undo] button")
	}
	stress("2 10", "2")
	first := "[data-move=" + gm.ask("document.querySelector('[data-move]').dataset.move") + "]"
	stress("3 10", "5")
	second := "[data-move=" + gm.ask("[...document.querySelectorAll('[data-move]')].map((c) => c.dataset.move).find((m) => !'"+first+"'.includes('='+m+']'))") + "]"

	undo(first)
	gm.sees(".toast", "Take stress")
	gm.picture("stands")
	gm.sees("#sheet [data-track=shadow]", "5")
	undo(second)
	gm.sees(second+".undone", "Undone by")
	gm.sees("#sheet [data-track=shadow]", "2")
	undo(first)
	gm.sees(first+".undone", "Undone by")
	gm.sees("#sheet [data-track=shadow]", "0")

	gm.run("document.querySelector('#composer-form').dataset.before = 'yes'")
	gm.click(first + " a.again")
	gm.sees("#composer-form:not([data-before]) [name=resistance][value=shadow]:checked", "")
	stress("4 10", "4")
	gm.picture("again")
}
