package guide_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"norn/dice"
	"norn/lang"
)

var update = flag.Bool("update", false, "write the differences of other programs into the guide")

// The section about other programs is made of the table that the tests of package dice check.
func TestNotationPageListsTheDifferencesOfTheTable(t *testing.T) {
	table := read(t, "../../dice/testdata/differences.tsv")
	for i, l := range lang.All {
		var lines []string
		for line := range strings.Lines(table) {
			if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); line[0] != '#' && c[0] != "id" {
				lines = append(lines, "- "+c[7+i])
			}
		}
		file := filepath.Join(string(l), "notation.md")
		page := read(t, file)
		from := strings.Index(page, "\n- ") + 1
		to := from + strings.Index(page[from:], "\n\n")
		want := strings.Join(lines, "\n")
		if page[from:to] == want {
			continue
		}
		if !*update {
			t.Errorf("%s lists other differences than the table; write them with -update", file)
			continue
		}
		if err := os.WriteFile(file, []byte(page[:from]+want+page[to:]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// examplesSaid limits the examples of a construct that are said in words.
const examplesSaid = 4

// The section of examples in words is made by the function that says what was understood everywhere.
func TestNotationPageSaysItsExamplesInWords(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| \w+ \| (.*?) \|`)
	code := regexp.MustCompile("`([^`]+)`")
	for _, l := range lang.All {
		file := filepath.Join(string(l), "notation.md")
		page := read(t, file)
		var lines []string
		said := map[string]bool{}
		for _, m := range row.FindAllStringSubmatch(page, -1) {
			here := 0
			for _, example := range code.FindAllStringSubmatch(m[1], -1) {
				e, err := dice.Parse(example[1])
				if err != nil {
					t.Fatal(err)
				}
				if words := e.Words(string(l)); words != example[1] && !said[words] && here < examplesSaid {
					here, said[words] = here+1, true
					lines = append(lines, "| `"+example[1]+"` | "+strings.ReplaceAll(words, "|", "\\|")+" |")
				}
			}
		}
		if len(lines) < 40 {
			t.Errorf("%s says %d examples in words", file, len(lines))
		}
		from := strings.Index(page, "\n| `") + 1
		to := from + strings.Index(page[from:], "\n\n")
		want := strings.Join(lines, "\n")
		if from > 0 && page[from:to] == want {
			continue
		}
		if !*update || from == 0 {
			t.Errorf("%s says examples in other words; write them with -update", file)
			continue
		}
		if err := os.WriteFile(file, []byte(page[:from]+want+page[to:]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The page names each version that was measured.
func TestNotationPageNamesTheMeasuredVersions(t *testing.T) {
	for _, l := range lang.All {
		page := read(t, filepath.Join(string(l), "notation.md"))
		for line := range strings.Lines(read(t, "../../dice/testdata/programs.tsv")) {
			c := strings.Split(line, "\t")
			if version, _, _ := strings.Cut(c[1], "@"); c[0] != "id" && c[0] != "foundry" && c[0] != "ttg-club" && !strings.Contains(page, version) {
				t.Fatalf("%s: %s %s isn't named", l, c[0], version)
			}
		}
	}
}
