package limit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// clock is a time that only moves by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time         { return c.at }
func (c *clock) passes(d time.Duration) { c.at = c.at.Add(d) }

func newDoor(l Limits) (*Door, *clock, map[string]int) {
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

// Who writes much at a time may write less often, and owes what goes beyond.
func TestWhatIsKeptIsWeighed(t *testing.T) {
	d, c, _ := newDoor(Limits{Writes: Rate{10, time.Minute}, Requests: Rate{20, time.Minute}})
	allowed(t, d.Write("a"))
	d.Wrote("a", "here", kept-1) // as most entries are
	for range 9 {
		allowed(t, d.Write("a"))
	}
	refused(t, d.Write("a"), "writes", 6*time.Second)

	c.passes(time.Hour)
	allowed(t, d.Write("a"))
	d.Wrote("a", "here", 12*kept)
	refused(t, d.Write("a"), "writes", 12*time.Second) // 10 are taken at most, and there were 9
	allowed(t, d.Write("b"))
	d.Wrote("b", "here", 8*kept)
	_, err := d.Request("here", false)
	refused(t, err, "requests", 3*time.Second)
	_, err = d.Request("there", false)
	allowed(t, err)
	c.passes(11 * time.Second)
	refused(t, d.Write("a"), "writes", time.Second)
	c.passes(time.Second)
	allowed(t, d.Write("a"))
}

func TestARateGivesSoManyAtOnceAndAgainInItsTime(t *testing.T) {
	d, c, turned := newDoor(Limits{Writes: Rate{3, time.Minute}})
	for range 3 {
		allowed(t, d.Write("a"))
	}
	for range 5 { // being refused costs nothing
		refused(t, d.Write("a"), "writes", 20*time.Second)
	}
	allowed(t, d.Write("b"))
	c.passes(20 * time.Second)
	allowed(t, d.Write("a"))
	refused(t, d.Write("a"), "writes", 20*time.Second)
	c.passes(time.Hour)
	for range 3 {
		allowed(t, d.Write("a"))
	}
	refused(t, d.Write("a"), "writes", 20*time.Second)
	if turned["writes"] != 7 || len(turned) != 1 {
		t.Errorf("told of %v", turned)
	}
}

func TestOnlyWrongSecretsCountAtTheDoor(t *testing.T) {
	d, c, _ := newDoor(Limits{Knocks: Rate{2, time.Minute}})
	for range 10 {
		allowed(t, d.Knock("house", "anna"))
		d.Admitted("anna")
	}
	for range 2 {
		allowed(t, d.Knock("house", "guess"))
		d.Missed("house")
	}
	refused(t, d.Knock("house", "guess"), "knocks", 30*time.Second)
	refused(t, d.Knock("house", "new"), "knocks", 30*time.Second)
	allowed(t, d.Knock("house", "anna")) // who was here before comes in all the same
	allowed(t, d.Knock("elsewhere", "guess"))
	c.passes(30 * time.Second)
	allowed(t, d.Knock("house", "new"))
}

func TestStreamsAreCounted(t *testing.T) {
	d, _, _ := newDoor(Limits{SeatStreams: 2, AddressStreams: 3, Streams: 4})
	open := func(seat, address string) func() {
		t.Helper()
		leave, err := d.Stream(seat, address)
		allowed(t, err)
		return leave
	}
	first := open("a", "x")
	open("a", "x")
	_, err := d.Stream("a", "y")
	refused(t, err, "seat-streams", comeAgain)
	open("b", "x")
	_, err = d.Stream("c", "x")
	refused(t, err, "address-streams", comeAgain)
	open("c", "y")
	_, err = d.Stream("d", "z")
	refused(t, err, "streams", comeAgain)
	first()
	open("d", "z")
	if d.Streams() != 4 {
		t.Errorf("%d streams are open", d.Streams())
	}
}

// briefly is the door for requests that are answered soon.
func briefly(d *Door) func(string) (func(), error) {
	return func(address string) (func(), error) { return d.Request(address, false) }
}

func TestPlacesAreHeldByAddress(t *testing.T) {
	d, _, turned := newDoor(Limits{AtOnce: 2, Files: 1})
	for name, c := range map[string]struct {
		enter func(string) (func(), error)
		most  int
		after time.Duration
	}{"at-once": {briefly(d), 2, soon}, "files": {d.File, 1, comeAgain}} {
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
		_, err := d.Request("x", true)
		allowed(t, err)
	}
	if d.Streams() != 0 {
		t.Errorf("%d streams", d.Streams())
	}
}

func TestADoorRemembersOnlySoMany(t *testing.T) {
	d, c, _ := newDoor(Limits{Writes: Rate{1, time.Minute}})
	d.room = 100
	for i := range 1000 {
		allowed(t, d.Write(fmt.Sprint(i)))
	}
	if len(d.buckets) != 100 || d.order.Len() != 100 {
		t.Fatalf("%d buckets, %d in order; want 100", len(d.buckets), d.order.Len())
	}
	refused(t, d.Write("999"), "writes", time.Minute)
	refused(t, d.Write("900"), "writes", time.Minute)
	allowed(t, d.Write("0")) // forgotten long ago
	c.passes(2 * time.Minute)
	allowed(t, d.Write("new"))
	if len(d.buckets) != 1 {
		t.Errorf("%d buckets are kept that are full again", len(d.buckets)-1)
	}
}

func TestNoLimits(t *testing.T) {
	d, _, turned := newDoor(Limits{})
	for range 100 {
		allowed(t, d.Write("a"))
		allowed(t, d.Table("a"))
		allowed(t, d.Knock("a", "b"))
		d.Missed("a")
		for _, enter := range []func() (func(), error){
			func() (func(), error) { return d.Stream("a", "b") }, func() (func(), error) { return d.Request("a", false) }, func() (func(), error) { return d.File("a") },
		} {
			_, err := enter()
			allowed(t, err)
		}
	}
	if len(turned) > 0 || len(d.buckets) > 0 {
		t.Errorf("turned away %v, remembered %d", turned, len(d.buckets))
	}
}

func TestASeatsKeyHoldsNoSecret(t *testing.T) {
	key := Seat("table", "secret")
	if strings.Contains(key, "secret") || key == Seat("table", "secret2") || key == Seat("table2", "secret") {
		t.Errorf("key %q", key)
	}
}

func TestParse(t *testing.T) {
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
		"on", "writes", "writes=", "writes=0/s", "writes=-1/s", "writes=5", "writes=5/d", "writes=5/", "streams=5/s", "streams=0",
		"streams=1000001", "moves=5/s", "writes=5/s,", "streams=99999999999999999999", "=5",
	} {
		if l, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v; want an error", text, l)
		}
	}
}

func TestSeconds(t *testing.T) {
	for after, want := range map[time.Duration]int{time.Nanosecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, time.Minute: 60} {
		if got := (&Error{After: after}).Seconds(); got != want {
			t.Errorf("%v is %d seconds, want %d", after, got, want)
		}
	}
}
