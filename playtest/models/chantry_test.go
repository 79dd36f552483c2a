package models

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/google/go-cmp/cmp"

	"norn/table/view"
)

// chantries are evenings of Mage at which everybody spends points and makes reflexive rolls while others
// roll. A second account of points is made from the log alone: each line must say what was
// there at that moment, and at any time the sheets have what the account has.
type chantries struct {
	unmodelled
	mages   map[string]*chantryMage
	wills   map[string]string // by a move: who has declared Willpower for it
	counted bool              // turns are counted
}

// chantryMage is what the account has of somebody.
type chantryMage struct {
	Willpower, Quintessence, Paradox int
}

func (*chantries) begins(*rand.Rand) (map[string]any, []entrant) {
	mage := `{"attributes": {"strength": 2, "dexterity": 3, "wits": 3, "intelligence": 4}, "talents": [{"name": "alertness", "dots": 3}],
		"arete": 3, "willpower": {"permanent": 5, "temporary": 3}, "quintessence": 4, "paradox": 2}`
	return map[string]any{}, []entrant{
		{"Marta", "character", 1, mage},
		{"Ilya", "character", 2, mage},
		{"Vane", "npc", 0, mage},
		{"The rite", "extended", 0, `{"target": 9, "difficulty": 7, "interval": "hour"}`},
		{"The chase", "extended", 0, `{"target": 9, "difficulty": 6, "interval": "turn"}`},
	}
}

func (m *chantries) act(c *crowd) {
	people := []string{"c1", "c2", "c3"}
	c.r.Shuffle(3, func(i, j int) { people[i], people[j] = people[j], people[i] })
	who := people[0]
	roll := m.roll(c)
	switch c.r.IntN(8) {
	case 0, 1:
		roll["with"], roll["ruins"] = people[1:2+c.r.IntN(2)], c.one("itself", "everything")
		c.acts("team", who, roll)
	case 2, 3:
		roll["against"], roll["with"] = people[1], c.some(people[2])
		if c.r.IntN(2) == 0 {
			roll["on"] = "c5"
		}
		c.acts("resisted", who, roll)
	case 4, 5:
		roll["on"], roll["with"] = "c4", c.some(people[1:]...)
		c.acts("extended", who, roll)
	case 6:
		c.acts("roll", who, roll)
	default:
		c.acts("clock", "", map[string]any{"to": c.one("turn", "scene")})
	}
}

// roll returns what most rolls have.
func (*chantries) roll(c *crowd) map[string]any {
	roll := map[string]any{
		"attribute": c.one("strength", "wits", "intelligence"), "attempt": c.one("", "the ward"), "fast": c.r.IntN(3) == 0,
		"willpower": c.r.IntN(2) == 0,
	}
	if c.r.IntN(4) == 0 {
		delete(roll, "attribute")
		roll["alone"] = "paradox"
	}
	return roll
}

func (m *chantries) instant(c *crowd) {
	who := c.one("c1", "c2", "c3")
	points := map[string]any{"points": c.one("willpower", "willpower", "quintessence", "paradox"), "amount": 1 + c.r.IntN(2)}
	switch c.r.IntN(6) {
	case 0, 1:
		c.instantly("spend", who, points)
	case 2:
		c.instantly("gain", who, points)
	case 3, 4:
		roll := m.roll(c)
		roll["reflexive"] = true
		c.instantly("roll", who, roll)
	default:
		c.instantly("record", who, map[string]any{"text": "A shout"})
	}
}

func (m *chantries) check(c *crowd, v *view.View, entries []view.Entry) {
	c.t.Helper()
	for _, e := range entries {
		if e.Args["willpower"] == true {
			m.wills[e.Move] = e.Character
		}
		for _, l := range e.Lines {
			m.hears(c, e, l)
		}
	}
	if diff := cmp.Diff(plainSheet(m.mages), plainSheet(m.read(c, v))); diff != "" {
		c.t.Fatalf("the sheets differ from what the log tells (-log +sheets):\n%s\nwhile\n%s", diff, c.asked())
	}
}

func (m *chantries) reads(c *crowd, v *view.View) {
	if m.mages = m.read(c, v); m.wills == nil {
		m.wills = map[string]string{}
	}
}

func (*chantries) keeps() []string { return nil }

// hears follows a line of the log.
func (m *chantries) hears(c *crowd, e view.Entry, l view.Line) {
	c.t.Helper()
	var is struct {
		Who, Points, To string
		Left, By, Now   int
		Bought, Gone    bool
	}
	if l.Type == "mage.gathered" { // it has another member of this name
		return
	}
	must(c.t, json.Unmarshal(l.Data, &is))
	mage := m.mages[is.Who]
	wrong := func() { c.t.Fatalf("%s %s, where there is %s while\n%s", l.Type, l.Data, plainSheet(mage), c.asked()) }
	switch l.Type {
	case "mage.time-passed":
		m.counted = is.To == "turn"
	case "mage.willpower-bought":
		if mage.Willpower--; mage.Willpower != is.Left || is.Left < 0 {
			wrong()
		}
	case "mage.points-changed":
		at := map[string]*int{
			"willpower": &mage.Willpower, "quintessence": &mage.Quintessence, "paradox": &mage.Paradox,
		}[is.Points]
		if *at += is.By; *at != is.Now || is.Now < 0 {
			wrong()
		}
	case "mage.rolled":
		// what was declared is bought, or the log says why it isn't
		if m.wills[e.Move] == is.Who && is.Bought == is.Gone || is.Bought && is.Gone || is.Gone && mage.Willpower > 0 && !m.counted {
			wrong()
		}
	}
}

// read reads what the sheets have.
func (*chantries) read(c *crowd, v *view.View) map[string]*chantryMage {
	all := map[string]*chantryMage{}
	for _, who := range v.Characters {
		if who.Kind == "extended" {
			continue
		}
		data, err := json.Marshal(who.Sheet)
		must(c.t, err)
		var sheet struct {
			Willpower             struct{ Temporary int }
			Quintessence, Paradox int
		}
		must(c.t, json.Unmarshal(data, &sheet))
		all[who.ID] = &chantryMage{sheet.Willpower.Temporary, sheet.Quintessence, sheet.Paradox}
	}
	return all
}
