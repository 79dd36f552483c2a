package eclipse

import (
	"slices"
	"testing"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// EP-22: every offered use of a point improves the roll, and none is offered twice.
func TestPointsAreOfferedOnlyWhereTheyHelp(t *testing.T) {
	for target := -60; target <= 160; target += 5 {
		for roll := range 100 {
			for _, contest := range []bool{false, true} {
				at := attempt{aim: aim{target: target}, contest: contest}
				done := rolled{roll, read(roll, target, false)}
				var uses []string
				for _, u := range at.turns(done, standard) {
					after := rolled{u.Roll, u.result}
					if after.result >= done.result &&
						(!contest || standing(after, 0, 0, standard) <= standing(done, 0, 0, standard)) {
						t.Errorf("%02d against %d: %s makes %s of %s", roll, target, u.Use, u.Outcome, done.result.id())
					}
					if u.Use == "soften" && u.result != failure {
						t.Errorf("%02d against %d: softened to %s", roll, target, u.Outcome)
					}
					uses = append(uses, u.Use)
				}
				if slices.Sort(uses); len(slices.Compact(uses)) != len(uses) {
					t.Errorf("%02d against %d: offered twice: %v", roll, target, uses)
				}
			}
		}
	}
}

// The cast of a move is everybody whose sheet it reads, in addition to the actor.
func TestCastIsEverybodyWhoseSheetTheMoveReads(t *testing.T) {
	roll := Roll{With: []form.Ref{"tam"}, Group: []form.Ref{"otho"}}
	for _, c := range []struct {
		move game.Move
		args any
		want []string
	}{
		{testMove, Test{Roll: roll}, []string{"tam", "otho"}},
		{opposedMove, Opposed{Roll: roll, Rival: "una"}, []string{"tam", "otho", "una"}},
		{opposedMove, Opposed{}, nil},
		{taskMove, Work{Roll: roll, Task: "repair"}, []string{"tam", "otho", "repair"}},
		{newDayMove, NewDay{}, []string{"lira", "otho", "tam"}},
		{shortMove, Short{}, nil},
	} {
		if got := c.move.Cast(atTable(), c.args); !slices.Equal(got, c.want) {
			t.Errorf("cast of %s is %v, want %v", c.move.ID, got, c.want)
		}
	}
}

// The percentile die decides; damage is only added.
func TestOnlyThePercentileDieIsMarkedAsDeciding(t *testing.T) {
	for _, move := range []game.Move{testMove, opposedMove, taskMove} {
		args, err := move.Decode(move.Form.For(form.Bare), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if got := move.Mark(args, rule.Throw{For: "d100", Faces: []int{53}}); got[0] != game.Deciding {
			t.Errorf("%s: the d100 is %q", move.ID, got)
		}
		if got := move.Mark(args, rule.Throw{For: "damage", Faces: []int{5, 2}}); len(got) != 2 || got[0] != "" {
			t.Errorf("%s: damage is %q", move.ID, got)
		}
	}
}

// EP-20: a log entry offers a point in one short line, so that several don't push the dice out of
// view on a phone.
func TestOfferOfAPointIsALine(t *testing.T) {
	words, err := lang.Load(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	for tongue, want := range map[lang.Lang]string{
		lang.En: "Flip the digits (−1 Insight): 52 · Superior success",
		lang.Ru: "Перевернуть бросок (−1 Озарение): 52 · Исключительный успех",
		lang.Uk: "Перевернути кидок (−1 Проникливість): 52 · Винятковий успіх",
	} {
		v := game.Voice{Speaker: words.In(tongue)}
		given := map[string]any{
			"was": 25, "from": "success", "use": "flip", "pool": "insight", "roll": 52, "result": "superior-success",
		}
		if got := New().DescribeOffer(v, "point", "", pointMove.Form, given); got != want {
			t.Errorf("%s: %q, want %q", tongue, got, want)
		}
	}
}
