package lab

import (
	"encoding/json"

	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Odds are the odds of a move for programs: the API and the command line answer with them.
type Odds struct {
	Game string          `json:"game"`
	Move string          `json:"move"`
	Args json.RawMessage `json:"args" doc:"the arguments, with what wasn't given"`
	// what plain dice mean
	Understood string `json:"understood,omitempty" doc:"what the notation was understood as, in the words of the request's language"`
	Law
}

// Comparison has the odds of several settings of a move.
type Comparison struct {
	Game        string    `json:"game"`
	Move        string    `json:"move"`
	Settings    []Setting `json:"settings" doc:"in the order in which they were asked for"`
	Differences []string  `json:"differences,omitempty" doc:"how settings differ from the first one, in the words of the request's language"`
	Rows        []Aligned `json:"rows" doc:"every outcome that any setting has"`
}

// Setting is one of these settings, with its odds.
type Setting struct {
	Name string          `json:"name" doc:"what differs from the others, in the reader's language"`
	Game string          `json:"game,omitempty" hidden:"true"` // where settings are of several moves, as on the command line
	Move string          `json:"move,omitempty" hidden:"true"`
	Args json.RawMessage `json:"args"`
	Law
}

// Law is what the odds of one throw are, in numbers and in a few words.
type Law struct {
	Rows      []Row    `json:"rows" doc:"the joint distribution; the chances sum to 1"`
	Expected  Expected `json:"expected"`
	Said      []string `json:"said,omitempty" doc:"what people want to know first, in the words of the request's language"`
	Granted   string   `json:"granted,omitempty" doc:"the usual answers that are assumed, in these words"`
	Rounded   bool     `json:"rounded,omitempty" doc:"exact, with p as decimals of twelve digits because fractions would be very long; what is rarer is left out"`
	Runs      int      `json:"runs,omitempty" doc:"how many throws a simulation made; exact odds have none"`
	Simulated string   `json:"simulated,omitempty" doc:"how far simulated chances may be off, in these words"`
	Policy    *Policy  `json:"policy,omitempty" doc:"the best choices that lead to these odds, where an aim was named"`
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

// Aligned is one outcome, with its chance for each setting.
type Aligned struct {
	Outcome     string    `json:"outcome"`
	N           *int      `json:"n,omitempty"`
	P           []string  `json:"p" doc:"exact chances, reduced fractions"`
	Probability []float64 `json:"probability"`
	Difference  []float64 `json:"difference" doc:"to the first setting"`
}

// Document returns the side for programs.
func (s *Side) Document() Odds {
	return Odds{s.Game.ID, s.Move.ID, s.Form.JSON(s.Args), s.Meant, s.Law()}
}

// Document returns all sides next to each other, for programs.
func (r *Report) Document() Comparison {
	c := Comparison{Game: r.Sides[0].Game.ID, Move: r.Sides[0].Move.ID, Differences: r.Differences}
	for i := range r.Sides {
		told := r.Sides[i].Document()
		s := Setting{Name: r.Sides[i].Name, Args: told.Args, Law: told.Law}
		if !r.OneMove {
			s.Game, s.Move = told.Game, told.Move
		}
		c.Settings = append(c.Settings, s)
	}
	c.Rows = make([]Aligned, len(r.Compared.Rows))
	for i, row := range r.Compared.Rows {
		one := Aligned{Outcome: row.Outcome, N: counted(row.N, row.Counts)}
		for side, p := range row.P {
			one.P = append(one.P, r.Compared.Sides[side].Text(p))
			one.Probability = append(one.Probability, odds.Float(p))
			one.Difference = append(one.Difference, odds.Float(row.Difference(side)))
		}
		c.Rows[i] = one
	}
	return c
}

// Law returns the odds for programs.
func (d *Description) Law() Law {
	o := d.Odds
	law := Law{
		Rows: make([]Row, len(o.Rows)), Said: d.Texts(), Granted: d.Granted, Rounded: o.Rounded, Runs: o.Runs,
		Simulated: d.Simulated,
	}
	for i, r := range o.Rows {
		law.Rows[i] = Row{
			Outcome: r.Outcome, Name: d.names[r.Outcome], N: counted(r.N, r.Counts), P: o.Text(r.P), Probability: odds.Float(r.P),
		}
		if o.Runs > 0 {
			law.Rows[i].StandardError = new(o.StandardError(r))
		}
	}
	if o.Counts() {
		mean := o.Mean()
		law.Expected = Expected{N: o.Text(mean), Value: new(odds.Float(mean))}
	}
	if p := o.Policy; p != nil {
		law.Policy = &Policy{
			Worth: p.Worth.RatString(), Value: odds.Float(p.Worth), Assumed: p.Assumed,
			Choices: game.Each(p.Taken, func(t rule.BestChoice) Choice {
				return Choice{t.Question, t.About, t.JSON, t.P.RatString(), odds.Float(t.P)}
			}),
		}
	}
	return law
}

// counted returns n where it counts something, nil elsewhere.
func counted(n int, counts bool) *int {
	if !counts {
		return nil
	}
	return &n
}
