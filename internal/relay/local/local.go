// Package local implements the relay for a norn that runs as one process. Publish calls the
// followers in the publisher's goroutine. No message is lost, and messages of one goroutine arrive
// in order. It starts no goroutine.
//
// It imports only package relay.
package local

import (
	"sync"

	"norn/internal/relay"
)

// Relay is an open relay. It implements relay.Relay; New makes one.
type Relay struct {
	mu     sync.RWMutex // read-locked by publishers, so that none is calling while cancel holds it
	hears  map[string]map[int]func(relay.Message)
	next   int
	closed bool
}

var _ relay.Relay = (*Relay)(nil)

// New returns an open relay.
func New() *Relay { return &Relay{hears: map[string]map[int]func(relay.Message){}} }

// Publish implements relay.Relay.
func (r *Relay) Publish(m relay.Message) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, hear := range r.hears[m.Table] {
		hear(m)
	}
}

// Follow implements relay.Relay.
func (r *Relay) Follow(table string, hear func(relay.Message)) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return func() {}
	}
	id := r.next
	r.next++
	if r.hears[table] == nil {
		r.hears[table] = map[int]func(relay.Message){}
	}
	r.hears[table][id] = hear
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.hears[table], id)
		if len(r.hears[table]) == 0 {
			delete(r.hears, table)
		}
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
