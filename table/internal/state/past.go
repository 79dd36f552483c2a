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

func (all Undoings) index(since uint64) (int, bool) {
	return slices.BinarySearchFunc(all, since, func(t Taken, since uint64) int { return cmp.Compare(uint64(t[0]), since) })
}
