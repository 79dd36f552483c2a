package foreign

import "strings"

// ep2e reads characters of Eclipse Phase 2e for Foundry, by Bubz43. Read from its version 1.3.2:
// src/features/skills.ts, src/features/pool.ts and src/entities/actor/proxies/character.ts.
//
// A file has skills as points above an aptitude, and pools as what is spent of them. The maximum of a pool
// is that of the sleeve, the ego's flex, and what effects of equipped gear, of traits and of the vehicle
// add, which is clamped to 0–5 after each of them. What comes and goes, as a sleight or a drug, isn't
// counted, and a doubt says so.
var ep2e = system{
	id: "ep2e", foundry: "ep2e", title: "Eclipse Phase 2e (Foundry)",
	fits: func(d document) bool {
		return d.kind == "character" && d.system.get("aptitudes.cog").there() && d.system.get("skills").there()
	},
	read: readEP2e,
	also: []string{"flags.ep2e"},
	silent: []string{
		"settings", "network", "unslavedDevices", "brain", "compactSheet", "fabStartTime", "serviceStartTime",
		"refreshStartTime", "accumulatedTimeStart", "usedEffectsDuration", "rebootEndTime", "damageRepair", "woundRepair",
		"homeDevices", "aidedHealTickStartTime", "ownHealTickStartTime", "infomorph.type", "biological.type",
		"synthetic.type",
		"minStressOption", "minSV", "activation",
	},
}

var epPools = []string{"insight", "moxie", "vigor", "flex"}

var epAptitudes = []string{"cog", "int", "ref", "sav", "som", "wil"}

// epSkills lists the skills with a fixed aptitude. The value of two has the aptitude twice.
var epSkills = []struct {
	id, aptitude, kind string
	times              int
}{
	{"athletics", "som", "physical", 1},
	{"deceive", "sav", "social", 1},
	{"fray", "ref", "combat", 2},
	{"freeFall", "som", "physical", 1},
	{"guns", "ref", "combat", 1},
	{"infiltrate", "ref", "physical", 1},
	{"infosec", "cog", "technical", 1},
	{"interface", "cog", "technical", 1},
	{"kinesics", "sav", "social", 1},
	{"melee", "som", "combat", 1},
	{"perceive", "int", "mental", 2},
	{"persuade", "sav", "social", 1},
	{"program", "cog", "technical", 1},
	{"provoke", "sav", "social", 1},
	{"psi", "wil", "mental", 1},
	{"research", "int", "technical", 1},
	{"survival", "int", "mental", 1},
}

func readEP2e(d document, h *Hero) {
	s := d.system
	aptitudes := map[string]int{}
	for _, name := range epAptitudes {
		h.read(name, s.get("aptitudes."+name))
		aptitudes[name] = h.integer(name)
	}
	readEPSkills(s, h, aptitudes)
	for _, rep := range s.get("reps").names() {
		n := s.get("reps").get(rep)
		h.read("rep."+rep, n.get("score"))
	}
	sleeve := epSleeve(d)
	readEPPools(d, h, sleeve)
	doubtEPEffects(d, h)
	h.set("morph", Value{Is: brief(sleeve.get("name").text()), From: sleeve.get("name").at})
	h.prose("morph text", sleeve.get("system.description"))
	health := sleeve.get("system.physicalHealth")
	if !health.there() {
		health = sleeve.get("system.meshHealth")
	}
	h.read("wounds", health.get("wounds"))
	h.read("damage", health.get("damage"))
	h.read("traumas", s.get("mentalHealth.wounds"))
	h.read("stress", s.get("mentalHealth.damage"))
	h.read("recharges.short", s.get("shortRecharge.taken"))
	h.read("recharges.long", s.get("longRecharge.taken"))
	for _, name := range s.get("characterDetails").names() {
		h.prose("details."+name, s.get("characterDetails").get(name))
	}
	for _, m := range s.get("motivations").items() {
		if cause := m.get("cause").text(); cause != "" {
			sign := "+"
			if m.get("stance").text() == "oppose" {
				sign = "−"
			}
			h.add("rest", Item{"kind": {Is: "motivation"}, "name": {Is: sign + brief(cause), From: m.at}})
		}
	}
	h.prose("summary", s.get("description"))
	d.rest(h)
	for _, item := range sleeve.get("items").items() { // gear of the morph that its document kept
		h.add("rest", Item{
			"kind": {Is: item.get("type").text()}, "name": {Is: brief(item.get("name").text()), From: item.at},
			"about": description(itemSystem(item)),
		})
	}
}

// epSleeve returns the document of the morph that the ego is in.
func epSleeve(d document) node {
	for _, kind := range []string{"biological", "synthetic", "infomorph"} {
		if sleeve := d.get("flags.ep2e." + kind); sleeve.there() {
			return epSystem(sleeve)
		}
	}
	return node{}
}

// epSystem returns a document in which "system" is what versions before 10 call "data".
func epSystem(n node) node {
	if members, is := n.is.(map[string]any); is && members["system"] == nil {
		members["system"] = members["data"]
		delete(members, "data")
	}
	return n
}

func readEPSkills(s node, h *Hero, aptitudes map[string]int) {
	var untrained []string
	for _, skill := range epSkills {
		n := s.get("skills." + skill.id)
		points := h.count("skills."+skill.id, n.get("points"))
		if points == 0 && skill.times == 1 { // it's the aptitude, as of a skill that nobody has learnt
			untrained = append(untrained, skill.id)
			continue
		}
		h.add("skills", Item{
			"id": {Is: skill.id, From: n.at}, "aptitude": {Is: skill.aptitude}, "kind": {Is: skill.kind},
			"specialization": n.get("specialization").value(),
			"total": Sum{
				term("points", points), {Name: skill.aptitude, N: aptitudes[skill.aptitude], Times: skill.times},
			}.value(n.at),
		})
	}
	if untrained != nil {
		h.doubt(Doubt{Code: Untrained, Name: "skills", Given: strings.Join(untrained, ", ")})
	}
	for _, of := range []string{"exotic", "hardware", "know", "medicine", "pilot"} {
		for _, n := range s.get("fieldSkills." + of).items() {
			aptitude := n.get("linkedAptitude").text()
			h.add("skills", Item{
				"id": {Is: of, From: n.at}, "field": n.get("field").value(), "kind": n.get("category").value(),
				"aptitude": n.get("linkedAptitude").value(), "specialization": n.get("specialization").value(),
				"total": Sum{
					term("points", h.count("skills."+of, n.get("points"))), term(aptitude, aptitudes[aptitude]),
				}.value(n.at),
			})
		}
	}
}

func readEPPools(d document, h *Hero, sleeve node) {
	s := d.system
	if s.get("settings.useThreat").on() { // one pool instead of the four
		h.read("threat", s.get("threat"))
		return
	}
	effects := epPoolEffects(d, h)
	for _, pool := range epPools {
		from := sleeve.get("system.pools." + pool)
		most := Sum{term("morph", h.count("pools."+pool, from))}
		if ego := h.count("flex", s.get("flex")); pool == "flex" && ego != 0 {
			most = append(most, term("ego", ego))
		}
		bonus := 0
		for _, e := range effects[pool] {
			was := bonus
			if bonus = min(5, max(0, bonus+e.N)); bonus != was {
				e.N = bonus - was
				most = append(most, e)
			}
		}
		h.set("pools."+pool+".max", most.value(from.at))
		spent := h.count("pools."+pool, s.get("spentPools."+pool))
		h.set("pools."+pool+".now", Sum{
			term("max", most.Total()), term("spent", -min(max(0, spent), max(0, most.Total()))),
		}.value(s.get("spentPools."+pool).at))
	}
}

// epPoolEffects returns what traits and equipped gear add to each pool.
func epPoolEffects(d document, h *Hero) map[string][]Term {
	found := map[string][]Term{}
	add := func(name string, effects []node) {
		for _, e := range effects {
			switch {
			case e.get("type").is == "skill":
				h.doubtEffects(name, e)
			case e.get("type").is == "pool" && e.get("usabilityModification").is != "disable":
				pool := e.get("pool").choice(epPools...)
				if pool == "" {
					continue
				}
				found[pool] = append(found[pool], Term{Name: name, Text: true, N: h.count("pools."+pool, e.get("modifier"))})
			}
		}
	}
	d.each(h, func(kind, name string, of, item node) {
		if kind == "trait" || of.get("state.equipped").on() {
			add(name, epEffects(kind, of))
		}
	}, "trait", "physicalTech", "software", "armor")
	for _, t := range d.system.get("temporary").items() {
		add(brief(t.get("name").text()), t.get("effects").items())
	}
	vehicle := epSystem(d.get("flags.ep2e.vehicle"))
	for _, pool := range epPools {
		if n := h.count("pools."+pool, vehicle.get("system.pools."+pool)); n != 0 {
			found[pool] = append(found[pool], Term{Name: brief(vehicle.get("name").text()), Text: true, N: n})
		}
	}
	return found
}

// doubtEPEffects notes which items may change pools and skills for a time.
func doubtEPEffects(d document, h *Hero) {
	d.each(h, func(kind, name string, of, item node) {
		works := of.get("sleightType").text() == "chi" || of.get("status.sustaining").on()
		if kind == "substance" {
			works = item.get("flags.ep2e.active").there()
		}
		if works {
			h.doubtEffects(name, of)
		}
	}, "sleight", "substance")
	for _, influence := range d.get("flags.ep2e.psi.flags.ep2e.influences").items() {
		h.doubtEffects(brief(influence.get("trait.name").text()), influence)
	}
}

// doubtEffects notes the pools and skills that effects below a place may change.
func (h *Hero) doubtEffects(name string, n node) {
	at, _ := n.is.(map[string]any)
	switch at["type"] {
	case "pool":
		pool, _ := at["pool"].(string)
		h.doubt(Doubt{Code: Uncounted, Name: brief(pool), From: n.at, Given: name})
	case "skill":
		h.doubt(Doubt{Code: Uncounted, Name: "skills", From: n.at, Given: name})
	default:
		for _, inner := range n.items() {
			h.doubtEffects(name, inner)
		}
	}
}

// epEffects returns the effects of an item that hold now.
func epEffects(kind string, of node) []node {
	activated := of.get("state.activated").on()
	switch kind {
	case "trait":
		if of.get("triggers").text() != "" && !of.get("state.triggered").on() {
			return nil
		}
		if levels := of.get("levels").items(); len(levels) > 0 {
			level, _ := of.get("state.level").number()
			return levels[min(max(0, level), len(levels)-1)].get("effects").items()
		}
	case "physicalTech":
		if activated && of.get("activation").text() == "toggle" {
			return of.get("activatedEffects").items()
		}
		return of.get("passiveEffects").items()
	case "software":
		all := of.get("effects").items()
		if activated && of.get("activation").text() != "" {
			all = append(all, of.get("activatedEffects").items()...)
		}
		return all
	case "armor":
		return of.get("effects").items()
	}
	return nil
}
