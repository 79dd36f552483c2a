package web_test

import (
	"net/http"
	"strings"
	"testing"

	"norn/games"
	"norn/table/request"
	"norn/table/verify"
)

func TestTableIsSavedAsFilesWithinTheReadersRights(t *testing.T) {
	h := open(t)
	h.make(request.Move{Move: "check", Character: "c1", Dice: []int{9}, Secret: true})
	gm, anna := h.sits("gm"), h.sits("anna")
	want(t, "the drawer's link", strings.Contains(gm.get(gm.at("")).body, `href="`+gm.at("/export.jsonl")+`"`), true)
	want(t, "a player's link to it", strings.Contains(anna.get(anna.at("")).body, "export.jsonl"), false)
	want(t, "a player's link to the story",
		strings.Contains(anna.get(anna.at("")).body, `href="`+anna.at("/story")+`"`), true)

	want(t, "a player's export", anna.get(anna.at("/export.jsonl")).status, http.StatusForbidden)
	want(t, "a stranger's export", h.stranger().get(gm.at("/export.jsonl")).status, http.StatusNotFound)
	file := gm.get(gm.at("/export.jsonl"))
	want(t, "the GM's export", file.status, http.StatusOK)
	found, err := verify.File(games.All(), spoken(), strings.NewReader(file.body))
	must(t, err)
	want(t, "its table", found.Table, h.table)

	want(t, "a player's link to their own file",
		strings.Contains(anna.get(anna.at("")).body, `href="`+anna.at("/seen.jsonl")+`"`), true)
	seen, err := verify.File(games.All(), spoken(), strings.NewReader(anna.get(anna.at("/seen.jsonl")).body))
	must(t, err)
	want(t, "a secret throw in a player's file", seen.Hand, 0)

	anna.lang = "uk"
	story := anna.get(anna.at("/story.md"))
	want(t, "a story", story.status, http.StatusOK)
	want(t, "its type", story.header.Get("Content-Type"), "text/markdown; charset=utf-8")
	if !strings.HasPrefix(story.body, "# Thursdays\n\n*Шпиль*\n\n## Сесія 1 — ") ||
		!strings.Contains(story.body, "Lira") || strings.Contains(story.body, "**Lira** —") {
		t.Errorf("the story:\n%s", story.body)
	}
	page := anna.get(anna.at("/story"))
	want(t, "the story's page", page.status, http.StatusOK)
	contains(t, "the story's page", page.the(t, "id", "session-1").says(), "Lira")
	contains(t, "the story's page", page.body, `href="`+anna.at("/story.md")+`"`)
	want(t, "the page of a spectator", h.sits("watcher").get(anna.at("/story")).status, http.StatusOK)
	want(t, "a stranger's page", h.stranger().get(anna.at("/story")).status, http.StatusNotFound)
	want(t, "a session that isn't there", anna.get(anna.at("/story.md?session=7")).status,
		http.StatusUnprocessableEntity)
}
