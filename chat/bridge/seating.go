package bridge

import (
	"context"

	"norn/lang"
	"norn/table"
	"norn/table/refusal"
)

// seating is who sits where: the ties, and the tables as their seats see them.
type seating struct {
	Config
	ctx  context.Context // until the bridge is closed
	ties *ties
}

// look looks at a table as a tie's seat sees it.
func (s *seating) look(ctx context.Context, t *Tie, seat *table.Seat) (*seatView, error) {
	at := &seatView{tie: t, seat: seat, say: s.in(t.Lang).Of(seat.Game().ID), ties: s.ties}
	err := seat.AtRevision(ctx, func(still *table.Seat) (err error) {
		if at.view, err = still.View(ctx); err == nil {
			at.voice, err = still.Voice(ctx)
		}
		return err
	})
	at.voice.Game = seat.Game().ID
	return at, err
}

// viewOfTie is how a tie's seat sees its table; nil for no tie, and where the seat is gone.
func (s *seating) viewOfTie(ctx context.Context, t *Tie) (*seatView, error) {
	if t == nil {
		return nil, nil
	}
	seat, err := s.Host.Enter(ctx, t.Table, t.Secret, t.Lang)
	if refusal.IsGone(err) {
		s.endTie(ctx, t, endedSeat)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.look(ctx, t, seat)
}

// viewOfPerson is how somebody sees the table at which they sit; nil where they sit at none.
func (s *seating) viewOfPerson(ctx context.Context, by Person, place string) (*seatView, error) {
	return s.viewOfTie(ctx, s.ties.ofPerson(by.ID, place))
}

// speaker says things to who did something.
func (s *seating) speaker(u Update) lang.Speaker { return s.in(s.ties.lang(u.By, u.Place)) }

// endTie ends a tie by itself.
func (s *seating) endTie(ctx context.Context, t *Tie, why string) {
	s.count(t.Platform, "gone")
	if err := s.ties.end(ctx, *t, why); err != nil {
		s.logFailure("a tie can't be ended", err)
	}
}

func (s *seating) logFailure(what string, err error) {
	if err != nil && s.ctx.Err() == nil {
		s.Log.WarnContext(s.ctx, "chat: "+what, "error", err)
	}
}

// beside is how the place on the same platform sees the table, where there is one: its people are
// told there; nil where a person is told all.
func (s *seating) beside(ctx context.Context, at *seatView) *seatView {
	if at.tie.Person == "" {
		return nil
	}
	place := s.ties.beside(at.tie)
	if place == nil {
		return nil
	}
	seat, err := s.Host.Enter(ctx, place.Table, place.Secret, at.tie.Lang)
	if err != nil {
		return nil
	}
	others, err := s.look(ctx, place, seat)
	if err != nil {
		return nil
	}
	others.say = at.say
	return others
}
