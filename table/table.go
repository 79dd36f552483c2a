package table

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/relay"
	"norn/table/internal/ledger"
	"norn/table/refusal"
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
	Stirred func(table string) // hears that this node has written to a table, and returns at once; nil for nobody
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

	online  *announcements // nil where there are no other nodes
	pulses  *pulses
	deaf    func() // has pulses hear no more
	telling sync.WaitGroup

	reads, writes outage

	later    sync.WaitGroup // what is done in the background
	oneByOne sync.Mutex

	mu     sync.Mutex
	tables map[string]*live
	swept  time.Time
	shut   bool
}

// announcements are the tables of which this node has something to tell.
type announcements struct {
	node  string // this node, as others hear of it
	stirs chan struct{}

	mu     sync.Mutex
	tables map[*live]struct{}
}

// live is one table in memory.
type live struct {
	host     *Host
	id       string
	unfollow func()    // ends what the relay tells; called with the host's lock
	users    int       // operations and watches in it; guarded by the host
	used     time.Time // when the last one began or ended; guarded by the host

	// turn is held by who changes the table: from judging a request on the
	// state until it's in the journal and folded in. It's a channel so that
	// waiting for it ends with a context.
	turn chan struct{}

	mu    sync.RWMutex // guards book; only who has the turn sets it
	book  ledger.Ledger
	fault error // why it can't be read; guarded by turn
	views views

	at       atomic.Uint64 // book.seq, for who has no lock
	known    atomic.Uint64 // the highest seq that others told of
	doubtful atomic.Bool   // the journal may hold more: never read, or an append's fate isn't known
	broken   atomic.Bool   // fault is set
	resting  atomic.Bool   // book has left memory, see rest
	kept     atomic.Uint64 // seq of the last snapshot
	keeping  atomic.Bool   // one is being made
	looks    atomic.Uint64 // how often the journal was read or written to, each counted when it begins

	watching sync.Mutex
	watchers map[*watcher]struct{}
	polls    *time.Ticker         // runs while somebody watches, if the Host polls
	there    map[string]elsewhere // who watches on other nodes
	comings  atomic.Uint64        // counts who joined and left: while it stands, the same are online
}

// watcher is somebody who watches the table.
type watcher struct {
	seat string
	away bool             // nobody looks: a page behind others, or no page
	wake chan struct{}    // capacity 1: it says that there's something, not what
	poll <-chan time.Time // shared by the table's watchers: a tick tells one of them to read again
}

// elsewhere is who watches a table on another node.
type elsewhere struct {
	seats []string // sorted; those that don't look begin with aside
	until time.Time
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
		if !h.ended() {
			do()
		}
	})
	return true
}

// ended tells whether Close was called. Thousands who waited on one channel would hold each other up whenever they wake:
// who watches waits to be woken, and asks.
func (h *Host) ended() bool {
	select {
	case <-h.closed:
		return true
	default:
		return false
	}
}

// now is the table as it is in memory, for one who asks and may look back.
func (t *live) now(ctx context.Context) ledger.Ledger {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.book.Looking(ctx, t.host.Journal)
}

// awake is now of a table that may rest since it was asked for.
func (t *live) awake(ctx context.Context) (ledger.Ledger, error) {
	b := t.now(ctx)
	for b.Seq == 0 && t.at.Load() > 0 {
		if err := t.fresh(ctx); err != nil {
			return b, err
		}
		b = t.now(ctx)
	}
	return b, nil
}

// take waits for the turn.
func (t *live) take(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &refusal.UnavailableError{Err: context.Cause(ctx)}
	}
}

func (t *live) give() { <-t.turn }

func (t *live) wake() {
	t.watching.Lock()
	defer t.watching.Unlock()
	for w := range t.watchers {
		select {
		case w.wake <- struct{}{}:
		default: // it has been told already
		}
	}
}

func (t *live) behind() bool { return t.doubtful.Load() || t.known.Load() > t.at.Load() }
