package rule_test

import (
	"strings"
	"testing"

	"norn/dice"
	"norn/rule"
)

// handfulsOfFew are dice with so few faces that all combinations can be tried, and mods are all
// modifiers of dice.
var (
	handfulsOfFew = []string{"d3", "2d3", "3d2", "2dF", "2d{1,1,3}", "(d2)d3"}
	allMods       = strings.Fields(`mi2 ma2 r1 ro1 rb1 rob1 rl1 rol1 u ! !! !p !!p !o !>=3 x=3 xo3 kh1 kl1 km1 kh2 dh1 dl1 k5 kh0
		>=2 =1 <>2 ={1,3} even odd f1 >=2f1 gl1 d=1 df1 sf1 cs cf1 set straight sa sd`)
	endings = []string{"", "+1", "*2", "/2", " 3+", " vs d3", "; d2"}
)

// Dice with any two modifiers, in either order, have the law that going through all faces gives.
func TestLawsOfSmallDiceMatchAllTheirFaces(t *testing.T) {
	most, each := 150, 1
	if testing.Short() {
		most, each = 150, 17
	}
	compared, at := map[string]int{}, 0
	for _, handful := range handfulsOfFew {
		for i, first := range append([]string{""}, allMods...) {
			for _, second := range append([]string{""}, allMods...) {
				text := handful + first + " " + second + endings[i%len(endings)]
				e, err := dice.Parse(text)
				if at++; err != nil || at%each > 0 {
					continue
				}
				want := byFaces(t, e, most)
				if want == nil {
					continue
				}
				compared[first]++
				compared[second]++
				law, err := rule.Walk(rule.Notation(e), nil, rule.Limits{})
				if err != nil {
					t.Errorf("%s: %v", text, err)
					continue
				}
				if len(want) != len(law.Values) {
					t.Errorf("%s: %d outcomes priced, %d thrown", text, len(law.Values), len(want))
				}
				for outcome, p := range want {
					if got := law.Of(outcome); got.Cmp(p) != 0 {
						t.Errorf("%s: chance of %v is %s, by faces %s", text, outcome, got, p)
					}
				}
			}
		}
	}
	all := 0
	for _, mod := range allMods {
		all += compared[mod]
		if compared[mod] == 0 && !testing.Short() {
			t.Errorf("%s was never compared", mod)
		}
	}
	t.Logf("%d dice with modifiers were compared", all/2)
}
