package state

import (
	"slices"
	"time"
)

// Handouts are the shared notes, the last shared one at the end.
type Handouts []Handout

// Handout is a note as it was shared.
type Handout struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	To   []string  `json:"to,omitempty"` // seats, none for all
}

// Of returns the handout of a note; false for none.
func (all Handouts) Of(id string) (Handout, bool) {
	i := slices.IndexFunc(all, func(h Handout) bool { return h.ID == id })
	if i < 0 {
		return Handout{}, false
	}
	return all[i], true
}

// Without returns the other handouts.
func (all Handouts) Without(id string) Handouts {
	return slices.DeleteFunc(slices.Clone(all), func(h Handout) bool { return h.ID == id })
}
