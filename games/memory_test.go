package games_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/odds"
	"norn/rule"
)

// large are the most expensive calls. The limits determine whether they're computed or refused.
var large = []struct{ game, move, args string }{
	{"mage", "roll", `{"pool":100,"difficulty":6}`},
	{"mage", "extended", `{"pool":30,"difficulty":6,"target":50,"rolls":20}`},
	{"mage", "team", `{"pools":[60,60,60,60,60,60],"difficulty":6}`},
	{"spire", "check", `{"skill":"*","domain":"*","mastery":true,"helpers":9}`},
	{"edda", "contest", `{"pool":99,"against-pool":99,"effort":"always","against-effort":"always"}`},
	{
		"edda",
		"joint",
		`{"pool":30,"others":[30,30,30,30,30,30,30,30,30,30,30],"complexity":40,"each":4,"effort":"always"}`,
	},
	{"eclipse", "opposed", `{"target":120,"against-target":120}`},
	{"godbound", "damage", `{"dice":"40d20","modifier":4}`},
	{"godbound", "fight", `{"hero-hp":30,"hero-ac":5,"hero-bonus":3,"hero-modifier":2,"foes":10,"rounds":6}`},
	{"godbound", "fight", `{"heroes":2,"hero-hp":200,"foes":60,"foe-hd":60,"foe-dice":"12d20","rounds":20}`},
	{"godbound", "fight", `{"heroes":2,"hero-hp":100,"foes":60,"foe-hd":1,"foe-dice":"40d20","rounds":20}`},
	{"godbound", "fight", `{"heroes":1,"hero-hp":60,"foes":20,"foe-hd":1,"rounds":12}`},
}

// BenchmarkLargestOdds reports the time and the memory (MiB above the start) of the most expensive
// calls, by the limit of branches of a quote and of a price.
func BenchmarkLargestOdds(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // so that the heap is hardly larger than its live part
	for _, call := range large {
		g, _ := game.Find(games.All(), call.game)
		move, _ := g.Move(call.move)
		args, err := move.Decode(move.Form.For(form.Bare), []byte(call.args))
		if err != nil {
			b.Fatal(err)
		}
		price := move.Price(game.Scene{Settings: g.Settings.Default}, args)
		kinds := make([]odds.Kind, len(move.Outcomes))
		for i, o := range move.Outcomes {
			kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
		}
		for _, branches := range []int{rule.DefaultBranches, odds.QuoteBranches} {
			b.Run(fmt.Sprintf("%s-%s/%d", call.game, call.move, branches), func(b *testing.B) {
				most := uint64(0)
				for range b.N {
					most = max(most, highest(b, func() {
						_, err := odds.Price(b.Context(), price, kinds, nil, rule.Limits{Branches: branches})
						var large *rule.LimitError
						if err != nil && !errors.As(err, &large) {
							b.Fatal(err)
						}
					}))
				}
				b.ReportMetric(float64(most)/(1<<20), "MiB")
			})
		}
	}
}

// highest returns how far a call lets the heap grow, sampled every millisecond.
func highest(b *testing.B, call func()) uint64 {
	b.Helper()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	now := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	debug.FreeOSMemory()
	before := now()
	ctx, stop := context.WithCancel(b.Context())
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
