package main

import (
	"context"
	"runtime/debug"
	"testing"
)

func TestRoom(t *testing.T) {
	for _, c := range []struct {
		held uint64 // MiB
		want int
	}{{0, 400}, {1, 400}, {64, 400}, {94, 300}, {128, 193}, {150, 150}, {151, 150}, {4000, 150}} {
		if got := room(c.held << 20); got != c.want {
			t.Errorf("%d MiB: %d, want %d", c.held, got, c.want)
		}
	}
}

// What collecting was set to before is set again, and what the environment says stays.
func TestSpacious(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"GOGC", "GOMEMLIMIT", ""} {
		p := &program{getenv: func(asked string) string {
			if asked == name {
				return "1"
			}
			return ""
		}}
		p.spacious(ctx)
		if now := debug.SetGCPercent(77); now != 77 {
			t.Errorf("with %q set: %d percent", name, now)
		}
	}
}
