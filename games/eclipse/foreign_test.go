package eclipse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/foreign/foreigntest"
	"norn/games/eclipse"
)

// A skill is points and aptitude, of two skills twice the aptitude; a pool is sleeve, ego and what
// equipped gear adds, at most five, and the file has what was spent.
func TestEclipsePhaseIsComputedOfItsParts(t *testing.T) {
	flags := strings.Replace(foreigntest.EclipseFlags, `"flags":{`,
		`"flags":{"exportSource":{"systemVersion":"1.2.3"},`, 1)
	file := foreigntest.Actor(11, "character", "Ilm", foreigntest.EclipseSystem, foreigntest.EclipseItems, flags)
	p, c := foreigntest.Propose[eclipse.Character](t, eclipse.New(), file)
	got := map[string]int{}
	for _, s := range c.Skills {
		got[string(s.Name)+"/"+s.Field+"/"+s.Aptitude+"/"+s.Kind] = s.Value
	}
	want := map[string]int{
		"fray//ref/combat": 40, "perceive//int/mental": 40, "guns//ref/combat": 45, "free-fall//som/physical": 30,
		"know/Tides/int/know": 60, "pilot/Sledge/ref/vehicle": 40,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("skills", d)
	}
	pools := eclipse.Pools{
		Insight: eclipse.Pool{Now: 2, Max: 3}, Vigor: eclipse.Pool{Now: 0, Max: 7}, Flex: eclipse.Pool{Now: 2, Max: 2},
	}
	if d := cmp.Diff(pools, c.Pools); d != "" {
		t.Error("pools", d)
	}
	if c.Morph != "Crane" || c.Wounds != 2 || c.Traumas != 1 || c.Rep.At != 40 || c.Rep.X != 25 || c.Day.Short != 1 {
		t.Errorf("the rest: %+v", c)
	}
	if c.Aptitudes.Wil != 10 {
		t.Error("a number that is written as a text isn't read:", c.Aptitudes.Wil)
	}
	var texts []string
	for _, e := range c.More {
		texts = append(texts, e.Name+": "+e.Description)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"Quick Eye: Sees light.", "Spare Eye", "Born **outside**."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q isn't kept in %s", want, all)
		}
	}
	if len(p.Misfits) > 0 {
		t.Errorf("misfits: %+v", p.Misfits)
	}
}
