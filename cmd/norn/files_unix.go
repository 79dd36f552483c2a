//go:build unix

package main

import (
	"math"
	"syscall"
)

// mostFiles is how many files and connections this process may have open at once.
func mostFiles() int {
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) != nil {
		return math.MaxInt
	}
	return int(min(uint64(most.Cur), math.MaxInt))
}
