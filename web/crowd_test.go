//go:build !race

package web_test

import (
	"strconv"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
)

// Eleven similar NPCs are one row of the cast and one line of the log, and folded where helpers are
// offered: heroes come first, and c2 before c10.
func TestSimilarNPCsAreOneRow(t *testing.T) {
	h := open(t)
	for i := range 11 {
		_, err := table.Do(t.Context(), h.master, act.AddCharacter, act.CharacterRequest{Stock: "thug"},
			"thug "+strconv.Itoa(i))
		must(t, err)
	}
	h.add("Vess", "character", "", `{"skills":[{"name":"fix"}]}`) // a hero who is added later
	gm := h.sits("gm")
	page := gm.get(gm.at("?_c=c1&_m=check&_log=2")) // the whole log

	rows := page.the(t, "id", "cast")
	var said []string
	for _, row := range rows.kids {
		if row.tag == "li" {
			said = append(said, row.says())
		}
	}
	want(t, "rows of the cast", len(said), 5)
	for i, name := range []string{"Lira", "Harald", "Vess", "Guard", "Thug × 11"} {
		if i < len(said) && !strings.HasPrefix(said[i], name) {
			t.Errorf("row %d of the cast is %q, not of %s", i+1, said[i], name)
		}
	}
	want(t, "those in the row", len(rows.the(t, "class", "cast-like").with("data-character", "*")), 11)

	var lines []string
	for _, note := range page.the(t, "id", "log").with("data-joined", "*") {
		if !note.is("note-before") && strings.Contains(note.says(), "Thug") {
			lines = append(lines, note.with("data-edit-text", "*")[0].says())
		}
	}
	want(t, "lines of the log", strings.Join(lines, "; "), "In play: Lira, Harald, Guard, Thug × 11, Vess")

	form := page.the(t, "data-form", "move")
	var ids []string
	for _, box := range form.the(t, "data-field", "with").with("type", "checkbox") {
		ids = append(ids, box.attrs["value"])
	}
	want(t, "helpers", strings.Join(ids, " "), "c2 c15 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14")
	folded := form.the(t, "class", "crowd")
	contains(t, "the fold", folded.says(), "12 more")
	want(t, "those folded", len(folded.with("type", "checkbox")), 12)
}
