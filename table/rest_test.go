package table_test

import (
	"context"
	"testing"
	"time"

	"norn/lang"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// A watched table in which nothing happens leaves memory, and is loaded again for the next request.
func TestConcurrentlyWatchedIdleTablesLeaveMemory(t *testing.T) {
	d := newDeskOver(t, newMemory())
	c := config(d.journal, d.relay)
	now := newClock()
	c.Now = now.Now
	d.host = table.New(c)
	d.gm, d.anna, d.boris = d.enter(d.secrets["s1"]), d.enter(d.secrets[d.anna.ID()]), d.enter(d.secrets[d.boris.ID()])
	before := d.view(d.boris)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	updates := make(chan view.Update, 10)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		for u, err := range d.boris.Watch(ctx, before.Seq) {
			if err != nil {
				t.Error(err)
				return
			}
			if u.Entry != nil {
				updates <- u
			}
		}
	}()
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	first := <-updates
	for range 3 {
		now.add(time.Hour)
		// a request for another table
		if _, err := d.host.Enter(t.Context(), "bbbbbbbbbbbbbbbb", "x", lang.En); code(err) != refusal.CodeNotFound {
			t.Fatal(err)
		}
		if !d.host.Rests(d.id) {
			t.Fatal("it's still in memory")
		}
		made := d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
		if second := <-updates; second.Seq != made.Entry.Seq || second.Seq != first.Seq+1 {
			t.Errorf("told of %d after %d, made %d", second.Seq, first.Seq, made.Entry.Seq)
		} else {
			first = second
		}
		if d.host.Rests(d.id) {
			t.Error("it rests while something happens")
		}
	}
	cancel()
	<-watching
}
