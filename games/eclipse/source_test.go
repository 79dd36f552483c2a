package eclipse

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// sourceCase is a move with the English line above its odds.
type sourceCase struct {
	about string
	move  game.Move
	args  any
	want  string
}

// modifierCases lists tests with modifiers from sheets, difficulties and earlier results.
func modifierCases() []sourceCase {
	return []sourceCase{
		{
			"modifiers by name", testMove,
			Test{Roll: Roll{On: "skill:guns", Difficulty: "hard", Specialised: true, Retries: 1}},
			"Guns 70 · difficulty −20 · wounds −10 · traumas −20 · specialisation +10 · retry −10 · earlier results −10 · target 10",
		},
		{
			"a field, and time taken", testMove,
			Test{Roll: Roll{On: "skill:know/Mars", Also: []Modifier{{Name: "Smoke", Value: -10}}}, Time: 2},
			"Know: Mars 55 · wounds −10 · traumas −20 · Smoke −10 · time taken +20 · earlier results −10 · target 25",
		},
		{
			"the GM's one modifier", testMove,
			Test{Roll: Roll{On: "check:cog", Situation: "minor-hindrance", Health: "overall"}},
			"COG check 60 · situation −10 · earlier results −10 · wounds and traumas are in the GM’s modifier · target 40",
		},
		{
			"by a related skill", testMove,
			Test{Roll: Roll{
				On: "skill:guns", Defaulting: "related", Related: "skill:Juggling", Distance: "far",
				Health: "overall",
			}},
			"Juggling 30 · in place of Guns · defaulted, so no critical success · related skill −30 · earlier results −10 · wounds and traumas are in the GM’s modifier · target −10",
		},
		{"earlier quality", testMove, Test{Roll: Roll{
			On: "skill:guns", Carried: []form.Ref{"tam/0"},
			Health: "overall",
		}}, "Guns 70 · quality: Guns +10 · earlier results −10 · wounds and traumas are in the GM’s modifier · target 70"},
		{
			"somebody hard to notice", testMove,
			Test{Roll: Roll{On: "check:int", Carried: []form.Ref{"tam/1"}, Health: "overall"}},
			"INT check 45 · covertness: the shuttle −20 · earlier results −10 · wounds and traumas are in the GM’s modifier · target 15",
		},
	}
}

// limitCases lists tests in which modifiers are capped, ignored or against a rival.
func limitCases() []sourceCase {
	return []sourceCase{
		{
			"the cap", testMove,
			Test{Roll: Roll{
				On: "check:cog", Difficulty: "very-easy", Situation: "major-boon",
				Boost: true, Health: "overall",
			}},
			"COG check 60 · difficulty +30 · situation +30 · earlier results −10 · point +20 · wounds and traumas are in the GM’s modifier · together +70, +60 counts · target 120",
		},
		{
			"a point against modifiers", testMove,
			Test{Roll: Roll{On: "skill:guns", Difficulty: "hard", Ignore: true}},
			"Guns 70 · difficulty −20 · wounds −10 · traumas −20 · earlier results −10 · a point ignores the modifiers · target 70",
		},
		{
			"by default", testMove,
			Test{Roll: Roll{On: "lacking:wil"}},
			"WIL (defaulted) 20 · defaulted, so no critical success · wounds −10 · traumas −20 · earlier results −10 · target −20",
		},
		{
			"a rival", opposedMove,
			Opposed{Roll: Roll{On: "skill:Juggling"}, Rival: "otho", AgainstTarget: 45},
			"Juggling 30 · wounds −10 · traumas −20 · earlier results −10 · target −10 · against Otho, counted as 0",
		},
		{
			"a number", opposedMove,
			Opposed{Roll: Roll{On: "rep:c"}, AgainstTarget: 45},
			"c-rep 40 · wounds −10 · traumas −20 · earlier results −10 · target 0 · against 45",
		},
		{
			"haste at a task", taskMove,
			Work{Task: "repair", Pace: Pace{Rush: 1}, Roll: Roll{On: "check:int"}},
			"INT check 45 · wounds −10 · traumas −20 · rush −20 · earlier results −10 · target −15",
		},
	}
}

// The sources show the parts of a target, and which of them count. EP-04, EP-06
func TestSourcesListThePartsOfTheTarget(t *testing.T) {
	s := atTable()
	for _, c := range append(modifierCases(), limitCases()...) {
		v := voices(t)[0]
		var told []string
		for _, source := range c.move.Sources(s, c.args) {
			name := source.Text
			if source.Word != "" {
				name = v.Tell(source.Word, source.Data)
			}
			if source.N != 0 {
				name += " " + game.SignedNumber(source.N)
			}
			told = append(told, name)
		}
		if diff := cmp.Diff(c.want, strings.Join(told, " · ")); diff != "" {
			t.Errorf("%s: %s", c.about, diff)
		}
	}
}

// chance returns the chance of any of these outcomes, as a fraction.
func chance(t *testing.T, m game.Move, s game.Scene, args any, outcomes ...string) string {
	t.Helper()
	var kinds []odds.Kind
	for _, o := range m.Outcomes {
		kinds = append(kinds, odds.Kind{ID: o.ID, Counts: o.Counts})
	}
	o, err := odds.Price(t.Context(), m.Price(s, args), kinds, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return o.Any(outcomes...).RatString()
}

// A player sees the effect of a point, if one may be spent. EP-20
func TestVariantsShowWhatAPointWouldDo(t *testing.T) {
	sheet := lira
	sheet.Effects, sheet.Wounds, sheet.Traumas = nil, 0, 0
	s := scene(sheet)
	hard := Test{Roll: Roll{On: "skill:know/Mars", Difficulty: "slightly-hard"}} // 45
	var got []string
	for _, v := range testMove.Variants(s, hard) {
		got = append(
			got,
			v.Word+" "+chance(
				t,
				testMove,
				s,
				v.Args,
				testHeadlines[0].Outcomes...)+" "+chance(
				t,
				testMove,
				s,
				v.Args,
				testHeadlines[1].Outcomes...),
		)
	}
	want := []string{
		"eclipse.variant.boost 33/50 9/25",   // 65: 66 rolls, 33–65 and 00, 11, 22
		"eclipse.variant.ignore 14/25 13/50", // 55: 56 rolls, 33–55 and three doubles
	}
	if diff := cmp.Diff(want, got[:min(2, len(got))]); diff != "" {
		t.Error(diff)
	}
	won, better := 0, 0
	for roll := range 100 {
		other := roll%10*10 + roll/10
		if (roll <= 45 || other <= 45) && roll != 99 {
			won++ // flipped, or won without that
			better++
			// One more superior effect raises a plain success; it stays plain only if it succeeds
			// by a flip to less than 33.
			if roll > 45 && other < 33 {
				better--
			}
		}
	}
	late := testMove.Variants(s, hard)[2].Args
	for headline, n := range map[int]int{0: won, 1: better} {
		if p := chance(t, testMove, s, late, testHeadlines[headline].Outcomes...); p != rat(n) {
			t.Errorf("a point after the roll: %s of headline %d, want %s", p, headline, rat(n))
		}
	}
	paid := hard
	paid.Boost = true
	broke := lira
	broke.Pools = Pools{}
	for about, variants := range map[string][]game.Variant{
		"a point is spent": testMove.Variants(s, paid),
		"no pool is left":  testMove.Variants(scene(broke), hard),
		"in secret":        testMove.Variants(inSecret(s), hard),
		"without a sheet":  testMove.Variants(game.Scene{}, Test{Plain: Plain{Target: 50}}),
	} {
		if variants != nil {
			t.Errorf("%s: %v", about, variants)
		}
	}
	contest := Opposed{Roll: Roll{On: "check:int"}, AgainstTarget: 55}
	plain := chance(t, opposedMove, s, contest, "win")
	for _, v := range opposedMove.Variants(s, contest) {
		if p := chance(t, opposedMove, s, v.Args, "win"); p == plain {
			t.Errorf("%s buys nothing in an opposed test: %s", v.Word, p)
		}
	}
}

func rat(percent int) string {
	d := 100
	for _, p := range []int{2, 2, 5, 5} {
		if percent%p == 0 && d%p == 0 {
			percent, d = percent/p, d/p
		}
	}
	return strings.Join([]string{itoa(percent), itoa(d)}, "/")
}

func itoa(n int) string { return strings.TrimPrefix(game.SignedNumber(n), "+") }

// A secret throw for a player's character must not change anything that the player could see: it
// asks nothing, spends nothing and uses no effects. One for an NPC is normal. EP-09
func TestSecretTestChangesNothingOnAPlayersSheet(t *testing.T) {
	s := inSecret(atTable())
	s.Cast["otho"] = game.Member{ID: "otho", Kind: "npc", Name: "Otho", Sheet: NPC{Character: lira}}
	for who, left := range map[string]bool{"lira": true, "otho": false} {
		for _, face := range []int{71, 40, 100, 55, 88, 5} {
			s.Actor = who
			result, err := rule.Play(
				testMove.Play(s, Test{Roll: Roll{On: "skill:know/Mars"}}),
				rule.Options{Source: rule.HandSource(dice.NewHand([]int{face}), false)},
			)
			if err != nil {
				t.Fatal(err)
			}
			changes := slices.ContainsFunc(result.Events, func(told rule.PlacedEvent) bool {
				_, ok := game.AsChange(told.Event)
				return ok
			})
			if left && (!result.Done || changes) {
				t.Errorf("%s rolls %d in secret: done %v, changes a sheet %v", who, face, result.Done, changes)
			}
			if !left && !changes {
				t.Errorf("%s rolls %d in secret, and what was remembered isn't used up", who, face)
			}
		}
	}
}

// Other secret throws mustn't change what players see either: the other side's sheet, a task's
// time. EP-09
func TestOtherSecretRollsChangeNothingPlayersSee(t *testing.T) {
	s := inSecret(atTable())
	s.Actor = "lira"
	mars := Roll{On: "skill:know/Mars"}
	for about, play := range map[string]func(*rule.Run) rule.Outcome{
		"a test":                 testMove.Play(s, Test{Roll: mars}),
		"against a player's":     opposedMove.Play(s, Opposed{Roll: mars, Rival: "tam", AgainstTarget: 50}),
		"against a number":       opposedMove.Play(s, Opposed{Roll: mars, AgainstTarget: 50}),
		"a task":                 taskMove.Play(s, Work{Roll: mars, Task: "repair"}),
		"who acts when":          initiativeMove.Play(s, Initiative{}),
		"what a weapon would do": damageMove.Play(s, Damage{D10: 1}),
	} {
		for seed := range 100 {
			result, err := rule.Play(play, rule.Options{
				Source: rule.RollerSource(dice.NewStream([32]byte{byte(seed)})),
				Policy: rule.Policy{"eclipse.defence": Defence{On: "check:int", Situation: "even"}},
			})
			if err != nil {
				t.Fatal(about, err)
			}
			for _, told := range result.Events {
				if change, ok := game.AsChange(told.Event); ok {
					t.Errorf("%s, %d: %s of %s", about, seed, game.TypeOf(told.Event), change.Whose())
				}
			}
			if !result.Done {
				t.Errorf("%s, %d: somebody is asked: %v", about, seed, result.Open)
			}
		}
	}
	if err := initiativeMove.Allow(s, Initiative{First: "insight"}); err == nil {
		t.Error("a point of a player's goes first in secret")
	}
}
