// Package nats implements the relay between nodes over a NATS server. It uses only core publishing:
// nothing is stored, and a lost message stays lost.
//
// Guarantees in addition to those of package relay:
//
//   - Publish itself calls the followers on its own node, with or without a server.
//   - Publish never waits for the network. For each table only the highest seq and the last
//     word wait to be sent, and the number of tables is limited; more are dropped.
//   - If the server can't be reached, now or at the start, the relay keeps trying as long as
//     it's open. Then it sends what was waiting.
//   - A node receives only messages about tables that are followed on it.
//
// A table's subject is "norn.table." and its id. A message is a seq in decimal digits, or "=" and a
// word. Anybody who may publish there can make nodes look for new entries and claim who is online,
// and nothing else.
//
// Open starts two goroutines, for sending and receiving, and those of the client; Close ends them.
// The package imports relay, relay/local and the NATS client.
package nats

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/internal/rescue"
)

const (
	subjects   = "norn.table."
	maxWaiting = 100_000 // tables
	maxHeard   = 65_536  // messages that wait to be handled; more are lost
	writeTime  = 2 * time.Second
	retryEvery = 500 * time.Millisecond
	silentTime = 5 * time.Second // interval for checking that the server still answers
	openTime   = 2 * time.Second
	closeTime  = time.Second // for sending what waits
)

// Relay is an open relay. It implements relay.Relay.
type Relay struct {
	here  *local.Relay // this node's followers
	conn  *nats.Conn
	log   *slog.Logger
	inbox chan *nats.Msg // of all subscriptions
	wake  chan struct{}  // capacity 1: signals that something can be sent
	stop  chan struct{}
	ended sync.WaitGroup // the two goroutines

	mu       sync.Mutex
	waiting  map[string]pending
	followed map[string]*subscription
	closed   bool
}

// pending is the newest about a table that waits to be sent.
type pending struct {
	seq  uint64
	word string
}

// subscription receives the messages about a table as long as it has followers here.
type subscription struct {
	remote    *nats.Subscription
	followers int
}

var _ relay.Relay = (*Relay)(nil)

// Check checks an address without connecting to it. The error contains no password.
func Check(address string) error {
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err != nil:
			return errors.New("relay: the address can't be read") // the error may contain a part of the password
		case u.Scheme != "nats" && u.Scheme != "tls":
			return errors.New("relay: an address begins with nats:// or tls://")
		case u.Hostname() == "":
			return errors.New("relay: an address has a host")
		}
	}
	return nil
}

// Open connects to other nodes through the server at an address such as nats://nats.example:4222,
// or at one of several separated by commas. It returns the error of Check. A server that can't be
// reached is logged and tried again.
func Open(address string, log *slog.Logger) (*Relay, error) {
	if err := Check(address); err != nil {
		return nil, err
	}
	r := &Relay{
		here: local.New(), log: log, inbox: make(chan *nats.Msg, maxHeard), wake: make(chan struct{}, 1),
		stop:    make(chan struct{}),
		waiting: map[string]pending{}, followed: map[string]*subscription{},
	}
	joined := func(c *nats.Conn) {
		log.Info("relay: connected", "server", c.ConnectedAddr())
		r.wakeSender()
	}
	conn, err := nats.Connect(address,
		nats.Name("norn"), nats.NoEcho(), nats.Timeout(openTime),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectWait(retryEvery), nats.ReconnectJitter(retryEvery, retryEvery), nats.ReconnectBufSize(-1),
		nats.PingInterval(silentTime), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(writeTime),
		nats.ConnectHandler(joined), nats.ReconnectHandler(joined),
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if !c.IsClosed() {
				log.Warn("relay: the server is lost; pages of other nodes' moves are late until it's back", "error",
					err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("relay", "error", err) }),
	)
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	r.conn = conn
	if conn.IsConnected() {
		err = conn.FlushTimeout(openTime)
	} else {
		err = conn.LastError()
	}
	if err != nil || !conn.IsConnected() {
		log.Warn("relay: the server can't be reached; trying again", "error", err)
	}
	r.ended.Go(rescue.Repeat(r.stop, log, "relay", r.send))
	r.ended.Go(rescue.Repeat(r.stop, log, "relay", r.receive))
	return r, nil
}

// receive is the goroutine that receives messages from other nodes.
func (r *Relay) receive() {
	for {
		select {
		case m := <-r.inbox:
			table, ok := strings.CutPrefix(m.Subject, subjects)
			if !ok {
				continue
			}
			if word, ok := strings.CutPrefix(string(m.Data), "="); ok {
				if len(word) <= relay.MaxWord {
					r.here.Publish(relay.Message{Table: table, Word: word})
				}
			} else if seq, err := strconv.ParseUint(string(m.Data), 10, 64); err == nil {
				r.here.Publish(relay.Message{Table: table, Seq: seq})
			}
		case <-r.stop:
			return
		}
	}
}

// Publish implements relay.Relay.
func (r *Relay) Publish(m relay.Message) {
	r.here.Publish(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	waits, there := r.waiting[m.Table]
	if r.closed || !there && len(r.waiting) >= maxWaiting {
		return
	}
	waits.seq = max(waits.seq, m.Seq)
	if m.Word != "" {
		waits.word = m.Word
	}
	r.waiting[m.Table] = waits
	r.wakeSender()
}

func (r *Relay) wakeSender() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// send is the goroutine that sends.
func (r *Relay) send() {
	for {
		select {
		case <-r.wake:
			r.flush()
		case <-r.stop:
			r.flush()
			return
		}
	}
}

// flush passes pending messages to the client if it's connected; a new connection calls it again.
// Messages in the client are lost with its connection.
func (r *Relay) flush() {
	if !r.conn.IsConnected() {
		return
	}
	r.mu.Lock()
	waiting := r.waiting
	r.waiting = map[string]pending{}
	r.mu.Unlock()
	for table, waits := range waiting {
		if waits.seq > 0 {
			_ = r.conn.Publish(subjects+table, strconv.AppendUint(nil, waits.seq, 10))
		}
		if waits.word != "" {
			_ = r.conn.Publish(subjects+table, []byte("="+waits.word))
		}
	}
}

// Follow implements relay.Relay.
func (r *Relay) Follow(table string, hear func(relay.Message)) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return func() {}
	}
	away := r.here.Follow(table, hear)
	f := r.followed[table]
	if f == nil {
		f = &subscription{}
		r.followed[table] = f
		var err error
		if f.remote, err = r.conn.ChanSubscribe(subjects+table, r.inbox); err != nil {
			r.log.Warn("relay: a table can't be followed; its pages are late", "table", table, "error", err)
		}
	}
	f.followers++
	return sync.OnceFunc(func() {
		away()
		r.unfollow(table, f)
	})
}

// unfollow removes a follower; with the last one the subscription ends.
func (r *Relay) unfollow(table string, f *subscription) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.followers--
	if f.followers > 0 || r.followed[table] != f {
		return
	}
	delete(r.followed, table)
	if f.remote != nil {
		_ = f.remote.Unsubscribe() // fails on a closed connection, which has no subscriptions
	}
}

// Close implements relay.Relay.
func (r *Relay) Close() error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if first {
		close(r.stop)
	}
	r.ended.Wait()
	if first && r.conn.IsConnected() {
		_ = r.conn.FlushTimeout(closeTime) // nodes that miss it will find out by polling
	}
	r.conn.Close()
	return r.here.Close()
}
