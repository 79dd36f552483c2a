package state

import (
	"reflect"
	"slices"
	"strconv"

	"norn/game"
)

// calls are a table's, oldest first.
type calls []*Call

// call is a move that a GM has asked for.
type Call struct {
	ID, Actor, Text string
	Def             *game.Move
	Args            any
	Fixed           []string // names of the arguments that count
	Binds           bool     // a player's move must have them; older calls only ask
	Withdrawn       bool
	met             uint64 // seq of the move that met it, unless that was undone
}

func (all calls) Next() string { return "call" + strconv.Itoa(len(all)+1) }

// callsOpen are those that wait for their move, oldest first.
func (st *State) CallsOpen() []*Call {
	var open []*Call
	for _, c := range st.Calls {
		actor := st.Characters.Of(c.Actor)
		if !c.Withdrawn && (c.met == 0 || st.Undone.By(c.met) > 0) && actor != nil && !actor.Removed {
			open = append(open, c)
		}
	}
	return open
}

// of is the call with an id, open or not; nil for none.
func (all calls) Of(id string) *Call {
	if i := slices.IndexFunc(all, func(c *Call) bool { return c.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// alterCall changes a call, if there is such a one.
func (st *State) AlterCall(id string, change func(*Call)) {
	st.Calls = altered(st.Calls, slices.IndexFunc(st.Calls, func(c *Call) bool { return c.ID == id }), change)
}

// meet takes a move for the oldest open call that it meets.
func (st *State) meet(m *Move) {
	if m.Secret {
		return
	}
	for _, c := range st.CallsOpen() {
		if c.MetBy(m.Def, m.Actor, m.Args) {
			st.AlterCall(c.ID, func(c *Call) { c.met = m.Seq })
			return
		}
	}
}

func (c *Call) MetBy(def *game.Move, actor string, args any) bool {
	if def.ID != c.Def.ID || actor != c.Actor {
		return false
	}
	f := c.Def.Form.Only(c.Fixed...)
	return reflect.DeepEqual(f.Fill(args), f.Fill(c.Args))
}

// ruled is what of a move's arguments stands by a game master's word, as it's opened.
func (st *State) Ruled(def *game.Move, actor string, args any, own bool) game.Ruled {
	if own {
		return game.Ruled{All: true}
	}
	for _, c := range st.CallsOpen() {
		if c.MetBy(def, actor, args) {
			return game.Ruled{Asked: true, Fixed: c.Fixed}
		}
	}
	return game.Ruled{}
}
