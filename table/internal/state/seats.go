package state

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"

	"norn/game"
)

// seats are a table's, in the order in which they were added.
type seats []*Seat

type Seat struct {
	ID, Name string
	Role     game.Role
	Lock     Lock
	Revoked  bool
	Owns     map[string]bool // characters that are here
}

// alterSeat changes a seat, if there is such a one.
func (st *State) AlterSeat(id string, change func(*Seat)) {
	st.Seats = altered(st.Seats, slices.IndexFunc(st.Seats, func(s *Seat) bool { return s.ID == id }), change)
}

// of is the seat with an id, a revoked one too; nil for none.
func (all seats) Of(id string) *Seat {
	if i := slices.IndexFunc(all, func(s *Seat) bool { return s.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// opened is the seat that a secret opens, by its hash; nil for none.
func (all seats) Opened(key [sha256.Size]byte) *Seat {
	var found *Seat
	for _, s := range all { // all of them, so that the time doesn't tell which
		if s.Lock.Fits(key) && !s.Revoked {
			found = s
		}
	}
	return found
}

// deal tells each seat what it owns.
func (st *State) deal() {
	for i, s := range st.Seats {
		owns := map[string]bool{}
		for _, c := range st.Characters {
			if c.Owner == s.ID && !c.Removed {
				owns[c.ID] = true
			}
		}
		if s.Owns == nil || !maps.Equal(owns, s.Owns) {
			st.Seats = altered(st.Seats, i, func(s *Seat) { s.Owns = owns })
		}
	}
}

// here are those that weren't revoked.
func (all seats) Here() seats {
	return slices.DeleteFunc(slices.Clone(all), func(s *Seat) bool { return s.Revoked })
}

// Ids are never used twice: what was revoked or removed still counts.
func (all seats) Next() string { return "s" + strconv.Itoa(len(all)+1) }
