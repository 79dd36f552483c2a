package eclipse

import (
	"slices"

	"norn/game"
)

// The field Hidden of an event is set for an NPC's numbers: only the GM sees the event.

// TargetSet records the target number of a test. EP-04, EP-06
type TargetSet struct {
	Who       string `json:"who,omitempty"`
	Whose     string `json:"whose,omitempty"` // EP-08: the member whose skill the group uses
	On        string `json:"on"`
	Base      int    `json:"base"`
	Parts     []Part `json:"parts,omitempty"`
	Sum       int    `json:"sum"`
	Counts    int    `json:"counts"` // the sum within its limit
	Ignored   bool   `json:"ignored,omitempty"`
	Overall   bool   `json:"overall,omitempty"` // EP-05: wounds and traumas are part of the GM's overall modifier
	Defaulted bool   `json:"defaulted,omitempty"`
	Instead   string `json:"instead,omitempty"` // EP-16: what is tested, with a related skill instead
	Missing   string `json:"missing,omitempty"` // EP-16: the skill that is missing on the sheet
	Target    int    `json:"target"`
	Hidden    bool   `json:"hidden,omitempty" secret:"whole"`
}

// CameOut records the result of one of several throws.
type CameOut struct {
	Who     string `json:"who,omitempty"`
	Roll    int    `json:"roll"`
	Outcome string `json:"result" say:"outcome"`
}

// PointSpent records points spent from a pool, and their use: "ignore", "boost", "flip", "raise",
// "soften", "first", "boon". EP-20
type PointSpent struct {
	Who     string `json:"who"`
	Pool    string `json:"pool" say:"pool"`
	N       int    `json:"n"`
	Use     string `json:"use" say:"use"`
	Flipped bool   `json:"flipped,omitempty" word:"flipped"`
	Roll    int    `json:"roll,omitempty"` // the roll that was flipped
	Left    int    `json:"left"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
}

// TurnedFace implements game.FaceTurner: it returns the d100's face and the one that counts
// instead. EP-20
func (e PointSpent) TurnedFace() (was, is int) {
	if !e.Flipped {
		return 0, 0
	}
	return faceOf(e.Roll), faceOf(flip(e.Roll))
}

// RollTurned records how a point of the GM's own character changed a roll: players see that, and not
// the pool. EP-20
type RollTurned struct {
	Who     string `json:"who"`
	Use     string `json:"use" say:"use"`
	Roll    int    `json:"roll"` // before
	Flipped bool   `json:"flipped,omitempty" word:"roll-flipped"`
	Outcome string `json:"result" say:"outcome"` // after
}

// TurnedFace implements game.FaceTurner. EP-20
func (e RollTurned) TurnedFace() (was, is int) {
	return PointSpent{Flipped: e.Flipped, Roll: e.Roll}.TurnedFace()
}

// SkillDecided records that of equal rolls the one on the higher skill has won. EP-18
type SkillDecided struct {
	Who  string `json:"who,omitempty"`
	Roll int    `json:"roll"`
}

// RetryWaived records that a failure doesn't make the next try harder. EP-19
type RetryWaived struct {
	Who string `json:"who"`
}

// TryWaived records that a failed try at a task doesn't make the next one harder. EP-19
type TryWaived struct {
	Who string `json:"who"`
	By  string `json:"by"`
}

// NextUsed records that modifiers of earlier results were used by a test. EP-13, EP-14
type NextUsed struct {
	Who    string `json:"who"`
	N      int    `json:"n" say:"Amount,signed"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// SuperiorTaken records the effect of a superior result. EP-13
type SuperiorTaken struct {
	Who    string `json:"who"`
	Effect string `json:"effect"`
	Times  int    `json:"times"`
	Good   bool   `json:"good"`
	Subject
}

// CriticalTaken records the effect of a critical result. EP-14
type CriticalTaken struct {
	Who    string `json:"who"`
	Effect string `json:"effect"`
	Good   bool   `json:"good"`
	Text   string `json:"text,omitempty"`
}

// Allowed records whether the GM allows a player's version of a test: with a related skill, or with
// more modifiers than the GM's call had. EP-05, EP-16
type Allowed struct {
	Who   string `json:"who"`
	Allow bool   `json:"allow" word:"allowed|not-allowed"`
}

// DamageAdded records how much damage superior successes add. EP-13
type DamageAdded struct {
	Who string `json:"who"`
	N   int    `json:"n" say:"Amount,signed"`
}

// EffectGained records a lasting effect of a result. EP-13, EP-14
type EffectGained struct {
	Who    string `json:"who"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// EffectEnded records that a lasting effect has ended. EP-14
type EffectEnded struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// BoonGained records lasting points that raise an aptitude's skills. EP-20
type BoonGained struct {
	Who    string `json:"who"`
	Boon   Boon   `json:"boon"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// Recharged records the points restored by a "short" or a "long" recharge; it also ends boons.
// EP-21, EP-20
type Recharged struct {
	Who     string `json:"who"`
	Kind    string `json:"kind"`
	Back    Points `json:"back" word:"|nothing-recharged"`
	Minutes int    `json:"minutes"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
}

// DayBegun records that a new day has begun for a character. It has no text: the move's outcome
// mentions it once for everybody. EP-21
type DayBegun struct {
	Who    string `json:"who"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// Managed records everyday work that needs no test. EP-07
type Managed struct {
	Who  string `json:"who"`
	On   string `json:"on"`
	Text string `json:"text,omitempty"`
}

// TaskBegun records that a task will succeed once a time has passed. Times are in minutes. EP-24
type TaskBegun struct {
	Who   string `json:"who"` // the task
	By    string `json:"by"`
	Needs int    `json:"needs"`
}

// TaskFailed records that a try at a task failed and took time. EP-24
type TaskFailed struct {
	Who  string `json:"who"`
	By   string `json:"by"`
	Lost int    `json:"lost"`
}

// TaskRetimed records that a task in progress needs another time than announced. EP-13, EP-24
type TaskRetimed struct {
	Who   string `json:"who"`
	By    string `json:"by"`
	Needs int    `json:"needs"`
}

// TaskRegained records that a failed try took less time than announced. EP-13, EP-24
type TaskRegained struct {
	Who      string `json:"who"`
	By       string `json:"by"`
	Regained int    `json:"regained"`
}

// TaskInterrupted records that work was interrupted after some time. EP-24
type TaskInterrupted struct {
	Who   string `json:"who"`
	Spent int    `json:"spent"`
}

// TaskResumed records that work continues. EP-24
type TaskResumed struct {
	Who       string `json:"who"`
	Remaining int    `json:"remaining"`
}

// TaskFinished records that a task is done, and how long it took including failed tries. EP-24
type TaskFinished struct {
	Who  string `json:"who"`
	Took int    `json:"took"`
}

var eventTypes = game.Events(
	TargetSet{}, CameOut{}, PointSpent{}, NextUsed{},
	SuperiorTaken{}, CriticalTaken{}, DamageAdded{},
	EffectGained{}, EffectEnded{}, BoonGained{},
	Recharged{}, DayBegun{}, Managed{},
	TaskBegun{}, TaskFailed{}, TaskInterrupted{},
	TaskResumed{}, TaskFinished{}, Allowed{},
	TaskRetimed{}, TaskRegained{}, RollTurned{}, SkillDecided{}, RetryWaived{},
	TryWaived{},
)

func (e PointSpent) Apply(c *Character) { c.Pools = c.Pools.spend(e.Pool, e.N) }

func (e NextUsed) Apply(c *Character) {
	c.Effects = slices.DeleteFunc(slices.Clone(c.Effects), func(e Effect) bool { return e.Kind == "next" })
}

func (e EffectGained) Apply(c *Character) { game.Add(&c.Effects, e.Effect) }

// Apply removes the effect.
func (e EffectEnded) Apply(c *Character) {
	game.Drop(&c.Effects, e.At)
}

func (e BoonGained) Apply(c *Character) { game.Add(&c.Boons, e.Boon) }

// Apply restores the points and counts the recharge.
func (e Recharged) Apply(c *Character) {
	c.Pools, c.Boons = c.Pools.back(e.Back), nil
	if e.Kind == "long" {
		c.Day.Long++
	} else {
		c.Day.Short++
	}
}

func (e DayBegun) Apply(c *Character) { c.Day, c.Boons = Day{}, nil }

func (e TaskBegun) Apply(t *Task) { t.State, t.Needs, t.Spent = "running", e.Needs, 0 }

// Apply adds the try and the time lost.
func (e TaskFailed) Apply(t *Task) {
	t.Lost += e.Lost
	t.Tries = min(t.Tries+1, maxTries)
}

func (e TaskRetimed) Apply(t *Task) { t.Needs = e.Needs }

func (e TryWaived) Apply(t *Task) { t.Waived = min(t.Waived+1, t.Tries) }

func (e TaskRegained) Apply(t *Task) { t.Lost -= e.Regained }

// Apply interrupts the task.
func (e TaskInterrupted) Apply(t *Task) {
	t.State = "interrupted"
	t.Spent += e.Spent
}

func (e TaskResumed) Apply(t *Task) { t.State = "running" }

func (e TaskFinished) Apply(t *Task) { t.State, t.Spent = "done", t.Needs }
