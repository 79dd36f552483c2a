//go:build unix

// Package cost measures what tests spend. Only tests import it.
package cost

import (
	"syscall"
	"testing"
	"time"
)

// CPU returns how long the process has been on the cores. Where the system can't tell it skips the test.
func CPU(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
