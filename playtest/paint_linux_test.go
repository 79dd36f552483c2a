//go:build e2e

package playtest

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// loads is the number of loads of each table's page; the median is reported.
const loads = 7

// BenchmarkFirstPaint opens a table with a thousand moves of each game, as on a first visit, and
// reports the CPU time for it in milliseconds: of norn for the page (server), of the page's main
// thread until the first painted frame (first), of both (wanted: under 300), and of the main thread
// until the live connection is open (live), of which parsing, styles, layout, painting and scripts.
// A busy machine affects CPU times much less than elapsed time; the elapsed time until the first
// paint is reported too. It isn't a test, because a slow machine would fail it; docs/bench.md has
// the figures. It needs Linux, which reports the CPU time of other processes.
//
// NORN_FIRST_PAINT=spire measures one game; TEST_NORN_BINARY=FILE measures a norn that was built
// before.
func BenchmarkFirstPaint(b *testing.B) {
	only := os.Getenv("NORN_FIRST_PAINT")
	for _, play := range plays {
		if only == "" || only == play.game {
			b.Run(play.game, func(b *testing.B) { firstPaint(b, play.game) })
		}
	}
}

func firstPaint(b *testing.B, game string) {
	s := serve(b)
	l := s.long(game, "en", 1000)
	reader := sit(b, "reader", 1440, 900)
	reader.tellsWhenLive()
	figures := map[string][]float64{}
	add := func(name string, d time.Duration) { figures[name] = append(figures[name], d.Seconds()*1000) }
	for b.Loop() {
		for range loads {
			reader.forget(s.url(""), "en")
			one := reader.traced(func() {
				reader.visit(s.url("/t/" + l.id + "/" + l.gm))
				reader.settled()
			})
			page := s.works(b, s.url("/t/"+l.id), l)
			add("server", page)
			add("first", one.first)
			add("server+first", page+one.first)
			add("live", one.live)
			add("clock", one.clock)
			for kind, d := range one.kinds {
				add(kind, d)
			}
		}
	}
	for name, all := range figures {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], "ms-"+name)
	}
	b.ReportMetric(0, "ns/op") // it would be that of all loads, and of the clean-up between them
}

// works returns norn's CPU time for a page as browsers request it from their own machine: a mean of
// ten.
func (s *server) works(b *testing.B, page string, l longTable) time.Duration {
	b.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	get := func(url string) {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "zstd")
		answer, err := client.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(answer.Status, err)
		}
	}
	get(page + "/" + l.gm)
	const times = 10
	before := cpuOf(b, s.process.Process.Pid)
	for range times {
		get(page)
	}
	return (cpuOf(b, s.process.Process.Pid) - before) / times
}

// cpuOf returns the CPU time of a process so far.
func cpuOf(b *testing.B, pid int) time.Duration {
	b.Helper()
	var taken unix.Timespec
	// The id of a process's clock is its inverted pid above three bits, of which 2 means CPU.
	if err := unix.ClockGettime(int32(^pid)<<3|2, &taken); err != nil {
		b.Fatal(err)
	}
	return time.Duration(taken.Nano())
}
