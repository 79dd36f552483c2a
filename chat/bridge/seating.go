package bridge

import (
	"context"

	"norn/lang"
	"norn/table"
	"norn/table/refusal"
)

// seating has the ties, and the tables as their seats see them.
type seating struct {
	Config
	ctx  context.Context // ends with the bridge
	ties *ties
	lead func(place string) string // what precedes a command there
}

// look returns a table as a tie's seat sees it; lead precedes commands where it's shown.
func (s *seating) look(ctx context.Context, t *Tie, seat *table.Seat, lead string) (*seatView, error) {
	at := &seatView{tie: t, seat: seat, lead: lead, say: s.in(t.Lang).Of(seat.Game().ID), ties: s.ties}
	err := seat.AtRevision(ctx, func(still *table.Seat) (err error) {
		if at.view, err = still.View(ctx); err == nil {
			at.voice, err = still.Voice(ctx)
		}
		return err
	})
	at.voice.Game = seat.Game().ID
	return at, err
}

// viewOfTie returns a table as a tie's seat sees it in a place; nil for no tie, or if the seat was
// revoked.
func (s *seating) viewOfTie(ctx context.Context, t *Tie, place string) (*seatView, error) {
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
	return s.look(ctx, t, seat, s.lead(place))
}

// viewOfPerson returns a person's table as their seat sees it; nil if they have no seat.
func (s *seating) viewOfPerson(ctx context.Context, by Person, place string) (*seatView, error) {
	return s.viewOfTie(ctx, s.ties.ofPerson(by.ID, place), place)
}

// speaker returns a speaker in the language of a person.
func (s *seating) speaker(u Update) lang.Speaker { return s.in(s.ties.lang(u.By, u.Place)) }

// endTie ends a tie because it doesn't work any more.
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

// beside returns the table as the place on the same platform sees it, if there is one: a person
// needn't get privately what is posted there. It returns nil if they get everything.
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
	others, err := s.look(ctx, place, seat, at.lead)
	if err != nil {
		return nil
	}
	others.say = at.say
	return others
}
