// Package stream holds the connections of live streams: answers that go on, as server-sent events.
//
// Most of the time a stream says nothing, and there are many of them. So an HTTP/1 connection is
// taken out of net/http's hands as soon as its request is judged: what net/http keeps for a request
// that is answered, two deep stacks and three buffers, is three quarters of what a quiet stream
// would hold. HTTP/2 shares its connections, and a stream there stays in its request.
//
// Promised: an event is sent whole or the stream is over. A reader who takes nothing for some time is cut off and holds
// up nobody. The run's context ends when the reader has gone. A run that panics ends its own stream alone.
//
// A stream that has taken its connection is two goroutines: the run, and one that waits for the reader to go. Both end
// with the run, which closes the connection. http.Server.Shutdown knows nothing of them: whoever closes ends what they
// run on, and waits.
//
// The package imports nothing of norn.
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
	"runtime/debug"
	"time"
)

// Config is how streams are served.
type Config struct {
	Slow time.Duration // that a reader may take for an event, and no less than half of it
	Cut  func()        // hears of a stream that was ended since its reader took nothing; may be nil
	Log  *slog.Logger  // of runs that panic
}

// Stream is one live stream. Only one goroutine may send at a time.
type Stream struct {
	config Config
	out    io.Writer

	limit func(time.Time) error // sets until when a write must end
	until time.Time             // what was set last
	flush func() error          // nil where a write is sent at once
}

// protection are the headers of every stream, whoever serves it: it's nobody's page, to be kept, framed,
// guessed at or read from elsewhere by nobody.
var protection = http.Header{
	"Content-Type":                 {"text/event-stream"},
	"Cache-Control":                {"no-store"},
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Accel-Buffering":            {"no"}, // a proxy passes each event on at once
}

// ofDocuments are headers of pages that say nothing of a stream.
var ofDocuments = []string{"Permissions-Policy", "Cross-Origin-Opener-Policy"}

// Serve answers with the header as it stands in w and has run send what comes, until it returns. Where the connection
// could be taken Serve returns at once, and end is called when all is over; else it's called before Serve returns.
func (c Config) Serve(w http.ResponseWriter, r *http.Request, run func(context.Context, *Stream), end func()) {
	control := http.NewResponseController(w)
	maps.Copy(w.Header(), protection)
	for _, name := range ofDocuments {
		w.Header().Del(name)
	}
	// who sends a body is cut off by net/http
	if r.ProtoMajor == 1 && r.Method == http.MethodGet && r.ContentLength == 0 {
		if conn, _, err := control.Hijack(); err == nil {
			ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
			head := headOf(w.Header())
			go wait(conn, cancel)
			go func() {
				defer end()
				defer conn.Close() // ends wait
				defer cancel()
				c.serveWhole(ctx, &Stream{config: c, out: conn, limit: conn.SetWriteDeadline}, head, run)
			}()
			return
		}
	}
	defer end()
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		run(r.Context(), &Stream{config: c, out: w, limit: control.SetWriteDeadline, flush: control.Flush})
	}
}

// serveWhole sends the head and runs.
func (c Config) serveWhole(ctx context.Context, s *Stream, head []byte, run func(context.Context, *Stream)) {
	defer func() {
		if broken := recover(); broken != nil {
			c.Log.ErrorContext(ctx, "live stream panicked", "panic", broken, "stack", string(debug.Stack()))
		}
	}()
	if s.Send(head) == nil {
		run(ctx, s)
	}
}

// headOf is the head of an answer that ends with its connection.
func headOf(h http.Header) []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n")
	_ = h.Write(&b) // a buffer takes everything
	b.WriteString("\r\n")
	return b.Bytes()
}

// wait reads what nobody should send until the reader goes.
func wait(conn net.Conn, gone func()) {
	defer gone()
	var unasked [64]byte
	for {
		if _, err := conn.Read(unasked[:]); err != nil {
			return
		}
	}
}

// Send sends what is whole, and gives a reader who takes nothing its time and no more.
func (s *Stream) Send(event []byte) error {
	// A timer for each write would cost more than it: one lasts until half its time is over.
	if now := time.Now(); s.until.Sub(now) < s.config.Slow/2 {
		s.until = now.Add(s.config.Slow)
		_ = s.limit(s.until) // not every writer knows deadlines
	}
	_, err := s.out.Write(event)
	if err == nil && s.flush != nil {
		err = s.flush()
		// While nothing is written no time runs: HTTP/2 would end the stream.
		s.until = time.Time{}
		_ = s.limit(s.until)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && s.config.Cut != nil {
		s.config.Cut()
	}
	return err
}
