package server

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"norn/cmd/norn/internal/cli"
)

func TestHeapGrowthDependsOnLiveMemory(t *testing.T) {
	for _, c := range []struct {
		held uint64 // MiB
		more int
		want int
	}{
		{0, 100, 400},
		{1, 100, 400},
		{64, 100, 400},
		{94, 100, 300},
		{128, 100, 193},
		{150, 100, 150},
		{151, 100, 150},
		{4000, 100, 150},
		{0, 200, 400},
		{1, 200, 900},
		{94, 200, 580},
		{128, 200, 400},
		{160, 150, 275},
		{256, 200, 150},
		{4000, 200, 150},
	} {
		if got := room(c.held<<20, 640<<20, c.more); got != c.want {
			t.Errorf("%d MiB, %d: %d, want %d", c.held, c.more, got, c.want)
		}
	}
}

// Memory grows while collection is costly and shrinks back when it is cheap.
func TestHeapGrowsWhileCollectionIsCostlyAndShrinksAfter(t *testing.T) {
	last := effort{busy: 10, collecting: 2}
	after := func(more int, busy, collecting float64) int {
		return further(more, 640<<20, last, effort{last.busy + busy, last.collecting + collecting})
	}
	for _, c := range []struct {
		more             int
		busy, collecting float64
		want             int
	}{
		{100, 90, 10, 130},
		{130, 90, 10, 169},
		{169, 90, 10, 170},
		{170, 90, 10, 170},
		{130, 95, 5, 130},
		{169, 99, 1, 130},
		{130, 99, 1, 100},
		{100, 99, 1, 100},
		{100, 0, 0, 100},
	} {
		if got := after(c.more, c.busy, c.collecting); got != c.want {
			t.Errorf("%d, busy %v, collecting %v: %d, want %d", c.more, c.busy, c.collecting, got, c.want)
		}
	}
}

// Memory grows to an eighth of the machine's, within limits, and hardly where that is unknown.
func TestHeapLimitIsAnEighthOfTheMachinesMemory(t *testing.T) {
	for _, c := range []struct{ installed, want uint64 }{
		{512, 376},
		{3008, 376},
		{4096, 512},
		{5120, 640},
		{65536, 640},
	} {
		if got := furthest(memlimit.Limit(c.installed<<20)) >> 20; got != c.want {
			t.Errorf("of %d MiB: %d, want %d", c.installed, got, c.want)
		}
	}
	if got := furthest(func() (uint64, error) { return 0, errors.New("unknown") }); got != roomy {
		t.Errorf("of an unknown machine: %d", got)
	}
}

func TestMemoryLimitIsMostOfTheContainersMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	restore := bound(memlimit.Limit(1000 << 20))
	if got := debug.SetMemoryLimit(-1) >> 20; got != 900 {
		t.Errorf("of a container of 1,000 MiB norn takes %d", got)
	}
	restore()
	unlimited := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	for name, container := range map[string]memlimit.Provider{"none": unlimited, "max": memlimit.Limit(math.MaxUint64)} {
		restore := bound(container)
		if got := debug.SetMemoryLimit(-1); got != before {
			t.Errorf("without a limit (%s) norn takes %d bytes, before %d", name, got, before)
		}
		restore()
	}
}

// The previous setting of the collector is restored, and a setting in the environment stays.
func TestGarbageCollectorSettingIsRestored(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"GOGC", "GOMEMLIMIT", ""} {
		p := &cli.Program{Getenv: func(asked string) string {
			if asked == name {
				return "1"
			}
			return ""
		}}
		spacious(ctx, p)
		if now := debug.SetGCPercent(77); now != 77 {
			t.Errorf("with %q set: %d percent", name, now)
		}
	}
}
