package state

import (
	"cmp"
	"slices"
	"strings"

	"norn/game"
	"norn/lang"
	"norn/table/view"
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

// Clock counts up to its Max.
type Clock struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Max    int    `json:"max"`
	Number bool   `json:"number,omitempty"` // shown as a number instead of segments
	At     int    `json:"at,omitempty"`
	Audience
}

// Clocks are the clocks of a table, oldest first.
type Clocks []Clock

// Index returns the index of a clock, or -1.
func (all Clocks) Index(id string) int {
	return slices.IndexFunc(all, func(c Clock) bool { return c.ID == id })
}

// IndexByName returns the index of the oldest clock with a name, or -1. lang.Key decides which
// names are equal.
func (all Clocks) IndexByName(name string) int {
	key := lang.Key(name)
	return slices.IndexFunc(all, func(c Clock) bool { return lang.Key(c.Name) == key })
}

// with returns the clocks with another value for one of them, nil to remove it.
func (all Clocks) with(id string, value *Clock) Clocks {
	all = slices.DeleteFunc(slices.Clone(all), func(c Clock) bool { return c.ID == id })
	if value == nil {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, id, func(c Clock, id string) int {
		return cmp.Or(len(c.ID)-len(id), strings.Compare(c.ID, id)) // ids count up
	})
	return slices.Insert(all, at, *value)
}

// ClockChange is a change of a clock that can be undone, with what the clock was before.
type ClockChange struct {
	By     uint64 `json:"by"`             // seq of the entry, or of the first one of the move
	Move   bool   `json:"move,omitempty"` // a move made it
	Secret bool   `json:"secret,omitempty"`
	Clock  string `json:"clock"`
	Before *Clock `json:"before,omitempty"` // nil if there was none
}

// SetClock changes a clock by a record, or adds it. A nil value removes it.
func (st *State) SetClock(r *Record, id string, value *Clock) {
	change := ClockChange{By: r.Since(), Move: r.Of != nil, Secret: r.Secret, Clock: id}
	if i := st.Clocks.Index(id); i >= 0 {
		before := st.Clocks[i]
		change.Before = &before
	}
	st.Clocks = st.Clocks.with(id, value)
	if slices.ContainsFunc(st.ClockChanges, func(c ClockChange) bool { return c.By == change.By && c.Clock == id }) {
		return // the move's first change has noted the clock before it
	}
	st.ClockChanges = append(slices.Clip(st.ClockChanges), change)
	if n := len(st.ClockChanges); n > maxClockChanges && st.Seq >= st.WholeBefore {
		st.ClockChanges = slices.Clone(st.ClockChanges[n-maxClockChanges:])
	}
}

// maxClockChanges bounds the changes of clocks that can be undone.
const maxClockChanges = 4 * view.MostTouches

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

// ClocksChangedBy lists the clocks that an entry or a move has changed, if that can still be
// undone.
func (st *State) ClocksChangedBy(since uint64) (ids []string) {
	for _, c := range st.ClockChanges {
		if c.By == since {
			ids = append(ids, c.Clock)
		}
	}
	return ids
}

// ClockChangesAfter lists later changes of the clocks that an entry or a move has changed, newest
// first.
func (st *State) ClockChangesAfter(since uint64) (later []ClockChange) {
	for _, id := range st.ClocksChangedBy(since) {
		for _, c := range slices.Backward(st.ClockChanges) {
			if c.By == since && c.Clock == id {
				break
			}
			if c.Clock == id {
				later = append(later, c)
			}
		}
	}
	return later
}

// ClockChangesBefore lists, of each clock that an entry has changed, the change before that one.
func (st *State) ClockChangesBefore(since uint64, clocks []string) (seqs []uint64) {
	for _, id := range clocks {
		for _, c := range slices.Backward(st.ClockChanges) {
			if c.Clock == id && c.By < since {
				if !c.Move {
					seqs = append(seqs, c.By)
				}
				break
			}
		}
	}
	return seqs
}

// revertClocks undoes the changes of clocks that an entry or a move has made. A clock that changed
// again since, as when an open move is cancelled, keeps the later change.
func (st *State) revertClocks(since uint64) {
	for {
		i := slices.IndexFunc(st.ClockChanges, func(c ClockChange) bool { return c.By == since })
		if i < 0 {
			return
		}
		undone := st.ClockChanges[i]
		st.ClockChanges = slices.Delete(slices.Clone(st.ClockChanges), i, i+1)
		next := slices.IndexFunc(st.ClockChanges[i:], func(c ClockChange) bool { return c.Clock == undone.Clock })
		if next >= 0 {
			st.ClockChanges[i+next].Before = undone.Before
			continue
		}
		st.Clocks = st.Clocks.with(undone.Clock, undone.Before)
	}
}
