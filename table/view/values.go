package view

import "time"

// Values are what game masters have set for the whole table and every seat sees. An act that sets one adds a member,
// which undo puts back.
type Values struct {
	Next *Planned `json:"next,omitempty"` // when people meet next, nil where nobody has said; undo leaves it
	Room string   `json:"room,omitempty"` // link to where they hear or see each other
}

// Planned is when people meet next.
type Planned struct {
	At   time.Time `json:"at"`
	Zone string    `json:"zone"` // of who said so
	Seq  uint64    `json:"seq"`  // of the entry that says so
	Said time.Time `json:"said"`
}
