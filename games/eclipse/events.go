package eclipse

import (
	"slices"

	"norn/game"
)

// Hidden marks in an event the numbers of an NPC: only the GM sees it.

// TargetSet says what a test is thrown against. EP-04, EP-06
type TargetSet struct {
	Who       string `json:"who,omitempty"`
	Whose     string `json:"whose,omitempty"` // EP-08: whose skill stands for the group
	On        string `json:"on"`
	Base      int    `json:"base"`
	Parts     []Part `json:"parts,omitempty"`
	Sum       int    `json:"sum"`
	Counts    int    `json:"counts"` // of the sum
	Ignored   bool   `json:"ignored,omitempty"`
	Overall   bool   `json:"overall,omitempty"` // EP-05: wounds and traumas are in the GM's one modifier
	Defaulted bool   `json:"defaulted,omitempty"`
	Instead   string `json:"instead,omitempty"` // EP-16: what is tested, by a related skill
	Target    int    `json:"target"`
	Hidden    bool   `json:"hidden,omitempty"`
}

// CameOut says how one throw of several came out.
type CameOut struct {
	Who     string `json:"who,omitempty"`
	Roll    int    `json:"roll"`
	Outcome string `json:"result"`
}

// PointSpent says that points went out of a pool, and what for: "ignore",
// "boost", "flip", "raise", "soften", "first", "boon". EP-20
type PointSpent struct {
	Who     string `json:"who"`
	Pool    string `json:"pool"`
	N       int    `json:"n"`
	Use     string `json:"use"`
	Flipped bool   `json:"flipped,omitempty"`
	Roll    int    `json:"roll,omitempty"` // that was flipped
	Left    int    `json:"left"`
	Hidden  bool   `json:"hidden,omitempty"`
}

// Turned implements game.Turned: which face of the d100 counts as which. EP-20
func (e PointSpent) Turned() (was, is int) {
	if !e.Flipped {
		return 0, 0
	}
	return faceOf(e.Roll), faceOf(flipped(e.Roll))
}

// NextUsed says that what earlier results add to the next test has counted.
// EP-13, EP-14
type NextUsed struct {
	Who    string `json:"who"`
	N      int    `json:"n"`
	Hidden bool   `json:"hidden,omitempty"`
}

// SuperiorTaken says what a superior result brings. EP-13
type SuperiorTaken struct {
	Who    string `json:"who"`
	Effect string `json:"effect"`
	Times  int    `json:"times"`
	Good   bool   `json:"good"`
	Subject
}

// CriticalTaken says what a critical result brings. EP-14
type CriticalTaken struct {
	Who    string `json:"who"`
	Effect string `json:"effect"`
	Good   bool   `json:"good"`
	Text   string `json:"text,omitempty"`
}

// DamageAdded says how much damage superior successes add. EP-13
type DamageAdded struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

// EffectGained says what is remembered of a result. EP-13, EP-14
type EffectGained struct {
	Who    string `json:"who"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty"`
}

// EffectEnded says that a remembered effect is over. EP-14
type EffectEnded struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty"`
}

// BoonGained says that lasting points lift an aptitude's skills. EP-20
type BoonGained struct {
	Who    string `json:"who"`
	Boon   Boon   `json:"boon"`
	Hidden bool   `json:"hidden,omitempty"`
}

// Recharged says which points came back, by a "short" or a "long" recharge;
// boons end with it. EP-21, EP-20
type Recharged struct {
	Who     string `json:"who"`
	Kind    string `json:"kind"`
	Back    Points `json:"back"`
	Minutes int    `json:"minutes"`
	Hidden  bool   `json:"hidden,omitempty"`
}

// DayBegun says that a new day has begun for a character. It has no line of
// its own: the move's outcome tells of everybody's. EP-21
type DayBegun struct {
	Who    string `json:"who"`
	Hidden bool   `json:"hidden,omitempty"`
}

// Managed records everyday work that needs no test. EP-07
type Managed struct {
	Who  string `json:"who"`
	On   string `json:"on"`
	Text string `json:"text,omitempty"`
}

// TaskBegun says that a task will succeed once the time has gone by. Times are
// in minutes. EP-24
type TaskBegun struct {
	Who   string `json:"who"` // the task
	By    string `json:"by"`
	Needs int    `json:"needs"`
}

// TaskFailed says that a try at a task failed and took time. EP-24
type TaskFailed struct {
	Who  string `json:"who"`
	By   string `json:"by"`
	Lost int    `json:"lost"`
}

// TaskInterrupted says that work stopped after so long. EP-24
type TaskInterrupted struct {
	Who   string `json:"who"`
	Spent int    `json:"spent"`
}

// TaskResumed says that work goes on. EP-24
type TaskResumed struct {
	Who       string `json:"who"`
	Remaining int    `json:"remaining"`
}

// TaskFinished says that a task is done, and how long it took with all failed
// tries. EP-24
type TaskFinished struct {
	Who  string `json:"who"`
	Took int    `json:"took"`
}

var eventTypes = append(game.Common(),
	game.EventOf[TargetSet](), game.EventOf[CameOut](), game.EventOf[PointSpent](), game.EventOf[NextUsed](),
	game.EventOf[SuperiorTaken](), game.EventOf[CriticalTaken](), game.EventOf[DamageAdded](),
	game.EventOf[EffectGained](), game.EventOf[EffectEnded](), game.EventOf[BoonGained](),
	game.EventOf[Recharged](), game.EventOf[DayBegun](), game.EventOf[Managed](),
	game.EventOf[TaskBegun](), game.EventOf[TaskFailed](), game.EventOf[TaskInterrupted](),
	game.EventOf[TaskResumed](), game.EventOf[TaskFinished](),
)

// Types are stable: the journal holds them.

func (TargetSet) Type() string       { return "eclipse.target-set" }
func (CameOut) Type() string         { return "eclipse.came-out" }
func (PointSpent) Type() string      { return "eclipse.point-spent" }
func (NextUsed) Type() string        { return "eclipse.next-used" }
func (SuperiorTaken) Type() string   { return "eclipse.superior-taken" }
func (CriticalTaken) Type() string   { return "eclipse.critical-taken" }
func (DamageAdded) Type() string     { return "eclipse.damage-added" }
func (EffectGained) Type() string    { return "eclipse.effect-gained" }
func (EffectEnded) Type() string     { return "eclipse.effect-ended" }
func (BoonGained) Type() string      { return "eclipse.boon-gained" }
func (Recharged) Type() string       { return "eclipse.recharged" }
func (DayBegun) Type() string        { return "eclipse.day-begun" }
func (Managed) Type() string         { return "eclipse.managed" }
func (TaskBegun) Type() string       { return "eclipse.task-begun" }
func (TaskFailed) Type() string      { return "eclipse.task-failed" }
func (TaskInterrupted) Type() string { return "eclipse.task-interrupted" }
func (TaskResumed) Type() string     { return "eclipse.task-resumed" }
func (TaskFinished) Type() string    { return "eclipse.task-finished" }

// Whose sheet an event changes.

func (e PointSpent) Whose() string      { return e.Who }
func (e NextUsed) Whose() string        { return e.Who }
func (e EffectGained) Whose() string    { return e.Who }
func (e EffectEnded) Whose() string     { return e.Who }
func (e BoonGained) Whose() string      { return e.Who }
func (e Recharged) Whose() string       { return e.Who }
func (e DayBegun) Whose() string        { return e.Who }
func (e TaskBegun) Whose() string       { return e.Who }
func (e TaskFailed) Whose() string      { return e.Who }
func (e TaskInterrupted) Whose() string { return e.Who }
func (e TaskResumed) Whose() string     { return e.Who }
func (e TaskFinished) Whose() string    { return e.Who }

// Apply takes the points out of the pool.
func (e PointSpent) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Pools = c.Pools.spent(e.Pool, e.N)
		return c
	})
}

// Apply forgets what has counted.
func (e NextUsed) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Effects = slices.DeleteFunc(slices.Clone(c.Effects), func(e Effect) bool { return e.Kind == "next" })
		return c
	})
}

// Apply writes the effect down.
func (e EffectGained) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Effects = append(slices.Clone(c.Effects), e.Effect)
		return c
	})
}

// Apply strikes the effect out.
func (e EffectEnded) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		if e.At >= 0 && e.At < len(c.Effects) {
			c.Effects = slices.Delete(slices.Clone(c.Effects), e.At, e.At+1)
		}
		return c
	})
}

// Apply writes the boon down.
func (e BoonGained) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Boons = append(slices.Clone(c.Boons), e.Boon)
		return c
	})
}

// Apply brings the points back and counts the recharge.
func (e Recharged) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Pools, c.Boons = c.Pools.back(e.Back), nil
		if e.Kind == "long" {
			c.Day.Long++
		} else {
			c.Day.Short++
		}
		return c
	})
}

// Apply begins the day.
func (e DayBegun) Apply(sheet any) any {
	return change(sheet, func(c Character) Character {
		c.Day, c.Boons = Day{}, nil
		return c
	})
}

// Apply sets the clock of the task.
func (e TaskBegun) Apply(sheet any) any {
	return game.On(sheet, func(t Task) Task {
		t.State, t.Needs, t.Spent = "running", e.Needs, 0
		return t
	})
}

// Apply counts the try and the time lost.
func (e TaskFailed) Apply(sheet any) any {
	return game.On(sheet, func(t Task) Task {
		t.Lost += e.Lost
		t.Tries = min(t.Tries+1, 12) // more takes nothing more off: EP-06
		return t
	})
}

// Apply stops the clock.
func (e TaskInterrupted) Apply(sheet any) any {
	return game.On(sheet, func(t Task) Task {
		t.State = "interrupted"
		t.Spent += e.Spent
		return t
	})
}

// Apply starts the clock again.
func (e TaskResumed) Apply(sheet any) any {
	return game.On(sheet, func(t Task) Task {
		t.State = "running"
		return t
	})
}

// Apply ends the task.
func (e TaskFinished) Apply(sheet any) any {
	return game.On(sheet, func(t Task) Task {
		t.State, t.Spent = "done", t.Needs
		return t
	})
}
