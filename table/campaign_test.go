package table_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// Sizes of the compared campaigns, in entries.
const (
	short = 1_000
	long  = 100_000
)

// campaign is a table of Mage that was played for long: rolls, some of them secret or undone,
// messages and changed sheets.
type campaign struct {
	id, gm  string
	hero    string
	entries []journal.Entry
}

var playedMage = sync.OnceValue(func() *game.Game {
	g, _ := game.Find(games.All(), "mage")
	return g
})

var spokenMage = sync.OnceValue(func() *lang.Words {
	w, err := lang.Load(table.Words, form.Words, widget.Words, playedMage().Words)
	if err != nil {
		panic(err)
	}
	return w
})

func mageHost(j journal.Journal) *table.Host {
	c := config(j, local.New())
	c.Games, c.Words, c.Now = game.Fixed{playedMage()}, spokenMage(), time.Now
	return table.New(c)
}

var played100000 = sync.OnceValues(func() (c campaign, err error) {
	ctx, j := context.Background(), newMemory()
	h := mageHost(j)
	defer h.Close()
	created, err := h.Create(ctx, request.NewTable{Game: "mage", Name: "Ten years", Lang: lang.En})
	if err != nil {
		return c, err
	}
	c.id, c.gm = created.ID, created.Seat.Secret
	gm, err := h.Enter(ctx, c.id, c.gm, lang.En)
	if err != nil {
		return c, err
	}
	for i := range 5 {
		if _, err := table.Do(ctx, gm, act.AddCharacter,
			act.CharacterRequest{Name: fmt.Sprint("Hero ", i+1), Kind: "character"}, ""); err != nil {
			return c, err
		}
	}
	for n := 0; len(j.entries[c.id]) < long; n++ {
		c.hero = fmt.Sprint("c", 1+n%5)
		made, err := gm.Make(ctx, request.Move{
			Move: "roll", Character: c.hero,
			Args: raw(`{"alone":"willpower","difficulty":6}`), Secret: n%20 == 3,
		})
		if err != nil {
			return c, err
		}
		switch {
		case n%50 == 7:
			_, err = table.Do(ctx, gm, act.Undo, act.UndoRequest{Seq: int(made.Entry.Seq)}, "")
		case n%5 == 1:
			_, err = table.Do(ctx, gm, act.Talk, act.TalkRequest{Text: "What was said at table " + fmt.Sprint(n)}, "")
		case n%25 == 2:
			name := fmt.Sprint("Hero the ", n)
			_, err = table.Do(ctx, gm, act.ChangeCharacter, act.ChangeRequest{ID: c.hero, Name: &name}, "")
		}
		if err != nil {
			return c, err
		}
	}
	c.entries = j.entries[c.id]
	return c, nil
})

// ground is a campaign in a journal, with a snapshot.
type ground struct {
	campaign
	n       int
	journal journal.Journal
}

func (c campaign) in(b *testing.B, j journal.Journal, n int) ground {
	b.Helper()
	for at := 0; at < n; at += 5000 {
		if _, err := j.Append(b.Context(), c.id, uint64(at), c.entries[at:min(at+5000, n)]...); err != nil {
			b.Fatal(err)
		}
	}
	g := ground{c, n, j}
	h := mageHost(j)
	defer h.Close()
	g.enter(b, h)
	for {
		if _, err := j.Snapshot(b.Context(), c.id); err == nil {
			return g
		}
		runtime.Gosched()
	}
}

func (g ground) enter(b *testing.B, h *table.Host) *table.Seat {
	b.Helper()
	s, err := h.Enter(b.Context(), g.id, g.gm, lang.En)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// looks requests what a page requests.
func (g ground) looks(b *testing.B, h *table.Host) *table.Seat {
	b.Helper()
	s := g.enter(b, h)
	_, err := s.View(b.Context())
	if err == nil {
		_, err = s.Last(b.Context(), 20)
	}
	if err == nil {
		_, err = s.SecretEntries(b.Context(), 10)
	}
	if err == nil {
		_, err = s.Tally(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// memory returns how much memory a table uses after somebody has looked at it.
func (g ground) memory(b *testing.B) float64 {
	const hosts = 20
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, all := heap(), make([]*table.Host, hosts)
	for i := range all {
		all[i] = mageHost(g.journal)
		g.looks(b, all[i])
	}
	held := float64(heap()-before) / hosts
	for _, h := range all {
		h.Close()
	}
	return held
}

// timed returns the median time that do takes for each ground, measured in alternation.
func timed(b *testing.B, times int, grounds []ground, do func(g ground) time.Duration) []float64 {
	b.Helper()
	took := make([][]float64, len(grounds))
	for range times {
		for i, g := range grounds {
			took[i] = append(took[i], float64(do(g).Nanoseconds()))
		}
	}
	medians := make([]float64, len(grounds))
	for i := range took {
		slices.Sort(took[i])
		medians[i] = took[i][len(took[i])/2]
	}
	return medians
}

// opener returns a function that opens a new journal of a kind.
func opener(b *testing.B, kind string) func() (journal.Journal, error) {
	if kind == "sqlite" {
		return func() (journal.Journal, error) { return sqlite.Open(b.Context(), b.TempDir()) }
	}
	server, err := pgtest.Start()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { server.Stop() })
	return func() (journal.Journal, error) {
		address, err := server.Database(b.Context())
		if err != nil {
			return nil, err
		}
		return postgres.Open(b.Context(), address)
	}
}

// BenchmarkCampaign compares a table of 100,000 entries with one of 1,000, in time and memory. The
// ratios are of one run.
func BenchmarkCampaign(b *testing.B) {
	c, err := played100000()
	if err != nil {
		b.Fatal(err)
	}
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			open := opener(b, kind)
			var grounds []ground
			for _, n := range []int{short, long} {
				j, err := open()
				if err != nil {
					b.Fatal(err)
				}
				defer j.Close()
				grounds = append(grounds, c.in(b, j, n))
			}
			seats := map[int]*table.Seat{}
			for _, g := range grounds {
				h := mageHost(g.journal)
				defer h.Close()
				seats[g.n] = g.looks(b, h)
			}
			b.ResetTimer()
			for b.Loop() {
				var rows strings.Builder
				row := func(name, unit string, by float64, of []float64) {
					b.ReportMetric(of[1]/of[0], name+"-ratio")
					fmt.Fprintf(&rows, "\n%-12s %10.2f %10.2f %s, ratio %.2f", name, of[0]/by, of[1]/by, unit,
						of[1]/of[0])
				}
				row("first-look", "ms", 1e6, timed(b, 15, grounds, func(g ground) time.Duration {
					h := mageHost(g.journal)
					defer h.Close()
					began := time.Now()
					g.looks(b, h)
					return time.Since(began)
				}))
				row("memory", "KiB", 1024, []float64{grounds[0].memory(b), grounds[1].memory(b)})
				row("move", "µs", 1e3, timed(b, 200, grounds, func(g ground) time.Duration {
					began := time.Now()
					if _, err := seats[g.n].Make(b.Context(),
						request.Move{
							Move: "roll", Character: "c1",
							Args: raw(`{"alone":"willpower","difficulty":6}`),
						}); err != nil {
						b.Fatal(err)
					}
					return time.Since(began)
				}))
				for _, at := range []string{"beginning", "middle", "end"} {
					row(at, "µs", 1e3, timed(b, 100, grounds, func(g ground) time.Duration {
						after := map[string]int{"beginning": 0, "middle": g.n / 2, "end": g.n - 100}[at]
						began := time.Now()
						if found, err := seats[g.n].Log(b.Context(), uint64(after), 100); err != nil ||
							len(found) != 100 {
							b.Fatal(len(found), err)
						}
						return time.Since(began)
					}))
				}
				view, err := seats[long].View(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				found, err := seats[long].Find(b.Context(), request.Search{Text: "nowhere to be found"})
				if err != nil || !found.More {
					b.Fatal(found, err)
				}
				fmt.Fprintf(&rows, "\na search of %d entries answers after %v", view.Seq-found.Looked,
					time.Since(began).Round(time.Millisecond))
				b.Log(rows.String())
			}
		})
	}
}

// BenchmarkYear compares the memory of open tables with a year's entries and of new ones, after
// somebody has looked at them and while they rest.
func BenchmarkYear(b *testing.B) {
	c, err := played100000()
	if err != nil {
		b.Fatal(err)
	}
	const tables, year = 50, 12 * 288
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for b.Loop() {
		for _, n := range []int{6, year} { // 6 entries add the five characters of a new table
			j := newMemory()
			var grounds []ground
			for i := range tables {
				g := ground{c, n, j}
				g.id = strings.Repeat("a", 13) +
					string([]byte{byte('a' + i/26/26), byte('a' + i/26%26), byte('a' + i%26)})
				for _, e := range c.entries[:n] {
					e.Table = g.id
					j.entries[g.id] = append(j.entries[g.id], e)
				}
				grounds = append(grounds, g)
			}
			warm := mageHost(j)
			for _, g := range grounds {
				g.looks(b, warm)
			}
			for n == year && len(j.snapshots) < tables {
				runtime.Gosched()
			}
			warm.Close()
			before := heap()
			h := mageHost(j)
			for _, g := range grounds {
				g.looks(b, h)
			}
			name := map[int]string{6: "new", year: "year"}[n]
			b.ReportMetric((heap()-before)/tables/1024, "KiB/"+name)
			if n == year && os.Getenv("NORN_HEAP") != "" {
				f, _ := os.Create(os.Getenv("NORN_HEAP"))
				pprof.WriteHeapProfile(f)
				f.Close()
			}
			h.RestAll()
			b.ReportMetric((heap()-before)/tables/1024, "KiB/"+name+"-at-rest")
			h.Close()
		}
	}
}
