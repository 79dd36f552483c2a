package act

import (
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
)

// thingEvent changes one of the things that game masters keep, such as a clock.
type thingEvent interface {
	thing() string                    // its id
	nameFor(e *visibility.Eye) string // as the seat knows it
}

// thingRemoved removes a thing; undoing that needs room for it.
type thingRemoved interface{ checkRoom(p *Proposal) error }

// roomFor refuses one more of what a table has n of.
func roomFor(what string, n, limit int) error {
	if n >= limit {
		return &refusal.TooManyError{What: what, Max: limit}
	}
	return nil
}

// ThingOf returns the id of the thing that a record is about, or "".
func ThingOf(r *state.Record) string {
	if len(r.Decoded) > 0 {
		if event, ok := r.Decoded[0].(thingEvent); ok {
			return event.thing()
		}
	}
	return ""
}
