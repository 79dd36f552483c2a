// Package meter counts and times what norn does, for Prometheus.
//
// No label contains a name, id or secret of a table, seat, character or person; all labels have few
// values that are known in advance. Counting never blocks and never fails.
//
// The package imports journal and rescue and nothing else of norn: other packages define small interfaces for
// what they count, which *Meter implements. It starts no goroutine; the handler does its work in
// the request.
package meter

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"norn/internal/rescue"
)

// Meter holds the metrics. It is safe for concurrent use.
type Meter struct {
	set          *metrics.Set
	frames, slow *metrics.Counter
}

// times are the bounds of histograms in seconds, from a fast append to the longest wait that people
// accept.
var times = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10}

// New returns a meter with its own set of metrics; version is norn's.
func New(version string) *Meter {
	s := metrics.NewSet()
	s.NewGauge(metricName("norn_build_info", "version", version), func() float64 { return 1 })
	return &Meter{
		set: s, frames: s.NewCounter("norn_stream_frames_total"),
		slow: s.NewCounter("norn_stream_dropped_total"),
	}
}

// metricName returns the name of a metric with labels and their values.
func metricName(name string, labels ...string) string {
	b := append(make([]byte, 0, 128), name...)
	for i := 0; i < len(labels); i += 2 {
		b = append(append(append(b, "{,"[min(i, 1)]), labels[i]...), '=')
		b = strconv.AppendQuote(b, labels[i+1])
	}
	return string(append(b, '}'))
}

// count increments a metric with these labels.
func (m *Meter) count(name string, labels ...string) {
	m.set.GetOrCreateCounter(metricName(name, labels...)).Inc()
}

// time adds a duration to a histogram with these labels.
func (m *Meter) time(took time.Duration, name string, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(metricName(name, labels...), times).Update(took.Seconds())
}

// Gauge adds a metric whose value is computed when it's requested.
func (m *Meter) Gauge(name string, value func() int) {
	m.set.NewGauge(name, func() float64 { return float64(value()) })
}

// Handler serves all metrics in the format of Prometheus.
func (m *Meter) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		writePanics(w)
		metrics.WriteProcessMetrics(w)
	})
}

// writePanics writes how many panics were recovered, by the boundary that recovered them.
func writePanics(w io.Writer) {
	counts := rescue.Counts()
	for _, where := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "%s %d\n", metricName("norn_panics_total", "where", where), counts[where])
	}
}

// CountRequest counts a request by route and status; route is the pattern that matched, "" for
// none. A live stream is counted when it begins, over HTTP/2 when it ends; its took is 0, since its
// duration is meaningless.
func (m *Meter) CountRequest(route string, status int, took time.Duration) {
	m.count("norn_requests_total", "route", route, "status", strconv.Itoa(status))
	if took > 0 {
		m.time(took, "norn_request_seconds", "route", route)
	}
}

// CountLimited counts a refusal because of a limit.
func (m *Meter) CountLimited(limit string) { m.count("norn_limited_total", "limit", limit) }

// CountFrame counts an event of a live stream.
func (m *Meter) CountFrame() { m.frames.Inc() }

// CountSlow counts a live stream that was cut because the client was too slow.
func (m *Meter) CountSlow() { m.slow.Inc() }

// CountOdds counts odds by their result: exact, simulated, late (given up), crowded (no place) or
// refused.
func (m *Meter) CountOdds(how string) { m.count("norn_odds_total", "how", how) }

// CountCall counts a notification by kind (push, hook) and result: sent, retried, gone, failed or
// forbidden.
func (m *Meter) CountCall(kind, how string) { m.count("norn_calls_total", "kind", kind, "how", how) }

// CountChat counts what people do in a chat and what norn sends there.
func (m *Meter) CountChat(platform, what string) {
	m.count("norn_chat_total", "platform", platform, "what", what)
}

// CountEntry counts a durable entry.
func (m *Meter) CountEntry(kind string) { m.count("norn_entries_total", "kind", kind) }

// CountRefusal counts a refused write.
func (m *Meter) CountRefusal(code string) { m.count("norn_refusals_total", "code", code) }
