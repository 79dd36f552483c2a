package server

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"norn/cmd/norn/internal/cli"
)

// A server with many tables allocates little that lasts and much that doesn't: frames, answers,
// parsed requests. With Go's default, which waits until memory has doubled, garbage collection
// takes a quarter of the time. So memory may grow to roomy before it is collected, at most
// fivefold, and at least two and a half times. If so much is allocated that collection still takes
// more than a costly share of the cores' time, memory may grow further, step by step, up to a small
// share of the machine or of norn's container. It shrinks again when there is less to do.
const (
	roomy        = 376 << 20 // bytes
	vast         = 640 << 20 // bytes at most; twice as much made no move cheaper
	ofMachine    = 8         // or this part of the machine's memory, where that is less
	maxRoom      = 400       // percent
	leastRoom    = 150
	costly       = 6   // percent of busy time
	step         = 130 // percent by which the limit grows at once
	lookAtMemory = 2 * time.Second
)

// ofContainer is the part, in percent, of its container's memory that norn may hold before it
// collects at every cost: the rest is for what the collector doesn't count.
const ofContainer = 90

// installed returns the memory of the machine or the limit of its container, in bytes.
var installed = memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)

// bound limits memory to most of what the container has, if it has a limit, so that a peak is
// collected in time instead of ending norn. It returns a function that restores the limit before.
func bound(container memlimit.Provider) (restore func()) {
	all, err := container()
	if err != nil || all > math.MaxInt64 { // no container, or one without a limit
		return func() {}
	}
	before := debug.SetMemoryLimit(int64(all / 100 * ofContainer))
	return func() { debug.SetMemoryLimit(before) }
}

// furthest returns the bytes that memory may grow to while collection is costly.
func furthest(installed memlimit.Provider) uint64 {
	all, err := installed()
	if err != nil { // unknown
		return roomy
	}
	return min(max(all/ofMachine, roomy), vast)
}

// spacious adapts garbage collection to the memory of the server until ctx ends, and restores the
// previous setting then. It does nothing if GOGC or GOMEMLIMIT are set.
func spacious(ctx context.Context, p *cli.Program) {
	if p.Getenv("GOGC") != "" || p.Getenv("GOMEMLIMIT") != "" {
		return
	}
	defer bound(memlimit.FromCgroup)()
	now := maxRoom
	before := debug.SetGCPercent(now)
	defer debug.SetGCPercent(before)
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/cpu/classes/user:cpu-seconds"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
	}
	most := furthest(installed)
	more, last := 100, effort{}
	tick := time.NewTicker(lookAtMemory)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		held := samples[0].Value.Uint64() + samples[1].Value.Uint64()
		spent := effort{
			busy:       samples[2].Value.Float64(),
			collecting: samples[3].Value.Float64() - samples[4].Value.Float64(),
		}
		if spent != last { // the runtime updates it after each collection
			more, last = further(more, most, last, spent), spent
		}
		if want := room(held, most, more); want*10 < now*9 || want*10 > now*11 {
			debug.SetGCPercent(want)
			now = want
		}
	}
}

// effort is CPU time since norn began, in seconds.
type effort struct{ busy, collecting float64 }

// further returns the percentage of the usual limit that memory may grow to, after the time spent
// since the last look. most is the limit in bytes.
func further(more int, most uint64, last, now effort) int {
	collecting := now.collecting - last.collecting
	switch share := 100 * collecting / (collecting + now.busy - last.busy); {
	case share > costly:
		return min(more*step/100, int(100*most/roomy))
	case share < costly/2:
		return max(more*100/step, 100)
	}
	return more
}

// room returns the percentage by which memory may grow beyond held, up to most bytes. more is the
// result of further.
func room(held, most uint64, more int) int {
	if held == 0 {
		return maxRoom
	}
	usual := min(max(100*roomy/held, 100+leastRoom), 100+maxRoom)
	return int(max(usual, min(usual*uint64(more)/100, 100*most/held))) - 100
}
