package main

import (
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
	"norn/examples/undertow"
	"norn/games"
)

// A new game is one line in the wiring: norn lists it, shows its rules, and rolls and prices it
// like any other.
func TestNewGameIsAddedByOneLine(t *testing.T) {
	norn, err := cli.Wire(append(games.All(), undertow.New()))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"games":                        "Undertow",
		"rules undertow UT-02":         "UT-02",
		"odds undertow act --rating 2": "5/18",
		"roll undertow act --help":     "--position",
		"--lang=uk odds undertow act":  "%",

		"roll undertow act --rating 2 --dice 6,6": "critical",
		"roll undertow act --dice 3 --json":       `"bad"`,
	} {
		var out, errs strings.Builder
		if status := run(t.Context(), norn, strings.Fields(line), strings.NewReader(""), &out, &errs,
			nil); status != cli.Done || !strings.Contains(strings.ToLower(out.String()), strings.ToLower(want)) {
			t.Errorf("norn %s: %d, %s%s", line, status, out.String(), errs.String())
		}
	}
}
