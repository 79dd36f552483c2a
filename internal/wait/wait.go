// Package wait lets tests wait for what another goroutine, process or page does. Only tests import
// it.
package wait

import (
	"testing"
	"time"
)

// patience bounds a wait. It is long, since a machine that runs tests may be busy; a test that
// passes never takes it.
const patience = 30 * time.Second

// Until waits until ok returns true, and fails the test with a description of what it waited for if
// that never happens. It calls ok every few milliseconds, from the test's own goroutine.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
