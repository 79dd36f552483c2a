package foreign

import "strings"

// godboundCore reads heroes of AlbrechtWM's system, whose actors keep coreStats. Read from its version
// 1.2.0: template.json, system/actors/helpers/coreStats.mjs and character.mjs.
var godboundCore = system{
	id: "godbound", foundry: "godbound", title: "Godbound (Foundry: AlbrechtWM)",
	fits: func(d document) bool { return d.kind == "character" && d.system.get("coreStats").there() },
	read: readGodboundCore,
	silent: []string{
		"mod", "checkDC", "dc", "levelModifier", "attributeModifier", "penaltyModifier", "hardiness.base", "evasion.base",
		"spirit.base", "score", "baseOverrideValue", "free", "totalCommitted", "effort.value", "hp.max", "ac.total",
		"portrait",
		"movementDistance", "actionsPerRound", "attacksPerAction",
	},
}

func readGodboundCore(d document, h *Hero) {
	s := d.system
	core := s.get("coreStats")
	h.read("level", core.get("levelOrHD"))
	h.read("xp", s.get("xp"))
	level, mods := max(1, h.integer("level")), map[string]int{}
	for _, name := range gbAttributes {
		n := s.get("attributes." + name)
		score := Sum{term("base", h.count(name, n.get("baseScore")))}
		if n.get("useBaseOverride").on() {
			score = Sum{term("override", h.count(name, n.get("baseOverrideValue")))}
		}
		if m := h.count(name, n.get("miscScoreModifier")); m != 0 {
			score = append(score, term("bonus", m))
		}
		was, ok := n.get("score").number()
		switch {
		case score.Total() == 0 && ok && was != 0: // the parts were never filled in
			h.set(name, Value{Is: was, From: n.get("score").at})
		case ok && was != 0 && was != score.Total():
			h.doubt(Doubt{
				Code: Recomputed, Name: name, From: n.get("score").at, Given: itoa(was), Used: itoa(score.Total()),
			})
			fallthrough
		default:
			h.set(name, score.value(n.at))
		}
		mods[name] = gbModifier(h.integer(name))
	}
	h.saves(16, level, mods, func(string) int { return 0 })
	for _, save := range gbSaves {
		n := core.get("saves." + save.name)
		if n.get("isArmorPenalty").on() {
			h.set("hampered."+save.name, Value{Is: true, From: n.get("isArmorPenalty").at})
		}
		if m := h.count(save.name, n.get("miscModifier")); m != 0 { // the system's own sheet doesn't add it
			h.set("save bonus."+save.name, Value{Is: m, From: n.get("miscModifier").at})
		}
	}
	readCoreArmour(h, core.get("ac"), mods["dex"])
	hp := gbHP(mods["con"], level)
	if level <= 1 {
		hp = hp[:2]
	}
	if n := h.count("hp", core.get("hp.miscBonus")); n != 0 {
		hp = append(hp, term("bonus", n))
	}
	h.hitPoints(hp, 2, core.get("hp.value"))
	h.set("bonus", Sum{term("level", level)}.value("level"))
	h.read("effort", core.get("effort.max"))
	for _, c := range []struct{ at, until string }{
		{"turnCommitted", "scene"},
		{"sustainCommitted", "sustained"},
		{"sceneCommitted", "scene"},
		{"dayCommitted", "day"},
	} {
		h.commit(strings.TrimSuffix(c.at, "Committed"), c.until, core.get("effort."+c.at))
	}
	h.read("influence.total", s.get("influence.max"))
	h.read("influence.committed", s.get("influence.committed"))
	h.set("dominion", Sum{
		term("total", h.count("dominion", s.get("dominion.total"))),
		term("spent", -h.count("dominion", s.get("dominion.spent"))),
	}.value(s.get("dominion").at))
	for _, fact := range s.get("facts").items() {
		if text := plain(fact.text()); text != "" {
			h.fact(text, "", fact.at)
		}
	}
	readCoreItems(d, h)
	for _, name := range []string{
		"base.description", "base.goals", "base.languages", "base.notes", "possessions.wealth.description",
	} {
		h.prose("text."+name, s.get(name))
	}
	d.rest(h, "word", "gift", "attack")
}

// readCoreItems notes Words, gifts and weapons.
func readCoreItems(d document, h *Hero) {
	d.each(h, func(kind, name string, of, item node) {
		switch kind {
		case "word":
			h.add("words", Item{"name": {Is: name, From: item.at}, "about": description(of)})
		case "gift":
			word := of.get("parentWord")
			if word.text() == "None" {
				word = node{}
			}
			h.gift(name, word, description(of), item, of.get("act.speed").text(), of.get("act.effortCommitment").text(),
				of.get("isGreaterGift").on())
		case "attack":
			damage := of.get("damage")
			dice := node{is: itoa(max(1, h.count(name, damage.get("numDie")))) +
				strings.TrimPrefix(damage.get("dieType").text(), "1"), at: damage.get("dieType").at}
			h.add("weapons", Item{
				"name": {Is: name, From: item.at}, "dice": gbDice(h, dice, damage.get("miscBonus")),
				"attribute": gbAttribute(h, node{
					is: first(damage.get("relevantAttribute").text(), of.get("targeting.toHit.relevantAttribute").text()),
					at: damage.at,
				}),
				"melee":    {Is: of.get("targeting.isMelee").on(), From: of.get("targeting.isMelee").at},
				"straight": {Is: damage.get("isStraight").on(), From: damage.get("isStraight").at},
				"about":    description(of), "bonus": countOrNothing(of.get("targeting.toHit.miscBonus")),
			})
		}
	}, "word", "gift", "attack")
}

// readCoreArmour computes the Armour Class.
func readCoreArmour(h *Hero, ac node, dexterity int) {
	kind := ac.get("armorType").text()
	base, known := gbArmour[kind]
	special := kind == "special"
	if special {
		base, known, kind = 3, true, "heavy"
	}
	if !known {
		if kind != "" {
			h.doubt(Doubt{Code: Recomputed, Name: "ac", From: ac.get("armorType").at, Given: brief(kind), Used: "9"})
		}
		base, kind = 9, "none"
	}
	h.set("armour", Value{Is: kind, From: ac.get("armorType").at})
	sum := Sum{term("armour", base), term("modifier", -dexterity)}
	if n := h.count("ac", ac.get("miscModifier")); n != 0 {
		sum = append(sum, term("bonus", -n))
	}
	if ac.get("hasShield").on() && !special {
		sum = append(sum, term("shield", -1))
	}
	h.set("ac", sum.value(ac.at))
}
