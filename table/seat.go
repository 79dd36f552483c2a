package table

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"norn/game"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
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
	Player
	secret func() string // behind a function, so that printing a Seat can't show it
}

// Enter takes the seat that a secret opens; l is the reader's language. A
// table that isn't there, a wrong secret and a revoked seat are the same
// *NotFoundError, at a table that can't be read too, as far as its seats could
// be; where its game is missing, its seats are told so by an *UnreadableError. Other errors are *UnavailableError and *UnreadableError.
func (h *Host) Enter(ctx context.Context, tableID, secret string, l lang.Lang) (*Seat, error) {
	t, err := h.reach(tableID)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	err = t.ready(ctx)
	key := sha256.Sum256([]byte(secret))
	t.mu.RLock()
	found, book := t.book.Seats.Opened(key), t.book.State
	t.mu.RUnlock()
	if unreadable := (*refusal.UnreadableError)(nil); errors.As(err, &unreadable) && found == nil { // a seat isn't known, maybe nobody's is
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
		Player: Player{Reader{
			seatIdentity: seatIdentity{table: tableID, id: found.ID, role: found.Role, game: book.Game, speaker: book.Speak(h.Words.In(l))},
			host:         h, key: key, present: &atomic.Pointer[string]{},
		}},
		secret: func() string { return secret },
	}, nil
}

// AtRevision has f ask a seat that answers all that it's asked from one revision, however the table goes on meanwhile. f only
// asks, and keeps no hold of that seat.
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

// What only game masters may do.

// AddSeat invites somebody; only a GM may. Errors are *InvalidError and
// *TooManyError. A repeated request gives the same secret, unless a link
// was renewed in between.
func (s *Seat) AddSeat(ctx context.Context, r request.NewSeat) (view.Invitation, error) {
	rec, err := s.write(ctx, r.Key, "seat", []string{r.Name, string(r.Role)}, func(e visibility.Eye) (ledger.Draft, error) {
		return act.AddSeat(e, r, s.secret(), s.host.Entropy)
	})
	if err != nil {
		return view.Invitation{}, err
	}
	added := rec.Decoded[0].(act.SeatAdded)
	return view.Invitation{ID: added.ID, Role: added.Role, Name: added.Name, Secret: added.Lock.Again(s.secret())}, nil
}

// RenewSeat gives a seat a new secret; the old link opens nothing from then
// on. Only a GM may. A GM who renews their own must go on with the new one.
func (s *Seat) RenewSeat(ctx context.Context, id, key string) (view.Invitation, error) {
	rec, err := s.write(ctx, key, "renew", id, func(e visibility.Eye) (ledger.Draft, error) {
		return act.RenewSeat(e, id, s.secret(), s.host.Entropy)
	})
	if err != nil {
		return view.Invitation{}, err
	}
	renewed := rec.Decoded[0].(act.SeatRenewed)
	return view.Invitation{ID: renewed.ID, Role: renewed.Role, Name: renewed.Name, Secret: renewed.Lock.Again(s.secret())}, nil
}

// RevokeSeat takes a seat away; its link opens nothing from then on. Only a GM
// may; the last GM stays, which is a *RefusedError. Its characters stay, with
// nobody to play them.
func (s *Seat) RevokeSeat(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "revoke", id, func(e visibility.Eye) (ledger.Draft, error) { return act.RevokeSeat(e, id) })
}

// Call asks for a move; only a GM may. What it fixes binds: until it's met or
// withdrawn, a player's move of that kind with that character has those arguments,
// and one that leaves them out gets them. It's met by the next such move, and open
// again if that move is undone.
// Errors are *InvalidError and *TooManyError.
func (s *Seat) Call(ctx context.Context, c request.Call) (view.Entry, error) {
	key := c.Key
	c.Key = ""
	return s.writeEntry(ctx, key, "call", c, func(e visibility.Eye) (ledger.Draft, error) { return act.Call(e, c) })
}

// WithdrawCall takes a call back; only a GM may. The error is an *InvalidError for
// one that isn't open.
func (s *Seat) WithdrawCall(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "withdraw", id, func(e visibility.Eye) (ledger.Draft, error) { return act.WithdrawCall(e, id) })
}

// Configure changes house rules and settings by a JSON merge patch; only a GM
// may. Open moves go on with those they began with. The error is *InvalidError.
func (s *Seat) Configure(ctx context.Context, settings json.RawMessage, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "settings", settings, func(e visibility.Eye) (ledger.Draft, error) { return act.Configure(e, settings) })
}

// TakeEdition has the table played by this norn's edition of the rules from now on; only a GM may. Open moves go on by them;
// those that can't, View.Stranded, are cancelled with it: what they changed is as it was before. It's a *RefusedError where
// no newer edition is to be had.
func (s *Seat) TakeEdition(ctx context.Context, key string) (view.Entry, error) {
	if s.role == game.Master {
		if err := attachText(ctx, s); err != nil {
			return view.Entry{}, err
		}
	}
	return s.writeEntry(ctx, key, "edition", nil, func(e visibility.Eye) (ledger.Draft, error) { return act.TakeEdition(e) })
}

// EndSession opens the secret of this session to everybody, so that its dice
// can be derived again, and seals one for the next; only a GM may. It's a
// *RefusedError while a move is open, since that move's dice aren't all thrown.
func (s *Seat) EndSession(ctx context.Context, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "session", nil, func(e visibility.Eye) (ledger.Draft, error) { return act.EndSession(e, s.host.Entropy) })
}

// PlanSession says when people meet next, the zero time for nobody knows; only a GM may. The error is an *InvalidError for a year in which nobody plays.
func (s *Seat) PlanSession(ctx context.Context, at time.Time, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "plan", at.UTC(), func(e visibility.Eye) (ledger.Draft, error) { return act.PlanSession(e, at) })
}

// ShowMove opens a secret move that has ended to everybody at the table, as a GM
// may. Errors are *ForbiddenError, *InvalidError for a move that isn't there or
// isn't secret, and *RefusedError while it's still open.
func (s *Seat) ShowMove(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "show", id, func(e visibility.Eye) (ledger.Draft, error) { return act.ShowMove(e, id) })
}

// ShowCharacter has everybody know of a character that was prepared hidden, from then on; only a GM may. Errors are *InvalidError for
// one that isn't there, and *RefusedError for one that isn't hidden.
func (s *Seat) ShowCharacter(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "show-character", id, func(e visibility.Eye) (ledger.Draft, error) { return act.ShowCharacter(e, id) })
}

// RemoveCharacter takes a character away; only a GM may. It can't be in an
// open move, and neither can who gets something back by it. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Seat) RemoveCharacter(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "remove", id, func(e visibility.Eye) (ledger.Draft, error) { return act.RemoveCharacter(e, id) })
}

// Note keeps a note of the GM's: a new one where id is "", else another text
// for that one; an empty text throws it away. Only GMs may, and only they see
// the entry and View.Notes. Errors are *InvalidError and *TooManyError.
func (s *Seat) Note(ctx context.Context, id, text, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "note", []string{id, text}, func(e visibility.Eye) (ledger.Draft, error) { return act.Note(e, id, text) })
}

// ShareNote lets everybody, or some seats besides those who could before, read a note as it is now; only a GM may. The error is an *InvalidError.
func (s *Seat) ShareNote(ctx context.Context, id string, to []string, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "handout", []any{id, to}, func(e visibility.Eye) (ledger.Draft, error) { return act.ShareNote(e, id, to) })
}

// HideNote takes a shared note back from all; only a GM may. They have read it, and may have saved it. The error is an *InvalidError.
func (s *Seat) HideNote(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "hide", id, func(e visibility.Eye) (ledger.Draft, error) { return act.HideNote(e, id) })
}

// ShowPicture shows a picture to everybody, or to some seats; only a GM may. They may have it from then on. The error is an *InvalidError.
func (s *Seat) ShowPicture(ctx context.Context, w request.Showing) (view.Entry, error) {
	key := w.Key
	w.Key = ""
	return s.writeEntry(ctx, key, "picture", w, func(e visibility.Eye) (ledger.Draft, error) { return act.ShowPicture(e, w) })
}

// HidePicture takes a shown picture back from all; only a GM may. They have seen it, and may have saved it. The error is an *InvalidError.
func (s *Seat) HidePicture(ctx context.Context, hash, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "take", hash, func(e visibility.Eye) (ledger.Draft, error) { return act.HidePicture(e, hash) })
}

// attachText has the text of the table's game stand at it, where the game is one: whoever has the table's file has its rules.
func attachText(ctx context.Context, s *Seat) error {
	source := s.game.Now().Source
	if source == nil {
		return nil
	}
	_, err := s.Attach(ctx, view.UseText, "application/json", source, "")
	return err
}
