package spire

import (
	"slices"

	"norn/game"
)

// StressMarked says that a character took stress. SP-10
type StressMarked struct {
	Who        string     `json:"who"`
	Resistance Resistance `json:"resistance"`
	Amount     int        `json:"amount"`
	Now        int        `json:"now"`
	Counted    int        `json:"counted"` // of Now, what counts for fallout: SP-13
}

// StressCleared says that stress came off a sheet, and why: "fallout" SP-16,
// "lie-low" SP-23, "act" SP-24, "refresh" SP-25.
type StressCleared struct {
	Who     string `json:"who"`
	Cleared Marks  `json:"cleared"`
	Why     string `json:"why"`
}

// BonusStress says that a critical success adds stress for somebody else.
// SP-03
type BonusStress struct {
	Who    string `json:"who"`
	Amount int    `json:"amount"`
}

// Hindered says which carried fallouts made a check harder. SP-31
type Hindered struct {
	Who      string    `json:"who"`
	Fallouts []Fallout `json:"fallouts"`
}

// FalloutAvoided says that stress brought no fallout. SP-14
type FalloutAvoided struct {
	Who   string `json:"who"`
	Bond  string `json:"bond,omitempty"`
	Total int    `json:"total,omitempty"`
}

// FalloutStruck says that stress turned into fallout, before the GM rules on
// it. SP-14, SP-15
type FalloutStruck struct {
	Who        string     `json:"who"`
	Bond       string     `json:"bond,omitempty"`
	Resistance Resistance `json:"resistance,omitempty"`
	Severity   string     `json:"severity"`
	Total      int        `json:"total,omitempty"`
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
	Amount int    `json:"amount"`
	Now    int    `json:"now,omitempty"`    // the GM's to know
	Size   int    `json:"size,omitempty"`   // the GM's to know
	Helped bool   `json:"helped,omitempty"` // it took its share of a hero's stress: SP-08
}

// NPCBroken says how an NPC left the conflict. SP-26
type NPCBroken struct {
	Who string `json:"who"`
	How string `json:"how"`
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
	Amount int    `json:"amount"`
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

var eventTypes = append(game.Common(),
	game.EventOf[StressMarked](), game.EventOf[StressCleared](), game.EventOf[BonusStress](), game.EventOf[Hindered](),
	game.EventOf[FalloutAvoided](), game.EventOf[FalloutStruck](), game.EventOf[FalloutTaken](),
	game.EventOf[FalloutRemoved](), game.EventOf[FalloutStabilised](), game.EventOf[NPCHarmed](), game.EventOf[NPCBroken](),
	game.EventOf[BondMarked](), game.EventOf[BondCleared](), game.EventOf[Happened](), game.EventOf[MovedOn](),
)

// Types are stable: the journal holds them.

func (StressMarked) Type() string      { return "spire.stress-marked" }
func (StressCleared) Type() string     { return "spire.stress-cleared" }
func (BonusStress) Type() string       { return "spire.bonus-stress" }
func (Hindered) Type() string          { return "spire.hindered" }
func (FalloutAvoided) Type() string    { return "spire.fallout-avoided" }
func (FalloutStruck) Type() string     { return "spire.fallout-struck" }
func (FalloutTaken) Type() string      { return "spire.fallout-taken" }
func (FalloutRemoved) Type() string    { return "spire.fallout-removed" }
func (FalloutStabilised) Type() string { return "spire.fallout-stabilised" }
func (NPCHarmed) Type() string         { return "spire.npc-harmed" }
func (NPCBroken) Type() string         { return "spire.npc-broken" }
func (BondMarked) Type() string        { return "spire.bond-marked" }
func (BondCleared) Type() string       { return "spire.bond-cleared" }
func (Happened) Type() string          { return "spire.happened" }
func (MovedOn) Type() string           { return "spire.moved-on" }
func (StressFelt) Type() string        { return "spire.stress-felt" }
func (StressEased) Type() string       { return "spire.stress-eased" }

// Whose sheet an event changes.

func (e StressMarked) Whose() string      { return e.Who }
func (e StressCleared) Whose() string     { return e.Who }
func (e FalloutTaken) Whose() string      { return e.Who }
func (e FalloutRemoved) Whose() string    { return e.Who }
func (e FalloutStabilised) Whose() string { return e.Who }
func (e NPCHarmed) Whose() string         { return e.Who }
func (e NPCBroken) Whose() string         { return e.Who }
func (e BondMarked) Whose() string        { return e.Who }
func (e BondCleared) Whose() string       { return e.Who }

// Apply marks the stress.
func (e StressMarked) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Stress = c.Stress.Plus(e.Resistance, e.Amount)
		return c
	})
}

// Apply clears the stress.
func (e StressCleared) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Stress = c.Stress.less(e.Cleared)
		return c
	})
}

// Apply writes the fallout on the sheet, or on the bond.
func (e FalloutTaken) Apply(sheet any) any {
	take := func(carried []Fallout) []Fallout {
		return append(slices.Clone(removed(carried, e.Replaces)), e.Fallout)
	}
	return game.On(sheet, func(c Character) Character {
		if e.Bond == "" {
			c.Fallouts = take(c.Fallouts)
			return c
		}
		return c.changeBond(e.At, func(b Bond) Bond {
			b.Fallouts = take(b.Fallouts)
			return b
		})
	})
}

// Apply takes the fallout off the sheet.
func (e FalloutRemoved) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		if e.Bond == "" {
			c.Fallouts = removed(c.Fallouts, e.At)
			return c
		}
		return c.changeBond(e.Of, func(b Bond) Bond {
			b.Fallouts = removed(b.Fallouts, e.At)
			return b
		})
	})
}

// Apply marks the fallout as stabilised.
func (e FalloutStabilised) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		if e.At >= 0 && e.At < len(c.Fallouts) {
			c.Fallouts = slices.Clone(c.Fallouts)
			c.Fallouts[e.At].Stabilised = true
		}
		return c
	})
}

// Apply marks the NPC's stress.
func (e NPCHarmed) Apply(sheet any) any {
	return game.On(sheet, func(n NPC) NPC {
		n.Stress += e.Amount
		return n
	})
}

// Apply writes down how the NPC left.
func (e NPCBroken) Apply(sheet any) any {
	return game.On(sheet, func(n NPC) NPC {
		n.Ending = e.How
		return n
	})
}

// Apply marks the bond's stress.
func (e BondMarked) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		return c.changeBond(e.At, func(b Bond) Bond {
			b.Stress += e.Amount
			return b
		})
	})
}

// Apply clears the bond's stress.
func (e BondCleared) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		return c.changeBond(e.At, func(b Bond) Bond {
			b.Stress = max(0, b.Stress-e.Amount)
			return b
		})
	})
}

// changeBond returns the sheet with one bond changed.
func (c Character) changeBond(at int, change func(Bond) Bond) Character {
	if at >= 0 && at < len(c.Bonds) {
		c.Bonds = slices.Clone(c.Bonds)
		c.Bonds[at] = change(c.Bonds[at])
	}
	return c
}
