package limit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// clock is a time that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time         { return c.at }
func (c *clock) passes(d time.Duration) { c.at = c.at.Add(d) }

func newLimiter(l Limits) (*Limiter, *clock, map[string]int) {
	c, turned := &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, map[string]int{}
	return New(l, c.now, func(limit string) { turned[limit]++ }), c, turned
}

func refused(t *testing.T, err error, limit string, after time.Duration) {
	t.Helper()
	e := As(err)
	if e == nil || e.Limit != limit {
		t.Fatalf("got %v, want too many %s", err, limit)
	}
	if diff := e.After - after; diff < -time.Millisecond || diff > time.Millisecond {
		t.Errorf("come again after %v, want %v", e.After, after)
	}
}

func allowed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A seat that writes long entries may write fewer of them, and what exceeds the limit is subtracted
// later.
func TestLongEntriesCountMoreTowardsTheWriteLimit(t *testing.T) {
	l, c, _ := newLimiter(Limits{Writes: Rate{10, time.Minute}, Requests: Rate{20, time.Minute}})
	allowed(t, refuse("writes", l.Write("t", "a")))
	l.Wrote("t", "a", kept-1)
	l.ChargeEntry("here", kept-1) // the size of most entries
	for range 9 {
		allowed(t, refuse("writes", l.Write("t", "a")))
	}
	refused(t, refuse("writes", l.Write("t", "a")), "writes", 6*time.Second)

	c.passes(time.Hour)
	allowed(t, refuse("writes", l.Write("t", "a")))
	l.Wrote("t", "a", 12*kept)
	l.ChargeEntry("here", 12*kept)
	refused(t, refuse("writes", l.Write("t", "a")), "writes", 12*time.Second) // it counts as 10 at most, after 9
	allowed(t, refuse("writes", l.Write("t", "b")))
	l.Wrote("t", "b", 8*kept)
	l.ChargeEntry("here", 8*kept)
	_, err := l.Request("here", false)
	refused(t, err, "requests", 3*time.Second)
	_, err = l.Request("there", false)
	allowed(t, err)
	c.passes(11 * time.Second)
	refused(t, refuse("writes", l.Write("t", "a")), "writes", time.Second)
	c.passes(time.Second)
	allowed(t, refuse("writes", l.Write("t", "a")))
}

func TestRateAllowsABurstAndRefillsOverTime(t *testing.T) {
	l, c, turned := newLimiter(Limits{Writes: Rate{3, time.Minute}})
	for range 3 {
		allowed(t, refuse("writes", l.Write("t", "a")))
	}
	for range 5 { // a refusal must not cost anything
		refused(t, refuse("writes", l.Write("t", "a")), "writes", 20*time.Second)
	}
	allowed(t, refuse("writes", l.Write("t", "b")))
	c.passes(20 * time.Second)
	allowed(t, refuse("writes", l.Write("t", "a")))
	refused(t, refuse("writes", l.Write("t", "a")), "writes", 20*time.Second)
	c.passes(time.Hour)
	for range 3 {
		allowed(t, refuse("writes", l.Write("t", "a")))
	}
	refused(t, refuse("writes", l.Write("t", "a")), "writes", 20*time.Second)
	if turned["writes"] != 7 || len(turned) != 1 {
		t.Errorf("told of %v", turned)
	}
}

func TestOnlyWrongSecretsCountTowardsTheLimit(t *testing.T) {
	l, c, _ := newLimiter(Limits{Knocks: Rate{2, time.Minute}})
	for range 10 {
		allowed(t, l.Knock("house", "anna"))
		l.RememberSeat("anna")
	}
	for range 2 {
		allowed(t, l.Knock("house", "guess"))
		l.CountMiss("house")
	}
	refused(t, l.Knock("house", "guess"), "knocks", 30*time.Second)
	refused(t, l.Knock("house", "new"), "knocks", 30*time.Second)
	allowed(t, l.Knock("house", "anna")) // a seat that was here before can still enter
	allowed(t, l.Knock("elsewhere", "guess"))
	c.passes(30 * time.Second)
	allowed(t, l.Knock("house", "new"))
}

func TestStreamsAreLimitedBySeatAddressAndInTotal(t *testing.T) {
	l, _, _ := newLimiter(Limits{SeatStreams: 2, AddressStreams: 3, Streams: 4})
	open := func(seat, address string) func() {
		t.Helper()
		leave, err := l.Stream(seat, address)
		allowed(t, err)
		return leave
	}
	first := open("a", "x")
	open("a", "x")
	_, err := l.Stream("a", "y")
	refused(t, err, "seat-streams", comeAgain)
	open("b", "x")
	_, err = l.Stream("c", "x")
	refused(t, err, "address-streams", comeAgain)
	open("c", "y")
	_, err = l.Stream("d", "z")
	refused(t, err, "streams", comeAgain)
	first()
	open("d", "z")
	if l.Streams() != 4 {
		t.Errorf("%d streams are open", l.Streams())
	}
}

// briefly limits requests that are answered soon.
func briefly(l *Limiter) func(string) (func(), error) {
	return func(address string) (func(), error) { return l.Request(address, false) }
}

func TestRequestsAtOnceAreLimitedByAddress(t *testing.T) {
	l, _, turned := newLimiter(Limits{AtOnce: 2, Files: 1})
	for name, c := range map[string]struct {
		enter func(string) (func(), error)
		most  int
		after time.Duration
	}{"at-once": {briefly(l), 2, soon}, "files": {l.File, 1, comeAgain}} {
		var leave func()
		for range c.most {
			var err error
			leave, err = c.enter("x")
			allowed(t, err)
		}
		_, err := c.enter("x")
		refused(t, err, name, c.after)
		_, err = c.enter("y")
		allowed(t, err)
		leave()
		_, err = c.enter("x")
		allowed(t, err)
		if turned[name] != 1 {
			t.Errorf("told of %v", turned)
		}
	}
	for range 5 {
		_, err := l.Request("x", true)
		allowed(t, err)
	}
	if l.Streams() != 0 {
		t.Errorf("%d streams", l.Streams())
	}
}

func TestLimiterForgetsItsOldestBuckets(t *testing.T) {
	l, c, _ := newLimiter(Limits{Writes: Rate{1, time.Minute}})
	l.room = 100
	for i := range 1000 {
		allowed(t, refuse("writes", l.Write("t", fmt.Sprint(i))))
	}
	if len(l.buckets) != 100 || l.order.Len() != 100 {
		t.Fatalf("%d buckets, %d in order; want 100", len(l.buckets), l.order.Len())
	}
	refused(t, refuse("writes", l.Write("t", "999")), "writes", time.Minute)
	refused(t, refuse("writes", l.Write("t", "900")), "writes", time.Minute)
	allowed(t, refuse("writes", l.Write("t", "0"))) // forgotten long ago
	c.passes(2 * time.Minute)
	allowed(t, refuse("writes", l.Write("t", "new")))
	if len(l.buckets) != 1 {
		t.Errorf("%d buckets are kept that are full again", len(l.buckets)-1)
	}
}

func TestWithoutLimitsEverythingIsAllowed(t *testing.T) {
	l, _, turned := newLimiter(Limits{})
	for range 100 {
		allowed(t, refuse("writes", l.Write("t", "a")))
		allowed(t, l.Table("a"))
		allowed(t, l.Knock("a", "b"))
		l.CountMiss("a")
		for _, enter := range []func() (func(), error){
			func() (func(), error) {
				return l.Stream("a", "b")
			}, func() (func(), error) {
				return l.Request("a", false)
			}, func() (func(), error) {
				return l.File("a")
			},
		} {
			_, err := enter()
			allowed(t, err)
		}
	}
	if len(turned) > 0 || len(l.buckets) > 0 {
		t.Errorf("turned away %v, remembered %d", turned, len(l.buckets))
	}
}

func TestASeatsKeyHoldsNoSecret(t *testing.T) {
	key := Seat("table", "secret")
	if strings.Contains(key, "secret") || key == Seat("table", "secret2") || key == Seat("table2", "secret") {
		t.Errorf("key %q", key)
	}
}

func TestLimitsAreParsedOrRefused(t *testing.T) {
	changed := Usual()
	changed.Writes, changed.Streams, changed.Tables, changed.Files = Rate{600, time.Second}, 5, Rate{0, time.Second}, 0
	for text, want := range map[string]Limits{
		"": Usual(), "usual": Usual(), "off": {}, "writes=600/s, streams=5,tables=off,files=off": changed,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"on", "writes", "writes=", "writes=0/s", "writes=-1/s", "writes=5", "writes=5/d", "writes=5/", "streams=5/s",
		"streams=0",
		"streams=1000001", "moves=5/s", "writes=5/s,", "streams=99999999999999999999", "=5",
	} {
		if l, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v; want an error", text, l)
		}
	}
}

func TestSecondsToWaitAreRoundedUp(t *testing.T) {
	for after, want := range map[time.Duration]int{
		time.Nanosecond: 1, time.Second: 1, 1001 * time.Millisecond: 2,
		time.Minute: 60,
	} {
		if got := (&Error{After: after}).Seconds(); got != want {
			t.Errorf("%v is %d seconds, want %d", after, got, want)
		}
	}
}

// MayUpload must not count an upload.
func TestMayUploadCountsNothing(t *testing.T) {
	l, c, turned := newLimiter(Limits{Uploads: Rate{2, time.Minute}})
	for range 2 {
		allowed(t, l.MayUpload("here"))
		allowed(t, l.MayUpload("here"))
		allowed(t, l.Upload("here"))
	}
	refused(t, l.MayUpload("here"), "uploads", 30*time.Second)
	allowed(t, l.MayUpload("there"))
	if turned["uploads"] != 1 {
		t.Errorf("%d are counted as turned away", turned["uploads"])
	}
	c.passes(30 * time.Second)
	allowed(t, l.MayUpload("here"))
	allowed(t, l.Upload("here"))
	off, _, _ := newLimiter(Limits{})
	allowed(t, off.MayUpload("here"))
}

// limited is an error of another package that is about a limit.
type limited struct{}

func (limited) Error() string                                { return "limited" }
func (limited) Limited() (limit string, after time.Duration) { return "dear", time.Second }

func TestAsFindsLimitErrorsOfOtherPackages(t *testing.T) {
	if found := As(fmt.Errorf("around: %w", limited{})); found == nil || found.Limit != "dear" ||
		found.After != time.Second {
		t.Errorf("%+v", found)
	}
	if found := As(fmt.Errorf("another")); found != nil {
		t.Errorf("%+v", found)
	}
}
