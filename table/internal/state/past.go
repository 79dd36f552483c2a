package state

import (
	"cmp"
	"slices"
)

// Facet is a side of a character that an entry changes, or stands on.
type Facet uint8

const (
	OfSheet Facet = 1 << iota
	OfName
	OfOwner
	OfBeing // whether it's in play
	Whole   = OfSheet | OfName | OfOwner | OfBeing
)

// Touch is an entry of a character's past: what changed it or read its sheet,
// and how it was before. What was undone is no part of the past.
type Touch struct {
	By     uint64 // seq of the first entry of its move
	Move   bool   // it was one
	Secret bool   // made in secret
	Facets Facet
	Sheet  any
	name   string
	Owner  string
}

// Start is a sheet as it was when a session began, for who looks back on that. It's kept with the first touch of the session, and
// has nothing to do with what can be undone.
type Start struct {
	Session int
	Sheet   any
}

// MostStarts is how many sessions a sheet's changes go back.
const MostStarts = 12

// begins keeps the sheet as it is before a session touches it, once.
func (c *Character) begins(session int) {
	if n := len(c.Began); n > 0 && c.Began[n-1].Session == session {
		return
	}
	c.Began = append(slices.Clone(c.Began), Start{session, c.Sheet})
	c.Began = c.Began[max(0, len(c.Began)-MostStarts):]
}

// In gives the sheet as it was at the beginning and at the end of a session; false for one that nothing touched it in, or that is too
// long ago.
func (c *Character) In(session int) (before, after any, touched bool) {
	i := slices.IndexFunc(c.Began, func(s Start) bool { return s.Session == session })
	if i < 0 {
		return nil, nil, false
	}
	if i+1 < len(c.Began) {
		return c.Began[i].Sheet, c.Began[i+1].Sheet, true
	}
	return c.Began[i].Sheet, c.Sheet, true
}

// Configured is a change of the settings and what they were before.
type Configured struct {
	By  uint64
	Was any
}

// Taken says what was taken back, by the seq of its first entry, and by which entry. A table has many of them as the years go by,
// and never as many entries as these can count: with one a second it takes 136 years.
type Taken [2]uint32

// Undoings are by what was taken back.
type Undoings []Taken

// By is the seq of the entry that has taken back what began with a seq, 0 for none.
func (all Undoings) By(since uint64) uint64 {
	if i, undone := all.index(since); undone {
		return uint64(all[i][1])
	}
	return 0
}

// Has tells whether what a record is about was taken back.
func (all Undoings) Has(r *Record) bool { return all.By(r.Since()) > 0 }

func (all Undoings) index(since uint64) (int, bool) {
	return slices.BinarySearchFunc(all, since, func(t Taken, since uint64) int { return cmp.Compare(uint64(t[0]), since) })
}
