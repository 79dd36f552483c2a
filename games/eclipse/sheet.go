package eclipse

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
)

// Character is a player character's sheet.
type Character struct {
	Morph      string    `json:"morph" form:"text"`
	Unmodified bool      `json:"unmodified"` // EP-21: a morph that needs eight hours of rest
	Aptitudes  Aptitudes `json:"aptitudes"`
	Skills     []Skill   `json:"skills" form:"max=60"`
	Rep        Rep       `json:"rep"`
	Pools      Pools     `json:"pools"`
	Wounds     int       `json:"wounds" form:"max=20"`
	Traumas    int       `json:"traumas" form:"max=20"`
	Effects    []Effect  `json:"effects" form:"max=100"`
	Boons      []Boon    `json:"boons" form:"max=6"`
	Day        Day       `json:"day"`
}

// Aptitudes are the six of them; what is tested is three times their value.
type Aptitudes struct {
	Cog int `json:"cog" form:"max=30"`
	Int int `json:"int" form:"max=30"`
	Ref int `json:"ref" form:"max=30"`
	Sav int `json:"sav" form:"max=30"`
	Som int `json:"som" form:"max=30"`
	Wil int `json:"wil" form:"max=30"`
}

// aptitudes in the order in which sheets show them.
var aptitudes = []string{"cog", "int", "ref", "sav", "som", "wil"}

// Skill is an active or a know skill.
type Skill struct {
	Name           form.Trait `json:"name" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,set=skill,required"`
	Aptitude       string     `json:"aptitude" form:"choice=cog|int|ref|sav|som|wil"`
	Kind           string     `json:"kind" form:"choice=combat|physical|mental|social|technical|vehicle|psi|know,set=skill-kind"`
	Field          string     `json:"field" form:"text,max=60"`
	Specialisation string     `json:"specialisation" form:"text,max=60"`
	Value          int        `json:"value" form:"max=100"`
	Defaultable    bool       `json:"defaultable" form:"default=true"` // EP-16: whether who lacks it may default
}

// skillKinds in the order in which sheets show them.
var skillKinds = []string{"combat", "physical", "mental", "social", "technical", "vehicle", "psi", "know"}

// Rep is the standing in each network.
type Rep struct {
	At int `json:"at" form:"max=100"`
	C  int `json:"c" form:"max=100"`
	F  int `json:"f" form:"max=100"`
	G  int `json:"g" form:"max=100"`
	I  int `json:"i" form:"max=100"`
	R  int `json:"r" form:"max=100"`
	X  int `json:"x" form:"max=100"`
}

// networks in the order in which sheets show them.
var networks = []string{"at", "c", "f", "g", "i", "r", "x"}

// Pools are the four of them. EP-20
type Pools struct {
	Insight Pool `json:"insight"`
	Moxie   Pool `json:"moxie"`
	Vigor   Pool `json:"vigor"`
	Flex    Pool `json:"flex"`
}

// poolNames in the order in which sheets show them.
var poolNames = []string{"insight", "moxie", "vigor", "flex"}

// Pool is one pool. Temporary points stand beside its own: they're spent first
// and no recharge brings them back.
type Pool struct {
	Now       int `json:"now" form:"max=20"`
	Max       int `json:"max" form:"max=20"`
	Temporary int `json:"temporary" form:"max=20"`
}

// Effect is what a result leaves behind: a modifier on the next test, one on
// tests about the same thing, an action more or an action less. EP-13, EP-14
type Effect struct {
	Kind string `json:"kind" form:"choice=next|extra-action|lost-action|quality|covertness,set=effect-kind"`
	N    int    `json:"n" form:"min=-60,max=60"` // on a test
	Subject
}

// Subject is what a result is kept for: a skill, or something in people's own
// words. EP-13
type Subject struct {
	About form.Trait `json:"about,omitempty" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,worded,set=skill"`
}

// Boon lifts all skills of one aptitude by five for each point paid. EP-20
type Boon struct {
	Aptitude string `json:"aptitude" form:"choice=cog|int|ref|sav|som|wil"`
	Points   int    `json:"points" form:"min=1,max=2,default=1"`
}

// Day counts the recharges of one day. EP-21
type Day struct {
	Short int `json:"short" form:"max=2"`
	Long  int `json:"long" form:"max=1"`
}

// NPC is a character of the GM's; players see next to nothing of it.
type NPC struct {
	Character
	Notes string `json:"notes" form:"prose"`
}

// sheetOf returns a member's sheet, whoever plays it.
func sheetOf(s game.Scene, id string) (Character, bool) {
	switch sheet := s.Cast[id].Sheet.(type) {
	case Character:
		return sheet, true
	case NPC:
		return sheet.Character, true
	}
	return Character{}, false
}

// unseen tells whether a character's numbers are the GM's alone.
func unseen(s game.Scene, id string) bool {
	_, npc := s.Cast[id].Sheet.(NPC)
	return npc
}

// check refuses a pool fuller than its start value. EP-21
func (c Character) check() error {
	for _, name := range poolNames {
		if p := c.Pools.Of(name); p.Now > p.Max {
			return &game.Refusal{
				Rule: "EP-21",
				Word: "eclipse.refusal.over-full",
				Data: data{"Pool": poolWord(name), "N": p.Max},
			}
		}
	}
	return nil
}

// Of returns the value of an aptitude, 0 for one that there isn't.
func (a Aptitudes) Of(name string) int { return form.Value[int](a, name) }

// Of returns the score in a network, 0 for one that there isn't.
func (r Rep) Of(name string) int { return form.Value[int](r, name) }

// Of returns a pool, an empty one for a name that there isn't.
func (p Pools) Of(name string) Pool { return form.Value[Pool](p, name) }

func (p *Pools) at(name string) *Pool { return form.At[Pool](p, name) }

// Points is how many points can be spent.
func (p Pool) Points() int { return p.Now + p.Temporary }

// Missing is how many points a recharge can bring back. EP-21
func (p Pool) Missing() int { return max(0, p.Max-p.Now) }

// spend takes points out of a pool, temporary ones first.
func (p Pools) spend(name string, n int) Pools {
	if at := p.at(name); at != nil {
		temporary := min(n, at.Temporary)
		at.Temporary -= temporary
		at.Now = max(0, at.Now-(n-temporary))
	}
	return p
}

// key names a skill within its sheet: "guns", "know/Martian history".
func (s Skill) key() string {
	if s.Field == "" {
		return string(s.Name)
	}
	return string(s.Name) + "/" + s.Field
}

// skill finds a skill by its key.
func (c Character) skill(key string) (Skill, bool) {
	i := slices.IndexFunc(c.Skills, func(s Skill) bool { return s.key() == key })
	if i < 0 {
		return Skill{}, false
	}
	return c.Skills[i], true
}

// boon is what lasting points add to the skills of an aptitude. EP-20
func (c Character) boon(aptitude string) int {
	bonus := 0
	for _, b := range c.Boons {
		if b.Aptitude == aptitude {
			bonus += 5 * b.Points
		}
	}
	return bonus
}

// next is what earlier results add to the next test. EP-13, EP-14
func (c Character) next() int {
	sum := 0
	for _, e := range c.Effects {
		if e.Kind == "next" {
			sum += e.N
		}
	}
	return sum
}

// Initiative is what a character adds to the die. EP-23
func (c Character) Initiative() int { return speed(c.Aptitudes.Int, c.Aptitudes.Ref) }

// poolFor is the pool that serves an aptitude; rep scores have Moxie. EP-20
func poolFor(aptitude string) string {
	switch aptitude {
	case "cog", "int":
		return "insight"
	case "ref", "som":
		return "vigor"
	}
	return "moxie"
}

// divideUp divides and rounds up. EP-03
func divideUp(n, by int) int { return (n + by - 1) / by }

// skillOf is the skill named in "skill:guns", "" for anything else.
func skillOf(on string) string {
	key, _ := strings.CutPrefix(on, "skill:")
	if key == on {
		return ""
	}
	return key
}
