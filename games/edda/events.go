package edda

import (
	"norn/game"
)

// PoolCounted records the sources of a pool's dice, and which conditions and difficulties are left
// out. ED-02, ED-13
type PoolCounted struct {
	Who  string   `json:"who"`
	Pool []Addend `json:"pool"`
	Left []Addend `json:"left,omitempty"`
}

// Threw records that one of Fate's characters throws. The number and sources of its dice stay
// secret.
type Threw struct {
	Who string `json:"who"`
}

// FateSet records what Fate has set before the throw. ED-04
type FateSet struct {
	Who        string `json:"who"`
	Complexity int    `json:"complexity"`
	Each       int    `json:"each,omitempty"` // ED-09: fewer are a participant's own fiasco
	Attempts   int    `json:"attempts,omitempty"`
	AddUp      bool   `json:"add-up,omitempty"`
	Time       string `json:"time,omitempty"`
}

// Attempted records the result of one of several throws, and the story time. ED-04
type Attempted struct {
	Who  string `json:"who"`
	N    int    `json:"n" say:"Attempt"`
	Of   int    `json:"of"`
	Time string `json:"time,omitempty" word:"attempted-time"`
	Hits int    `json:"hits" say:"N"`
}

// Surplus records how many successes were more than needed. ED-04
type Surplus struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

// Opposed records both sides' successes in a contest before they cancel. ED-05
type Opposed struct {
	Who         string `json:"who"`
	Hits        int    `json:"hits"`
	Against     string `json:"against" say:"name"`
	AgainstHits int    `json:"against-hits"`
}

// Shared records what one hero added to joint work. ED-09
type Shared struct {
	Who   string `json:"who"`
	Hits  int    `json:"hits" say:"N"`
	Added int    `json:"added"`
}

// Declined records that Fate didn't agree: to an "action" (ED-01), a "miracle" (ED-21), a new
// "strength" (ED-16) or new "words" (ED-19). Nothing changed.
type Declined struct {
	Who  string `json:"who"`
	What string `json:"what" say:"declined"`
}

// CircumstanceMade records that a character has an advantage or a difficulty. ED-06, ED-08
type CircumstanceMade struct {
	Who          string       `json:"who"`
	Sort         string       `json:"sort"`
	Circumstance Circumstance `json:"circumstance"`
}

// CircumstanceEnded records that one has ended: used up, or ended by Fate. ED-06
type CircumstanceEnded struct {
	Who          string       `json:"who"`
	Sort         string       `json:"sort"`
	Circumstance Circumstance `json:"circumstance"`
}

// ConditionTaken records that a character got a condition, and why: "effort" ED-15, "fate" ED-10.
type ConditionTaken struct {
	Who       string    `json:"who"`
	Condition Condition `json:"condition"`
	Why       string    `json:"why"`
	Now       int       `json:"now"` // ED-11: including equal ones
}

// ConditionEased records that a condition is reduced or removed. ED-12
type ConditionEased struct {
	Who       string    `json:"who"`
	Condition Condition `json:"condition"`
	Steps     int       `json:"steps"`
	Left      int       `json:"left" word:"|condition-gone"`
}

// LeftScene records that somebody is out of the scene. ED-11
type LeftScene struct {
	Who string `json:"who"`
}

// Returned records that somebody is back in the scene. ED-11
type Returned struct {
	Who string `json:"who"`
}

// MemoryWritten records that a hero has a new memory. ED-14
type MemoryWritten struct {
	Who    string `json:"who"`
	Memory string `json:"memory"`
}

// MemoryCalled records that a memory paid for a special effort. ED-14
type MemoryCalled struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Memory string `json:"memory"`
	Calls  int    `json:"calls"`
}

// MemoryErased records that a memory was rethought. ED-16
type MemoryErased struct {
	Who    string `json:"who"`
	At     int    `json:"at"`
	Memory string `json:"memory"`
}

// StrengthWritten records that a hero has a new strength, without steps. ED-16
type StrengthWritten struct {
	Who      string `json:"who"`
	Strength string `json:"strength"`
}

// StrengthFaded records that a strength can't be used any more. ED-21
type StrengthFaded struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
}

// Oblivion records that a hero leaves the world. ED-23
type Oblivion struct {
	Who string `json:"who"`
}

// WeaknessMarked records that the weakness has one more mark. ED-18
type WeaknessMarked struct {
	Who string `json:"who"`
	Now int    `json:"now"`
}

// WeaknessWiped records that all marks but the first are removed. ED-18
type WeaknessWiped struct {
	Who  string `json:"who"`
	From int    `json:"from"`
}

// ExperienceGained records how much experience was gained, how much exceeded the limit and was
// lost, and why: "weakness" ED-18, "memory" ED-16. ED-20
type ExperienceGained struct {
	Who    string `json:"who"`
	Amount int    `json:"amount"`
	Lost   int    `json:"lost,omitempty" word:"experience-lost"`
	Now    int    `json:"now"`
	Why    string `json:"why"`
}

// ExperienceSpent records a payment. ED-19
type ExperienceSpent struct {
	Who    string `json:"who"`
	Amount int    `json:"amount"`
	Now    int    `json:"now"`
}

// StepGained records that a strength grew. ED-19
type StepGained struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
	Now      int    `json:"now"`
}

// StrengthRestored records that a faded strength is restored. ED-19
type StrengthRestored struct {
	Who      string `json:"who"`
	At       int    `json:"at"`
	Strength string `json:"strength"`
}

// StrengthReworded records that a strength has another name. ED-19
type StrengthReworded struct {
	Who  string `json:"who"`
	At   int    `json:"at"`
	From string `json:"from"`
	To   string `json:"to"`
}

// WeaknessReworded records that the weakness has another text. ED-19
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

// circumstanceField returns the name of a sort's field on sheets.
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

// Apply removes all marks but the first.
func (e WeaknessWiped) Apply(h *Hero) { h.Weakness.Marks = 1 }

func (e WeaknessReworded) Apply(h *Hero) { h.Weakness.Text = e.To }

func (e ExperienceGained) Apply(h *Hero) { h.Experience += e.Amount }

func (e ExperienceSpent) Apply(h *Hero) { h.Experience -= e.Amount }
