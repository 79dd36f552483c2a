//go:build unix

package system

import (
	"math"
	"syscall"
)

// MostFiles returns the number of files and connections that this process may have open.
func MostFiles() int {
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) != nil {
		return math.MaxInt
	}
	return int(min(uint64(most.Cur), math.MaxInt))
}

// BoundMemory limits the memory of this process. Nothing else limits what a stranger's text
// allocates in one step.
func BoundMemory() {
	const most = 8 << 30 // of address space, of which Go itself uses some
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &now) == nil {
		now.Cur = min(now.Cur, most)
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &now)
	}
}
