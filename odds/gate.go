package odds

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// Gate lets only so many odds be worked out at a time: a few for each who
// asks, and not too many for all together. Who finds no place waits a little
// and is then turned away, so nobody hangs. It's safe for concurrent use and
// starts no goroutine.
type Gate struct {
	all      chan struct{}
	each     int
	patience time.Duration

	mu    sync.Mutex
	lanes map[string]*lane
}

// lane is who asks, while they have anything under way.
type lane struct {
	places chan struct{}
	users  int // working or waiting
}

// NewGate makes a gate with so many places in all and for each who asks, and
// how long it lets people wait for one.
func NewGate(all, each int, patience time.Duration) *Gate {
	return &Gate{all: make(chan struct{}, all), each: each, patience: patience, lanes: map[string]*lane{}}
}

// UsualGate is one for a server: two odds at once for each who asks, four in
// all, and two seconds to wait.
func UsualGate() *Gate { return NewGate(4, 2, 2*time.Second) }

// CrowdedError says that there is no place.
type CrowdedError struct {
	Own   bool          // whoever asks holds too many places already
	After time.Duration // when to come again
}

func (e *CrowdedError) Error() string {
	if e.Own {
		return "odds: too many asked for at once by one"
	}
	return "odds: too many asked for at once"
}

// comeAgain is when places are likely to be free.
const comeAgain = 2 * time.Second

// Enter takes a place for who asks; leave gives it back and must be called,
// once. The error is a *CrowdedError or the context's.
func (g *Gate) Enter(ctx context.Context, who string) (leave func(), err error) {
	own := g.join(who)
	limited, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	if !take(limited, own.places) {
		g.part(who, own)
		return nil, turned(ctx, true)
	}
	if !take(limited, g.all) {
		<-own.places
		g.part(who, own)
		return nil, turned(ctx, false)
	}
	return func() {
		<-g.all
		<-own.places
		g.part(who, own)
	}, nil
}

// MostWork is how long odds are worked out for one who waits.
const MostWork = 4 * time.Second

// Work runs what works odds out in a place of who asks, for at most MostWork.
// how tells in a word why it came to nothing: "crowded", "late" or "refused"; it's
// "" where err is nil. Errors are a *CrowdedError, the context's and those of the work.
func (g *Gate) Work(ctx context.Context, who string, work func(context.Context) error) (how string, err error) {
	leave, err := g.Enter(ctx, who)
	if err != nil {
		return "crowded", err
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, MostWork)
	defer cancel()
	err = work(limited)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "late", err
	case err != nil:
		return "refused", err
	}
	return "", nil
}

// take puts itself into a place, if one gets free in time.
func take(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// turned is why somebody got no place: they went away, or waited in vain.
func turned(ctx context.Context, own bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &CrowdedError{Own: own, After: comeAgain}
}

func (g *Gate) join(who string) *lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.lanes[who]
	if own == nil {
		own = &lane{places: make(chan struct{}, g.each)}
		g.lanes[who] = own
	}
	own.users++
	return own
}

func (g *Gate) part(who string, own *lane) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(g.lanes, who)
	}
}

// Asker is who asks from a network address such as "192.0.2.7:4711": the host,
// or for IPv6 its network of 64 bits, all of which one household has.
func Asker(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	host := at.Addr().Unmap().WithZone("")
	if host.Is4() {
		return host.String()
	}
	network, err := host.Prefix(64)
	if err != nil {
		return host.String()
	}
	return network.String()
}
