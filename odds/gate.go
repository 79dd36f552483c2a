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

// Gate lets only so much be worked out at a time that takes a server long: odds, searches of a log,
// luck, pictures, long bodies. Each who asks has a few places, and all together not too many, of
// which whoever comes from one address leaves a place to others. Who finds no place waits a little
// and is then turned away, so nobody hangs. It's safe for concurrent use and starts no goroutine.
type Gate struct {
	// Longest is how long odds are worked out for one who waits: MostWork, unless it's set before the gate is used.
	Longest time.Duration
	// Count hears how odds were found, "exact" or "simulated", or why there are none: "crowded",
	// "late" or "refused". It's nil for nobody, and set before the gate is used.
	Count func(how string)

	all      chan struct{}
	alone    chan struct{}
	each     int
	patience time.Duration

	mu    sync.Mutex
	lanes map[asking]*lane
}

// asking is somebody who asks, or an address from where they ask, for odds and the like or for the
// place that there's one of.
type asking struct {
	who, from string
	alone     bool
}

// lane is who asks, while they have anything under way.
type lane struct {
	places chan struct{}
	users  int // working or waiting
}

// NewGate makes a gate with so many places in all and for each who asks, and
// how long it lets people wait for one.
func NewGate(all, each int, patience time.Duration) *Gate {
	return &Gate{
		Longest: MostWork, all: make(chan struct{}, all), alone: make(chan struct{}, 1), each: each,
		patience: patience, lanes: map[asking]*lane{},
	}
}

// UsualGate is one for a server: as many odds at once as there are cores, and half as many for each
// who asks, so that whoever asks for the dearest there are leaves the others at least a core; and
// two seconds to wait.
func UsualGate() *Gate {
	cores := max(2, runtime.GOMAXPROCS(0))
	return NewGate(cores, cores/2, 2*time.Second)
}

// CrowdedError says that there is no place.
type CrowdedError struct {
	Own   bool          // whoever asks, or their address, holds too many places already
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

// Enter takes a place for who asks from an address; leave gives it back and must
// be called, once. The error is a *CrowdedError or the context's.
func (g *Gate) Enter(ctx context.Context, from, who string) (leave func(), err error) {
	return g.enter(ctx, g.patience, g.all, lining{asking{who: who}, g.each}, g.house(from))
}

// Alone takes the place of which there's one, for what takes much memory as decoding a picture
// does. Those who come from one address wait behind each other, so that they hold up others for one
// picture at most, and take one of the address's places among odds. It's like Enter otherwise.
func (g *Gate) Alone(ctx context.Context, from string) (leave func(), err error) {
	return g.enter(ctx, patienceAlone, g.alone, lining{asking{from: from, alone: true}, 1}, g.house(from))
}

// Read takes one of the places that an address has, for reading a long body. It holds up nobody at other addresses.
func (g *Gate) Read(ctx context.Context, from string) (leave func(), err error) {
	return g.enter(ctx, patienceAlone, nil, g.house(from))
}

// patienceAlone is how long people wait to read a long body and to decode a picture: several may be sent at once.
const patienceAlone = 20 * time.Second

// house is an address, which leaves a place to others.
func (g *Gate) house(from string) lining {
	return lining{asking{from: from}, max(g.each, cap(g.all)-1)}
}

// lining is somebody with so many places.
type lining struct {
	asking
	places int
}

// enter takes a place in the lane of each, one after the other, and then one of all, unless that's nil.
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

// MostWork is how long odds are worked out for one who waits, which only a busy machine needs.
const MostWork = 4 * time.Second

// Work runs what works odds out in a place of who asks from an address, with what one question may cost and for at most
// Longest. Errors are a *CrowdedError, the context's and those of the work.
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

// CountFound counts odds that somebody was given; nil odds weren't any.
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

// placeError is why somebody got no place: they went away, or waited in vain.
func placeError(ctx context.Context, own bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &CrowdedError{Own: own, After: comeAgain}
}

// join begins to ask, where so many may at a time, and gives their places.
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

// part ends what join began.
func (g *Gate) part(a asking) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.lanes[a]
	if own.users--; own.users == 0 {
		delete(g.lanes, a)
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
