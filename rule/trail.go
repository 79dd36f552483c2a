package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"norn/dice"
)

// Trail lists the rolls and answers of a rule so far, in order. It is all that is stored of a rule
// in progress.
type Trail []Step

// Step is one roll or one answer, in one part of the rule. Within a part, steps are in the order in
// which the rule asks for them. A step with Meanwhile is neither: others changed a character while
// the part waited for its next step.
type Step struct {
	Part      string     `json:"part,omitempty"` // "" is the rule's main line, "1.0" the first part of its first Together
	Dice      *Throw     `json:"dice,omitempty"`
	Answer    *Answer    `json:"answer,omitempty"`
	Meanwhile *Meanwhile `json:"-"` // stored where it was made
}

// Meanwhile is a change that another move made to a character that the rule lends, see Run.Lend.
// Parts that waited at the same time have equal ones.
type Meanwhile struct {
	Event Event
	By    uint64 // number of that move, by which it can be taken out again; the rule doesn't see it
	N     int    // the N-th change that this rule has met, from 0
}

// Throw is one roll: every single face, in the order in which they fell.
type Throw struct {
	For   string `json:"for,omitempty"`
	Sides int    `json:"sides"`
	Faces []int  `json:"faces"`
	Hand  bool   `json:"hand,omitempty"`  // typed in from a real table
	Total bool   `json:"total,omitempty"` // only the total was typed: the faces add up to it
}

// Pool returns the dice of the throw.
func (t Throw) Pool() dice.Pool { return dice.Pool{N: len(t.Faces), Sides: t.Sides, For: t.For} }

// TotalText returns the total of dice whose faces nobody typed, "" for others: "Σ 14".
func (t Throw) TotalText() string {
	if !t.Total {
		return ""
	}
	return "Σ " + strings.Replace(strconv.Itoa(dice.ShownTotal(t.Pool(), t.Faces)), "-", "−", 1)
}

// Answer is the answer to one question.
type Answer struct {
	Question string          `json:"question"`
	Value    json.RawMessage `json:"value"`
	Seat     string          `json:"seat,omitempty"` // who answered; the rule doesn't see it
}

// Event is a struct that a rule records: one change or one fact.
type Event any

// Aside is an event that is numbered apart from the others of its part, so that a rule can record
// it anywhere without moving those that older rules recorded.
type Aside interface{ Aside() }

// PlacedEvent is an event with its place: the N-th, from 0, of its part; asides count down from −1.
type PlacedEvent struct {
	Part  string
	N     int
	Event Event
}

// TrailError reports a trail that doesn't fit the rule: the rule asks for one
// thing and the trail holds another.
type TrailError struct {
	Part string
	At   int // from 0, within the part
	Want string
	Have string
}

func (e *TrailError) Error() string {
	return fmt.Sprintf(
		"trail doesn't fit the rule: step %d of part %q is %s, the rule asks for %s",
		e.At,
		e.Part,
		e.Have,
		e.Want,
	)
}

// ErrNoDice means that a Source has no faces for a roll and people must be asked: the roll becomes
// an open question.
var ErrNoDice = errors.New("no dice for this throw")

// describe names a step for a TrailError.
func describe(s Step) string {
	switch {
	case s.Dice != nil:
		return describeThrow(dice.Pool{N: len(s.Dice.Faces), Sides: s.Dice.Sides, For: s.Dice.For})
	case s.Answer != nil:
		return "an answer to " + s.Answer.Question
	}
	return "nothing"
}

func describeThrow(p dice.Pool) string {
	return fmt.Sprintf("a throw of %dd%d for %q", p.N, p.Sides, p.For)
}
