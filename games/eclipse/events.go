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
	Missing   string `json:"missing,omitempty"` // EP-16: the skill that isn't on the sheet
	Target    int    `json:"target"`
	Hidden    bool   `json:"hidden,omitempty" secret:"whole"`
}

// CameOut says how one throw of several came out.
type CameOut struct {
	Who     string `json:"who,omitempty"`
	Roll    int    `json:"roll"`
	Outcome string `json:"result" say:"outcome"`
}

// PointSpent says that points went out of a pool, and what for: "ignore",
// "boost", "flip", "raise", "soften", "first", "boon". EP-20
type PointSpent struct {
	Who     string `json:"who"`
	Pool    string `json:"pool" say:"pool"`
	N       int    `json:"n"`
	Use     string `json:"use" say:"use"`
	Flipped bool   `json:"flipped,omitempty" word:"flipped"`
	Roll    int    `json:"roll,omitempty"` // that was flipped
	Left    int    `json:"left"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
}

// TurnedFace implements game.FaceTurner: which face of the d100 counts as which. EP-20
func (e PointSpent) TurnedFace() (was, is int) {
	if !e.Flipped {
		return 0, 0
	}
	return faceOf(e.Roll), faceOf(flip(e.Roll))
}

// NextUsed says that what earlier results add to the next test has counted.
// EP-13, EP-14
type NextUsed struct {
	Who    string `json:"who"`
	N      int    `json:"n" say:"Amount,signed"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
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

// Allowed says whether the GM lets a player test as they would: by a related skill, or
// with modifiers beside those that were asked for. EP-05, EP-16
type Allowed struct {
	Who   string `json:"who"`
	Allow bool   `json:"allow" word:"allowed|not-allowed"`
}

// DamageAdded says how much damage superior successes add. EP-13
type DamageAdded struct {
	Who string `json:"who"`
	N   int    `json:"n" say:"Amount,signed"`
}

// EffectGained says what is remembered of a result. EP-13, EP-14
type EffectGained struct {
	Who    string `json:"who"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// EffectEnded says that a remembered effect is over. EP-14
type EffectEnded struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Effect Effect `json:"effect"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// BoonGained says that lasting points lift an aptitude's skills. EP-20
type BoonGained struct {
	Who    string `json:"who"`
	Boon   Boon   `json:"boon"`
	Hidden bool   `json:"hidden,omitempty" secret:"whole"`
}

// Recharged says which points came back, by a "short" or a "long" recharge;
// boons end with it. EP-21, EP-20
type Recharged struct {
	Who     string `json:"who"`
	Kind    string `json:"kind"`
	Back    Points `json:"back" word:"|nothing-recharged"`
	Minutes int    `json:"minutes"`
	Hidden  bool   `json:"hidden,omitempty" secret:"whole"`
}

// DayBegun says that a new day has begun for a character. It has no line of
// its own: the move's outcome tells of everybody's. EP-21
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

// TaskRetimed says that a task that is under way needs another time than said before. EP-13, EP-24
type TaskRetimed struct {
	Who   string `json:"who"`
	By    string `json:"by"`
	Needs int    `json:"needs"`
}

// TaskRegained says that a failed try took less time than said before. EP-13, EP-24
type TaskRegained struct {
	Who      string `json:"who"`
	By       string `json:"by"`
	Regained int    `json:"regained"`
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

var eventTypes = game.Events(
	TargetSet{}, CameOut{}, PointSpent{}, NextUsed{},
	SuperiorTaken{}, CriticalTaken{}, DamageAdded{},
	EffectGained{}, EffectEnded{}, BoonGained{},
	Recharged{}, DayBegun{}, Managed{},
	TaskBegun{}, TaskFailed{}, TaskInterrupted{},
	TaskResumed{}, TaskFinished{}, Allowed{},
	TaskRetimed{}, TaskRegained{},
)

func (e PointSpent) Apply(c *Character) { c.Pools = c.Pools.spend(e.Pool, e.N) }

func (e NextUsed) Apply(c *Character) {
	c.Effects = slices.DeleteFunc(slices.Clone(c.Effects), func(e Effect) bool { return e.Kind == "next" })
}

func (e EffectGained) Apply(c *Character) { game.Add(&c.Effects, e.Effect) }

// Apply strikes the effect out.
func (e EffectEnded) Apply(c *Character) {
	game.Drop(&c.Effects, e.At)
}

func (e BoonGained) Apply(c *Character) { game.Add(&c.Boons, e.Boon) }

// Apply brings the points back and counts the recharge.
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

// Apply counts the try and the time lost.
func (e TaskFailed) Apply(t *Task) {
	t.Lost += e.Lost
	t.Tries = min(t.Tries+1, 12) // more takes nothing more off: EP-06
}

func (e TaskRetimed) Apply(t *Task) { t.Needs = e.Needs }

func (e TaskRegained) Apply(t *Task) { t.Lost -= e.Regained }

// Apply stops the clock.
func (e TaskInterrupted) Apply(t *Task) {
	t.State = "interrupted"
	t.Spent += e.Spent
}

func (e TaskResumed) Apply(t *Task) { t.State = "running" }

func (e TaskFinished) Apply(t *Task) { t.State, t.Spent = "done", t.Needs }
