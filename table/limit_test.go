package table_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// allowance lets each seat write a number of times, and counts.
type allowance struct {
	left  map[string]int // by seat
	asked int
	bytes int
	first func() // runs at the first try
}

func (a *allowance) Write(_, seat string) time.Duration {
	a.asked++
	if first := a.first; first != nil {
		a.first = nil
		first()
	}
	if a.left[seat]--; a.left[seat] < 0 {
		return 3500 * time.Millisecond
	}
	return 0
}

func (a *allowance) Wrote(_, _ string, bytes int) { a.bytes += bytes }

// limited gives the desk a host with a write limit.
func (d *desk) limited(a *allowance) {
	d.t.Helper()
	c := config(d.journal, d.relay)
	c.Writes = a
	d.host.Close()
	d.host = table.New(c)
	d.t.Cleanup(func() { d.host.Close() })
	for _, s := range []**table.Seat{&d.gm, &d.anna, &d.boris, &d.guest} {
		*s = d.enter(d.secrets[(*s).ID()])
	}
}

func (d *desk) talks(s *table.Seat, text, key string) (uint64, error) {
	e, err := table.Do(d.t.Context(), s, act.Talk, act.TalkRequest{Text: text}, key)
	return e.Seq, err
}

func TestWriteLimitStopsOnlyTheSeatThatReachedIt(t *testing.T) {
	d := newDesk(t)
	a := &allowance{left: map[string]int{d.anna.ID(): 3, d.boris.ID(): 1}}
	d.limited(a)
	if _, err := d.talks(d.anna, "one", ""); err != nil {
		t.Fatal(err)
	}
	if a.bytes < 50 {
		t.Errorf("an entry of %d bytes was charged", a.bytes)
	}
	if _, err := d.talks(d.anna, "", ""); code(err) != refusal.CodeInvalid { // counts as a try, too
		t.Fatal(err)
	}
	if _, err := d.anna.RaiseX(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"talk":   func() error { _, err := d.talks(d.anna, "two", ""); return err },
		"move":   func() error { _, err := d.anna.Make(t.Context(), request.Move{Move: "nothing"}); return err },
		"X-card": func() error { _, err := d.anna.RaiseX(t.Context()); return err },
		"attachment": func() error {
			_, err := d.anna.Attach(t.Context(), "picture", "image/png", []byte("x"), "")
			return err
		},
		"other": d.anna.Spend,
	} {
		err := try()
		if often, ok := errors.AsType[*refusal.TooOftenError](err); !ok || often.Seconds() != 4 {
			t.Errorf("%s: %v", name, err)
		}
		if !refusal.IsRefusal(err) {
			t.Errorf("%s is norn's own fault", name)
		}
	}
	if _, err := d.talks(d.boris, "I may", ""); err != nil {
		t.Error(err)
	}
	if _, err := d.anna.View(t.Context()); err != nil {
		t.Error(err)
	}
	free := table.Free(t.Context())
	if _, err := table.Do(free, d.anna, act.Talk, act.TalkRequest{Text: "norn itself"}, ""); err != nil {
		t.Error(err)
	}
}

func TestRetryIsAnsweredDespiteTheWriteLimit(t *testing.T) {
	d := newDesk(t)
	a := &allowance{left: map[string]int{d.anna.ID(): 1, d.boris.ID(): 40}}
	d.limited(a)
	said, err := d.talks(d.anna, "once", "k")
	if err != nil {
		t.Fatal(err)
	}
	again := func(when string) {
		t.Helper()
		asked := a.asked
		if seq, err := d.talks(d.anna, "once", "k"); err != nil || seq != said {
			t.Errorf("%s: entry %d, %v; want %d", when, seq, err, said)
		}
		if _, err := d.talks(d.anna, "another", "k"); code(err) != refusal.CodeTooOften {
			t.Errorf("%s: another request under the key: %v", when, err)
		}
		if when == "while it's recent" && a.asked != asked+1 {
			t.Errorf("the repeated key was counted")
		}
	}
	again("while it's recent")
	for i := range 40 {
		if _, err := d.talks(d.boris, fmt.Sprint("talk ", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	again("when it's in the journal alone")
	if _, err := d.talks(d.anna, "never", "other"); code(err) != refusal.CodeTooOften {
		t.Errorf("a key that stands for nothing: %v", err)
	}
}

// The limit is checked before the turn, so that a seat that floods a table doesn't slow down
// others.
func TestFloodingSeatIsRefusedWithoutBlockingOthers(t *testing.T) {
	d := newDesk(t)
	a := &allowance{left: map[string]int{d.boris.ID(): 1}}
	d.limited(a)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var inside error
	a.first = func() { _, inside = table.Do(ctx, d.boris, act.Talk, act.TalkRequest{Text: "meanwhile"}, "") }
	if _, err := table.Do(ctx, d.anna, act.Talk, act.TalkRequest{Text: "too often"},
		""); code(err) != refusal.CodeTooOften {
		t.Error(err)
	}
	if inside != nil {
		t.Errorf("another seat's write during the question: %v", inside)
	}
}
