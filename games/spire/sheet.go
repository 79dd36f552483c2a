package spire

import (
	"slices"

	"norn/form"
	"norn/game"
)

// Resistance is one of the five ways in which a character can take harm.
type Resistance string

// The resistances. SP-10
const (
	Blood      Resistance = "blood"
	Mind       Resistance = "mind"
	Silver     Resistance = "silver"
	Shadow     Resistance = "shadow"
	Reputation Resistance = "reputation"
)

// Resistances lists the resistances in the order of the sheet.
var Resistances = []Resistance{Blood, Mind, Silver, Shadow, Reputation}

// Character is a player character's sheet.
type Character struct {
	Class    string       `json:"class" form:"text"`
	Skills   []Skill      `json:"skills" form:"max=20"`
	Domains  []Domain     `json:"domains" form:"max=20"`
	Stress   Marks        `json:"stress"`
	Slots    Marks        `json:"slots"` // free slots from class and abilities
	Refresh  string       `json:"refresh" form:"text"`
	Gear     []Gear       `json:"gear" form:"max=30"`
	Bonds    []Bond       `json:"bonds" form:"max=20"`
	Fallouts []Fallout    `json:"fallouts" form:"max=50"`
	More     []game.Extra `json:"more,omitempty" form:"max=100"` // what has no numbers
}

// Skill is a skill that a character has.
type Skill struct {
	Name      form.Trait `json:"name" form:"choice=compel|deceive|fight|fix|investigate|pursue|resist|sneak|steal,open,set=skill,required"`
	Mastery   bool       `json:"mastery"`
	Untrained bool       `json:"untrained"` // mastery without the skill itself: SP-01
}

// Domain is a domain that a character knows.
type Domain struct {
	Name      form.Trait `json:"name" form:"choice=academia|crime|commerce|high-society|low-society|occult|order|religion|technology,open,set=domain,required"`
	Mastery   bool       `json:"mastery"`
	Untrained bool       `json:"untrained"` // mastery without the domain itself: SP-01
}

// Marks is an amount for each resistance: stress marked, slots, stress to
// clear.
type Marks struct {
	Blood      int `json:"blood" form:"max=99"`
	Mind       int `json:"mind" form:"max=99"`
	Silver     int `json:"silver" form:"max=99"`
	Shadow     int `json:"shadow" form:"max=99"`
	Reputation int `json:"reputation" form:"max=99"`
}

// Gear is an item that a character carries. Die is the stress it inflicts; Armour the free slots it
// adds to Blood.
type Gear struct {
	Name        string `json:"name" form:"text,required"`
	Die         string `json:"die" form:"choice=|d3|d6|d8"`
	Armour      int    `json:"armour" form:"max=9"`
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// Bond is a tie to another character or to an NPC. SP-27: an NPC's bond has its own track.
type Bond struct {
	Name     string    `json:"name" form:"text,required"`
	NPC      bool      `json:"npc" form:"default=true"`
	Stress   int       `json:"stress" form:"max=99"`
	Fallouts []Fallout `json:"fallouts" form:"max=20"`
}

// Fallout is a consequence that a character carries. It's one of the game's suggestions or a text
// by the GM.
type Fallout struct {
	Kind       string `json:"kind" form:"choice=blood|mind|silver|shadow|reputation|bond,set=kind-of-fallout"`
	Severity   string `json:"severity" form:"choice=minor|moderate|severe"`
	Suggestion string `json:"suggestion" form:"text"` // "blood.minor.1"
	Text       string `json:"text" form:"prose"`
	Stabilised bool   `json:"stabilised"`
}

// Of returns the amount for a resistance.
func (m Marks) Of(r Resistance) int { return *m.at(r) }

// Plus returns m with n more in a resistance.
func (m Marks) Plus(r Resistance, n int) Marks {
	*m.at(r) += n
	return m
}

// and returns the sum of both.
func (m Marks) and(n Marks) Marks {
	for _, r := range Resistances {
		*m.at(r) += n.Of(r)
	}
	return m
}

// Sum returns the amount over all resistances.
func (m Marks) Sum() int { return m.Blood + m.Mind + m.Silver + m.Shadow + m.Reputation }

func (m *Marks) at(r Resistance) *int {
	switch r {
	case Blood:
		return &m.Blood
	case Mind:
		return &m.Mind
	case Silver:
		return &m.Silver
	case Shadow:
		return &m.Shadow
	}
	return &m.Reputation
}

// less returns m minus taken, at least zero.
func (m Marks) less(taken Marks) Marks {
	for _, r := range Resistances {
		*m.at(r) = max(0, m.Of(r)-taken.Of(r))
	}
	return m
}

// Free returns the number of slots of a resistance whose stress doesn't count, including armour.
// SP-13
func (c Character) Free(r Resistance) int {
	free := c.Slots.Of(r)
	if r == Blood {
		for _, g := range c.Gear {
			free += g.Armour
		}
	}
	return free
}

// CountingStress returns the stress of a resistance that counts for fallout. SP-13
func (c Character) CountingStress(r Resistance) int { return max(0, c.Stress.Of(r)-c.Free(r)) }

// countedStress returns the stress of all resistances that counts for fallout. SP-13
func (c Character) countedStress() Marks {
	var m Marks
	for _, r := range Resistances {
		*m.at(r) = c.CountingStress(r)
	}
	return m
}

// Total returns the stress that a fallout roll is made against after stress on r. SP-13; with SP-19
// only that resistance counts.
func (c Character) Total(r Resistance, rules Settings) int {
	if rules.LessLethal {
		return c.CountingStress(r)
	}
	return c.countedStress().Sum()
}

// skill reports whether the character has a skill, and mastery in it. A skill without a name is
// accepted as stated.
func (c Character) skill(name form.Trait) (has, mastery bool) {
	if name == "" || name == form.Yes {
		return name == form.Yes, false
	}
	i := slices.IndexFunc(c.Skills, func(s Skill) bool { return s.Name == name })
	return i >= 0 && !c.Skills[i].Untrained, i >= 0 && c.Skills[i].Mastery
}

// domain is like skill, for domains.
func (c Character) domain(name form.Trait) (has, mastery bool) {
	if name == "" || name == form.Yes {
		return name == form.Yes, false
	}
	i := slices.IndexFunc(c.Domains, func(d Domain) bool { return d.Name == name })
	return i >= 0 && !c.Domains[i].Untrained, i >= 0 && c.Domains[i].Mastery
}

// NPC is the sheet of a GM's character: one resistance and one track. SP-26
type NPC struct {
	Resistance int    `json:"resistance" form:"min=1,max=99,default=5"`
	Stress     int    `json:"stress" form:"max=99"`
	Difficulty int    `json:"difficulty" form:"max=2"` // SP-04: its skill
	Die        string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Ending     string `json:"ending" form:"choice=|flees|leaves|yields"` // SP-26: how it left
	Notes      string `json:"notes" form:"prose"`
}

// Broken reports whether the NPC has reached its limit. SP-26
func (n NPC) Broken() bool { return n.Stress >= n.Resistance }
