// Package foreigntest makes files of heroes as other programs write them, for tests. The heroes are
// invented; only the shapes of their files are those of the systems.
package foreigntest

import (
	"fmt"
	"strings"
	"testing"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/internal/widget"
	"norn/lang"
)

// Words returns a speaker of a game in English.
func Words(t testing.TB, g *game.Game) lang.Speaker {
	t.Helper()
	all, err := lang.Load(form.Words, widget.Words, foreign.Words, g.Words)
	if err != nil {
		t.Fatal(err)
	}
	return g.Speak(all.In("en"))
}

// Propose reads a file and makes a sheet of it, which the game must accept.
func Propose[S any](t testing.TB, g *game.Game, file string) (foreign.Proposal, S) {
	t.Helper()
	h, err := foreign.Read([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := foreign.Propose(g, h, nil, Words(t, g))
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := g.Kind(p.Kind)
	sheet, err := kind.Decode(p.Sheet)
	if err != nil {
		t.Fatalf("the sheet isn't one: %v\n%s", err, p.Sheet)
	}
	return p, sheet.(S)
}

// HasDoubt reports whether a proposal has a doubt of a code.
func HasDoubt(p foreign.Proposal, code string) bool {
	for _, d := range p.Doubts() {
		if d.Code == code {
			return true
		}
	}
	return false
}

// Actor writes a document of Foundry in the form of a version.
func Actor(version int, kind, name, system, items, more string) string {
	inner, stats := "system", `"_stats":{"systemVersion":"1.2.3","coreVersion":"13.351"},"prototypeToken":{}`
	switch {
	case version < 10:
		inner, stats = "data", `"token":{},"permission":{"default":0},"flags":{"exportSource":{"system":"s",
  "systemVersion":"1.2.3"}}`
	case version < 13:
		stats = `"_stats":{"systemVersion":"1.2.3"},"prototypeToken":{},"ownership":{}`
	}
	if version < 10 {
		items = strings.ReplaceAll(items, `"system":`, `"data":`)
	}
	return fmt.Sprintf(`{"name":%q,"type":%q,"img":"icons/svg/mystery-man.svg",%q:%s,"items":[%s],%s%s}`,
		name, kind, inner, system, items, stats, more)
}
