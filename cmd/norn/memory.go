package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A server with many tables makes little that lasts and much that doesn't: frames, answers, requests taken apart. Left at
// Go's own setting, which waits until memory has doubled, collecting costs a quarter of all its time. So memory may grow
// to roomy before it's collected, at most fivefold, and at least two and a half times.
const (
	roomy        = 376 << 20 // bytes
	mostRoom     = 400       // percent
	leastRoom    = 150
	lookAtMemory = 2 * time.Second
)

// spacious fits collecting to what the server holds until ctx ends, and leaves it then as it was. It does nothing where
// GOGC or GOMEMLIMIT say how it shall be done.
func (p *program) spacious(ctx context.Context) {
	if p.getenv("GOGC") != "" || p.getenv("GOMEMLIMIT") != "" {
		return
	}
	now := mostRoom
	before := debug.SetGCPercent(now)
	defer debug.SetGCPercent(before)
	holds := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	tick := time.NewTicker(lookAtMemory)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(holds)
		if want := room(holds[0].Value.Uint64() + holds[1].Value.Uint64()); want*10 < now*9 || want*10 > now*11 {
			debug.SetGCPercent(want)
			now = want
		}
	}
}

// room is by how many percent memory may grow beyond what is held.
func room(held uint64) int {
	if held == 0 {
		return mostRoom
	}
	return int(min(max(100*roomy/held, 100+leastRoom), 100+mostRoom)) - 100
}
