package state

import (
	"slices"
	"time"

	"norn/dice"
)

// Session is a session of dice: a sealed secret, and the shares that seats added after seeing its
// commitment.
type Session struct {
	N          int         `json:"n"` // from 1
	Commitment string      `json:"commitment"`
	Seal       dice.Secret `json:"-"`    // zero for an imported log, whose secret stayed elsewhere
	From       uint64      `json:"from"` // seq of the entry that sealed it
	Began      time.Time   `json:"began"`
	To         uint64      `json:"to,omitempty"` // seq of the entry that opened it; 0 for the current session
	Seats      []string    `json:"seats,omitempty"`
	Shares     []string    `json:"shares,omitempty"` // of those seats; only ever appended to
	SharedAt   []uint64    `json:"at,omitempty"`     // seqs of the entries that added them
}

// Sessions are the sessions of a table, oldest first.
type Sessions []*Session

// At returns the session of an entry, with the shares that counted then.
func (all Sessions) At(seq uint64) *Session {
	for _, s := range slices.Backward(all) {
		if s.From > seq {
			continue
		}
		n := 0
		for n < len(s.SharedAt) && s.SharedAt[n] < seq {
			n++
		}
		if n == len(s.SharedAt) {
			return s
		}
		then := *s
		then.Seats, then.Shares, then.SharedAt = s.Seats[:n], s.Shares[:n], s.SharedAt[:n]
		return &then
	}
	return nil
}

// ContinueMove returns the move with the dice that the entry with this seq uses: of the session in
// which the move was opened or, after an import, of the session that the import sealed, with the
// shares added by then.
func (all Sessions) ContinueMove(m *Move, seq uint64) *Move {
	now := all.At(seq)
	if now.N == m.Session.N {
		return m
	}
	continued := *m
	continued.Session = now
	return &continued
}

// With returns the sessions with the current one changed.
func (all Sessions) With(change func(*Session)) Sessions { return altered(all, len(all)-1, change) }

// Now returns the current session.
func (all Sessions) Now() *Session { return all[len(all)-1] }
