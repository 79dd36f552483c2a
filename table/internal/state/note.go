package state

import (
	"slices"
	"time"
)

// Picture is one that was shown, as it was called last.
type Picture struct {
	Hash string   `json:"hash"`
	Alt  string   `json:"alt"`
	At   []uint64 `json:"at"` // seqs of the entries that showed it
	All  bool     `json:"all,omitempty"`
	To   []string `json:"to,omitempty"` // seats
}

// For are the seats that can see it now, none for all.
func (p Picture) For() []string {
	if p.All {
		return nil
	}
	return p.To
}

// Handouts are notes that others than game masters can read, the one that was shared last at the end.
type Handouts []Handout

// Handout is a note as it was shared.
type Handout struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	To   []string  `json:"to,omitempty"` // seats, none for all
}

// Of is the one of a note; false for none.
func (all Handouts) Of(id string) (Handout, bool) {
	i := slices.IndexFunc(all, func(h Handout) bool { return h.ID == id })
	if i < 0 {
		return Handout{}, false
	}
	return all[i], true
}

// Without are the others.
func (all Handouts) Without(id string) Handouts {
	return slices.DeleteFunc(slices.Clone(all), func(h Handout) bool { return h.ID == id })
}

// X is whether an X-card lies on the table.
type X struct {
	Seq uint64    `json:"seq,omitempty"` // of the entry that laid it there, 0 for none
	At  time.Time `json:"at,omitzero"`   // since when it's so
}

// Notes are a table's, oldest first.
type Notes []Note

// Note is a GM's: nobody else at the table knows of it.
type Note struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"` // of its last change
	At   time.Time `json:"at"`
}

// Index is where a note stands, -1 for nowhere.
func (all Notes) Index(id string) int {
	return slices.IndexFunc(all, func(n Note) bool { return n.ID == id })
}
