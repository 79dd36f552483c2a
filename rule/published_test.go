package rule_test

import (
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"norn/distribution"
	"norn/rule"
)

// The reference is the published odds of plain dice.
func TestPlainDiceHaveThePublishedOdds(t *testing.T) {
	text, err := os.ReadFile("testdata/published.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		words := strings.Fields(line)
		law, err := rule.Walk(rule.Notation(parse(t, words[1])), nil, rule.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		totals := distribution.Map(law, func(o rule.Outcome) int { return o.N })
		if words[0] == "table" {
			published(t, line, totals, words[2:])
			continue
		}
		got, want := new(big.Rat), words[len(words)-1]
		for i, n := range totals.Values {
			p := totals.Chance(i)
			switch words[0] {
			case "least", "percent":
				if n < figure(t, words[2]) {
					continue
				}
			case "most":
				if n > figure(t, words[2]) {
					continue
				}
			case "mean":
				p.Mul(p, big.NewRat(int64(n), 1))
			default:
				t.Fatalf("%s: what is %q?", line, words[0])
			}
			got.Add(got, p)
		}
		if words[0] == "percent" {
			got.SetString(got.Mul(got, big.NewRat(100, 1)).FloatString(0))
		}
		if p, ok := new(big.Rat).SetString(want); !ok || got.Cmp(p) != 0 {
			t.Errorf("%s: by walk it's %v", line, got)
		}
	}
	if lines < 20 {
		t.Errorf("only %d published lines", lines)
	}
}

// published compares a law with a published table of ways.
func published(t *testing.T, line string, law *distribution.Law[int], words []string) {
	t.Helper()
	all := figure(t, strings.TrimSuffix(words[0], ":"))
	if len(law.Values) != len(words)-1 {
		t.Errorf("%s: the walk has %d totals", line, len(law.Values))
	}
	for _, word := range words[1:] {
		n, ways, _ := strings.Cut(word, "=")
		if got := law.Of(figure(t, n)); got.Cmp(big.NewRat(int64(figure(t, ways)), int64(all))) != 0 {
			t.Errorf("%s: by walk %s has %v", line, n, got)
		}
	}
}

func figure(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
