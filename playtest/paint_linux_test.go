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

// loads is how often each table's page is opened; what is told is the median.
const loads = 7

// BenchmarkFirstPaint opens a table with a thousand moves of each game, as on a first visit, and tells what the machine
// works for it, in milliseconds: norn for the page (server), the page's main thread until the frame
// that is painted first (first), both of that (wanted: under 300), and the main thread until the
// live connection stands (live), of which parsing, styles, layout, painting and scripts. These are
// times of CPU, which a busy machine stretches much less than a clock's: the time by the clock
// until the first paint stands beside them. It isn't a test, because a slow machine would fail it;
// docs/bench.md has the figures. It is for Linux, which tells what another process works.
//
// NORN_FIRST_PAINT=spire measures one game; TEST_NORN_BINARY=FILE measures a norn that was built before.
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
	b.ReportMetric(0, "ns/op") // which would be that of all loads, and of clearing up between them
}

// works is the CPU that norn takes for a page, as browsers take it from their own machine: a mean of ten.
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

// cpuOf is the CPU that a process has taken so far.
func cpuOf(b *testing.B, pid int) time.Duration {
	b.Helper()
	var taken unix.Timespec
	// The clock of a process has its id, turned round, above three bits, of which 2 stands for CPU.
	if err := unix.ClockGettime(int32(^pid)<<3|2, &taken); err != nil {
		b.Fatal(err)
	}
	return time.Duration(taken.Nano())
}
