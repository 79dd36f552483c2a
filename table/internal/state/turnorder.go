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
	// for a turn, those of the order who couldn't act: nobody waits for them
	Out []string `json:"out,omitempty"`
}

// noteOrder remembers what a record changes in the order of turns.
func (st *State) noteOrder(r *Record) {
	if r.Of == nil || r.Of.Def.Order == "" || r.Result == nil {
		return
	}
	noted := OrderThrow{
		By: r.Of.Seq, Who: r.Of.Actor, Outcome: *r.Result, Secret: r.Of.Secret,
		Over: r.Of.Def.Order == game.OrderOver, Acted: r.Of.Def.Order == game.OrderActed,
	}
	if noted.Acted {
		noted.Out = st.outOfTurn()
	}
	st.Drawn = append(slices.Clip(st.Drawn), noted)
	st.Drawn = st.Drawn[max(0, len(st.Drawn)-maxOrderThrows):]
}

// outOfTurn returns the characters of the order who can't act: by their sheet, or since they've left
// the table.
func (st *State) outOfTurn() (out []string) {
	for _, d := range st.Drawn {
		if !slices.Contains(out, d.Who) && st.IsOut(d.Who, game.Viewer{Role: game.Master}) {
			out = append(out, d.Who)
		}
	}
	return out
}

// IsOut reports whether a character can't act, as far as a viewer sees. Who isn't at the table can't.
func (st *State) IsOut(who string, v game.Viewer) bool {
	c := st.Characters.Of(who)
	if c == nil || c.Removed {
		return true
	}
	kind, ok := st.Game.Kind(c.Kind)
	if !ok || kind.State == nil {
		return false
	}
	shown := st.Game.View.ShowSheet(v, st.Settings, who, c.Sheet)
	return shown != nil && kind.State(shown).Out
}

// OrderThrows are rolls and turns, oldest first.
type OrderThrows []OrderThrow

// Now returns who has rolled since the encounter began and who has acted in its round, as far as
// sees allows. A character's new roll replaces the old one. No round waits for those who are out.
func (all OrderThrows) Now(sees func(OrderThrow) bool, out func(who string) bool) []game.OrderThrow {
	var now []game.OrderThrow
	for _, d := range all {
		if !sees(d) {
			continue
		}
		i := slices.IndexFunc(now, func(n game.OrderThrow) bool { return n.Who == d.Who })
		switch {
		case d.Acted:
			if i >= 0 {
				gone := func(who string) bool { return who != d.Who && slices.Contains(d.Out, who) }
				now = nextRound(now, gone) // somebody for whom it waited is out
				now[i].Acted = true
				now = nextRound(now, gone)
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
	for i := range now {
		now[i].Out = out(now[i].Who)
	}
	return nextRound(now, out)
}

// nextRound begins a new round once all have acted who can.
func nextRound(now []game.OrderThrow, out func(who string) bool) []game.OrderThrow {
	some := false
	for _, n := range now {
		if !n.Acted && !out(n.Who) {
			return now
		}
		some = some || n.Acted
	}
	if !some {
		return now
	}
	for i := range now {
		now[i].Acted, now[i].Round = false, now[i].Round+1
	}
	return now
}
