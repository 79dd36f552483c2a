package limit

import (
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// The number of connections is limited for an address, higher for a proxy, and limited in total.
// Closing one admits another.
func TestConcurrentConnectionsAreBounded(t *testing.T) {
	l, _, turned := newLimiter(Limits{AddressConnections: 2, Connections: 5})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	allowed(t, err)
	defer inner.Close()
	listener := l.Listener(inner, func(at net.Addr) string {
		host, _, _ := net.SplitHostPort(at.String())
		if host == "127.0.0.9" {
			return ""
		}
		return host
	})
	taken := make(chan net.Conn, 100)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "in")
			taken <- conn
		}
	}()
	come := func(from string) (in bool) {
		t.Helper()
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn, err := dialer.Dial("tcp", inner.Addr().String())
		allowed(t, err)
		t.Cleanup(func() { conn.Close() })
		allowed(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
		_, err = io.ReadFull(conn, make([]byte, 2))
		if os.IsTimeout(err) {
			t.Fatal("neither let in nor turned away")
		}
		return err == nil
	}
	for i, c := range []struct {
		from string
		in   bool
	}{
		{"127.0.0.1", true},
		{"127.0.0.1", true},
		{"127.0.0.1", false},
		{"127.0.0.9", true},
		{"127.0.0.9", true},
		{"127.0.0.9", true}, // a proxy
		{"127.0.0.2", false},
	} {
		if in := come(c.from); in != c.in {
			t.Errorf("%d. from %s: in %v", i, c.from, in)
		}
	}
	l.mu.Lock()
	if turned["address-connections"] != 1 || turned["connections"] != 1 {
		t.Errorf("told of %v", turned)
	}
	l.mu.Unlock()
	first := <-taken
	allowed(t, first.Close())
	_ = first.Close() // closing again must not free another place
	if !come("127.0.0.1") || come("127.0.0.2") {
		t.Error("one place wasn't given back, once")
	}
}

func TestConnectionLimitsFitTheOpenFileLimit(t *testing.T) {
	for files, want := range map[int][2]int{
		1024: {224, 896}, 64: {8, 32}, 20_000: {400, 19_872}, 10_000_000: {400, most},
	} {
		l := Usual().Within(files)
		if got := [2]int{l.AddressConnections, l.Connections}; got != want {
			t.Errorf("of %d files %v are connections, want %v", files, got, want)
		}
	}
	if (Limits{}).Within(100) != (Limits{}) {
		t.Error("what is off was limited")
	}
}
