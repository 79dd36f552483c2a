package godbound

import (
	"cmp"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
)

// Hero is the sheet of a Godbound.
type Hero struct {
	Level      int          `json:"level" form:"min=1,max=20,default=1"`
	Attributes Attributes   `json:"attributes"`
	HP         int          `json:"hp" form:"min=1,max=500,default=8"` // at full health
	Lost       int          `json:"lost" form:"max=500"`
	State      string       `json:"state" form:"choice=|dying|fury|spent|out|dead|gone"`
	Rounds     int          `json:"rounds" form:"max=99"` // GB-17: of Fury, after this one; of helplessness, with it
	AC         int          `json:"ac" form:"min=-20,max=20,default=9"`
	Armour     string       `json:"armour" form:"choice=none|light|medium|heavy"`
	Hampered   Hampered     `json:"hampered"`
	Saves      Saves        `json:"saves"`
	Bonus      int          `json:"bonus" form:"min=-20,max=30"`
	Fray       string       `json:"fray" form:"text,dice,default=1d8"`
	Weapons    []Weapon     `json:"weapons" form:"max=20"`
	Facts      []Named      `json:"facts" form:"max=20"`
	Words      []Named      `json:"words" form:"max=10"`
	Gifts      []Gift       `json:"gifts" form:"max=40"`
	Effort     Effort       `json:"effort"`
	FuryLevel  int          `json:"fury-level" form:"max=20"`              // GB-17: the level on which Fury was last used, 0 for never
	Guard      bool         `json:"guard"`                                 // GB-23: armour until the end of the scene
	GuardPoint int          `json:"guard-point,omitempty" form:"max=9999"` // point of Effort that pays for it, 0 for none
	Immunities []Ward       `json:"immunities" form:"max=20"`
	Bindings   []Binding    `json:"bindings" form:"max=20"` // magic that binds or limits the hero
	Works      []Made       `json:"works,omitempty" form:"max=20"`
	Healed     bool         `json:"healed"` // GB-20: by magic, today, without Effort
	Influence  Influence    `json:"influence"`
	Dominion   int          `json:"dominion" form:"max=9999"`
	Experience int          `json:"experience" form:"max=9999"`
	Divinity   string       `json:"divinity" form:"choice=|cult|free"`
	Cult       Cult         `json:"cult"`
	More       []game.Extra `json:"more,omitempty" form:"max=100"` // what has no numbers
}

// Attributes holds the six scores.
type Attributes struct {
	Strength     int `json:"strength" form:"min=3,max=30,default=10"`
	Dexterity    int `json:"dexterity" form:"min=3,max=30,default=10"`
	Constitution int `json:"constitution" form:"min=3,max=30,default=10"`
	Intelligence int `json:"intelligence" form:"min=3,max=30,default=10"`
	Wisdom       int `json:"wisdom" form:"min=3,max=30,default=10"`
	Charisma     int `json:"charisma" form:"min=3,max=30,default=10"`
}

// AttributeNames lists the attributes in the order of the sheet.
var AttributeNames = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

// Of returns a score by its name, 10 for an unknown one.
func (a Attributes) Of(name string) int { return cmp.Or(form.Value[int](a, name), 10) }

// modifier returns what a score adds to attacks and damage.
func modifier(score int) int {
	switch {
	case score <= 3:
		return -3
	case score <= 5:
		return -2
	case score <= 8:
		return -1
	case score <= 12:
		return 0
	case score <= 15:
		return 1
	case score <= 17:
		return 2
	case score == 18:
		return 3
	}
	return 4
}

// Saves holds the numbers that saves must reach. GB-07
type Saves struct {
	Hardiness int `json:"hardiness" form:"min=2,max=20,default=15"`
	Evasion   int `json:"evasion" form:"min=2,max=20,default=15"`
	Spirit    int `json:"spirit" form:"min=2,max=20,default=15"`
}

// SaveNames lists the saves in the order of the sheet.
var SaveNames = []string{"hardiness", "evasion", "spirit"}

// Of returns a save by its name, Hardiness for an unknown one.
func (s Saves) Of(name string) int { return cmp.Or(form.Value[int](s, name), s.Hardiness) }

// Hampered marks the saves that the wearer of armour chose for its penalty. GB-07
type Hampered struct {
	Hardiness bool `json:"hardiness"`
	Evasion   bool `json:"evasion"`
	Spirit    bool `json:"spirit"`
}

// Of reports whether armour hampers a save.
func (h Hampered) Of(name string) bool {
	switch name {
	case "evasion":
		return h.Evasion
	case "spirit":
		return h.Spirit
	}
	return h.Hardiness
}

func (h Hampered) count() int {
	n := 0
	for _, name := range SaveNames {
		if h.Of(name) {
			n++
		}
	}
	return n
}

// hampers returns the number of saves that a kind of armour hampers. GB-07
func hampers(armour string) int {
	return map[string]int{"medium": 1, "heavy": 2}[armour]
}

// Weapon is a way to attack.
type Weapon struct {
	Name        string `json:"name" form:"text,required"`
	Dice        string `json:"dice" form:"text,dice,default=1d6"`
	Attribute   string `json:"attribute" form:"choice=strength|dexterity|constitution|intelligence|wisdom|charisma"`
	Melee       bool   `json:"melee" form:"default=true"` // GB-12: damage overflows
	Straight    bool   `json:"straight"`                  // GB-11
	Of          string `json:"of,omitempty" form:"text"`  // GB-23: the kind of harm that immunities are checked for
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// Ward is an immunity, with the point of Effort that pays for it, 0 for none. GB-23
type Ward struct {
	Name  string `json:"name" form:"text,required"`
	Point int    `json:"point,omitempty" form:"max=9999"`
}

// Binding is an effect that binds or weakens a character, with its duration: that of a point of its
// worker's Effort, or the scene. GB-18, GB-23
type Binding struct {
	Name  string   `json:"name" form:"text,required"`
	By    form.Ref `json:"by,omitempty"`
	Point int      `json:"point,omitempty" form:"max=9999"`              // of By's Effort, 0 for none
	Ends  string   `json:"ends,omitempty" form:"choice=|scene,set=ends"` // "": it doesn't end by itself
}

// Made is an effect that a miracle made, altered or raised, with the point of Effort that pays for
// it, 0 for none. GB-18, GB-23
type Made struct {
	Name  string `json:"name" form:"text,required"`
	Use   string `json:"use" form:"choice=make|alter|wall,default=wall,set=use"`
	Dice  string `json:"dice,omitempty" form:"text,dice"` // of a zone of danger
	Harm  string `json:"harm,omitempty" form:"choice=chart|straight,beside=dice"`
	Of    string `json:"of,omitempty" form:"text"` // the kind of harm that immunities are checked for
	Point int    `json:"point,omitempty" form:"max=9999"`
}

// Named is a thing with a name that people gave: a Fact, a Word.
type Named struct {
	Name        string `json:"name" form:"text,required"`
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// Gift is a gift of a Word. GB-02, GB-18
type Gift struct {
	Name        string `json:"name" form:"text,required"`
	Word        string `json:"word" form:"text"`
	Action      string `json:"action" form:"choice=instant|on-turn|action,set=timing"`
	Cost        string `json:"cost" form:"choice=|sustained|scene|day,set=until"`
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// Effort is a character's Effort, which powers use.
type Effort struct {
	Total     int          `json:"total" form:"max=40"`
	Committed []Commitment `json:"committed" form:"max=40"`
}

// Commitment is one point of Effort with what it pays for, which ends with it. GB-18
type Commitment struct {
	For     string `json:"for" form:"text"` // the name that people gave it
	Purpose string `json:"purpose" form:"choice=own|gift|miracle|save|healing|dispel"`
	Until   string `json:"until" form:"choice=sustained|scene|day"`
	Stays   bool   `json:"stays"`                                                                           // it stays bound over dawn
	N       int    `json:"n,omitempty" form:"max=9999"`                                                     // the point's number for what it pays for, 0 for none
	Use     string `json:"use,omitempty" form:"choice=|harm|guard|resist|hinder|make|gift|alter|wall|show"` // GB-23
	Note    string `json:"note,omitempty" form:"text"`                                                      // its result, in people's words
}

// Free returns the Effort that may be committed.
func (e Effort) Free() int { return max(0, e.Total-len(e.Committed)) }

// sustains reports whether something is sustained: paid for once and still bound. GB-18
func (e Effort) sustains(purpose, name string) bool {
	return slices.ContainsFunc(e.Committed, func(c Commitment) bool {
		return c.Purpose == purpose && c.For == name && c.Until == "sustained"
	})
}

// next returns the number of the next point to be bound.
func (e Effort) next() int {
	most := 0
	for _, c := range e.Committed {
		most = max(most, c.N)
	}
	return most + 1
}

// Influence is a hero's influence on the world, with the part that is bound. GB-26
type Influence struct {
	Total     int `json:"total" form:"max=9999"`
	Committed int `json:"committed" form:"max=9999"`
}

// Free returns the Influence that isn't bound.
func (i Influence) Free() int { return max(0, i.Total-i.Committed) }

// Cult holds a hero's worshippers. GB-25
type Cult struct {
	Power      int     `json:"power" form:"max=20"`
	Strictures string  `json:"strictures" form:"choice=minimal|some|serious|draconian"`
	Problems   []Named `json:"problems" form:"max=20"`
}

// RemainingHP returns a hero's current HP. GB-14
func (h Hero) RemainingHP() int { return max(0, h.HP-h.Lost) }

// Dead reports whether a hero has died.
func (h Hero) Dead() bool { return h.State == "dead" || h.State == "gone" }

// Helpless reports whether a hero can't act and dies at the next attack. GB-16, GB-17
func (h Hero) Helpless() bool { return h.State == "dying" || h.State == "spent" || h.State == "out" }

// CanRage reports whether Divine Fury is available on this level. GB-17
func (h Hero) CanRage() bool { return h.FuryLevel < h.Level }

// ArmourClass returns the AC against attacks. GB-23: a miracle's armour is 3, unless the hero's own
// is better.
func (h Hero) ArmourClass() int {
	if h.Guard {
		return min(h.AC, miracleAC)
	}
	return h.AC
}

const miracleAC = 3

// need returns the number that a save must reach, including armour's penalty. GB-07
func (h Hero) need(save string) int {
	if h.Armour != "none" && h.Armour != "light" && h.Hampered.Of(save) {
		return h.Saves.Of(save) + armourPenalty
	}
	return h.Saves.Of(save)
}

const armourPenalty = 4

// Foe is a sheet of the GM's: one foe, or a group of equal ones.
type Foe struct {
	HD       int       `json:"hd" form:"min=1,max=500,default=1"` // of each
	Lost     int       `json:"lost" form:"max=499"`               // HD lost by the one in front
	Worn     int       `json:"worn" form:"max=499"`               // HD lost by each of those behind
	Count    int       `json:"count" form:"max=100,default=1"`    // number of those that still fight
	AC       int       `json:"ac" form:"min=-20,max=20,default=9"`
	Save     int       `json:"save" form:"min=2,max=20,default=15"`
	Morale   int       `json:"morale" form:"min=2,max=12,default=8"`
	Bonus    int       `json:"bonus" form:"min=-20,max=30"`
	Attacks  []Blows   `json:"attacks" form:"max=10"`
	Actions  int       `json:"actions" form:"min=1,max=9,default=1"` // GB-04
	Effort   Effort    `json:"effort"`
	Fate     string    `json:"fate" form:"choice=|dead|out|beaten|flees|yields"`
	Bindings []Binding `json:"bindings" form:"max=20"`
	Healed   bool      `json:"healed"` // GB-20
	Notes    string    `json:"notes" form:"prose"`
}

// Blows is one of a foe's attacks, made a number of times in each action. GB-04
type Blows struct {
	Name     string `json:"name" form:"text,required"`
	Dice     string `json:"dice" form:"text,dice,default=1d6"`
	Times    int    `json:"times" form:"min=1,max=9,default=1"`
	Straight bool   `json:"straight"`                 // GB-11
	Ranged   bool   `json:"ranged,omitempty"`         // GB-12: damage doesn't overflow
	Of       string `json:"of,omitempty" form:"text"` // GB-23: the kind of harm that immunities are checked for
}

// RemainingHD returns the HD of the whole group. GB-14
func (f Foe) RemainingHD() int {
	if f.Count == 0 {
		return 0
	}
	return f.front() + (f.Count-1)*(f.HD-f.Worn)
}

// front returns the HD of the one in front.
func (f Foe) front() int { return f.HD - f.Lost }

// strike returns a foe or a group after a blow, the one in front first; points left over continue
// to the next. GB-12, GB-15
func (f Foe) strike(points int) Foe {
	for points > 0 && f.Count > 0 {
		n := min(points, f.front())
		f.Lost += n
		points -= n
		f = f.fallen()
	}
	return f
}

// blast returns a foe or a group after each member was hit. GB-15
func (f Foe) blast(points int) Foe {
	f.Lost, f.Worn = min(f.HD, f.Lost+points), f.Worn+points
	if f.Worn >= f.HD {
		f.Count, f.Worn = min(1, f.Count), 0
	}
	return f.fallen()
}

// fallen returns the group without the one in front, if that has no HD left: the next one replaces
// it. GB-15
func (f Foe) fallen() Foe {
	if f.front() == 0 {
		f.Count, f.Lost = f.Count-1, f.Worn
	}
	if f.Count <= 1 {
		f.Worn = 0
	}
	if f.Count == 0 {
		f.Lost = 0
	}
	return f
}

// Stands reports whether a foe still fights. GB-15
func (f Foe) Stands() bool { return f.Count > 0 && f.Fate == "" }

// checkHero refuses what the form allows but the rules don't.
func checkHero(h Hero) error {
	if h.Lost > h.HP {
		return form.Problems{{Path: "lost", Code: form.Range, Max: h.HP, Given: strconv.Itoa(h.Lost)}}
	}
	for _, name := range AttributeNames {
		if h.Attributes.Of(name) > 18 && len(h.Words) == 0 { // GB-06: scores beyond mortal ones need a Word
			return &game.Refusal{
				Rule: "GB-06",
				Word: "godbound.refusal.needs-word",
				Data: data{"Attribute": attributeWord(name)},
			}
		}
	}
	if n := hampers(h.Armour); h.Hampered.count() != n { // GB-07: the wearer chooses which
		return &game.Refusal{
			Rule: "GB-07",
			Word: "godbound.refusal.hampered",
			Data: data{"N": n, "Armour": game.Word("godbound.armour." + h.Armour)},
		}
	}
	for _, w := range h.Weapons {
		if _, err := readBlow(w.Dice, 0, w.Straight); err != nil {
			return err
		}
	}
	if h.Fray != "" {
		if _, err := readBlow(h.Fray, 0, false); err != nil {
			return err
		}
	}
	for _, w := range h.Works {
		if w.Dice != "" {
			if _, err := readBlow(w.Dice, 0, w.Harm == "straight"); err != nil {
				return err
			}
		}
	}
	if h.Influence.Committed > h.Influence.Total {
		return game.Refuse("GB-26", "godbound.refusal.influence", "N", h.Influence.Total)
	}
	return checkEffort(h.Effort)
}

func checkFoe(f Foe) error {
	if f.Lost >= f.HD {
		return form.Problems{{Path: "lost", Code: form.Range, Max: f.HD - 1, Given: strconv.Itoa(f.Lost)}}
	}
	if f.Worn >= f.HD {
		return form.Problems{{Path: "worn", Code: form.Range, Max: f.HD - 1, Given: strconv.Itoa(f.Worn)}}
	}
	for _, a := range f.Attacks {
		if _, err := readBlow(a.Dice, 0, a.Straight); err != nil {
			return err
		}
	}
	return checkEffort(f.Effort)
}

// checkEffort refuses more commitments than there is Effort, and sustaining one thing twice. GB-18
func checkEffort(e Effort) error {
	if len(e.Committed) > e.Total {
		return game.Refuse("GB-18", "godbound.refusal.no-effort", "N", e.Total)
	}
	for i, c := range e.Committed {
		if c.Until == "sustained" && (c.Purpose == "gift" || c.Purpose == "own") &&
			(Effort{Committed: e.Committed[:i]}).sustains(c.Purpose, c.For) {
			return game.Refuse("GB-18", "godbound.refusal.twice", "For", c.For)
		}
	}
	return nil
}

// checkMortal refuses what a hero without Effort can't have. GB-19
func checkMortal(h Hero) error {
	if h.State == "fury" || h.State == "spent" || h.Effort.Total > 0 || len(h.Words)+len(h.Gifts) > 0 {
		return game.Refuse("GB-19", "godbound.refusal.mortal")
	}
	return checkHero(h)
}
