package edda

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Limits of a sheet. The form allows a little more, so that the rule can explain its refusal.
const (
	maxStrengths  = 12 // ED-17
	maxSteps      = 3  // ED-19
	maxMemories   = 3  // ED-14
	maxCalls      = 5  // ED-16
	maxMarks      = 6  // ED-18
	maxExperience = 20 // ED-20
	unbearable    = 6  // ED-11: the sum of bodily conditions, or a single mental one
)

// Hero is the sheet of a player's character.
type Hero struct {
	Experience   int            `json:"experience" form:"max=20"` // ED-20
	Strengths    []Strength     `json:"strengths" form:"max=20"`
	Weakness     Weakness       `json:"weakness"`
	Memories     []Memory       `json:"memories" form:"max=10"`
	Conditions   []Condition    `json:"conditions" form:"max=20"`
	Difficulties []Circumstance `json:"difficulties" form:"max=30"`
	Advantages   []Circumstance `json:"advantages" form:"max=30"`
	Gear         []Gear         `json:"gear" form:"max=30"`
	More         []game.Extra   `json:"more,omitempty" form:"max=100"` // what has no numbers
}

// Strength is an ability of a hero. A faded one can't be used. ED-22
type Strength struct {
	Name        string `json:"name" form:"text,required"`
	Steps       int    `json:"steps" form:"max=9"`
	Faded       bool   `json:"faded"`
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// Weakness is a hero's weakness with its scale. ED-18
type Weakness struct {
	Text  string `json:"text" form:"text"`
	Marks int    `json:"marks" form:"min=1,max=6"`
}

// Memory is an event that changed the hero, with its calls. ED-14
type Memory struct {
	Text  string `json:"text" form:"prose,max=500,required"`
	Calls int    `json:"calls" form:"max=5"`
}

// Condition is a state that hinders a hero. One that the rules name has a word; others have
// people's own names. ED-10
type Condition struct {
	Name form.Trait `json:"name" form:"choice=fatigue,open,set=condition,required"`
	Kind string     `json:"kind" form:"choice=body|mind,set=nature"`
	Size int        `json:"size" form:"max=6,default=1"`
}

// Circumstance is a difficulty or an advantage, for one action or until Fate
// ends it. ED-06
type Circumstance struct {
	Name  string `json:"name" form:"text,required"`
	Size  int    `json:"size" form:"min=1,max=99,default=1"`
	Lasts string `json:"lasts" form:"choice=once|lasting"`
}

// largest is the size limit of a circumstance, which exceeds any realistic number of successes.
// ED-06
const largest = 99

// Gear is an item that helps or hinders. Its strengths can't fade. ED-07
type Gear struct {
	Name        string         `json:"name" form:"text,required"`
	Dice        int            `json:"dice" form:"min=-9,max=9"`
	Description string         `json:"detail,omitempty" form:"prose,max=4000"`
	Strengths   []GearStrength `json:"strengths" form:"max=12"`
}

// GearStrength is a strength of a thing. ED-07
type GearStrength struct {
	Name  string `json:"name" form:"text,required"`
	Steps int    `json:"steps" form:"max=9"`
}

// Fated is the sheet of one of Fate's characters, the heroes' opponents.
type Fated struct {
	Dice         int            `json:"dice" form:"max=40,default=3"`
	Conditions   []Condition    `json:"conditions" form:"max=20"`
	Difficulties []Circumstance `json:"difficulties" form:"max=30"`
	Advantages   []Circumstance `json:"advantages" form:"max=30"`
	Notes        string         `json:"notes" form:"prose"`
}

// checkHero refuses a sheet that exceeds the rules' limits.
func checkHero(h Hero) error {
	if len(h.Strengths) > maxStrengths { // ED-17
		return refuseMost("ED-17", "edda.refusal.strengths", maxStrengths)
	}
	if len(h.Memories) > maxMemories { // ED-14
		return refuseMost("ED-14", "edda.refusal.memories", maxMemories)
	}
	steps := 0
	for _, s := range h.Strengths {
		steps = max(steps, s.Steps)
	}
	for _, g := range h.Gear {
		for _, s := range g.Strengths {
			steps = max(steps, s.Steps)
		}
	}
	if steps > maxSteps { // ED-19
		return refuseMost("ED-19", "edda.refusal.steps", maxSteps)
	}
	return nil
}

// count counts what a hero may have only so much of.
func count(_ string, sheet any) []game.Count {
	h, ok := sheet.(Hero)
	if !ok {
		return nil
	}
	return []game.Count{
		{Field: "strengths", Rule: "ED-17", Is: len(h.Strengths), Most: maxStrengths},
		{Field: "memories", Rule: "ED-14", Is: len(h.Memories), Most: maxMemories},
	}
}

func refuseMost(id, word string, n int) error {
	return &game.Refusal{Rule: id, Word: word, Data: map[string]any{"N": n}}
}

// body returns the sum of the bodily conditions. ED-11
func body(all []Condition) int {
	sum := 0
	for _, c := range all {
		if c.Kind != "mind" {
			sum += c.Size
		}
	}
	return sum
}

// mind returns the largest mental condition. Only equal ones add up. ED-11
func mind(all []Condition) int {
	most := 0
	for i, c := range all {
		if c.Kind != "mind" {
			continue
		}
		sum := 0
		for _, d := range all[i:] {
			if c.alike(d) {
				sum += d.Size
			}
		}
		most = max(most, sum)
	}
	return most
}

// unbearableAll reports whether conditions put their owner out of the scene. ED-11
func unbearableAll(all []Condition) bool { return body(all) >= unbearable || mind(all) >= unbearable }

// out reports whether the owner of a sheet, a hero or one of Fate's characters, is out of the
// scene. They can't act, so only others can bring them back. ED-11
func out(sheet any) bool { return unbearableAll(conditionsOf(sheet)) }

// Oblivion reports whether all strengths have faded. ED-23
func (h Hero) Oblivion() bool {
	return len(h.Strengths) > 0 && !slices.ContainsFunc(h.Strengths, func(s Strength) bool { return !s.Faded })
}

// marks returns the weakness as a difficulty, at least one. ED-18
func (h Hero) marks() int { return max(1, h.Weakness.Marks) }

// dice returns the pool of one of Fate's characters: everything on its sheet counts. ED-02
func (f Fated) dice() int {
	n := f.Dice
	for _, c := range f.Conditions {
		n -= c.Size
	}
	for _, d := range f.Difficulties {
		n -= d.Size
	}
	for _, a := range f.Advantages {
		n += a.Size
	}
	return n
}

// newCondition returns a condition with a name, or fatigue without one, and at most six steps.
func newCondition(name form.Trait, kind string, size int) Condition {
	if name.Name() == "" {
		name = fatigue
	}
	if kind == "" {
		kind = "body"
	}
	return Condition{Name: plainName(name), Kind: kind, Size: min(max(1, size), unbearable)}
}

// fatigue is the condition that the rules name. ED-15
const fatigue form.Trait = "fatigue"

// fatigues lists how people write it. ED-11
var fatigues = []string{"fatigue", "усталость", "утома"}

// plainName returns a condition's name without spaces at its ends, and one name for fatigue in all
// languages. ED-11
func plainName(name form.Trait) form.Trait {
	plain := strings.TrimSpace(string(name))
	if slices.ContainsFunc(fatigues, func(word string) bool { return lang.Key(word) == lang.Key(plain) }) {
		return fatigue
	}
	return form.Trait(plain)
}

// alike reports whether two conditions are equal: of one kind, with the same name in any case, with
// or without spaces at its ends. ED-11
func (c Condition) alike(d Condition) bool {
	return c.nature() == d.nature() && lang.Key(string(plainName(c.Name))) == lang.Key(string(plainName(d.Name)))
}

// same reports whether two conditions have exactly the same name and kind, as in an event and its
// sheet.
func (c Condition) same(d Condition) bool { return c.Name == d.Name && c.Kind == d.Kind }

// conditionSize returns the size of a condition in a list, 0 if it isn't there.
func conditionSize(all []Condition, c Condition) int {
	if i := slices.IndexFunc(all, c.same); i >= 0 {
		return all[i].Size
	}
	return 0
}

// addCondition returns the list with one more condition; equal ones add up, to at most six. ED-11
func addCondition(all []Condition, c Condition) []Condition {
	all = slices.Clone(all)
	i := slices.IndexFunc(all, c.same)
	if i < 0 {
		c.Size = min(c.Size, unbearable)
		return append(all, c)
	}
	all[i].Size = min(all[i].Size+c.Size, unbearable)
	return all
}

// easeCondition returns the list with a condition reduced by some steps, or removed. ED-12
func easeCondition(all []Condition, c Condition, steps int) []Condition {
	i := slices.IndexFunc(all, c.same)
	if i < 0 {
		return all
	}
	all = slices.Clone(all)
	if all[i].Size -= steps; all[i].Size <= 0 {
		all = slices.Delete(all, i, i+1)
	}
	return all
}

// without returns the list without the first such circumstance.
func without(all []Circumstance, c Circumstance) []Circumstance {
	if i := slices.Index(all, c); i >= 0 {
		return slices.Delete(slices.Clone(all), i, i+1)
	}
	return all
}
