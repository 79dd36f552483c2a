package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/game"
)

// Games can't use the name of any flag that norn adds to those of a move.
func TestGamesCantTakeTheNamesOfNornsFlags(t *testing.T) {
	g := home().Games[0]
	i := slices.IndexFunc(g.Moves, func(m game.Move) bool { return m.Bare })
	for _, verb := range []string{"odds", "roll"} {
		var out strings.Builder
		if status := run(t.Context(), home(), []string{verb, g.ID, g.Moves[i].ID, "--help"}, strings.NewReader(""),
			&out, &out, nil); status != 0 {
			t.Fatal(status, out.String())
		}
		for _, flag := range regexp.MustCompile(`(?m)^  (?:-h, )?--([a-z-]+)`).FindAllStringSubmatch(out.String(), -1) {
			if _, own := g.Moves[i].Form.Field(flag[1]); !own && !slices.Contains(game.Reserved, flag[1]) {
				t.Errorf("norn %s has --%s, which a game may call an argument", verb, flag[1])
			}
		}
	}
}
