package state

import (
	"slices"
	"strconv"
)

// Characters are a table's, in the order in which they were added.
type Characters []*Character

// Character is one with its sheet, and what stands on what of it.
type Character struct {
	ID, Kind, Name, Owner string
	Sheet                 any
	Removed               bool
	Starred               []string // ids of favourite moves
	Past                  []Touch  // what stands on what, oldest first
	as                    uint64   // seq of the entry for which this value was made
}

// Of is the character with an id, a removed one too; nil for none.
func (all Characters) Of(id string) *Character {
	if i := slices.IndexFunc(all, func(c *Character) bool { return c.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// Here are those that weren't removed.
func (all Characters) Here() Characters {
	return slices.DeleteFunc(slices.Clone(all), func(c *Character) bool { return c.Removed })
}

// Next is the id of the next one: none is used twice, what was removed still counts.
func (all Characters) Next() string { return "c" + strconv.Itoa(len(all)+1) }

// named are those with these ids, removed ones too.
func (all Characters) named(ids []string) Characters {
	cast := make(Characters, 0, len(ids))
	for _, id := range ids {
		if c := all.Of(id); c != nil {
			cast = append(cast, c)
		}
	}
	return cast
}

// TouchedBy is where in the character's past a first entry stands that touched it.
func (c *Character) TouchedBy(seq uint64) int {
	for i, t := range slices.Backward(c.Past) {
		if t.By == seq {
			return i
		}
	}
	return -1
}

// Touched are the characters in whose past it stands what began with a seq.
func (all Characters) Touched(since uint64) []string {
	var ids []string
	for _, c := range all {
		if c.TouchedBy(since) >= 0 {
			ids = append(ids, c.ID)
		}
	}
	return ids
}
