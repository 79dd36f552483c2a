package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"norn/game"
	"norn/internal/bare"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// Odds are the odds of a move, as the command line prints them too.
type Odds struct {
	Game string          `json:"game"`
	Move string          `json:"move"`
	Args json.RawMessage `json:"args" doc:"the arguments, with what wasn't given"`
	// what plain dice mean
	Understood string `json:"understood,omitempty" doc:"what the notation was understood as, in the words of the request's language"`

	Rows     []Row    `json:"rows" doc:"the joint distribution; the chances sum to 1"`
	Expected Expected `json:"expected"`
	Rounded  bool     `json:"rounded,omitempty" doc:"exact, with p as decimals of twelve digits because fractions would be very long; what is rarer is left out"`
	Runs     int      `json:"runs,omitempty" doc:"how many throws a simulation made; exact odds have none"`
	Policy   *Policy  `json:"policy,omitempty" doc:"the best choices that lead to these odds, where an aim was named"`
}

// Row is one outcome of the move.
type Row struct {
	Outcome       string   `json:"outcome"`
	Name          string   `json:"name,omitempty" doc:"of a band or a symbol, as the notation names it"`
	N             *int     `json:"n,omitempty" doc:"where the outcome counts something"`
	P             string   `json:"p" example:"117/1000" doc:"the exact chance, a reduced fraction"`
	Probability   float64  `json:"probability" doc:"the same, for display"`
	StandardError *float64 `json:"standardError,omitempty" doc:"of a simulated chance"`
}

// Expected is the mean of n, 0 for outcomes without n; it's empty if no outcome counts.
type Expected struct {
	N     string   `json:"n,omitempty" example:"7/2"`
	Value *float64 `json:"value,omitempty"`
}

// oddsAnswer is a response with odds.
type oddsAnswer = answer[Odds]

// tell fills in a distribution, with the names and numbers of package odds.
func (o *Odds) tell(law *odds.Odds) error {
	o.Rows, o.Runs, o.Rounded = rowsOf(law), law.Runs, law.Rounded
	o.Expected = expectedOf(law)
	var err error
	o.Policy, err = policyOf(law)
	return err
}

// nameRows gives rows the names that the notation has for its bands and symbols.
func nameRows(rows []Row, args any) {
	names := game.BandNames(args)
	for i := range rows {
		rows[i].Name = names[rows[i].Outcome]
	}
}

func rowsOf(law *odds.Odds) []Row {
	rows := make([]Row, len(law.Rows))
	for i, r := range law.Rows {
		rows[i] = Row{Outcome: r.Outcome, P: law.Text(r.P), Probability: odds.Float(r.P)}
		if r.Counts {
			rows[i].N = &law.Rows[i].N
		}
		if law.Runs > 0 {
			e := law.StandardError(r)
			rows[i].StandardError = &e
		}
	}
	return rows
}

func expectedOf(law *odds.Odds) Expected {
	if !law.Counts() {
		return Expected{}
	}
	mean := law.Mean()
	value := odds.Float(mean)
	return Expected{N: law.Text(mean), Value: &value}
}

// policyOf returns the best answers as package odds writes them; nil for none.
func policyOf(law *odds.Odds) (*Policy, error) {
	if law.Policy == nil {
		return nil, nil
	}
	text, err := law.Policy.MarshalJSON()
	if err != nil {
		return nil, err
	}
	told := new(Policy)
	return told, json.Unmarshal(text, told)
}

// Policy lists the best answers.
type Policy struct {
	Worth   string   `json:"worth" example:"7/9" doc:"the aim's expected value, a reduced fraction"`
	Value   float64  `json:"value" doc:"the same, for display"`
	Choices []Choice `json:"choices" doc:"in the order in which they come up"`
	Assumed []string `json:"assumed,omitempty" doc:"questions with too many answers to try, which got their standard one"`
}

// Choice is the best answer to a question in one situation.
type Choice struct {
	Question    string          `json:"question" doc:"its id"`
	About       any             `json:"about,omitempty" doc:"the situation"`
	Answer      json.RawMessage `json:"answer"`
	P           string          `json:"p" doc:"the chance that it comes to this"`
	Probability float64         `json:"probability" doc:"the same, for display"`
}

// oddsOf returns the odds of a seat's move: of its throw, or with choices of the whole move.
func (s *server) oddsOf(ctx context.Context, seat *table.Seat, wanted request.Move, choices request.Choices) (told Odds,
	err error,
) {
	var law *odds.Odds
	if err := s.withPlace(ctx, "seat "+seat.Table()+" "+seat.ID(), func(ctx context.Context) (err error) {
		if choices.Aim == "" && len(choices.Answers) == 0 {
			law, err = seat.Odds(ctx, wanted)
		} else {
			law, err = seat.Best(ctx, wanted, choices)
		}
		if err == nil {
			err = told.tell(law)
		}
		return err
	}); err != nil {
		return Odds{}, err
	}
	s.Gate.CountFound(law)
	told.Game = seat.Game().ID
	fitted, err := seat.MoveForm(ctx, wanted.Move, wanted.Character)
	if err != nil {
		return Odds{}, err
	}
	move, known := seat.Game().FindMove(wanted.Move)
	if !known {
		return Odds{}, &refusal.NotFoundError{}
	}
	told.Move = move.ID
	args, err := move.Decode(fitted, wanted.Args)
	if err != nil {
		return Odds{}, err
	}
	told.Args = fitted.JSON(args)
	nameRows(told.Rows, args)
	return told, nil
}

// withPlace runs a computation of odds within the limits of a client, "" for the address alone, and
// within a time limit.
func (s *server) withPlace(ctx context.Context, who string, work func(context.Context) error) error {
	from := odds.Asker(callOf(ctx).from)
	return s.pricingProblem(ctx, s.Gate.Work(ctx, from, cmp.Or(who, from), work))
}

// dear runs what may take the server long, such as a search of the log, within the seat's limits.
func (s *server) dear(ctx context.Context, seat *table.Seat, work func() error) error {
	return s.Gate.Do(ctx, odds.Asker(callOf(ctx).from), "seat "+seat.Table()+" "+seat.ID(), work)
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
