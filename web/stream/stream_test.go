package stream_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/internal/wait"
	"norn/web/stream"
)

const patience = 10 * time.Second

// hall serves streams, over HTTP/2 or HTTP/1.
type hall struct {
	*httptest.Server
	t     *testing.T
	ended chan struct{}
	cut   chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

func (h *hall) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Write(line)
}

func (h *hall) logged() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.String()
}

func open(t *testing.T, second bool, run func(context.Context, *stream.Stream)) *hall {
	h := &hall{t: t, ended: make(chan struct{}, 8), cut: make(chan struct{}, 8)}
	config := stream.Config{Slow: 300 * time.Millisecond, Cut: func() {
		h.cut <- struct{}{}
	}, Log: slog.New(slog.NewTextHandler(h, nil))}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "7")
		config.Serve(w, r, run, func() { h.ended <- struct{}{} })
	}))
	h.Server.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(h, nil), slog.LevelError)
	h.EnableHTTP2 = second
	if second {
		h.StartTLS()
	} else {
		h.Start()
	}
	t.Cleanup(h.Close)
	return h
}

func (h *hall) await(what string, from <-chan struct{}) {
	h.t.Helper()
	select {
	case <-from:
	case <-time.After(patience):
		h.t.Fatalf("not %s", what)
	}
}

// Over both protocols a stream is the same to its client, and its run notices a disconnect.
func TestConcurrentStreamsAreTheSameOverBothProtocols(t *testing.T) {
	for _, second := range []bool{false, true} {
		gone := make(chan struct{}, 1)
		h := open(t, second, func(ctx context.Context, s *stream.Stream) {
			if err := s.Send([]byte("data: one\n\n")); err != nil {
				t.Error(err)
			}
			time.Sleep(400 * time.Millisecond) // longer than a client may take for an event
			if err := s.Send([]byte("data: two\n\n")); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			gone <- struct{}{}
		})
		answer, err := h.Client().Get(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		header := answer.Header
		if answer.StatusCode != 200 || header.Get("Content-Type") != "text/event-stream" ||
			header.Get("Cache-Control") != "no-store" ||
			header.Get("X-Request-Id") != "7" || header.Get("Date") == "" {
			t.Errorf("HTTP/2 %t: %s %v", second, answer.Status, header)
		}
		want := "data: one\n\ndata: two\n\n"
		got := make([]byte, len(want))
		if _, err := io.ReadFull(answer.Body, got); err != nil || string(got) != want {
			t.Errorf("HTTP/2 %t: %q, %v", second, got, err)
		}
		answer.Body.Close()
		h.await("gone", gone)
		h.await("ended", h.ended)
	}
}

// A run that returns ends the response; a HEAD request gets only the headers.
func TestRunThatReturnsEndsTheResponse(t *testing.T) {
	h := open(t, false, func(_ context.Context, s *stream.Stream) { _ = s.Send([]byte("data: all\n\n")) })
	for method, want := range map[string]string{http.MethodGet: "data: all\n\n", http.MethodHead: ""} {
		r, err := http.NewRequest(method, h.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := h.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || string(all) != want || answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s: %q, %v, %v", method, all, err, answer.Header)
		}
		h.await("ended", h.ended)
	}
}

// A run that panics is logged with its request's context and harms no other stream.
func TestConcurrentRunThatPanicsHarmsNoOtherStream(t *testing.T) {
	h := open(t, false, func(context.Context, *stream.Stream) { panic("a die fell off the table") })
	for range 2 {
		answer, err := h.Client().Get(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := io.ReadAll(answer.Body); err != nil || len(all) > 0 {
			t.Errorf("%q, %v", all, err)
		}
		answer.Body.Close()
		h.await("ended", h.ended)
	}
	wait.Until(t, "each panic is logged, after its stream has ended", func() bool {
		return strings.Count(h.logged(), "a die fell off the table") == 2
	})
}

// A client that takes nothing is disconnected; earlier events have arrived completely.
func TestConcurrentClientThatReadsNothingIsCutOff(t *testing.T) {
	for _, second := range []bool{false, true} {
		h := open(t, second, func(_ context.Context, s *stream.Stream) {
			event := []byte("data: " + strings.Repeat("x", 1<<16) + "\n\n")
			for s.Send(event) == nil {
			}
		})
		var conn net.Conn
		var err error
		if !second {
			conn, err = net.Dial("tcp", h.Listener.Addr().String())
		} else {
			conn, err = tls.Dial("tcp", h.Listener.Addr().String(),
				&tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}}) //nolint:gosec // of this test
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: norn\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		h.await("cut", h.cut)
		h.await("ended", h.ended)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != 200 {
			t.Errorf("TLS %t: %v, %v", second, answer, err)
		}
		conn.Close()
	}
}
