package games_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/odds"
	"norn/rule"
)

// Bounds of one call for odds.
const (
	mostMemory = 64 << 20
	mostTime   = 5 * time.Second // of a quote; far above what it takes, since other tests may run beside
)

// large are the largest calls there are. Whether they're worked out or refused
// is the limits' matter; neither may take much room, or long.
var large = []struct{ game, move, args string }{
	{"mage", "roll", `{"pool":100,"difficulty":6}`},
	{"mage", "extended", `{"pool":30,"difficulty":6,"target":50,"rolls":20}`},
	{"mage", "team", `{"pools":[60,60,60,60,60,60],"difficulty":6}`},
	{"spire", "check", `{"skill":"*","domain":"*","mastery":true,"helpers":9}`},
	{"edda", "contest", `{"pool":99,"against-pool":99,"effort":"always","against-effort":"always"}`},
	{"edda", "joint", `{"pool":30,"others":[30,30,30,30,30,30,30,30,30,30,30],"complexity":40,"each":4,"effort":"always"}`},
	{"eclipse", "opposed", `{"target":120,"against-target":120}`},
	{"godbound", "damage", `{"dice":"40d20","modifier":4}`},
	{"godbound", "fight", `{"hero-hp":30,"hero-ac":5,"hero-bonus":3,"hero-modifier":2,"foes":10,"rounds":6}`},
	{"godbound", "fight", `{"heroes":2,"hero-hp":200,"foes":60,"foe-hd":60,"foe-dice":"12d20","rounds":20}`},
	{"godbound", "fight", `{"heroes":2,"hero-hp":100,"foes":60,"foe-hd":1,"foe-dice":"40d20","rounds":20}`},
	{"godbound", "fight", `{"heroes":1,"hero-hp":60,"foes":20,"foe-hd":1,"rounds":12}`},
}

func TestOddsKeepWithinTheirMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // so that what is seen is hardly more than what lives
	for _, call := range large {
		t.Run(call.game+"-"+call.move, func(t *testing.T) {
			g, _ := game.Find(games.All(), call.game)
			move, _ := g.Move(call.move)
			args, err := move.Decode(move.Form.For(form.Bare), []byte(call.args))
			if err != nil {
				t.Fatal(err)
			}
			scene := game.Scene{Settings: g.Settings.Default}
			price := move.Price(scene, args)
			kinds := make([]odds.Kind, len(move.Outcomes))
			for i, o := range move.Outcomes {
				kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
			}
			for _, branches := range []int{rule.DefaultBranches, odds.QuoteBranches} {
				began := time.Now()
				most := highest(t, func() {
					_, err := odds.Price(t.Context(), price, kinds, nil, rule.Limits{Branches: branches})
					var large *rule.LimitError
					if err != nil && !errors.As(err, &large) {
						t.Fatal(err)
					}
					t.Logf("%d branches at most: %v, %v", branches, time.Since(began).Round(time.Millisecond), err)
				})
				t.Logf("memory %.1f MiB", float64(most)/(1<<20))
				if most > mostMemory {
					t.Errorf("%d branches at most: %d MiB", branches, most>>20)
				}
				if took := time.Since(began); branches == odds.QuoteBranches && took > mostTime {
					t.Errorf("%d branches at most: %v", branches, took)
				}
			}
			began := time.Now()
			if _, err := odds.Simulate(t.Context(), price, kinds, rule.Policy{}, dice.NewStream([32]byte{}), 2000); err != nil {
				t.Fatal(err)
			}
			t.Logf("a simulated run takes %v", time.Since(began)/2000)
		})
	}
}

// highest is how far a call lets the heap grow, looked at every millisecond.
func highest(t *testing.T, call func()) uint64 {
	t.Helper()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	now := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	debug.FreeOSMemory()
	before := now()
	ctx, stop := context.WithCancel(t.Context())
	most := make(chan uint64)
	go func() {
		high := before
		for ctx.Err() == nil {
			high = max(high, now())
			runtime.Gosched()
		}
		most <- high
	}()
	call()
	stop()
	return <-most - before
}
