package table_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/internal/relay"
	"norn/internal/wait"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// node returns another host over a desk's journal and relay, with the real clock.
func (d *desk) node(poll time.Duration) *table.Host {
	d.t.Helper()
	c := config(d.journal, d.relay)
	c.Poll, c.Now = poll, time.Now
	h := table.New(c)
	d.t.Cleanup(func() { h.Close() })
	return h
}

// at enters a seat on a node.
func (d *desk) at(h *table.Host, seat string) *table.Seat {
	d.t.Helper()
	s, err := h.Enter(d.t.Context(), d.id, d.secrets[seat], lang.En)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// follow watches until stop is called; news gets the updates.
func (d *desk) follow(s *table.Seat) (news chan view.Update, stop func()) {
	ctx, cancel := context.WithCancel(d.t.Context())
	news, done := make(chan view.Update, 100), make(chan struct{})
	after := d.view(s).Seq
	go func() {
		defer close(done)
		for u, err := range s.Watch(ctx, after) {
			if err != nil {
				return
			}
			news <- u
		}
	}()
	return news, func() {
		cancel()
		<-done
	}
}

// online waits until a seat sees just these other seats online.
func (d *desk) online(s *table.Seat, want ...string) {
	d.t.Helper()
	wait.Until(d.t, fmt.Sprintf("%v are online", want), func() bool {
		got := []string{}
		for _, seat := range d.view(s).Seats {
			if seat.Online && !seat.You {
				got = append(got, seat.ID)
			}
		}
		return slices.Equal(got, want)
	})
}

// A seat that watches on one node is online on the others until it goes or its node is closed;
// subscribers are informed.
func TestConcurrentNodesAgreeWhoIsOnline(t *testing.T) {
	d := newDesk(t)
	here, there := d.node(time.Second), d.node(time.Second)
	gm := d.at(here, "s1")
	news, stop := d.follow(gm)
	defer stop()

	player := d.at(there, "s2")
	d.online(player, "s1") // although the game master came before that node loaded the table
	_, leave := d.follow(player)
	d.online(gm, "s2")
	select {
	case u := <-news:
		if u.Entry != nil {
			t.Errorf("somebody came: told of entry %d", u.Entry.Seq)
		}
	case <-time.After(patience):
		t.Error("who watches isn't told that somebody came")
	}
	leave()
	d.online(gm)
	later := d.node(time.Second)
	d.online(d.at(later, "s2"), "s1") // who only looks

	_, leave = d.follow(player)
	defer leave()
	d.online(gm, "s2")
	there.Close()
	d.online(gm)
}

// A client that resumes from an invented seq doesn't learn the length of the log.
func TestResumingFromAnInventedSeqRevealsNoLogLength(t *testing.T) {
	d := newDesk(t)
	last := d.view(d.anna).Seq
	for range 3 {
		if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "SECRET"},
			""); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []uint64{last, last + 2, last + 3, 1 << 40} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		told := make(chan view.Update, 1)
		go func() {
			for u := range d.anna.Watch(ctx, from) {
				told <- u
				return
			}
		}()
		d.online(d.gm, d.anna.ID())
		_, leave := d.follow(d.boris) // a change that is in no log
		select {
		case u := <-told:
			if u.Seq != last || u.Entry != nil {
				t.Errorf("from %d on, told up to %d, want %d", from, u.Seq, last)
			}
		case <-ctx.Done():
			t.Errorf("from %d on, told nothing", from)
		}
		leave()
		cancel()
		d.online(d.gm)
	}
}

// A dead node sends nothing: its seats are forgotten when it hasn't repeated them for long. A live
// node repeats what was lost.
func TestDeadNodesAreForgottenAndLiveOnesRepeatTheirSeats(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	d := newDesk(t)
	here := d.node(5 * time.Millisecond)
	gm := d.at(here, "s1")
	d.online(gm)
	d.relay.Publish(relay.Message{Table: d.id, Word: "dead s2 s3"})
	d.online(gm, "s2", "s3")
	d.online(gm) // 375 ms later

	heard := make(chan string, 1000)
	defer d.relay.Follow(d.id, func(m relay.Message) {
		if m.Word != "" {
			heard <- m.Word
		}
	})()
	_, stop := d.follow(gm)
	defer stop()
	for range 3 {
		select {
		case word := <-heard:
			if node, seats, _ := strings.Cut(word, " "); node == "" || seats != "~s1" {
				t.Fatalf("told %q", word)
			}
		case <-time.After(patience):
			t.Fatal("it isn't repeated")
		}
	}
}

// The seats of a node that has sent heartbeats and falls silent go offline at once, and return when
// it's heard again; subscribers are informed both times.
func TestSeatsOfASilentNodeAreOfflineUntilItIsHeardAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	d := newDesk(t)
	const poll = 100 * time.Millisecond // silent after 0.7 s, forgotten after 7.5 s
	here := d.node(poll)
	gm, looks := d.at(here, "s1"), d.at(here, "s1")
	says := make(chan string, 100)
	deaf := d.relay.Follow("nodes", func(m relay.Message) {
		select {
		case says <- m.Word:
		default:
		}
	})
	news, stop := d.follow(gm)
	defer stop()
	told := func(what string) {
		t.Helper()
		select {
		case <-news:
		case <-time.After(patience):
			t.Errorf("who watches isn't told that somebody %s", what)
		}
	}
	d.relay.Publish(relay.Message{Table: "nodes", Word: "other"})
	d.relay.Publish(relay.Message{Table: d.id, Word: "other s2"})
	d.relay.Publish(relay.Message{Table: d.id, Word: "older s3"}) // sends no heartbeats
	d.online(looks, "s2", "s3")
	told("came")
	d.online(looks, "s3")
	told("went")
	d.relay.Publish(relay.Message{Table: "nodes", Word: "other"})
	d.online(looks, "s2", "s3")
	told("came back")
	own := ""
	for range 3 {
		select {
		case word := <-says:
			if word != "other" && own != "" && word != own {
				t.Errorf("it calls itself %q and %q", own, word)
			}
			if word != "other" {
				own = word
			}
		case <-time.After(patience):
			t.Fatal("it doesn't say that it lives")
		}
	}
	deaf()
	for i := range 5000 { // nobody can fill its memory
		d.relay.Publish(relay.Message{Table: "nodes", Word: strings.Repeat("n", 1+i%100) + string(rune('a'+i%26))})
	}
	d.view(gm)
}

// Whatever is sent on the relay, only existing seats are online, and memory is bounded.
func TestMalformedRelayMessagesPutNobodyOnline(t *testing.T) {
	d := newDesk(t)
	here := d.node(time.Minute)
	gm := d.at(here, "s1")
	for _, word := range []string{" ", "x", "x s99", "x " + strings.Repeat("s ", 2000), "\x00 \xff"} {
		d.relay.Publish(relay.Message{Table: d.id, Word: word})
	}
	d.online(gm)
	for i := range 1000 {
		d.relay.Publish(relay.Message{Table: d.id, Word: strings.Repeat("n", i+1) + " s2"})
	}
	d.online(gm, "s2")
	for i := range 1000 {
		d.relay.Publish(relay.Message{Table: d.id, Word: strings.Repeat("n", i+1)})
	}
	d.online(gm)
}

// A single node sends nothing.
func TestSingleNodeSendsNothing(t *testing.T) {
	d := newDesk(t)
	defer d.relay.Follow(d.id, func(m relay.Message) {
		if m.Word != "" {
			t.Errorf("told %q", m.Word)
		}
	})()
	_, stop := d.follow(d.gm)
	d.make(d.gm, request.Move{Move: "omen"})
	stop()
}

// A subscriber is informed of a seat that comes between its view and its watch.
func TestWatchReportsSeatsThatCameSinceTheView(t *testing.T) {
	d := newDesk(t)
	d.view(d.gm)
	_, leave := d.follow(d.anna)
	defer leave()
	d.online(d.enter(d.secrets["s1"]), "s2")
	news := make(chan view.Update, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for u := range d.gm.Watch(ctx, math.MaxUint64) {
			news <- u
		}
	}()
	select {
	case u := <-news:
		if u.Entry != nil {
			t.Errorf("told of entry %d", u.Entry.Seq)
		}
	case <-time.After(patience):
		t.Error("nothing is told")
	}
	cancel()
	<-done
}

// A seat stays online for a time after it has polled, on other nodes, too; another poll starts the
// time anew. Subscribers are informed.
func TestSeatStaysOnlineForATimeAfterPolling(t *testing.T) {
	d := newDesk(t)
	here, there := d.node(time.Second), d.node(time.Second)
	gm, anna := d.at(here, "s1"), d.at(there, "s2")
	news, stop := d.follow(d.at(here, "s1"))
	defer stop()
	asks := func(lasts time.Duration) {
		t.Helper()
		if err := anna.StayOnline(t.Context(), lasts); err != nil {
			t.Fatal(err)
		}
	}
	asks(time.Hour)
	d.online(gm, "s2")
	select {
	case <-news:
	case <-time.After(patience):
		t.Error("who watches isn't told of it")
	}
	asks(20 * time.Millisecond)
	d.online(gm)
	asks(time.Hour)
	d.online(gm, "s2")
}
