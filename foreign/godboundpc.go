package foreign

import (
	"regexp"
	"strings"
)

// Four systems of Foundry for Godbound have one id and different actors: the shape of an actor decides.
// The readers give the same names, so a game's foreign.toml has one table for all.

// godboundPC reads heroes of jasonareid's system and its successor godbound-ru, whose actors have the
// type pc. Read from godbound-ru 1.0.19, module/actor.js.
//
// Saves, the Armour Class and the maximum of hit points are computed. Hit points are those that are
// left, Effort is that which is bound.
var godboundPC = system{
	id: "godbound", foundry: "godbound", title: "Godbound (Foundry: jasonareid, godbound-ru)",
	fits: func(d document) bool {
		return d.kind == "pc" && d.system.get("attributes.str.score").there()
	},
	read: readGodboundPC,
	silent: []string{
		"computed", "divineFury", "pdfPage", "commitType", "isIntegrated",
	},
}

// gbAttributes lists the attributes, gbSaves the two that each save takes the better modifier of.
var (
	gbAttributes = []string{"str", "dex", "con", "int", "wis", "cha"}
	gbSaves      = []struct{ name, first, second string }{
		{"hardiness", "str", "con"}, {"evasion", "dex", "int"}, {"spirit", "wis", "cha"},
	}
	gbArmour = map[string]int{"none": 9, "light": 7, "medium": 5, "heavy": 3}
)

// gbModifier returns what an attribute adds.
func gbModifier(score int) int {
	for i, most := range []int{3, 5, 8, 12, 15, 17, 18} {
		if score <= most {
			return i - 3
		}
	}
	return 4
}

// gbHP returns the maximum of hit points.
func gbHP(con, level int) Sum {
	each := 4 + con/2 // rounded up
	if con > 0 {
		each = 4 + (con+1)/2
	}
	return Sum{term("base", 8), term("constitution", con), {Name: "level", N: each, Times: max(1, level-1)}}
}

// hitPoints notes the maximum and what is lost, by what is left.
func (h *Hero) hitPoints(most Sum, level int, left node) {
	if level <= 1 {
		most = most[:2]
	}
	h.set("hp", most.value("hp"))
	now, ok := h.int("hp", left)
	switch {
	case !ok:
	case now > most.Total():
		h.doubt(Doubt{Code: Recomputed, Name: "hp", From: left.at, Given: left.short(), Used: itoa(most.Total())})
	default:
		if now == 0 {
			h.doubt(Doubt{Code: NothingLeft, Name: "lost", From: left.at, Given: "0", Used: itoa(most.Total())})
		}
		h.set("lost", Sum{term("max", most.Total()), term("left", -now)}.value(left.at))
	}
}

// saves notes the saves without armour's penalty.
func (h *Hero) saves(base, level int, mods map[string]int, bonus func(save string) int) {
	for _, s := range gbSaves {
		sum := Sum{
			term("base", base), term("modifier", -max(mods[s.first], mods[s.second])), term("level", -level),
		}
		if n := bonus(s.name); n != 0 {
			sum = append(sum, term("bonus", -n))
		}
		h.set(s.name, sum.value("saves."+s.name))
	}
}

// commit notes points of Effort that are bound.
func (h *Hero) commit(name, until string, n node) {
	for i := range min(40, max(0, h.count("effort", n))) {
		h.add("committed", Item{"for": {Word: "effort " + name, Is: itoa(i + 1), From: n.at}, "until": {Is: until}})
	}
}

func readGodboundPC(d document, h *Hero) {
	s := d.system
	h.read("level", s.get("level"))
	h.read("xp", s.get("xp"))
	level, mods := max(1, h.integer("level")), map[string]int{}
	for _, name := range gbAttributes {
		h.read(name, s.get("attributes."+name+".score"))
		mods[name] = gbModifier(h.integer(name))
	}
	h.saves(15, level-1, mods, func(save string) int { return h.count(save, s.get("saves."+save+".bonus")) })
	for _, save := range []string{"Hardiness", "Evasion", "Spirit"} {
		if s.get("armor.penalize" + save).on() {
			h.set("hampered."+strings.ToLower(save), Value{Is: true, From: s.get("armor.penalize" + save).at})
		}
	}
	readPCArmour(h, s.get("armor"), mods)
	hp := gbHP(mods["con"], level)
	h.hitPoints(hp, level, s.get("hp.current"))
	if n := h.count("hp bonus", s.get("hp.bonus")); n != 0 {
		h.set("hp bonus", Value{Is: n, From: s.get("hp.bonus").at})
	}
	bonus := Sum{term("level", level)}
	if n := h.count("bonus", s.get("toHitBonus")); n != 0 {
		bonus = append(bonus, term("bonus", n))
	}
	h.set("bonus", bonus.value(s.get("toHitBonus").at))
	h.read("effort", s.get("effort.total"))
	for _, c := range []struct{ at, until string }{
		{"atWill", "sustained"}, {"scene", "scene"}, {"day", "day"}, {"healing", "day"},
	} {
		h.commit(c.at, c.until, s.get("effort."+c.at))
	}
	spent := h.count("dominion", s.get("dominion.contributed"))
	bound := h.count("influence", s.get("influence.contributed"))
	d.each(h, func(_, name string, of, _ node) {
		spent += h.count(name, of.get("committedDominion"))
		bound += h.count(name, of.get("committedInfluence"))
	}, "project", "artifact")
	h.read("influence.total", s.get("influence.total"))
	h.set("influence.committed", Value{Is: bound, From: s.get("influence").at})
	h.set("dominion", Sum{
		term("total", h.count("dominion", s.get("dominion.total"))), term("spent", -spent),
	}.value(s.get("dominion").at))
	readPCItems(d, h)
	for _, line := range strings.Split(plain(s.get("facts").text()), "\n") {
		if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "-")); line != "" {
			h.fact(line, "", s.get("facts").at)
		}
	}
	for _, name := range []string{"description", "goal", "languages", "notes", "wealth.description", "armor.desc"} {
		h.prose("text."+name, s.get(name))
	}
	if n := h.count("wealth", s.get("wealth.total")); n != 0 {
		h.set("wealth", Value{Is: n, From: s.get("wealth.total").at})
	}
}

// fact notes a Fact. A long one is named by its beginning.
func (h *Hero) fact(name, about, from string) {
	if short := brief(name); short != name {
		name, about = short, strings.TrimSpace(name+"\n\n"+about)
	}
	h.add("facts", Item{"name": {Is: name, From: from}, "about": {Is: about, From: from}})
}

// readPCArmour computes the Armour Class. Characters that were taken from elsewhere have an Armour
// Class where the kind of armour is expected; the system reads that as no armour.
func readPCArmour(h *Hero, armour node, mods map[string]int) {
	kind := armour.get("type").text()
	base, known := gbArmour[kind]
	if kind == "divine" {
		base, known, kind = 3, true, "heavy"
	}
	if !known {
		base = 9
		if armour.get("type").there() {
			h.doubt(Doubt{
				Code: Recomputed, Name: "ac", From: armour.get("type").at, Given: armour.get("type").short(), Used: "9",
			})
		}
		kind = "none"
	}
	h.set("armour", Value{Is: kind, From: armour.get("type").at})
	attribute := first(armour.get("attribute").choice(gbAttributes...), "dex")
	ac := Sum{term("armour", base), term("modifier", -mods[attribute])}
	if armour.get("shield").on() {
		ac = append(ac, term("shield", -1))
	}
	if n := h.count("ac", armour.get("bonus")); n != 0 {
		ac = append(ac, term("bonus", -n))
	}
	h.set("ac", ac.value(armour.at))
}

func readPCItems(d document, h *Hero) {
	d.each(h, func(kind, name string, of, item node) {
		switch kind {
		case "boundWord":
			h.add("words", Item{"name": {Is: name, From: item.at}, "about": description(of)})
		case "divineGift":
			h.gift(name, of.get("word"), description(of), item, gbTiming(of), gbUntil(of), of.get("greater").on())
		case "fact":
			h.fact(name, plain(of.get("description").text()), item.at)
		case "attack":
			reach, _ := of.get("range").is.(string) // stays unread: the sheet says only whether it's melee
			h.add("weapons", Item{
				"name": {Is: name, From: item.at}, "dice": gbDice(h, of.get("damageRoll"), of.get("damageBonus")),
				"attribute": gbAttribute(h, of.get("attr")), "about": {Is: plain(of.get("notes").text())},
				"melee": {Is: !ranged.MatchString(reach), From: of.get("range").at},
				"bonus": countOrNothing(of.get("hitBonus")),
			})
		case "autoHitAttack":
			if of.get("fray").on() || strings.Contains(strings.ToLower(name), "fray") {
				h.set("fray", gbDice(h, of.get("damageRoll"), of.get("damageBonus")))
				return
			}
			h.add("rest", Item{
				"kind": {Is: kind}, "name": {Is: name, From: item.at},
				"about": {Is: strings.TrimSpace(of.get("damageRoll").text() + "\n\n" + plain(of.get("description").text()))},
			})
		}
	}, "boundWord", "divineGift", "fact", "attack", "autoHitAttack")
	d.rest(h, "boundWord", "divineGift", "fact", "attack", "autoHitAttack")
}

// gift notes a gift.
func (h *Hero) gift(name string, word node, about Value, item node, timing, until string, greater bool) {
	gift := Item{
		"name": {Is: name, From: item.at}, "word": {Is: brief(word.text()), From: word.at}, "about": about,
		"timing": {Is: timing, From: item.at}, "until": {Is: until, From: item.at},
	}
	if greater {
		gift["greater"] = Value{Is: true, From: item.at}
	}
	h.add("gifts", gift)
}

// gbTiming returns when a gift of godbound-ru works, "" where nothing is ticked.
func gbTiming(of node) string {
	for _, timing := range []string{"constant", "instant", "onTurn", "action"} {
		if of.get(timing).on() {
			return timing
		}
	}
	return ""
}

// gbUntil returns how long a gift's Effort stays bound, "" for none.
func gbUntil(of node) string {
	if of.get("noEffort").on() {
		return ""
	}
	for _, until := range []string{"atWill", "scene", "day"} {
		if of.get(until).on() {
			return until
		}
	}
	return ""
}

var (
	// ranged matches the range of an attack that is made from afar only.
	ranged = regexp.MustCompile(`(?i)^\s*(\d|ranged|дальн|\d+ ?(ft|фут))`)
	// attributeIn finds the attribute in a text of Roll20: @{dexterity_mod}.
	attributeIn = regexp.MustCompile(`(?i)^@?\{?(str|dex|con|int|wis|cha)`)
	// diceIn finds dice, also with a bonus: "1d8", "2к6+1".
	diceIn = regexp.MustCompile(`^\s*(\d*[dDкК]\d+)(\s*[+-]\s*\d+)?\s*$`)
)

// gbAttribute returns the attribute of an attack.
func gbAttribute(h *Hero, n node) Value {
	if found := attributeIn.FindStringSubmatch(n.text()); found != nil {
		return Value{Is: strings.ToLower(found[1]), From: n.at}
	}
	if n.text() != "" {
		return Value{Is: n.short(), From: n.at}
	}
	return Value{}
}

// gbDice returns the dice of an attack with their bonus.
func gbDice(h *Hero, n, bonus node) Value {
	text := n.text()
	if found := diceIn.FindStringSubmatch(text); found != nil {
		text = strings.NewReplacer(" ", "", "к", "d", "К", "d", "D", "d").Replace(text)
		if strings.HasPrefix(text, "d") {
			text = "1" + text
		}
	}
	if m := h.count("damage", bonus); m != 0 && !strings.ContainsAny(text, "+-") {
		if m > 0 {
			text += "+"
		}
		text += itoa(m)
	}
	return Value{Is: text, From: n.at}
}

// countOrNothing returns a number that isn't 0.
func countOrNothing(n node) Value {
	if m, ok := n.number(); ok && m != 0 {
		return Value{Is: m, From: n.at}
	}
	return Value{}
}
