package state

import (
	"encoding/base32"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Characters are a table's, in the order in which they were added.
type Characters []*Character

// Character is one with its sheet, and what stands on what of it.
type Character struct {
	ID, Kind, Name, Owner string
	Sheet                 any
	Removed               bool
	Hidden                bool     // only game masters know of it, until it's shown
	Starred               []string // ids of favourite moves
	Portrait              string   // hash of a picture, "" for none
	Past                  []Touch  // what stands on what, oldest first
	// how the newest sessions in which something touched its sheet began, oldest first
	Began []SessionStart
	// seq of the entry that made the sheet what it is; 0 since the table was opened
	Written uint64
	as      uint64 // seq of the entry for which this value was made
}

// Write makes another sheet the character's, which was given to be changed.
func (c *Character) Write(sheet any) { c.Sheet, c.Written = sheet, c.as }

// Of is the character with an id, a removed one too; nil for none.
func (all Characters) Of(id string) *Character {
	return first(all, func(c *Character) bool { return c.ID == id })
}

// Here are those that weren't removed.
func (all Characters) Here() Characters {
	return slices.DeleteFunc(slices.Clone(all), func(c *Character) bool { return c.Removed })
}

// Next is the id of the next one: none is used twice, what was removed still counts. Who comes hidden isn't counted.
func (all Characters) Next() string {
	n := 1
	for _, c := range all {
		if !DrawnID(c.ID) {
			n++
		}
	}
	return "c" + strconv.Itoa(n)
}

// DrawID draws an id for who comes hidden: a number would tell how many there are, and one that
// could be guessed might be asked for.
func DrawID(entropy io.Reader) (string, error) {
	b, err := RandomBytes(entropy, 15)
	return drawn + strings.ToLower(base32.StdEncoding.EncodeToString(b)), err
}

// DrawnID tells whether an id is one that was drawn.
func DrawnID(id string) bool {
	rest, ok := strings.CutPrefix(id, drawn)
	return ok && len(rest) == 24 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

const drawn = "u"

// WithIDs are those with these ids, removed ones too.
func (all Characters) WithIDs(ids []string) Characters {
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

// TouchedSince are the characters in whose past it stands what began with a seq.
func (all Characters) TouchedSince(since uint64) []string {
	var ids []string
	for _, c := range all {
		if c.TouchedBy(since) >= 0 {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// SessionStart is a sheet as it was when a session began, for who looks back on that. It's kept
// with the first touch of the session, and has nothing to do with what can be undone.
type SessionStart struct {
	Session int
	Sheet   any
}

// MostStarts is how many sessions a sheet's changes go back.
const MostStarts = 12

// noteSessionStart keeps the sheet as it is before a session touches it, once.
func (c *Character) noteSessionStart(session int) {
	if n := len(c.Began); n > 0 && c.Began[n-1].Session == session {
		return
	}
	c.Began = append(slices.Clone(c.Began), SessionStart{session, c.Sheet})
	c.Began = c.Began[max(0, len(c.Began)-MostStarts):]
}

// SheetIn gives the sheet as it was at the beginning and at the end of a session; false for one
// that nothing touched it in, or that is too long ago.
func (c *Character) SheetIn(session int) (before, after any, touched bool) {
	i := slices.IndexFunc(c.Began, func(s SessionStart) bool { return s.Session == session })
	if i < 0 {
		return nil, nil, false
	}
	if i+1 < len(c.Began) {
		return c.Began[i].Sheet, c.Began[i+1].Sheet, true
	}
	return c.Began[i].Sheet, c.Sheet, true
}
