package request

import (
	"time"
)

// MaxCalls is how many calls a table may have open.
const MaxCalls = 50

// MostEntries is how many entries Log and Last give at once.
const MostEntries = 1000

// Searches is how long a search goes on: then it says what it has found, and how far it has looked.
const Searches = 80 * time.Millisecond

// Limits of notes.
const (
	MaxNotes = 200
	MaxNote  = 10000 // characters of one
)

// MaxClocks is how many clocks a table has.
const MaxClocks = 30

// Limits of a table.
const (
	MaxSeats      = 100
	MaxCharacters = 200
	MaxSheet      = 128 << 10 // bytes of one in JSON: each change keeps the whole sheet
	// of all together, as far as somebody adds to a large one: who looks at the table is shown all
	MaxSheets = 2 << 20
)

// Limits of attachments.
const (
	MaxAttachment     = 512 << 10 // bytes of one
	MaxAttachments    = 300       // of a table
	MaxAttached       = 32 << 20  // bytes of all together
	MaxOwnAttachments = 30        // of one player
	MaxOwnAttached    = 8 << 20
)

// MaxShare is how many characters a share may have.
const MaxShare = 64

// MaxTalk is how many characters may be said at once.
const MaxTalk = 2000
