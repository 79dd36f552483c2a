package state

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// List is a list of a table's own, such as of gear. The state has no rows: they're attachments.
type List struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// the kind of character that takes rows, "" for a list that is only read
	Kind string `json:"kind,omitempty"`
	// path of the list on a sheet that a row is added to, "" if a row is a character
	Field string `json:"field,omitempty"`
	Hash  string `json:"hash"` // of the attachment with its rows, or with the first of them
	// hashes of the attachments with the rows after those, for a list that is too large for one
	More []string `json:"more,omitempty"`
	Rows int      `json:"rows"` // how many
	// paths of fields by the heads of columns that a game master assigned by hand
	Heads map[string]string `json:"heads,omitempty"`
	Audience
}

func (l List) ThingID() string { return l.ID }

func (l List) ThingName() string { return l.Name }

// Parts returns the hashes of the attachments with the list's rows, in their order.
func (l List) Parts() []string { return append([]string{l.Hash}, l.More...) }

// Version returns a hash that no list with other rows has.
func (l List) Version() string {
	if len(l.More) == 0 {
		return l.Hash
	}
	sum := sha256.Sum256([]byte(strings.Join(l.Parts(), "\n")))
	return hex.EncodeToString(sum[:])
}

// Lists are the lists of a table, oldest first.
type Lists []List

// Find returns the list with an id, nil for none.
func (all Lists) Find(id string) *List { return find(all, id) }

// SetList changes a list by a record, or adds it. A nil value removes it.
func (st *State) SetList(r *Record, id string, value *List) { st.setThing(r, id, Thing{List: value}) }
