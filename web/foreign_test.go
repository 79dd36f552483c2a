package web_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
)

// A tab of a character keeper is shown before anything is taken; what is corrected comes along.
func TestHeroFromElsewhereIsShownThenTakenWithCorrections(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	at := func(what string) string { path, _, _ := strings.Cut(anna.at(""), "?"); return path + what }
	tab := "\n\n\n,Player Name (Pronouns)\n,,,Quill\n\n\n\n\n\n,,,,,,,TRUE,,FALSE\n,,1,4,3,,,FALSE\n\n\n\n\n\n\n\n\n\n\n,,,,,,,,,,,Rooftops\n"
	shown := anna.imports(tab, "_form", "file", "_key", "k")
	want(t, "status", shown.status, http.StatusOK)
	contains(t, "the page", shown.body, "Take Quill")
	contains(t, "what it lacks", shown.body, "Mastery")
	want(t, "nothing is taken yet", strings.Contains(anna.get(at("")).body, "Quill"), false)

	kept := shown.the(t, "id", "look").with("name", "_kept")[0].attrs["value"]
	fields := []string{"_form", "look", "_key", "k", "_kept", html.UnescapeString(kept), "_name", "Quillon"}
	for _, input := range shown.the(t, "id", "look-fields").with("type", "number") {
		value := input.attrs["value"]
		if input.attrs["name"] == "stress.blood" {
			want(t, "stress as read", value, "4")
			value = "5"
		}
		fields = append(fields, input.attrs["name"], value)
	}
	fields = append(fields, "skills.0.name", "compel", "skills.0.mastery", "on", "more.0.name", "Rooftops")
	taken := anna.imports("", fields...)
	want(t, "status", taken.status, http.StatusOK)
	contains(t, "the table", anna.get(at("")).body, "Quillon")

	refused := anna.imports(`{"name":"Crab","type":"npc","prototypeToken":{},"items":[],"system":{"hd":1}}`, "_form", "file", "_key", "l")
	contains(t, "an NPC", refused.the(t, "id", "from-file").says(), "no hero (npc)")
}
