package edda

import (
	"slices"

	"norn/game"
)

// PoolCounted says where the dice of a pool come from, and which conditions and
// difficulties are left out. ED-02, ED-13
type PoolCounted struct {
	Who  string   `json:"who"`
	Pool []Addend `json:"pool"`
	Left []Addend `json:"left,omitempty"`
}

// Threw says that one of Fate's characters throws: how many dice and where they
// come from is Fate's to know.
type Threw struct {
	Who string `json:"who"`
}

// Attempted says how one throw of several went, and what it took. ED-04
type Attempted struct {
	Who  string `json:"who"`
	N    int    `json:"n"`
	Of   int    `json:"of"`
	Time string `json:"time,omitempty"`
	Hits int    `json:"hits"`
}

// Surplus says how many successes were more than needed. ED-04
type Surplus struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

// Opposed says what both sides of a contest had before they cancelled. ED-05
type Opposed struct {
	Who         string `json:"who"`
	Hits        int    `json:"hits"`
	Against     string `json:"against"`
	AgainstHits int    `json:"against-hits"`
}

// Shared says what one hero added to joint work. ED-09
type Shared struct {
	Who   string `json:"who"`
	Hits  int    `json:"hits"`
	Added int    `json:"added"`
}

// Declined says that Fate didn't agree: to an "action" (ED-01), a "miracle"
// (ED-21), a new "strength" (ED-16) or new "words" (ED-19). Nothing changed.
type Declined struct {
	Who  string `json:"who"`
	What string `json:"what"`
}

// CircumstanceMade says that a character has an advantage or a difficulty.
// ED-06, ED-08
type CircumstanceMade struct {
	Who          string       `json:"who"`
	Sort         string       `json:"sort"`
	Circumstance Circumstance `json:"circumstance"`
}

// CircumstanceEnded says that one is over: used up, or ended by Fate. ED-06
type CircumstanceEnded struct {
	Who          string       `json:"who"`
	Sort         string       `json:"sort"`
	Circumstance Circumstance `json:"circumstance"`
}

// ConditionTaken says that a character took a condition, and why: "effort"
// ED-15, "fate" ED-10.
type ConditionTaken struct {
	Who       string    `json:"who"`
	Condition Condition `json:"condition"`
	Why       string    `json:"why"`
	Now       int       `json:"now"` // with like ones; ED-11
}

// ConditionEased says that a condition is lighter, or gone. ED-12
type ConditionEased struct {
	Who       string    `json:"who"`
	Condition Condition `json:"condition"`
	Steps     int       `json:"steps"`
	Left      int       `json:"left"`
}

// LeftScene says that somebody is out of the scene. ED-11
type LeftScene struct {
	Who string `json:"who"`
}

// Returned says that somebody is back. ED-11
type Returned struct {
	Who string `json:"who"`
}

// MemoryWritten says that a hero will remember something. ED-14
type MemoryWritten struct {
	Who    string `json:"who"`
	Memory string `json:"memory"`
}

// MemoryCalled says that a call on a memory paid for a special effort. ED-14
type MemoryCalled struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Memory string `json:"memory"`
	Calls  int    `json:"calls"`
}

// MemoryErased says that a memory was rethought. ED-16
type MemoryErased struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Memory string `json:"memory"`
}

// StrengthWritten says that a hero has a new strength, without steps. ED-16
type StrengthWritten struct {
	Who      string `json:"who"`
	Strength string `json:"strength"`
}

// StrengthFaded says that a strength can't be used any more. ED-21
type StrengthFaded struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
}

// Oblivion says that a hero leaves the world. ED-23
type Oblivion struct {
	Who string `json:"who"`
}

// WeaknessMarked says that the weakness has a mark more. ED-18
type WeaknessMarked struct {
	Who string `json:"who"`
	Now int    `json:"now"`
}

// WeaknessWiped says that all marks but the first are gone. ED-18
type WeaknessWiped struct {
	Who  string `json:"who"`
	From int    `json:"from"`
}

// ExperienceGained says how much experience was written down, how much was
// over the cap and lost, and why: "weakness" ED-18, "memory" ED-16. ED-20
type ExperienceGained struct {
	Who    string `json:"who"`
	Amount int    `json:"amount"`
	Lost   int    `json:"lost,omitempty"`
	Now    int    `json:"now"`
	Why    string `json:"why"`
}

// ExperienceSpent says what was paid. ED-19
type ExperienceSpent struct {
	Who    string `json:"who"`
	Amount int    `json:"amount"`
	Now    int    `json:"now"`
}

// StepGained says that a strength grew. ED-19
type StepGained struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
	Now      int    `json:"now"`
}

// StrengthRestored says that a faded strength is back. ED-19
type StrengthRestored struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
}

// StrengthReworded says that a strength has another name. ED-19
type StrengthReworded struct {
	Who  string `json:"who"`
	At   int    `json:"at"`
	From string `json:"from"`
	To   string `json:"to"`
}

// WeaknessReworded says that the weakness has other words. ED-19
type WeaknessReworded struct {
	Who  string `json:"who"`
	From string `json:"from"`
	To   string `json:"to"`
}

var eventTypes = append(game.Common(),
	game.EventOf[PoolCounted](), game.EventOf[Threw](), game.EventOf[Attempted](), game.EventOf[Surplus](), game.EventOf[Opposed](),
	game.EventOf[Shared](), game.EventOf[Declined](), game.EventOf[CircumstanceMade](), game.EventOf[CircumstanceEnded](),
	game.EventOf[ConditionTaken](), game.EventOf[ConditionEased](), game.EventOf[LeftScene](), game.EventOf[Returned](),
	game.EventOf[MemoryWritten](), game.EventOf[MemoryCalled](), game.EventOf[MemoryErased](),
	game.EventOf[StrengthWritten](), game.EventOf[StrengthFaded](), game.EventOf[Oblivion](),
	game.EventOf[WeaknessMarked](), game.EventOf[WeaknessWiped](), game.EventOf[ExperienceGained](), game.EventOf[ExperienceSpent](),
	game.EventOf[StepGained](), game.EventOf[StrengthRestored](), game.EventOf[StrengthReworded](), game.EventOf[WeaknessReworded](),
)

// Types are stable: the journal holds them.

func (PoolCounted) Type() string       { return "edda.pool-counted" }
func (Threw) Type() string             { return "edda.threw" }
func (Attempted) Type() string         { return "edda.attempted" }
func (Surplus) Type() string           { return "edda.surplus" }
func (Opposed) Type() string           { return "edda.opposed" }
func (Shared) Type() string            { return "edda.shared" }
func (Declined) Type() string          { return "edda.declined" }
func (CircumstanceMade) Type() string  { return "edda.circumstance-made" }
func (CircumstanceEnded) Type() string { return "edda.circumstance-ended" }
func (ConditionTaken) Type() string    { return "edda.condition-taken" }
func (ConditionEased) Type() string    { return "edda.condition-eased" }
func (LeftScene) Type() string         { return "edda.left-scene" }
func (Returned) Type() string          { return "edda.returned" }
func (MemoryWritten) Type() string     { return "edda.memory-written" }
func (MemoryCalled) Type() string      { return "edda.memory-called" }
func (MemoryErased) Type() string      { return "edda.memory-erased" }
func (StrengthWritten) Type() string   { return "edda.strength-written" }
func (StrengthFaded) Type() string     { return "edda.strength-faded" }
func (Oblivion) Type() string          { return "edda.oblivion" }
func (WeaknessMarked) Type() string    { return "edda.weakness-marked" }
func (WeaknessWiped) Type() string     { return "edda.weakness-wiped" }
func (ExperienceGained) Type() string  { return "edda.experience-gained" }
func (ExperienceSpent) Type() string   { return "edda.experience-spent" }
func (StepGained) Type() string        { return "edda.step-gained" }
func (StrengthRestored) Type() string  { return "edda.strength-restored" }
func (StrengthReworded) Type() string  { return "edda.strength-reworded" }
func (WeaknessReworded) Type() string  { return "edda.weakness-reworded" }

// Whose sheet an event changes.

func (e CircumstanceMade) Whose() string  { return e.Who }
func (e CircumstanceEnded) Whose() string { return e.Who }
func (e ConditionTaken) Whose() string    { return e.Who }
func (e ConditionEased) Whose() string    { return e.Who }
func (e MemoryWritten) Whose() string     { return e.Who }
func (e MemoryCalled) Whose() string      { return e.Who }
func (e MemoryErased) Whose() string      { return e.Who }
func (e StrengthWritten) Whose() string   { return e.Who }
func (e StrengthFaded) Whose() string     { return e.Who }
func (e WeaknessMarked) Whose() string    { return e.Who }
func (e WeaknessWiped) Whose() string     { return e.Who }
func (e ExperienceGained) Whose() string  { return e.Who }
func (e ExperienceSpent) Whose() string   { return e.Who }
func (e StepGained) Whose() string        { return e.Who }
func (e StrengthRestored) Whose() string  { return e.Who }
func (e StrengthReworded) Whose() string  { return e.Who }
func (e WeaknessReworded) Whose() string  { return e.Who }

// onConditions changes the conditions on a sheet of either kind.
func onConditions(sheet any, change func([]Condition) []Condition) any {
	sheet = game.On(sheet, func(h Hero) Hero { h.Conditions = change(h.Conditions); return h })
	return game.On(sheet, func(f Fated) Fated { f.Conditions = change(f.Conditions); return f })
}

// onCircumstances changes the difficulties or the advantages on a sheet of
// either kind.
func onCircumstances(sheet any, sort string, change func([]Circumstance) []Circumstance) any {
	if sort == "advantage" {
		sheet = game.On(sheet, func(h Hero) Hero { h.Advantages = change(h.Advantages); return h })
		return game.On(sheet, func(f Fated) Fated { f.Advantages = change(f.Advantages); return f })
	}
	sheet = game.On(sheet, func(h Hero) Hero { h.Difficulties = change(h.Difficulties); return h })
	return game.On(sheet, func(f Fated) Fated { f.Difficulties = change(f.Difficulties); return f })
}

// Apply writes the circumstance down.
func (e CircumstanceMade) Apply(sheet any) any {
	return onCircumstances(sheet, e.Sort, func(all []Circumstance) []Circumstance {
		return append(slices.Clone(all), e.Circumstance)
	})
}

// Apply strikes the circumstance out.
func (e CircumstanceEnded) Apply(sheet any) any {
	return onCircumstances(sheet, e.Sort, func(all []Circumstance) []Circumstance { return without(all, e.Circumstance) })
}

// Apply writes the condition down.
func (e ConditionTaken) Apply(sheet any) any {
	return onConditions(sheet, func(all []Condition) []Condition { return taken(all, e.Condition) })
}

// Apply makes the condition lighter.
func (e ConditionEased) Apply(sheet any) any {
	return onConditions(sheet, func(all []Condition) []Condition { return eased(all, e.Condition, e.Steps) })
}

// Apply writes the memory down.
func (e MemoryWritten) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Memories = append(slices.Clone(h.Memories), Memory{Text: e.Memory})
		return h
	})
}

// Apply marks the call.
func (e MemoryCalled) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Memories = changed(h.Memories, e.At, func(m Memory) Memory { m.Calls = min(m.Calls+1, mostCalls); return m })
		return h
	})
}

// Apply erases the memory.
func (e MemoryErased) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		if e.At >= 0 && e.At < len(h.Memories) {
			h.Memories = slices.Delete(slices.Clone(h.Memories), e.At, e.At+1)
		}
		return h
	})
}

// Apply writes the strength down.
func (e StrengthWritten) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Strengths = append(slices.Clone(h.Strengths), Strength{Name: e.Strength})
		return h
	})
}

// onStrength changes one strength of a hero.
func onStrength(sheet any, at int, change func(Strength) Strength) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Strengths = changed(h.Strengths, at, change)
		return h
	})
}

// Apply fades the strength.
func (e StrengthFaded) Apply(sheet any) any {
	return onStrength(sheet, e.At, func(s Strength) Strength { s.Faded = true; return s })
}

// Apply adds the step.
func (e StepGained) Apply(sheet any) any {
	return onStrength(sheet, e.At, func(s Strength) Strength { s.Steps++; return s })
}

// Apply brings the strength back.
func (e StrengthRestored) Apply(sheet any) any {
	return onStrength(sheet, e.At, func(s Strength) Strength { s.Faded = false; return s })
}

// Apply renames the strength.
func (e StrengthReworded) Apply(sheet any) any {
	return onStrength(sheet, e.At, func(s Strength) Strength { s.Name = e.To; return s })
}

// Apply marks the scale.
func (e WeaknessMarked) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Weakness.Marks = e.Now; return h })
}

// Apply wipes the scale but for its first mark.
func (e WeaknessWiped) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Weakness.Marks = 1; return h })
}

// Apply renames the weakness.
func (e WeaknessReworded) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Weakness.Text = e.To; return h })
}

// Apply writes the experience down.
func (e ExperienceGained) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Experience += e.Amount; return h })
}

// Apply pays.
func (e ExperienceSpent) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Experience -= e.Amount; return h })
}
