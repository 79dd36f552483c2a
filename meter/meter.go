// Package meter counts and times what norn does, for Prometheus.
//
// Promised: no name, id or secret of a table, seat, character or person is in a
// label; every label's values are few and known beforehand. Counting never
// waits and never fails.
//
// The package imports journal, and of the others nothing: each says by a small
// interface of its own what it wants counted, and *Meter has those methods. It
// starts no goroutine; Prometheus' handler does its work in the request that asks.
package meter

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Meter holds what was counted. It's safe for concurrent use.
type Meter struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	answers  *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	frames   prometheus.Counter
	slow     prometheus.Counter
	odds     *prometheus.CounterVec
	entries  *prometheus.CounterVec
	refusals *prometheus.CounterVec
	calls    *prometheus.CounterVec
	chats    *prometheus.CounterVec
	journal  *prometheus.HistogramVec
	failures *prometheus.CounterVec
}

// times are seconds from a fast append to somebody's patience.
var times = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10}

// New makes a meter with a registry of its own; version is norn's.
func New(version string) *Meter {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector())
	make := promauto.With(r)
	make.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "norn_build_info", Help: "Always 1; version is norn's.", ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return make.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return make.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: times}, labels)
	}
	return &Meter{
		registry: r,
		requests: counter("norn_requests_total", "Requests answered, by route and status; a live stream counts when it begins, over HTTP/2 when it ends.", "route", "status"),
		answers:  histogram("norn_request_seconds", "Time to answer a request that is no live stream, by route.", "route"),
		limited:  counter("norn_limited_total", "Requests turned away because somebody came too often, by limit.", "limit"),
		frames:   make.NewCounter(prometheus.CounterOpts{Name: "norn_stream_frames_total", Help: "Events written to live streams."}),
		slow:     make.NewCounter(prometheus.CounterOpts{Name: "norn_stream_dropped_total", Help: "Live streams cut because the reader took too long."}),
		odds:     counter("norn_odds_total", "Odds asked for: exact, simulated, late (given up), crowded (turned away), refused (wrong or against a rule).", "how"),
		entries:  counter("norn_entries_total", "Entries written by this node and durable, by kind: move, answer, undone and so on.", "kind"),
		refusals: counter("norn_refusals_total", "Requests to write that were refused, by code.", "code"),
		calls:    counter("norn_calls_total", "Calls of people who don't look, by kind (push, hook) and what became of them: sent, retried, gone, failed, forbidden.", "kind", "how"),
		chats:    counter("norn_chat_total", "What goes through chats, by platform and what it was: update, posted, edited, later, failed, gone, guess.", "platform", "what"),
		journal:  histogram("norn_journal_seconds", "Time of a call of the journal, by operation: append, read, find, tables.", "operation"),
		failures: counter("norn_journal_failures_total", "Calls of the journal that failed otherwise than by a conflict or a repeated key.", "operation"),
	}
}

// Gauge adds a value that is looked up when somebody asks.
func (m *Meter) Gauge(name, help string, value func() int) {
	promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
}

// Handler serves all of it as Prometheus wants it.
func (m *Meter) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Answered counts a request; route is the pattern that took it, "" for none.
// took is 0 for a live stream, whose length says nothing.
func (m *Meter) Answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	if took > 0 {
		m.answers.WithLabelValues(route).Observe(took.Seconds())
	}
}

// Limited counts somebody turned away under a limit.
func (m *Meter) Limited(limit string) { m.limited.WithLabelValues(limit).Inc() }

// Frame counts an event of a live stream.
func (m *Meter) Frame() { m.frames.Inc() }

// Slow counts a live stream that was cut.
func (m *Meter) Slow() { m.slow.Inc() }

// Odds counts odds by what became of them.
func (m *Meter) Odds(how string) { m.odds.WithLabelValues(how).Inc() }

// Called counts a call of somebody who doesn't look, by what became of it.
func (m *Meter) Called(kind, how string) { m.calls.WithLabelValues(kind, how).Inc() }

// Chatted counts what goes through a chat: what people did there, and what it was told.
func (m *Meter) Chatted(platform, what string) { m.chats.WithLabelValues(platform, what).Inc() }

// Wrote counts an entry that is durable.
func (m *Meter) Wrote(kind string) { m.entries.WithLabelValues(kind).Inc() }

// Refused counts a request to write that was refused.
func (m *Meter) Refused(code string) { m.refusals.WithLabelValues(code).Inc() }
