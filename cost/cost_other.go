//go:build !unix

// Package cost measures the CPU time of tests. Only tests import it.
package cost

import (
	"testing"
	"time"
)

// CPU returns the CPU time used by the process. It skips the test if the system can't measure it.
func CPU(t testing.TB) time.Duration {
	t.Skip("the system doesn't tell what a test has spent")
	return 0
}
