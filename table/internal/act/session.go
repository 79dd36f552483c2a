package act

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"norn/dice"
	"norn/form"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// DiceSealed begins a session of dice.
type DiceSealed struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	seal       dice.Secret
}

// SessionEnded opens the secret of a session of dice to everybody. It holds all
// that it takes, so that an entry alone can be checked.
type SessionEnded struct {
	byMasters
	N          int          `json:"n"`
	Secret     string       `json:"secret"`
	Commitment string       `json:"commitment"`
	Shares     []ShareGiven `json:"shares"`
}

// ShareGiven is a seat's share of a session.
type ShareGiven struct {
	Seat  string `json:"seat"`
	Share string `json:"share"`
}

func (DiceSealed) Type() string { return "table.dice-sealed" }

func (SessionEnded) Type() string { return "table.session-ended" }

// seal draws the secret of a session that begins.
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

// Open reads the secret, which must be the one that was committed to.
func (ev DiceSealed) Open() (dice.Secret, error) {
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
func (DiceSealed) judge(*Proposal) error { return nil }

func (ev DiceSealed) Fold(st *state.State, r *state.Record) {
	st.Tallies, st.Drawn = nil, nil
	st.Sessions = append(slices.Clip(st.Sessions), &state.Session{N: len(st.Sessions) + 1, Commitment: ev.Commitment, Seal: ev.seal, From: r.Seq, Began: r.Time})
}

func (ev DiceSealed) Lines(e visibility.Eye) []view.Line {
	const shown = 8 // digits are enough to compare by eye
	return e.Line(ev, "dice-sealed", view.Data{"Commitment": ev.Commitment[:shown]}, view.Data{"commitment": ev.Commitment})
}

// EndSession builds the end of the session that lasts, and the beginning of the next.
func EndSession(e visibility.Eye, entropy io.Reader) (ledger.Draft, error) {
	next, err := seal(entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	now := e.Table.Sessions.Now()
	return draft(e, view.KindSession,
		SessionEnded{N: now.N, Secret: now.Seal.Reveal(), Commitment: now.Seal.Commitment(), Shares: givenShares(now)}, next)
}

// Find holds to the session that lasts, and whose secret is here.
func (ev SessionEnded) Find(b ledger.Ledger, _ *state.Record) error {
	if now := b.Sessions.Now(); ev.N != now.N || now.Seal.IsZero() || ev.Commitment != now.Commitment || ev.Secret != now.Seal.Reveal() {
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
	st.Sessions = st.Sessions.Altered(func(s *state.Session) { s.To = r.Seq })
	if st.Planned.At.Before(r.Time) { // that was this evening
		st.Planned = view.Planned{}
	}
}

func (ev SessionEnded) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "session-ended", view.Data{"N": ev.N, "Secret": ev.Secret},
		view.Data{"n": ev.N, "secret": ev.Secret, "commitment": ev.Commitment, "shares": ev.Shares})
}

// NothingOpen is a refusal that names the moves that are open.
func NothingOpen(e visibility.Eye) error {
	if len(e.Table.OpenMoves) == 0 {
		return nil
	}
	names := make([]string, len(e.Table.OpenMoves))
	for i, m := range e.Table.OpenMoves {
		names[i] = e.MoveText(m.Move)
	}
	return refusal.Refuse("moves-open", view.Data{"Moves": e.Voice.List(names)})
}

// givenShares are the shares as an entry holds them.
func givenShares(s *state.Session) []ShareGiven {
	given := make([]ShareGiven, len(s.Shares))
	for i, share := range s.Shares {
		given[i] = ShareGiven{Seat: s.Seats[i], Share: share}
	}
	return given
}

// WithoutSecret is an entry's body without the secret of the dice that it seals.
func WithoutSecret(stored []byte) ([]byte, error) {
	var b state.Content
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

// ShareAdded is what a seat gives to the dice of a session.
type ShareAdded struct {
	Session int    `json:"session"`
	Seat    string `json:"seat"`
	Share   string `json:"share"`
}

func (ShareAdded) Type() string { return "table.share-added" }

// AddShare builds the seat's share of the session that lasts.
func AddShare(e visibility.Eye, share string) (ledger.Draft, error) {
	return draft(e, view.KindShare, ShareAdded{Session: e.Table.Sessions.Now().N, Seat: e.Seat.ID, Share: share})
}

func (ev ShareAdded) judge(p *Proposal) error {
	if err := checkShare(ev.Share); err != nil {
		return err
	}
	now := p.Table.Sessions.Now()
	if ev.Seat != p.Seat.ID {
		return &refusal.ForbiddenError{}
	}
	if ev.Session != now.N || slices.Contains(now.Seats, ev.Seat) {
		return refusal.Refuse("shared", nil)
	}
	return nil
}

func (ev ShareAdded) Fold(st *state.State, r *state.Record) {
	st.Sessions = st.Sessions.Altered(func(s *state.Session) {
		s.Seats, s.Shares = append(slices.Clip(s.Seats), ev.Seat), append(slices.Clip(s.Shares), ev.Share)
		s.SharedAt = append(slices.Clip(s.SharedAt), r.Seq)
	})
}

func (ev ShareAdded) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "share-added", view.Data{"Name": e.Table.Seats.Name(ev.Seat)}, view.Data{"session": ev.Session, "seat": ev.Seat, "share": ev.Share})
}

func checkShare(share string) error {
	switch {
	case !utf8.ValidString(share):
		return refusal.Invalid("share", form.UTF8)
	case share == "":
		return refusal.Invalid("share", form.Missing)
	case utf8.RuneCountInString(share) > request.MaxShare:
		return refusal.Invalid("share", form.TooLong, func(p *form.Problem) { p.Max, p.Given = request.MaxShare, refusal.Brief(share) })
	}
	for _, r := range share {
		if !unicode.IsPrint(r) {
			return refusal.Invalid("share", form.Control)
		}
	}
	return nil
}

// sessionPlanned says when people meet next; the zero time, that it isn't known. The zone is that of who says so, for the log.
type sessionPlanned struct {
	byMasters
	At   time.Time `json:"at,omitzero"`
	Zone string    `json:"zone,omitempty"`
}

func (sessionPlanned) Type() string { return "table.session-planned" }

// Between these years people meet.
var plannedFrom, plannedTo = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// Plan builds the date of the next session, to the minute.
func Plan(e visibility.Eye, at time.Time) (ledger.Draft, error) {
	planned := sessionPlanned{}
	if !at.IsZero() {
		planned = sessionPlanned{At: at.UTC().Truncate(time.Minute), Zone: at.Location().String()}
		if at.Location() == time.Local {
			planned.Zone = "UTC"
		}
	}
	return draft(e, view.KindPlanned, planned)
}

func (ev sessionPlanned) judge(p *Proposal) error {
	if ev.At.IsZero() {
		return refusal.Same(ev.Zone, "")
	}
	if ev.At.Before(plannedFrom) || !ev.At.Before(plannedTo) {
		return refusal.Invalid("at", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = plannedFrom.Year(), plannedTo.Year()-1, ev.At.Format(time.DateOnly)
		})
	}
	if _, err := time.LoadLocation(ev.Zone); err != nil || len(ev.Zone) > 64 || ev.Zone == "Local" {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "its time zone isn't known"})
	}
	return refusal.Same(ev.At.Format(time.RFC3339Nano), ev.At.UTC().Truncate(time.Minute).Format(time.RFC3339Nano))
}

func (ev sessionPlanned) Fold(st *state.State, r *state.Record) {
	st.Planned = view.Planned{At: ev.At, Zone: ev.Zone, Seq: r.Seq, Said: r.Time}
}

func (ev sessionPlanned) Lines(e visibility.Eye) []view.Line {
	if ev.At.IsZero() {
		return e.Line(ev, "session-unplanned", nil, nil)
	}
	zone, err := time.LoadLocation(ev.Zone)
	if err != nil {
		zone = time.UTC
	}
	return e.Line(ev, "session-planned", view.Data{"Time": e.Voice.Time(ev.At, zone), "Zone": zone.String()}, view.Data{"at": ev.At, "zone": ev.Zone})
}
