package discord

import "sync"

// remembered is how much is remembered of a kind. What is older is forgotten.
const remembered = 4096

// recently remembers the newest of what was added.
type recently[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
	order []K // of those known, oldest first from at
	at    int
}

func newRecently[K comparable, V any]() *recently[K, V] { return &recently[K, V]{known: map[K]V{}} }

// add notes a value, and tells whether its key is new.
func (r *recently[K, V]) add(key K, value V) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, there := r.known[key]
	r.known[key] = value
	switch {
	case there:
		return false
	case len(r.order) < remembered:
		r.order = append(r.order, key)
	default:
		delete(r.known, r.order[r.at])
		r.order[r.at] = key
		r.at = (r.at + 1) % remembered
	}
	return true
}

func (r *recently[K, V]) find(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, there := r.known[key]
	return value, there
}
