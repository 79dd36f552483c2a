// Package growth checks in tests that the cost of reading bytes from outside grows no faster than
// their number. It compares allocated bytes, which don't depend on the machine; time is for
// benchmarks. The package imports nothing of norn.
package growth

import (
	"runtime"
	"testing"
)

// maxRatio bounds what twice the input may cost: twice as much, and some more for slices that grow
// by steps.
const maxRatio = 2.5

// slack allows an input some bytes in addition, whatever its size.
const slack = 64 << 10 // bytes

// least and most are how often both inputs are read. The least of each counts, since the runtime and
// other goroutines allocate, too.
const least, most = 3, 12

// Check reads inputs of n and 2n bytes and compares the bytes that were allocated for them. input
// makes one of about so many bytes. No other goroutine may allocate much meanwhile.
func Check(t testing.TB, n int, input func(n int) []byte, read func([]byte)) {
	t.Helper()
	one, two := input(n), input(2*n)
	if len(one) < n/2 || len(two) < 3*len(one)/2 {
		t.Fatalf("inputs of %d and %d bytes, wanted are %d and %d", len(one), len(two), n, 2*n)
	}
	read(one) // fills caches
	once, twice := ^uint64(0), ^uint64(0)
	for i := range most {
		once, twice = min(once, measureAllocation(func() { read(one) })), min(twice, measureAllocation(func() { read(two) }))
		if i+1 >= least && float64(twice) <= maxRatio*float64(once)+slack {
			return
		}
	}
	t.Errorf("%d bytes cost %d allocated bytes, %d cost %d: more than %v times as much", len(one), once, len(two), twice, maxRatio)
}

// measureAllocation returns the bytes that f allocates, together with what the runtime and other
// goroutines allocate meanwhile.
func measureAllocation(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
