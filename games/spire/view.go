package spire

import (
	"norn/game"
	"norn/rule"
)

// view decides what each viewer sees. The GM tracks stress and always sees numbers; what players
// see depends on the setting stress-shown. SP-28
var view = game.View{
	Sheet:  showSheet,
	Sees:   game.SeesAll,
	Locked: lockedMembers,
	Event:  showEvent,
	Throw:  showThrow,
	Odds:   showOdds,
}

// Shown is a character as a viewer sees it. Without numbers there are bands or nothing.
type Shown struct {
	Character
	Stress *Marks                `json:"stress,omitempty"`
	Total  *int                  `json:"total,omitempty"` // what counts for fallout, over all resistances
	Band   string                `json:"band,omitempty"`
	Bands  map[Resistance]string `json:"bands,omitempty"`
	Bonds  []ShownBond           `json:"bonds"`
}

// ShownBond is a bond as a viewer sees it.
type ShownBond struct {
	Bond
	Stress *int   `json:"stress,omitempty"`
	Band   string `json:"band,omitempty"`
}

// ShownNPC is an NPC as a player sees it: only whether it is still in the conflict.
type ShownNPC struct {
	Broken bool   `json:"broken"`
	Ending string `json:"ending,omitempty"`
}

// numbers reports whether a viewer sees stress as numbers. SP-28
func numbers(v game.Viewer, settings any) bool {
	return v.IsGM() || settings.(Settings).StressShown == "numbers"
}

// words reports whether a viewer sees stress at all. SP-28
func words(v game.Viewer, settings any) bool {
	return numbers(v, settings) || settings.(Settings).StressShown == "words"
}

func showSheet(v game.Viewer, settings any, _ string, sheet any) any {
	switch sheet := sheet.(type) {
	case Character:
		return showCharacter(v, settings, sheet)
	case NPC:
		if v.IsGM() {
			return sheet
		}
		return ShownNPC{Broken: sheet.Broken(), Ending: sheet.Ending}
	}
	return nil
}

func showCharacter(v game.Viewer, settings any, c Character) Shown {
	shown := Shown{Character: c, Bonds: make([]ShownBond, len(c.Bonds))}
	shown.Character.Stress = Marks{}
	total := c.Total("", Settings{})
	for i, b := range c.Bonds {
		shown.Bonds[i].Bond = b
		shown.Bonds[i].Bond.Stress = 0
		switch {
		case numbers(v, settings):
			shown.Bonds[i].Stress = &b.Stress
		case words(v, settings) && b.NPC:
			shown.Bonds[i].Band = band(b.Stress)
		}
	}
	shown.Character.Bonds = nil
	switch {
	case numbers(v, settings):
		shown.Stress = &c.Stress
		if !settings.(Settings).LessLethal { // SP-19: each resistance has its own total
			shown.Total = &total
		}
	case words(v, settings):
		shown.Band, shown.Bands = band(c.Stress.Sum()), map[Resistance]string{}
		for _, r := range Resistances {
			shown.Bands[r] = band(c.Stress.Of(r))
		}
	}
	return shown
}

// band describes stress without a number. It uses all stress, not only what counts beyond free
// slots: players change slots and armour themselves, and could find the number by trying out the
// bands. SP-28
func band(total int) string {
	switch {
	case total <= 1:
		return "calm"
	case total <= 4:
		return "uneasy"
	case total <= 8:
		return "strained"
	}
	return "breaking"
}

// lockedMembers prevents players who see no numbers from changing them.
func lockedMembers(v game.Viewer, settings any, kind string) []string {
	if kind == "character" && !numbers(v, settings) {
		return []string{"stress", "bonds", "fallouts"}
	}
	return nil
}

func showEvent(v game.Viewer, settings any, e rule.Event) (rule.Event, bool) {
	if v.IsGM() {
		return e, true
	}
	switch e := e.(type) {
	case game.Resolved:
		counts := e.Outcome.ID == "stress" || e.Outcome.ID == "cleared"
		return e, !counts || numbers(v, settings)
	case StressMarked:
		if numbers(v, settings) {
			return e, true
		}
		return StressFelt{Who: e.Who, Resistance: e.Resistance, Band: band(e.Now)}, words(v, settings)
	case StressCleared:
		if numbers(v, settings) {
			return e, true
		}
		return StressEased{Who: e.Who}, words(v, settings)
	case BondMarked, BondCleared:
		return e, numbers(v, settings)
	case FalloutAvoided:
		return e, numbers(v, settings)
	case FalloutStruck:
		if !numbers(v, settings) {
			e.Total = 0
		}
		return e, true
	case NPCHarmed:
		if e.Helped && !numbers(v, settings) { // it would reveal how much a hero took
			return nil, false
		}
		e.Now, e.Size = 0, 0
		return e, true
	}
	return e, true
}

// showThrow hides dice that would reveal stress. SP-28
func showThrow(v game.Viewer, settings any, t rule.Throw) bool {
	switch t.For {
	case "pool", "harm":
		return true
	}
	return numbers(v, settings)
}

// tracksOf returns a character's five resistances, free slots first. SP-13
func tracksOf(shown any) []game.Track {
	switch s := shown.(type) {
	case Shown:
		tracks := make([]game.Track, 0, len(Resistances))
		for _, r := range Resistances {
			track := game.Track{
				ID: string(r), Name: "spire.resistance." + string(r), Free: s.Free(r),
				Hidden: s.Stress == nil, Field: "stress." + string(r), Grows: true,
			}
			if s.Stress != nil {
				track.Now, track.Max = s.Stress.Of(r), max(boxes, s.Stress.Of(r))
			} else if b := s.Bands[r]; b != "" {
				track.Words = "spire.band." + string(r) + "." + b
			}
			tracks = append(tracks, track)
		}
		return tracks
	case NPC:
		return []game.Track{{
			ID: "resistance", Name: "spire.field.resistance-size", Now: s.Stress, Max: s.Resistance,
			Field: "stress", Grows: true,
		}}
	}
	return nil
}

// npcState returns what everybody sees next to an NPC's name: that it has left the conflict. SP-26
func npcState(shown any) game.State {
	switch n := shown.(type) {
	case NPC:
		return npcState(ShownNPC{Broken: n.Broken()})
	case ShownNPC:
		if n.Broken {
			return game.State{Word: "spire.state.out", Out: true}
		}
	}
	return game.State{}
}

// boxes is the minimum number of boxes drawn for a resistance.
const boxes = 10

// showOdds hides odds that are limited by the existing stress. SP-28
func showOdds(v game.Viewer, settings any, move string) bool {
	return numbers(v, settings) || move != "act" && move != "refresh"
}
