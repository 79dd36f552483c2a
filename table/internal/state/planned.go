package state

import "time"

// Planned is when people meet next.
type Planned struct {
	At   time.Time `json:"at"` // the zero time: nobody has said
	Zone string    `json:"zone"`
	Seq  uint64    `json:"seq"`  // of the entry that says so
	Said time.Time `json:"said"` // its time
}
