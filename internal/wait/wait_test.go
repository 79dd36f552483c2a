package wait_test

import (
	"sync/atomic"
	"testing"
	"time"

	"norn/internal/wait"
)

func TestUntilWaitsForItsCondition(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(5*time.Millisecond, func() { done.Store(true) })
	wait.Until(t, "the timer has fired", done.Load)
	if !done.Load() {
		t.Error("it returned before the timer fired")
	}
}
