package view

import (
	"norn/game"
	"norn/odds"
)

// Luck is how a move's throw came out among all that it could have come to, by
// the law that was the move's when it was opened. What is better, the game says.
type Luck struct {
	OrBetter    string  `json:"orBetter"`    // the chance of this or better, an exact fraction
	Probability float64 `json:"probability"` // the same for display
	Points      int     `json:"points"`      // of 100: what it beats, what is as good counting half
}

// SeatLuck is how lucky the moves of one seat were in a session, together.
type SeatLuck struct {
	Seat        string     `json:"seat"`
	Name        string     `json:"name"`
	Throws      int        `json:"throws"`
	Points      int        `json:"points"`
	LuckierThan string     `json:"luckierThan"` // the share of all sessions with these throws that score fewer points; a fraction
	Within      string     `json:"within"`      // by which that share may be too small, far below what is shown
	Probability float64    `json:"probability"` // the share for display
	Moves       []MoveLuck `json:"moves"`       // oldest first
}

// MoveLuck is the luck of one move.
type MoveLuck struct {
	Move string `json:"move"`
	Luck
}

// MostThrows is how many throws of a seat count in a session: the newest.
const MostThrows = 1000

// Recap is what a session came to, for people who look back on it.
type Recap struct {
	Deeds   []Deed       `json:"deeds"`           // who did what, in the order in which they first did something
	Best    *RecapThrow  `json:"best,omitempty"`  // of the throws whose odds the reader may know: the one least likely to be reached
	Worst   *RecapThrow  `json:"worst,omitempty"` // or to be missed so far
	Changes []RecapSheet `json:"changes"`         // of each sheet, from the session's beginning to its end
}

// Deed is what somebody did.
type Deed struct {
	Character string  `json:"character"` // "" for moves that nobody in particular makes
	Name      string  `json:"name"`
	Moves     int     `json:"moves"`
	Made      []Often `json:"made"` // which, those made most first
	Came      []Came  `json:"came"` // how that came out, best first
}

// Came is how often something came out.
type Came struct {
	Outcome string    `json:"outcome"`
	Name    string    `json:"name"` // in the reader's language
	Tone    game.Tone `json:"tone"`
	N       int       `json:"n"`
}

// Often is how often a move was made.
type Often struct {
	Move string `json:"move"`
	Name string `json:"name"`
	N    int    `json:"n"`
}

// RecapThrow is a throw that will be remembered.
type RecapThrow struct {
	Move    string `json:"move"` // "m12"
	Who     string `json:"who"`
	Name    string `json:"name"` // the move's, in words
	Outcome string `json:"outcome"`
	Said    string `json:"said"` // all of it in one sentence
	P       string `json:"p"`    // an exact fraction: this or better, this or worse
}

// RecapSheet is what changed on a sheet.
type RecapSheet struct {
	Character string   `json:"character"`
	Name      string   `json:"name"`
	Changes   []string `json:"changes"` // in words
	More      int      `json:"more,omitempty"`
}

// LuckOf is where a throw stands, as it's shown.
func LuckOf(s odds.Standing) Luck {
	p := s.OrBetter()
	return Luck{OrBetter: p.RatString(), Probability: odds.Float(p), Points: s.Points()}
}

// Tally is what one character, or nobody in particular, did in a session.
type Tally struct {
	Character string            `json:"character"` // "" for moves that nobody in particular makes
	Moves     int               `json:"moves"`     // that weren't undone
	Dice      int               `json:"dice"`      // that fell in them
	Tones     map[game.Tone]int `json:"tones"`     // of their outcomes
}
