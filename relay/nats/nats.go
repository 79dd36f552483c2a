// Package nats is the relay between nodes: what one publishes goes over a NATS
// server to the others. Core publish only: nothing is stored, and what is lost
// stays lost.
//
// Promised, beyond the contract of package relay:
//
//   - The own node's subscribers are called at once and by Publish itself,
//     with or without a server.
//   - Publish never waits for the network. What waits to be sent is the newest
//     seq of each table, of so many tables at most; beyond that it's dropped.
//   - A server that can't be reached, now or at the start, is tried again for
//     as long as the relay is open. What waited meanwhile is sent then.
//
// All tables share one subject, "norn.tables"; a message is the seq, a space
// and the table's id. Anybody who may publish there can make nodes look, and no more.
//
// Open starts one goroutine, which sends, and those of the client; Close ends
// them. The package imports the contract, relay/local and the NATS client.
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

	"norn/relay"
	"norn/relay/local"
)

const (
	subject     = "norn.tables"
	mostWaiting = 100_000 // tables
	writeTime   = 2 * time.Second
	retryEvery  = 500 * time.Millisecond
	silentTime  = 5 * time.Second // between two looks whether the server still answers
	openTime    = 2 * time.Second
)

// Relay is an open relay. It implements relay.Relay.
type Relay struct {
	here *local.Relay // this node's subscribers
	conn *nats.Conn
	wake chan struct{} // capacity 1: something may be sent
	stop chan struct{}
	done chan struct{} // closed when the sender has ended

	mu      sync.Mutex
	waiting map[string]uint64
	closed  bool
}

var _ relay.Relay = (*Relay)(nil)

// Check tells what is wrong with an address, without trying it. The error says
// no password.
func Check(address string) error {
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err != nil:
			return errors.New("relay: the address can't be read") // what the error says may hold a part of the password
		case u.Scheme != "nats" && u.Scheme != "tls":
			return errors.New("relay: an address begins with nats:// or tls://")
		case u.Hostname() == "":
			return errors.New("relay: an address has a host")
		}
	}
	return nil
}

// Open joins the nodes that meet at an address such as nats://nats.example:4222,
// or at one of several with commas between. It returns what Check says; a
// server that isn't there is told to log, and tried again.
func Open(address string, log *slog.Logger) (*Relay, error) {
	if err := Check(address); err != nil {
		return nil, err
	}
	r := &Relay{
		here: local.New(), wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		waiting: map[string]uint64{},
	}
	joined := func(c *nats.Conn) {
		log.Info("relay: connected", "server", c.ConnectedAddr())
		r.stir()
	}
	conn, err := nats.Connect(address,
		nats.Name("norn"), nats.NoEcho(), nats.Timeout(openTime),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectWait(retryEvery), nats.ReconnectJitter(retryEvery, retryEvery), nats.ReconnectBufSize(-1),
		nats.PingInterval(silentTime), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(writeTime),
		nats.ConnectHandler(joined), nats.ReconnectHandler(joined),
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if !c.IsClosed() {
				log.Warn("relay: the server is lost; pages of other nodes' moves are late until it's back", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("relay", "error", err) }),
	)
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	r.conn = conn
	if _, err := conn.Subscribe(subject, r.hear); err != nil {
		conn.Close()
		return nil, fmt.Errorf("relay: %w", err)
	}
	// From a server that is there, nothing is missed once Open has returned.
	if conn.IsConnected() {
		err = conn.FlushTimeout(openTime)
	} else {
		err = conn.LastError()
	}
	if err != nil || !conn.IsConnected() {
		log.Warn("relay: the server can't be reached; trying again", "error", err)
	}
	go r.send()
	return r, nil
}

// hear takes a message from another node.
func (r *Relay) hear(m *nats.Msg) {
	number, table, ok := strings.Cut(string(m.Data), " ")
	seq, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil || table == "" {
		return // not norn's
	}
	r.here.Publish(table, seq)
}

// Publish implements relay.Relay.
func (r *Relay) Publish(table string, seq uint64) {
	r.here.Publish(table, seq)
	r.mu.Lock()
	defer r.mu.Unlock()
	before, waits := r.waiting[table]
	if r.closed || !waits && len(r.waiting) >= mostWaiting {
		return
	}
	r.waiting[table] = max(before, seq)
	r.stir()
}

func (r *Relay) stir() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// send is the goroutine.
func (r *Relay) send() {
	defer close(r.done)
	for {
		select {
		case <-r.wake:
		case <-r.stop:
			return
		}
		if !r.conn.IsConnected() { // a connection stirs again
			continue
		}
		r.mu.Lock()
		waiting := r.waiting
		r.waiting = map[string]uint64{}
		r.mu.Unlock()
		for table, seq := range waiting {
			_ = r.conn.Publish(subject, fmt.Appendf(nil, "%d %s", seq, table)) // lost with its connection
		}
	}
}

// Subscribe implements relay.Relay.
func (r *Relay) Subscribe(hear func(table string, seq uint64)) (cancel func()) {
	return r.here.Subscribe(hear)
}

// Close implements relay.Relay.
func (r *Relay) Close() error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if first {
		close(r.stop)
		r.conn.Close()
	}
	<-r.done
	return r.here.Close()
}
