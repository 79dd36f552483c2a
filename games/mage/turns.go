package mage

import "norn/game"

// moment is the time at the table, with those who have acted in the turn. MG-30, MG-10
type moment struct {
	clock  Clock
	places []game.Place
}

func timeOf(s game.Scene, _ []game.OrderThrow) []game.Encounter {
	var now moment
	var here []string
	sheets := map[string]Character{}
	for _, who := range s.IDs() {
		c, ok := sheetOf(s, who)
		if shown, npc := s.Cast[who].Sheet.(ShownNPC); npc {
			c, ok = shown.character(), true
		}
		if !ok {
			continue
		}
		here, sheets[who] = append(here, who), c
		if now.clock.before(c.Clock) {
			now.clock = c.Clock
		}
	}
	if len(here) == 0 || now.clock.Scene == 0 {
		return nil
	}
	if now.clock.Counted {
		for _, who := range here {
			acted := sheets[who].isSpent()
			now.places = append(now.places, game.Place{Who: who, Acted: acted, Now: !acted})
		}
	}
	return []game.Encounter{now}
}

func (m moment) Scene(v game.Voice) string {
	switch c := m.clock; {
	case c.Downtime:
		return v.Say("mage.sheet.downtime")
	case c.Counted:
		return v.Say("mage.sheet.time", "Chapter", c.Chapter, "Scene", c.Scene, "Turn", c.Turn)
	default:
		return v.Say("mage.sheet.time-scene", "Chapter", c.Chapter, "Scene", c.Scene)
	}
}

func (m moment) Turn(game.Voice) string { return "" }

func (m moment) Order(game.Voice) []game.Place { return m.places }

// Pass returns the Storyteller's move to the next turn, if turns are counted.
func (m moment) Pass() (move, actor string, args any) {
	if !m.clock.Counted {
		return "", "", nil
	}
	return "clock", "", Advance{To: "turn", Unit: "days"}
}
