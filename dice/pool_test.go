package dice_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/dice"
)

func TestFacesOfCountsMatchingFaces(t *testing.T) {
	tests := []struct {
		name  string
		faces dice.Faces
		sides int
		of    int
	}{
		{"at least", dice.AtLeast(5), 6, 2},
		{"at least one", dice.AtLeast(1), 6, 6},
		{"at least zero", dice.AtLeast(0), 6, 6},
		{"at least beyond the die", dice.AtLeast(7), 6, 0},
		{"at most", dice.AtMost(2), 6, 2},
		{"at most nothing", dice.AtMost(0), 6, 0},
		{"at most beyond the die", dice.AtMost(math.MaxInt), 6, 6},
		{"exactly", dice.Exactly(6), 6, 1},
		{"exactly zero", dice.Exactly(0), 6, 0},
		{"between", dice.Between(3, 5), 6, 3},
		{"between, cut by the die", dice.Between(-3, 5), 4, 4},
		{"between, empty", dice.Between(5, 3), 6, 0},
		{"zero", dice.Faces{}, 6, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.faces.Of(tt.sides); got != tt.of {
				t.Errorf("%v.Of(%d) = %d, want %d", tt.faces, tt.sides, got, tt.of)
			}
		})
	}
}

func TestFacesOfAgreesWithHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces := dice.Between(rapid.IntRange(-5, 30).Draw(t, "lo"), rapid.IntRange(-5, 30).Draw(t, "hi"))
		sides := rapid.IntRange(1, 25).Draw(t, "sides")
		n := 0
		for face := 1; face <= sides; face++ {
			if faces.Has(face) {
				n++
			}
		}
		if got := faces.Of(sides); got != n {
			t.Fatalf("%v.Of(%d) = %d, but Has is true for %d faces", faces, sides, got, n)
		}
	})
}

func TestPoolCheckRefusesTooManyDiceOrSides(t *testing.T) {
	tests := []struct {
		pool dice.Pool
		want *dice.RangeError
	}{
		{dice.Pool{N: 1, Sides: 1}, nil},
		{dice.Pool{N: dice.MaxDice, Sides: dice.MaxSides}, nil},
		{dice.Pool{N: 0, Sides: -1}, nil},
		{dice.Pool{N: -4}, nil},
		{dice.Pool{N: 1001, Sides: 6}, &dice.RangeError{Field: "dice", Min: 0, Max: 1000, Given: 1001}},
		{dice.Pool{N: 1, Sides: 0}, &dice.RangeError{Field: "sides", Min: 1, Max: 1000, Given: 0}},
		{dice.Pool{N: 1, Sides: 1001}, &dice.RangeError{Field: "sides", Min: 1, Max: 1000, Given: 1001}},
	}
	for _, tt := range tests {
		err := tt.pool.Check()
		var got *dice.RangeError
		if err != nil && !errors.As(err, &got) {
			t.Errorf("%+v: error %T, want *RangeError", tt.pool, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v: (-want +got)\n%s", tt.pool, diff)
		}
	}
}

func TestPoolPrintsAsNotation(t *testing.T) {
	for want, pool := range map[string]dice.Pool{
		"3d6": {N: 3, Sides: 6, For: "pool"},
		"d20": {N: 1, Sides: 20},
		"0d8": {N: 0, Sides: 8},
	} {
		if got := pool.String(); got != want {
			t.Errorf("%+v prints %q, want %q", pool, got, want)
		}
	}
}

// row is a Roller that shows prepared faces on any die.
type row []int

func (r *row) Face(int) int {
	face := (*r)[0]
	*r = (*r)[1:]
	return face
}

func TestThrowTakesOneFacePerDie(t *testing.T) {
	r := row{3, 1, 2, 6}
	if diff := cmp.Diff([]int{3, 1, 2}, dice.Throw(&r, dice.Pool{N: 3, Sides: 6})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, n := range []int{0, -1} {
		if got := dice.Throw(&r, dice.Pool{N: n, Sides: 6}); got != nil {
			t.Errorf("%d dice threw %v", n, got)
		}
	}
	if len(r) != 1 {
		t.Errorf("%d faces left, want 1", len(r))
	}
}
