package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync/atomic"

	"norn/lang"
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
// Those that write also return *KeyReusedError and *ConflictError, *TooOftenError where the seat
// writes more often than Config.Writes lets it, and *ForbiddenError where the seat's role may not do it.
type Seat struct {
	Reader
	secret func() string // behind a function, so that printing a Seat can't show it
}

// Enter takes the seat that a secret opens; l is the reader's language. A
// table that isn't there, a wrong secret and a revoked seat are the same
// *NotFoundError, at a table that can't be read too, as far as its seats could
// be; where its game is missing, its seats are told so by an *UnreadableError. Other errors are
// *UnavailableError and *UnreadableError.
func (h *Host) Enter(ctx context.Context, tableID, secret string, l lang.Lang) (*Seat, error) {
	t, err := h.reach(tableID)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	err = t.ready(ctx)
	key := sha256.Sum256([]byte(secret))
	t.mu.RLock()
	found, book := t.book.Seats.FindByKey(key), t.book.State
	t.mu.RUnlock()
	// a seat isn't known, maybe nobody's is
	if unreadable := (*refusal.UnreadableError)(nil); errors.As(err, &unreadable) && found == nil {
		h.Log.ErrorContext(ctx, "table can't be read", "error", err)
		if unreadable.Game() == "" {
			return nil, &refusal.NotFoundError{}
		}
		switch known, wrong := t.opensWithoutGame(ctx, key); { // to a seat of the table it's said which game is missing
		case wrong != nil:
			return nil, wrong
		case !known:
			return nil, &refusal.NotFoundError{}
		}
	}
	if err != nil {
		return nil, err
	}
	if found == nil {
		if h.Poll == 0 { // a table that isn't there costs a look into the journal: so does a wrong secret
			_, _ = h.Journal.Read(ctx, tableID, t.seq.Load(), 1)
		}
		return nil, &refusal.NotFoundError{}
	}
	return &Seat{
		Reader: Reader{
			seatIdentity: seatIdentity{
				table: tableID, id: found.ID, role: found.Role, game: book.Game,
				speaker: book.Speak(h.Words.In(l)),
			},
			host: h, key: key, present: &atomic.Pointer[string]{},
		},
		secret: func() string { return secret },
	}, nil
}

// AtRevision has f ask a seat that answers all that it's asked from one revision, however the table
// goes on meanwhile. f only asks, and keeps no hold of that seat.
func (s *Seat) AtRevision(ctx context.Context, f func(*Seat) error) error {
	return s.within(ctx, func(now atRevision) error {
		at := *s
		at.at = &now
		return f(&at)
	})
}

// Spend asks the seat's write limit for a change that no entry of the table's log tells of, such as
// where the seat wants to be called. The error is a *refusal.TooOftenError.
func (s *Seat) Spend() error { return s.host.spend(s.table, s.id) }

// attachText has the text of the table's game stand at it, where the game is one: whoever has the
// table's file has its rules.
func attachText(ctx context.Context, s *Seat) error {
	source := s.game.Now().Source
	if source == nil {
		return nil
	}
	_, err := s.Attach(ctx, view.UseText, "application/json", source, "")
	return err
}
