package server

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"norn/cmd/norn/internal/cli"
)

// A server with many tables makes little that lasts and much that doesn't: frames, answers,
// requests taken apart. Left at Go's own setting, which waits until memory has doubled, collecting
// costs a quarter of all its time. So memory may grow to roomy before it's collected, at most
// fivefold, and at least two and a half times. Where so much is made that collecting still takes
// more than a costly share of the time that norn has on the cores, it may grow further, step by
// step and up to a small share of the machine or of what norn's container may have, and shrinks
// again when there is less to do.
const (
	roomy        = 376 << 20 // bytes
	vast         = 640 << 20 // wherever; twice as much made no move cheaper
	ofMachine    = 8         // or this part of its memory, where that's less
	maxRoom      = 400       // percent
	leastRoom    = 150
	costly       = 6   // percent of busy time
	step         = 130 // percent, by which room grows at once
	lookAtMemory = 2 * time.Second
)

// installed is the memory of the machine or what a container may have of it, in bytes.
var installed = memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)

// furthest is to how many bytes memory may grow while collecting is costly.
func furthest(installed memlimit.Provider) uint64 {
	all, err := installed()
	if err != nil { // nobody knows
		return roomy
	}
	return min(max(all/ofMachine, roomy), vast)
}

// spacious fits collecting to what the server holds until ctx ends, and leaves it then as it was. It does nothing where
// GOGC or GOMEMLIMIT say how it shall be done.
func spacious(ctx context.Context, p *cli.Program) {
	if p.Getenv("GOGC") != "" || p.Getenv("GOMEMLIMIT") != "" {
		return
	}
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
		if spent != last { // which is told after each time that memory was collected
			more, last = further(more, most, last, spent), spent
		}
		if want := room(held, most, more); want*10 < now*9 || want*10 > now*11 {
			debug.SetGCPercent(want)
			now = want
		}
	}
}

// effort is time on the cores since norn began, in seconds.
type effort struct{ busy, collecting float64 }

// further is by how many percent of what is usual memory may grow, after what was spent since it
// was looked at last, but to so many bytes at most.
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

// room is by how many percent memory may grow beyond what is held, and to how many bytes at most;
// more is what further said.
func room(held, most uint64, more int) int {
	if held == 0 {
		return maxRoom
	}
	usual := min(max(100*roomy/held, 100+leastRoom), 100+maxRoom)
	return int(max(usual, min(usual*uint64(more)/100, 100*most/held))) - 100
}
