package eclipse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/foreign"
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

// Effects hold as the system applies them: a level that a trait doesn't have is its last one, a vehicle adds
// its pools, and software that can't be activated has no effects of being active.
func TestEclipsePhaseAppliesEffectsAsItsSystemDoes(t *testing.T) {
	items := `
 {"type":"trait","name":"Steady","system":{"state":{"level":7},"levels":[{"effects":[]},
  {"effects":[{"type":"pool","pool":"vigor","modifier":1}]}]}},
 {"type":"software","name":"Wall","system":{"state":{"equipped":true,"activated":true},"effects":[],
  "activatedEffects":[{"type":"pool","pool":"moxie","modifier":1}]}}`
	flags := strings.Replace(foreigntest.EclipseFlags, `"infomorph":null`,
		`"infomorph":null,"vehicle":{"name":"Sledge","system":{"pools":{"vigor":1,"insight":2}}}`, 1)
	file := foreigntest.Actor(12, "character", "Ilm", foreigntest.EclipseSystem, items, flags)
	p, c := foreigntest.Propose[eclipse.Character](t, eclipse.New(), file)
	want := [4]int{3, 0, 4, 2}
	if got := [4]int{c.Pools.Insight.Max, c.Pools.Moxie.Max, c.Pools.Vigor.Max, c.Pools.Flex.Max}; got != want {
		t.Errorf("pools %v, want %v", got, want)
	}
	if len(p.Doubts()) != 1 { // only the untrained skills
		t.Errorf("doubts %+v", p.Doubts())
	}
}

// What comes and goes isn't counted, and each of it is said: a sleight, a drug that works, a skill of gear.
func TestEclipsePhaseSaysWhichEffectsAreNotCounted(t *testing.T) {
	items := `
 {"type":"sleight","name":"Calm","system":{"sleightType":"chi",
  "effectsToSelf":[{"type":"pool","pool":"moxie","modifier":1}]}},
 {"type":"sleight","name":"Push","system":{"sleightType":"gamma",
  "effectsToSelf":[{"type":"pool","pool":"moxie","modifier":1}]}},
 {"type":"substance","name":"Spark","flags":{"ep2e":{"active":{}}},
  "system":{"base":{"effects":[{"type":"pool","pool":"vigor","modifier":1}]}}},
 {"type":"substance","name":"Dust","system":{"base":{"effects":[{"type":"pool","pool":"vigor","modifier":1}]}}},
 {"type":"software","name":"Pilot","system":{"state":{"equipped":true},
  "effects":[{"type":"skill","skillType":"guns","points":60}]}}`
	file := foreigntest.Actor(12, "character", "Ilm", foreigntest.EclipseSystem, items, foreigntest.EclipseFlags)
	p, c := foreigntest.Propose[eclipse.Character](t, eclipse.New(), file)
	var said []string
	for _, d := range p.Doubts() {
		if d.Code == foreign.Uncounted {
			said = append(said, d.Say(eclipse.New(), foreigntest.Words(t, eclipse.New())))
		}
	}
	want := []string{
		"Skills: “Pilot” may change it while it works. That isn’t counted.",
		"Moxie: “Calm” may change it while it works. That isn’t counted.",
		"Vigor: “Spark” may change it while it works. That isn’t counted.",
	}
	if d := cmp.Diff(want, said); d != "" {
		t.Error(d)
	}
	if c.Pools.Moxie.Max != 0 || c.Pools.Vigor.Max != 2 {
		t.Errorf("%+v", c.Pools)
	}
}
