//go:build e2e

package playtest

import "testing"

// A game master deletes a table; the players' pages say so at once, and so does everybody's after a
// reload. One press calls it back, and the players' pages go on.
func TestGameMasterDeletesATableAndCallsItBack(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1366, 768)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.visit(s.url(gm.ask("location.pathname") + "/gm"))
	gm.choose("#invite-name", "Anna")
	gm.click("[data-form=invite] button[type=submit]")
	gm.sees("[data-invitation]", "Anna")
	player := joinsByInvitation(t, gm, gm.ask("document.querySelector('[id^=invitation-]').value"))

	gm.click(".drawer-nav [href='#tab-settings']")
	gm.click("#delete-table > summary")
	gm.sees("#delete-table a[href$='/export.jsonl']", "Save the table")
	gm.picture("deleting")
	gm.click("[data-form=delete-table] button[type=submit]")
	player.sees("#table-deleted", "This table is deleted.")
	gm.sees("#table-deleted", "Call it back")
	player.picture("deleted, a player")
	gm.picture("deleted, the game master")
	player.visit(s.url(player.ask("location.pathname")))
	player.sees("#table-deleted", "save your characters as files")
	gm.click("[data-form=call-back] button")
	player.gone("#table-deleted")
	gm.gone("#table-deleted")
}
