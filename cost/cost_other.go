//go:build !unix

// Package cost measures what tests spend. Only tests import it.
package cost

import (
	"testing"
	"time"
)

// CPU returns how long the process has been on the cores. Where the system can't tell it skips the test.
func CPU(t testing.TB) time.Duration {
	t.Skip("the system doesn't tell what a test has spent")
	return 0
}
