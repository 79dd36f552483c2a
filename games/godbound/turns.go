package godbound

import "norn/game"

// fightOn is a fight that is on. GB-01, GB-02
type fightOn struct {
	id, name string
	Fight
	foes map[string]int // actions of those whose number is seen
}

func fightsOn(s game.Scene, _ []game.OrderThrow) []game.Going {
	var all []game.Going
	for _, id := range s.IDs() {
		if f, ok := game.Sheet[Fight](s, id); ok && f.Round > 0 {
			on := fightOn{id: id, name: s.Cast[id].Name, Fight: f, foes: map[string]int{}}
			for _, each := range f.Fighters {
				if foe, ok := game.Sheet[Foe](s, string(each.Who)); ok {
					on.foes[string(each.Who)] = foe.Actions
				}
			}
			all = append(all, on)
		}
	}
	return all
}

func (f fightOn) Scene(v game.Voice) string {
	return v.Say("godbound.turns.round", "Name", f.name, "N", f.Round)
}

func (f fightOn) Turn(v game.Voice) string { return v.Say("godbound.first." + f.Fight.Turn) }

// Order has the side first whose turn it is.
func (f fightOn) Order(v game.Voice) []game.Place {
	var places []game.Place
	for _, side := range []string{f.Fight.Turn, other(f.Fight.Turn)} {
		for _, each := range f.Fighters {
			if each.Side != side {
				continue
			}
			acted := each.Acted >= max(1, f.foes[string(each.Who)]) // GB-02, GB-04
			places = append(places, game.Place{Who: string(each.Who), Side: v.Say("godbound.side." + side), Acted: acted, Now: side == f.Fight.Turn && !acted})
		}
	}
	return places
}

// Pass is the game master's: to the other side, then to the next round. GB-01
func (f fightOn) Pass() (move, actor string, args any) { return "next", f.id, Next{} }
