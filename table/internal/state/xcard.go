package state

import "time"

// XCard is whether an X-card lies on the table.
type XCard struct {
	Seq uint64    `json:"seq,omitempty"` // of the entry that laid it there, 0 for none
	At  time.Time `json:"at,omitzero"`   // since when it's so

	Seconded bool `json:"seconded,omitempty"` // it was raised again while it lay there, so nobody takes it back
}
