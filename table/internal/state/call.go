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
	ID        string     `json:"id"`
	Actor     string     `json:"actor"`
	Text      string     `json:"text,omitempty"`
	Def       *game.Move `json:"move"`
	Args      any        `json:"-"`
	Fixed     []string   `json:"fixed"`           // names of the fixed arguments
	Binds     bool       `json:"binds,omitempty"` // a player's move must have them; older calls only ask
	Withdrawn bool       `json:"withdrawn,omitempty"`
	Met       uint64     `json:"met,omitempty"` // seq of the move that met it, unless that was undone
}

// Next returns the id of the next call.
func (all Calls) Next() string { return "call" + strconv.Itoa(len(all)+1) }

// Of returns the call with an id, open or not, or nil.
func (all Calls) Of(id string) *Call { return first(all, func(c *Call) bool { return c.ID == id }) }

// With returns the calls with a changed one, if it exists.
func (all Calls) With(id string, change func(*Call)) Calls {
	return altered(all, slices.Index(all, all.Of(id)), change)
}

// Shown returns the names of the fixed arguments that a seat may know of: those for game masters only
// are secret from others.
func (c *Call) Shown(gm bool) []string {
	return slices.DeleteFunc(slices.Clone(c.Fixed), func(name string) bool {
		field, _ := c.Def.Form.Field(name)
		return field.GM && !gm
	})
}

// Completes returns arguments of a player's move that meet the call as far as the player knows it,
// with the fixed ones that only game masters see. ok is false if they don't meet it.
func (c *Call) Completes(def *game.Move, actor string, args any) (completed any, ok bool) {
	known := *c
	known.Fixed = c.Shown(false)
	if !known.MetBy(def, actor, args) {
		return nil, false
	}
	if len(known.Fixed) == len(c.Fixed) {
		return args, true
	}
	members, fixed := Members(args), Members(c.Args)
	for _, name := range c.Fixed {
		if !slices.Contains(known.Fixed, name) {
			members[name] = fixed[name]
		}
	}
	completed, err := def.Restore(JSON(members))
	return completed, err == nil
}

// MetBy reports whether a move meets the call.
func (c *Call) MetBy(def *game.Move, actor string, args any) bool {
	if def.ID != c.Def.ID || actor != c.Actor {
		return false
	}
	f := c.Def.Form.Only(c.Fixed...)
	return reflect.DeepEqual(f.Fill(args), f.Fill(c.Args))
}
