package models

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"norn/table/view"
)

// heists are evenings of Spire on which magic heals in the middle of everything. A second account of
// stress and fallouts is made from the log alone: each line must say what was there at that moment,
// and at any time the sheets have what the account has.
type heists struct {
	unmodelled
	heroes map[string]*heistHero
	named  map[string][]heistFallout // by a move: the fallouts that it was made about
}

// heistHero is what the account has of a hero. The lists of fallouts are the hero's own, "", and one
// for each bond by its index.
type heistHero struct {
	Stress   map[string]int
	Fallouts map[string][]heistFallout
}

type heistFallout struct {
	Kind, Severity, Suggestion, Text string
	Stabilised                       bool
}

func (*heists) begins(r *rand.Rand) (map[string]any, []entrant) {
	fallout := func(kind, severity string, n int) string {
		return fmt.Sprintf(`{"kind":%q,"severity":%q,"suggestion":"%s.%s.%d","stabilised":%t}`,
			kind, severity, kind, severity, n, severity == "moderate")
	}
	hero := func(skill string) string {
		return fmt.Sprintf(`{"skills":[{"name":"sneak"},{"name":%q,"mastery":true}],"domains":[{"name":"crime"}],
			"stress":{"blood":2,"mind":2,"shadow":1},"slots":{"mind":1},"bonds":[{"name":"Mara","npc":true,"stress":2,"fallouts":[%s]}],
			"fallouts":[%s,%s,%s,%s,%s]}`, skill, fallout("bond", "minor", 1),
			fallout("blood", "minor", 1), fallout("mind", "moderate", 1), fallout("blood", "minor", 1),
			fallout("blood", "minor", 2), fallout("shadow", "severe", 1))
	}
	return map[string]any{"stakes": pick(r, "gm", "players"), "fallout-by": pick(r, "gm", "player")}, []entrant{
		{"Lira", "character", 1, hero("fight")},
		{"Tam", "character", 2, hero("fix")},
		{"Vess", "character", 2, hero("pursue")},
		{"Guard", "npc", 0, `{"resistance":4,"die":"d6"}`},
		{"Clerk", "npc", 0, `{"resistance":3,"die":"d3"}`},
	}
}

// hindering returns some of a hero's own fallouts that make a check harder, each as prefix and index.
func (h *heists) hindering(c *crowd, who, prefix string) []string {
	var all []string
	for i, f := range h.heroes[who].Fallouts[""] {
		if f.Suggestion == "blood.minor.1" || f.Suggestion == "mind.moderate.1" {
			all = append(all, fmt.Sprint(prefix, i))
		}
	}
	return c.some(all...)
}

func (h *heists) act(c *crowd) {
	heroes := []string{"c1", "c2", "c3"}
	c.r.Shuffle(3, func(i, j int) { heroes[i], heroes[j] = heroes[j], heroes[i] })
	who, other, npc := heroes[0], heroes[1], c.one("c4", "c5")
	check := map[string]any{
		"skill": "sneak", "hindered": h.hindering(c, who, ""), "risk": c.one("", "d6"), "resistance": c.one("", "blood"),
	}
	switch c.r.IntN(11) {
	case 0, 1, 2:
		check["members"] = heroes[1:]
		check["hindered"] = append(h.hindering(c, who, ""), h.hindering(c, other, other+":")...)
		c.acts("group", who, check)
	case 3, 4:
		check["with"], check["against"], check["harm"] = []string{other}, npc, "d6"
		c.acts("check", who, check)
	case 5:
		check["fallout"] = h.place(c)
		c.acts("fix", who, check)
	case 6:
		c.acts("care", who, map[string]any{"fallout": h.place(c)})
	case 7:
		c.acts("stress", who, map[string]any{"die": "d8", "resistance": "blood"})
	case 8:
		c.acts("bond", who, map[string]any{"die": "d8", "bond": "0"})
	case 9:
		c.acts("fallout", who, map[string]any{"resistance": "blood"})
	default:
		move := c.one("day", "act", "refresh", "lie-low")
		if move == "day" {
			who = ""
		}
		c.acts(move, who, map[string]any{})
	}
}

func (h *heists) instant(c *crowd) {
	endings := slices.DeleteFunc(c.view().Offers, func(o view.OfferShown) bool { return o.Move != "ending" })
	if len(endings) > 0 && c.r.IntN(4) == 0 {
		c.takes(endings[c.r.IntN(len(endings))], "")
		return
	}
	if c.r.IntN(2) == 0 {
		c.instantly("heal", c.one("c1", "c2", "c3"), map[string]any{"fallout": h.place(c), "worth": 3 + c.r.IntN(7)})
	}
}

// place returns the place of a fallout that somebody carries, or of none.
func (h *heists) place(c *crowd) string {
	all := []string{"c1:9"}
	for who, hero := range h.heroes {
		for list, fallouts := range hero.Fallouts {
			for i := range fallouts {
				all = append(all, who+":"+strings.TrimPrefix(list+"."+fmt.Sprint(i), "."))
			}
		}
	}
	slices.Sort(all)
	return c.one(all...)
}

func (h *heists) check(c *crowd, v *view.View, entries []view.Entry) {
	c.t.Helper()
	for _, e := range entries {
		h.names(e)
		for _, l := range e.Lines {
			h.hears(c, e, l)
		}
	}
	if diff := cmp.Diff(plainSheet(h.heroes), plainSheet(h.read(c, v))); diff != "" {
		c.t.Fatalf("the sheets differ from what the log tells (-log +sheets):\n%s\nwhile\n%s", diff, c.asked())
	}
}

func (h *heists) reads(c *crowd, v *view.View) {
	if h.heroes = h.read(c, v); h.named == nil {
		h.named = map[string][]heistFallout{}
	}
}

func (*heists) keeps() []string { return []string{"bonds", "fallouts"} }

// names remembers which fallouts a new move is about: the one to be treated, and those that hinder.
func (h *heists) names(e view.Entry) {
	data, _ := json.Marshal(e.Args)
	p := play{args: plainArgs(data)}
	for _, place := range append(p.list("hindered"), p.text("fallout")) {
		who, at, others := strings.Cut(place, ":")
		if !others {
			who, at = e.Character, place
		}
		list, n, bond := strings.Cut(at, ".")
		if !bond {
			list, n = "", at
		}
		if i, err := strconv.Atoi(n); err == nil {
			h.named[e.Move] = append(h.named[e.Move], h.heroes[who].Fallouts[list][i].plain())
		}
	}
}

// plain returns a fallout regardless of whether it's stabilised.
func (f heistFallout) plain() heistFallout {
	f.Stabilised = false
	return f
}

// hears follows a line of the log.
func (h *heists) hears(c *crowd, e view.Entry, l view.Line) {
	c.t.Helper()
	var is struct {
		Who, Resistance, Bond string
		Amount, Now, At, Of   int
		Replaces              int
		Fallout               heistFallout
		Fallouts              []heistFallout
		Cleared               map[string]int
	}
	if !strings.HasPrefix(l.Type, "spire.") {
		return
	}
	must(c.t, json.Unmarshal(l.Data, &is))
	hero := h.heroes[is.Who]
	if hero == nil {
		return
	}
	wrong := func() { c.t.Fatalf("%s %s, where there is %s while\n%s", l.Type, l.Data, plainSheet(hero), c.asked()) }
	list := ""
	if is.Bond != "" {
		list = "0"
	}
	fallouts := hero.Fallouts[list]
	switch l.Type {
	case "spire.stress-marked":
		if hero.Stress[is.Resistance] += is.Amount; hero.Stress[is.Resistance] != is.Now {
			wrong()
		}
	case "spire.bond-marked":
		if hero.Stress["bond"] += is.Amount; hero.Stress["bond"] != is.Now {
			wrong()
		}
	case "spire.bond-cleared":
		hero.Stress["bond"] = max(0, hero.Stress["bond"]-is.Amount)
	case "spire.stress-cleared":
		for resistance, n := range is.Cleared {
			if hero.Stress[resistance] -= n; hero.Stress[resistance] < 0 {
				wrong()
			}
		}
	case "spire.fallout-taken":
		if at := is.Replaces; at >= 0 {
			grown := map[string]string{"minor": "moderate", "moderate": "severe"}
			if at >= len(fallouts) || grown[fallouts[at].Severity] != is.Fallout.Severity {
				wrong()
			}
			fallouts = slices.Delete(slices.Clone(fallouts), at, at+1)
		}
		hero.Fallouts[list] = append(fallouts, is.Fallout)
	case "spire.fallout-removed", "spire.fallout-stabilised":
		about := e.Name == "day" || slices.Contains(h.named[e.Move], is.Fallout.plain())
		if is.At >= len(fallouts) || fallouts[is.At] != is.Fallout || !about {
			wrong()
		}
		if l.Type == "spire.fallout-removed" {
			hero.Fallouts[list] = slices.Delete(slices.Clone(fallouts), is.At, is.At+1)
		} else {
			fallouts[is.At].Stabilised = true
		}
	case "spire.hindered":
		left := slices.Clone(fallouts)
		for _, f := range is.Fallouts {
			at := slices.Index(left, f)
			if at < 0 || !slices.Contains(h.named[e.Move], f.plain()) {
				wrong()
			}
			left = slices.Delete(left, at, at+1)
		}
	}
}

// read reads the heroes from the sheets.
func (*heists) read(c *crowd, v *view.View) map[string]*heistHero {
	all := map[string]*heistHero{}
	for _, hero := range v.Characters {
		if hero.Kind != "character" {
			continue
		}
		data, err := json.Marshal(hero.Sheet)
		must(c.t, err)
		var sheet struct {
			Stress   map[string]int
			Fallouts []heistFallout
			Bonds    []struct {
				Stress   int
				Fallouts []heistFallout
			}
		}
		must(c.t, json.Unmarshal(data, &sheet))
		is := &heistHero{Stress: sheet.Stress, Fallouts: map[string][]heistFallout{"": sheet.Fallouts}}
		if len(sheet.Bonds) > 0 {
			is.Stress["bond"], is.Fallouts["0"] = sheet.Bonds[0].Stress, sheet.Bonds[0].Fallouts
		}
		all[hero.ID] = is
	}
	return all
}
