package limit

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// mostBuckets bounds what is remembered of who came; whoever came longest ago is
// forgotten first, and then begins anew.
const mostBuckets = 100_000

// Limiter lets in who hasn't come too often and doesn't hold too much. It's safe for
// concurrent use.
type Limiter struct {
	limits Limits
	now    func() time.Time
	turned func(limit string)
	room   int

	mu      sync.Mutex
	buckets map[visitor]*list.Element // of *bucket
	order   list.List                 // the one that came last in front

	held    map[visitor]int // places that are taken, and bytes of bodies
	emptied chan struct{}   // closed when there are no streams; made by who waits for it
}

// visitor is who comes, under one limit.
type visitor struct{ limit, who string }

type bucket struct {
	of     visitor
	tokens *rate.Limiter
	forget time.Time // when it's full again, so that forgetting it changes nothing
}

// New makes a limiter. turned is told the name of the limit whenever somebody is
// turned away; nil tells nobody.
func New(limits Limits, now func() time.Time, turned func(limit string)) *Limiter {
	if turned == nil {
		turned = func(string) {}
	}
	return &Limiter{limits: limits, now: now, turned: turned, room: mostBuckets, buckets: map[visitor]*list.Element{}, held: map[visitor]int{}}
}

// Seat is the key of a seat: nothing that opens it.
func Seat(table, secret string) string {
	sum := sha256.Sum256([]byte(table + " " + secret))
	return string(sum[:16])
}

// Table lets an address open a table.
func (l *Limiter) Table(address string) error { return l.take("tables", address, l.limits.Tables) }

// Write lets a seat do something.
func (l *Limiter) Write(seat string) error { return l.take("writes", seat, l.limits.Writes) }

// Upload lets an address send a picture.
func (l *Limiter) Upload(address string) error { return l.take("uploads", address, l.limits.Uploads) }

// kept is how many bytes of an entry are one thing more that its seat, and the address it comes from, have done.
const kept = 4 << 10

// Wrote takes what a seat's entry weighs: it's kept as long as its table, so who writes much at a time may write less often. What goes
// beyond the limits is owed.
func (l *Limiter) Wrote(seat, address string, bytes int) {
	l.owe("writes", seat, l.limits.Writes, bytes/kept)
	l.owe("requests", address, l.limits.Requests, bytes/kept)
}

// owe takes tokens, whether they're there or not.
func (l *Limiter) owe(limit, who string, r Rate, n int) {
	if r.N == 0 || n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.bucket(visitor{limit, who}, r, now)
	b.tokens.ReserveN(now, min(n, r.N))
	b.forget = now.Add(2 * r.Per) // it's full later
}

// Knock lets somebody try a seat's secret: unless too many were wrong from this
// address, and the seat wasn't entered lately. Admitted or Missed must follow.
func (l *Limiter) Knock(address, seat string) error {
	if l.limits.Knocks.N == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.buckets[visitor{"seat", seat}]; known {
		return nil
	}
	e, ok := l.buckets[visitor{"knocks", address}]
	if !ok {
		return nil
	}
	now := l.now()
	if after := wait(e.Value.(*bucket).tokens, now, false); after > 0 {
		l.turned("knocks")
		return &Error{"knocks", after}
	}
	return nil
}

// Admitted remembers for a while that a seat was entered.
func (l *Limiter) Admitted(seat string) {
	if l.limits.Knocks.N == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	const keep = time.Hour
	l.bucket(visitor{"seat", seat}, Rate{1, keep}, l.now()).forget = l.now().Add(keep)
}

// Missed counts a secret that opened nothing.
func (l *Limiter) Missed(address string) {
	if l.limits.Knocks.N == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	wait(l.bucket(visitor{"knocks", address}, l.limits.Knocks, now).tokens, now, true)
}

// Request lets a request of an address through. Unless it begins what lasts, it
// has a place until it's answered. leave must be called then, once.
func (l *Limiter) Request(address string, lasts bool) (leave func(), err error) {
	if err := l.take("requests", address, l.limits.Requests); err != nil {
		return nil, err
	}
	if lasts {
		return func() {}, nil
	}
	return l.hold(soon, place{visitor{"at-once", address}, l.limits.AtOnce})
}

// File lets a whole log be made and sent to an address; leave must be called when
// it's sent, once.
func (l *Limiter) File(address string) (leave func(), err error) {
	return l.hold(comeAgain, place{visitor{"files", address}, l.limits.Files})
}

// Stream opens a live stream of a seat from an address; leave must be called
// when it ends, once.
func (l *Limiter) Stream(seat, address string) (leave func(), err error) {
	return l.hold(comeAgain, place{visitor{"seat-streams", seat}, l.limits.SeatStreams},
		place{visitor{"address-streams", address}, l.limits.AddressStreams}, place{everywhere, l.limits.Streams})
}

// When a place is likely to be free: among requests, and among what lasts.
const (
	soon      = time.Second
	comeAgain = 10 * time.Second
)

// place is one of so many that somebody may hold at a time.
type place struct {
	of   visitor
	most int // 0 for any number
}

// everywhere holds the places of all live streams.
var everywhere = visitor{limit: "streams"}

// hold takes all of some places, or none; after is when to come again for them.
func (l *Limiter) hold(after time.Duration, places ...place) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range places {
		if p.most > 0 && l.held[p.of] >= p.most {
			l.turned(p.of.limit)
			return nil, &Error{p.of.limit, after}
		}
	}
	for _, p := range places {
		l.held[p.of]++
	}
	return func() { l.free(places) }, nil
}

// free gives places back.
func (l *Limiter) free(places []place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range places {
		l.release(p.of, 1)
	}
	if l.held[everywhere] == 0 && l.emptied != nil {
		close(l.emptied)
		l.emptied = nil
	}
}

// release gives back some of what is held. The caller has mu.
func (l *Limiter) release(of visitor, n int) {
	if l.held[of] -= n; l.held[of] == 0 {
		delete(l.held, of)
	}
}

// Streams is how many live streams are open.
func (l *Limiter) Streams() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[everywhere]
}

// Emptied is closed once no live stream is open.
func (l *Limiter) Emptied() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[everywhere] == 0 {
		empty := make(chan struct{})
		close(empty)
		return empty
	}
	if l.emptied == nil {
		l.emptied = make(chan struct{})
	}
	return l.emptied
}

// take lets somebody through under one limit.
func (l *Limiter) take(limit, who string, r Rate) error {
	if r.N == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if after := wait(l.bucket(visitor{limit, who}, r, now).tokens, now, true); after > 0 {
		l.turned(limit)
		return &Error{limit, after}
	}
	return nil
}

// wait takes a token, and gives it back if it isn't there yet or isn't to be
// spent. It returns when there is one, 0 for now.
func wait(tokens *rate.Limiter, now time.Time, spend bool) time.Duration {
	r := tokens.ReserveN(now, 1)
	after := r.DelayFrom(now)
	if after > 0 || !spend {
		r.CancelAt(now)
	}
	return after
}

// bucket finds or makes a visitor's bucket and forgets others. The caller has mu.
func (l *Limiter) bucket(of visitor, r Rate, now time.Time) *bucket {
	if e, ok := l.buckets[of]; ok {
		l.order.MoveToFront(e)
		b := e.Value.(*bucket)
		b.forget = now.Add(r.Per)
		return b
	}
	for last := l.order.Back(); last != nil; last = l.order.Back() {
		b := last.Value.(*bucket)
		if l.order.Len() < l.room && b.forget.After(now) {
			break
		}
		l.order.Remove(last)
		delete(l.buckets, b.of)
	}
	b := &bucket{of: of, tokens: rate.NewLimiter(rate.Limit(float64(r.N)/r.Per.Seconds()), r.N), forget: now.Add(r.Per)}
	l.buckets[of] = l.order.PushFront(b)
	return b
}
