package table

import (
	"context"
	"errors"

	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// Recover gives the seat with a recovery code a new secret. The old one stops working and the code
// is used up. The request may be repeated with its key, if it has one.
//
// A missing table, a wrong code and a used one give the same *NotFoundError, also at an unreadable
// table. Other errors are *KeyReusedError, *TooOftenError, *ConflictError and *UnavailableError.
func (h *Host) Recover(ctx context.Context, tableID, code, key string) (none view.Invitation, err error) {
	if err := act.CheckKey("key", key); err != nil {
		return none, err
	}
	code = state.CleanCode(code)
	seat, err := h.seatOfCode(ctx, tableID, code, key != "")
	if err != nil {
		return none, err
	}
	by := author{seat: seat.ID, pays: seat.ID, key: key, eye: func(b ledger.Ledger) (*visibility.Eye, error) {
		return visibility.Of(b, b.Seats.Of(seat.ID), lang.Speaker{}), nil
	}}
	if key != "" {
		by.request = fingerprint("recover", seat.ID)
	}
	r, err := h.write(ctx, tableID, by, func(e *visibility.Eye) (ledger.Draft, error) {
		if !e.Seat.HasCode(code) { // somebody else was first, or a game master ended it
			return ledger.Draft{}, &refusal.NotFoundError{}
		}
		lock, err := state.Invite(code, h.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		return act.RecoverSeat(e, lock)
	})
	if err != nil {
		return none, err
	}
	made := r.Decoded[0].(act.SeatRecovered)
	again := made.Lock.Again(code)
	if again == "" {
		return none, &refusal.NotFoundError{}
	}
	return view.Invitation{ID: made.ID, Role: made.Role, Name: made.Name, Secret: again}, nil
}

// seatOfCode returns the seat with a code; used includes a seat that it has just recovered.
func (h *Host) seatOfCode(ctx context.Context, tableID, code string, used bool) (*state.Seat, error) {
	t, err := h.reach(tableID)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	err = t.ready(ctx)
	if errors.As(err, new(*refusal.UnreadableError)) {
		h.Log.ErrorContext(ctx, "table can't be read", "error", err)
		return nil, &refusal.NotFoundError{}
	}
	if err != nil {
		return nil, err
	}
	t.mu.RLock()
	seats := t.book.Seats
	t.mu.RUnlock()
	found := seats.FindByCode(code, used)
	if found == nil {
		h.readInVain(ctx, t)
		return nil, &refusal.NotFoundError{}
	}
	return found, nil
}

// readInVain reads the journal after a wrong secret, so that it takes as long as a missing table:
// the time reveals nothing.
func (h *Host) readInVain(ctx context.Context, t *live) {
	if h.Poll == 0 {
		_, _ = h.Journal.Read(ctx, t.id, t.seq.Load(), 1)
	}
}

// HasCode reports whether the seat has a recovery code.
func (s *Reader) HasCode(ctx context.Context) (has bool, err error) {
	err = s.look(ctx, func(e *visibility.Eye) error {
		has = e.Seat.Recovery != nil
		return nil
	})
	return has, err
}
