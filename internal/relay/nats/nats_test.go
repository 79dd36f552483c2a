package nats_test

import (
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"norn/internal/relay"
	"norn/internal/relay/nats"
	"norn/internal/relay/relaytest"
	"norn/internal/rescue"
	"norn/internal/wait"
)

// start starts a NATS server; with port -1 it uses any free port.
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

func TestConcurrentUseOfNATSKeepsTheContract(t *testing.T) {
	relaytest.Run(t, func(t *testing.T) (here, there relay.Relay) {
		s := start(t, -1)
		return open(t, s.ClientURL()), open(t, s.ClientURL())
	})
}

// The relay must open without a server, publish without waiting, and deliver the last message once
// the server is there, also after a restart of the server.
func TestRelayReconnectsWhenItsServerIsBack(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	address := fmt.Sprintf("nats://127.0.0.1:%d", port)
	here, there := open(t, address), open(t, address)
	var far, own atomic.Uint64
	there.Follow("t", func(m relay.Message) { far.Store(m.Seq) })
	here.Follow("t", func(m relay.Message) { own.Store(m.Seq) })

	for round := range uint64(2) {
		last := (round + 1) * 20_000
		for seq := round*20_000 + 1; seq <= last; seq++ {
			here.Publish(relay.Message{Table: "t", Seq: seq})
		}
		if own.Load() != last {
			t.Errorf("the own node is at %d, want %d", own.Load(), last)
		}
		s := start(t, port)
		// Nodes reconnect one by one; one that missed a message receives the next.
		wait.Until(t, fmt.Sprintf("the other node hears %d in round %d", last, round), func() bool {
			here.Publish(relay.Message{Table: "t", Seq: last})
			return far.Load() == last
		})
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// A node receives only messages about tables that are followed on it, and each one once, however
// many followers it has.
func TestOnlyMessagesOfFollowedTablesArrive(t *testing.T) {
	s := start(t, -1)
	here, there := open(t, s.ClientURL()), open(t, s.ClientURL())
	subscriptions := func(want uint32) {
		t.Helper()
		wait.Until(t, fmt.Sprintf("there are %d subscriptions", want), func() bool {
			return s.NumSubscriptions() == want
		})
	}
	none := s.NumSubscriptions()
	var heard atomic.Int64
	hear := func(relay.Message) { heard.Add(1) }
	first, second := there.Follow("t", hear), there.Follow("t", hear)
	other := there.Follow("u", hear)
	subscriptions(none + 2)
	here.Publish(relay.Message{Table: "t", Seq: 1})
	wait.Until(t, "both heard it", func() bool { return heard.Load() >= 2 })
	first()
	first()
	subscriptions(none + 2)
	second()
	subscriptions(none + 1)
	other()
	subscriptions(none)
}

// Messages published just before Close must be sent.
func TestCloseSendsPendingMessages(t *testing.T) {
	s := start(t, -1)
	there := open(t, s.ClientURL())
	none := s.NumSubscriptions()
	heard := make(chan relay.Message, 10)
	there.Follow("t", func(m relay.Message) { heard <- m })
	wait.Until(t, "the server has the subscription", func() bool { return s.NumSubscriptions() == none+1 })
	for round := range 5 {
		here := open(t, s.ClientURL())
		word := fmt.Sprint("bye ", round)
		here.Publish(relay.Message{Table: "t", Word: word})
		here.Close()
		var m relay.Message
		wait.Until(t, "the message is heard", func() bool {
			select {
			case m = <-heard:
				return true
			default:
				return false
			}
		})
		if m.Word != word {
			t.Fatalf("heard %q, want %q", m.Word, word)
		}
	}
}

func TestAddressesOfServersAreChecked(t *testing.T) {
	for _, address := range []string{
		"", "nats://", "http://nats.example", "nats://a:b@host:port",
		"nats://one,http://two",
	} {
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

// A follower that panics ends neither the process nor the goroutine for good: later messages arrive.
func TestPanicOfAFollowerEndsNothing(t *testing.T) {
	s := start(t, -1)
	here, there := open(t, s.ClientURL()), open(t, s.ClientURL())
	var heard atomic.Uint64
	before := rescue.Counts()["relay"]
	there.Follow("t", func(m relay.Message) {
		if m.Seq == 1 {
			panic("on purpose")
		}
		heard.Store(m.Seq)
	})
	wait.Until(t, "the follower panics", func() bool {
		here.Publish(relay.Message{Table: "t", Seq: 1})
		return rescue.Counts()["relay"] > before
	})
	wait.Until(t, "a later message arrives", func() bool {
		here.Publish(relay.Message{Table: "t", Seq: 2})
		return heard.Load() == 2
	})
}
