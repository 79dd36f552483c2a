// Package webtest is what tests of pages and of the API share. It starts no goroutine, and norn
// itself imports nothing of it.
package webtest

import (
	"context"
	"net"
	"time"

	"norn/odds"
)

// Narrow gives a server's connection small buffers, so that a reader who is slow is soon found out.
func Narrow(ctx context.Context, conn net.Conn) context.Context {
	_ = conn.(*net.TCPConn).SetWriteBuffer(8 << 10) // a larger one only takes longer
	return ctx
}

// RoomyGate is a gate for tests that aren't about it: on a busy machine, watched by the race
// detector, odds may take long.
func RoomyGate() *odds.Gate {
	gate := odds.NewGate(8, 8, time.Minute)
	gate.Longest = time.Minute
	return gate
}
