package models

import (
	"encoding/json"
	"fmt"
	"syscall"
	"testing"
	"time"

	"norn/game"
	"norn/games"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// waiting is a move that asks at once, and acts that are possible while it waits.
type waiting struct {
	move, by string
	args     map[string]any
	acts     func(c *crowd, n int)
}

var waits = map[string]waiting{
	"godbound": {"power", "c3", map[string]any{
		"name": "Roar", "does": "hinder", "targets": []string{"c1"}, "timing": "instant",
	}, func(c *crowd, n int) {
		if n%2 == 0 {
			c.instantly("commit", "c1", map[string]any{"for": "vow", "until": "sustained"})
		} else {
			c.instantly("release", "c1", map[string]any{"commitment": "0"})
		}
	}},
	"mage": {"resisted", "c1", map[string]any{"attribute": "wits", "against": "c2"}, func(c *crowd, n int) {
		c.instantly([]string{"spend", "gain"}[n%2], "c2", map[string]any{"points": "paradox", "amount": 1})
	}},
	"eclipse": {"opposed", "c1", map[string]any{"on": "skill:guns", "against": "c2"}, func(c *crowd, n int) {
		c.writes("c2", map[string]any{"wounds": n % 2})
	}},
	"edda": {"contest", "c1", map[string]any{"against": "c2"}, func(c *crowd, n int) {
		c.writes("c2", map[string]any{"experience": n % 2})
	}},
	"spire": {"day", "", map[string]any{}, func(c *crowd, n int) {
		c.writes("c2", map[string]any{"stress": map[string]any{"blood": n % 2}})
	}},
}

// writes edits a sheet by hand.
func (c *crowd) writes(who string, sheet map[string]any) {
	c.t.Helper()
	data, err := json.Marshal(sheet)
	must(c.t, err)
	_, err = table.Do(c.t.Context(), c.gm, act.ChangeCharacter, act.ChangeRequest{ID: who, Sheet: data}, "")
	must(c.t, err)
}

// besides is how many acts are made.
const besides = 50

// BenchmarkActsBesideAQuestion acts with somebody about whom a question is open before it's answered, and as often
// after it. It reports the least CPU time of each, in ms an act, and their ratio.
func BenchmarkActsBesideAQuestion(b *testing.B) {
	for _, id := range []string{"spire", "edda", "godbound", "mage", "eclipse"} {
		b.Run(id, func(b *testing.B) {
			g, _ := game.Find(games.All(), id)
			least := map[bool]float64{}
			for n := range b.N {
				for _, open := range []bool{n%2 == 0, n%2 > 0} {
					c := &crowd{evening: begin(b, g, crowds[id](), uint64(n+1)), refused: map[string]int{}}
					if took := c.waits(waits[id], open); n == 0 || took < least[open] {
						least[open] = took
					}
				}
			}
			during, after := least[true], least[false]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(during, "ms-during")
			b.ReportMetric(after, "ms-after")
			b.ReportMetric(during/after, "ratio")
		})
	}
}

// waits makes the acts while the move waits, or once it's done, and returns the CPU time of one in ms.
func (c *crowd) waits(w waiting, open bool) float64 {
	must(c.t, c.make(w.move, w.by, w.args))
	if len(c.view().Questions) == 0 {
		c.t.Fatal("nobody is asked")
	}
	if !open {
		c.finish()
	}
	began := spent(c.t)
	for n := range besides {
		w.acts(c, n)
	}
	took := float64((spent(c.t) - began).Microseconds()) / 1000 / besides
	if c.instants != besides && c.instants != 0 || len(c.refused) > 0 {
		c.t.Fatalf("%d acts, refused %v", c.instants, c.refused)
	}
	c.finish()
	return took
}

// finish answers all questions by default.
func (c *crowd) finish() {
	for range 20 {
		open := c.view().Questions
		if len(open) == 0 {
			return
		}
		given := "{}"
		if open[0].Question == "dice" {
			given = `{"roll":true}`
		}
		_, err := c.seat(c.owners[open[0].To]).Answer(c.t.Context(),
			request.Answer{Question: open[0].ID, Answer: json.RawMessage(given)})
		must(c.t, err)
	}
	c.t.Fatal(fmt.Sprint("it asks on: ", c.asked()))
}

// spent returns the CPU time of this process.
func spent(t testing.TB) time.Duration {
	var u syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
