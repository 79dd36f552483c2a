package state

import (
	"slices"

	"norn/game"
	"norn/rule"
)

// mostDrawn is how many throws for the order in which people act are kept: the newest.
const mostDrawn = 100

// Drawn is somebody's throw for the order in which people act, in the session that lasts.
type Drawn struct {
	By      uint64       `json:"by"` // seq of its move
	Who     string       `json:"who"`
	Outcome rule.Outcome `json:"outcome"`
	Secret  bool         `json:"secret,omitempty"`
	Over    bool         `json:"over,omitempty"` // no throw: whatever went on is over
}

// draw keeps what a record has to do with the order.
func (st *State) draw(r *Record) {
	if r.Of == nil || r.Of.Def.Order == "" || r.Result == nil {
		return
	}
	st.Drawn = append(slices.Clip(st.Drawn), Drawn{By: r.Of.Seq, Who: r.Of.Actor, Outcome: *r.Result, Secret: r.Of.Secret, Over: r.Of.Def.Order == game.OrderOver})
	st.Drawn = st.Drawn[max(0, len(st.Drawn)-mostDrawn):]
}

// Drawing is who has thrown since what goes on began, as far as somebody sees it: who throws again begins anew.
func (st *State) Drawing(sees func(Drawn) bool) []game.Drawn {
	var now []game.Drawn
	for _, d := range st.Drawn {
		if !sees(d) {
			continue
		}
		if d.Over || slices.ContainsFunc(now, func(n game.Drawn) bool { return n.Who == d.Who }) {
			now = nil
		}
		if !d.Over {
			now = append(now, game.Drawn{Who: d.Who, Outcome: d.Outcome})
		}
	}
	return now
}
