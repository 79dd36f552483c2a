// Package postgres implements the relay between nodes over the PostgreSQL that holds their journal,
// by its LISTEN and NOTIFY. Nothing is stored, and a lost message stays lost.
//
// Guarantees in addition to those of package relay:
//
//   - Publish itself calls the followers on its own node, with or without a server.
//   - Publish never waits for the network. For each table only the highest seq and the last
//     word wait to be sent, and the number of tables is limited; more are dropped.
//   - If the server can't be reached, now or at the start, the relay keeps trying as long as
//     it's open. Then it sends what was waiting.
//
// All nodes share one channel, and each picks the messages that it follows. PostgreSQL lets one
// transaction at a time through that notifies somebody, so none of the journal's does: messages go
// over a connection of their own, as many as wait in one statement, in notifications of up to 8 kB,
// and without a flush of PostgreSQL's log. What waits meanwhile goes with the next.
//
// Anybody who may connect to the database can make nodes look for new entries and claim who is
// online, and nothing else.
//
// Open starts two goroutines, for sending and receiving; Close ends them.
package postgres

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/internal/rescue"
)

const (
	channel    = "norn"
	maxPayload = 7999    // bytes; PostgreSQL refuses 8,000
	maxWaiting = 100_000 // tables
	openTime   = 5 * time.Second
	sendTime   = 2 * time.Second
	silentTime = 5 * time.Second // after which a silent server is asked whether it's there
	retryEvery = 500 * time.Millisecond
	closeTime  = time.Second // for sending what waits
)

// Relay is an open relay. It implements relay.Relay.
type Relay struct {
	here   *local.Relay // this node's followers
	config *pgx.ConnConfig
	log    *slog.Logger
	sender atomic.Uint32 // the server's process that sends for this node, whose echo isn't heard
	wake   chan struct{} // capacity 1: signals that something can be sent
	stop   context.Context
	end    context.CancelFunc
	ended  sync.WaitGroup // the two goroutines

	mu      sync.Mutex
	waiting map[string]pending
	closed  bool
}

// pending is the newest about a table that waits to be sent.
type pending struct {
	seq  uint64
	word string
}

var _ relay.Relay = (*Relay)(nil)

// Open connects to other nodes through the PostgreSQL at an address as the journal takes it. A
// server that can't be reached is logged and tried again; the error is about the address.
func Open(address string, log *slog.Logger) (*Relay, error) {
	pool, err := pgxpool.ParseConfig(address) // which knows the settings of a pool, too
	if err != nil {
		return nil, errors.New("relay: the address can't be read") // the error may contain a part of the password
	}
	config := pool.ConnConfig
	config.RuntimeParams["application_name"] = "norn relay"
	r := &Relay{
		here: local.New(), config: config, log: log,
		wake: make(chan struct{}, 1), waiting: map[string]pending{},
	}
	r.stop, r.end = context.WithCancel(context.Background())
	r.ended.Go(rescue.Wrap(log, "relay", func() { r.keep("sending", "SET synchronous_commit = off", r.send) }))
	r.ended.Go(rescue.Wrap(log, "relay", func() { r.keep("hearing", "LISTEN "+channel, r.receive) }))
	return r, nil
}

// keep calls use with a connection on which begin was done, and again with a new one when it's lost,
// until the relay is closed.
func (r *Relay) keep(what, begin string, use func(*pgx.Conn) error) {
	for lost := false; r.stop.Err() == nil; {
		conn, err := r.connect(begin)
		if err == nil {
			r.log.Info("relay: connected", "for", what)
			lost = false
			err = use(conn)
			closeNow(conn) // it's lost, or nothing is left to send
		}
		if r.stop.Err() != nil {
			return
		}
		if !lost {
			lost = true
			r.log.Warn("relay: the server is lost; pages of other nodes' moves are late until it's back",
				"for", what, "error", err)
		}
		select {
		case <-time.After(retryEvery):
		case <-r.stop.Done():
		}
	}
}

// connect opens a connection and does begin on it: a statement, since poolers refuse some settings
// among a connection's parameters.
func (r *Relay) connect(begin string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(r.stop, openTime)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, r.config)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, begin); err != nil {
		closeNow(conn)
		return nil, err
	}
	return conn, nil
}

func closeNow(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = conn.Close(ctx) // it's closed in any case
}

// receive hears messages from other nodes until its connection is lost.
func (r *Relay) receive(conn *pgx.Conn) error {
	for {
		ctx, cancel := context.WithTimeout(r.stop, silentTime)
		heard, err := conn.WaitForNotification(ctx)
		cancel()
		switch {
		case err == nil:
			if heard.PID != r.sender.Load() {
				r.deliver(heard.Payload)
			}
		case pgconn.Timeout(err) && r.stop.Err() == nil:
			ctx, cancel := context.WithTimeout(r.stop, silentTime)
			err := conn.Ping(ctx)
			cancel()
			if err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// deliver calls the followers of a notification's messages, one a line: a table and its seq, or a table
// and a word.
func (r *Relay) deliver(payload string) {
	for line := range strings.SplitSeq(payload, "\n") {
		at := strings.IndexAny(line, "= ")
		if at < 0 {
			continue
		}
		m := relay.Message{Table: line[:at]}
		if text := line[at+1:]; line[at] == '=' {
			m.Word = text
		} else if seq, err := strconv.ParseUint(text, 10, 64); err == nil {
			m.Seq = seq
		}
		_ = rescue.Run(r.log, "relay", func() error { // it is noted
			r.here.Publish(m)
			return nil
		})
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
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// send sends what waits until its connection is lost; what was being sent then is lost with it.
func (r *Relay) send(conn *pgx.Conn) error {
	r.sender.Store(conn.PgConn().PID())
	for {
		if err := r.flush(conn); err != nil {
			return err
		}
		select {
		case <-r.wake:
		case <-r.stop.Done():
			return r.flush(conn)
		}
	}
}

// flush sends what waits.
func (r *Relay) flush(conn *pgx.Conn) error {
	r.mu.Lock()
	waiting := r.waiting
	r.waiting = map[string]pending{}
	r.mu.Unlock()
	if len(waiting) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTime)
	defer cancel()
	_, err := conn.Exec(ctx, "SELECT pg_notify('"+channel+"', p) FROM unnest($1::text[]) AS p", payloads(waiting))
	return err
}

// payloads writes messages as notifications, as many in each as there is room for.
func payloads(waiting map[string]pending) (all []string) {
	var room []byte
	add := func(line []byte) {
		if len(room) > 0 && len(room)+1+len(line) > maxPayload {
			all, room = append(all, string(room)), room[:0]
		}
		if len(room) > 0 {
			room = append(room, '\n')
		}
		room = append(room, line...)
	}
	var line []byte
	for table, waits := range waiting {
		if waits.seq > 0 {
			line = strconv.AppendUint(append(append(line[:0], table...), ' '), waits.seq, 10)
			add(line)
		}
		if waits.word != "" {
			line = append(append(append(line[:0], table...), '='), waits.word...)
			add(line)
		}
	}
	return append(all, string(room))
}

// Follow implements relay.Relay.
func (r *Relay) Follow(table string, hear func(relay.Message)) (cancel func()) {
	return r.here.Follow(table, hear)
}

// Close implements relay.Relay.
func (r *Relay) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.ended.Wait()
	return r.here.Close()
}
