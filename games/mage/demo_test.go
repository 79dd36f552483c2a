package mage

import (
	"fmt"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// The demo's story can be played as it's told: each move is allowed and uses
// its dice up, and only the last leaves a question.
func TestDemo(t *testing.T) {
	for _, v := range voices(t) {
		d := demo(v.Speaker)
		s := game.Scene{Settings: standard, Cast: map[string]game.Member{}}
		for i, c := range d.Cast {
			id := fmt.Sprintf("c%d", i+1)
			s.Cast[id] = game.Member{ID: id, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
		}
		for i, beat := range d.Story {
			s.Actor = beat.By
			m, ok := Game.Move(beat.Move)
			if !ok {
				t.Fatalf("there's no move %s", beat.Move)
			}
			f := m.Form.For(form.AtTable)
			args, err := m.Decode(m.Fit(s, f), f.JSON(beat.Args))
			if err == nil {
				err = m.Allow(s, args)
			}
			if err != nil {
				t.Fatalf("%s: move %d: %v", v.Lang(), i+1, err)
			}
			hand := dice.NewHand(beat.Dice)
			result, err := rule.Play(m.Play(s, args), rule.Options{Source: rule.ByHand(hand, true)})
			if err == nil {
				err = hand.Done()
			}
			if last := i == len(d.Story)-1; err != nil || result.Done == last {
				t.Errorf("%s: move %d: %v, done %v, open %v", v.Lang(), i+1, err, result.Done, result.Open)
			}
			for _, e := range result.Told {
				if c, ok := e.Event.(game.Change); ok {
					m := s.Cast[c.Whose()]
					m.Sheet = c.Apply(m.Sheet)
					s.Cast[m.ID] = m
				}
			}
		}
	}
}
