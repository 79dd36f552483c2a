package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/internal/limit"
	"norn/internal/meter"
	"norn/internal/rescue"
	"norn/journal"
	"norn/odds"
	"norn/web/middleware"
)

// health checks whether this server can serve tables. It asks the journal at most once in askEvery,
// however many clients ask.
type health struct {
	journal journal.Journal
	log     *slog.Logger
	closing atomic.Bool

	mu    sync.Mutex
	asked time.Time
	err   error
}

const (
	askEvery = time.Second
	askTime  = 2 * time.Second // for the journal's answer
)

var errClosing = errors.New("norn is closing")

// ready returns an error if the server can't serve tables.
func (h *health) ready(ctx context.Context) error {
	if h.closing.Load() {
		return errClosing
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.asked) < askEvery {
		return h.err
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime) // other clients use the answer too
	defer cancel()
	_, err := h.journal.Read(limited, "ready", 0, 1) // no table has such an id
	if err != nil && h.err == nil {
		h.log.ErrorContext(ctx, "the journal doesn't answer", "error", err)
	}
	h.asked, h.err = time.Now(), err
	return err
}

// watchLimits limits the connections of monitoring: a scraper or two, and a few people.
var watchLimits = limit.Limits{AddressConnections: 32, Connections: 64}

// watchServer serves metrics and health on a listener of their own.
func watchServer(m *meter.Meter, h *health, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.Handle("/healthz", middleware.Health(nil))
	mux.Handle("/readyz", middleware.Health(h.ready))
	return &http.Server{
		Handler: rescue.Handler(log, "metrics", mux), ReadHeaderTimeout: headerTime, ReadTimeout: headerTime, WriteTimeout: shutdownTime,
		IdleTimeout:    keepAliveTime,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// listenForMetrics opens the listener for metrics, if one is configured. closeIt closes it.
func listenForMetrics(p *cli.Program, address string, m *meter.Meter, h *health, log *slog.Logger) (closeIt func(),
	at net.Addr, err error,
) {
	if address == "" {
		return func() {}, nil, nil
	}
	listener, err := listenAt(p, address)
	if err != nil {
		return nil, nil, err
	}
	listener = limit.New(watchLimits, time.Now, nil).Listener(listener, func(from net.Addr) string {
		return odds.Asker(from.String())
	})
	server := watchServer(m, h, log)
	ended := make(chan struct{})
	go rescue.Wrap(log, "metrics", func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics can't be served any more", "error", err)
		}
	})()
	return func() {
		_ = server.Close() // scrapers lose nothing
		<-ended
	}, listener.Addr(), nil
}
