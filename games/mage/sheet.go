package mage

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
)

// Character is a character's sheet.
type Character struct {
	Attributes   Attributes   `json:"attributes"`
	Talents      []Talent     `json:"talents" form:"max=30"`
	Skills       []Skill      `json:"skills" form:"max=30"`
	Knowledges   []Knowledge  `json:"knowledges" form:"max=30"`
	Arete        int          `json:"arete" form:"max=10,default=1"` // MG-01
	Willpower    Willpower    `json:"willpower"`
	Quintessence int          `json:"quintessence" form:"max=99"`
	Paradox      int          `json:"paradox" form:"max=99"`
	Retries      []Retry      `json:"retries" form:"max=50"`
	Clock        Clock        `json:"clock"`
	Actions      []Due        `json:"actions" form:"max=20"`         // MG-10: declared for this turn and not made yet
	More         []game.Extra `json:"more,omitempty" form:"max=100"` // what has no numbers

	untimed bool // MG-13: the roll takes longer than a turn
	hidden  bool // MG-33: secret of the Storyteller's
}

// NPC is a character of the Storyteller's; players see only the parts in Shows. MG-33
type NPC struct {
	Character
	Shows Shows  `json:"shows"`
	Notes string `json:"notes" form:"prose"`
}

// Shows lists the parts of an NPC's sheet that players see. MG-33
type Shows struct {
	Attributes bool `json:"attributes"`
	Abilities  bool `json:"abilities"`
	Powers     bool `json:"powers"` // Arete, Willpower, Quintessence and Paradox
}

// people are the kinds of sheets for those who act.
var people = []string{"character", "npc"}

// sheetOf returns the sheet of a person, a character or an NPC.
func sheetOf(s game.Scene, id string) (Character, bool) {
	switch sheet := s.Cast[id].Sheet.(type) {
	case Character:
		return sheet, true
	case NPC:
		sheet.hidden = true
		return sheet.Character, true
	}
	return Character{}, false
}

// isPerson reports whether somebody is a person in the scene, even if their sheet isn't visible.
// MG-33
func isPerson(s game.Scene, id string) bool { return slices.Contains(people, s.Cast[id].Kind) }

// Attributes have 0–5 dots, or more by magic. MG-01
type Attributes struct {
	Strength     int `json:"strength" form:"max=10,default=1"`
	Dexterity    int `json:"dexterity" form:"max=10,default=1"`
	Stamina      int `json:"stamina" form:"max=10,default=1"`
	Charisma     int `json:"charisma" form:"max=10,default=1"`
	Manipulation int `json:"manipulation" form:"max=10,default=1"`
	Appearance   int `json:"appearance" form:"max=10,default=1"`
	Perception   int `json:"perception" form:"max=10,default=1"`
	Intelligence int `json:"intelligence" form:"max=10,default=1"`
	Wits         int `json:"wits" form:"max=10,default=1"`
}

// Talent is a natural Ability.
type Talent struct {
	Name form.Trait `json:"name" form:"choice=alertness|athletics|brawl|expression,open,set=ability,required"`
	Dots int        `json:"dots" form:"max=10,default=1"`
}

// Skill is a practised Ability.
type Skill struct {
	Name form.Trait `json:"name" form:"choice=stealth|technology,open,set=ability,required"`
	Dots int        `json:"dots" form:"max=10,default=1"`
}

// Knowledge is a studied Ability.
type Knowledge struct {
	Name form.Trait `json:"name" form:"choice=academics|computer|investigation,open,set=ability,required"`
	Dots int        `json:"dots" form:"max=10,default=1"`
}

// Willpower has a permanent rating, which is rolled, and temporary points,
// which are spent. MG-01, MG-08
type Willpower struct {
	Permanent int `json:"permanent" form:"max=10,default=1"`
	Temporary int `json:"temporary" form:"max=10,default=1"`
}

// Retry is an attempt that has failed; the difficulty is raised by one for each failure. MG-12
type Retry struct {
	Attempt string     `json:"attempt" form:"text,required"`
	Penalty int        `json:"penalty" form:"min=1,max=99,default=1"`
	Final   bool       `json:"final"`                                         // the Storyteller allows no further try
	With    []form.Ref `json:"with,omitempty" form:"max=12,of=character|npc"` // who else made it
}

// Clock holds the time at the table, and what the character has done in this turn. All characters
// of a table have the same time. MG-30
type Clock struct {
	Chronicle int  `json:"chronicle" form:"min=1,max=9999,default=1"`
	Story     int  `json:"story" form:"min=1,max=9999,default=1"`
	Chapter   int  `json:"chapter" form:"min=1,max=9999,default=1"`
	Scene     int  `json:"scene" form:"min=1,max=9999,default=1"`
	Turn      int  `json:"turn" form:"min=1,max=9999,default=1"`
	Downtime  bool `json:"downtime"`
	Counted   bool `json:"counted"`                // MG-30: turns of the scene are counted
	Bought    bool `json:"bought"`                 // MG-08: Willpower has bought a success this turn
	Declared  int  `json:"declared" form:"max=20"` // MG-10: number of actions declared for this turn
	Acted     bool `json:"acted"`                  // MG-10: the turn's one action has been made
}

// Extended is an extended action at the table. MG-13
type Extended struct {
	Target     int      `json:"target" form:"min=1,max=999,default=5"`
	Gathered   int      `json:"gathered" form:"max=9999"`
	Difficulty int      `json:"difficulty" form:"min=2,max=99,default=6"`
	Threshold  int      `json:"threshold" form:"max=20"`
	Interval   string   `json:"interval" form:"choice=turn|scene|hour|day|week,default=hour"`
	Limit      int      `json:"limit" form:"max=100"` // number of rolls allowed; 0: no limit
	Used       int      `json:"used" form:"max=999"`  // rolls made
	Pool       int      `json:"pool" form:"max=100"`  // dice of the last roll, for the forecast
	State      string   `json:"state" form:"choice=running|done|ended|destroyed|out|lost"`
	First      form.Ref `json:"first"`                   // MG-15: the side that works for the target
	Second     form.Ref `json:"second"`                  // MG-15: the side that works against it
	Opposed    int      `json:"opposed" form:"max=9999"` // MG-15: what the second side has gathered

	RivalGoal   string `json:"rival-goal" form:"choice=same|own|none"`                         // MG-15: the goal of the second side
	RivalTarget int    `json:"rival-target" form:"min=1,max=999,default=5,for=rival-goal:own"` // MG-15
	Raised      int    `json:"raised" form:"max=99"`                                           // MG-13: what botches have added to the difficulty
	RivalRaised int    `json:"rival-raised" form:"max=99"`                                     // MG-15: the same for the second side
}

// States of an extended action.
const (
	Running   = "running"
	Done      = "done"
	Ended     = "ended"     // by a botch
	Destroyed = "destroyed" // the thing itself was destroyed
	Out       = "out"       // no rolls left
	Lost      = "lost"      // the other side was first
)

// Of returns an Attribute's dots, 0 for an unknown one.
func (a Attributes) Of(name string) int { return form.Value[int](a, name) }

// attributes lists the Attributes in the order of the sheet, in three groups.
var attributes = []struct {
	group string
	names []string
}{
	{"physical", []string{"strength", "dexterity", "stamina"}},
	{"social", []string{"charisma", "manipulation", "appearance"}},
	{"mental", []string{"perception", "intelligence", "wits"}},
}

// ability is an Ability of a sheet, of any group.
type ability struct {
	group string
	name  form.Trait
	dots  int
}

// abilities returns all Abilities of the sheet.
func (c Character) abilities() []ability {
	var all []ability
	for _, t := range c.Talents {
		all = append(all, ability{"talents", t.Name, t.Dots})
	}
	for _, s := range c.Skills {
		all = append(all, ability{"skills", s.Name, s.Dots})
	}
	for _, k := range c.Knowledges {
		all = append(all, ability{"knowledges", k.Name, k.Dots})
	}
	return all
}

// Ability returns an Ability's dots, 0 for an untrained one. MG-01
func (c Character) Ability(name form.Trait) int {
	for _, a := range c.abilities() {
		if a.name == name {
			return a.dots
		}
	}
	return 0
}

// Rating returns the dots of a rating that is rolled alone: Willpower, Arete or Paradox. MG-02
func (c Character) Rating(name string) int {
	switch name {
	case "willpower":
		return c.Willpower.Permanent
	case "arete":
		return c.Arete
	case "paradox":
		return c.Paradox
	}
	return 0
}

// retry returns a failed attempt. If two have the same name, it returns the closed one. MG-12
func (c Character) retry(attempt string) (found Retry, ok bool) {
	for _, r := range c.Retries {
		if attempt != "" && sameAttempt(r.Attempt, attempt) && (!ok || r.Final && !found.Final) {
			found, ok = r, true
		}
	}
	return found, ok
}

// aim returns what each side of an extended action must meet, including what botches have added. A
// difficulty above 10 comes from older rules. MG-13, MG-15
func (e Extended) aim(second bool) aim {
	a := aim{difficulty: e.Difficulty, modifier: e.Raised, threshold: e.Threshold}
	if second {
		a.modifier = e.RivalRaised
	}
	if e.Difficulty > hardest {
		a.difficulty, a.modifier = raised, a.modifier+e.Difficulty-raised
	}
	return a
}

// rivalTarget returns how much the second side of a contest must gather, 0 if it has no goal of its
// own. MG-15
func (e Extended) rivalTarget() int {
	switch e.RivalGoal {
	case "own":
		return e.RivalTarget
	case "none":
		return 0
	}
	return e.Target
}

// RemainingRolls returns how many rolls an extended action has left, −1 without a limit. MG-13
func (e Extended) RemainingRolls() int {
	if e.Limit == 0 {
		return -1
	}
	return max(0, e.Limit-e.Used)
}

// before reports whether a clock is earlier than another. MG-30
func (c Clock) before(other Clock) bool {
	return cmp.Or(
		cmp.Compare(
			c.Chronicle,
			other.Chronicle,
		),
		cmp.Compare(c.Story, other.Story),
		cmp.Compare(c.Chapter, other.Chapter),
		cmp.Compare(c.Scene, other.Scene),
		cmp.Compare(c.Turn, other.Turn),
		countsTurn(c)-countsTurn(other),
	) < 0
}

// inGroup returns the Abilities of one group.
func (c Character) inGroup(group string) []ability {
	return slices.DeleteFunc(c.abilities(), func(a ability) bool { return a.group != group })
}

// countsTurn returns 1 in a counted turn, otherwise 0.
func countsTurn(c Clock) int {
	if c.Counted {
		return 1
	}
	return 0
}
