package state

import (
	"crypto/sha256"
	"slices"
	"strconv"

	"norn/game"
)

// Seats are the seats of a table, in the order in which they were added.
type Seats []*Seat

// Seat is a person's place at the table, with a link and a role.
type Seat struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Role    game.Role       `json:"role"`
	Lock    Lock            `json:"lock"`
	Revoked bool            `json:"revoked,omitempty"`
	Owns    map[string]bool `json:"-"` // its characters that aren't removed

	Recovery *Lock `json:"recovery,omitempty"` // of its recovery code, nil for none
}

// Of returns the seat with an id, a revoked one too, or nil.
func (all Seats) Of(id string) *Seat { return first(all, func(s *Seat) bool { return s.ID == id }) }

// Name returns the name of the seat with an id, or "".
func (all Seats) Name(id string) string {
	if s := all.Of(id); s != nil {
		return s.Name
	}
	return ""
}

// IDs returns the ids of the seats.
func (all Seats) IDs() []string { return game.Each(all, func(s *Seat) string { return s.ID }) }

// FindByKey returns the seat that a secret opens, by the secret's hash, or nil.
func (all Seats) FindByKey(key [sha256.Size]byte) *Seat {
	var found *Seat
	for _, s := range all { // looks at all, so that the time doesn't reveal which one
		if s.Lock.Fits(key) && !s.Revoked {
			found = s
		}
	}
	return found
}

// HasCode reports whether the seat's recovery code is this one, cleaned.
func (s *Seat) HasCode(code string) bool {
	return s.Recovery != nil && s.Recovery.opens(code)
}

// FindByCode returns the seat with a recovery code, or nil. used includes a seat whose secret was
// made from the code.
func (all Seats) FindByCode(code string, used bool) *Seat {
	var found *Seat
	for _, s := range all { // looks at all, as FindByKey does
		if !s.Revoked && (s.HasCode(code) || used && s.Lock.Again(code) != "") {
			found = s
		}
	}
	return found
}

// With returns the seats with a changed one, if it exists.
func (all Seats) With(id string, change func(*Seat)) Seats {
	return altered(all, slices.Index(all, all.Of(id)), change)
}

// Here returns the seats that aren't revoked.
func (all Seats) Here() Seats {
	return slices.DeleteFunc(slices.Clone(all), func(s *Seat) bool { return s.Revoked })
}

// Next returns the id of the next seat. No id is used twice, since revoked ones count.
func (all Seats) Next() string { return "s" + strconv.Itoa(len(all)+1) }
