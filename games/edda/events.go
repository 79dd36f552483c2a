package edda

import (
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

// FateSet says what stands by Fate's word before the dice fall. ED-04
type FateSet struct {
	Who        string `json:"who"`
	Complexity int    `json:"complexity"`
	Each       int    `json:"each,omitempty"` // ED-09: fewer are a participant's own fiasco
	Attempts   int    `json:"attempts,omitempty"`
	AddUp      bool   `json:"add-up,omitempty"`
	Time       string `json:"time,omitempty"`
}

// Attempted says how one throw of several went, and what it took. ED-04
type Attempted struct {
	Who  string `json:"who"`
	N    int    `json:"n" say:"Attempt"`
	Of   int    `json:"of"`
	Time string `json:"time,omitempty" word:"attempted-time"`
	Hits int    `json:"hits" say:"N"`
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
	Against     string `json:"against" say:"name"`
	AgainstHits int    `json:"against-hits"`
}

// Shared says what one hero added to joint work. ED-09
type Shared struct {
	Who   string `json:"who"`
	Hits  int    `json:"hits" say:"N"`
	Added int    `json:"added"`
}

// Declined says that Fate didn't agree: to an "action" (ED-01), a "miracle"
// (ED-21), a new "strength" (ED-16) or new "words" (ED-19). Nothing changed.
type Declined struct {
	Who  string `json:"who"`
	What string `json:"what" say:"declined"`
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
	Left      int       `json:"left" word:"|condition-gone"`
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
	Lost   int    `json:"lost,omitempty" word:"experience-lost"`
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

var eventTypes = game.Events(
	PoolCounted{}, Threw{}, FateSet{}, Attempted{}, Surplus{}, Opposed{},
	Shared{}, Declined{}, CircumstanceMade{}, CircumstanceEnded{},
	ConditionTaken{}, ConditionEased{}, LeftScene{}, Returned{},
	MemoryWritten{}, MemoryCalled{}, MemoryErased{},
	StrengthWritten{}, StrengthFaded{}, Oblivion{},
	WeaknessMarked{}, WeaknessWiped{}, ExperienceGained{}, ExperienceSpent{},
	StepGained{}, StrengthRestored{}, StrengthReworded{}, WeaknessReworded{},
)

// circumstanceField is what sheets call the circumstances of a sort.
func circumstanceField(sort string) string {
	if sort == "advantage" {
		return "advantages"
	}
	return "difficulties"
}

func (e CircumstanceMade) Apply(sheet any) any {
	return game.WithField(sheet, circumstanceField(e.Sort), func(all *[]Circumstance) { game.Add(all, e.Circumstance) })
}

func (e CircumstanceEnded) Apply(sheet any) any {
	return game.WithField(
		sheet,
		circumstanceField(e.Sort),
		func(all *[]Circumstance) { *all = without(*all, e.Circumstance) },
	)
}

func (e ConditionTaken) Apply(sheet any) any {
	return game.WithField(sheet, "conditions", func(all *[]Condition) { *all = addCondition(*all, e.Condition) })
}

func (e ConditionEased) Apply(sheet any) any {
	return game.WithField(
		sheet,
		"conditions",
		func(all *[]Condition) { *all = easeCondition(*all, e.Condition, e.Steps) },
	)
}

func (e MemoryWritten) Apply(h *Hero) { game.Add(&h.Memories, Memory{Text: e.Memory}) }

func (e MemoryCalled) Apply(h *Hero) {
	game.Edit(&h.Memories, e.At, func(m *Memory) { m.Calls = min(m.Calls+1, maxCalls) })
}

func (e MemoryErased) Apply(h *Hero) { game.Drop(&h.Memories, e.At) }

func (e StrengthWritten) Apply(h *Hero) { game.Add(&h.Strengths, Strength{Name: e.Strength}) }

func (e StrengthFaded) Apply(h *Hero) {
	game.Edit(&h.Strengths, e.At, func(s *Strength) { s.Faded = true })
}

func (e StepGained) Apply(h *Hero) {
	game.Edit(&h.Strengths, e.At, func(s *Strength) { s.Steps++ })
}

func (e StrengthRestored) Apply(h *Hero) {
	game.Edit(&h.Strengths, e.At, func(s *Strength) { s.Faded = false })
}

func (e StrengthReworded) Apply(h *Hero) {
	game.Edit(&h.Strengths, e.At, func(s *Strength) { s.Name = e.To })
}

func (e WeaknessMarked) Apply(h *Hero) { h.Weakness.Marks = e.Now }

// Apply wipes the scale but for its first mark.
func (e WeaknessWiped) Apply(h *Hero) { h.Weakness.Marks = 1 }

func (e WeaknessReworded) Apply(h *Hero) { h.Weakness.Text = e.To }

func (e ExperienceGained) Apply(h *Hero) { h.Experience += e.Amount }

func (e ExperienceSpent) Apply(h *Hero) { h.Experience -= e.Amount }
