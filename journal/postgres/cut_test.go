package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"norn/journal"
	"norn/journal/postgres"
)

// wire is a proxy between norn and the server that cuts connections.
type wire struct {
	listener net.Listener
	cut      atomic.Pointer[func(fromServer bool, data []byte) bool] // called before data is forwarded
	mu       sync.Mutex
	open     []net.Conn
}

// through returns an address of a database that goes through a wire.
func through(t *testing.T, address string) (*wire, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: listener}
	w.until(nil)
	t.Cleanup(func() {
		listener.Close()
		w.cutAll()
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server.Address())
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, near, far)
			w.mu.Unlock()
			go w.carry(near, far, false)
			go w.carry(far, near, true)
		}
	}()
	return w, strings.Replace(address, server.Address(), listener.Addr().String(), 1)
}

// until sets the condition for cutting connections, which is checked before data is forwarded.
func (w *wire) until(cut func(fromServer bool, data []byte) bool) {
	if cut == nil {
		cut = func(bool, []byte) bool { return false }
	}
	w.cut.Store(&cut)
}

func (w *wire) carry(from, to net.Conn, fromServer bool) {
	defer from.Close()
	defer to.Close()
	data := make([]byte, 64<<10)
	for {
		n, err := from.Read(data)
		if n > 0 {
			if (*w.cut.Load())(fromServer, data[:n]) {
				return
			}
			if _, err := to.Write(data[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (w *wire) cutAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
	w.open = nil
}

func mustOpen(t *testing.T, address string) *postgres.Journal {
	t.Helper()
	j, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keyed(key string) journal.Entry {
	return journal.Entry{Time: noon, Seat: "gm", Key: key, Body: []byte("body of " + key)}
}

// The connection is lost before the commit arrives, or before its answer does. The writer gets the
// same error both times; the key shows the difference, and a repeat under it leads to one entry.
func TestRetryAfterALostConnectionWritesOneEntry(t *testing.T) {
	for _, c := range []struct {
		name   string
		cut    func(fromServer bool, data []byte) bool
		stands bool
	}{
		{"lost on the way there", func(fromServer bool, data []byte) bool {
			return !fromServer && bytes.Contains(data, []byte("body of lost"))
		}, false},
		{"lost on the way back", func(fromServer bool, data []byte) bool {
			return fromServer && bytes.Contains(data, []byte("COMMIT\x00"))
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, address := through(t, database(t))
			j := mustOpen(t, address)
			if _, err := j.Append(t.Context(), "t", 0, keyed("before")); err != nil {
				t.Fatal(err)
			}
			w.until(c.cut)
			_, err := j.Append(t.Context(), "t", 1, keyed("lost"))
			var unavailable *journal.UnavailableError
			if !errors.As(err, &unavailable) {
				t.Fatalf("got error %v, want *UnavailableError", err)
			}
			w.until(nil)

			found, err := j.Find(t.Context(), "t", "gm", "lost")
			if c.stands && (err != nil || found.Seq != 2) || !c.stands && !errors.Is(err, journal.ErrNotFound) {
				t.Errorf("found entry %d, %v", found.Seq, err)
			}
			_, err = j.Append(t.Context(), "t", 1, keyed("lost"))
			var twice *journal.DuplicateError
			if c.stands != errors.As(err, &twice) || !c.stands && err != nil {
				t.Errorf("repeated: %v", err)
			}
			if entries, err := j.Read(t.Context(), "t", 0, 0); err != nil || len(entries) != 2 ||
				entries[1].Key != "lost" {
				t.Errorf("read %v, %v", entries, err)
			}
		})
	}
}

// Connections are cut at random while many write. Acknowledged entries must exist, none may exist
// twice, and every repeat must end.
func TestCutConnectionsLoseNoAcknowledgedEntry(t *testing.T) {
	w, address := through(t, database(t))
	j := mustOpen(t, address)
	// About one packet in thirty cuts all connections, so a busy machine has as many cuts as an
	// idle one.
	w.until(func(bool, []byte) bool {
		cut := rand.IntN(30) == 0
		if cut {
			w.cutAll()
		}
		return cut
	})
	const callers, each = 8, 25
	var lost atomic.Int64
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			table, at := fmt.Sprint("t", i%3), uint64(0)
			for n := range each {
				key := fmt.Sprint(i, "-", n)
				for {
					_, err := j.Append(context.Background(), table, at, keyed(key))
					var (
						conflict *journal.ConflictError
						twice    *journal.DuplicateError
						gone     *journal.UnavailableError
					)
					if errors.As(err, &conflict) {
						at = conflict.Have
						continue
					}
					if errors.As(err, &gone) {
						lost.Add(1)
						continue
					}
					if err != nil && !errors.As(err, &twice) {
						t.Errorf("%s: %v", key, err)
					}
					break
				}
			}
		})
	}
	all.Wait()
	w.until(nil)
	if lost.Load() == 0 {
		t.Error("no append met a cut")
	}
	keys := map[string]int{}
	for i := range 3 {
		entries, err := read(j, fmt.Sprint("t", i))
		if err != nil {
			t.Fatal(err)
		}
		for at, e := range entries {
			if e.Seq != uint64(at+1) {
				t.Errorf("entry %d stands at place %d", e.Seq, at+1)
			}
			keys[e.Key]++
		}
	}
	for key, n := range keys {
		if n != 1 {
			t.Errorf("%s stands %d times", key, n)
		}
	}
	if len(keys) != callers*each {
		t.Errorf("%d keys stand, want %d", len(keys), callers*each)
	}
}

// read reads a table, and tries again on a connection that was cut before.
func read(j journal.Journal, table string) (entries []journal.Entry, err error) {
	for range 20 {
		if entries, err = j.Read(context.Background(), table, 0, 0); err == nil {
			return entries, nil
		}
	}
	return nil, err
}

// The server accepts connections and never answers.
func TestOpenTimesOutIfTheServerNeverAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, c)
		}
	}()
	_, err = postgres.Open(
		t.Context(),
		"postgres://norn:hush@"+listener.Addr().String()+"/norn?sslmode=disable&connect_timeout=1",
	)
	var gone *journal.UnavailableError
	if !errors.As(err, &gone) || strings.Contains(err.Error(), "hush") {
		t.Errorf("got error %v, want *UnavailableError without the password", err)
	}
}
