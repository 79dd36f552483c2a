package table

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"maps"
	"sync"
	"time"

	"norn/game"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// RaiseX puts an X-card on the table: somebody wants the scene to stop or to change. Any seat but a
// spectator's may. The entry has no seat, and nothing stored says who it was. If a card is already
// there, or was put away a moment ago, nothing changes for the table.
//
// The token lets its owner take the card back with TakeXBack. It's "" if another seat has raised
// the card that is there.
func (s *Seat) RaiseX(ctx context.Context) (token string, err error) {
	if err := s.checkPlays(ctx); err != nil {
		return "", err
	}
	random, err := state.RandomBytes(s.host.Entropy, 16)
	if err != nil {
		return "", err
	}
	unchanged := errors.New("it stays as it is")
	r, err := s.writeUnsigned(ctx, func(e *visibility.Eye) (ledger.Draft, error) {
		switch x := e.Table.X; {
		case x.Seq > 0 && x.Seconded, x.Seq == 0 && s.host.Now().Sub(x.At) < act.XRests:
			return ledger.Draft{}, unchanged
		case x.Seq > 0:
			return act.SecondX(e)
		}
		return act.RaiseX(e)
	})
	switch {
	case errors.Is(err, unchanged):
		return "", nil
	case err != nil:
		return "", err
	case r.Kind != view.KindX:
		return "", nil
	}
	token = hex.EncodeToString(random)
	s.host.xTokens.keep(s.table, xToken{token, r.Seq, r.Time.Add(act.XTakeBack)}, s.host.Now())
	return token, nil
}

// TakeXBack takes back an X-card that was raised at most ten seconds ago, with the token that
// RaiseX returned on this node. The entry has no seat, and another card may follow at once. It's a
// *RefusedError if the token isn't valid, or somebody else has raised the card meanwhile.
func (s *Seat) TakeXBack(ctx context.Context, token string) error {
	if err := s.checkPlays(ctx); err != nil {
		return err
	}
	seq, ok := s.host.xTokens.seq(s.table, token, s.host.Now())
	if !ok {
		return refusal.Refuse("x-stays", nil)
	}
	_, err := s.writeUnsigned(ctx, func(e *visibility.Eye) (ledger.Draft, error) {
		if e.Table.X.Seq != seq {
			return ledger.Draft{}, refusal.Refuse("x-stays", nil)
		}
		return act.TakeXBack(e)
	})
	return err
}

// writeUnsigned writes an entry without a seat. It counts against the seat's write limit, which is
// only in memory.
func (s *Seat) writeUnsigned(ctx context.Context, plan func(*visibility.Eye) (ledger.Draft, error)) (*state.Record,
	error,
) {
	by := nobody
	by.pays = s.id
	return s.host.write(ctx, s.table, by, plan)
}

// checkPlays returns an error if the link isn't valid any more, or is a spectator's.
func (s *Seat) checkPlays(ctx context.Context) error {
	return s.look(ctx, func(e *visibility.Eye) error {
		if e.Seat.Role == game.Spectator {
			return &refusal.ForbiddenError{}
		}
		return nil
	})
}

// xTokens has the tokens of X-cards raised on this node within the last ten seconds, by table.
// Nothing else says who may take a card back, and it's never stored.
type xTokens struct {
	mu  sync.Mutex
	all map[string]xToken
}

// xToken takes back the X-card of the entry with a seq, until a time.
type xToken struct {
	token string
	seq   uint64
	until time.Time
}

// keep stores a table's token in place of an older one, and removes expired ones.
func (x *xTokens) keep(table string, token xToken, now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.all, func(_ string, t xToken) bool { return now.After(t.until) })
	if x.all == nil {
		x.all = map[string]xToken{}
	}
	x.all[table] = token
}

// seq returns the entry whose card a token takes back at a table; false for an invalid token.
func (x *xTokens) seq(table, token string, now time.Time) (uint64, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t, ok := x.all[table]
	ok = ok && !now.After(t.until) && subtle.ConstantTimeCompare([]byte(t.token), []byte(token)) == 1
	return t.seq, ok
}
