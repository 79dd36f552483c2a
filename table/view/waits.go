package view

import "norn/lang"

// Waits says who a table waits for.
type Waits struct {
	Name    string
	Lang    lang.Lang
	Session int  // of dice
	Begun   bool // something has happened in it
	Asked   []WaitsFor
	Seats   []WaitsSeat
}

// WaitsFor is an open question and the seats that may answer it. Openly says whether the others may
// know that it waits.
type WaitsFor struct {
	Question string
	Seats    []string
	Openly   bool
}

// WaitsSeat is a seat that isn't revoked. Pass changes with its link but doesn't open the seat;
// Looks says whether it has a page in the foreground.
type WaitsSeat struct {
	ID, Name, Pass string
	Looks          bool
}
