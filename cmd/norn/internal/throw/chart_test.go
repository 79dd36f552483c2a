package throw

import "testing"

func TestBarChartIsDrawnInEighthsOfABlock(t *testing.T) {
	for _, c := range []struct {
		part float64
		want string
	}{{0, ""}, {0.0001, "▏"}, {0.125, "▌"}, {0.5, "██"}, {1, "████"}} {
		if got := blocks(c.part, 4); got != c.want {
			t.Errorf("blocks(%v) = %q, want %q", c.part, got, c.want)
		}
	}
}
