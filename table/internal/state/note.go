package state

import (
	"slices"
	"strconv"
	"time"
)

// notes are a table's, oldest first.
type notes []Note

// note is a GM's: nobody else at the table knows of it.
type Note struct {
	ID, Text string
	Seq      uint64 // of its last change
	At       time.Time
}

// at is where a note stands, -1 for nowhere.
func (all notes) At(id string) int {
	return slices.IndexFunc(all, func(n Note) bool { return n.ID == id })
}

func (st *State) NextNote() string { return "n" + strconv.FormatUint(st.Seq+1, 10) }
