package judge

import (
	"encoding/json"
	"fmt"
	"slices"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// tells checks that the game's demo can be played in every language: each move is allowed, uses all
// its dice and answers, and ends. Only the last ones may leave questions open.
func tells(t *report, g *game.Game) {
	if g.Demo == nil {
		return
	}
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lang.All {
		demo := g.Demo(words.In(l))
		scene := game.Scene{Settings: g.Settings.Default, Cast: map[string]game.Member{}}
		for i, c := range demo.Cast {
			id := fmt.Sprintf("c%d", i+1)
			kind, ok := g.Kind(c.Kind)
			if !ok {
				t.Fatalf("%s: %s is of no kind %q", l, c.Name, c.Kind)
			}
			sheet, err := kind.Decode(kind.Form.JSON(c.Sheet))
			if err != nil {
				t.Fatalf("%s: the sheet of %s: %v", l, c.Name, err)
			}
			scene.Cast[id] = game.Member{ID: id, Kind: c.Kind, Name: c.Name, Sheet: sheet}
		}
		waits := false
		for i, beat := range demo.Story {
			open, err := happens(g, scene, beat)
			switch {
			case err != nil:
				t.Fatalf("%s: move %d, %s: %v", l, i+1, beat.Move, err)
			case waits && !open:
				t.Errorf("%s: the move before move %d, %s, leaves a question open before the end", l, i+1, beat.Move)
			}
			waits = open
		}
	}
}

// happens plays one beat and updates the scene's sheets.
func happens(g *game.Game, scene game.Scene, beat game.Beat) (open bool, err error) {
	scene.Actor = beat.By
	move, ok := g.Move(beat.Move)
	if !ok {
		return false, fmt.Errorf("there is no such move")
	}
	f := move.Form.For(form.AtTable)
	args, err := move.Decode(move.Fit(scene, f), f.JSON(beat.Args))
	if err == nil {
		err = move.Allow(scene, args)
	}
	if err != nil {
		return false, err
	}
	met := move.Meets(scene, args)
	hand := dice.NewHand(beat.Dice)
	options := rule.Options{Source: rule.HandSource(hand, true)}
	for answers := beat.Answers; ; {
		result, err := rule.Play(move.Play(met, args), options)
		if err != nil {
			return false, err
		}
		if result.Done || len(answers) == 0 {
			for _, e := range result.Events {
				if c, ok := game.AsChange(e.Event); ok {
					m := scene.Cast[c.Whose()]
					m.Sheet = c.Apply(m.Sheet)
					scene.Cast[c.Whose()] = m
				}
			}
			if len(answers) > 0 {
				return false, fmt.Errorf("%d answers are left over", len(answers))
			}
			return !result.Done, hand.CheckEmpty()
		}
		given, err := json.Marshal(answers[0])
		if err != nil {
			return false, err
		}
		step, err := result.Open[0].Step(given, "")
		if err != nil {
			return false, err
		}
		answers = answers[1:]
		options.Trail = append(slices.Clone(result.Trail), step)
	}
}
