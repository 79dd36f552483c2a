// Package meter counts and times what norn does, for Prometheus.
//
// Promised: no name, id or secret of a table, seat, character or person is in a
// label; every label's values are few and known beforehand. Counting never
// waits and never fails.
//
// The package imports journal, and of the others nothing: each says by a small
// interface of its own what it wants counted, and *Meter has those methods. It
// starts no goroutine; the handler does its work in the request that asks.
package meter

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Meter holds what was counted. It's safe for concurrent use.
type Meter struct {
	set          *metrics.Set
	frames, slow *metrics.Counter
}

// times are seconds from a fast append to somebody's patience.
var times = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10}

// New makes a meter with a set of its own; version is norn's.
func New(version string) *Meter {
	s := metrics.NewSet()
	s.NewGauge(metricName("norn_build_info", "version", version), func() float64 { return 1 })
	return &Meter{
		set: s, frames: s.NewCounter("norn_stream_frames_total"),
		slow: s.NewCounter("norn_stream_dropped_total"),
	}
}

// metricName is a metric with labels and their values.
func metricName(name string, labels ...string) string {
	var b strings.Builder
	b.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		fmt.Fprintf(&b, "%c%s=%q", "{,"[min(i, 1)], labels[i], labels[i+1])
	}
	return b.String() + "}"
}

// count counts one more of a metric with these labels.
func (m *Meter) count(name string, labels ...string) {
	m.set.GetOrCreateCounter(metricName(name, labels...)).Inc()
}

// time adds to a histogram of times with these labels.
func (m *Meter) time(took time.Duration, name string, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(metricName(name, labels...), times).Update(took.Seconds())
}

// Gauge adds a value that is looked up when somebody asks.
func (m *Meter) Gauge(name string, value func() int) {
	m.set.NewGauge(name, func() float64 { return float64(value()) })
}

// Handler serves all of it as Prometheus wants it.
func (m *Meter) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
}

// Answered counts a request by route and status; route is the pattern that took it, "" for none. A
// live stream counts when it begins, over HTTP/2 when it ends; took is 0 for it, since its length
// says nothing.
func (m *Meter) Answered(route string, status int, took time.Duration) {
	m.count("norn_requests_total", "route", route, "status", strconv.Itoa(status))
	if took > 0 {
		m.time(took, "norn_request_seconds", "route", route)
	}
}

// CountLimited counts somebody turned away under a limit.
func (m *Meter) CountLimited(limit string) { m.count("norn_limited_total", "limit", limit) }

// Frame counts an event of a live stream.
func (m *Meter) Frame() { m.frames.Inc() }

// Slow counts a live stream that was cut.
func (m *Meter) Slow() { m.slow.Inc() }

// Odds counts odds by what became of them: exact, simulated, late (given up), crowded (turned away) or refused.
func (m *Meter) Odds(how string) { m.count("norn_odds_total", "how", how) }

// Called counts a call of somebody who doesn't look, by kind (push, hook) and by what became of it:
// sent, retried, gone, failed or forbidden.
func (m *Meter) Called(kind, how string) { m.count("norn_calls_total", "kind", kind, "how", how) }

// Chatted counts what goes through a chat: what people did there, and what it was told.
func (m *Meter) Chatted(platform, what string) {
	m.count("norn_chat_total", "platform", platform, "what", what)
}

// Wrote counts an entry that is durable.
func (m *Meter) Wrote(kind string) { m.count("norn_entries_total", "kind", kind) }

// Refused counts a request to write that was refused.
func (m *Meter) Refused(code string) { m.count("norn_refusals_total", "code", code) }
