//go:build unix

package system

import (
	"math"
	"syscall"
)

// MostFiles is how many files and connections this process may have open at once.
func MostFiles() int {
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) != nil {
		return math.MaxInt
	}
	return int(min(uint64(most.Cur), math.MaxInt))
}

// BoundMemory has this process end when it takes more than a text of somebody else's may: what it
// takes in one step nothing else bounds.
func BoundMemory() {
	const most = 8 << 30 // of addresses, of which Go itself takes some
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &now) == nil {
		now.Cur = min(now.Cur, most)
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &now)
	}
}
