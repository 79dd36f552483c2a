package state

import (
	"crypto/sha256"
	"slices"
	"strconv"

	"norn/game"
)

// Seats are a table's, in the order in which they were added.
type Seats []*Seat

// Seat is somebody's place at the table.
type Seat struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Role    game.Role       `json:"role"`
	Lock    Lock            `json:"lock"`
	Revoked bool            `json:"revoked,omitempty"`
	Owns    map[string]bool `json:"-"` // characters that are here
}

// Of is the seat with an id, a revoked one too; nil for none.
func (all Seats) Of(id string) *Seat { return first(all, func(s *Seat) bool { return s.ID == id }) }

// Name is that of the seat with an id, "" for none.
func (all Seats) Name(id string) string {
	if s := all.Of(id); s != nil {
		return s.Name
	}
	return ""
}

// IDs are theirs.
func (all Seats) IDs() []string { return game.Each(all, func(s *Seat) string { return s.ID }) }

// FindByKey is the seat that a secret opens, by its hash; nil for none.
func (all Seats) FindByKey(key [sha256.Size]byte) *Seat {
	var found *Seat
	for _, s := range all { // all of them, so that the time doesn't tell which
		if s.Lock.Fits(key) && !s.Revoked {
			found = s
		}
	}
	return found
}

// With are they with a changed one, if there is such a one.
func (all Seats) With(id string, change func(*Seat)) Seats {
	return altered(all, slices.Index(all, all.Of(id)), change)
}

// Here are those that weren't revoked.
func (all Seats) Here() Seats {
	return slices.DeleteFunc(slices.Clone(all), func(s *Seat) bool { return s.Revoked })
}

// Ids are never used twice: what was revoked or removed still counts.
func (all Seats) Next() string { return "s" + strconv.Itoa(len(all)+1) }
