package discord

import (
	"testing"
	"time"
)

// A wrong clock makes nothing late, and a change of the clock is followed.
func TestWrongClockDoesNotMakeCallsLate(t *testing.T) {
	var c clock
	for _, step := range []struct {
		skew, waited time.Duration
		late         bool
	}{
		{time.Hour, 0, false},
		{time.Hour, time.Second, false},
		{time.Hour, time.Minute, true},
		{time.Hour, 0, false},
		{-time.Minute, 0, false},
		{-time.Minute, time.Minute, true},
		{0, 0, true},
	} {
		if late := c.isLate(step.skew + step.waited); late != step.late {
			t.Errorf("%+v: %v", step, late)
		}
	}
	for range clockAges {
		c.isLate(0)
	}
	if c.isLate(0) {
		t.Error("a clock that was set is not followed")
	}
}
