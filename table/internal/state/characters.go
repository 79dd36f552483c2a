package state

import (
	"encoding/base32"
	"io"
	"slices"
	"strconv"
	"strings"

	"norn/game"
)

// Characters are the characters of a table, in the order in which they were added.
type Characters []*Character

// Character is a character with its sheet and its past.
type Character struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Owner    string   `json:"owner,omitempty"`
	Sheet    any      `json:"-"`
	Removed  bool     `json:"removed,omitempty"`
	Hidden   bool     `json:"hidden,omitempty"`   // only game masters see it, until it's shown
	Starred  []string `json:"starred,omitempty"`  // ids of favourite moves
	Portrait string   `json:"portrait,omitempty"` // hash of a picture, "" for none
	Past     []Touch  `json:"past,omitempty"`     // changes and uses, oldest first
	// sheets at the start of the newest sessions in which it changed, oldest first
	Began []SessionStart `json:"began,omitempty"`
	// seq of the entry that wrote the sheet; 0 if that was before the table was loaded
	Written uint64 `json:"-"`
	as      uint64 // seq of the entry that made this value
}

// Write sets the sheet of a character that may be changed.
func (c *Character) Write(sheet any) { c.Sheet, c.Written = sheet, c.as }

// Of returns the character with an id, a removed one too, or nil.
func (all Characters) Of(id string) *Character {
	return first(all, func(c *Character) bool { return c.ID == id })
}

// Here returns the characters that aren't removed. The list must not be changed.
func (all Characters) Here() Characters {
	return game.Without(all, func(c *Character) bool { return c.Removed })
}

// Next returns the id of the next character. No id is used twice, since removed ones count. Hidden
// ones have drawn ids and don't.
func (all Characters) Next() string {
	n := 1
	for _, c := range all {
		if !DrawnID(c.ID) {
			n++
		}
	}
	return "c" + strconv.Itoa(n)
}

// DrawID draws an id for a hidden character. A number would reveal how many there are, and could be
// guessed.
func DrawID(entropy io.Reader) (string, error) {
	b, err := RandomBytes(entropy, 15)
	return drawn + strings.ToLower(base32.StdEncoding.EncodeToString(b)), err
}

// DrawnID reports whether an id was drawn.
func DrawnID(id string) bool {
	rest, ok := strings.CutPrefix(id, drawn)
	return ok && len(rest) == 24 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

const drawn = "u"

// WithIDs returns the characters with these ids, removed ones too.
func (all Characters) WithIDs(ids []string) Characters {
	cast := make(Characters, 0, len(ids))
	for _, id := range ids {
		if c := all.Of(id); c != nil {
			cast = append(cast, c)
		}
	}
	return cast
}

// TouchedBy returns the index of an entry or move in the character's past, by its first seq, or -1.
func (c *Character) TouchedBy(seq uint64) int {
	if c.as > 0 && c.as < seq { // the last entry that changed the character is older
		return -1
	}
	for i, t := range slices.Backward(c.Past) {
		if t.By == seq {
			return i
		}
	}
	return -1
}

// TouchedSince returns the ids of the characters with an entry or move in their past, by its first
// seq.
func (all Characters) TouchedSince(since uint64) []string {
	var ids []string
	for _, c := range all {
		if c.TouchedBy(since) >= 0 {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// SessionStart is a sheet at the start of a session, for recaps. It's noted when the session first
// touches the sheet and is independent of undo.
type SessionStart struct {
	Session int `json:"session"`
	Sheet   any `json:"-"`
}

// MostStarts limits the sessions whose changes a character remembers.
const MostStarts = 12

// noteSessionStart remembers the sheet before its first change in a session.
func (c *Character) noteSessionStart(session int) {
	if n := len(c.Began); n > 0 && c.Began[n-1].Session == session {
		return
	}
	c.Began = append(slices.Clone(c.Began), SessionStart{session, c.Sheet})
	c.Began = c.Began[max(0, len(c.Began)-MostStarts):]
}

// SheetIn returns the sheet at the start and at the end of a session; false if the session didn't
// touch it or is too long ago.
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
