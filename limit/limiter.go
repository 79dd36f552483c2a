package limit

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets bounds what is remembered of who came; whoever came longest ago is
// forgotten first, and then begins anew.
const maxBuckets = 100_000

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
	return &Limiter{
		limits: limits, now: now, turned: turned, room: maxBuckets, buckets: map[visitor]*list.Element{},
		held: map[visitor]int{},
	}
}

// Seat is the key of a seat: nothing that opens it.
func Seat(table, secret string) string {
	sum := sha256.Sum256([]byte(table + " " + secret))
	return string(sum[:16])
}

// Table lets an address open a table.
func (l *Limiter) Table(address string) error {
	return refuse("tables", l.take("tables", address, l.limits.Tables))
}

// Upload lets an address send a picture.
func (l *Limiter) Upload(address string) error {
	return refuse("uploads", l.take("uploads", address, l.limits.Uploads))
}

// MayUpload looks whether Upload would let an address send a picture now, and counts nothing: what is
// too much can be refused before it's read.
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

// Write admits one change that a seat of a table asks for, whichever way it comes. It returns how
// long to wait before the next try, 0 if the seat may go on.
func (l *Limiter) Write(table, seat string) (wait time.Duration) {
	return l.take("writes", seatOf(table, seat), l.limits.Writes)
}

// Visit admits one message of an account on a chat platform, which is to a chat what an address is
// to a page: it may do as much as an address. It returns how long to wait, as Write does.
func (l *Limiter) Visit(account string) (wait time.Duration) {
	return l.take("requests", account, l.limits.Requests)
}

// kept is how many bytes of an entry count as one change more of its seat, and as one request more
// of the address that it came from: an entry is kept as long as its table.
const kept = 4 << 10

// Wrote charges a seat for the size of an entry. What is beyond the limit is owed.
func (l *Limiter) Wrote(table, seat string, bytes int) {
	l.owe("writes", seatOf(table, seat), l.limits.Writes, bytes/kept)
}

// ChargeEntry charges an address for the size of an entry that came from it, as Wrote does.
func (l *Limiter) ChargeEntry(address string, bytes int) {
	l.owe("requests", address, l.limits.Requests, bytes/kept)
}

func seatOf(table, seat string) string { return table + " " + seat }

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

// RememberSeat remembers for a while that a seat was entered.
func (l *Limiter) RememberSeat(seat string) {
	if l.limits.Knocks.N == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	const keep = time.Hour
	l.bucket(visitor{"seat", seat}, Rate{1, keep}, l.now()).forget = l.now().Add(keep)
}

// CountMiss counts a secret that opened nothing.
func (l *Limiter) CountMiss(address string) {
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
	if wait := l.take("requests", address, l.limits.Requests); wait > 0 {
		return nil, refuse("requests", wait)
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

// WaitEmpty is closed once no live stream is open.
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

// take lets somebody through under one limit: 0, or how long to wait.
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

// refuse is the error of who has to wait, nil for nobody.
func refuse(limit string, wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	return &Error{limit, wait}
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
