// Package local is the relay of a norn that runs as one process: Publish calls
// the subscribers itself, in the publisher's goroutine. Nothing is lost, and
// what one goroutine publishes comes in its order. It starts no goroutine.
//
// Imports the contract alone.
package local

import (
	"sync"

	"norn/relay"
)

// Relay is an open relay. It implements relay.Relay; New makes one.
type Relay struct {
	mu     sync.RWMutex // read by publishers, so that none is calling once cancel has it
	hears  map[int]func(table string, seq uint64)
	next   int
	closed bool
}

var _ relay.Relay = (*Relay)(nil)

// New makes a relay.
func New() *Relay { return &Relay{hears: map[int]func(string, uint64){}} }

// Publish implements relay.Relay.
func (r *Relay) Publish(table string, seq uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, hear := range r.hears {
		hear(table, seq)
	}
}

// Subscribe implements relay.Relay.
func (r *Relay) Subscribe(hear func(table string, seq uint64)) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return func() {}
	}
	id := r.next
	r.next++
	r.hears[id] = hear
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.hears, id)
	}
}

// Close implements relay.Relay.
func (r *Relay) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	clear(r.hears)
	return nil
}
