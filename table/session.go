package table

import (
	"context"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// session is a session of dice: a sealed secret, and the shares that seats
// added after its commitment was shown.
type session struct {
	n          int // from 1
	commitment string
	seal       dice.Secret // zero where a log came from elsewhere and its secret stayed there
	from       uint64      // seq of the entry that sealed it
	began      time.Time
	to         uint64 // seq of the entry that opened it; 0 while it lasts
	seats      []string
	shares     []string // of those seats; only ever appended to
}

// now is the session of the dice that are thrown now.
func (st *state) now() *session { return st.sessions[len(st.sessions)-1] }

// MaxShare is how many characters a share may have.
const MaxShare = 64

// AddShare adds the seat's share to the dice of this session. Moves that are
// opened from then on count with it. Any seat may, spectators too, once a
// session; more is a *RefusedError. A text that isn't 1 to MaxShare printable
// characters is an *InvalidError. Everybody sees it.
func (s *Seat) AddShare(ctx context.Context, share, key string) (Entry, error) {
	return s.entry(ctx, key, "share", share, func(e eye) (draft, error) {
		if err := checkShare(share); err != nil {
			return draft{}, err
		}
		now := e.st.now()
		if slices.Contains(now.seats, e.seat.id) {
			return draft{}, refused("shared", nil)
		}
		return own(KindShare, shareAdded{Session: now.n, Seat: e.seat.id, Share: share})
	})
}

func checkShare(share string) error {
	switch {
	case !utf8.ValidString(share):
		return invalid("share", form.UTF8)
	case share == "":
		return invalid("share", form.Missing)
	case utf8.RuneCountInString(share) > MaxShare:
		return invalid("share", form.TooLong, func(p *form.Problem) { p.Max, p.Given = MaxShare, brief(share) })
	}
	for _, r := range share {
		if !unicode.IsPrint(r) {
			return invalid("share", form.Control)
		}
	}
	return nil
}

// EndSession opens the secret of this session to everybody, so that its dice
// can be derived again, and seals one for the next; only a GM may. It's a
// *RefusedError while a move is open, since that move's dice aren't all thrown.
func (s *Seat) EndSession(ctx context.Context, key string) (Entry, error) {
	return s.entry(ctx, key, "session", nil, func(e eye) (draft, error) {
		if !e.viewer.IsGM() {
			return draft{}, &ForbiddenError{}
		}
		if err := e.nothingOpen(); err != nil {
			return draft{}, err
		}
		next, err := dice.NewSecret(s.host.Entropy)
		if err != nil {
			return draft{}, &UnavailableError{err}
		}
		now := e.st.now()
		return own(KindSession,
			sessionEnded{N: now.n, Secret: now.seal.Reveal(), Commitment: now.seal.Commitment(), Shares: now.given()},
			diceSealed{Secret: next.Reveal(), Commitment: next.Commitment()},
		)
	})
}

// nothingOpen is a refusal that names the moves that are open.
func (e eye) nothingOpen() error {
	if len(e.st.open) == 0 {
		return nil
	}
	names := make([]string, len(e.st.open))
	for i, m := range e.st.open {
		names[i] = e.laterText(m.first)
	}
	return refused("moves-open", data{"Moves": e.voice.List(names)})
}

// given are the shares as an entry holds them.
func (s *session) given() []shareGiven {
	given := make([]shareGiven, len(s.shares))
	for i, share := range s.shares {
		given[i] = shareGiven{Seat: s.seats[i], Share: share}
	}
	return given
}

// session is a session as everybody sees it. Its secret is there once it's over.
func (e eye) session(s *session) Session {
	shown := Session{N: s.n, Commitment: s.commitment, Shares: []Share{}, Began: s.began, From: s.from, To: s.to}
	if s.to > 0 {
		shown.Secret = s.seal.Reveal()
	}
	for i, share := range s.shares {
		given := Share{Seat: s.seats[i], Share: share}
		if seat := e.st.seat(given.Seat); seat != nil {
			given.Name = seat.name
		}
		shown.Shares = append(shown.Shares, given)
	}
	return shown
}

// check is what it takes to derive a move's dice.
func (st *state) check(m *move) *Check {
	c := &Check{
		Table: st.id, Session: m.session.n, Commitment: m.session.commitment, Shares: []string{}, Move: m.id, Nonce: m.nonce,
	}
	c.Shares = append(c.Shares, m.shares...)
	if m.session.to > 0 {
		c.Secret = m.session.seal.Reveal()
	}
	return c
}

// place names a throw of a move in the key of its dice.
func place(part string, throw int) string { return part + "#" + strconv.Itoa(throw) }

// seals tells whether a record that says that it ends a session, opens a table
// or brings one here leaves the table with sealed dice. Else the next throw had no secret.
func (st *state) seals(r *record) bool {
	sealed := func(event rule.Event) bool {
		_, ok := event.(diceSealed)
		return ok
	}
	switch r.Kind {
	case KindOpened:
		return len(st.sessions) == 0 && slices.ContainsFunc(r.events, sealed)
	case KindSession:
		if len(r.events) != 2 || len(st.sessions) == 0 || !sealed(r.events[1]) {
			return false
		}
		ended, ok := r.events[0].(sessionEnded)
		now := st.now()
		return ok && ended.N == now.n && !now.seal.IsZero() && ended.Commitment == now.commitment && ended.Secret == now.seal.Reveal()
	case KindImported:
		return len(r.events) == 2 && len(st.sessions) > 0 && sealed(r.events[1])
	}
	return len(st.sessions) > 0 && !slices.ContainsFunc(r.events, sealed)
}
