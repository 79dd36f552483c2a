package game_test

import (
	"slices"
	"testing"

	"norn/game"
)

func TestWithoutLeavesTheListUnchanged(t *testing.T) {
	for _, c := range []struct{ list, want []int }{
		{nil, nil},
		{[]int{1, 3}, []int{1, 3}},
		{[]int{1, 2, 3, 4, 4, 5}, []int{1, 3, 5}},
		{[]int{2}, []int{}},
	} {
		before := slices.Clone(c.list)
		rest := game.Without(c.list, func(n int) bool { return n%2 == 0 })
		if !slices.Equal(rest, c.want) {
			t.Errorf("%v without even numbers is %v, want %v", c.list, rest, c.want)
		}
		_ = append(rest, 7)
		if !slices.Equal(c.list, before) {
			t.Errorf("the list %v became %v", before, c.list)
		}
	}
}
