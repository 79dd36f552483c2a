package state

// Picture is a picture that was shown, with its last description.
type Picture struct {
	Hash string   `json:"hash"`
	Alt  string   `json:"alt"`
	At   []uint64 `json:"at"` // seqs of the entries that showed it
	All  bool     `json:"all,omitempty"`
	To   []string `json:"to,omitempty"` // seats
}

// For returns the seats that can see it now, none for all.
func (p Picture) For() []string {
	if p.All {
		return nil
	}
	return p.To
}
