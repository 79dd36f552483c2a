package nats_test

import (
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"norn/relay"
	"norn/relay/nats"
	"norn/relay/relaytest"
)

// start starts a NATS server; port -1 is any that is free.
func start(t *testing.T, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server doesn't start")
	}
	return s
}

func open(t *testing.T, address string) *nats.Relay {
	t.Helper()
	r, err := nats.Open(address, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestContract(t *testing.T) {
	relaytest.Run(t, func(t *testing.T) (here, there relay.Relay) {
		s := start(t, -1)
		return open(t, s.ClientURL()), open(t, s.ClientURL())
	})
}

// The relay opens without a server, publishes without waiting, and what was
// said last is heard once the server is there; again after it was gone.
func TestServerComesAndGoes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	address := fmt.Sprintf("nats://127.0.0.1:%d", port)
	here, there := open(t, address), open(t, address)
	var far, own atomic.Uint64
	there.Subscribe(func(_ string, seq uint64) { far.Store(seq) })
	here.Subscribe(func(_ string, seq uint64) { own.Store(seq) })

	for round := range uint64(2) {
		began := time.Now()
		last := (round + 1) * 20_000
		for seq := round*20_000 + 1; seq <= last; seq++ {
			here.Publish("t", seq)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("publishing to nobody took %v", took)
		}
		if own.Load() != last {
			t.Errorf("the own node is at %d, want %d", own.Load(), last)
		}
		s := start(t, port)
		heard := func() bool { return far.Load() == last }
		for end := time.Now().Add(15 * time.Second); !heard(); {
			if time.Now().After(end) {
				t.Fatalf("round %d: the other node heard %d, want %d", round, far.Load(), last)
			}
			// Nodes come back one by one; who was away when it was said hears the next.
			time.Sleep(50 * time.Millisecond)
			here.Publish("t", last)
		}
		s.Shutdown()
		s.WaitForShutdown()
	}
}

func TestCheck(t *testing.T) {
	for _, address := range []string{"", "nats://", "http://nats.example", "nats://a:b@host:port", "nats://one,http://two"} {
		if nats.Check(address) == nil {
			t.Errorf("%q passes", address)
		}
	}
	for _, address := range []string{"nats://nats.example", "tls://u:p@one:4222, tls://u:p@two:4222"} {
		if err := nats.Check(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}
