package table

import (
	"context"
	"crypto/sha256"
	"sync/atomic"

	"norn/game"
	"norn/lang"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// Seat is somebody at a table. Every operation is made as that seat and shows
// only what it may see. A Seat holds no resources; it may be kept as long as
// its link is good and used from any goroutine.
//
// Enter finds all that stands in the journal at that moment; what comes after is
// found as this node hears of it, Config.Poll late at most where somebody watches. Whoever
// must find what another node has just written enters again, as each request does.
//
// Besides the errors named at each method, all return *NotFoundError once the
// seat's link is no longer good, *UnavailableError and *UnreadableError.
// Those that write also return *KeyReusedError and *ConflictError, and
// *ForbiddenError where the seat's role may not do it.
type Seat struct {
	Reader
	secret func() string // behind a function, so that printing a Seat can't show it
}

// Reader is what a seat may ask: nothing that changes the table.
type Reader struct {
	host    *Host
	table   string
	id      string
	role    game.Role
	game    *game.Game
	key     [sha256.Size]byte // the secret's hash
	speaker lang.Speaker

	shown *atomic.Pointer[string] // who was online in its last View, so that Watch goes on from there
	still *still                  // what it answers from; nil for the table as it is when it's asked
}

// ID is the seat's id, "s1".
func (s *Reader) ID() string { return s.id }

// Table is the table's id.
func (s *Reader) Table() string { return s.table }

// Role is what the seat may do.
func (s *Reader) Role() game.Role { return s.role }

// Game is what is played at the table.
func (s *Reader) Game() *game.Game { return s.game }

// Beside are the ids of the seats that secrets of this table open, as many as
// secrets; "" for one that opens nothing. Who asks has a seat, so this tells
// nobody whether there is such a table.
func (s *Reader) Beside(ctx context.Context, secrets []string) ([]string, error) {
	ids := make([]string, len(secrets))
	err := s.look(ctx, func(e visibility.Eye) error {
		for i, secret := range secrets {
			if found := e.Table.Seats.Opened(sha256.Sum256([]byte(secret))); found != nil {
				ids[i] = found.ID
			}
		}
		return nil
	})
	return ids, err
}

// entry writes and shows what was written.
func (s *Seat) entry(ctx context.Context, key, op string, request any, plan func(visibility.Eye) (ledger.Draft, error)) (view.Entry, error) {
	r, err := s.write(ctx, key, op, request, plan)
	if err != nil {
		return view.Entry{}, err
	}
	var shown view.Entry
	told := false
	err = s.look(ctx, func(e visibility.Eye) error {
		shown, told = projection.Entry(e, r)
		return nil
	})
	if refusal.IsGone(err) || err == nil && !told { // the seat has just taken itself away, or nothing is told of what changed nothing
		return view.Entry{
			Seq: r.Seq, Time: r.Time, Kind: r.Kind, Seat: view.Author{ID: s.id}, Throws: []view.Throw{}, Lines: []view.Line{}, Questions: []view.Asked{}, Done: true, Rules: r.Rules, Edition: r.Edition,
		}, nil
	}
	return shown, err
}

// Still has f ask a seat that answers all that it's asked from one revision, however the table goes on meanwhile. f only
// asks, and keeps no hold of that seat.
func (s *Seat) Still(ctx context.Context, f func(*Seat) error) error {
	return s.within(ctx, func(now still) error {
		at := *s
		at.still = &now
		return f(&at)
	})
}
