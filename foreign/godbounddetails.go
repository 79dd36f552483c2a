package foreign

import (
	"maps"
	"slices"
	"strings"
)

// godboundDetails reads heroes of Sparky939's system, whose actors keep details. Read from its version
// 0.1.30: module/data/actors/actor-character.mjs, module/data/items and module/helpers/tables.mjs.
//
// The level follows from experience and from Dominion that was spent; the stored one is out of date.
// An attribute below 3 or above 19 is 10 there.
var godboundDetails = system{
	id: "godbound", foundry: "godbound", title: "Godbound (Foundry: Sparky939)",
	fits: func(d document) bool {
		return d.kind == "character" && d.system.get("details.level").there() && d.system.get("attributes.str").there()
	},
	read: readGodboundDetails,
	silent: []string{
		"dropdown", "show", "health.max", "effort.value", "effort.max", "influence.value", "influence.max", "dominion.spent",
		"move.land",
	},
}

// gbLevels lists what each level needs, from the second: experience, and Dominion that was spent.
var gbLevels = []struct{ xp, dominion int }{
	{3, 2}, {6, 4}, {12, 10}, {24, 22}, {48, 38}, {72, 57}, {96, 76}, {130, 95}, {170, 124},
}

// gbWeapons gives the die of a kind of weapon.
var gbWeapons = map[string]string{
	"unarmed": "1d2", "light": "1d6", "medium": "1d8", "heavy": "1d10", "ranged1h": "1d6", "ranged2h": "1d8",
}

func readGodboundDetails(d document, h *Hero) {
	s := d.system
	spent, bound, effort, influence, committed := 0, 0, 0, 0, 0
	d.each(h, func(kind, name string, of, item node) {
		if kind != "gift" {
			spent += h.count(name, of.get("cost.dominion"))
			bound += h.count(name, of.get("cost.influence"))
			if of.get("effortOfTheWord").on() {
				effort++
			}
			if of.get("influenceOfTheWord").on() {
				influence++
			}
		}
		for range min(40, max(0, h.count(name, of.get("effort")))) {
			committed++
			h.add("committed", Item{
				"for": {Is: name + " " + itoa(committed), From: item.at}, "until": {Is: "sustained"},
			})
		}
	}, "project", "word", "gift")
	h.read("xp", s.get("details.level.xp"))
	level := 1
	for i, need := range gbLevels {
		if need.xp <= h.integer("xp") && need.dominion <= spent {
			level = i + 2
		}
	}
	h.set("level", Value{Is: level, From: s.get("details.level").at, Sum: Sum{term("reached", level)}})
	if was, ok := s.get("details.level.value").number(); ok && was != level {
		h.doubt(Doubt{
			Code: Recomputed, Name: "level", From: s.get("details.level.value").at, Given: itoa(was), Used: itoa(level),
		})
	}
	mods := map[string]int{}
	for _, name := range gbAttributes {
		n := s.get("attributes." + name + ".value")
		h.read(name, n)
		if score := h.integer(name); n.there() && (score < 3 || score > 19) {
			h.doubt(Doubt{Code: Recomputed, Name: name, From: n.at, Given: n.short(), Used: "10"})
			h.set(name, Value{Is: 10, From: n.at, Sum: Sum{term("base", 10)}})
		}
		mods[name] = gbModifier(h.integer(name))
	}
	h.saves(16, level, mods, func(string) int { return 0 })
	h.hitPoints(gbHP(mods["con"], level), level, s.get("health.value"))
	readDetailsArmour(d, h, mods["dex"])
	h.set("bonus", Sum{term("level", level)}.value(s.get("details.level").at))
	if die := s.get("details.frayDie"); die.there() {
		h.set("fray", gbDice(h, node{is: "1d" + die.short(), at: die.at}, node{}))
	}
	most := Sum{term("level", level), term("base", 1)}
	total := most
	if effort > 0 {
		total = append(most[:2:2], term("words", effort))
	}
	h.set("effort", total.value("effort"))
	total = most
	if influence > 0 {
		total = append(most[:2:2], term("words", influence))
	}
	h.set("influence.total", total.value("influence"))
	h.set("influence.committed", Value{Is: bound, From: "items"})
	h.set("dominion", Sum{
		term("total", h.count("dominion", s.get("resources.dominion.gained"))), term("spent", -spent),
	}.value(s.get("resources.dominion.gained").at))
	readDetailsItems(d, h)
	h.read("wealth", s.get("details.wealth"))
	for _, name := range []string{"biography", "notes", "description"} {
		h.prose("text."+name, s.get(name))
	}
}

// readDetailsArmour computes the Armour Class by the armour that is worn.
func readDetailsArmour(d document, h *Hero, dexterity int) {
	base, kind := 9, "none"
	kinds := map[string]string{"None": "none", "Light": "light", "Medium": "medium", "Heavy": "heavy"}
	worn := false
	d.each(h, func(_, name string, of, item node) {
		if !worn && of.get("worn").on() {
			worn = true
			if known, ok := kinds[of.get("type").text()]; ok {
				kind, base = known, gbArmour[known]
			} else {
				h.doubt(Doubt{Code: Recomputed, Name: "ac", From: of.get("type").at, Given: of.get("type").short(), Used: "9"})
			}
			for _, save := range gbSaves {
				if n := of.get(save.name + "Penalty"); n.on() {
					h.set("hampered."+save.name, Value{Is: true, From: n.at})
				}
			}
		}
		h.add("rest", Item{"kind": {Is: "armour"}, "name": {Is: name, From: item.at}, "about": description(of)})
	}, "armour")
	h.set("armour", Value{Is: kind, From: "items"})
	ac := Sum{term("armour", base), term("modifier", -dexterity)}
	if d.system.get("useShield").on() {
		ac = append(ac, term("shield", -1))
	}
	h.set("ac", ac.value("items"))
}

func readDetailsItems(d document, h *Hero) {
	d.each(h, func(kind, name string, of, item node) {
		switch kind {
		case "word":
			about := description(of)
			if text := plain(of.get("passive.description").text()); text != "" && about.Is == nil {
				about = Value{Is: text, From: of.get("passive.description").at}
			}
			h.add("words", Item{"name": {Is: name, From: item.at}, "about": about})
		case "gift":
			h.gift(name, of.get("word.name"), description(of), item, of.get("type.value").text(), "",
				of.get("power.value").choice("lesser", "greater") == "greater")
		case "fact":
			h.fact(name, plain(of.get("description").text()), item.at)
		case "weapon":
			dice := of.get("customFormula")
			weapon := of.get("weaponType").choice(slices.Collect(maps.Keys(gbWeapons))...)
			if die, known := gbWeapons[weapon]; known {
				dice = node{is: die, at: of.get("weaponType").at}
			}
			h.add("weapons", Item{
				"name": {Is: name, From: item.at}, "dice": gbDice(h, dice, of.get("damageBonus")),
				"attribute": gbAttribute(h, of.get("attribute")), "about": description(of),
				"straight": {Is: of.get("straightDamage").on(), From: of.get("straightDamage").at},
				"melee": {
					Is: !strings.HasPrefix(weapon, "ranged"), From: of.get("weaponType").at,
				},
				"bonus": countOrNothing(of.get("hitBonus")),
			})
		}
	}, "word", "gift", "fact", "weapon")
	d.rest(h, "word", "gift", "fact", "weapon", "armour")
}
