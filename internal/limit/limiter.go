package limit

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets bounds the number of clients that are remembered. The oldest is forgotten first and
// then starts again with an unused limit.
const maxBuckets = 100_000

// Limiter admits clients within the limits. It is safe for concurrent use.
type Limiter struct {
	limits Limits
	now    func() time.Time
	turned func(limit string)
	room   int

	mu      sync.Mutex
	buckets map[visitor]*list.Element // of *bucket
	order   list.List                 // the most recent first

	held    map[visitor]int // places in use, and bytes of bodies
	emptied chan struct{}   // closed when there are no streams; created by the caller of WaitEmpty
}

// visitor is a client under one limit.
type visitor struct{ limit, who string }

type bucket struct {
	of     visitor
	tokens *rate.Limiter
	forget time.Time // when it's full again, so that it can be forgotten
}

// New returns a limiter. turned, unless it's nil, is called with the name of the limit whenever a
// client is refused.
func New(limits Limits, now func() time.Time, turned func(limit string)) *Limiter {
	if turned == nil {
		turned = func(string) {}
	}
	return &Limiter{
		limits: limits, now: now, turned: turned, room: maxBuckets, buckets: map[visitor]*list.Element{},
		held: map[visitor]int{},
	}
}

// Seat returns the key of a seat, from which the secret can't be derived.
func Seat(table, secret string) string {
	sum := sha256.Sum256([]byte(table + " " + secret))
	return string(sum[:16])
}

// Table counts a table opened from an address.
func (l *Limiter) Table(address string) error {
	return refuse("tables", l.take("tables", address, l.limits.Tables))
}

// Upload counts a picture, a list or a character's file sent from an address.
func (l *Limiter) Upload(address string) error {
	return refuse("uploads", l.take("uploads", address, l.limits.Uploads))
}

// MayUpload reports whether Upload would succeed, without counting: so an upload can be refused
// before it's read.
func (l *Limiter) MayUpload(address string) error {
	if l.limits.Uploads.N == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e, known := l.buckets[visitor{"uploads", address}]
	if !known {
		return nil
	}
	after := wait(e.Value.(*bucket).tokens, l.now(), false)
	if after > 0 {
		l.turned("uploads")
	}
	return refuse("uploads", after)
}

// Write admits one change by a seat of a table, from any client. It returns how long to wait before
// the next try, 0 if the seat may go on.
func (l *Limiter) Write(table, seat string) (wait time.Duration) {
	return l.take("writes", seatOf(table, seat), l.limits.Writes)
}

// Visit admits one message of an account on a chat platform, which is to a chat what an address is
// to a page: it may do as much as an address. It returns how long to wait, as Write does.
func (l *Limiter) Visit(account string) (wait time.Duration) {
	return l.take("requests", account, l.limits.Requests)
}

// kept is the size in bytes for which an entry counts as one more change of its seat, and as one
// more request of the address it came from, because an entry is stored as long as its table exists.
const kept = 4 << 10

// Wrote charges a seat for the size of an entry. The charge may exceed the limit; then the seat
// waits longer.
func (l *Limiter) Wrote(table, seat string, bytes int) {
	l.owe("writes", seatOf(table, seat), l.limits.Writes, bytes/kept)
}

// ChargeEntry charges an address for the size of an entry that came from it, as Wrote does.
func (l *Limiter) ChargeEntry(address string, bytes int) {
	l.owe("requests", address, l.limits.Requests, bytes/kept)
}

func seatOf(table, seat string) string { return table + " " + seat }

// owe takes tokens even if there aren't enough.
func (l *Limiter) owe(limit, who string, r Rate, n int) {
	if r.N == 0 || n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.bucket(visitor{limit, who}, r, now)
	b.tokens.ReserveN(now, min(n, r.N))
	b.forget = now.Add(2 * r.Per) // it's full later than usual
}

// Knock admits an attempt to enter with a seat's secret, unless there were too many wrong ones from
// this address; a seat that was entered recently is always admitted. RememberSeat or CountMiss must
// follow.
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

// RememberSeat remembers for some time that a seat was entered.
func (l *Limiter) RememberSeat(seat string) {
	if l.limits.Knocks.N == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	const keep = time.Hour
	l.bucket(visitor{"seat", seat}, Rate{1, keep}, l.now()).forget = l.now().Add(keep)
}

// CountMiss counts an invalid secret.
func (l *Limiter) CountMiss(address string) {
	if l.limits.Knocks.N == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	wait(l.bucket(visitor{"knocks", address}, l.limits.Knocks, now).tokens, now, true)
}

// Request admits a request from an address. Unless the request starts a live stream, it occupies a
// place until leave is called, which must be done once.
func (l *Limiter) Request(address string, lasts bool) (leave func(), err error) {
	if wait := l.take("requests", address, l.limits.Requests); wait > 0 {
		return nil, refuse("requests", wait)
	}
	if lasts {
		return func() {}, nil
	}
	return l.hold(soon, place{visitor{"at-once", address}, l.limits.AtOnce})
}

// File admits the download of a whole log by an address; leave must be called once when it's sent.
func (l *Limiter) File(address string) (leave func(), err error) {
	return l.hold(comeAgain, place{visitor{"files", address}, l.limits.Files})
}

// Stream admits a live stream of a seat from an address; leave must be called once when it ends.
func (l *Limiter) Stream(seat, address string) (leave func(), err error) {
	return l.hold(comeAgain, place{visitor{"seat-streams", seat}, l.limits.SeatStreams},
		place{visitor{"address-streams", address}, l.limits.AddressStreams}, place{everywhere, l.limits.Streams})
}

// Estimates of the time until a place is free: for requests, and for things that last.
const (
	soon      = time.Second
	comeAgain = 10 * time.Second
)

// place is a limited number of places that a visitor may hold at a time.
type place struct {
	of   visitor
	most int // 0 for no limit
}

// everywhere counts all live streams.
var everywhere = visitor{limit: "streams"}

// hold takes a place in each of places, or none; after is the time to wait if one is full.
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

// free returns places.
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

// release returns some of what a visitor holds. The caller holds mu.
func (l *Limiter) release(of visitor, n int) {
	if l.held[of] -= n; l.held[of] == 0 {
		delete(l.held, of)
	}
}

// Streams returns the number of open live streams.
func (l *Limiter) Streams() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[everywhere]
}

// WaitEmpty returns a channel that is closed once no live stream is open.
func (l *Limiter) WaitEmpty() <-chan struct{} {
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

// take admits a visitor under one limit and returns 0, or returns how long to wait.
func (l *Limiter) take(limit, who string, r Rate) time.Duration {
	if r.N == 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	after := wait(l.bucket(visitor{limit, who}, r, now).tokens, now, true)
	if after > 0 {
		l.turned(limit)
	}
	return after
}

// refuse returns an *Error for a client that has to wait, or nil.
func refuse(limit string, wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	return &Error{limit, wait}
}

// wait takes a token, and returns it if it isn't available yet or if spend is false. It returns the
// time until there is one, 0 for now.
func wait(tokens *rate.Limiter, now time.Time, spend bool) time.Duration {
	r := tokens.ReserveN(now, 1)
	after := r.DelayFrom(now)
	if after > 0 || !spend {
		r.CancelAt(now)
	}
	return after
}

// bucket returns a visitor's bucket, which it creates if needed, and removes old ones. The caller
// holds mu.
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
