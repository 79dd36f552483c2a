package spire

import (
	"norn/game"
)

// StressMarked records that a character took stress. SP-10
type StressMarked struct {
	Who        string     `json:"who"`
	Resistance Resistance `json:"resistance" say:"resistance"`
	Amount     int        `json:"amount"`
	Now        int        `json:"now"`
	Counted    int        `json:"counted"` // the part of Now that counts for fallout: SP-13
}

// StressCleared records that stress was cleared, and why: "fallout" SP-16, "lie-low" SP-23, "act"
// SP-24, "refresh" SP-25.
type StressCleared struct {
	Who     string `json:"who"`
	Cleared Marks  `json:"cleared" word:"|nothing-cleared"`
	Why     string `json:"why"`
}

// BonusStress records that a critical success adds stress for somebody else. SP-03
type BonusStress struct {
	Who    string `json:"who"`
	Amount int    `json:"amount" say:"N"`
}

// Hindered records which carried fallouts made a check harder. SP-31
type Hindered struct {
	Who      string    `json:"who"`
	Fallouts []Fallout `json:"fallouts"`
}

// HelpRefused records that somebody doesn't help. SP-08
type HelpRefused struct {
	Who string `json:"who"`
}

// FalloutAvoided records that stress caused no fallout. SP-14
type FalloutAvoided struct {
	Who   string `json:"who"`
	Bond  string `json:"bond,omitempty"`
	Total int    `json:"total,omitempty" say:"N"`
}

// FalloutStruck records that stress turned into fallout, before the GM rules on it. SP-14, SP-15
type FalloutStruck struct {
	Who        string     `json:"who"`
	Bond       string     `json:"bond,omitempty"`
	Resistance Resistance `json:"resistance,omitempty"`
	Severity   string     `json:"severity" say:"severity-said"`
	Total      int        `json:"total,omitempty" say:"N" word:"|fallout-struck-unseen"`
}

// FalloutTaken records which fallout was taken. Replaces is the index of the carried one that it
// grew from, −1 for none. SP-17, SP-18
type FalloutTaken struct {
	Who      string  `json:"who"`
	Bond     string  `json:"bond,omitempty"`
	At       int     `json:"at"` // index of the bond
	Fallout  Fallout `json:"fallout"`
	Replaces int     `json:"replaces"`
}

// FalloutRemoved records that a fallout was removed. SP-20, SP-21, SP-30
type FalloutRemoved struct {
	Who     string  `json:"who"`
	At      int     `json:"at"`
	Fallout Fallout `json:"fallout"`
	Bond    string  `json:"bond,omitempty"` // name of the bond, "" for the character's own
	Of      int     `json:"of,omitempty"`   // index of the bond
}

// FalloutStabilised records that a fallout got no better but won't get worse. SP-20, SP-27
type FalloutStabilised struct {
	Who     string  `json:"who"`
	At      int     `json:"at"`
	Fallout Fallout `json:"fallout"`
	Bond    string  `json:"bond,omitempty"` // name of the bond, "" for the character's own
	Of      int     `json:"of,omitempty"`   // index of the bond
}

// NPCHarmed records that an NPC took stress. SP-26
type NPCHarmed struct {
	Who    string `json:"who"`
	Amount int    `json:"amount" say:"N"`
	Now    int    `json:"now,omitempty"`                            // only the GM sees it
	Size   int    `json:"size,omitempty" word:"|npc-harmed-unseen"` // only the GM sees it
	Helped bool   `json:"helped,omitempty"`                         // it took its share of a hero's stress: SP-08
}

// NPCBroken records how an NPC left the conflict. SP-26
type NPCBroken struct {
	Who string `json:"who"`
	How string `json:"how" say:"Ending,ending"`
}

// BondMarked records that a bond took stress. SP-27
type BondMarked struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Bond   string `json:"bond"`
	Amount int    `json:"amount"`
	Now    int    `json:"now"`
}

// BondCleared records that a bond's fallout cleared its stress. SP-27, SP-16
type BondCleared struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Bond   string `json:"bond"`
	Amount int    `json:"amount" say:"N"`
}

// Happened records an action in words, with or without dice. SP-07
type Happened struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

// MovedOn records what happened while a character was hiding. SP-23
type MovedOn struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

// StressFelt replaces StressMarked for players if the GM shows no numbers. SP-28
type StressFelt struct {
	Who        string     `json:"who"`
	Resistance Resistance `json:"resistance"`
	Band       string     `json:"band"`
}

// StressEased replaces StressCleared for players if the GM shows no numbers. It reveals neither the
// amount nor whether there was any. SP-28
type StressEased struct {
	Who string `json:"who"`
}

var eventTypes = game.Events(
	StressMarked{}, StressCleared{}, BonusStress{}, Hindered{}, HelpRefused{},
	FalloutAvoided{}, FalloutStruck{}, FalloutTaken{},
	FalloutRemoved{}, FalloutStabilised{}, NPCHarmed{}, NPCBroken{},
	BondMarked{}, BondCleared{}, Happened{}, MovedOn{},
)

func (e StressMarked) Apply(c *Character) { c.Stress = c.Stress.Plus(e.Resistance, e.Amount) }

func (e StressCleared) Apply(c *Character) { c.Stress = c.Stress.less(e.Cleared) }

// Apply adds the fallout to the sheet, or to the bond.
func (e FalloutTaken) Apply(c *Character) {
	c.fallouts(e.Bond, e.At, func(all *[]Fallout) {
		game.Drop(all, e.Replaces)
		game.Add(all, e.Fallout)
	})
}

func (e FalloutRemoved) Apply(c *Character) {
	c.fallouts(e.Bond, e.Of, func(all *[]Fallout) { game.Drop(all, e.At) })
}

func (e FalloutStabilised) Apply(c *Character) {
	c.fallouts(e.Bond, e.Of, func(all *[]Fallout) {
		game.Edit(all, e.At, func(f *Fallout) { f.Stabilised = true })
	})
}

func (e NPCHarmed) Apply(n *NPC) { n.Stress += e.Amount }

func (e NPCBroken) Apply(n *NPC) { n.Ending = e.How }

func (e BondMarked) Apply(c *Character) {
	game.Edit(&c.Bonds, e.At, func(b *Bond) { b.Stress += e.Amount })
}

func (e BondCleared) Apply(c *Character) {
	game.Edit(&c.Bonds, e.At, func(b *Bond) { b.Stress = max(0, b.Stress-e.Amount) })
}

// fallouts changes the fallouts of the character, or of a bond.
func (c *Character) fallouts(bond string, at int, change func(*[]Fallout)) {
	if bond == "" {
		change(&c.Fallouts)
		return
	}
	game.Edit(&c.Bonds, at, func(b *Bond) { change(&b.Fallouts) })
}
