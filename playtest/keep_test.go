//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// The game master saves the table from the drawer; everybody finds the story.
func TestTableIsSavedAndItsStoryIsFound(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.invites("Anna")
	gm.opensTab("session")
	gm.click("#session-more > summary")
	gm.sees("#drawer-keep", "Save the table")
	gm.picture("keep-drawer")
	if file := gm.fetched("await (await fetch(document.querySelector('#drawer-keep a').href)).text()"); !strings.HasPrefix(file, `{"format":"norn table"`) || !strings.HasSuffix(file, "\"}\n") {
		t.Errorf("the file: %s", file)
	}

	player := sit(t, "player", 360, 800)
	player.visit(gm.ask("document.querySelector('[id^=invitation-]').value"))
	player.sees("header", "Friday")
	player.gone("#drawer-keep")
	player.click(".bar > .menu:last-child > summary") // the story is two presses from the table
	player.picture("menu")
	player.click(".menu-item[href$='/story']")
	player.sees(".story-chapter h2", "Session 1")
	player.picture("story")
	if story := player.fetched(`await (await fetch(document.querySelector("a[href$='story.md']").href)).text()`); !strings.HasPrefix(story, "# Friday\n\n*Spire*\n\n## Session 1 — ") {
		t.Errorf("the story: %s", story)
	}
}
