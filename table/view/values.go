package view

import "time"

// Values holds settings that game masters make for the whole table and every seat sees. An act that
// sets one adds a member, and undo restores it.
type Values struct {
	// time of the next session, nil if nobody has set it; undo doesn't change it
	Next *Planned `json:"next,omitempty"`
	Room string   `json:"room,omitempty"` // link to a voice or video room
}

// Planned is the time of the next session.
type Planned struct {
	At   time.Time `json:"at"`
	Zone string    `json:"zone"` // time zone of the seat that set it
	Seq  uint64    `json:"seq"`  // of the entry that set it
	Said time.Time `json:"said"`
}
