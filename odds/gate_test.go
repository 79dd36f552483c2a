package odds_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"norn/odds"
)

func TestGateTurnsAwayClientsThatWaitTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := odds.NewGate(3, 2, time.Second)
		enter := func(who string) func() {
			t.Helper()
			leave, err := g.Enter(t.Context(), who, who)
			if err != nil {
				t.Fatalf("%s: %v", who, err)
			}
			return leave
		}
		crowded := func(who string, own bool) {
			t.Helper()
			began := time.Now()
			_, err := g.Enter(t.Context(), who, who)
			full := (*odds.CrowdedError)(nil)
			if !errors.As(err, &full) || full.Own != own || full.After <= 0 {
				t.Errorf("%s: %v, want turned away, own %v", who, err, own)
			}
			if waited := time.Since(began); waited != time.Second {
				t.Errorf("%s waited %v", who, waited)
			}
		}
		first, second := enter("anna"), enter("anna")
		crowded("anna", true)
		third := enter("boris")
		crowded("boris", false)
		first()
		fourth := enter("boris")
		second()
		third()
		fourth()
		for range 3 { // no place was lost
			defer enter("clara-" + time.Now().String())()
			time.Sleep(time.Millisecond) // gives each iteration another name; in a bubble it takes no time
		}
	})
}

// A crowd at one address must not keep others waiting.
func TestConcurrentCrowdOfOneAddressLeavesAPlaceToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := odds.NewGate(4, 2, time.Second)
		for _, who := range []string{"anna", "anna", "boris"} {
			leave, err := g.Enter(t.Context(), "house", who)
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		var crowd sync.WaitGroup
		for range 50 {
			crowd.Go(func() {
				_, err := g.Enter(t.Context(), "house", "clara")
				if full := (*odds.CrowdedError)(nil); !errors.As(err, &full) || !full.Own {
					t.Errorf("one more from the house: %v", err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		leave, err := g.Enter(t.Context(), "elsewhere", "dan")
		if err != nil || time.Since(began) > 0 {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		leave()
		crowd.Wait()
	})
}

func TestClientWaitsWhileTheGateIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := odds.NewGate(1, 1, time.Minute)
		leave, err := g.Enter(t.Context(), "anna", "anna")
		if err != nil {
			t.Fatal(err)
		}
		gone, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := g.Enter(gone, "boris", "boris"); !errors.Is(err, context.Canceled) {
			t.Errorf("who went away: %v", err)
		}
		time.AfterFunc(time.Second, leave)
		leave, err = g.Enter(t.Context(), "boris", "boris")
		if err != nil {
			t.Fatalf("who waited: %v", err)
		}
		leave()
	})
}

// The number of clients inside must never exceed the places.
func TestConcurrentClientsNeverExceedThePlaces(t *testing.T) {
	g := odds.NewGate(3, 2, time.Minute)
	var inside, most atomic.Int32
	var of [4]atomic.Int32
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			who := i % len(of)
			leave, err := g.Enter(t.Context(), string(rune('a'+who)), string(rune('a'+who)))
			if err != nil {
				t.Error(err)
				return
			}
			if n := of[who].Add(1); n > 2 {
				t.Errorf("%d of one inside", n)
			}
			if n := inside.Add(1); n > 3 {
				t.Errorf("%d inside", n)
			} else if n > most.Load() {
				most.Store(n)
			}
			time.Sleep(10 * time.Microsecond) // keeps the place for a moment
			inside.Add(-1)
			of[who].Add(-1)
			leave()
		})
	}
	all.Wait()
	if most.Load() < 2 {
		t.Errorf("only %d at a time", most.Load())
	}
}

func TestAskerIsAnAddressOrItsIPv6Network(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:4711": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.7]:1": "192.0.2.7", "pipe": "pipe",
	} {
		if got := odds.Asker(address); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

// Work ends in time, returns its place and is counted.
func TestWorkEndsInTimeAndGivesItsPlaceBack(t *testing.T) {
	wrong := errors.New("wrong")
	for _, c := range []struct {
		how  string
		work func(context.Context) error
		want error
	}{
		{"", func(context.Context) error { return nil }, nil},
		{"refused", func(context.Context) error { return wrong }, wrong},
		{"late", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			g, how := odds.NewGate(1, 1, time.Second), ""
			g.Count = func(said string) { how = said }
			began := time.Now()
			if err := g.Work(t.Context(), "house", "anna", c.work); how != c.how || !errors.Is(err, c.want) {
				t.Errorf("%q, %v; want %q, %v", how, err, c.how, c.want)
			}
			if took := time.Since(began); took > odds.MostWork {
				t.Errorf("it took %v", took)
			}
			leave, err := g.Enter(t.Context(), "anna", "anna")
			if err != nil {
				t.Fatalf("its place wasn't given back: %v", err)
			}
			defer leave()
			if err := g.Work(t.Context(), "house", "boris", c.work); how != "crowded" || err == nil {
				t.Errorf("without a place: %q, %v", how, err)
			}
		})
	}
}

// Only one client works with much memory at a time, and an address has only one in the queue. So
// another address waits for at most one picture.
func TestConcurrentAddressesDontHoldUpEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := odds.NewGate(2, 1, time.Second)
		var order []string
		var mu sync.Mutex
		var all sync.WaitGroup
		alone := func(from string) {
			leave, err := g.Alone(t.Context(), from)
			if err != nil {
				t.Errorf("%s: %v", from, err)
				return
			}
			mu.Lock()
			order = append(order, from)
			mu.Unlock()
			time.Sleep(2 * time.Second) // works; in a bubble it takes no time
			leave()
		}
		for _, from := range []string{"house", "house", "house", "house", "other"} {
			all.Go(func() { alone(from) })
			synctest.Wait()
		}
		all.Wait()
		if len(order) != 5 || order[1] != "other" {
			t.Errorf("they came in the order %v", order)
		}
	})
}

// Expensive work of one address leaves a core to the others, be it odds, a picture or a long body.
func TestExpensiveWorkOfAnAddressLeavesACoreToOthers(t *testing.T) {
	for name, take := range map[string]func(g *odds.Gate, ctx context.Context, from string) (func(), error){
		"odds": func(g *odds.Gate, ctx context.Context, from string) (func(), error) {
			return g.Enter(ctx, from, "anna")
		},
		"a picture":   (*odds.Gate).Alone,
		"a long body": (*odds.Gate).Read,
	} {
		synctest.Test(t, func(t *testing.T) {
			g := odds.NewGate(2, 1, time.Second)
			leave, err := take(g, t.Context(), "house")
			if err != nil {
				t.Fatal(err)
			}
			for what, again := range map[string]func() (func(), error){
				"odds":        func() (func(), error) { return g.Enter(t.Context(), "house", "boris") },
				"a picture":   func() (func(), error) { return g.Alone(t.Context(), "house") },
				"a long body": func() (func(), error) { return g.Read(t.Context(), "house") },
			} {
				var crowded *odds.CrowdedError
				if _, err := again(); !errors.As(err, &crowded) || !crowded.Own {
					t.Errorf("%s beside %s: %v", what, name, err)
				}
			}
			for _, other := range []string{"next door", "elsewhere"} { // long bodies hold up nobody else
				left, err := g.Read(t.Context(), other)
				if err != nil {
					t.Errorf("beside %s of another address: %v", name, err)
					continue
				}
				defer left()
			}
			leave()
			if left, err := g.Read(t.Context(), "house"); err != nil {
				t.Errorf("after %s: %v", name, err)
			} else {
				left()
			}
		})
	}
}
