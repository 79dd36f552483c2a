package state

import (
	"slices"

	"norn/game"
	"norn/lang"
)

// Audience says which seats see something: only game masters, some seats in addition, or all.
type Audience struct {
	Hidden bool     `json:"hidden,omitempty"`
	To     []string `json:"to,omitempty"` // seats; empty for all present and future ones
}

// Includes reports whether a player's or spectator's seat is part of the audience.
func (a Audience) Includes(seat string) bool {
	return !a.Hidden && (len(a.To) == 0 || seat != "" && slices.Contains(a.To, seat))
}

// WhoHears returns the audience itself, for what embeds it.
func (a Audience) WhoHears() Audience { return a }

// Clock counts up to its Max.
type Clock struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Max    int    `json:"max"`
	Number bool   `json:"number,omitempty"` // shown as a number instead of segments
	At     int    `json:"at,omitempty"`
	Audience
}

func (c Clock) ThingID() string { return c.ID }

func (c Clock) ThingName() string { return c.Name }

// Clocks are the clocks of a table, oldest first.
type Clocks []Clock

// Find returns the clock with an id, nil for none.
func (all Clocks) Find(id string) *Clock { return find(all, id) }

// IndexByName returns the index of the oldest clock with a name, or -1. lang.Key decides which
// names are equal.
func (all Clocks) IndexByName(name string) int {
	key := lang.Key(name)
	return slices.IndexFunc(all, func(c Clock) bool { return lang.Key(c.Name) == key })
}

// SetClock changes a clock by a record, or adds it. A nil value removes it.
func (st *State) SetClock(r *Record, id string, value *Clock) {
	st.setThing(r, id, Thing{Clock: value})
}

// tickClock lets a move advance the clock that it names. Without such a clock nothing happens.
func (st *State) tickClock(r *Record, tick game.ClockTicked) {
	i := st.Clocks.IndexByName(tick.Clock)
	if i < 0 {
		return
	}
	if c := st.Clocks[i]; c.At != c.After(tick.By) {
		c.At = c.After(tick.By)
		st.SetClock(r, c.ID, &c)
	}
}

// After returns where a clock is after some ticks, which may be negative.
func (c Clock) After(by int) int { return min(max(c.At+by, 0), c.Max) }
