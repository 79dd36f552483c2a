package state

// List is a list of a table's own, such as of gear. The state has no rows: they're an attachment.
type List struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// the kind of character that takes rows, "" for a list that is only read
	Kind string `json:"kind,omitempty"`
	// path of the list on a sheet that a row is added to, "" if a row is a character
	Field string `json:"field,omitempty"`
	Hash  string `json:"hash"` // of its rows
	Rows  int    `json:"rows"` // how many
	// paths of fields by the heads of columns that a game master assigned by hand
	Heads map[string]string `json:"heads,omitempty"`
	Audience
}

func (l List) ThingID() string { return l.ID }

func (l List) ThingName() string { return l.Name }

// Lists are the lists of a table, oldest first.
type Lists []List

// Find returns the list with an id, nil for none.
func (all Lists) Find(id string) *List { return find(all, id) }

// SetList changes a list by a record, or adds it. A nil value removes it.
func (st *State) SetList(r *Record, id string, value *List) { st.setThing(r, id, Thing{List: value}) }
