package state

import (
	"slices"
	"time"

	"norn/dice"
)

// Session is a session of dice: a sealed secret, and the shares that seats
// added after its commitment was shown.
type Session struct {
	N          int // from 1
	Commitment string
	Seal       dice.Secret // zero where a log came from elsewhere and its secret stayed there
	From       uint64      // seq of the entry that sealed it
	Began      time.Time
	To         uint64 // seq of the entry that opened it; 0 while it lasts
	Seats      []string
	Shares     []string // of those seats; only ever appended to
	SharedAt   []uint64 // seqs of the entries that added them
}

// Sessions are a table's, oldest first.
type Sessions []*Session

// At is the session in which an entry stands, with the shares that counted then.
func (all Sessions) At(seq uint64) *Session {
	for _, s := range slices.Backward(all) {
		if s.From > seq {
			continue
		}
		n := 0
		for n < len(s.SharedAt) && s.SharedAt[n] < seq {
			n++
		}
		then := *s
		then.Seats, then.Shares, then.SharedAt = s.Seats[:n], s.Shares[:n], s.SharedAt[:n]
		return &then
	}
	return nil
}

// ContinueMove returns a move as the entry with this seq carries it on: with the dice of the
// session in which it was opened or, where the table was imported since, with those of the session
// that the import sealed and the shares given to it by then.
func (all Sessions) ContinueMove(m *Move, seq uint64) *Move {
	now := all.At(seq)
	if now.N == m.Session.N {
		return m
	}
	continued := *m
	continued.Session = now
	return &continued
}

// With are they with the one that lasts changed.
func (all Sessions) With(change func(*Session)) Sessions { return altered(all, len(all)-1, change) }

// Now is the session of the dice that are thrown now.
func (all Sessions) Now() *Session { return all[len(all)-1] }
