package models

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/google/go-cmp/cmp"

	"norn/table/view"
)

// missions are evenings of Eclipse Phase at which everybody spends points while others are asked. A
// second account of the pools is made from the log alone: each line must say what was there at that
// moment, and at any time the sheets have what the account has.
type missions struct {
	unmodelled
	pools map[string]map[string]int // the points of each, by pool
}

func (*missions) begins(r *rand.Rand) (map[string]any, []entrant) {
	ego := `{"aptitudes":{"cog":15,"int":15,"ref":15,"sav":15,"som":15,"wil":15},
		"skills":[{"name":"guns","aptitude":"ref","kind":"combat","value":45,"defaultable":true},
			{"name":"fray","aptitude":"ref","kind":"combat","value":30,"defaultable":true},
			{"name":"program","aptitude":"cog","kind":"technical","value":60,"defaultable":true}],
		"pools":{"insight":{"now":3,"max":4},"moxie":{"now":1,"max":1},"vigor":{"now":2,"max":4},"flex":{"now":1,"max":2,"temporary":1}},
		"wounds":1}`
	return map[string]any{"effects": pick(r, "ask", "offer"), "points-after": pick(r, "ask", "offer")}, []entrant{
		{"Amina", "character", 1, ego},
		{"Sava", "character", 2, ego},
		{"The exsurgent", "npc", 0, ego},
		{"The firewall", "task", 0, `{"timeframe":4,"unit":"hours","state":"open"}`},
	}
}

func (*missions) act(c *crowd) {
	people := []string{"c1", "c2", "c3"}
	c.r.Shuffle(3, func(i, j int) { people[i], people[j] = people[j], people[i] })
	who := people[0]
	roll := map[string]any{
		"on": c.one("skill:guns", "skill:program", "check:cog"), "situation": c.one("minor-boon", "even", "minor-hindrance"),
		"boost": c.r.IntN(2) == 0,
	}
	if c.r.IntN(4) == 0 {
		roll["boost"], roll["ignore"] = false, true
	}
	if c.r.IntN(3) == 0 { // the game master is asked about it
		roll["defaulting"], roll["related"] = "related", "skill:fray"
	}
	switch c.r.IntN(8) {
	case 0, 1, 2:
		roll["against"] = people[1]
		c.acts("opposed", who, roll)
	case 3:
		roll["with"] = []string{people[1]}
		c.acts("test", who, roll)
	case 4:
		roll["group"], roll["apart"] = people[1:], true
		c.acts("test", who, roll)
	case 5, 6:
		roll["task"], roll["on"] = "c4", "skill:program"
		c.acts("task", who, roll)
	default:
		c.acts(c.one("short-recharge", "initiative", "settle", "new-day"), who, map[string]any{})
	}
}

func (*missions) instant(c *crowd) {
	offers := slices.DeleteFunc(c.view().Offers, func(o view.OfferShown) bool { return o.Move == "waive" })
	if len(offers) > 0 && c.r.IntN(2) == 0 {
		c.takes(offers[c.r.IntN(len(offers))], "c4")
		return
	}
	who := c.one("c1", "c2", "c3")
	if c.r.IntN(3) == 0 {
		c.instantly("damage", who, map[string]any{"d10": 2})
		return
	}
	c.instantly("boon", who, map[string]any{"aptitude": c.one("cog", "ref", "som", "wil"), "points": 1 + c.r.IntN(2)})
}

func (m *missions) check(c *crowd, v *view.View, entries []view.Entry) {
	c.t.Helper()
	for _, e := range entries {
		m.hears(c, e)
	}
	if diff := cmp.Diff(plainSheet(m.pools), plainSheet(m.read(c, v))); diff != "" {
		c.t.Fatalf("the sheets differ from what the log tells (-log +sheets):\n%s\nwhile\n%s", diff, c.asked())
	}
}

func (m *missions) reads(c *crowd, v *view.View) { m.pools = m.read(c, v) }

func (*missions) keeps() []string { return nil }

// hears follows an entry of the log.
func (m *missions) hears(c *crowd, e view.Entry) {
	c.t.Helper()
	paid := map[string]int{} // points before a throw that count in a target, less those that are spent
	for _, l := range e.Lines {
		var is struct {
			Who, Pool, Use string
			N, Left        int
			Back           map[string]int
			Ignored        bool
			Parts          []struct{ Why string }
		}
		wrong := func() { c.t.Fatalf("%s %s, where there is %v while\n%s", l.Type, l.Data, m.pools[is.Who], c.asked()) }
		switch l.Type {
		case "eclipse.target-set", "eclipse.point-spent", "eclipse.recharged":
			must(c.t, json.Unmarshal(l.Data, &is))
		}
		switch pools := m.pools[is.Who]; l.Type {
		case "eclipse.target-set":
			for _, part := range is.Parts {
				if part.Why == "boost" {
					paid[is.Who]++
				}
			}
			if is.Ignored {
				paid[is.Who]++
			}
		case "eclipse.point-spent":
			if pools[is.Pool] -= is.N; pools[is.Pool] != is.Left || is.Left < 0 {
				wrong()
			}
			if is.Use == "boost" || is.Use == "ignore" {
				paid[is.Who]--
			}
		case "eclipse.recharged":
			sum := 0
			for pool, n := range is.Back {
				pools[pool] += n
				sum += n
			}
			if o := e.Outcome; o != nil && o.N != nil && *o.N != sum {
				wrong()
			}
		}
	}
	for who, n := range paid {
		if n != 0 {
			c.t.Fatalf("%s: %s counts %d points more than are spent: %+v", e.Name, who, n, e.Lines)
		}
	}
}

// read reads the pools from the sheets.
func (*missions) read(c *crowd, v *view.View) map[string]map[string]int {
	all := map[string]map[string]int{}
	for _, who := range v.Characters {
		if who.Kind == "task" {
			continue
		}
		data, err := json.Marshal(who.Sheet)
		must(c.t, err)
		var sheet struct {
			Pools map[string]struct{ Now, Max, Temporary int }
		}
		must(c.t, json.Unmarshal(data, &sheet))
		all[who.ID] = map[string]int{}
		for name, pool := range sheet.Pools {
			if pool.Now > pool.Max {
				c.t.Fatalf("%s of %s has %d of %d", name, who.ID, pool.Now, pool.Max)
			}
			all[who.ID][name] = pool.Now + pool.Temporary
		}
	}
	return all
}
