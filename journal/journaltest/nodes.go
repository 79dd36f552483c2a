package journaltest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"norn/journal"
)

func followers(t *testing.T, open Open) {
	follow(t, []journal.Journal{openJournal(t, open)})
}

func nodesFollow(t *testing.T, nodes []journal.Journal) { follow(t, nodes) }

// follow starts readers while several writers append entries. Each reader continues from its
// position and must see every entry once, in order.
func follow(t *testing.T, nodes []journal.Journal) {
	const appends, readers = 60, 6
	written := make(chan struct{}) // closed at the end of writing
	heard := make([]chan struct{}, readers)
	for i := range heard {
		heard[i] = make(chan struct{}, 1) // wakes a reader; a signal may get lost
	}
	var all sync.WaitGroup
	for i := range readers {
		all.Go(func() {
			j := nodes[i%len(nodes)]
			last := uint64(0)
			for done := false; ; {
				entries, err := j.Read(context.Background(), "t", last, i%3*4)
				if err != nil {
					t.Error(err)
					return
				}
				for _, e := range entries {
					if e.Seq != last+1 || string(e.Body) != fmt.Sprint(e.Seq) {
						t.Errorf("reader %d: after entry %d came %d with %q", i, last, e.Seq, e.Body)
						return
					}
					last = e.Seq
				}
				if len(entries) > 0 {
					continue
				}
				if done {
					break
				}
				select {
				case <-heard[i]:
				case <-written: // read once more
					done = true
				}
			}
			if heads, err := j.Tables(context.Background()); err != nil || heads[0].Seq != last {
				t.Errorf("reader %d ended at entry %d of %v (%v)", i, last, heads, err)
			}
		})
	}
	last := uint64(0)
	for n := range appends {
		var entries []journal.Entry
		for range 1 + n%3 {
			e := entry(n)
			e.Body = fmt.Append(nil, last+uint64(len(entries))+1)
			entries = append(entries, e)
		}
		mustAppend(t, nodes[n%len(nodes)], "t", last, entries...)
		last += uint64(len(entries))
		select {
		case heard[n%readers] <- struct{}{}:
		default:
		}
	}
	close(written)
	all.Wait()
}

func oneNodeWins(t *testing.T, nodes []journal.Journal) {
	const rounds = 15
	for round := range uint64(rounds) {
		errs := make([]error, len(nodes))
		together(len(nodes), func(i int) {
			_, errs[i] = nodes[i].Append(context.Background(), "t", round, entry(i))
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			same(
				t,
				"loser",
				wantErr[*journal.ConflictError](t, err),
				&journal.ConflictError{Table: "t", Expected: round, Have: round + 1},
			)
		}
		if won != 1 {
			t.Fatalf("%d of %d nodes won round %d", won, len(nodes), round)
		}
	}
	unbroken(t, nodes[0], "t")
}

func oneKeyOfNodes(t *testing.T, nodes []journal.Journal) {
	const rounds = 10
	for round := range rounds {
		key := fmt.Sprint("key-", round)
		stood := make([]journal.Entry, len(nodes))
		fresh := make([]bool, len(nodes))
		together(len(nodes), func(i int) {
			got, err := push(context.Background(), nodes[i], "t", 0, entryWithKey(i, "gm", key))
			var twice *journal.DuplicateError
			switch {
			case err == nil:
				stood[i], fresh[i] = got[0], true
			case errors.As(err, &twice):
				stood[i] = twice.Entry
			default:
				t.Errorf("node %d: %v", i, err)
			}
		})
		won := 0
		for i := range nodes {
			same(t, "what stands", stood[i], stood[0])
			if fresh[i] {
				won++
			}
		}
		if won != 1 {
			t.Fatalf("the key was taken %d times in round %d", won, round)
		}
	}
	if keys := unbroken(t, nodes[0], "t"); len(keys) != rounds {
		t.Errorf("%d keys stand, want %d", len(keys), rounds)
	}
}

// manyNodes makes all nodes write to all tables at once, in different orders, including new tables:
// no node may lock another one out.
func manyNodes(t *testing.T, nodes []journal.Journal) {
	const tables, entries = 12, 6
	together(len(nodes)*tables, func(i int) {
		node, table := i%len(nodes), fmt.Sprintf("t%02d", (i/len(nodes)*(i%len(nodes)*2+1))%tables)
		for n := range entries {
			if _, err := push(context.Background(), nodes[node], table, uint64(n),
				entryWithKey(n, "gm", fmt.Sprint(i, "-", n))); err != nil {
				t.Errorf("node %d, table %s: %v", node, table, err)
			}
		}
	})
	sum := 0
	heads, err := nodes[0].Tables(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range heads {
		sum += len(unbroken(t, nodes[1], h.Table))
	}
	if want := len(nodes) * tables * entries; sum != want {
		t.Errorf("%d entries stand, want %d", sum, want)
	}
}
