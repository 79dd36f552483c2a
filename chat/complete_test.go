package chat_test

import (
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/games"
	"norn/lang"
)

// A line with | for the cursor, and the first suggestion, with what it replaces in brackets.
func TestALineIsCompletedAtTheCursor(t *testing.T) {
	for _, each := range []struct {
		lang lang.Lang
		line string
		want string
	}{
		{lang.En, "hello|", ""},
		{lang.En, "@v|", "[@v]@Vex "},
		{lang.En, "/ch|", "[ch]check "},
		{lang.Ru, "/пров|", "[пров]проверка "},
		{lang.Ru, "/chec|", "[chec]проверка "}, // another language suggests the reader's word
		{lang.Uk, "/шан|", "[шан]шанси "},
		{lang.Ru, "/проверка на|", "[на]навык | [на]Наука "},
		{lang.Ru, "/проверка навык бо|", "[бо]Бой "},
		{lang.En, "/check skill: fi|", "[fi]Fight | [fi]Fix "},
		{lang.En, "/check difficulty: |", "[]0 | []1 | []2 "},
		{lang.En, "/check resistance: b|", "[b]Blood "},
		{lang.En, "/check mast|", "[mast]mastery "},
		{lang.En, "/check @An|", ""},
		{lang.En, "/check @Ve|", "[@Ve]@Vex "},
		{lang.En, "/odds ch|", "[ch]check "},
		{lang.En, "/odds check mast|", "[mast]mastery "},
		{lang.En, "/check nonsense mast|", ""},
		{lang.Ru, "/провека|", "[провека]проверка "},
		{lang.Ru, "/проверка навик|", "[навик]навык"},
		{lang.Ru, "/проверка навик слож|", "[навик слож]навык слож"},
	} {
		before, after, _ := strings.Cut(each.line, "|")
		line := before + after
		var got []string
		for _, s := range spire(t, each.lang).Complete(line, len(before)) {
			got = append(got, "["+line[s.From:s.To]+"]"+s.Text)
		}
		if have := strings.Join(got, "| "); have != each.want {
			t.Errorf("%s:\n have %s\n want %s", each.line, have, each.want)
		}
	}
}

// Completion calls the addressee of a private message as the game calls its game master.
func TestCompletionCallsTheGameMasterAsTheGameDoes(t *testing.T) {
	for _, c := range []struct {
		game string
		lang lang.Lang
		line string
		want string
	}{
		{"edda", lang.Ru, "/веду", "ведущему"},
		{"spire", lang.Ru, "/веду", "мастеру"},
		{"mage", lang.Ru, "/рас", "рассказчику"},
		{"mage", lang.Uk, "/опо", "оповідачу"},
		{"eclipse", lang.Uk, "/май", "майстрові"},
		{"mage", lang.En, "/gm", "storyteller"},
		{"godbound", lang.En, "/gm", "gm"},
		{"godbound", lang.En, "/whi", "w"},
	} {
		g, ok := game.Find(games.All(), c.game)
		if !ok {
			t.Fatal(c.game)
		}
		var labels []string
		for _, s := range book(g, c.lang, nil).Complete(c.line, len(c.line)) {
			labels = append(labels, s.Label)
		}
		if !slices.Contains(labels, c.want) {
			t.Errorf("%s, %s: %s is completed by %q, want %q among them", c.game, c.lang, c.line, labels, c.want)
		}
	}
}

// Before anything is typed, values are offered as well as fields, and no value displaces a field.
func TestValuesLeaveRoomForFields(t *testing.T) {
	all := spire(t, lang.En).Complete("/check ", len("/check "))
	var texts []string
	for _, s := range all {
		texts = append(texts, s.Text)
	}
	if len(all) != 24 || all[0].Text != "Compel " ||
		!slices.Contains(texts, "what npcs help with: ") {
		t.Errorf("%d suggestions: %q", len(all), texts)
	}
}
