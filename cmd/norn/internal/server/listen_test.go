package server

import (
	"net"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// Nobody who presses an icon chooses a port: one that is taken is passed over.
func TestOpenFindsAPort(t *testing.T) {
	if taken, err := net.Listen("tcp", usualListen); err == nil { // else somebody else has it
		defer taken.Close()
	}
	got, err := listenOn(&cli.Program{}, serving{open: true, listen: usualListen})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if at := got.Addr().(*net.TCPAddr); !at.IP.IsLoopback() || got.Addr().String() == usualListen {
		t.Errorf("it listens on %s", at)
	}
}
