package models

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"github.com/google/go-cmp/cmp"

	"norn/table/view"
)

// contests are evenings of the Christmas Edda at which experience is spent and strengths are restored
// in the middle of everything. A second account of them is made from the log alone: each line must say
// what was there at that moment, and at any time the sheets have what the account has.
type contests struct {
	unmodelled
	heroes map[string]*contestHero
}

// contestHero is what the account has of a hero.
type contestHero struct {
	Experience, Marks int
	Strengths         []contestStrength
}

type contestStrength struct {
	Name  string
	Steps int
	Faded bool
}

func (*contests) begins(r *rand.Rand) (map[string]any, []entrant) {
	hero := `{"experience":19,"strengths":[{"name":"Keen eyes","steps":2},{"name":"Quick","steps":1,"faded":true},{"name":"Brave","steps":1}],
		"weakness":{"text":"Proud","marks":2},"memories":[{"text":"The first snow","calls":1}]}`
	return map[string]any{"fate-agrees": r.IntN(2) == 0, "stakes": pick(r, "players", "fate")}, []entrant{
		{"Anna", "hero", 1, hero},
		{"Bohdan", "hero", 2, hero},
		{"Oles", "hero", 2, hero},
		{"Troll", "fated", 0, `{"dice":4}`},
	}
}

func (*contests) act(c *crowd) {
	heroes := []string{"c1", "c2", "c3"}
	c.r.Shuffle(3, func(i, j int) { heroes[i], heroes[j] = heroes[j], heroes[i] })
	who := heroes[0]
	roll := map[string]any{"strengths": c.some("0", "2"), "weakness": c.r.IntN(2) == 0, "complexity": 1 + c.r.IntN(3)}
	if c.r.IntN(3) == 0 {
		roll["fade"], roll["miracle"] = c.one("0", "1", "2"), c.one("dice", "impossible")
	}
	switch c.r.IntN(6) {
	case 0, 1, 2:
		delete(roll, "complexity")
		roll["against"] = c.one("c4", heroes[1])
		c.acts("contest", who, roll)
	case 3:
		roll["with"] = heroes[1:]
		c.acts("joint", who, roll)
	case 4:
		roll["attempts"] = 1 + c.r.IntN(3)
		c.acts("act", who, roll)
	default:
		c.acts("set", who, map[string]any{"sort": c.one("advantage", "difficulty"), "name": "Fog"})
	}
}

func (*contests) instant(c *crowd) {
	c.instantly("spend", c.one("c1", "c2", "c3"), map[string]any{
		"on": c.one("step", "restore", "restore", "reword-weakness"), "strength": c.one("0", "1", "2"), "words": "Vain",
	})
}

func (m *contests) check(c *crowd, v *view.View, entries []view.Entry) {
	c.t.Helper()
	for _, e := range entries {
		for _, l := range e.Lines {
			m.hears(c, l)
		}
	}
	if diff := cmp.Diff(plainSheet(m.heroes), plainSheet(m.read(c, v))); diff != "" {
		c.t.Fatalf("the sheets differ from what the log tells (-log +sheets):\n%s\nwhile\n%s", diff, c.asked())
	}
}

func (m *contests) reads(c *crowd, v *view.View) { m.heroes = m.read(c, v) }

func (*contests) keeps() []string { return nil }

// hears follows a line of the log.
func (m *contests) hears(c *crowd, l view.Line) {
	c.t.Helper()
	var is struct {
		Who, Strength   string
		Amount, Now, At int
	}
	kind, told := strings.CutPrefix(l.Type, "edda.")
	switch kind {
	case "experience-spent", "experience-gained", "weakness-marked", "weakness-wiped", "step-gained", "strength-faded",
		"strength-restored", "strength-written", "strength-reworded":
	default:
		told = false
	}
	if !told {
		return
	}
	must(c.t, json.Unmarshal(l.Data, &is))
	hero := m.heroes[is.Who]
	wrong := func() { c.t.Fatalf("%s %s, where there is %s while\n%s", l.Type, l.Data, plainSheet(hero), c.asked()) }
	strength := &contestStrength{}
	switch kind {
	case "step-gained", "strength-faded", "strength-restored":
		if is.At >= len(hero.Strengths) || hero.Strengths[is.At].Name != is.Strength {
			wrong()
		}
		strength = &hero.Strengths[is.At]
	}
	switch kind {
	case "experience-spent":
		if hero.Experience -= is.Amount; hero.Experience != is.Now || is.Now < 0 {
			wrong()
		}
	case "experience-gained":
		if hero.Experience += is.Amount; hero.Experience != is.Now {
			wrong()
		}
	case "weakness-marked":
		if hero.Marks++; hero.Marks != is.Now {
			wrong()
		}
	case "weakness-wiped":
		hero.Marks = 1
	case "step-gained":
		if strength.Steps++; strength.Steps != is.Now {
			wrong()
		}
	case "strength-faded":
		if strength.Faded {
			wrong()
		}
		strength.Faded = true
	case "strength-restored":
		if !strength.Faded {
			wrong()
		}
		strength.Faded = false
	case "strength-written":
		hero.Strengths = append(hero.Strengths, contestStrength{Name: is.Strength})
	}
}

// read reads the heroes from the sheets.
func (*contests) read(c *crowd, v *view.View) map[string]*contestHero {
	all := map[string]*contestHero{}
	for _, who := range v.Characters {
		if who.Kind != "hero" {
			continue
		}
		data, err := json.Marshal(who.Sheet)
		must(c.t, err)
		var sheet struct {
			Experience int
			Strengths  []contestStrength
			Weakness   struct{ Marks int }
		}
		must(c.t, json.Unmarshal(data, &sheet))
		all[who.ID] = &contestHero{sheet.Experience, sheet.Weakness.Marks, sheet.Strengths}
	}
	return all
}
