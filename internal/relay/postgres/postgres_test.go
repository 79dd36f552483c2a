package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"norn/internal/relay"
	"norn/internal/relay/postgres"
	"norn/internal/relay/relaytest"
	"norn/internal/rescue"
	"norn/internal/wait"
	"norn/journal/postgres/pgtest"
)

func database(t testing.TB, s *pgtest.Server) string {
	t.Helper()
	address, err := s.Database(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func open(t testing.TB, address string) *postgres.Relay {
	t.Helper()
	r, err := postgres.Open(address, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestConcurrentUseOfPostgreSQLKeepsTheContract(t *testing.T) {
	s := pgtest.Run(t, "fsync=off")
	relaytest.Run(t, func(t *testing.T) (here, there relay.Relay) {
		address := database(t, s)
		return open(t, address), open(t, address)
	})
}

// The relay must open without a server, publish without waiting, and deliver the last message once
// the server is there, also after a restart of the server.
func TestRelayReconnectsWhenItsServerIsBack(t *testing.T) {
	s := pgtest.Run(t, "fsync=off")
	address := database(t, s)
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
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
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		// Nodes reconnect one by one; one that missed a message receives the next.
		wait.Until(t, fmt.Sprintf("the other node hears %d in round %d", last, round), func() bool {
			here.Publish(relay.Message{Table: "t", Seq: last})
			return far.Load() == last
		})
		if err := s.Crash(); err != nil {
			t.Fatal(err)
		}
	}
}

// A message from another node is heard once, and one's own isn't heard again when it comes back.
func TestOwnMessagesAreNotHeardTwice(t *testing.T) {
	address := database(t, pgtest.Run(t, "fsync=off"))
	here, there := open(t, address), open(t, address)
	hears(t, here, there)
	hears(t, there, here)
	var own, far atomic.Int64
	here.Follow("t", func(relay.Message) { own.Add(1) })
	there.Follow("t", func(relay.Message) { far.Add(1) })
	const most = 100
	for seq := range uint64(most) {
		here.Publish(relay.Message{Table: "t", Seq: seq + 1})
		wait.Until(t, "the other node hears it", func() bool { return far.Load() > int64(seq) })
	}
	hears(t, there, here) // what was sent before has come back by then
	if own.Load() != most || far.Load() != most {
		t.Errorf("heard %d times here and %d there, want %d", own.Load(), far.Load(), most)
	}
}

// hears waits until what one node publishes reaches the other.
func hears(t testing.TB, from, to *postgres.Relay) {
	t.Helper()
	var heard atomic.Bool
	cancel := to.Follow("ready", func(relay.Message) { heard.Store(true) })
	defer cancel()
	wait.Until(t, "the other node hears", func() bool {
		from.Publish(relay.Message{Table: "ready", Seq: 1})
		return heard.Load()
	})
}

// More tables than one notification has room for, each with the longest word, all arrive.
func TestManyLongWordsArrive(t *testing.T) {
	address := database(t, pgtest.Run(t, "fsync=off"))
	here, there := open(t, address), open(t, address)
	hears(t, here, there)
	const tables = 500
	var words, seqs atomic.Int64
	word := strings.Repeat("s", relay.MaxWord)
	for i := range tables {
		there.Follow(fmt.Sprint("t", i), func(m relay.Message) {
			if m.Word == word {
				words.Add(1)
			} else if m.Seq == uint64(i)+1 {
				seqs.Add(1)
			}
		})
	}
	for i := range tables {
		here.Publish(relay.Message{Table: fmt.Sprint("t", i), Word: word})
		here.Publish(relay.Message{Table: fmt.Sprint("t", i), Seq: uint64(i) + 1})
	}
	wait.Until(t, "all arrive", func() bool { return words.Load() >= tables && seqs.Load() >= tables })
}

// Messages published just before Close must be sent.
func TestCloseSendsPendingMessages(t *testing.T) {
	address := database(t, pgtest.Run(t, "fsync=off"))
	there := open(t, address)
	heard := make(chan relay.Message, 10)
	there.Follow("t", func(m relay.Message) { heard <- m })
	for round := range 5 {
		here := open(t, address)
		hears(t, here, there)
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

// A follower that panics ends nothing: later messages arrive.
func TestPanicOfAFollowerEndsNothing(t *testing.T) {
	address := database(t, pgtest.Run(t, "fsync=off"))
	here, there := open(t, address), open(t, address)
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

// An address that can't be read is refused without the password in it.
func TestAddressIsChecked(t *testing.T) {
	_, err := postgres.Open("postgres://norn:hush@db:nine/norn", slog.New(slog.DiscardHandler))
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("got %v", err)
	}
}

// BenchmarkRelay measures a message on its way from one node to another, and many tables at once.
func BenchmarkRelay(b *testing.B) {
	for _, tables := range []int{1, 10_000} {
		b.Run(fmt.Sprint(tables, " tables"), func(b *testing.B) {
			address := database(b, pgtest.Run(b))
			here, there := open(b, address), open(b, address)
			hears(b, here, there)
			heard := make(chan struct{}, tables)
			names := make([]string, tables)
			for i := range names {
				names[i] = fmt.Sprint("table", i)
				there.Follow(names[i], func(relay.Message) { heard <- struct{}{} })
			}
			seq := uint64(0)
			for b.Loop() {
				seq++
				for _, name := range names {
					here.Publish(relay.Message{Table: name, Seq: seq})
				}
				for range names {
					<-heard
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tables), "ns/message")
		})
	}
}
