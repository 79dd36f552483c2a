package mage

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
	"norn/lang"
)

// sourceCase is a move with the English lines above its odds.
type sourceCase struct {
	move  game.Move
	scene game.Scene
	args  any
	want  []string
}

// sourceScenes are a table, one with a sheet that isn't seen, one in a turn that is counted, and
// none.
type sourceScenes struct{ table, unseen, turn, bare game.Scene }

func newSourceScenes() sourceScenes {
	mary, jago, ward := form.Blank[Character](), form.Blank[Character](), form.Blank[Extended]()
	mary.Attributes.Dexterity, mary.Attributes.Wits = 4, 2
	mary.Talents, mary.Knowledges = []Talent{{Name: "athletics", Dots: 2}}, []Knowledge{{Name: "Occult", Dots: 3}}
	mary.Retries = []Retry{{Attempt: "The lock", Penalty: 2}}
	jago.Attributes.Dexterity = 3
	ward.Target, ward.Gathered, ward.Difficulty, ward.Threshold, ward.Limit, ward.Used = 10, 4, 7, 1, 3, 1
	table := game.Scene{Actor: "mary", Settings: standard, Cast: map[string]game.Member{
		"mary": {ID: "mary", Kind: "character", Name: "Mary", Sheet: mary},
		"jago": {ID: "jago", Kind: "character", Name: "Jago", Sheet: jago},
		"ward": {ID: "ward", Kind: "extended", Name: "Ward", Sheet: ward},
	}}
	unseen := game.Scene{Actor: "mary", Settings: standard, Cast: map[string]game.Member{
		"mary": table.Cast["mary"], "vane": {ID: "vane", Kind: "npc", Name: "Vane"},
	}}
	busy, done := mary, jago
	busy.Clock.Counted, done.Clock.Counted, done.Clock.Acted = true, true, true
	busy.Actions = []Due{
		{Text: "Jump", Kind: "action", Less: 3, Done: true},
		{Text: "Kick", Kind: "action", Less: 4},
		{Kind: "action", Less: 5},
	}
	turn := game.Scene{Actor: "mary", Settings: standard, Cast: map[string]game.Member{
		"mary": {
			ID:    "mary",
			Kind:  "character",
			Name:  "Mary",
			Sheet: busy,
		}, "jago": {ID: "jago", Kind: "character", Name: "Jago", Sheet: done},
	}}
	return sourceScenes{table: table, unseen: unseen, turn: turn, bare: game.Scene{Settings: standard}}
}

// sourceCases returns moves at a table with the lines above their odds.
func sourceCases() map[string]sourceCase {
	s, cases := newSourceScenes(), map[string]sourceCase{}
	for _, some := range []map[string]sourceCase{s.rolls(), s.resisted(), s.together(), s.turns()} {
		maps.Copy(cases, some)
	}
	return cases
}

// rolls lists plain rolls.
func (s sourceScenes) rolls() map[string]sourceCase {
	return map[string]sourceCase{
		"a plain roll": {
			rollMove, s.table,
			Roll{Traits: jump, Difficulty: 7},
			[]string{"Dexterity +4", "Athletics +2", "difficulty 7 (challenging)"},
		},
		"a pool as large as the difficulty": { // MG-07
			rollMove, s.table,
			Roll{Traits: jump, Difficulty: 6},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"in peace and quiet, one success without a roll",
			},
		},
		"one success that a threshold takes": { // MG-20
			rollMove, s.table,
			Roll{Traits: jump, Difficulty: 6, Threshold: 1},
			[]string{"Dexterity +4", "Athletics +2", "difficulty 6 (standard)", "threshold 1"},
		},
		"untrained": { // MG-01
			rollMove, s.table,
			Roll{Traits: Traits{Attribute: "wits", Ability: "computer"}, Difficulty: 2, Try: Try{Fast: true}},
			[]string{
				"Wits +2",
				"Computer (untrained)",
				"difficulty 2",
				"in peace and quiet, one success without a roll",
			},
		},
		"a third try past 9": { // MG-12, MG-20
			rollMove, s.table,
			Roll{Traits: jump, Difficulty: 8, Modifier: 1, Try: Try{Again: "The lock"}},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty changed by +1",
				"tried again +2",
				"difficulty 9 (extremely difficult)",
				"threshold 2",
			},
		},
		"another try in a chase": { // MG-12
			rollMove, s.table,
			Roll{Traits: jump, Difficulty: 8, Try: Try{Again: "The lock", Fast: true}},
			[]string{"Dexterity +4", "Athletics +2", "difficulty 8 (difficult)"},
		},
		"Arete by itself": {
			rollMove, s.table,
			Roll{Traits: Traits{Alone: "arete"}, Difficulty: 10},
			[]string{"Arete +1", "difficulty 10"},
		},
		"a bare roll": {
			rollMove, s.bare,
			Roll{Pool: 6, Difficulty: 6, ThresholdRule: true},
			[]string{"difficulty 6 (standard)"},
		},
	}
}

// resisted lists rolls against somebody.
func (s sourceScenes) resisted() map[string]sourceCase {
	return map[string]sourceCase{
		"against somebody": { // MG-14
			resistedMove, s.table,
			Resisted{
				Traits:            jump,
				Against:           "jago",
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(5),
			},
			[]string{"Dexterity +4", "Athletics +2", "difficulty 6 (standard)", "against Jago: 3d10, difficulty 5"},
		},
		"against somebody whose sheet isn't seen": { // MG-33
			resistedMove, s.unseen,
			Resisted{Traits: jump, Against: "vane", AgainstPool: 5, Opposing: "wits"},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"against Vane: 5d10, difficulty 2",
				"you can’t see Vane’s sheet: these dice are assumed",
				"Vane’s trait isn’t known: difficulty 6 is assumed",
			},
		},
		"against somebody without a sheet": {
			resistedMove, s.table,
			Resisted{Traits: jump, Difficulty: form.NewNumber(6), AgainstPool: 4, AgainstDifficulty: form.NewNumber(6)},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"against The other side: 4d10, difficulty 6",
			},
		},
		"bare sides": {
			resistedMove, s.bare,
			Resisted{Pool: 6, AgainstPool: 4, Difficulty: form.NewNumber(6), AgainstDifficulty: form.NewNumber(6)},
			[]string{"difficulty 6 (standard)"},
		},
		"thresholds on both sides": { // MG-14
			resistedMove, s.table,
			Resisted{
				Traits:            jump,
				Against:           "jago",
				Difficulty:        form.NewNumber(6),
				Threshold:         form.NewNumber(1),
				AgainstDifficulty: form.NewNumber(9),
				AgainstModifier:   1,
			},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"threshold 1",
				"against Jago: 3d10, difficulty 9, threshold 1",
			},
		},
	}
}

// together lists rolls with helpers and extended actions.
func (s sourceScenes) together() map[string]sourceCase {
	return map[string]sourceCase{
		"a helper whose sheet isn't seen": { // MG-33
			teamMove, s.unseen,
			Team{Traits: jump, With: []form.Ref{"vane"}, Difficulty: 6},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"with Vane, whose dice aren’t counted: you can’t see the sheet",
			},
		},
		"a team": { // MG-16
			teamMove, s.table,
			Team{Traits: jump, With: []form.Ref{"jago"}, Difficulty: 6},
			[]string{"Dexterity +4", "Athletics +2", "difficulty 6 (standard)", "with Jago: 3d10"},
		},
		"a bare team": {
			teamMove, s.bare,
			Team{Pools: form.Faces{6, 5}, Difficulty: 8, Threshold: 1},
			[]string{"difficulty 8 (difficult)", "threshold 1"},
		},
		"a helper at an extended action": { // MG-13, MG-16
			extendedMove, s.table,
			Work{
				On:       "ward",
				Traits:   Traits{Attribute: "wits", Ability: "Occult"},
				With:     []form.Ref{"jago"},
				Modifier: -1,
			},
			[]string{
				"Wits +2",
				"Occult +3",
				"difficulty changed by −1",
				"difficulty 6 (standard)",
				"threshold 1",
				"with Jago: 1d10",
				"6 of 10 still to gather",
			},
		},
		"an extended action alone": { // MG-13; by hand: 6 of two rolls with 5 dice each, a threshold of 1 off each
			extendedMove, s.table,
			Work{On: "ward", Traits: Traits{Attribute: "wits", Ability: "Occult"}},
			[]string{
				"Wits +2",
				"Occult +3",
				"difficulty 7 (challenging)",
				"threshold 1",
				"6 of 10 still to gather",
				"<1% to get there alone in the rolls left (2)",
			},
		},
		"a bare extended action": {
			extendedMove, s.bare,
			Work{Pool: 6, Difficulty: 6, Target: 5, Rolls: 3},
			[]string{"difficulty 6 (standard)"},
		},
		"five together": { // MG-16
			teamMove, s.table,
			Team{Traits: jump, With: []form.Ref{"jago"}, Difficulty: 6, Needs: 5},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"difficulty 6 (standard)",
				"with Jago: 3d10",
				"5 successes needed",
			},
		},
	}
}

// turns lists actions in a turn that is counted.
func (s sourceScenes) turns() map[string]sourceCase {
	return map[string]sourceCase{
		"the second of three actions": { // MG-10
			rollMove, s.turn,
			Roll{Traits: jump, Difficulty: 6},
			[]string{"Dexterity +4", "Athletics +2", "action 2 (Kick) −4", "difficulty 6 (standard)"},
		},
		"who has acted has nothing to resist with": { // MG-09
			resistedMove, s.turn,
			Resisted{
				Traits:            jump,
				Against:           "jago",
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(6),
			},
			[]string{
				"Dexterity +4",
				"Athletics +2",
				"action 2 (Kick) −4",
				"difficulty 6 (standard)",
				"Jago has no action left to resist with",
			},
		},
		"bare actions": {
			multiMove, s.bare,
			Multi{Pools: form.Faces{6, 7, 7}, Difficulty: 6},
			[]string{
				"action 1: 6 → 3d10, difficulty 6",
				"action 2: 7 → 3d10, difficulty 6",
				"action 3: 7 → 2d10, difficulty 6",
			},
		},
	}
}

// The lines above the odds must describe the pool, in words of every language.
func TestSourcesDescribeThePoolInEveryLanguage(t *testing.T) {
	for name, c := range sourceCases() {
		t.Run(name, func(t *testing.T) {
			if err := c.move.Allow(c.scene, c.args); err != nil {
				t.Fatal(err)
			}
			for _, v := range voices(t) {
				lines := []string{}
				for _, source := range c.move.Sources(c.scene, c.args) {
					line := source.Text
					if source.Word != "" {
						line = v.Tell(source.Word, source.Data)
					}
					gametest.CheckText(t, v, name, line)
					switch {
					case source.N > 0:
						line += " +" + strconv.Itoa(source.N)
					case source.N < 0:
						line += " −" + strconv.Itoa(-source.N)
					}
					lines = append(lines, line)
				}
				if diff := cmp.Diff(c.want, lines); v.Lang() == lang.En && diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// The variant with Willpower is offered if a point may be spent and isn't yet. MG-08
func TestWillpowerIsOfferedWhereItMayBeSpent(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(c *Character)
		spent   bool
		offered int
	}{
		"may be spent": {func(*Character) {}, false, 1},
		"is spent":     {func(*Character) {}, true, 0},
		"has bought":   {func(c *Character) { c.Clock.Bought, c.Clock.Counted = true, true }, false, 0},
		"has bought in a turn that nobody counts": {func(c *Character) { c.Clock.Bought = true }, false, 1},
		"is gone": {func(c *Character) { c.Willpower.Temporary = 0 }, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			mary := form.Blank[Character]()
			c.change(&mary)
			s := game.Scene{
				Actor:    "mary",
				Settings: standard,
				Cast:     map[string]game.Member{"mary": {ID: "mary", Kind: "character", Name: "Mary", Sheet: mary}},
			}
			for move, variants := range map[string][]game.Variant{
				"roll": rollMove.Variants(s, Roll{Traits: jump, Difficulty: 6, Willpower: c.spent}),
				"resisted": resistedMove.Variants(s,
					Resisted{Traits: jump, Difficulty: form.NewNumber(6), Willpower: c.spent}),
				"team":     teamMove.Variants(s, Team{Traits: jump, Difficulty: 6, Willpower: c.spent}),
				"extended": extendedMove.Variants(s, Work{Traits: jump, Willpower: c.spent}),
			} {
				if len(variants) != c.offered {
					t.Errorf("%s: %d variants, want %d", move, len(variants), c.offered)
				}
			}
		})
	}
	if rollMove.Variants(game.Scene{Settings: standard}, Roll{Pool: 6, Difficulty: 6}) != nil {
		t.Error("nobody has no Willpower")
	}
}

// An automatic success isn't offered if a threshold would cancel it. MG-07, MG-08
func TestNoAutomaticSuccessIsOfferedIfAThresholdCancelsIt(t *testing.T) {
	mary := form.Blank[Character]()
	mary.Attributes.Wits, mary.Retries = 10, []Retry{{Attempt: "The lock", Penalty: 1}}
	s := game.Scene{
		Actor:    "mary",
		Settings: standard,
		Cast:     map[string]game.Member{"mary": {ID: "mary", Kind: "character", Name: "Mary", Sheet: mary}},
	}
	for name, c := range map[string]struct {
		roll Roll
		want bool
	}{
		"plain":            {Roll{Difficulty: 9}, true},
		"a threshold":      {Roll{Difficulty: 9, Threshold: 1}, false},
		"modifiers past 9": {Roll{Difficulty: 9, Modifier: 1}, false},
		"a retry past 9":   {Roll{Difficulty: 9, Try: Try{Attempt: "The lock"}}, false},
	} {
		c.roll.Traits = Traits{Attribute: "wits"}
		offered := slices.ContainsFunc(
			rollMove.Sources(s, c.roll),
			func(source game.Source) bool { return source.Word == "mage.source.automatic" },
		)
		if offered != c.want {
			t.Errorf("%s: offered is %t, want %t", name, offered, c.want)
		}
	}
}

// The odds that a player sees of a roll that was called for say that the Storyteller may have decided
// more. MG-32
func TestSourcesOfACalledRollSayWhatTheyLeaveOut(t *testing.T) {
	s := refusing("mary")
	for asked, want := range map[bool]bool{false: false, true: true} {
		s.Ruled = game.Ruled{Asked: asked, Fixed: []string{"difficulty"}}
		found := slices.ContainsFunc(rollMove.Sources(s, standardPool), func(source game.Source) bool {
			return source.Word == "mage.source.undecided"
		})
		if found != want {
			t.Errorf("called for: %v, said: %v", asked, found)
		}
	}
}
