package state

import (
	"reflect"
	"slices"
	"strconv"

	"norn/game"
)

// Calls are the calls of a table, oldest first.
type Calls []*Call

// Call is a move that a GM has asked for.
type Call struct {
	ID, Actor, Text string
	Def             *game.Move
	Args            any
	Fixed           []string // names of the fixed arguments
	Binds           bool     // a player's move must have them; older calls only ask
	Withdrawn       bool
	met             uint64 // seq of the move that met it, unless that was undone
}

// Next returns the id of the next call.
func (all Calls) Next() string { return "call" + strconv.Itoa(len(all)+1) }

// Of returns the call with an id, open or not, or nil.
func (all Calls) Of(id string) *Call { return first(all, func(c *Call) bool { return c.ID == id }) }

// With returns the calls with a changed one, if it exists.
func (all Calls) With(id string, change func(*Call)) Calls {
	return altered(all, slices.Index(all, all.Of(id)), change)
}

// MetBy reports whether a move meets the call.
func (c *Call) MetBy(def *game.Move, actor string, args any) bool {
	if def.ID != c.Def.ID || actor != c.Actor {
		return false
	}
	f := c.Def.Form.Only(c.Fixed...)
	return reflect.DeepEqual(f.Fill(args), f.Fill(c.Args))
}
