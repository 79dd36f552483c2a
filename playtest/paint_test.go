package playtest

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// A table of a thousand entries opens with the newest part of its log, and leads to what was before.
func TestALongTableShowsItsEnd(t *testing.T) {
	s := serve(t)
	l := s.talkedAt(1000)
	reader := sit(t, "reader", 390, 800)
	reader.visit(s.url("/t/" + l.id + "/" + l.gm))
	reader.sees("#log", "line 999")
	shown := reader.ask("document.querySelectorAll('#log > li').length")
	if n, err := strconv.Atoi(shown); err != nil || n > 100 {
		t.Errorf("the page shows %s entries of a thousand at once", shown)
	}
	reader.sees(".log-more a[data-earlier]", "")
}

// talkedAt is a table of Spire at which n things were said, after a hundred moves.
func (s *server) talkedAt(n int) longTable {
	s.t.Helper()
	l := s.long("spire", "en", 100)
	for i := range n {
		s.must("POST", "/tables/"+l.id+"/talk", l.gm, body{"text": "line " + strconv.Itoa(i)})
	}
	return l
}

// BenchmarkFirstPaint opens a table with a thousand moves: what the server takes for the page, and what the browser's main
// thread takes for it all (task) until the first paint and the end of loading, of which scripts, styles and layout. It
// isn't a test, because a busy machine would fail it; docs/bench.md has the figures.
func BenchmarkFirstPaint(b *testing.B) {
	s := serve(b)
	l := s.long("spire", "en", 1000)
	link := s.url("/t/" + l.id + "/" + l.gm)
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	get := func(url string) {
		answer, err := client.Get(url)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(answer.Status, err)
		}
		answer.Body.Close()
	}
	get(link)

	reader := sit(b, "reader", 1440, 900)
	var server time.Duration
	sums := map[string]float64{}
	n := 0
	for b.Loop() {
		n++
		began := time.Now()
		get(s.url("/t/" + l.id))
		server += time.Since(began)

		reader.forget(s.url(""), "en")
		before := reader.metrics()
		reader.visit(link)
		reader.sees("[data-live-state=open]", "")
		for name, value := range reader.metrics() {
			sums[name] += value - before[name]
		}
		paint, err := strconv.ParseFloat(reader.ask("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"), 64)
		if err != nil || paint < 0 {
			b.Fatal("nothing was painted ", err)
		}
		sums["paint"] += paint / 1000
	}
	for name, unit := range map[string]string{
		"TaskDuration": "ms-task/op", "ScriptDuration": "ms-script/op", "LayoutDuration": "ms-layout/op", "RecalcStyleDuration": "ms-style/op", "paint": "ms-first-paint/op",
	} {
		b.ReportMetric(sums[name]*1000/float64(n), unit)
	}
	b.ReportMetric(float64(server.Milliseconds())/float64(n), "ms-server/op")
}

// metrics are what the page's main thread has done so far, in seconds.
func (s *seat) metrics() map[string]float64 {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	read, err := chromedp.Run(ctx, func(ctx context.Context, tab *chromedp.Target) (map[string]float64, error) {
		if _, err := cdp.Call(ctx, tab, performance.Enable, performance.EnableParams{}); err != nil {
			return nil, err
		}
		answer, err := cdp.Call(ctx, tab, performance.GetMetrics, cdp.Empty{})
		found := map[string]float64{}
		for _, m := range answer.Metrics {
			found[m.Name] = m.Value
		}
		return found, err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return read
}
