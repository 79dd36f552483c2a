package mage

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Rolled says what one pool showed. Hits and Ones are counted before the
// threshold and the 1s take anything away; the size of a botch is Ones.
// MG-02 … MG-08, MG-20, MG-21
type Rolled struct {
	Who  string `json:"who,omitempty"` // "" for somebody without a sheet
	Text string `json:"text,omitempty"`
	Traits
	Dice       int          `json:"dice"`
	Difficulty int          `json:"difficulty"`
	Threshold  int          `json:"threshold,omitempty"`
	Hits       int          `json:"hits"`
	Ones       int          `json:"ones"`
	Willpower  bool         `json:"bought,omitempty"`
	Outcome    rule.Outcome `json:"outcome"`
}

// Unrolled says that a success was taken without a roll. MG-07
type Unrolled struct {
	Who string `json:"who"`
	Traits
	Dice       int `json:"dice"`
	Difficulty int `json:"difficulty"`
}

// StayedOut says that somebody who was asked for help, or to resist, puts nothing
// in. MG-14, MG-16
type StayedOut struct {
	Who     string `json:"who"`
	Against bool   `json:"against,omitempty"` // was to resist
}

// Later implements game.Later.
func (StayedOut) Later() {}

// WillpowerBought says that a point of Willpower has bought a success. MG-08
type WillpowerBought struct {
	Who  string `json:"who"`
	Left int    `json:"left"`
}

// PointsChanged says that points were spent, gained or given back. MG-01
type PointsChanged struct {
	Who    string `json:"who"`
	Points string `json:"points"`
	By     int    `json:"by"`
	Now    int    `json:"now"`
}

// RetryMarked says that an attempt has failed and is harder next time. MG-12
type RetryMarked struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
	Penalty int    `json:"penalty"`
}

// RetryCleared says that an attempt is no harder any more. MG-12
type RetryCleared struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
}

// RetryClosed says whether an attempt may be made again. MG-12
type RetryClosed struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
	Final   bool   `json:"final"`
}

// Declared says which actions were declared for a turn. MG-10, MG-11
type Declared struct {
	Who     string    `json:"who"`
	Split   int       `json:"split"` // how many share the turn's one action
	Due     []Due     `json:"due,omitempty"`
	Actions []Planned `json:"actions,omitempty"` // by the rules of the first edition, which made them at once
}

// Planned is one of the actions of a turn that was made at once.
type Planned struct {
	Text string `json:"text,omitempty"`
	Traits
	Whole int `json:"whole"` // dice of the whole pool
	Dice  int `json:"dice"`  // dice that are left
}

// Acted says that one of the actions declared is made, or the turn's only one.
// MG-10, MG-30
type Acted struct {
	Who  string `json:"who"`
	At   int    `json:"at,omitempty"`   // its place in the declaration, 0 for an only one
	Less int    `json:"less,omitempty"` // dice that its place takes
	Text string `json:"text,omitempty"`
}

// Answered says whether the Storyteller lets somebody resist without an action.
// MG-09
type Answered struct {
	Who   string `json:"who"`
	Leave bool   `json:"leave"`
}

// Gathered says what a roll has added to an extended action, or that a botch
// has lost it all. MG-13
type Gathered struct {
	Who    string `json:"who"` // the action
	N      int    `json:"n"`
	Now    int    `json:"now"`
	Target int    `json:"target"`
	Used   int    `json:"used"`
	Limit  int    `json:"limit,omitempty"`
	Dice   int    `json:"dice"`
	Botch  bool   `json:"botch,omitempty"`
}

// Scored says how the totals of a contest stand, and which sides have lost
// theirs by a botch. MG-15
type Scored struct {
	Who      string `json:"who"` // the action
	First    string `json:"first"`
	Second   string `json:"second"`
	Gathered int    `json:"gathered"`
	Opposed  int    `json:"opposed"`
	Target   int    `json:"target"`
	Used     int    `json:"used"`

	RivalTarget *int `json:"rivalTarget,omitempty"` // where it's another: 0 for none
	FirstLost   int  `json:"firstLost,omitempty"`
	SecondLost  int  `json:"secondLost,omitempty"`
}

// Harder says that a botch has raised an extended action's difficulty. MG-13
type Harder struct {
	Who    string `json:"who"` // the action
	By     int    `json:"by"`
	Now    int    `json:"now"`
	Raised int    `json:"raised,omitempty"` // all that botches have added; 0 by the first edition, where it went into the difficulty
	Rival  bool   `json:"rival,omitempty"`  // for the second side of a contest. MG-15
	Side   string `json:"side,omitempty"`   // who stands on that side
}

// Closed says how an extended action ended. MG-13, MG-15
type Closed struct {
	Who   string `json:"who"` // the action
	State string `json:"state"`
}

// TimePassed says what the clock shows now. MG-30
type TimePassed struct {
	To    string `json:"to"`
	Clock Clock  `json:"clock"`
}

// ClockSet puts the time on a character's sheet. It's no news beside
// TimePassed, so nobody is shown it. MG-30
type ClockSet struct {
	Who   string `json:"who"`
	Clock Clock  `json:"clock"`
}

// Happened records what was done, without dice or beside them. MG-31
type Happened struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

var eventTypes = append(game.Common(),
	game.EventOf[Rolled](), game.EventOf[Unrolled](), game.EventOf[WillpowerBought](), game.EventOf[PointsChanged](),
	game.EventOf[RetryMarked](), game.EventOf[RetryCleared](), game.EventOf[RetryClosed](), game.EventOf[Declared](),
	game.EventOf[Gathered](), game.EventOf[Scored](), game.EventOf[Harder](), game.EventOf[Closed](),
	game.EventOf[TimePassed](), game.Silent(game.EventOf[ClockSet]()), game.EventOf[Happened](), game.EventOf[StayedOut](),
	game.EventOf[Acted](), game.EventOf[Answered](),
)

// Types are stable: the journal holds them.

func (Rolled) Type() string          { return "mage.rolled" }
func (Unrolled) Type() string        { return "mage.unrolled" }
func (StayedOut) Type() string       { return "mage.stayed-out" }
func (WillpowerBought) Type() string { return "mage.willpower-bought" }
func (PointsChanged) Type() string   { return "mage.points-changed" }
func (RetryMarked) Type() string     { return "mage.retry-marked" }
func (RetryCleared) Type() string    { return "mage.retry-cleared" }
func (RetryClosed) Type() string     { return "mage.retry-closed" }
func (Declared) Type() string        { return "mage.declared" }
func (Acted) Type() string           { return "mage.acted" }
func (Answered) Type() string        { return "mage.answered" }
func (Gathered) Type() string        { return "mage.gathered" }
func (Scored) Type() string          { return "mage.scored" }
func (Harder) Type() string          { return "mage.harder" }
func (Closed) Type() string          { return "mage.closed" }
func (TimePassed) Type() string      { return "mage.time-passed" }
func (ClockSet) Type() string        { return "mage.clock-set" }
func (Happened) Type() string        { return "mage.happened" }

// Whose sheet an event changes.

func (e WillpowerBought) Whose() string { return e.Who }
func (e PointsChanged) Whose() string   { return e.Who }
func (e RetryMarked) Whose() string     { return e.Who }
func (e RetryCleared) Whose() string    { return e.Who }
func (e RetryClosed) Whose() string     { return e.Who }
func (e Declared) Whose() string        { return e.Who }
func (e Acted) Whose() string           { return e.Who }
func (e Gathered) Whose() string        { return e.Who }
func (e Scored) Whose() string          { return e.Who }
func (e Harder) Whose() string          { return e.Who }
func (e Closed) Whose() string          { return e.Who }
func (e ClockSet) Whose() string        { return e.Who }

// Apply takes the point off and remembers that one was spent this turn.
func (e WillpowerBought) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Willpower.Temporary = max(0, c.Willpower.Temporary-1)
		c.Clock.Bought = true
		return c
	})
}

// Apply changes the points.
func (e PointsChanged) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		at := c.at(e.Points)
		*at = max(0, *at+e.By)
		return c
	})
}

// Apply writes the penalty down.
func (e RetryMarked) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Retries = append(without(c.Retries, e.Attempt), Retry{Attempt: e.Attempt, Penalty: e.Penalty})
		return c
	})
}

// Apply takes the penalty off.
func (e RetryCleared) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Retries = without(c.Retries, e.Attempt)
		return c
	})
}

// Apply closes the attempt, or opens it again.
func (e RetryClosed) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Retries = slices.Clone(c.Retries)
		for i := range c.Retries {
			if c.Retries[i].Attempt == e.Attempt {
				c.Retries[i].Final = e.Final
			}
		}
		return c
	})
}

// without returns a copy that lacks one attempt; nil rather than nothing.
func without(retries []Retry, attempt string) []Retry {
	var left []Retry
	for _, r := range retries {
		if r.Attempt != attempt {
			left = append(left, r)
		}
	}
	return left
}

// Apply remembers that the turn is spoken for. Extra and reflexive actions
// leave it free.
func (e Declared) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Clock.Declared = max(c.Clock.Declared, e.Split)
		if e.Due != nil {
			c.Actions, c.Clock.Declared = e.Due, e.Split
			c.Clock.Bought = c.Clock.Bought && c.Clock.Counted // where nobody counts, it's a turn of its own
		}
		return c
	})
}

// Apply strikes the action off, or remembers that the turn's one is made. MG-10
func (e Acted) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		if e.At == 0 {
			c.Clock.Acted = true
			return c
		}
		c.Actions = slices.Clone(c.Actions)
		if e.At <= len(c.Actions) {
			c.Actions[e.At-1].Done = true
		}
		return c
	})
}

// Apply puts the roll down.
func (e Gathered) Apply(sheet any) any {
	return game.On(sheet, func(x Extended) Extended {
		x.Gathered, x.Used, x.Pool = e.Now, e.Used, e.Dice
		return x
	})
}

// Apply puts the totals down, and who they belong to.
func (e Scored) Apply(sheet any) any {
	return game.On(sheet, func(x Extended) Extended {
		x.First, x.Second = form.Ref(e.First), form.Ref(e.Second)
		x.Gathered, x.Opposed, x.Used = e.Gathered, e.Opposed, e.Used
		return x
	})
}

// Apply raises the difficulty.
func (e Harder) Apply(sheet any) any {
	return game.On(sheet, func(x Extended) Extended {
		switch {
		case e.Raised == 0:
			x.Difficulty = e.Now
		case e.Rival:
			x.RivalRaised = e.Raised
		default:
			x.Raised = e.Raised
		}
		return x
	})
}

// Apply closes the action.
func (e Closed) Apply(sheet any) any {
	return game.On(sheet, func(x Extended) Extended {
		x.State = e.State
		return x
	})
}

// Apply sets the clock and ends what was declared. MG-10, MG-30
func (e ClockSet) Apply(sheet any) any {
	return game.On(sheet, func(c Character) Character {
		c.Clock, c.Actions = e.Clock, nil
		return c
	})
}

// tellOf reports a change and applies it to the rule's own copy of the sheet.
func tellOf[S any](r *rule.Run, sheet S, e game.Change) S {
	r.Tell(e)
	return e.Apply(sheet).(S)
}
