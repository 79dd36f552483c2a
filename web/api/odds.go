package api

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// oddsOf returns the odds of a seat's move: of its throw, or with choices of the whole move.
func (s *server) oddsOf(ctx context.Context, seat *table.Seat, wanted request.Move, choices request.Choices) (told lab.Odds,
	err error,
) {
	var law *odds.Odds
	if err := s.withPlace(ctx, "seat "+seat.Table()+" "+seat.ID(), func(ctx context.Context) (err error) {
		if choices.Aim == "" && len(choices.Answers) == 0 {
			law, err = seat.Odds(ctx, wanted)
		} else {
			law, err = seat.Best(ctx, wanted, choices)
		}
		if err != nil {
			return err
		}
		g := seat.Game()
		fitted, err := seat.MoveForm(ctx, wanted.Move, wanted.Character)
		if err != nil {
			return err
		}
		move, known := g.FindMove(wanted.Move)
		if !known {
			return &refusal.NotFoundError{}
		}
		args, err := move.Decode(fitted, wanted.Args)
		if err != nil {
			return err
		}
		voice := game.Voice{Speaker: g.Speak(callOf(ctx).speaker), Game: g.ID, Name: func(id string) string { return id }}
		d := lab.WordingOf(voice, g, move, args).Describe(law, 0)
		told = lab.Odds{Game: g.ID, Move: move.ID, Args: fitted.JSON(args), Understood: d.Meant, Law: d.Law()}
		return nil
	}); err != nil {
		return told, err
	}
	s.Gate.CountFound(law)
	return told, nil
}

// withPlace runs a computation of odds within the limits of a client, "" for the address alone, and
// within a time limit.
func (s *server) withPlace(ctx context.Context, who string, work func(context.Context) error) error {
	from := callOf(ctx).from
	return s.pricingProblem(ctx, s.Gate.Work(ctx, from, cmp.Or(who, from), work))
}

// dear runs what may take the server long, such as a search of the log, within the seat's limits.
func (s *server) dear(ctx context.Context, seat *table.Seat, work func() error) error {
	return s.Gate.Do(ctx, callOf(ctx).from, "seat "+seat.Table()+" "+seat.ID(), work)
}

// pricingProblem returns the Problem of odds that can't be computed now; other errors are returned
// unchanged.
func (s *server) pricingProblem(ctx context.Context, err error) error {
	say := callOf(ctx).speaker
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	if errors.Is(err, context.DeadlineExceeded) { // a busy machine may be too slow for odds within the limit
		crowded = &odds.CrowdedError{After: retryAfter * time.Second}
	}
	switch {
	case errors.As(err, &large):
		return problem(say, OddsLarge, bare.SayLarge(say, large))
	case crowded != nil || errors.As(err, &crowded):
		p := problem(say, OddsCrowded, say.Say("api.detail.odds-crowded"))
		if crowded.Own {
			p = problem(say, OddsMany, say.Say("api.detail.odds-many"))
		}
		p.header.Set("Retry-After", strconv.Itoa(int(crowded.After.Seconds())))
		return p
	}
	return err
}
