package foreign

import (
	"fmt"
	"slices"
	"strings"
)

// wod20 and wod20PC read mages of World of Darkness 20 for Foundry, by JohanFalt. Read from its
// version 7.2.5: template.json, module/actor/datamodel and module/items/datamodel. One version has
// both shapes: an actor with a type of its own, and the newer PC, whose abilities, advantages and
// spheres are items. Stored totals are only as new as the last save. What is rolled of an attribute is
// its value and bonus, and what items add, set or take (module/scripts/totals.js); of an ability its
// value and what items add (module/dialogs/dialog-generalroll.js), never the bonus that it has itself.
var (
	wod20 = system{
		id: "wod20", foundry: "worldofdarkness", title: "World of Darkness 20 (Foundry)",
		fits: func(d document) bool {
			return (d.kind == "Mage" || d.kind == "Mortal") && d.system.get("attributes.strength").there() &&
				d.system.get("abilities").there()
		},
		read: readWoD, silent: wodSilent,
	}
	wod20PC = system{
		id: "wod20", foundry: "worldofdarkness", title: "World of Darkness 20 (Foundry)",
		fits: func(d document) bool {
			splat := d.system.get("settings.splat").text()
			return d.kind == "PC" && d.system.get("attributes.strength").there() &&
				(splat == "mage" || splat == "mortal" || splat == "")
		},
		read: readWoDPC, silent: wodSilent,
	}
)

// wodSilent lists what each actor and item has of the program, or computed from what is read.
var wodSilent = []string{
	"settings", "type", "max", "total", "roll", "version", "era", "order", "placement", "traits", "variant",
	"variantsheet", "initiative", "movement", "shapes", "isvisible", "isremovable", "iscreated", "isrollable",
	"reference", "parentid", "itemuuid", "secondaryabilityid", "tokenimage", "favoriterolls", "woundlevel",
	"woundpenalty", "health.bruised", "health.hurt", "health.injured", "health.wounded", "health.mauled",
	"health.crippled", "health.incapacitated", "perturn", "forms", "system.soak",
}

var wodAttributes = []string{
	"strength", "dexterity", "stamina", "charisma", "manipulation", "appearance", "perception", "intelligence", "wits",
}

// wodBonus changes a trait: an item adds n to it, or sets it to n.
type wodBonus struct {
	item, kind, trait, from string

	n            int
	active, used bool
}

// Kinds of bonuses that change a trait itself. The others change single rolls.
const (
	wodBuff    = "attribute_buff"
	wodFixed   = "attribute_fixed_value"
	wodAbility = "ability_buff"
	wodArmour  = "armour" // what armour that is worn takes from Dexterity
)

const maxBonuses = 200

type wodBonuses []*wodBonus

// readWoDBonuses reads the bonuses of a hero: items of their own, lists in other items, and armour.
func readWoDBonuses(d document, h *Hero) (all wodBonuses) {
	add := func(b wodBonus) {
		switch {
		case len(all) < maxBonuses:
			all = append(all, &b)
		case len(all) == maxBonuses:
			h.doubt(Doubt{Code: TooMany, Name: "bonus"})
			all = append(all, &wodBonus{})
		}
	}
	read := func(item string, of node) {
		add(wodBonus{
			item: item, kind: of.get("type").text(), from: of.at,
			trait: strings.TrimPrefix(of.get("settingtype").text(), "wod.abilities."),
			n:     h.count(item, of.get("value")), active: of.get("isactive").on(),
		})
	}
	d.each(h, func(kind, name string, of, item node) {
		if kind == "Bonus" {
			read(name, of)
			return
		}
		for _, b := range of.get("bonuslist").items() {
			read(name, b)
		}
		if n := h.count(name, of.get("dexpenalty")); kind == "Armor" && n != 0 {
			add(wodBonus{
				item: name, kind: wodArmour, trait: "dexterity", from: of.get("dexpenalty").at, n: n,
				active: of.get("isequipped").on(),
			})
		}
	})
	return all
}

// terms returns the active bonuses of a kind for a trait.
func (all wodBonuses) terms(kind, trait string) (terms []Term) {
	for _, b := range all {
		if b.active && b.kind == kind && b.trait == trait && trait != "" {
			b.used = true
			terms = append(terms, Term{Name: b.item, Text: true, N: b.n})
		}
	}
	return terms
}

// keep keeps the bonuses that no value of the hero counts.
func (all wodBonuses) keep(h *Hero) {
	for _, b := range all {
		if !b.used && b.n != 0 {
			h.add("rest", Item{
				"kind": {Is: "bonus"}, "name": {Is: b.item, From: b.from}, "inactive": {Is: !b.active},
				"bonus": {Is: fmt.Sprintf("%s %+d (%s)", b.trait, b.n, strings.ReplaceAll(b.kind, "_", " "))},
			})
		}
	}
}

// wodTotal returns a total, as the file's own value if there is nothing else in it.
func wodTotal(total Sum, n node) Value {
	if len(total) == 1 && !total[0].Text {
		return Value{Is: total.Total(), From: n.get("value").at}
	}
	return total.value(n.at)
}

// readWoDAttributes notes the attributes as they're rolled.
func readWoDAttributes(s node, h *Hero, bonuses wodBonuses) {
	for _, name := range s.get("attributes").names() {
		n := s.get("attributes").get(name)
		if !slices.Contains(wodAttributes, name) && !n.get("isvisible").on() {
			n.get("value").skip() // of another edition of the rules, and not shown
			continue
		}
		total := Sum{term("value", h.count(name, n.get("value")))}
		if bonus := h.count(name, n.get("bonus")); bonus != 0 {
			total = append(total, term("bonus", bonus))
		}
		total = append(total, bonuses.terms(wodBuff, name)...)
		if fixed := bonuses.terms(wodFixed, name); fixed != nil {
			total = fixed[:1]
		}
		h.set(name, wodTotal(append(total, bonuses.terms(wodArmour, name)...), n))
	}
	for _, kind := range []string{"bashing", "lethal", "aggravated"} {
		if n := h.count("damage."+kind, s.get("health.damage."+kind)); n != 0 {
			h.set("damage."+kind, Value{Is: n, From: s.get("health.damage." + kind).at})
		}
	}
}

// wodList returns the list of an ability by its type: "talent", "wod.abilities.skill",
// "wod.types.knowledgesecondability".
func wodList(kind string) string {
	kind = strings.TrimPrefix(strings.TrimPrefix(kind, "wod.abilities."), "wod.types.")
	for _, of := range []struct{ kind, list string }{
		{"talent", "talents"}, {"skill", "skills"}, {"knowledge", "knowledges"},
	} {
		if strings.HasPrefix(kind, of.kind) {
			return of.list
		}
	}
	return ""
}

func readWoD(d document, h *Hero) {
	s := d.system
	bonuses := readWoDBonuses(d, h)
	readWoDAttributes(s, h, bonuses)
	for _, id := range s.get("abilities").names() {
		n := s.get("abilities").get(id)
		if label := n.get("altlabel").text(); label != "" {
			readWoDAbility(h, "", label, n, bonuses.terms(wodAbility, id))
		} else {
			title := strings.ToUpper(id[:min(1, len(id))]) + id[min(1, len(id)):]
			readWoDAbility(h, id, title, n, bonuses.terms(wodAbility, id))
		}
	}
	h.read("arete", s.get("advantages.arete.permanent"))
	h.read("willpower.permanent", s.get("advantages.willpower.permanent"))
	h.read("willpower.temporary", s.get("advantages.willpower.temporary"))
	h.read("quintessence", s.get("quintessence.temporary"))
	readParadox(h, s.get("paradox"), 0)
	for _, id := range s.get("spheres").names() {
		readSphere(h, id, s.get("spheres").get(id))
	}
	d.each(h, func(kind, name string, of, item node) { // abilities that people added
		if wodList(of.get("type").text()) != "" {
			readWoDAbility(h, "", name, of, bonuses.terms(wodAbility, item.get("_id").text()))
			return
		}
		h.add("rest", Item{
			"kind": {Is: kind}, "name": {Is: name, From: item.at}, "about": description(of),
			"quantity": countOf(of.get("value")),
		})
	}, "Trait")
	for _, name := range []string{
		"nature", "demeanor", "concept", "essence", "affiliation", "sect", "appearance", "background", "roleplaytip",
		"derangement", "notes", "gear", "focus.paradigm", "focus.practice", "focus.instruments",
	} {
		h.prose("text."+name, s.get(name))
	}
	bonuses.keep(h)
	d.rest(h, "Trait", "Bonus")
}

// readWoDAbility notes an ability that somebody has.
func readWoDAbility(h *Hero, id, name string, n node, bonuses []Term) {
	dots := wodTotal(append(Sum{term("value", h.count(name, n.get("value")))}, bonuses...), n)
	if dots.Is == 0 {
		return
	}
	list := wodList(n.get("type").text())
	if list == "" {
		list = "skills"
		h.doubt(Doubt{Code: Unsure, Name: name, From: n.get("type").at, Given: n.get("type").short(), Used: list})
	}
	h.add(list, Item{
		"id": {Is: id, From: n.at}, "name": {Is: name, From: n.at}, "dots": dots, "speciality": n.get("speciality").value(),
	})
}

// readParadox adds both kinds of Paradox, which are rolled together. over is what the wheel has no
// room for.
func readParadox(h *Hero, n node, over int) {
	sum := Sum{
		term("permanent", h.count("paradox", n.get("permanent"))), term("temporary", h.count("paradox", n.get("temporary"))),
		term("wheel", -over),
	}
	if n.there() {
		h.set("paradox", sum.value(n.at))
	}
}

// readWheel notes Quintessence and Paradox of a PC, which share a wheel. What is too much for it is
// taken from Quintessence, then from temporary Paradox.
func readWheel(h *Hero, quintessence, paradox node) {
	room, ok := quintessence.get("max").number()
	if !ok || room == 0 {
		room = 20
	}
	has := h.count("quintessence", quintessence.get("temporary"))
	temporary := h.count("paradox", paradox.get("temporary"))
	over := 0
	if quintessence.there() && paradox.there() {
		over = max(0, has+temporary+h.count("paradox", paradox.get("permanent"))-room)
	}
	lost := min(over, max(0, has))
	if lost == 0 {
		h.read("quintessence", quintessence.get("temporary"))
	} else {
		h.set("quintessence", Sum{term("temporary", has), term("wheel", -lost)}.value(quintessence.at))
	}
	readParadox(h, paradox, min(over-lost, max(0, temporary)))
}

func readSphere(h *Hero, id string, n node) {
	if dots := h.count(id, n.get("value")); dots > 0 {
		h.set("sphere."+id, Value{Is: dots, From: n.get("value").at})
	}
}

func readWoDPC(d document, h *Hero) {
	s := d.system
	bonuses := readWoDBonuses(d, h)
	readWoDAttributes(s, h, bonuses)
	var quintessence, paradox node
	d.each(h, func(kind, name string, of, item node) {
		id := first(of.get("id").text(), of.get("reference").text())
		switch kind {
		case "Ability":
			readWoDAbility(h, id, name, of, bonuses.terms(wodAbility, id))
		case "Sphere":
			readSphere(h, first(id, name), of)
		case "Advantage":
			switch id {
			case "arete":
				h.read("arete", of.get("permanent"))
			case "willpower":
				h.read("willpower.permanent", of.get("permanent"))
				h.read("willpower.temporary", of.get("temporary"))
			case "quintessence":
				quintessence = of
			case "paradox":
				paradox = of
			default:
				if n := h.count(name, of.get("permanent")); n != 0 {
					h.set("advantage."+first(name, id), Value{Is: n, From: of.get("permanent").at})
				}
			}
		}
	}, "Ability", "Sphere", "Advantage")
	readWheel(h, quintessence, paradox)
	for _, name := range s.get("bio").names() {
		h.prose("text."+name, s.get("bio").get(name))
	}
	for _, name := range s.get("bio.splatfields").names() {
		n := s.get("bio.splatfields").get(name)
		h.prose("text."+name, node{is: first(n.text(), n.get("value").text()), at: n.at})
	}
	h.prose("text.gear", s.get("gear.notes"))
	bonuses.keep(h)
	d.rest(h, "Ability", "Sphere", "Advantage", "Splat", "Bonus", "Experience")
}
