package state

import (
	"cmp"
	"slices"
	"time"

	"norn/game"
)

// Attachments are the attachments of a table, oldest first.
type Attachments []Attachment

// Attachment describes bytes that are in an entry of the journal; the state itself has none. Other
// entries name them by their hash.
type Attachment struct {
	Seq     uint64    `json:"seq"`
	At      time.Time `json:"at"`
	Seat    string    `json:"seat"`
	Request string    `json:"request,omitempty"` // as in its entry
	Use     string    `json:"use"`
	Media   string    `json:"media"`
	Hash    string    `json:"hash"` // SHA-256, 64 hexadecimal digits
	Size    int       `json:"size"`
	Width   int       `json:"width,omitempty"` // of a picture; of a list, its columns and rows
	Height  int       `json:"height,omitempty"`
}

// Of returns the attachments for a use with a hash. The same bytes uploaded by two seats are two
// attachments.
func (all Attachments) Of(use, hash string) Attachments {
	return slices.DeleteFunc(slices.Clone(all), func(a Attachment) bool { return a.Use != use || a.Hash != hash })
}

// By returns the attachments of a seat.
func (all Attachments) By(seat string) Attachments {
	return slices.DeleteFunc(slices.Clone(all), func(a Attachment) bool { return a.Seat != seat })
}

// Bytes returns the size of all together.
func (all Attachments) Bytes() int { return game.Total(all, func(a Attachment) int { return a.Size }) }

// Next returns the first attachment with at least a seq; false for none.
func (all Attachments) Next(seq uint64) (Attachment, bool) {
	i, _ := slices.BinarySearchFunc(all, seq, func(a Attachment, seq uint64) int { return cmp.Compare(a.Seq, seq) })
	if i == len(all) {
		return Attachment{}, false
	}
	return all[i], true
}
