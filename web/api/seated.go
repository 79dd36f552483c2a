package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/limit"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
)

// atTable is the address of what belongs to a table.
type atTable struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
}

// answer is what an operation answers with.
type answer[T any] struct{ Body T }

// answered makes an answer of what became of an operation.
func answered[T any](body T, err error) (*answer[T], error) {
	if err != nil {
		return nil, err
	}
	return &answer[T]{body}, nil
}

// entryAnswer is what became of a change: its entry in the log.
type entryAnswer = answer[view.Entry]

// seated is an operation of the seat that the request's secret opens. What it can't do it returns as table says it.
func seated[I, O any](s *server, do func(context.Context, *table.Seat, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		seat, err := s.enter(ctx)
		if err != nil {
			return nil, s.failed(ctx, nil, err)
		}
		out, err := do(ctx, seat, in)
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return out, nil
	}
}

// sent is what a seat sends to an operation with a body.
type sent[I, T any] struct {
	seat  *table.Seat
	at    *I
	body  T
	parts parts
}

// act registers an operation of a seat with a body.
func act[I, T, O any](s *server, api huma.API, method, path, id string, d doc, b body[T], do func(context.Context, sent[I, T]) (*O, error)) {
	huma.Register(api, b.operation(api, method, path, id, d), seated(s, func(ctx context.Context, seat *table.Seat, in *I) (*O, error) {
		body, kept, err := b.read(callOf(ctx).body)
		if err != nil {
			return nil, err
		}
		return do(ctx, sent[I, T]{seat, in, body, kept})
	}))
}

// show registers an operation of a seat that only tells.
func show[I, O any](s *server, api huma.API, path, id string, d doc, do func(context.Context, *table.Seat, *I) (*O, error)) {
	huma.Register(api, operation(http.MethodGet, path, id, d), seated(s, do))
}

// remove registers an operation of a seat that takes away what its address names.
func remove[I, O any](s *server, api huma.API, path, id string, d doc, do func(context.Context, *table.Seat, *I) (*O, error)) {
	huma.Register(api, operation(http.MethodDelete, path, id, d), seated(s, do))
}

// enter takes the seat that the request's secret opens.
func (s *server) enter(ctx context.Context) (*table.Seat, error) {
	c := callOf(ctx)
	address, key := odds.Asker(c.from), limit.Seat(c.table, c.secret)
	if err := s.Limiter.Knock(address, key); err != nil {
		return nil, err
	}
	seat, err := s.Host.Enter(ctx, c.table, c.secret, c.speaker.Lang())
	var missing *refusal.NotFoundError
	switch {
	case err == nil:
		s.Limiter.Admitted(key)
	case errors.As(err, &missing):
		s.Limiter.Missed(address)
	}
	if err == nil && c.writes {
		err = s.Limiter.Write(key)
	}
	return seat, err
}
