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

// RaiseX lays an X-card on the table: somebody wants something to stop, or to be told otherwise.
// Any seat but a spectator's may. The entry is of no seat, and nothing is kept of who it was. Where
// one lies there already, or was put away a moment ago, everything stays as it is.
//
// Whoever has the token may take the card back with TakeXBack. It is "" where another has raised
// the card that lies there.
func (s *Seat) RaiseX(ctx context.Context) (token string, err error) {
	if err := s.checkPlays(ctx); err != nil {
		return "", err
	}
	random, err := state.RandomBytes(s.host.Entropy, 16)
	if err != nil {
		return "", err
	}
	unchanged := errors.New("it stays as it is")
	r, err := s.writeUnsigned(ctx, func(e visibility.Eye) (ledger.Draft, error) {
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

// TakeXBack takes an X-card back that was raised at most ten seconds ago, by the token that RaiseX
// returned on this node. The entry is of no seat, and another card may follow at once. It is a
// *RefusedError where the token is not good, or somebody else has raised the card meanwhile.
func (s *Seat) TakeXBack(ctx context.Context, token string) error {
	if err := s.checkPlays(ctx); err != nil {
		return err
	}
	seq, ok := s.host.xTokens.seq(s.table, token, s.host.Now())
	if !ok {
		return refusal.Refuse("x-stays", nil)
	}
	_, err := s.writeUnsigned(ctx, func(e visibility.Eye) (ledger.Draft, error) {
		if e.Table.X.Seq != seq {
			return ledger.Draft{}, refusal.Refuse("x-stays", nil)
		}
		return act.TakeXBack(e)
	})
	return err
}

// writeUnsigned writes an entry of no seat. It counts against the seat's write limit, which is kept in
// memory alone.
func (s *Seat) writeUnsigned(ctx context.Context, plan func(visibility.Eye) (ledger.Draft, error)) (*state.Record,
	error,
) {
	by := nobody
	by.pays = s.id
	return s.host.write(ctx, s.table, by, plan)
}

// checkPlays returns an error where the link is no longer good, or a spectator's.
func (s *Seat) checkPlays(ctx context.Context) error {
	return s.look(ctx, func(e visibility.Eye) error {
		if e.Seat.Role == game.Spectator {
			return &refusal.ForbiddenError{}
		}
		return nil
	})
}

// xTokens holds the tokens of the X-cards that were raised on this node within the last ten
// seconds, by their tables. Nothing else says who may take a card back, and it is written nowhere.
type xTokens struct {
	mu  sync.Mutex
	all map[string]xToken
}

// xToken takes back the X-card that the entry of a seq laid on the table, until a time.
type xToken struct {
	token string
	seq   uint64
	until time.Time
}

// keep adds a table's token in the place of an older one, and forgets those whose time is over.
func (x *xTokens) keep(table string, token xToken, now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.all, func(_ string, t xToken) bool { return now.After(t.until) })
	if x.all == nil {
		x.all = map[string]xToken{}
	}
	x.all[table] = token
}

// seq returns which entry's card a token takes back at a table; false where it is not good.
func (x *xTokens) seq(table, token string, now time.Time) (uint64, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t, ok := x.all[table]
	ok = ok && !now.After(t.until) && subtle.ConstantTimeCompare([]byte(t.token), []byte(token)) == 1
	return t.seq, ok
}
