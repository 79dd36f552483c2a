package view

import (
	"norn/game"
	"norn/odds"
)

// Luck compares the outcome of a move with all its possible outcomes, by the odds when it was
// opened. The game says which outcome is better.
type Luck struct {
	OrBetter    string  `json:"orBetter"`    // the chance of this or better, an exact fraction
	Probability float64 `json:"probability"` // the same for display
	// of 100: the share of outcomes that it beats, equal ones counting half
	Points int `json:"points"`
}

// SeatLuck says how lucky all moves of one seat were in a session.
type SeatLuck struct {
	Seat   string `json:"seat"`
	Name   string `json:"name"`
	Throws int    `json:"throws"`
	Points int    `json:"points"`
	// the share of all sessions with these throws that score fewer points; a fraction
	LuckierThan string     `json:"luckierThan"`
	Within      string     `json:"within"`      // bound of the error of that share, far below what is shown
	Probability float64    `json:"probability"` // the share for display
	Moves       []MoveLuck `json:"moves"`       // oldest first
}

// MoveLuck is the luck of one move.
type MoveLuck struct {
	Move string `json:"move"`
	Luck
}

// MostThrows limits the throws of a seat that count in a session, newest first.
const MostThrows = 1000

// Recap sums up a session for people who look back on it.
type Recap struct {
	Deeds []Deed `json:"deeds"` // by character, in the order of their first moves
	// the least likely success, of the rolls whose odds the reader may know
	Best    *RecapThrow  `json:"best,omitempty"`
	Worst   *RecapThrow  `json:"worst,omitempty"` // the least likely failure
	Changes []RecapSheet `json:"changes"`         // by sheet, from the session's beginning to its end
}

// Deed sums up what a character did in a session.
type Deed struct {
	Character string  `json:"character"` // "" for moves without an actor
	Name      string  `json:"name"`
	Moves     int     `json:"moves"`
	Made      []Often `json:"made"` // by move, most frequent first
	Came      []Came  `json:"came"` // outcomes, best first
}

// Came counts an outcome.
type Came struct {
	Outcome string    `json:"outcome"`
	Name    string    `json:"name"` // in the reader's language
	Tone    game.Tone `json:"tone"`
	N       int       `json:"n"`
}

// Often counts a move.
type Often struct {
	Move string `json:"move"`
	Name string `json:"name"`
	N    int    `json:"n"`
}

// RecapThrow is a remarkable roll of a session.
type RecapThrow struct {
	Move    string `json:"move"` // "m12"
	Who     string `json:"who"`
	Name    string `json:"name"` // the move's, in words
	Outcome string `json:"outcome"`
	Said    string `json:"said"` // the roll in one sentence
	P       string `json:"p"`    // chance of this or better, or of this or worse; an exact fraction
}

// RecapSheet lists what changed on a sheet.
type RecapSheet struct {
	Character string   `json:"character"`
	Name      string   `json:"name"`
	Changes   []string `json:"changes"` // in words
	More      int      `json:"more,omitempty"`
}

// LuckOf returns a roll's luck for display.
func LuckOf(s odds.Standing) Luck {
	p := s.OrBetter()
	return Luck{OrBetter: p.RatString(), Probability: odds.Float(p), Points: s.Points()}
}

// Tally counts what one character did in a session.
type Tally struct {
	Character string            `json:"character"` // "" for moves without an actor
	Moves     int               `json:"moves"`     // without undone ones
	Dice      int               `json:"dice"`      // rolled in them
	Tones     map[game.Tone]int `json:"tones"`     // outcomes by tone
}
