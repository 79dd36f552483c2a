package dice_test

import (
	"errors"
	"slices"
	"testing"

	"norn/dice"
)

func TestTotalMayBeTypedInsteadOfFaces(t *testing.T) {
	for _, c := range []struct {
		text  string
		pool  dice.Pool
		faces []int // nil for a total that the dice can't have
	}{
		{"=14", dice.Pool{N: 3, Sides: 6}, []int{5, 5, 4}},
		{"= 3", dice.Pool{N: 3, Sides: 6}, []int{1, 1, 1}},
		{"＝18", dice.Pool{N: 3, Sides: 6}, []int{6, 6, 6}},
		{"=−2", dice.Pool{N: 4, Sides: 3, For: dice.FateDice}, []int{2, 2, 1, 1}},
		{"=0", dice.Pool{N: 4, Sides: 3, For: dice.FateDice}, []int{2, 2, 2, 2}},
		{"=19", dice.Pool{N: 3, Sides: 6}, nil},
		{"=-5", dice.Pool{N: 4, Sides: 3, For: dice.FateDice}, nil},
		{"4 5 5", dice.Pool{N: 3, Sides: 6}, []int{4, 5, 5}},
	} {
		typed, err := dice.ParseFaces(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		faces, isTotal, err := dice.NewHand(typed).TakeTotal(c.pool)
		var wrong *dice.TotalError
		switch {
		case c.faces == nil:
			if !errors.As(err, &wrong) || wrong.Most == 0 {
				t.Errorf("%s: %v, %v", c.text, faces, err)
			}
		case err != nil || !slices.Equal(faces, c.faces) || isTotal != (len(typed) == 1):
			t.Errorf("%s of %s: %v, %t, %v", c.text, c.pool, faces, isTotal, err)
		}
		if _, err := dice.NewHand(typed).Take(c.pool); len(typed) == 1 && (!errors.As(err, &wrong) || wrong.Most != 0) {
			t.Errorf("%s where faces are needed: %v", c.text, err)
		}
	}
	for _, text := range []string{"=", "=x", "3 =", "==4", "=9999999999"} {
		if typed, err := dice.ParseFaces(text); err == nil {
			t.Errorf("%q is read as %v", text, typed)
		}
	}
}

func TestOnlyPlainSumsNeedJustATotal(t *testing.T) {
	for text, want := range map[string]bool{
		"3d6+2": true, "2d6+d8-1": true, "4dF": true, "d20+5 15+": true, "": true,
		"4d6kh3": false, "7d10>=6": false, "3d6!": false, "2d6r1": false, "3x 2d6": false, "d20 vs d20": false,
		"2d6 # damage": true,
	} {
		e, err := dice.Parse(text)
		if err != nil && text != "" {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.NeedsTotals(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
