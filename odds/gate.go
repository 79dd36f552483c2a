package odds

import (
	"context"
	"errors"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Gate limits how much expensive work runs at a time: odds, searches of a log, luck, pictures, long
// bodies. There are a number of places in all, fewer for each client, and one network address can't
// take the last of them. A client without a place waits a little and is then refused, so no request
// hangs. A Gate is safe for concurrent use and starts no goroutine.
type Gate struct {
	// Longest bounds how long odds are computed. It is MostWork unless it's set before the gate is
	// used.
	Longest time.Duration
	// Count, unless it's nil, is called with the kind of odds that were found, "exact" or
	// "simulated", or with the reason why there are none: "crowded", "late" or "refused". Set it
	// before the gate is used.
	Count func(how string)

	all      chan struct{}
	alone    chan struct{}
	each     int
	patience time.Duration

	mu    sync.Mutex
	lanes map[asking]*lane
}

// asking identifies a queue: of a client, of an address, or of those at an address that wait for
// the single place.
type asking struct {
	who, from string
	alone     bool
}

// lane holds the places of a client or address that has work running or waiting.
type lane struct {
	places chan struct{}
	users  int // working or waiting
}

// NewGate returns a gate with so many places in all and for each client. patience is how long a
// client waits for a place.
func NewGate(all, each int, patience time.Duration) *Gate {
	return &Gate{
		Longest: MostWork, all: make(chan struct{}, all), alone: make(chan struct{}, 1), each: each,
		patience: patience, lanes: map[asking]*lane{},
	}
}

// UsualGate returns a gate for a server: a place for each core, half as many for each client, and
// two seconds of patience. So the most expensive requests of one client leave at least a core to
// the others.
func UsualGate() *Gate {
	cores := max(2, runtime.GOMAXPROCS(0))
	return NewGate(cores, cores/2, 2*time.Second)
}

// CrowdedError reports that there is no free place.
type CrowdedError struct {
	Own   bool          // the client or its address already holds too many places
	After time.Duration // when to try again
}

func (e *CrowdedError) Error() string {
	if e.Own {
		return "odds: too many asked for at once by one"
	}
	return "odds: too many asked for at once"
}

// Limited returns the name of the limit and when to try again.
func (e *CrowdedError) Limited() (limit string, after time.Duration) { return "dear", e.After }

// comeAgain is the time after which a place is likely to be free.
const comeAgain = 2 * time.Second

// Enter takes a place for a client at an address. leave returns it and must be called once. The
// error is a *CrowdedError or that of the context.
func (g *Gate) Enter(ctx context.Context, from, who string) (leave func(), err error) {
	return g.enter(ctx, g.patience, g.all, lining{asking{who: who}, g.each}, g.house(from))
}

// Do calls work with a place, as Enter takes one.
func (g *Gate) Do(ctx context.Context, from, who string, work func() error) error {
	leave, err := g.Enter(ctx, from, who)
	if err != nil {
		return err
	}
	defer leave()
	return work()
}

// Alone takes the single place for work that needs much memory, such as decoding a picture. Clients
// of one address wait for each other, so an address delays others by one picture at most; each also
// takes one of its address's places. Otherwise it's like Enter.
func (g *Gate) Alone(ctx context.Context, from string) (leave func(), err error) {
	return g.enter(ctx, patienceAlone, g.alone, lining{asking{from: from, alone: true}, 1}, g.house(from))
}

// Read takes one of the address's places for reading a long body. It doesn't hold up other
// addresses.
func (g *Gate) Read(ctx context.Context, from string) (leave func(), err error) {
	return g.enter(ctx, patienceAlone, nil, g.house(from))
}

// patienceAlone bounds the wait for reading a long body or decoding a picture. It is long
// because several may be sent at once.
const patienceAlone = 20 * time.Second

// house returns the queue of an address, which leaves a place to others.
func (g *Gate) house(from string) lining {
	return lining{asking{from: from}, max(g.each, cap(g.all)-1)}
}

// lining is a queue with its number of places.
type lining struct {
	asking
	places int
}

// enter takes a place in each queue, one after the other, and then one in all, unless all is nil.
func (g *Gate) enter(ctx context.Context, patience time.Duration, all chan struct{}, each ...lining) (leave func(),
	err error,
) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows := make([]chan struct{}, 0, len(each)+1)
	for _, one := range each {
		rows = append(rows, g.join(one.asking, one.places))
	}
	if all != nil {
		rows = append(rows, all)
	}
	free := func(taken int) {
		for _, places := range slices.Backward(rows[:taken]) {
			<-places
		}
		for _, one := range each {
			g.part(one.asking)
		}
	}
	for i, places := range rows {
		if !take(limited, places) {
			free(i)
			return nil, placeError(ctx, i < len(each))
		}
	}
	return func() { free(len(rows)) }, nil
}

// MostWork bounds how long odds are computed. Only a busy machine reaches it.
const MostWork = 4 * time.Second

// Work takes a place for a client at an address and calls work, with the budget of one question and
// for at most Longest. Errors are a *CrowdedError, that of the context and those of work.
func (g *Gate) Work(ctx context.Context, from, who string, work func(context.Context) error) error {
	leave, err := g.Enter(ctx, from, who)
	if err != nil {
		g.count("crowded")
		return err
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, g.Longest)
	defer cancel()
	err = work(WithSharedBudget(limited))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		g.count("late")
	case err != nil:
		g.count("refused")
	}
	return err
}

// CountFound counts the odds that a client got; nil odds don't count.
func (g *Gate) CountFound(all ...*Odds) {
	for _, o := range all {
		switch {
		case o == nil:
		case o.Runs > 0:
			g.count("simulated")
		default:
			g.count("exact")
		}
	}
}

func (g *Gate) count(how string) {
	if g.Count != nil {
		g.Count(how)
	}
}

// take takes a place if one becomes free before the context ends.
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

// placeError returns the reason for getting no place: the request was cancelled, or the wait was
// too long.
func placeError(ctx context.Context, own bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &CrowdedError{Own: own, After: comeAgain}
}

// join returns the places of a queue, which it creates if it's new.
func (g *Gate) join(a asking, most int) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.lanes[a]
	if own == nil {
		own = &lane{places: make(chan struct{}, most)}
		g.lanes[a] = own
	}
	own.users++
	return own.places
}

// part undoes join, and removes a queue that has no users.
func (g *Gate) part(a asking) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.lanes[a]
	if own.users--; own.users == 0 {
		delete(g.lanes, a)
	}
}

// Asker returns the client key of a network address such as "192.0.2.7:4711": the host, or for IPv6
// its 64-bit network, which usually belongs to one household.
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
