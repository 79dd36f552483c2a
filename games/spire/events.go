package spire

import (
	"norn/game"
)

// StressMarked says that a character took stress. SP-10
type StressMarked struct {
	Who        string     `json:"who"`
	Resistance Resistance `json:"resistance" say:"resistance"`
	Amount     int        `json:"amount"`
	Now        int        `json:"now"`
	Counted    int        `json:"counted"` // of Now, what counts for fallout: SP-13
}

// StressCleared says that stress came off a sheet, and why: "fallout" SP-16,
// "lie-low" SP-23, "act" SP-24, "refresh" SP-25.
type StressCleared struct {
	Who     string `json:"who"`
	Cleared Marks  `json:"cleared" word:"|nothing-cleared"`
	Why     string `json:"why"`
}

// BonusStress says that a critical success adds stress for somebody else.
// SP-03
type BonusStress struct {
	Who    string `json:"who"`
	Amount int    `json:"amount" say:"N"`
}

// Hindered says which carried fallouts made a check harder. SP-31
type Hindered struct {
	Who      string    `json:"who"`
	Fallouts []Fallout `json:"fallouts"`
}

// HelpRefused says that somebody doesn't help. SP-08
type HelpRefused struct {
	Who string `json:"who"`
}

// FalloutAvoided says that stress brought no fallout. SP-14
type FalloutAvoided struct {
	Who   string `json:"who"`
	Bond  string `json:"bond,omitempty"`
	Total int    `json:"total,omitempty" say:"N"`
}

// FalloutStruck says that stress turned into fallout, before the GM rules on
// it. SP-14, SP-15
type FalloutStruck struct {
	Who        string     `json:"who"`
	Bond       string     `json:"bond,omitempty"`
	Resistance Resistance `json:"resistance,omitempty"`
	Severity   string     `json:"severity" say:"severity-said"`
	Total      int        `json:"total,omitempty" say:"N" word:"|fallout-struck-unseen"`
}

// FalloutTaken says which fallout was taken. Replaces is the place of the
// carried one that it grew from, −1 for none. SP-17, SP-18
type FalloutTaken struct {
	Who      string  `json:"who"`
	Bond     string  `json:"bond,omitempty"`
	At       int     `json:"at"` // place of the bond
	Fallout  Fallout `json:"fallout"`
	Replaces int     `json:"replaces"`
}

// FalloutRemoved says that a fallout is gone. SP-20, SP-21, SP-30
type FalloutRemoved struct {
	Who     string  `json:"who"`
	At      int     `json:"at"`
	Fallout Fallout `json:"fallout"`
	Bond    string  `json:"bond,omitempty"` // whose it was, "" for the character's own
	Of      int     `json:"of,omitempty"`   // place of the bond
}

// FalloutStabilised says that a fallout got no better but won't get worse.
// SP-20
type FalloutStabilised struct {
	Who     string  `json:"who"`
	At      int     `json:"at"`
	Fallout Fallout `json:"fallout"`
}

// NPCHarmed says that an NPC took stress. SP-26
type NPCHarmed struct {
	Who    string `json:"who"`
	Amount int    `json:"amount" say:"N"`
	Now    int    `json:"now,omitempty"`                            // the GM's to know
	Size   int    `json:"size,omitempty" word:"|npc-harmed-unseen"` // the GM's to know
	Helped bool   `json:"helped,omitempty"`                         // it took its share of a hero's stress: SP-08
}

// NPCBroken says how an NPC left the conflict. SP-26
type NPCBroken struct {
	Who string `json:"who"`
	How string `json:"how" say:"Ending,ending"`
}

// BondMarked says that a bond took stress. SP-27
type BondMarked struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Bond   string `json:"bond"`
	Amount int    `json:"amount"`
	Now    int    `json:"now"`
}

// BondCleared says that a bond's fallout cleared its stress. SP-27, SP-16
type BondCleared struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Bond   string `json:"bond"`
	Amount int    `json:"amount" say:"N"`
}

// Happened records what was done, without dice or beside them. SP-07
type Happened struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

// MovedOn records what happened while a character lay low. SP-23
type MovedOn struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

// StressFelt is what players see instead of StressMarked where the GM shows
// no numbers. SP-28
type StressFelt struct {
	Who        string     `json:"who"`
	Resistance Resistance `json:"resistance"`
	Band       string     `json:"band"`
}

// StressEased is what players see instead of StressCleared there: neither how
// much nor whether there was any. SP-28
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

// Apply writes the fallout on the sheet, or on the bond.
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
	game.Edit(&c.Fallouts, e.At, func(f *Fallout) { f.Stabilised = true })
}

func (e NPCHarmed) Apply(n *NPC) { n.Stress += e.Amount }

func (e NPCBroken) Apply(n *NPC) { n.Ending = e.How }

func (e BondMarked) Apply(c *Character) {
	game.Edit(&c.Bonds, e.At, func(b *Bond) { b.Stress += e.Amount })
}

func (e BondCleared) Apply(c *Character) {
	game.Edit(&c.Bonds, e.At, func(b *Bond) { b.Stress = max(0, b.Stress-e.Amount) })
}

// fallouts changes those of the character, or of the bond at a place.
func (c *Character) fallouts(bond string, at int, change func(*[]Fallout)) {
	if bond == "" {
		change(&c.Fallouts)
		return
	}
	game.Edit(&c.Bonds, at, func(b *Bond) { change(&b.Fallouts) })
}
