package table

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"norn/dice"
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
	at         []uint64 // seqs of the entries that added them
}

// sessions are a table's, oldest first.
type sessions []*session

// at is the session in which an entry stands, with the shares that counted then.
func (all sessions) at(seq uint64) *session {
	for _, s := range slices.Backward(all) {
		if s.from > seq {
			continue
		}
		n := 0
		for n < len(s.at) && s.at[n] < seq {
			n++
		}
		then := *s
		then.seats, then.shares, then.at = s.seats[:n], s.shares[:n], s.at[:n]
		return &then
	}
	return nil
}

// now is the session of the dice that are thrown now.
func (all sessions) now() *session { return all[len(all)-1] }

// diceSealed begins a session of dice.
type diceSealed struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	seal       dice.Secret
}

// sessionEnded opens the secret of a session of dice to everybody. It holds all
// that it takes, so that an entry alone can be checked.
type sessionEnded struct {
	N          int          `json:"n"`
	Secret     string       `json:"secret"`
	Commitment string       `json:"commitment"`
	Shares     []shareGiven `json:"shares"`
}

type shareGiven struct {
	Seat  string `json:"seat"`
	Share string `json:"share"`
}

func (diceSealed) Type() string   { return "table.dice-sealed" }
func (sessionEnded) Type() string { return "table.session-ended" }

// seal draws the secret of a session that begins.
func seal(entropy io.Reader) (diceSealed, error) {
	secret, err := dice.NewSecret(entropy)
	if err != nil {
		return diceSealed{}, &UnavailableError{err}
	}
	return diceSealed{Secret: secret.Reveal(), Commitment: secret.Commitment(), seal: secret}, nil
}

func (ev diceSealed) restore(*state) (rule.Event, error) {
	var err error
	ev.seal, err = ev.open()
	return ev, err
}

// open reads the secret, which must be the one that was committed to.
func (ev diceSealed) open() (dice.Secret, error) {
	if ev.Secret == "" { // of an import: whoever has the secret is elsewhere
		if sum, err := hex.DecodeString(ev.Commitment); err != nil || len(sum) != sha256.Size {
			return dice.Secret{}, errors.New("a commitment is 64 hexadecimal digits")
		}
		return dice.Secret{}, nil
	}
	seal, err := dice.ParseSecret(ev.Secret)
	if err == nil && ev.Commitment != seal.Commitment() {
		err = errors.New("the secret of the dice isn't the one that was committed to")
	}
	return seal, err
}

// judge is that of the act with which it comes.
func (diceSealed) judge(*proposal) error { return nil }

func (ev diceSealed) fold(st *state, r *record) {
	st.tallies = nil
	st.sessions = append(slices.Clip(st.sessions), &session{n: len(st.sessions) + 1, commitment: ev.Commitment, seal: ev.seal, from: r.Seq, began: r.Time})
}

func (ev diceSealed) lines(e eye) []Line {
	const shown = 8 // digits are enough to compare by eye
	return e.line(ev, "dice-sealed", data{"Commitment": ev.Commitment[:shown]}, data{"commitment": ev.Commitment})
}

func endSession(e eye, entropy io.Reader) (draft, error) {
	next, err := seal(entropy)
	if err != nil {
		return draft{}, err
	}
	now := e.st.sessions.now()
	return draftActs(e, KindSession,
		sessionEnded{N: now.n, Secret: now.seal.Reveal(), Commitment: now.seal.Commitment(), Shares: givenShares(now)}, next)
}

// find holds to the session that lasts, and whose secret is here.
func (ev sessionEnded) find(b ledger, _ *record) error {
	if now := b.sessions.now(); ev.N != now.n || now.seal.IsZero() || ev.Commitment != now.commitment || ev.Secret != now.seal.Reveal() {
		return errUnsealed
	}
	return nil
}

func (ev sessionEnded) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if err := nothingOpen(p.eye); err != nil {
		return err
	}
	if !slices.Equal(ev.Shares, givenShares(p.st.sessions.now())) {
		return misfit(MisfitShares, nil)
	}
	return nil
}

func (sessionEnded) fold(st *state, r *record) { st.alterNow(func(s *session) { s.to = r.Seq }) }

func (ev sessionEnded) lines(e eye) []Line {
	return e.line(ev, "session-ended", data{"N": ev.N, "Secret": ev.Secret},
		data{"n": ev.N, "secret": ev.Secret, "commitment": ev.Commitment, "shares": ev.Shares})
}

// alterNow changes the session that lasts.
func (st *state) alterNow(change func(*session)) {
	st.sessions = altered(st.sessions, len(st.sessions)-1, change)
}

var errUnsealed = errors.New("it doesn't leave the dice sealed")

// nothingOpen is a refusal that names the moves that are open.
func nothingOpen(e eye) error {
	if len(e.st.open) == 0 {
		return nil
	}
	names := make([]string, len(e.st.open))
	for i, m := range e.st.open {
		names[i] = e.moveText(m.move)
	}
	return refused("moves-open", data{"Moves": e.voice.List(names)})
}

// given are the shares as an entry holds them.
func givenShares(s *session) []shareGiven {
	given := make([]shareGiven, len(s.shares))
	for i, share := range s.shares {
		given[i] = shareGiven{Seat: s.seats[i], Share: share}
	}
	return given
}

// session is a session as everybody sees it. Its secret is there once it's over.
func sessionSeen(e eye, s *session) Session {
	shown := Session{N: s.n, Commitment: s.commitment, Shares: []Share{}, Began: s.began, From: s.from, To: s.to}
	if s.to > 0 {
		shown.Secret = s.seal.Reveal()
	}
	for i, share := range s.shares {
		given := Share{Seat: s.seats[i], Share: share}
		if seat := e.st.seats.of(given.Seat); seat != nil {
			given.Name = seat.name
		}
		shown.Shares = append(shown.Shares, given)
	}
	return shown
}

// check is what it takes to derive a move's dice.
func checkOf(st *state, m *move) *Check {
	c := &Check{
		Table: st.id, Session: m.session.n, Commitment: m.session.commitment, Shares: []string{}, Move: m.id, Nonce: m.nonce,
	}
	c.Shares = append(c.Shares, m.session.shares...)
	if st.sessions[m.session.n-1].to > 0 {
		c.Secret = m.session.seal.Reveal()
	}
	return c
}

// place names a throw of a move in the key of its dice.
func place(part string, throw int) string { return part + "#" + strconv.Itoa(throw) }

// closed is an entry's body without the secret of the dice that it seals.
func closed(stored []byte) ([]byte, error) {
	var b body
	if err := json.Unmarshal(stored, &b); err != nil {
		return nil, err
	}
	b.Events = slices.Clone(b.Events)
	for i, event := range b.Events {
		if event.Type != (diceSealed{}).Type() {
			continue
		}
		var sealed diceSealed
		if err := json.Unmarshal(event.Data, &sealed); err != nil {
			return nil, err
		}
		data, err := json.Marshal(diceSealed{Commitment: sealed.Commitment})
		if err != nil {
			return nil, err
		}
		b.Events[i].Data = data
	}
	return json.Marshal(b)
}
