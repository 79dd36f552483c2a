package eclipse

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
)

// Character is a player character's sheet.
type Character struct {
	Morph      string       `json:"morph" form:"text"`
	Unmodified bool         `json:"unmodified"` // EP-21: a morph that needs eight hours of rest
	Aptitudes  Aptitudes    `json:"aptitudes"`
	Skills     []Skill      `json:"skills" form:"max=60"`
	Rep        Rep          `json:"rep"`
	Pools      Pools        `json:"pools"`
	Wounds     int          `json:"wounds" form:"max=20"`
	Traumas    int          `json:"traumas" form:"max=20"`
	Effects    []Effect     `json:"effects" form:"max=100"`
	Boons      []Boon       `json:"boons" form:"max=6"`
	Day        Day          `json:"day"`
	More       []game.Extra `json:"more,omitempty" form:"max=100"` // what has no numbers
}

// Aptitudes holds the six aptitudes; tests use three times their value.
type Aptitudes struct {
	Cog int `json:"cog" form:"max=30"`
	Int int `json:"int" form:"max=30"`
	Ref int `json:"ref" form:"max=30"`
	Sav int `json:"sav" form:"max=30"`
	Som int `json:"som" form:"max=30"`
	Wil int `json:"wil" form:"max=30"`
}

// aptitudes lists them in the order of the sheet.
var aptitudes = []string{"cog", "int", "ref", "sav", "som", "wil"}

// Skill is an active or a know skill.
type Skill struct {
	Name           form.Trait `json:"name" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,set=skill,required"`
	Aptitude       string     `json:"aptitude" form:"choice=cog|int|ref|sav|som|wil"`
	Kind           string     `json:"kind" form:"choice=combat|physical|mental|social|technical|vehicle|psi|know,set=skill-kind"`
	Field          string     `json:"field" form:"text,max=60"`
	Specialisation string     `json:"specialisation" form:"text,max=60"`
	Value          int        `json:"value" form:"max=100"`
	Defaultable    bool       `json:"defaultable" form:"default=true"` // EP-16: may be defaulted
}

// skillKinds lists the kinds in the order of the sheet.
var skillKinds = []string{"combat", "physical", "mental", "social", "technical", "vehicle", "psi", "know"}

// Rep holds the reputation score in each network.
type Rep struct {
	At int `json:"at" form:"max=100"`
	C  int `json:"c" form:"max=100"`
	F  int `json:"f" form:"max=100"`
	G  int `json:"g" form:"max=100"`
	I  int `json:"i" form:"max=100"`
	R  int `json:"r" form:"max=100"`
	X  int `json:"x" form:"max=100"`
}

// networks lists the networks in the order of the sheet.
var networks = []string{"at", "c", "f", "g", "i", "r", "x"}

// Pools holds the four pools. EP-20
type Pools struct {
	Insight Pool `json:"insight"`
	Moxie   Pool `json:"moxie"`
	Vigor   Pool `json:"vigor"`
	Flex    Pool `json:"flex"`
}

// poolNames lists the pools in the order of the sheet.
var poolNames = []string{"insight", "moxie", "vigor", "flex"}

// Pool is one pool. Its temporary points are spent first, and no recharge restores them.
type Pool struct {
	Now       int `json:"now" form:"max=20"`
	Max       int `json:"max" form:"max=20"`
	Temporary int `json:"temporary" form:"max=20"`
}

// Effect is a lasting effect of a result: a modifier of the next test, one of tests about the same
// subject, an extra action or a lost one. EP-13, EP-14
type Effect struct {
	Kind string `json:"kind" form:"choice=next|extra-action|lost-action|quality|covertness,set=effect-kind"`
	N    int    `json:"n" form:"min=-60,max=60"` // modifier of a test
	Subject
}

// Subject is the subject of an effect: a skill, or something in people's own words. EP-13
type Subject struct {
	About form.Trait `json:"about,omitempty" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,worded,set=skill"`
}

// Boon raises all skills of one aptitude by five for each point paid. EP-20
type Boon struct {
	Aptitude string `json:"aptitude" form:"choice=cog|int|ref|sav|som|wil"`
	Points   int    `json:"points" form:"min=1,max=2,default=1"`
}

// Day counts the recharges of one day. EP-21
type Day struct {
	Short int `json:"short" form:"max=2"`
	Long  int `json:"long" form:"max=1"`
}

// NPC is the sheet of a GM's character; players see almost nothing of it.
type NPC struct {
	Character
	Notes string `json:"notes" form:"prose"`
}

// sheetOf returns a member's sheet, be it a character or an NPC.
func sheetOf(s game.Scene, id string) (Character, bool) {
	switch sheet := s.Cast[id].Sheet.(type) {
	case Character:
		return sheet, true
	case NPC:
		return sheet.Character, true
	}
	return Character{}, false
}

// unseen reports whether only the GM sees a character's numbers.
func unseen(s game.Scene, id string) bool {
	_, npc := s.Cast[id].Sheet.(NPC)
	return npc
}

// check refuses a pool above its start value. EP-21
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

// Of returns the value of an aptitude, 0 for an unknown one.
func (a Aptitudes) Of(name string) int { return form.Value[int](a, name) }

// Of returns the score in a network, 0 for an unknown one.
func (r Rep) Of(name string) int { return form.Value[int](r, name) }

// Of returns a pool, an empty one for an unknown name.
func (p Pools) Of(name string) Pool { return form.Value[Pool](p, name) }

func (p *Pools) at(name string) *Pool { return form.At[Pool](p, name) }

// Points returns the number of points that can be spent.
func (p Pool) Points() int { return p.Now + p.Temporary }

// Missing returns the number of points that a recharge can restore. EP-21
func (p Pool) Missing() int { return max(0, p.Max-p.Now) }

// spend subtracts points from a pool, temporary ones first.
func (p Pools) spend(name string, n int) Pools {
	if at := p.at(name); at != nil {
		temporary := min(n, at.Temporary)
		at.Temporary -= temporary
		at.Now = max(0, at.Now-(n-temporary))
	}
	return p
}

// key returns the name of a skill within its sheet: "guns", "know/Martian history".
func (s Skill) key() string {
	if s.Field == "" {
		return string(s.Name)
	}
	return string(s.Name) + "/" + s.Field
}

// skill returns a skill by its key.
func (c Character) skill(key string) (Skill, bool) {
	i := slices.IndexFunc(c.Skills, func(s Skill) bool { return s.key() == key })
	if i < 0 {
		return Skill{}, false
	}
	return c.Skills[i], true
}

// boon returns what lasting points add to the skills of an aptitude. EP-20
func (c Character) boon(aptitude string) int {
	bonus := 0
	for _, b := range c.Boons {
		if b.Aptitude == aptitude {
			bonus += 5 * b.Points
		}
	}
	return bonus
}

// next returns what earlier results add to the next test. EP-13, EP-14
func (c Character) next() int {
	sum := 0
	for _, e := range c.Effects {
		if e.Kind == "next" {
			sum += e.N
		}
	}
	return sum
}

// Initiative returns what a character adds to the die. EP-23
func (c Character) Initiative() int { return speed(c.Aptitudes.Int, c.Aptitudes.Ref) }

// poolFor returns the pool for an aptitude; rep scores use Moxie. EP-20
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

// skillOf returns the skill in "skill:guns", "" for anything else.
func skillOf(on string) string {
	key, _ := strings.CutPrefix(on, "skill:")
	if key == on {
		return ""
	}
	return key
}
