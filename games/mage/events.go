package mage

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Rolled records the result of one pool. Hits and Ones are counted before the threshold and the 1s
// cancel successes; Ones is the size of a botch. MG-02 … MG-08, MG-20, MG-21
type Rolled struct {
	Who  string `json:"who,omitempty"` // "" for a roller without a sheet
	Text string `json:"text,omitempty"`
	Traits
	Dice       int          `json:"dice"`
	Difficulty int          `json:"difficulty"`
	Threshold  int          `json:"threshold,omitempty"`
	Hits       int          `json:"hits"`
	Ones       int          `json:"ones"`
	Willpower  bool         `json:"bought,omitempty"`
	Reflexive  bool         `json:"reflexive,omitempty"` // MG-09: not an action
	Outcome    rule.Outcome `json:"outcome"`

	Gone bool `json:"gone,omitempty"` // MG-08: the declared point of Willpower was spent before the dice fell
}

// Unrolled records that a success was taken without a roll. MG-07
type Unrolled struct {
	Who string `json:"who"`
	Traits
	Dice       int `json:"dice" say:"Pool"`
	Difficulty int `json:"difficulty"`
}

// StayedOut records that somebody who was asked to help, or to resist, did nothing. MG-14, MG-16
type StayedOut struct {
	Who     string `json:"who"`
	Against bool   `json:"against,omitempty" word:"unresisted"` // was asked to resist
}

// Later implements game.AddedLater.
func (StayedOut) Later() {}

// WillpowerBought records that a point of Willpower bought a success. MG-08
type WillpowerBought struct {
	Who     string `json:"who"`
	Left    int    `json:"left"`
	Untimed bool   `json:"untimed,omitempty"` // MG-13: not in this turn
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
}

// PointsChanged records that points were spent, gained or restored. MG-01
type PointsChanged struct {
	Who    string `json:"who"`
	Points string `json:"points"`
	By     int    `json:"by" say:"signed"`
	Now    int    `json:"now"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// RetryMarked records that an attempt failed and will be harder next time. MG-12
type RetryMarked struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
	Penalty int    `json:"penalty"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`

	With  []form.Ref `json:"with,omitempty"`  // who else made it
	Along bool       `json:"along,omitempty"` // it's told of somebody else of the team
}

// RetryCleared records that an attempt isn't harder any more. MG-12
type RetryCleared struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
	Along   bool   `json:"along,omitempty"` // it's told of somebody else of the team
}

// RetryFree records that failures of an attempt don't count in a fast scene. MG-12
type RetryFree struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
}

// FastAllowed records whether the Storyteller agrees that a retry in a fast scene isn't harder.
// MG-12
type FastAllowed struct {
	Who   string `json:"who"`
	Allow bool   `json:"allow" word:"fast-allowed|fast-refused"`
}

// RetryClosed records whether an attempt may be repeated. MG-12
type RetryClosed struct {
	Who     string `json:"who"`
	Attempt string `json:"attempt"`
	Final   bool   `json:"final" word:"retry-final|retry-reopened"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
	Along   bool   `json:"along,omitempty"` // it's told of somebody else of the team
}

// RetryForgiven records that a failed roll without a name isn't harder when it's made again. MG-12
type RetryForgiven struct {
	Who    string `json:"who"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// Declared records the actions declared for a turn. MG-10, MG-11
type Declared struct {
	Who     string    `json:"who"`
	Split   int       `json:"split"` // how many share the turn's one action
	Due     []Due     `json:"due,omitempty"`
	Actions []Planned `json:"actions,omitempty"` // from the first edition of the rules, in which they were made at once
}

// Planned is one of several actions that were made at once, in the first edition.
type Planned struct {
	Text string `json:"text,omitempty"`
	Traits
	Whole int `json:"whole"` // dice of the full pool
	Dice  int `json:"dice"`  // dice left
}

// Acted records that one of the declared actions, or the turn's only one, was made. MG-10, MG-30
type Acted struct {
	Who  string `json:"who"`
	At   int    `json:"at,omitempty"`   // place in the declaration, 0 for the only action
	Less int    `json:"less,omitempty"` // dice that the place costs
	Text string `json:"text,omitempty"`
}

// Answered records whether the Storyteller allows somebody to resist without an action. MG-09
type Answered struct {
	Who   string `json:"who"`
	Leave bool   `json:"leave" word:"leave|no-leave"`
}

// Added records whether the Storyteller allows a player to change the roll that was called for.
// MG-32
type Added struct {
	Who   string `json:"who"`
	Allow bool   `json:"allow" word:"added|not-added"`
}

// Gathered records what a roll added to an extended action, or that a botch lost everything. MG-13
type Gathered struct {
	Who    string `json:"who"` // the action
	N      int    `json:"n"`
	Now    int    `json:"now"`
	Target int    `json:"target"`
	Used   int    `json:"used"`
	Limit  int    `json:"limit,omitempty"`
	Dice   int    `json:"dice"`
	Botch  bool   `json:"botch,omitempty"`

	Interval string `json:"interval,omitempty"` // story time for each roll; "" from older rules

	By []string `json:"by,omitempty"` // MG-16: who botched
}

// Scored records the totals of a contest, and which sides have lost theirs by a botch. MG-15
type Scored struct {
	Who      string `json:"who"` // the action
	First    string `json:"first"`
	Second   string `json:"second"`
	Gathered int    `json:"gathered"`
	Opposed  int    `json:"opposed"`
	Target   int    `json:"target"`
	Used     int    `json:"used"`

	RivalTarget *int `json:"rivalTarget,omitempty"` // set if it differs: 0 for none
	FirstLost   int  `json:"firstLost,omitempty"`
	SecondLost  int  `json:"secondLost,omitempty"`

	Interval string `json:"interval,omitempty"` // story time for each roll; "" from older rules
}

// Harder records that a botch has raised an extended action's difficulty. MG-13
type Harder struct {
	Who    string `json:"who"` // the action
	By     int    `json:"by"`
	Now    int    `json:"now"`
	Raised int    `json:"raised,omitempty"`                 // sum over all botches; 0 in the first edition
	Rival  bool   `json:"rival,omitempty"`                  // MG-15: for the second side of a contest
	Side   string `json:"side,omitempty" word:"harder-for"` // the leader of that side

	Threshold int `json:"threshold,omitempty"` // MG-20: what of Now has become a threshold
}

// Closed records how an extended action ended. MG-13, MG-15
type Closed struct {
	Who   string `json:"who" say:"Action"` // the action
	State string `json:"state" say:"state"`
	By    string `json:"by,omitempty" word:"won-by"` // MG-15: who has won the contest
}

// TimePassed records the new state of the clock. MG-30
type TimePassed struct {
	To     string      `json:"to"`
	Clock  Clock       `json:"clock"`
	Length form.Number `json:"length,omitzero"` // of a downtime
	Unit   string      `json:"unit,omitempty"`
	Text   string      `json:"text,omitempty"` // what happened in it
}

// ClockSet sets the time on a character's sheet. TimePassed already reports it, so nobody is shown
// this event. MG-30
type ClockSet struct {
	Who   string `json:"who"`
	Clock Clock  `json:"clock"`
}

// Happened records an action in words, with or without dice. MG-31
type Happened struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

var eventTypes = game.Events(
	Rolled{}, Unrolled{}, WillpowerBought{}, PointsChanged{},
	RetryMarked{}, RetryCleared{}, RetryClosed{}, RetryForgiven{}, Declared{},
	Gathered{}, Scored{}, Harder{}, Closed{},
	TimePassed{}, game.Silent(ClockSet{}), Happened{}, StayedOut{},
	Acted{}, Answered{}, Added{}, RetryFree{}, FastAllowed{},
)

// Apply subtracts the point and marks that one was spent in this turn.
func (e WillpowerBought) Apply(c *Character) {
	c.Willpower.Temporary = max(0, c.Willpower.Temporary-1)
	c.Clock.Bought = c.Clock.Bought || !e.Untimed
}

// Apply changes the points.
func (e PointsChanged) Apply(c *Character) {
	at := c.at(e.Points)
	*at = max(0, *at+e.By)
}

func (e RetryMarked) Apply(c *Character) {
	c.Retries = append(without(c.Retries, e.Attempt), Retry{Attempt: e.Attempt, Penalty: e.Penalty, With: e.With})
}

func (e RetryCleared) Apply(c *Character) { c.Retries = without(c.Retries, e.Attempt) }

// Apply closes or reopens the attempt.
func (e RetryClosed) Apply(c *Character) {
	c.Retries = slices.Clone(c.Retries)
	for i := range c.Retries {
		if c.Retries[i].Attempt == e.Attempt {
			c.Retries[i].Final = e.Final
		}
	}
}

// without returns a copy without one attempt, however it's written; nil if nothing is left. MG-12
func without(retries []Retry, attempt string) []Retry {
	var left []Retry
	for _, r := range retries {
		if !sameAttempt(r.Attempt, attempt) {
			left = append(left, r)
		}
	}
	return left
}

// Apply stores the declaration, which uses the turn's action. Extra and reflexive actions don't use
// it.
func (e Declared) Apply(c *Character) {
	c.Clock.Declared = max(c.Clock.Declared, e.Split)
	if e.Due != nil {
		c.Actions, c.Clock.Declared = e.Due, e.Split
		c.Clock.Bought = c.Clock.Bought && c.Clock.Counted // else each declaration is its own turn
	}
}

// Apply removes the declared action, or marks that the turn's only one is made. MG-10
func (e Acted) Apply(c *Character) {
	c.Clock.Acted = c.Clock.Acted || e.At == 0
	game.Edit(&c.Actions, e.At-1, func(d *Due) { d.Done = true })
}

func (e Gathered) Apply(x *Extended) { x.Gathered, x.Used, x.Pool = e.Now, e.Used, e.Dice }

// Apply stores the totals and their owners.
func (e Scored) Apply(x *Extended) {
	x.First, x.Second = form.Ref(e.First), form.Ref(e.Second)
	x.Gathered, x.Opposed, x.Used = e.Gathered, e.Opposed, e.Used
}

// Apply raises the difficulty.
func (e Harder) Apply(x *Extended) {
	switch {
	case e.Raised == 0:
		x.Difficulty = e.Now
	case e.Rival:
		x.RivalRaised = e.Raised
	default:
		x.Raised = e.Raised
	}
}

func (e Closed) Apply(x *Extended) { x.State = e.State }

// Apply sets the clock and ends declarations. MG-10, MG-30
func (e ClockSet) Apply(c *Character) { c.Clock, c.Actions = e.Clock, nil }
