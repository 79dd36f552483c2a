package throw

import "testing"

func TestFloor(t *testing.T) {
	for _, c := range []struct{ n, step, want int }{{9, 10, 0}, {10, 10, 0}, {11, 10, 1}, {0, 10, -1}, {-9, 10, -1}, {-10, 10, -2}, {3, 1, 2}, {-3, 1, -4}} {
		if got := floor(c.n, c.step); got != c.want {
			t.Errorf("floor(%d, %d) = %d, want %d", c.n, c.step, got, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		part float64
		want string
	}{{0, ""}, {0.0001, "▏"}, {0.125, "▌"}, {0.5, "██"}, {1, "████"}} {
		if got := blocks(c.part, 4); got != c.want {
			t.Errorf("blocks(%v) = %q, want %q", c.part, got, c.want)
		}
	}
}
