package state

import (
	"slices"
	"time"
)

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
