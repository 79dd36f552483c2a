package web_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
)

// The game master's pages offer a file before they delete a table. Then every page says so, and the
// game master's has a button that calls the table back.
func TestAGameMasterDeletesATableAndCallsItBack(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	for _, page := range []string{"", "/gm"} {
		form := gm.get(gm.at(page)).the(t, "id", "delete-table")
		want(t, "the file is offered on "+page, form.the(t, "href", gm.at("/export.jsonl")).says(), "Save the table")
	}
	want(t, "a player has no such form", len(anna.get(anna.at("")).with("id", "delete-table")), 0)
	want(t, "a player can't", anna.post(anna.at("/act/delete-table"), url.Values{"_key": {"k"}}).status,
		http.StatusForbidden)
	want(t, "status", gm.post(gm.at("/act/delete-table"), url.Values{"_key": {"k"}}).status, http.StatusOK)
	for _, page := range []string{"", "/pictures"} {
		said := anna.get(anna.at(page)).the(t, "id", "table-deleted")
		want(t, "a player's button on "+page, len(said.with("data-form", "call-back")), 0)
	}
	want(t, "the game master's", len(gm.get(gm.at("/gm")).the(t, "id", "table-deleted").with("data-form", "call-back")), 1)
	_, err := table.Do(t.Context(), h.master, act.Talk, act.TalkRequest{Text: "but"}, "")
	if !errors.As(err, new(*refusal.RefusedError)) {
		t.Errorf("somebody talks: %v", err)
	}
	want(t, "status", gm.post(gm.at("/act/call-table-back"), url.Values{"_key": {"b"}}).status, http.StatusOK)
	want(t, "it stays", len(anna.get(anna.at("")).with("id", "table-deleted")), 0)
}

// The page of seats blanks a person under a name that the game master enters.
func TestAGameMasterBlanksAPerson(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	if _, err := table.Do(t.Context(), h.master, act.Talk, act.TalkRequest{Text: "what stays"}, ""); err != nil {
		t.Fatal(err)
	}
	row := gm.get(gm.at("/gm")).the(t, "id", "seat-s2")
	want(t, "the forms", len(row.with("data-form", "blank")), 1)
	form := url.Values{"_sid": {"s2"}, "_name": {"Former player"}, "_key": {"k"}}
	want(t, "a player can't", anna.post(anna.at("/act/blank-seat"), form).status, http.StatusForbidden)
	want(t, "status", gm.post(gm.at("/act/blank-seat"), form).status, http.StatusOK)
	want(t, "the new name", gm.get(gm.at("/gm")).the(t, "id", "rename-s2").attrs["value"], "Former player")
}
