package table

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"norn/game"
	"norn/internal/relay"
	"norn/internal/rescue"
	"norn/journal"
	"norn/lang"
)

// Config has what a Host needs. The Host closes none of it.
type Config struct {
	Games   game.Library
	Words   *lang.Words
	Journal journal.Journal
	Relay   relay.Relay
	// Poll is set if other nodes also write to the journal and the relay may lose messages. Then
	// Enter reads what this node may have missed, and watched tables are read again at this
	// interval.
	Poll    time.Duration
	Now     func() time.Time
	Entropy io.Reader // crypto/rand.Reader; must be safe for concurrent use
	// deletes tables for good when nobody has called them back in time, as a server does
	Purges  bool
	Log     *slog.Logger
	Version string             // of norn, for each entry
	Meter   Meter              // nil counts nothing
	OnWrite func(table string) // called after this node has written to a table, must return at once; may be nil
	// called after this node has deleted a table, to remove what is stored of it elsewhere; may be nil
	OnDelete func(table string)
	Writes   WriteLimit // bounds how often each seat writes, by any front end; nil for no bound
}

// WriteLimit bounds how often a seat writes. Its methods don't block.
type WriteLimit interface {
	// Write counts one try of a seat. It returns how long the seat must wait before the next, 0 if
	// it may write now.
	Write(table, seat string) (wait time.Duration)
	// Wrote charges the seat for the size of an entry that it wrote.
	Wrote(table, seat string, bytes int)
}

// Meter counts. Its methods don't block.
type Meter interface {
	CountEntry(kind string)   // an entry of a kind is durable
	CountRefusal(code string) // a request to write was refused, with the refusal's code
}

type uncounted struct{}

func (uncounted) CountEntry(string) {}

func (uncounted) CountRefusal(string) {}

// Host serves the tables of one node. It's safe for concurrent use. It makes snapshots in
// goroutines, and with Poll it has one more; Close ends all.
type Host struct {
	Config
	closed chan struct{}

	announcements      *announcements // nil without other nodes
	heartbeats         *heartbeats
	unfollowHeartbeats func()
	announcing         sync.WaitGroup

	reads, writes outage

	xTokens xTokens

	shelf shelf

	later    sync.WaitGroup // background work
	oneByOne sync.Mutex

	mu     sync.Mutex
	tables map[string]*live
	swept  time.Time
	shut   bool
}

// ErrClosed is wrapped in the *UnavailableError after Close.
var ErrClosed = errors.New("table: the host is closed")

// background runs a function later, one at a time; false after Close.
func (h *Host) background(do func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut {
		return false
	}
	h.later.Go(rescue.Wrap(h.Log, "table", func() {
		h.oneByOne.Lock()
		defer h.oneByOne.Unlock()
		if !h.isClosed() {
			do()
		}
	}))
	return true
}

// isClosed reports whether Close was called. Subscribers call it when they're woken: thousands that
// wait on one channel would slow each other down at each wake-up.
func (h *Host) isClosed() bool {
	select {
	case <-h.closed:
		return true
	default:
		return false
	}
}

// append appends to the journal and notes outages.
func (h *Host) append(ctx context.Context, table string, expect uint64, entry journal.Entry) ([]journal.Entry, error) {
	stored, err := h.Journal.Append(ctx, table, expect, entry)
	h.writes.note(ctx, h.Log, h.Now, err)
	return stored, err
}

// read reads from the journal and notes outages.
func (h *Host) read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	entries, err := h.Journal.Read(ctx, table, after, limit)
	h.reads.note(ctx, h.Log, h.Now, err)
	return entries, err
}
