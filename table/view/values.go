package view

import "time"

// Values holds settings that game masters make for the whole table and every seat sees. An act that
// sets one adds a member, and undo restores it.
type Values struct {
	// time of the next session, nil if nobody has set it; undo doesn't change it
	Next *Planned `json:"next,omitempty"`
	Room string   `json:"room,omitempty"` // link to a voice or video room
	// how plain dice are read, one of dice.Dialects; "" as the editions before dice.Newest do
	Notation string `json:"notation,omitempty"`
	// set while a game master has deleted the table and can still call it back
	Deleted *Deleted `json:"deleted,omitempty"`
}

// Deleted says that the table will be removed for good.
type Deleted struct {
	At    time.Time `json:"at"`
	Until time.Time `json:"until"` // until then it can be called back
	Seq   uint64    `json:"seq"`   // of the entry that says so
}

// Planned is the time of the next session.
type Planned struct {
	At   time.Time `json:"at"`
	Zone string    `json:"zone"` // time zone of the seat that set it
	Seq  uint64    `json:"seq"`  // of the entry that set it
	Said time.Time `json:"said"`
}
