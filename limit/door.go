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

// Door lets in who hasn't come too often and doesn't hold too much. It's safe for
// concurrent use.
type Door struct {
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

// New makes a door. turned is told the name of the limit whenever somebody is
// turned away; nil tells nobody.
func New(l Limits, now func() time.Time, turned func(limit string)) *Door {
	if turned == nil {
		turned = func(string) {}
	}
	return &Door{limits: l, now: now, turned: turned, room: mostBuckets, buckets: map[visitor]*list.Element{}, held: map[visitor]int{}}
}

// Seat is the key of a seat: nothing that opens it.
func Seat(table, secret string) string {
	sum := sha256.Sum256([]byte(table + " " + secret))
	return string(sum[:16])
}

// Table lets an address open a table.
func (d *Door) Table(address string) error { return d.take("tables", address, d.limits.Tables) }

// Write lets a seat do something.
func (d *Door) Write(seat string) error { return d.take("writes", seat, d.limits.Writes) }

// Upload lets an address send a picture.
func (d *Door) Upload(address string) error { return d.take("uploads", address, d.limits.Uploads) }

// kept is how many bytes of an entry are one thing more that its seat, and the address it comes from, have done.
const kept = 4 << 10

// Wrote takes what a seat's entry weighs: it's kept as long as its table, so who writes much at a time may write less often. What goes
// beyond the limits is owed.
func (d *Door) Wrote(seat, address string, bytes int) {
	d.owe("writes", seat, d.limits.Writes, bytes/kept)
	d.owe("requests", address, d.limits.Requests, bytes/kept)
}

// owe takes tokens, whether they're there or not.
func (d *Door) owe(limit, who string, r Rate, n int) {
	if r.N == 0 || n == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	b := d.bucket(visitor{limit, who}, r, now)
	b.tokens.ReserveN(now, min(n, r.N))
	b.forget = now.Add(2 * r.Per) // it's full later
}

// Knock lets somebody try a seat's secret: unless too many were wrong from this
// address, and the seat wasn't entered lately. Admitted or Missed must follow.
func (d *Door) Knock(address, seat string) error {
	if d.limits.Knocks.N == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.buckets[visitor{"seat", seat}]; known {
		return nil
	}
	e, ok := d.buckets[visitor{"knocks", address}]
	if !ok {
		return nil
	}
	now := d.now()
	if after := wait(e.Value.(*bucket).tokens, now, false); after > 0 {
		d.turned("knocks")
		return &Error{"knocks", after}
	}
	return nil
}

// Admitted remembers for a while that a seat was entered.
func (d *Door) Admitted(seat string) {
	if d.limits.Knocks.N == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	const keep = time.Hour
	d.bucket(visitor{"seat", seat}, Rate{1, keep}, d.now()).forget = d.now().Add(keep)
}

// Missed counts a secret that opened nothing.
func (d *Door) Missed(address string) {
	if d.limits.Knocks.N == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	wait(d.bucket(visitor{"knocks", address}, d.limits.Knocks, now).tokens, now, true)
}

// Request lets a request of an address through. Unless it begins what lasts, it
// has a place until it's answered. leave must be called then, once.
func (d *Door) Request(address string, lasts bool) (leave func(), err error) {
	if err := d.take("requests", address, d.limits.Requests); err != nil {
		return nil, err
	}
	if lasts {
		return func() {}, nil
	}
	return d.hold(soon, place{visitor{"at-once", address}, d.limits.AtOnce})
}

// File lets a whole log be made and sent to an address; leave must be called when
// it's sent, once.
func (d *Door) File(address string) (leave func(), err error) {
	return d.hold(comeAgain, place{visitor{"files", address}, d.limits.Files})
}

// Stream opens a live stream of a seat from an address; leave must be called
// when it ends, once.
func (d *Door) Stream(seat, address string) (leave func(), err error) {
	return d.hold(comeAgain, place{visitor{"seat-streams", seat}, d.limits.SeatStreams},
		place{visitor{"address-streams", address}, d.limits.AddressStreams}, place{everywhere, d.limits.Streams})
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
func (d *Door) hold(after time.Duration, places ...place) (leave func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range places {
		if p.most > 0 && d.held[p.of] >= p.most {
			d.turned(p.of.limit)
			return nil, &Error{p.of.limit, after}
		}
	}
	for _, p := range places {
		d.held[p.of]++
	}
	return func() { d.free(places) }, nil
}

// free gives places back.
func (d *Door) free(places []place) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range places {
		d.release(p.of, 1)
	}
	if d.held[everywhere] == 0 && d.emptied != nil {
		close(d.emptied)
		d.emptied = nil
	}
}

// release gives back some of what is held. The caller has mu.
func (d *Door) release(of visitor, n int) {
	if d.held[of] -= n; d.held[of] == 0 {
		delete(d.held, of)
	}
}

// Streams is how many live streams are open.
func (d *Door) Streams() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held[everywhere]
}

// Emptied is closed once no live stream is open.
func (d *Door) Emptied() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[everywhere] == 0 {
		empty := make(chan struct{})
		close(empty)
		return empty
	}
	if d.emptied == nil {
		d.emptied = make(chan struct{})
	}
	return d.emptied
}

// take lets somebody through under one limit.
func (d *Door) take(limit, who string, r Rate) error {
	if r.N == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if after := wait(d.bucket(visitor{limit, who}, r, now).tokens, now, true); after > 0 {
		d.turned(limit)
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
func (d *Door) bucket(of visitor, r Rate, now time.Time) *bucket {
	if e, ok := d.buckets[of]; ok {
		d.order.MoveToFront(e)
		b := e.Value.(*bucket)
		b.forget = now.Add(r.Per)
		return b
	}
	for last := d.order.Back(); last != nil; last = d.order.Back() {
		b := last.Value.(*bucket)
		if d.order.Len() < d.room && b.forget.After(now) {
			break
		}
		d.order.Remove(last)
		delete(d.buckets, b.of)
	}
	b := &bucket{of: of, tokens: rate.NewLimiter(rate.Limit(float64(r.N)/r.Per.Seconds()), r.N), forget: now.Add(r.Per)}
	d.buckets[of] = d.order.PushFront(b)
	return b
}
