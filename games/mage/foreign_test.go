package mage_test

import (
	"fmt"
	"strings"
	"testing"

	"norn/foreign/foreigntest"
	"norn/games/mage"
)

func TestMageIsReadInBothShapes(t *testing.T) {
	for name, file := range map[string]string{
		"Mage": foreigntest.Mage(12, false, "Wen"),
		"PC":   foreigntest.Mage(13, true, "Wen"),
	} {
		p, c := foreigntest.Propose[mage.Character](t, mage.New(), file)
		if c.Attributes.Strength != 3 || c.Attributes.Charisma != 4 || c.Arete != 3 || c.Quintessence != 5 || c.Paradox != 3 {
			t.Errorf("%s: %+v", name, c)
		}
		if c.Willpower != (mage.Willpower{Permanent: 6, Temporary: 4}) {
			t.Errorf("%s: %+v", name, c.Willpower)
		}
		got := fmt.Sprint(c.Talents, c.Skills, c.Knowledges)
		if want := "[{alertness 2}] [{Animal Ken 1} {Bells 3}] [{computer 2}]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		kept := fmt.Sprint(p.Kept)
		for _, want := range []string{"Sphere: Forces: 3", "Damage: lethal: 2", "Peal It rings."} {
			if !strings.Contains(kept, want) {
				t.Errorf("%s: %q isn't kept: %s", name, want, kept)
			}
		}
	}
}

// World of Darkness 20 for Foundry, 7.2.5 at its commit 524df095, computed these numbers of the same two
// actors: its data models and template filled them up, and calculateTotals, _prepareCharacterData,
// _handleAdvantagesCalculations and GetAbilityBuff ran in Node 20. Composure and resolve are left out.
func TestMageHasTheNumbersThatItsSystemComputes(t *testing.T) {
	for name, c := range map[string]struct {
		pc                    bool
		quintessence, paradox int
		abilities             string
	}{
		"PC":   {true, 5, 15, "[{alertness 2}] [{Occult 3} {computer 3}]"},
		"Mage": {false, 9, 15, "[{alertness 2}] [{computer 3} {Occult 3}]"},
	} {
		t.Run(name, func(t *testing.T) {
			p, hero := foreigntest.Propose[mage.Character](t, mage.New(), foreigntest.MageWithBonuses(c.pc, "Wen"))
			want := mage.Attributes{
				Strength: 4, Dexterity: 2, Stamina: 2, Charisma: 4, Manipulation: 2, Appearance: 3,
				Perception: 3, Intelligence: 4, Wits: 3,
			}
			if hero.Attributes != want {
				t.Errorf("attributes are %+v, want %+v", hero.Attributes, want)
			}
			if got := fmt.Sprint(hero.Talents, hero.Knowledges); got != c.abilities {
				t.Errorf("abilities are %s, want %s", got, c.abilities)
			}
			if hero.Arete != 3 || hero.Willpower != (mage.Willpower{Permanent: 6, Temporary: 4}) ||
				hero.Quintessence != c.quintessence || hero.Paradox != c.paradox {
				t.Errorf("Arete, Willpower, Quintessence and Paradox are %d, %v, %d and %d",
					hero.Arete, hero.Willpower, hero.Quintessence, hero.Paradox)
			}
			kept := fmt.Sprint(p.Kept)
			for _, want := range []string{
				"Sleep", "strength +5", "Not active", "Loud", "charisma +1", "Bell coat", "Old coat", "dexterity -2",
			} {
				if !strings.Contains(kept, want) {
					t.Errorf("%q isn't kept: %s", want, kept)
				}
			}
		})
	}
}
