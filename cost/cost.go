//go:build unix

// Package cost measures the CPU time of tests. Only tests import it.
package cost

import (
	"syscall"
	"testing"
	"time"
)

// CPU returns the CPU time used by the process. It skips the test if the system can't measure it.
func CPU(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
