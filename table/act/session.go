package act

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"norn/dice"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// DiceSealed begins a session of dice.
type DiceSealed struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	seal       dice.Secret
}

// SessionEnded opens the secret of a session of dice to everybody. It has everything that is needed
// to check them without earlier entries.
type SessionEnded struct {
	byMasters
	N          int          `json:"n"`
	Secret     string       `json:"secret"`
	Commitment string       `json:"commitment"`
	Shares     []ShareGiven `json:"shares"`
}

func (DiceSealed) Type() string { return "table.dice-sealed" }

func (SessionEnded) Type() string { return "table.session-ended" }

// seal draws the secret of a new session.
func seal(entropy io.Reader) (DiceSealed, error) {
	secret, err := dice.NewSecret(entropy)
	if err != nil {
		return DiceSealed{}, &refusal.UnavailableError{Err: err}
	}
	return DiceSealed{Secret: secret.Reveal(), Commitment: secret.Commitment(), seal: secret}, nil
}

func (ev DiceSealed) Restore(*state.State) (rule.Event, error) {
	var err error
	ev.seal, err = ev.Open()
	return ev, err
}

// Open reads the secret and checks it against the commitment.
func (ev DiceSealed) Open() (dice.Secret, error) {
	if ev.Secret == "" { // an import, without the secret
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

// judge accepts it: the act that comes with it is checked.
func (DiceSealed) judge(*Proposal) error { return nil }

func (ev DiceSealed) Fold(st *state.State, r *state.Record) {
	st.Tallies, st.Drawn = nil, nil
	st.Sessions = append(slices.Clip(st.Sessions),
		&state.Session{N: len(st.Sessions) + 1, Commitment: ev.Commitment, Seal: ev.seal, From: r.Seq, Began: r.Time})
	st.TallyOpen()
}

func (ev DiceSealed) Lines(e *visibility.Eye) []view.Line {
	const shown = 8 // enough digits to compare by eye
	return e.Line(ev, "dice-sealed", view.Data{"Commitment": ev.Commitment[:shown]},
		view.Data{"commitment": ev.Commitment})
}

// EndSession opens the secret of the current session to everybody, so that its dice can be derived
// again, and seals one for the next. No move may be open, because it may still roll.
var EndSession = Define(Spec[Nothing, view.Entry]{
	Name: "end-session", Op: "session",
	Route: Route{
		Method: "POST", Path: "/session", Tag: "dice", Body: keyOnly,
		Summary: "End the session of the dice",
		Text: "Its secret is opened to everybody, so that all its dice can be derived again, and a new one is sealed. Only a game " +
			"master may, and only while no move is open.",
		Example: map[string]any{"key": "6b1d"},
	},
	Key: nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) {
		next, err := seal(c.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		now := c.Table.Sessions.Now()
		return draft(c.Eye, view.KindSession,
			SessionEnded{
				N: now.N, Secret: now.Seal.Reveal(), Commitment: now.Seal.Commitment(),
				Shares: givenShares(now),
			}, next)
	},
})

// Find checks that the event ends the current session, whose secret this norn has.
func (ev SessionEnded) Find(b ledger.Ledger, _ *state.Record) error {
	if now := b.Sessions.Now(); ev.N != now.N || now.Seal.IsZero() || ev.Commitment != now.Commitment ||
		ev.Secret != now.Seal.Reveal() {
		return ledger.ErrUnsealed
	}
	return nil
}

func (ev SessionEnded) judge(p *Proposal) error {
	if err := NothingOpen(p.Eye); err != nil {
		return err
	}
	if !slices.Equal(ev.Shares, givenShares(p.Table.Sessions.Now())) {
		return refusal.Misfit(refusal.MisfitShares, nil)
	}
	return nil
}

func (SessionEnded) Fold(st *state.State, r *state.Record) {
	st.Sessions = st.Sessions.With(func(s *state.Session) { s.To = r.Seq })
	if next := st.Values.Next; next != nil && next.At.Before(r.Time) { // that was this session
		st.Values.Next = nil
	}
}

func (ev SessionEnded) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "session-ended", view.Data{"N": ev.N, "Secret": ev.Secret},
		view.Data{"n": ev.N, "secret": ev.Secret, "commitment": ev.Commitment, "shares": ev.Shares})
}

// NothingOpen refuses while moves are open, and names them.
func NothingOpen(e *visibility.Eye) error { return refuseOpen(e, e.Table.OpenMoves) }

// NothingSealed refuses while moves are open that collect sealed answers, and names them.
func NothingSealed(e *visibility.Eye) error {
	return refuseOpen(e, slices.DeleteFunc(slices.Clone(e.Table.OpenMoves), func(m *state.OpenMove) bool {
		return !m.IsSealed()
	}))
}

func refuseOpen(e *visibility.Eye, open state.OpenMoves) error {
	if len(open) == 0 {
		return nil
	}
	names := make([]string, len(open))
	for i, m := range open {
		names[i] = e.MoveText(m.Move)
	}
	return refusal.Refuse("moves-open", view.Data{"Moves": e.Voice.List(names)})
}

// WithoutSecret returns an entry's body without the secret of dice in it.
func WithoutSecret(stored []byte) ([]byte, error) {
	var b state.EntryBody
	if err := json.Unmarshal(stored, &b); err != nil {
		return nil, err
	}
	b.Events = slices.Clone(b.Events)
	for i, event := range b.Events {
		if event.Type != (DiceSealed{}).Type() {
			continue
		}
		var sealed DiceSealed
		if err := json.Unmarshal(event.Data, &sealed); err != nil {
			return nil, err
		}
		data, err := json.Marshal(DiceSealed{Commitment: sealed.Commitment})
		if err != nil {
			return nil, err
		}
		b.Events[i].Data = data
	}
	return json.Marshal(b)
}
