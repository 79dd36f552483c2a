package state

import (
	"slices"

	"norn/game"
	"norn/rule"
)

// maxOrderThrows bounds the remembered rolls and turns, newest first.
const maxOrderThrows = 600

// OrderThrow is a character's roll for the order of turns in the current session, or a turn.
type OrderThrow struct {
	By      uint64       `json:"by"` // seq of its move
	Who     string       `json:"who"`
	Outcome rule.Outcome `json:"outcome"`
	Secret  bool         `json:"secret,omitempty"`
	Over    bool         `json:"over,omitempty"`  // not a roll: the encounter is over
	Acted   bool         `json:"acted,omitempty"` // not a roll: the character has acted
}

// noteOrder remembers what a record changes in the order of turns.
func (st *State) noteOrder(r *Record) {
	if r.Of == nil || r.Of.Def.Order == "" || r.Result == nil {
		return
	}
	st.Drawn = append(slices.Clip(st.Drawn),
		OrderThrow{
			By: r.Of.Seq, Who: r.Of.Actor, Outcome: *r.Result, Secret: r.Of.Secret,
			Over: r.Of.Def.Order == game.OrderOver, Acted: r.Of.Def.Order == game.OrderActed,
		})
	st.Drawn = st.Drawn[max(0, len(st.Drawn)-maxOrderThrows):]
}

// OrderThrows are rolls and turns, oldest first.
type OrderThrows []OrderThrow

// Now returns who has rolled since the encounter began and who has acted in its round, as far as
// sees allows. A character's new roll replaces the old one.
func (all OrderThrows) Now(sees func(OrderThrow) bool) []game.OrderThrow {
	var now []game.OrderThrow
	for _, d := range all {
		if !sees(d) {
			continue
		}
		i := slices.IndexFunc(now, func(n game.OrderThrow) bool { return n.Who == d.Who })
		switch {
		case d.Acted:
			if i >= 0 {
				now[i].Acted = true
				now = nextRound(now)
			}
		case d.Over:
			now = nil
		case i >= 0:
			now = []game.OrderThrow{{Who: d.Who, Outcome: d.Outcome, Round: 1}}
		default:
			round := 1
			if len(now) > 0 {
				round = now[0].Round
			}
			now = append(now, game.OrderThrow{Who: d.Who, Outcome: d.Outcome, Round: round})
		}
	}
	return now
}

// nextRound begins a new round once all have acted.
func nextRound(now []game.OrderThrow) []game.OrderThrow {
	if slices.ContainsFunc(now, func(n game.OrderThrow) bool { return !n.Acted }) {
		return now
	}
	for i := range now {
		now[i].Acted, now[i].Round = false, now[i].Round+1
	}
	return now
}
