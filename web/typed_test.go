package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
)

// A refused form is shown again with everything that was filled in and the error, also without
// script.
func TestRefusedFormKeepsWhatWasTyped(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	note, err := table.Do(t.Context(), h.master, act.KeepNote, act.NoteRequest{Text: "The steward has the second key."},
		"note")
	must(t, err)
	id := "n" + strconv.FormatUint(note.Seq, 10)
	long := strings.Repeat("x", 10_001)
	for _, c := range []struct {
		name, page, act string
		sent            url.Values
		at, value       string // the element with what was typed
	}{
		{"an invitation", "", "add-seat", url.Values{"_name": {long}, "_role": {"spectator"}}, "invite-name", long},
		{"a seat's name", "", "rename-seat", url.Values{"_sid": {"s2"}, "_name": {long}}, "rename-s2", long},
		{"a new name for a seat", "", "rename-seat", url.Values{"_sid": {"s1"}, "_name": {long}}, "own-name", long},
		{
			"a character", "", "add-character",
			url.Values{"_name": {long}, "_kind": {"npc"}, "_hidden": {"on"}},
			"add-name", long,
		},
		{"a new note", "", "keep-note", url.Values{"_text": {long}}, "new-note-text", long},
		{"a note", "", "keep-note", url.Values{"_id": {id}, "_text": {long}}, "note-text-" + id, long},
		{
			"a link", "", "link-room",
			url.Values{"link": {"http://meet.example"}},
			"link-room-link",
			"http://meet.example",
		},
		{"a date", "", "plan-session", url.Values{"_when": {"1815-06-18T11:00"}}, "next-when", "1815-06-18T11:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.sent.Set("_key", c.name)
			got := gm.post(gm.at("/act/"+c.act), c.sent)
			want(t, "status", got.status, http.StatusUnprocessableEntity)
			field := got.the(t, "id", c.at)
			value, typed := field.attrs["value"]
			if !typed {
				value = field.says()
			}
			want(t, "what was typed", value, c.value)
			if len(got.all(func(n *node) bool { return n.is("problem") })) == 0 {
				t.Error("nothing says what is wrong")
			}
			if !typed {
				return
			}
			if _, focused := field.attrs["autofocus"]; !focused {
				t.Error("it isn't where one goes on")
			}
		})
	}
}

// A picture's description and audience stay, too.
func TestRefusedPictureKeepsItsDescriptionAndAudience(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	got := gm.uploads(pixels(t, 4), "_do", "show", "_alt", "A bridge", "_whom", "some", "_key", "k")
	want(t, "status", got.status, http.StatusUnprocessableEntity)
	want(t, "its words", got.the(t, "id", "show-alt").attrs["value"], "A bridge")
	want(t, "why", len(got.all(func(n *node) bool { return n.is("problem") })), 1)
}
