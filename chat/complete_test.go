package chat_test

import (
	"strings"
	"testing"

	"norn/lang"
)

// A line with | for the cursor, and how it may go on: what is offered first, with what it replaces in brackets.
func TestComplete(t *testing.T) {
	for _, each := range []struct {
		lang lang.Lang
		line string
		want string
	}{
		{lang.En, "hello|", ""},
		{lang.En, "@v|", "[@v]@Vex "},
		{lang.En, "/ch|", "[ch]check "},
		{lang.Ru, "/пров|", "[пров]проверка "},
		{lang.Ru, "/chec|", "[chec]проверка "}, // another language finds the reader's
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
