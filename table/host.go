package table

import (
	"context"
	"crypto/sha256"
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
	OnWrite func(table string) // hears that this node has written to a table, and returns at once; nil for nobody
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

// New makes a host.
func New(c Config) *Host {
	h := &Host{
		Config: c, closed: make(chan struct{}), tables: map[string]*live{}, heartbeats: newHeartbeats(), unfollowHeartbeats: func() {},
		reads: outage{what: "read"}, writes: outage{what: "write"},
	}
	if h.Meter == nil {
		h.Meter = uncounted{}
	}
	if h.OnWrite == nil {
		h.OnWrite = func(string) {}
	}
	if c.Poll > 0 {
		h.announcements = newAnnouncements()
		h.unfollowHeartbeats = h.Relay.Follow(heartbeatTopic, func(m relay.Message) {
			if m.Word != "" && m.Word != h.announcements.node {
				h.heartbeats.hear(m.Word, h.Now())
			}
		})
		h.announcing.Go(h.announceLoop)
	}
	return h
}

// Close ends all watches and refuses whatever comes later. Operations that
// have begun end as they would have. It may be called more than once.
func (h *Host) Close() error {
	h.mu.Lock()
	first := !h.shut
	h.shut = true
	if first {
		close(h.closed)
		for _, t := range h.tables {
			t.wakeWatchers()
		}
	}
	h.mu.Unlock()
	if first {
		h.announcing.Wait()
		h.later.Wait()
		h.unfollowHeartbeats()
		h.announceLeaving()
	}
	return nil
}

// Enter takes the seat that a secret opens; l is the reader's language. A
// table that isn't there, a wrong secret and a revoked seat are the same
// *NotFoundError, at a table that can't be read too, as far as its seats could
// be. Other errors are *UnavailableError and *UnreadableError.
func (h *Host) Enter(ctx context.Context, tableID, secret string, l lang.Lang) (*Seat, error) {
	t, err := h.reach(tableID)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	err = t.ready(ctx)
	key := sha256.Sum256([]byte(secret))
	t.mu.RLock()
	found, book := t.book.Seats.Opened(key), t.book.State
	t.mu.RUnlock()
	if unreadable := (*refusal.UnreadableError)(nil); errors.As(err, &unreadable) && found == nil { // a seat isn't known, maybe nobody's is
		h.Log.ErrorContext(ctx, "table can't be read", "error", err)
		return nil, &refusal.NotFoundError{}
	}
	if err != nil {
		return nil, err
	}
	if found == nil {
		if h.Poll == 0 { // a table that isn't there costs a look into the journal: so does a wrong secret
			_, _ = h.Journal.Read(ctx, tableID, t.seq.Load(), 1)
		}
		return nil, &refusal.NotFoundError{}
	}
	return &Seat{
		Player: Player{Reader{
			seatIdentity: seatIdentity{table: tableID, id: found.ID, role: found.Role, game: book.Game, speaker: book.Speak(h.Words.In(l))},
			host:         h, key: key, present: &atomic.Pointer[string]{},
		}},
		secret: func() string { return secret },
	}, nil
}
