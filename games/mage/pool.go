package mage

import (
	"strconv"

	"norn/form"
	"norn/game"
)

// Traits define a pool: an Attribute and an Ability, or one of the three ratings that are rolled
// alone. MG-02
type Traits struct {
	Attribute string     `json:"attribute,omitempty" form:"choice=|strength|dexterity|stamina|charisma|manipulation|appearance|perception|intelligence|wits,table,at=attributes"`
	Ability   form.Trait `json:"ability,omitempty" form:"choice=alertness|athletics|brawl|expression|stealth|technology|academics|computer|investigation,open,table,at=talents.name|skills.name|knowledges.name"`
	Alone     string     `json:"alone,omitempty" form:"choice=|willpower|arete|paradox,table,rare,at=willpower|arete"`
}

// maxDice is the size of the largest pool.
const maxDice = 100

// Pool returns the number of dice of a pool, one for each dot. MG-02
func (c Character) Pool(t Traits) int {
	if t.Alone != "" {
		return c.Rating(t.Alone)
	}
	return c.Attributes.Of(t.Attribute) + c.Ability(t.Ability)
}

// none reports whether no trait is named.
func (t Traits) none() bool { return t == Traits{} }

// allowTraits refuses traits that make no pool. An Attribute alone needs a house rule. MG-02
func allowTraits(c Character, t Traits, rules Settings) error {
	named := 0
	for _, there := range []bool{t.Attribute != "", t.Ability != "", t.Alone != ""} {
		if there {
			named++
		}
	}
	switch {
	case named == 3:
		return game.Refuse("MG-02", "mage.refusal.three-traits")
	case named == 2 && t.Alone != "":
		return &game.Refusal{
			Rule: "MG-02",
			Word: "mage.refusal.alone",
			Data: data{"Trait": game.Word("mage.alone." + t.Alone)},
		}
	case named < 2 && t.Alone == "" && (t.Attribute == "" || !rules.SingleTrait):
		if rules.SingleTrait {
			return game.Refuse("MG-02", "mage.refusal.no-traits")
		}
		return game.Refuse("MG-02", "mage.refusal.two-traits")
	}
	return allowPool(c.Pool(t))
}

// allowPool refuses a pool without dice, and one too large to throw. MG-02
func allowPool(dice int) error {
	switch {
	case dice <= 0:
		return &game.Refusal{Rule: "MG-02", Word: "mage.refusal.no-dice", Data: data{"N": dice}}
	case dice > maxDice:
		return &game.Refusal{Word: "mage.refusal.too-many-dice", Data: data{"N": maxDice}}
	}
	return nil
}

// Limits of difficulties. MG-03
const (
	easiest = 2
	raised  = 9 // MG-20: the highest that modifiers lead to before they become a threshold
	hardest = 10
)

// aim holds the numbers that a pool must meet: the Storyteller's difficulty and threshold, and what
// retries and effects add to the difficulty. MG-03, MG-12, MG-20
type aim struct{ difficulty, modifier, threshold int }

// plus returns the aim with a higher modifier.
func (a aim) plus(modifier int) aim {
	a.modifier += modifier
	return a
}

// allowDifficulty refuses a difficulty outside the Storyteller's range. MG-03
func allowDifficulty(difficulty int) error {
	if difficulty < easiest || difficulty > hardest {
		return &game.Refusal{
			Rule: "MG-03",
			Word: "mage.refusal.difficulty",
			Data: data{"N": difficulty, "Min": easiest, "Max": hardest},
		}
	}
	return nil
}

// allowThreshold refuses a threshold at a table without thresholds. MG-40
func allowThreshold(threshold int, rules Settings) error {
	if threshold > 0 && !rules.Thresholds {
		return game.Refuse("MG-40", "mage.refusal.no-thresholds")
	}
	return nil
}

// allowWillpower refuses a point that the character doesn't have, and a second one in a turn.
// Without counted turns each move is a turn of its own. MG-08, MG-30
func allowWillpower(c Character, wanted bool) error {
	switch {
	case !wanted:
		return nil
	case c.Clock.Bought && c.inTurn():
		return game.Refuse("MG-08", "mage.refusal.willpower-twice")
	case c.Willpower.Temporary <= 0:
		return game.Refuse("MG-08", "mage.refusal.no-willpower")
	}
	return nil
}

// firstRefusal returns the first error.
func firstRefusal(judgements ...error) error {
	for _, err := range judgements {
		if err != nil {
			return err
		}
	}
	return nil
}

// fitTraits offers the Abilities that a character has, and after them the other known ones as
// untrained. It also offers the choices of other fields, which it may change.
func fitTraits(c Character, f *form.Form, choices form.Choices) *form.Form {
	abilities := c.abilities()
	options := make([]form.Option, 0, len(abilities)+len(knownAbilities))
	has := make(map[string]bool, len(abilities))
	for _, a := range abilities {
		if !has[string(a.name)] {
			o := abilityOption(a.name, "mage.group."+a.group)
			o.Worth = strconv.Itoa(a.dots)
			options = append(options, o)
		}
		has[string(a.name)] = true
	}
	for _, o := range knownAbilities {
		if !has[o.Value] {
			options = append(options, abilityOption(form.Trait(o.Value), "mage.group.untrained"))
		}
	}
	worth := func(of func(string) int) func(string) string {
		return func(name string) string {
			if name == "" {
				return ""
			}
			return strconv.Itoa(of(name))
		}
	}
	choices["ability"] = options
	choices["attribute"] = f.RatedOptions("attribute", worth(c.Attributes.Of))
	choices["alone"] = f.RatedOptions("alone", worth(c.Rating))
	return f.Offering(choices)
}
