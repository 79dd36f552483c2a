package view

import "norn/lang"

// Waits is for whom a table waits.
type Waits struct {
	Name    string
	Lang    lang.Lang
	Session int  // of dice
	Begun   bool // something has happened in it
	Asked   []WaitsFor
	Seats   []WaitsSeat
}

// WaitsFor is an open question and whose it is; Openly tells whether the others may know that it waits.
type WaitsFor struct {
	Question string
	Seats    []string
	Openly   bool
}

// WaitsSeat is a seat that wasn't revoked. Pass changes with its link and opens nothing; Looks
// tells whether it has a page in front.
type WaitsSeat struct {
	ID, Name, Pass string
	Looks          bool
}
