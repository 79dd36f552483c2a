package foreign

import (
	"slices"
	"strings"
)

// godboundNPC reads foes of jasonareid's system and of godbound-ru, whose actors have the type npc. Read
// from godbound-ru 1.0.19, template.json and module/actor.js.
//
// A mob's hd are those of all its members; mobHd has those of each. Attacks an action are counted for
// the foe, not for each attack.
var godboundNPC = system{
	id: "godbound-foe", foundry: "godbound", title: "Godbound (Foundry: jasonareid, godbound-ru)",
	fits: func(d document) bool {
		return d.kind == "npc" && d.system.get("morale").there() && d.system.get("hd").there()
	},
	read: readGodboundNPC,
	silent: []string{
		"computed", "faction.power", "actionDie", "cohesion", "trouble.max", "prostheticPoints", "hd.current", "mobHd.current",
		"cardinality",
	},
}

// gbMobs lists what the system calls foes who are many.
var gbMobs = []string{"SmallMob", "LargeMob", "VastMob"}

func readGodboundNPC(d document, h *Hero) {
	s := d.system
	hd, each := h.count("hd", s.get("hd.max")), h.count("hd", s.get("mobHd.max"))
	if slices.Contains(gbMobs, s.get("cardinality").text()) && each > 0 && hd > 0 {
		h.set("count", Value{Is: (hd + each - 1) / each, From: s.get("mobHd.max").at})
		hd = each
	}
	h.set("hd", Value{Is: hd, From: s.get("hd.max").at})
	for name, path := range map[string]string{
		"ac": "ac", "save": "save", "morale": "morale", "bonus": "toHitBonus", "actions": "numActions",
		"effort": "effort.total",
	} {
		h.read(name, s.get(path))
	}
	times := max(1, h.count("attacks", s.get("numAttacks")))
	var without []string // attacks without dice
	d.each(h, func(kind, name string, of, item node) {
		if !diceIn.MatchString(of.get("damageRoll").text()) {
			without = append(without, strings.TrimSpace("**"+first(name, kind)+"** "+plain(of.get("notes").text())))
			return
		}
		attack := Item{
			"name": {Is: first(name, kind), From: item.at}, "dice": gbDice(h, of.get("damageRoll"), of.get("damageBonus")),
		}
		if times > 1 && kind == "attack" {
			attack["times"] = Value{Is: times, From: s.get("numAttacks").at}
		}
		h.add("attacks", attack)
	}, "attack", "autoHitAttack", "multiDieDamageRoll")
	notes := without
	for _, path := range []string{"description", "goal", "move", "combatNotes", "notes"} {
		if text := plain(s.get(path).text()); text != "" {
			notes = append(notes, text)
		}
	}
	d.each(h, func(kind, name string, of, item node) {
		switch kind {
		case "attack", "autoHitAttack", "multiDieDamageRoll":
			return
		}
		about, _ := description(of).Is.(string)
		notes = append(notes, strings.TrimSpace("**"+first(name, kind)+"** "+about))
	})
	h.set("notes", Value{Is: strings.Join(notes, "\n\n"), From: "notes"})
}
