package api

import (
	"context"
	"encoding/json"

	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// Odds are the chances of a move, as the command line gives them too.
type Odds struct {
	Game     string          `json:"game"`
	Move     string          `json:"move"`
	Args     json.RawMessage `json:"args" doc:"the arguments, with what wasn't given"`
	Rows     []Row           `json:"rows" doc:"the joint distribution; the chances sum to 1"`
	Expected Expected        `json:"expected"`
	Runs     int             `json:"runs,omitempty" doc:"how many throws a simulation made; exact odds have none"`
	Policy   *Policy         `json:"policy,omitempty" doc:"the best choices that lead to these odds, where an aim was named"`
}

// Row is one way the move can come out.
type Row struct {
	Outcome       string   `json:"outcome"`
	N             *int     `json:"n,omitempty" doc:"where the outcome counts something"`
	P             string   `json:"p" example:"117/1000" doc:"the exact chance, a reduced fraction"`
	Probability   float64  `json:"probability" doc:"the same, for display"`
	StandardError *float64 `json:"standardError,omitempty" doc:"of a simulated chance"`
}

// Expected is the mean of n, 0 where it counts nothing; it's empty when no outcome counts.
type Expected struct {
	N     string   `json:"n,omitempty" example:"7/2"`
	Value *float64 `json:"value,omitempty"`
}

// tell puts a law into what is told. Names and numbers are those that package odds gives.
func (o *Odds) tell(law *odds.Odds) error {
	o.Rows, o.Runs = rowsOf(law), law.Runs
	o.Expected = expectedOf(law)
	var err error
	o.Policy, err = policyOf(law)
	return err
}

func rowsOf(law *odds.Odds) []Row {
	rows := make([]Row, len(law.Rows))
	for i, r := range law.Rows {
		rows[i] = Row{Outcome: r.Outcome, P: r.P.RatString(), Probability: odds.Float(r.P)}
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
	mean := law.Expected()
	value := odds.Float(mean)
	return Expected{N: mean.RatString(), Value: &value}
}

// policyOf is the best choices as package odds writes them; nil for none.
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

// oddsOf tells whose odds they are.
func oddsOf(ctx context.Context, seat *table.Seat, r request.Move, told Odds) (Odds, error) {
	told.Game, told.Move = seat.Game().ID, r.Move
	fitted, err := seat.MoveForm(ctx, r.Move, r.Character)
	if err != nil {
		return Odds{}, err
	}
	move, known := seat.Game().Move(r.Move)
	if !known {
		return Odds{}, &refusal.NotFoundError{}
	}
	args, err := move.Decode(fitted, r.Args)
	if err != nil {
		return Odds{}, err
	}
	told.Args = fitted.JSON(args)
	return told, nil
}
