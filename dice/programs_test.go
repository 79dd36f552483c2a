package dice_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/dice"
)

// measured is a line of testdata/programs.tsv: what a program gave for an expression and faces.
type measured struct{ program, text, faces, value string }

// measuredTable holds lines that programs were asked for once; tools/dialects asks them for others.
const measuredTable = "testdata/programs.tsv"

var programs = flag.String("programs", measuredTable, "the table of lines that programs were asked for")

func measurements(t *testing.T) (all []measured) {
	t.Helper()
	data, err := os.ReadFile(*programs)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(c) > 4 && c[0] != "id" && c[0] != "foundry" { // Foundry's engine can't be run
			all = append(all, measured{c[0], c[2], c[3], strings.TrimSuffix(c[4], " (yes/no)")})
		}
	}
	return all
}

// least is the share of measured lines that norn must read as the program does, in per cent.
var least = map[string]int{
	"rpg-dice-roller": 90, "roll20": 80, "dice-roller-parser": 80, "avrae": 80, "bcdice": 87, "rollem": 94,
	"ttg-club": 100,
}

// Read as a program, a line has the program's value or is refused; never another value.
func TestReadingsAgreeWithTheMeasuredPrograms(t *testing.T) {
	same, lines := map[string]int{}, map[string]int{}
	for _, m := range measurements(t) {
		lines[m.program]++
		switch got := valueAs(m.text, m.program+"-3", m.faces); {
		case got == m.value:
			same[m.program]++
		case !strings.HasPrefix(got, "!"):
			t.Errorf("%s: %s on %s is %s, norn says %s", m.program, m.text, m.faces, m.value, got)
		}
	}
	for program, share := range least {
		t.Logf("%s: %d of %d lines are read alike", program, same[program], lines[program])
		if *programs == measuredTable && 100*same[program] < share*lines[program] {
			t.Errorf("%s: %d of %d lines are read", program, same[program], lines[program])
		}
	}
}

// Lines that tools/dialects found: dice chosen from both ends, of which equal ones fall out differently,
// and a sign behind a bare modifier.
func TestReadingsOfLinesThatOnceDiffered(t *testing.T) {
	for _, c := range []struct{ as, text, faces, value string }{
		{"roll20-3", "3d10dl1k2+1d6", "7,8,7,6", "!"},
		{"roll20-3", "3d4dh1dl1", "2,2,2", "!"},
		{"roll20-3", "3d4kh2dh1", "3,2,3", "3"},
		{"rpg-dice-roller-3", "{1dFro+1, 1d20}kh1", "1,2", "2"},
		{"rpg-dice-roller-3", "3d10dl1k2+1d6", "7,8,7,6", "21"},
		{"rollem-3", "1d10!5d1*10", "10,4", "!"},
		{"dice-roller-parser-3", "1d10!-4d10dl1", "7", "!"},
	} {
		if got := valueAs(c.text, c.as, c.faces); got != c.value && (c.value != "!" || got[:1] != "!") {
			t.Errorf("%s as %s on %s is %s, want %s", c.text, c.as, c.faces, got, c.value)
		}
	}
}

// difference is a row of testdata/differences.tsv.
type difference struct {
	id, programs, example, faces, own, there string
	pattern                                  *regexp.Regexp
}

func differences(t *testing.T) (all []difference) {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if line[0] != '#' && c[0] != "id" {
			all = append(all, difference{c[0], c[1], c[3], c[4], c[5], c[6], regexp.MustCompile(c[2])})
		}
	}
	return all
}

// A measured line that norn reads otherwise in its own notation is of a kind that the guide names.
func TestOwnReadingDiffersOnlyWhereTheGuideSaysSo(t *testing.T) {
	named := differences(t)
	for _, m := range measurements(t) {
		got := valueAs(m.text, dice.Newest, m.faces)
		if got == m.value || strings.HasPrefix(got, "!") {
			continue
		}
		if !slices.ContainsFunc(named, func(d difference) bool {
			return slices.Contains(strings.Fields(d.programs), m.program) && d.pattern.MatchString(m.text)
		}) {
			t.Errorf("%s: %s on %s is %s, norn says %s", m.program, m.text, m.faces, m.value, got)
		}
	}
}

// Each difference that the guide names has an example that was measured.
func TestNamedDifferencesWereMeasured(t *testing.T) {
	all := measurements(t)
	for _, d := range differences(t) {
		if got := strings.TrimPrefix(valueAs(d.example, dice.Newest, d.faces), "?"); !strings.HasPrefix(got, d.own) {
			t.Errorf("%s: %s on %s is %s", d.id, d.example, d.faces, got)
		}
		if !slices.ContainsFunc(all, func(m measured) bool {
			return slices.Contains(strings.Fields(d.programs), m.program) && m.text == d.example && m.faces == d.faces &&
				m.value == d.there
		}) {
			t.Errorf("%s: %s wasn't measured as %s", d.id, d.example, d.there)
		}
	}
}

// Every row of the table of dialects has an example that holds.
func TestRowsOfTheDialectTableHold(t *testing.T) {
	data, err := os.ReadFile("dialects.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if line[0] == '#' || len(c) < 7 || c[0] == "dialect" || c[1] == "@" {
			continue
		}
		rows++
		got := valueAs(c[4], c[0]+"-3", c[5])
		if refused := strings.HasPrefix(c[2], "✗"); refused != strings.HasPrefix(got, "!") || !refused && got != c[6] {
			t.Errorf("%s: %s on %s: %s, want %q", c[0], c[4], c[5], got, c[6])
		}
	}
	if rows < 80 {
		t.Errorf("%d rows", rows)
	}
}

func valueAs(text, as, faces string) string {
	e, err := dice.ParseAs(text, as)
	if err != nil {
		return "!" + err.Error()
	}
	var typed []int
	if faces != "" {
		for f := range strings.SplitSeq(faces, ",") {
			n, err := strconv.Atoi(strings.Fields(f)[0])
			if err != nil {
				return "!" + err.Error()
			}
			typed = append(typed, n)
		}
	}
	at := 0
	short := false
	take := func(p dice.Pool) ([]int, error) {
		var got []int
		for range p.N {
			if at == len(typed) {
				short = true
				return nil, fmt.Errorf("short")
			}
			n := typed[at]
			if p.Sides == 3 { // only Fate dice are written as values
				n += 2
			}
			if p.For == dice.AgainDice && n > p.Sides { // norn has stopped rerolling and draws among the faces that may stay
				return nil, fmt.Errorf("%d of %d", n, p.Sides)
			}
			got = append(got, n)
			at++
		}
		return got, nil
	}
	result, err := e.Judge(take)
	if short {
		return "?short " + e.String()
	}
	if err != nil {
		return "!" + err.Error()
	}
	last := result.Rolls[len(result.Rolls)-1]
	value := strconv.Itoa(last.Value)
	met := false
	switch r := last.Roll; {
	case r.Goal.Given:
		met = r.Goal.Met(last.Value)
		value = map[bool]string{true: "1", false: "0"}[met]
	case r.Against != nil:
		met = r.Against.Met(last.Value, last.Other)
		value = map[bool]string{true: "1", false: "0"}[met]
	}
	if at < len(typed) {
		value += fmt.Sprintf(" left %d", len(typed)-at)
	}
	return value + map[bool]string{true: " " + e.String()}[strings.Contains(value, " ")]
}
