package kvstore_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/internal/kvstore"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
)

func TestAStoreInAFileKeepsItemsAndJobs(t *testing.T) {
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

// suite tests a store, wherever it stores its data. open opens the same store again.
func suite(t *testing.T, open func() *kvstore.Store) {
	c := &checks{nodes: []*kvstore.Store{open(), open(), open()}}
	t.Run("items are put, altered, dropped and listed", c.items)
	t.Run("jobs are added once and due in order", c.jobs)
	t.Run("of many who claim a job, on several nodes, one gets it", c.claims)
	t.Run("what is done isn't due, and can be added again when it's forgotten", c.doneAndForgotten)
}

// checks run on one store, which several nodes have open. Each depends on the previous ones.
type checks struct {
	nodes []*kvstore.Store
	first kvstore.Job // due before all others
}

// jobsDue is the time when the first job is due.
var jobsDue = time.UnixMilli(1_800_000_000_123)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *checks) items(t *testing.T) {
	s, ctx := c.nodes[0], t.Context()
	must(t, s.Put(ctx, kvstore.Item{Scope: "x", ID: "b", Data: "1"}))
	must(t, s.Put(ctx, kvstore.Item{Scope: "x", ID: "a", Data: "2"}))
	must(t, s.Put(ctx, kvstore.Item{Scope: "x", ID: "b", Data: "3"}))
	must(t, s.Put(ctx, kvstore.Item{Scope: "y", ID: "a", Data: "$1 ?1"}))
	must(t, s.Alter(ctx, kvstore.Item{Scope: "y", ID: "none", Data: "4"}))
	first, err := s.First(ctx, kvstore.Item{ID: "key", Data: "ours"})
	must(t, err)
	again, err := s.First(ctx, kvstore.Item{ID: "key", Data: "theirs"})
	must(t, err)
	if first.Data != "ours" || again.Data != "ours" {
		t.Errorf("the first is %v, then %v", first, again)
	}
	all, err := s.All(ctx, "x")
	must(t, err)
	if diff := cmp.Diff([]kvstore.Item{{"x", "a", "2"}, {"x", "b", "3"}}, all); diff != "" {
		t.Error(diff)
	}
	must(t, s.Drop(ctx, "x", "a"))
	scopes, err := s.Scopes(ctx)
	must(t, err)
	if len(scopes) != 2 {
		t.Errorf("scopes %v", scopes)
	}
}

func (c *checks) jobs(t *testing.T) {
	s, ctx := c.nodes[0], t.Context()
	for i, id := range []string{"x/1", "x/2", "y/1"} {
		added, err := s.Add(ctx, kvstore.Job{
			ID: id, Scope: id[:1], Due: jobsDue.Add(time.Duration(i) * time.Second),
			Data: id,
		})
		must(t, err)
		twice, err := s.Add(ctx, kvstore.Job{ID: id, Scope: id[:1], Due: jobsDue, Data: "twice"})
		must(t, err)
		if !added || twice {
			t.Errorf("%s: added %v, twice %v", id, added, twice)
		}
	}
	due, err := s.Due(ctx, 2)
	must(t, err)
	if len(due) != 2 || due[0].ID != "x/1" || !due[0].Due.Equal(jobsDue) || due[0].Data != "x/1" || due[1].ID != "x/2" {
		t.Fatalf("due %+v", due)
	}
	c.first = due[0]
}

func (c *checks) claims(t *testing.T) {
	ctx := t.Context()
	var won atomic.Int64
	var claimants sync.WaitGroup
	for i := range 30 {
		claimants.Go(func() {
			ours, err := c.nodes[i%3].Claim(ctx, c.first, jobsDue.Add(time.Minute), 1)
			if err != nil {
				t.Error(err)
			}
			if ours {
				won.Add(1)
			}
		})
	}
	claimants.Wait()
	if won.Load() != 1 {
		t.Errorf("%d have won", won.Load())
	}
}

func (c *checks) doneAndForgotten(t *testing.T) {
	s, ctx := c.nodes[0], t.Context()
	must(t, s.FinishJob(ctx, "x/2"))
	due, err := c.nodes[1].Due(ctx, 10)
	must(t, err)
	if len(due) != 2 || due[0].ID != "y/1" || due[1].ID != "x/1" || due[1].Tries != 1 {
		t.Errorf("due %+v", due)
	}
	jobs, err := s.Jobs(ctx, "x")
	must(t, err)
	if len(jobs) != 2 {
		t.Errorf("of x: %+v", jobs)
	}
	must(t, s.Forget(ctx, "x/2"))
	if added, err := s.Add(ctx, kvstore.Job{ID: "x/2", Scope: "x", Due: jobsDue}); err != nil || !added {
		t.Errorf("a forgotten job isn't new: %v", err)
	}
}

// Nodes share a store in the PostgreSQL of their tables, which were opened before.
func TestAStoreInPostgreSQLKeepsItemsAndJobs(t *testing.T) {
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
	if _, err := kvstore.OpenPostgres(t.Context(), "postgres://hush@nowhere:x"); err == nil ||
		strings.Contains(err.Error(), "hush") {
		t.Errorf("a wrong address: %v", err)
	}
}

func TestSwapNeedsTheSeenValueAndTakeWorksOnce(t *testing.T) {
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
