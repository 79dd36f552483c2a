package distribution

import (
	"errors"
	"math/big"
	"testing"

	"norn/dice"
)

// narrativePool returns n dice of eight or twelve faces, whose vectors are net successes and net
// advantages. sign is −1 for dice against the roller.
func narrativePool(n, sides, sign int) VectorPool {
	p := VectorPool{Pool: dice.Pool{N: n, Sides: sides}}
	for face := range sides {
		p.Faces = append(p.Faces, Vector{sign * (face % 3), sign * (face / 4)})
	}
	return p
}

func TestVectorsAreTheSumsOfAllFaces(t *testing.T) {
	for _, pools := range [][]VectorPool{
		{narrativePool(2, 8, 1), narrativePool(2, 8, -1), narrativePool(1, 12, 1)},
		{narrativePool(0, 8, 1), narrativePool(3, 6, -1)},
		{{Pool: dice.Pool{N: 2, Sides: 3}, Faces: []Vector{{1, 0, -2, 7}, {}, {0, 5}}}},
	} {
		want, total := map[Vector]int64{}, int64(1)
		want[Vector{}] = 1
		for _, p := range pools {
			for range p.N {
				next := map[Vector]int64{}
				for sum, ways := range want {
					for _, face := range p.Faces {
						next[sum.Plus(face)] += ways
					}
				}
				want, total = next, total*int64(p.Sides)
			}
		}
		law, ok, err := Vectors(pools, func(int) error { return nil })
		if !ok || err != nil || len(law.Values) != len(want) {
			t.Fatalf("%v, %v: %d sums, want %d", ok, err, len(law.Values), len(want))
		}
		for i, sum := range law.Values {
			if got := law.Chance(i); got.Cmp(big.NewRat(want[sum], total)) != 0 {
				t.Errorf("%v has %s, want %d of %d", sum, got, want[sum], total)
			}
		}
	}
}

// Weights of several words are those of one, and sum up to all ways.
func TestVectorsOfManyDiceAreExact(t *testing.T) {
	law, ok, err := Vectors([]VectorPool{narrativePool(60, 8, 1)}, func(int) error { return nil })
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	sum, mean := W(0), new(big.Rat)
	for i, weight := range law.Weights {
		sum = sum.Plus(weight)
		mean.Add(mean, new(big.Rat).Mul(law.Chance(i), big.NewRat(int64(law.Values[i][1]), 1)))
	}
	if sum.Cmp(law.Total) != 0 || mean.Cmp(big.NewRat(30, 1)) != 0 {
		t.Errorf("the weights sum up to %s of %s, the mean is %s, want 30", sum, law.Total, mean)
	}
}

func TestVectorsStopWhereTheyCostTooMuch(t *testing.T) {
	tooMuch := errors.New("too much")
	if _, ok, err := Vectors([]VectorPool{narrativePool(9, 8, 1)}, func(int) error { return tooMuch }); !ok || err != tooMuch {
		t.Errorf("%v, %v", ok, err)
	}
	wide := VectorPool{Pool: dice.Pool{N: 900, Sides: 2}, Faces: []Vector{{1, 0, 1}, {0, 1, 9}}}
	if _, ok, err := Vectors([]VectorPool{wide}, func(int) error { return nil }); ok || err != nil {
		t.Errorf("sums of a wide range: %v, %v", ok, err)
	}
}
