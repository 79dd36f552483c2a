package mage

import "testing"

// MG-30: a clock stops at the largest number that its sheet takes, instead of leaving a sheet that no
// change fits any more.
func TestClockStopsAtTheLargestNumber(t *testing.T) {
	full := Clock{Counted: true, Turn: 9999, Scene: 9999, Chapter: 9999, Story: 9999, Chronicle: 9999}
	for _, to := range []string{"turn", "scene", "chapter", "story", "chronicle"} {
		c := full.next(to)
		for name, n := range map[string]int{
			"turn": c.Turn, "scene": c.Scene, "chapter": c.Chapter, "story": c.Story, "chronicle": c.Chronicle,
		} {
			if n < 1 || n > 9999 {
				t.Errorf("after the next %s the %s is %d", to, name, n)
			}
		}
	}
}
