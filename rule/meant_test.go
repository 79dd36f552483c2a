package rule_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/dice"
	"norn/rule"
)

// offer is a spelling suggested by an error. of computes its result from the faces of dice with the
// given sides.
type offer struct {
	text  string
	sides []int
	of    func(faces []int) string
}

func total(n int) string { return fmt.Sprint(rule.Total, n) }

func count(n int) string { return fmt.Sprint(rule.Successes, n) }

func reaches(n, goal int) string {
	if n >= goal {
		return rule.Reached
	}
	return rule.Missed
}

func sum(faces []int) (n int) {
	for _, face := range faces {
		n += face
	}
	return n
}

func atLeast(faces []int, least int) (n int) {
	for _, face := range faces {
		if face >= least {
			n++
		}
	}
	return n
}

// top returns the highest faces.
func top(faces []int, n int) []int {
	sorted := slices.Sorted(slices.Values(faces))
	return sorted[len(sorted)-n:]
}

var (
	two6   = []int{6, 6}
	three6 = []int{6, 6, 6}
	four6  = []int{6, 6, 6, 6}
	mixed  = []int{6, 10, 10}
	three2 = []int{2, 2, 2}
)

// offers maps refused notations to all suggestions of their errors. Those at the end have no
// suggestions, because norn can't guess the intent.
var offers = map[string][]offer{
	"(2d6+3)kh1": nil, "3d6gl1": nil, "2d6u!": nil, "2d6+1.5": nil, "roll20-3|4d6kh2!": nil, "dice-roller-parser-3|-1d6": nil, "rpg-dice-roller-3|4d6k5": nil, "rpg-dice-roller-3|2d6u=1": nil,
	"rpg-dice-roller-3|2d6!<5": nil, "rpg-dice-roller-3|{2d6kh1}kl1": nil, "roll20-3|1d4d6": nil,
	"d20+5 goblin 15": {{"d20+5 # goblin 15", []int{20}, func(f []int) string { return total(f[0] + 5) }}},
	"roll20-3|d6/2": {
		{"floor(d6/2)", []int{6}, func(f []int) string { return total(f[0] / 2) }},
		{"ceil(d6/2)", []int{6}, func(f []int) string { return total((f[0] + 1) / 2) }},
	},
	"roll20-3|2d6>d12": {{"(2d6) > d12", []int{6, 6, 12}, func(f []int) string { return reaches(f[0]+f[1], f[2]+1) }}},
	"3d6>=5gl1+2": {{"3d6>=5gl1", three6, func(f []int) string {
		switch hits := atLeast(f, 5); {
		case atLeast(f, 2) > 1:
			return count(hits)
		case hits == 0:
			return rule.Critical
		}
		return rule.Glitched
	}}},
	"2d6>=7":  {{"2d6 7+", two6, func(f []int) string { return reaches(sum(f), 7) }}},
	"4dF>=2":  {{"4dF 2+", []int{3, 3, 3, 3}, func(f []int) string { return reaches(sum(f)-8, 2) }}},
	"3d10>=1": {{"3d10 1+", []int{10, 10, 10}, func(f []int) string { return reaches(sum(f), 1) }}},
	"4d6kh3 >= 5": {
		{"4d6kh3cs>=5", four6, func(f []int) string { return count(atLeast(top(f, 3), 5)) }},
		{"4d6kh3 5+", four6, func(f []int) string { return reaches(sum(top(f, 3)), 5) }},
	},
	"4d6kh3 >= 12": {{"4d6kh3 12+", four6, func(f []int) string { return reaches(sum(top(f, 3)), 12) }}},
	"2+3d10>=6": {
		{"3d10>=6+2", []int{10, 10, 10}, func(f []int) string { return count(atLeast(f, 6) + 2) }},
		{"2+3d10 6+", []int{10, 10, 10}, func(f []int) string { return reaches(sum(f)+2, 6) }},
	},
	"d6+2d10>=6": {
		{"d6+2d10 6+", mixed, func(f []int) string { return reaches(sum(f), 6) }},
		{"d6>=6+2d10>=6", mixed, func(f []int) string { return count(atLeast(f, 6)) }},
	},
	"2d10>=6+d6": {
		{"2d10+d6 6+", mixed, func(f []int) string { return reaches(sum(f), 6) }},
		{"2d10>=6+d6>=6", mixed, func(f []int) string { return count(atLeast(f, 6)) }},
	},
	"3d20adv": {{"3d20kh1", []int{20, 20, 20}, func(f []int) string { return total(slices.Max(f)) }}},
	"3d{a,b}": {{"3d{a,b}=a", three2, func(f []int) string { return count(3 - atLeast(f, 2)) }}},
	"3d6x2": {
		{"2x3d6", slices.Concat(three6, three6), func(f []int) string { return total(sum(f)) }},
		{"3d6*2", three6, func(f []int) string { return total(2 * sum(f)) }},
	},
	"d20 15+; d8": {
		{"d20 15+", []int{20}, func(f []int) string { return reaches(f[0], 15) }},
		{"d8", []int{8}, func(f []int) string { return total(f[0]) }},
	},
	"7": nil, "d6/(d2-1)": nil, "3d20km2": nil, "2d{a,b}d6": nil, "2d6: a 6-, b 6+": nil,
	"d6!>=1": nil, "d6!>=7": nil, "d6r<=6": nil, "d6r7": nil,
	"3d6r1r2": nil, "3d6!6!5": nil, "3d6 10+, 12-": nil, "5d6 set set": nil, "3d6>=5f1f2": nil,
	"d8+d20+2 adv dis": nil, "2d6 vs d8: a 6-, b 7+": nil,
}

// refusal is a reason for refusing notation and the construct concerned.
type refusal struct{ reason, of string }

// refusalsInCode returns the refusals that package dice can give, by the names of its constants, and whether each
// offers spellings somewhere.
func refusalsInCode(t *testing.T) map[refusal]bool {
	t.Helper()
	files, err := filepath.Glob("../dice/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[refusal]bool{}
	add := func(offers bool, of ast.Expr, reasons ...string) {
		construct, ok := of.(*ast.Ident)
		if !ok || !strings.HasPrefix(construct.Name, "Of") {
			return // a parameter: its callers name the construct
		}
		for _, reason := range reasons {
			key := refusal{reason, construct.Name}
			found[key] = found[key] || offers
		}
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); !ok || kind.Name != "MeantError" {
					break
				}
				parts := map[string]ast.Expr{}
				for _, part := range n.Elts {
					pair := part.(*ast.KeyValueExpr)
					parts[pair.Key.(*ast.Ident).Name] = pair.Value
				}
				add(parts["Try"] != nil, parts["Of"], parts["Reason"].(*ast.Ident).Name)
			case *ast.CallExpr:
				switch called := calledName(n.Fun); called {
				case "meantError", "meantAt":
					known := map[string]int{"meantError": 3, "meantAt": 2}[called]
					add(len(n.Args) > known, n.Args[1], n.Args[0].(*ast.Ident).Name)
				case "once":
					add(false, n.Args[0], "Twice")
				case "some":
					add(false, n.Args[2], "NoFace", "AllFaces")
				}
			}
			return true
		})
	}
	return found
}

// calledName returns the name of a function that is called.
func calledName(called ast.Expr) string {
	switch called := called.(type) {
	case *ast.Ident:
		return called.Name
	case *ast.SelectorExpr:
		return called.Sel.Name
	}
	return ""
}

// constantName returns the name of a constant of package dice, by its value: "no-face" is NoFace.
func constantName(prefix, value string) string {
	special := map[string]string{"parentheses": "Parens", "advantage": "Edge", "difference": "Different"}
	if name, ok := special[value]; ok {
		return prefix + name
	}
	name := ""
	for _, word := range strings.Split(value, "-") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return prefix + name
}

// refused parses a notation that's refused, and returns the error and the reading: what "|" divides
// from it, the newest, or that of the second edition.
func refused(text string) (as string, err error) {
	if as, text, named := strings.Cut(text, "|"); named {
		_, err := dice.ParseAs(text, as)
		return dice.Newest, err
	}
	if _, err = dice.Parse(text); err != nil {
		return dice.Newest, err
	}
	_, err = dice.ParseAs(text, dice.Second)
	return dice.Second, err
}

func TestEveryNotationRefusalHasATestedSuggestion(t *testing.T) {
	covered := map[refusal]bool{}
	for text := range offers {
		_, err := refused(text)
		meant, ok := errors.AsType[*dice.MeantError](err)
		if !ok {
			t.Errorf("%s: %v", text, err)
			continue
		}
		key := refusal{constantName("", meant.Reason), constantName("Of", string(meant.Of))}
		covered[key] = covered[key] || len(meant.Try) > 0
	}
	inCode := refusalsInCode(t)
	if len(inCode) < 12 {
		t.Fatalf("found only %d refusals in the code", len(inCode))
	}
	for one, offers := range inCode {
		switch said, ok := covered[one]; {
		case !ok:
			t.Errorf("offers has no notation that is refused by %s of %s", one.reason, one.of)
		case offers && !said:
			t.Errorf("offers has no spelling for %s of %s", one.reason, one.of)
		}
	}
}

// enumerate counts the combinations of faces by their result.
func (o offer) enumerate() map[string]*big.Rat {
	ways := map[string]int64{}
	all := int64(1)
	faces := make([]int, len(o.sides))
	for _, sides := range o.sides {
		all *= int64(sides)
	}
	for i := range all {
		for die, sides := range o.sides {
			faces[die] = int(i)%sides + 1
			i /= int64(sides)
		}
		ways[o.of(faces)]++
	}
	law := map[string]*big.Rat{}
	for what, n := range ways {
		law[what] = big.NewRat(n, all)
	}
	return law
}

func TestSuggestedNotationHasTheIntendedOdds(t *testing.T) {
	for text, all := range offers {
		as, err := refused(text)
		meant, ok := errors.AsType[*dice.MeantError](err)
		if !ok || len(meant.Try) != len(all) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i, o := range all {
			if meant.Try[i] != o.text {
				t.Errorf("%s: offers %s, want %s", text, meant.Try[i], o.text)
				continue
			}
			e, err := dice.ParseAs(o.text, as)
			if err != nil {
				t.Fatal(err)
			}
			law, err := rule.Walk(rule.Notation(e), nil, rule.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]*big.Rat{}
			for _, outcome := range law.Values {
				what := outcome.ID
				if what == rule.Total || what == rule.Successes {
					what = fmt.Sprint(what, outcome.N)
				}
				if got[what] == nil {
					got[what] = new(big.Rat)
				}
				got[what].Add(got[what], law.Of(outcome))
			}
			maps.DeleteFunc(got, func(_ string, p *big.Rat) bool { return p.Sign() == 0 })
			if diff := cmp.Diff(o.enumerate(), got, cmp.Comparer(func(a, b *big.Rat) bool {
				return a.Cmp(b) == 0
			})); diff != "" {
				t.Errorf("%s: (-by faces +law)\n%s", o.text, diff)
			}
		}
	}
}
