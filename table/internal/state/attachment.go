package state

import (
	"cmp"
	"slices"
	"time"

	"norn/game"
)

// Attachments are a table's, oldest first.
type Attachments []Attachment

// Attachment says that bytes stand in an entry of the journal: a state holds none. Other entries
// name them by their hash.
type Attachment struct {
	Seq     uint64    `json:"seq"`
	At      time.Time `json:"at"`
	Seat    string    `json:"seat"`
	Request string    `json:"request,omitempty"` // as in its entry
	Use     string    `json:"use"`
	Media   string    `json:"media"`
	Hash    string    `json:"hash"` // SHA-256, 64 hexadecimal digits
	Size    int       `json:"size"`
	Width   int       `json:"width,omitempty"` // of a picture
	Height  int       `json:"height,omitempty"`
}

// Of are those for a use with a hash: who brings the same bytes as somebody else has an attachment of their own.
func (all Attachments) Of(use, hash string) Attachments {
	return slices.DeleteFunc(slices.Clone(all), func(a Attachment) bool { return a.Use != use || a.Hash != hash })
}

// By are those of a seat.
func (all Attachments) By(seat string) Attachments {
	return slices.DeleteFunc(slices.Clone(all), func(a Attachment) bool { return a.Seat != seat })
}

// Bytes is how many they have together.
func (all Attachments) Bytes() int { return game.Total(all, func(a Attachment) int { return a.Size }) }

// Next is the first of them that has at least a seq; false for none.
func (all Attachments) Next(seq uint64) (Attachment, bool) {
	i, _ := slices.BinarySearchFunc(all, seq, func(a Attachment, seq uint64) int { return cmp.Compare(a.Seq, seq) })
	if i == len(all) {
		return Attachment{}, false
	}
	return all[i], true
}
