package table

import (
	"context"

	"norn/table/act"
	"norn/table/internal/visibility"
)

type turnKey struct{}

// turn is what work whose cost grows with what is sent takes first.
type turn struct {
	count   func() error
	take    func(context.Context) (leave func(), err error)
	counted bool
}

// WithTurn has work whose cost grows with what is sent, such as reading a list or a character's file
// or decoding a picture, count once for this context, and then take a turn. Both are called only once
// it's known that the table has room. The caller says whose count and turn it is, because only it
// knows the client's address; in other contexts there is no limit.
func WithTurn(ctx context.Context, count func() error,
	take func(context.Context) (leave func(), err error),
) context.Context {
	return context.WithValue(ctx, turnKey{}, &turn{count: count, take: take})
}

// takeTurn takes a turn of the context's client. In held it's taken already.
func takeTurn(ctx context.Context) (held context.Context, leave func(), err error) {
	t, _ := ctx.Value(turnKey{}).(*turn)
	if t == nil {
		return ctx, func() {}, nil
	}
	if !t.counted {
		if err := t.count(); err != nil {
			return ctx, nil, err
		}
		t.counted = true
	}
	leave, err = t.take(ctx)
	return context.WithValue(ctx, turnKey{}, (*turn)(nil)), leave, err
}

// admit admits an act that brings much: once in a time, with room for it, in its client's turn.
// again reports that its key is used, so that nothing is to be read.
func (s *Seat) admit(ctx context.Context, room func(*visibility.Eye) error, key string) (
	held context.Context, leave func(), again bool, err error,
) {
	leave = func() {}
	if again, err = s.KeyUsed(ctx, key); again || err != nil {
		return ctx, leave, again, err
	}
	if err := s.Spend(); err != nil {
		return ctx, leave, false, err
	}
	if err := s.look(ctx, room); err != nil {
		return ctx, leave, false, err
	}
	held, leave, err = takeTurn(ctx)
	return held, leave, false, err
}

// roomForList refuses a list for which the table has no room, or which the seat may not bring.
func roomForList(r act.ListRequest) func(*visibility.Eye) error {
	return func(e *visibility.Eye) error { return act.CheckRoomForList(e, r.ID) }
}
