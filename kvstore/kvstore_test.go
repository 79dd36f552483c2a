package kvstore_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
	"norn/kvstore"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	suite(t, func() *kvstore.Store {
		s, err := kvstore.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
}

// suite is what a store promises, whatever it lies in. open opens the same again.
func suite(t *testing.T, open func() *kvstore.Store) {
	s := open()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(s.Put(ctx, kvstore.Item{Scope: "x", ID: "b", Data: "1"}))
	must(s.Put(ctx, kvstore.Item{Scope: "x", ID: "a", Data: "2"}))
	must(s.Put(ctx, kvstore.Item{Scope: "x", ID: "b", Data: "3"}))
	must(s.Put(ctx, kvstore.Item{Scope: "y", ID: "a", Data: "$1 ?1"}))
	must(s.Alter(ctx, kvstore.Item{Scope: "y", ID: "none", Data: "4"}))
	first, err := s.First(ctx, kvstore.Item{ID: "key", Data: "ours"})
	must(err)
	again, err := s.First(ctx, kvstore.Item{ID: "key", Data: "theirs"})
	must(err)
	if first.Data != "ours" || again.Data != "ours" {
		t.Errorf("the first is %v, then %v", first, again)
	}
	all, err := s.All(ctx, "x")
	must(err)
	if diff := cmp.Diff([]kvstore.Item{{"x", "a", "2"}, {"x", "b", "3"}}, all); diff != "" {
		t.Error(diff)
	}
	must(s.Drop(ctx, "x", "a"))
	scopes, err := s.Scopes(ctx)
	must(err)
	if len(scopes) != 2 {
		t.Errorf("scopes %v", scopes)
	}

	at := time.UnixMilli(1_800_000_000_123)
	for i, id := range []string{"x/1", "x/2", "y/1"} {
		added, err := s.Add(ctx, kvstore.Job{ID: id, Scope: id[:1], Due: at.Add(time.Duration(i) * time.Second), Data: id})
		must(err)
		twice, err := s.Add(ctx, kvstore.Job{ID: id, Scope: id[:1], Due: at, Data: "twice"})
		must(err)
		if !added || twice {
			t.Errorf("%s: added %v, twice %v", id, added, twice)
		}
	}
	due, err := s.Due(ctx, 2)
	must(err)
	if len(due) != 2 || due[0].ID != "x/1" || !due[0].Due.Equal(at) || due[0].Data != "x/1" || due[1].ID != "x/2" {
		t.Fatalf("due %+v", due)
	}

	// Of many who claim a job, on several nodes, one gets it.
	nodes := []*kvstore.Store{s, open(), open()}
	var won atomic.Int64
	var all3 sync.WaitGroup
	for i := range 30 {
		all3.Go(func() {
			ours, err := nodes[i%3].Claim(ctx, due[0], at.Add(time.Minute), 1)
			if err != nil {
				t.Error(err)
			}
			if ours {
				won.Add(1)
			}
		})
	}
	all3.Wait()
	if won.Load() != 1 {
		t.Errorf("%d have won", won.Load())
	}
	must(s.Done(ctx, "x/2"))
	due, err = nodes[1].Due(ctx, 10)
	must(err)
	if len(due) != 2 || due[0].ID != "y/1" || due[1].ID != "x/1" || due[1].Tries != 1 {
		t.Errorf("due %+v", due)
	}
	jobs, err := s.Jobs(ctx, "x")
	must(err)
	if len(jobs) != 2 {
		t.Errorf("of x: %+v", jobs)
	}
	must(s.Forget(ctx, "x/2"))
	if added, err := s.Add(ctx, kvstore.Job{ID: "x/2", Scope: "x", Due: at}); err != nil || !added {
		t.Errorf("a forgotten job isn't new: %v", err)
	}
}

// Nodes share one that lies in the PostgreSQL of their tables, which were opened before.
func TestPostgres(t *testing.T) {
	server := pgtest.Run(t, "fsync=off")
	address, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	suite(t, func() *kvstore.Store {
		s, err := kvstore.OpenPostgres(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
	if _, err := kvstore.OpenPostgres(t.Context(), "postgres://hush@nowhere:x"); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("a wrong address: %v", err)
	}
}

func TestOneTakesAndOneSwaps(t *testing.T) {
	s, err := kvstore.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	item := kvstore.Item{Scope: "x", ID: "a", Data: "seen"}
	if err := s.Put(t.Context(), item); err != nil {
		t.Fatal(err)
	}
	if ok, err := s.Swap(t.Context(), kvstore.Item{Scope: "x", ID: "a", Data: "new"}, "other"); ok || err != nil {
		t.Errorf("swapped what it hasn't seen: %v", err)
	}
	if ok, err := s.Swap(t.Context(), kvstore.Item{Scope: "x", ID: "a", Data: "new"}, "seen"); !ok || err != nil {
		t.Errorf("not swapped: %v", err)
	}
	if got, ok, err := s.Take(t.Context(), "x", "a"); !ok || err != nil || got.Data != "new" {
		t.Errorf("took %v, %v, %v", got, ok, err)
	}
	if _, ok, err := s.Take(t.Context(), "x", "a"); ok || err != nil {
		t.Errorf("taken twice, %v", err)
	}
}
