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

// Seat is a seat at a table, as its link opens it. Every operation is made as that seat and shows
// only what it may see. A Seat holds no resources; it may be used from any goroutine, while its
// link is valid.
//
// Enter reads everything that is in the journal at that moment. Later entries are found when this
// node is notified of them, or after Config.Poll at most if somebody watches. A client that must find
// what another node has just written enters again, as each request does.
//
// In addition to the errors of each method, all return *NotFoundError once the seat's link isn't
// valid any more, *UnavailableError and *UnreadableError. Those that write also return
// *KeyReusedError and *ConflictError, *TooOftenError if the seat writes more often than
// Config.Writes allows, and *ForbiddenError if the seat's role may not do it.
type Seat struct {
	Reader
	secret func() string // a function, so that printing a Seat can't show the secret
}

// Enter returns the seat that a secret opens; l is the reader's language, "" for the table's. A missing table, a wrong
// secret and a revoked seat give the same *NotFoundError, also at an unreadable table whose seats
// couldn't be read. If the table's game is missing, its seats get an *UnreadableError that says so.
// Other errors are *UnavailableError and *UnreadableError.
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
	// the seat isn't known, perhaps because none could be read
	if unreadable, ok := errors.AsType[*refusal.UnreadableError](err); ok && found == nil {
		h.Log.ErrorContext(ctx, "table can't be read", "error", err)
		if unreadable.Game() == "" {
			return nil, &refusal.NotFoundError{}
		}
		// only a seat of the table learns which game is missing
		switch known, wrong := t.opensWithoutGame(ctx, key); {
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
		h.readInVain(ctx, t)
		return nil, &refusal.NotFoundError{}
	}
	if l == "" {
		l = book.Lang
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

// AtRevision calls f with a seat that answers everything from one revision, even if the table
// changes meanwhile. f may only read, and must not keep the seat.
func (s *Seat) AtRevision(ctx context.Context, f func(*Seat) error) error {
	return s.within(ctx, func(now atRevision) error {
		at := *s
		at.at = &now
		return f(&at)
	})
}

// Spend charges the seat's write limit for a change that isn't an entry of the table, such as where
// to send its notifications. The error is a *refusal.TooOftenError.
func (s *Seat) Spend() error { return s.host.spend(s.table, s.id) }

// attachText stores the text of an own game at its table, so that the table's file includes its
// rules.
func attachText(ctx context.Context, s *Seat) error {
	source := s.game.Now().Source
	if source == nil {
		return nil
	}
	_, err := s.Attach(ctx, view.UseText, "application/json", source, "")
	return err
}
