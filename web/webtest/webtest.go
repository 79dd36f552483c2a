// Package webtest has what tests of pages and of the API share. It starts no goroutine, and norn
// itself doesn't import it.
package webtest

import (
	"context"
	"net"
	"time"

	"norn/odds"
)

// Narrow gives a server's connection small buffers, so that a slow client is noticed soon.
func Narrow(ctx context.Context, conn net.Conn) context.Context {
	_ = conn.(*net.TCPConn).SetWriteBuffer(8 << 10) // larger ones would only take longer to fill
	return ctx
}

// RoomyGate returns a gate with generous limits, for tests that aren't about it: on a busy machine
// with the race detector, odds may take long.
func RoomyGate() *odds.Gate {
	gate := odds.NewGate(8, 8, time.Minute)
	gate.Longest = time.Minute
	return gate
}
