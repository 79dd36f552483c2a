package table

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/relay"
)

// Config is what a Host is made of. The Host closes none of it.
type Config struct {
	Games   game.Library
	Words   *lang.Words
	Journal journal.Journal
	Relay   relay.Relay
	// Poll is set where other nodes write to the journal, too, and the relay may
	// lose what they say: then Enter reads what this node may have missed, and a table
	// that is watched is read again so often.
	Poll    time.Duration
	Now     func() time.Time
	Entropy io.Reader // crypto/rand.Reader; must be safe for concurrent use
	Log     *slog.Logger
	Version string             // of norn; stands on each entry
	Meter   Meter              // hears what there is to count; nil for nobody
	OnWrite func(table string) // hears that this node has written to a table, and returns at once; nil for nobody
	Writes  WriteLimit         // bounds how often each seat writes, whichever way it comes; nil for no bound
}

// WriteLimit bounds how often a seat writes. Its methods don't wait.
type WriteLimit interface {
	// Write admits one try. It returns how long the seat has to wait first, 0 for not at all.
	Write(table, seat string) (wait time.Duration)
	// Wrote charges the seat for the size of an entry that it wrote.
	Wrote(table, seat string, bytes int)
}

// Meter hears what there is to count. Its methods don't wait.
type Meter interface {
	Wrote(kind string)   // an entry is durable: its kind
	Refused(code string) // a request to write was refused: why
}

type uncounted struct{}

func (uncounted) Wrote(string) {}

func (uncounted) Refused(string) {}

// Host serves the tables of one node. It's safe for concurrent use. It makes snapshots in goroutines, and with Poll
// has one more; Close ends all.
type Host struct {
	Config
	closed chan struct{}

	announcements      *announcements // nil where there are no other nodes
	heartbeats         *heartbeats
	unfollowHeartbeats func()
	announcing         sync.WaitGroup

	reads, writes outage

	xTokens xTokens

	later    sync.WaitGroup // what is done in the background
	oneByOne sync.Mutex

	mu     sync.Mutex
	tables map[string]*live
	swept  time.Time
	shut   bool
}

// ErrClosed is inside the *UnavailableError after Close.
var ErrClosed = errors.New("table: the host is closed")

// background does something later, one thing after the other; false where nothing is begun any more.
func (h *Host) background(do func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut {
		return false
	}
	h.later.Go(func() {
		h.oneByOne.Lock()
		defer h.oneByOne.Unlock()
		if !h.isClosed() {
			do()
		}
	})
	return true
}

// isClosed tells whether Close was called. Thousands who waited on one channel would hold each
// other up whenever they wake: who watches waits to be woken, and asks.
func (h *Host) isClosed() bool {
	select {
	case <-h.closed:
		return true
	default:
		return false
	}
}

// append appends to the journal, and has an outage noted.
func (h *Host) append(ctx context.Context, table string, expect uint64, entry journal.Entry) ([]journal.Entry, error) {
	stored, err := h.Journal.Append(ctx, table, expect, entry)
	h.writes.note(ctx, h.Log, h.Now, err)
	return stored, err
}

// read reads from the journal, and has an outage noted.
func (h *Host) read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	entries, err := h.Journal.Read(ctx, table, after, limit)
	h.reads.note(ctx, h.Log, h.Now, err)
	return entries, err
}
