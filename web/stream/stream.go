// Package stream serves live streams, as server-sent events.
//
// Most of the time a stream is idle, and there are many. So it takes an HTTP/1 connection from
// net/http once the request is checked: what net/http holds for a request, two deep stacks and
// three buffers, is three quarters of the memory of an idle stream. HTTP/2 shares connections, so a
// stream stays in its request there.
//
// An event is sent completely, or the stream ends. A client that takes nothing for some time is
// disconnected and blocks nobody. The run's context ends when the client disconnects. A run that
// panics ends only its own stream.
//
// A stream with its own connection has two goroutines: the run, and one that waits for the client
// to disconnect. Both end with the run, which closes the connection. http.Server.Shutdown doesn't
// know them: the caller must end what the runs depend on, and wait.
//
// The package imports only rescue of norn.
package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"time"

	"norn/internal/rescue"
)

// Config says how streams are served.
type Config struct {
	Slow time.Duration // upper bound of the time to take an event; the lower bound is half of it
	Cut  func()        // called when a stream was cut because its client was too slow; may be nil
	Log  *slog.Logger  // for runs that panic
}

// Stream is one live stream. Only one goroutine may send at a time.
type Stream struct {
	config Config
	out    io.Writer

	limit func(time.Time) error // sets the deadline of a write
	until time.Time             // the last deadline
	flush func() error          // nil if a write is sent at once
}

// protection has the headers of every stream: it must not be cached, framed, sniffed or read by
// other sites.
var protection = http.Header{
	"Content-Type":                 {"text/event-stream"},
	"Cache-Control":                {"no-store"},
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Accel-Buffering":            {"no"}, // a proxy passes each event on at once
}

// ofDocuments lists headers of pages that mean nothing for a stream.
var ofDocuments = []string{"Permissions-Policy", "Cross-Origin-Opener-Policy"}

// Serve responds with the headers in w and calls run to send events, until it returns. If the
// stream could take the connection, Serve returns at once, and end is called after the run;
// otherwise end is called before Serve returns.
func (c Config) Serve(w http.ResponseWriter, r *http.Request, run func(context.Context, *Stream), end func()) {
	control := http.NewResponseController(w)
	maps.Copy(w.Header(), protection)
	for _, name := range ofDocuments {
		w.Header().Del(name)
	}
	// net/http cuts off requests with a body
	if r.ProtoMajor == 1 && r.Method == http.MethodGet && r.ContentLength == 0 {
		if conn, _, err := control.Hijack(); err == nil {
			ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
			head := headOf(w.Header())
			go rescue.Wrap(c.Log, "stream", func() { wait(conn, cancel) })()
			go rescue.Wrap(c.Log, "stream", func() {
				defer end()
				defer conn.Close() // ends wait
				defer cancel()
				s := &Stream{config: c, out: conn, limit: conn.SetWriteDeadline}
				if s.Send(head) == nil {
					run(ctx, s)
				}
			})()
			return
		}
	}
	defer end()
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		run(r.Context(), &Stream{config: c, out: w, limit: control.SetWriteDeadline, flush: control.Flush})
	}
}

// headOf returns the headers of a response that ends with its connection.
func headOf(h http.Header) []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n")
	_ = h.Write(&b) // writing to a buffer can't fail
	b.WriteString("\r\n")
	return b.Bytes()
}

// wait reads until the client disconnects.
func wait(conn net.Conn, gone func()) {
	defer gone()
	var unasked [64]byte
	for {
		if _, err := conn.Read(unasked[:]); err != nil {
			return
		}
	}
}

// Send sends a complete event. It fails if the client takes too long.
func (s *Stream) Send(event []byte) error {
	// Setting a deadline costs more than a write, so one is used until half its time has passed.
	if now := time.Now(); s.until.Sub(now) < s.config.Slow/2 {
		s.until = now.Add(s.config.Slow)
		_ = s.limit(s.until) // some writers don't support deadlines
	}
	_, err := s.out.Write(event)
	if err == nil && s.flush != nil {
		err = s.flush()
		// Without a deadline while idle: HTTP/2 would end the stream.
		s.until = time.Time{}
		_ = s.limit(s.until)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && s.config.Cut != nil {
		s.config.Cut()
	}
	return err
}
