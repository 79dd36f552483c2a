package state

import (
	"slices"
	"time"
)

// Notes are the notes of a table, oldest first.
type Notes []Note

// Note is a note that only GMs see.
type Note struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"` // of its last change
	At   time.Time `json:"at"`
}

// Index returns the index of a note, or -1.
func (all Notes) Index(id string) int {
	return slices.IndexFunc(all, func(n Note) bool { return n.ID == id })
}
