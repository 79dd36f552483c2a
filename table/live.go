package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"norn/internal/relay"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/refusal"
)

// live is one table in memory.
type live struct {
	host     *Host
	id       string
	unfollow func()    // ends the relay's calls; called with the host's lock
	users    int       // running operations and watches; guarded by the host
	used     time.Time // when the last one began or ended; guarded by the host

	// turn is held while changing the table: from validating a request by the state until its entry
	// is in the journal and folded. It's a channel so that waiting for it can end with a context.
	turn chan struct{}

	mu    sync.RWMutex // guards book, which only the holder of turn sets
	book  ledger.Ledger
	fault error            // why it can't be read; guarded by turn
	doors seatsWithoutGame // guarded by turn
	views viewCache

	seq      atomic.Uint64 // of book, for readers without a lock
	heardSeq atomic.Uint64 // the highest seq that other nodes have sent
	// the journal may have more entries: it was never read, or an append's result is unknown
	maybeStale   atomic.Bool
	broken       atomic.Bool   // fault is set
	resting      atomic.Bool   // book has left memory, see rest
	snapshotSeq  atomic.Uint64 // seq of the last snapshot
	snapshotting atomic.Bool   // a snapshot is being made
	journalUses  atomic.Uint64 // counts reads and writes of the journal when they begin

	watchMu          sync.Mutex
	watchers         map[*watcher]struct{}
	visitors         map[string]*visitor   // by seat
	pollTicker       *time.Ticker          // runs while somebody watches, if the Host polls
	remoteNodes      map[string]remoteNode // seats that watch on other nodes
	presenceRevision atomic.Uint64         // counts changes of who is online
}

// watcher is a subscription to the table.
type watcher struct {
	seat string
	away bool             // nobody is looking: a page in the background, or no page
	wake chan struct{}    // capacity 1: says that there is something new, not what
	poll <-chan time.Time // shared by the table's watchers: each tick makes one of them read again
}

// remoteNode has the seats that watch a table on another node.
type remoteNode struct {
	seats []string // sorted; those that aren't looking begin with awayMark
	until time.Time
}

func newLive(h *Host, id string) *live {
	t := &live{
		host: h, id: id, turn: make(chan struct{}, 1), book: ledger.New(id, h.Games.Games(), act.Vocabulary),
		watchers: map[*watcher]struct{}{}, visitors: map[string]*visitor{}, remoteNodes: map[string]remoteNode{},
	}
	t.maybeStale.Store(true)
	t.unfollow = h.Relay.Follow(id, t.handle)
	return t
}

// rest removes the table's state from memory after a long idle time, even if somebody watches it.
// The next request loads it again. It does nothing while the table is in use.
func (t *live) rest() {
	select {
	case t.turn <- struct{}{}:
		defer t.unlockTurn()
	default:
		return
	}
	if t.fault != nil || t.seq.Load() == 0 || t.resting.Load() {
		return
	}
	t.mu.Lock()
	t.book = ledger.New(t.id, t.host.Games.Games(), act.Vocabulary)
	t.mu.Unlock()
	t.views.forget()
	t.resting.Store(true)
}

// dormant reports, for a watcher, whether the table rests and the journal has nothing new.
func (t *live) dormant(ctx context.Context) bool {
	if !t.resting.Load() || !t.behind() {
		return t.resting.Load()
	}
	if t.lockTurn(ctx) != nil {
		return false
	}
	defer t.unlockTurn()
	known := t.heardSeq.Load()
	t.journalUses.Add(1)
	entries, err := t.host.read(ctx, t.id, t.seq.Load()-1, 2)
	if err != nil || len(entries) != 1 || !t.resting.Load() { // new ones, or it was deleted
		return false
	}
	t.maybeStale.Store(false)
	t.heardSeq.CompareAndSwap(known, t.seq.Load())
	return true
}

// ready updates the table for a new request and returns an error if it doesn't exist.
func (t *live) ready(ctx context.Context) error {
	look := t.refresh
	if t.host.Poll > 0 {
		look = t.refreshFromJournal
	}
	if err := look(ctx); err != nil {
		return err
	}
	if t.seq.Load() == 0 {
		return &refusal.NotFoundError{}
	}
	return nil
}

// refresh reads new entries from the journal, if there may be any.
func (t *live) refresh(ctx context.Context) error {
	if !t.behind() && !t.broken.Load() && !t.resting.Load() {
		return nil
	}
	if err := t.lockTurn(ctx); err != nil {
		return err
	}
	defer t.unlockTurn()
	return t.catchUp(ctx)
}

// opensWithoutGame reports whether a key opens a seat of a table whose game this norn lacks.
func (t *live) opensWithoutGame(ctx context.Context, key [sha256.Size]byte) (bool, error) {
	if err := t.lockTurn(ctx); err != nil {
		return false, err
	}
	defer t.unlockTurn()
	return t.doors.opens(ctx, t.host.Journal, t.id, key)
}

// refreshFromJournal is refresh for callers that can't rely on messages from other nodes: every
// entry in the journal when it's called is in the state when it returns. Concurrent callers share
// one read.
func (t *live) refreshFromJournal(ctx context.Context) error {
	before := t.journalUses.Load()
	if err := t.lockTurn(ctx); err != nil {
		return err
	}
	defer t.unlockTurn()
	if t.journalUses.Load() == before {
		t.maybeStale.Store(true)
	}
	return t.catchUp(ctx)
}

// catchUp is refresh for the holder of the turn.
func (t *live) catchUp(ctx context.Context) error {
	if t.fault != nil && t.seq.Load() > 0 {
		return t.fault
	}
	if t.fault != nil { // nothing could be read, perhaps because the game was missing: it may be there now
		t.mu.Lock()
		t.book = ledger.New(t.id, t.host.Games.Games(), act.Vocabulary)
		t.mu.Unlock()
		t.fault = nil
		t.broken.Store(false)
	}
	if !t.behind() && !t.resting.Load() {
		return nil
	}
	known := t.heardSeq.Load()
	b := t.now(ctx)
	if b.Seq == 0 {
		var err error
		if b, err = t.loadSnapshot(ctx); err != nil {
			return err
		}
	}
	t.journalUses.Add(1)
	b, err := b.FoldOn(t.readOn(ctx, b))
	if errors.Is(err, errBlanked) { // older entries have changed: all are read again
		t.snapshotSeq.Store(0) // the old one is removed
		b = ledger.New(t.id, t.host.Games.Games(), act.Vocabulary).WithLookback(ctx, t.host.Journal)
		b, err = b.FoldOn(t.readOn(ctx, b))
	}
	if errors.Is(err, errVanished) || err == nil && b.Seq < t.seq.Load() {
		t.vanish() // and what is there in its place, by an import, is read by the next request
		return nil
	}
	if err := t.publish(b, err); err != nil {
		return err
	}
	t.maybeStale.Store(false)
	// An entry that was announced but isn't there was never written.
	t.heardSeq.CompareAndSwap(known, t.seq.Load())
	return nil
}

// publish makes a ledger current and wakes watchers. With an error the ledger has the entries up to
// that.
func (t *live) publish(b ledger.Ledger, err error) error {
	if err != nil && errors.As(err, new(*refusal.UnreadableError)) { // As allocates
		t.fault = err
		t.broken.Store(true)
	}
	if b.State != nil && (b.Seq > t.seq.Load() || t.resting.Load() && b.Seq == t.seq.Load()) {
		b.OpenMoves.FindPending()
		b.Lookback = nil
		t.views.age(t.book.State)
		t.mu.Lock()
		t.book = b
		t.mu.Unlock()
		t.resting.Store(false)
		t.seq.Store(b.Seq)
		t.wakeWatchers()
		t.scheduleSnapshot()
	}
	return err
}

// handle takes a message from the relay: another node has written to the table, or says who watches
// there.
func (t *live) handle(m relay.Message) {
	if m.Word != "" {
		t.hearOnline(m.Word)
		return
	}
	seq := m.Seq
	for {
		known := t.heardSeq.Load()
		if seq <= known || t.heardSeq.CompareAndSwap(known, seq) {
			break
		}
	}
	if seq > t.seq.Load() {
		t.wakeWatchers()
	}
}

func (t *live) join(seat string, away bool) *watcher {
	w := &watcher{seat: seat, away: away, wake: make(chan struct{}, 1)}
	t.watchMu.Lock()
	t.watchers[w] = struct{}{}
	if t.host.Poll > 0 {
		if t.pollTicker == nil {
			t.pollTicker = time.NewTicker(t.host.Poll)
		}
		w.poll = t.pollTicker.C
	}
	t.presenceRevision.Add(1)
	t.watchMu.Unlock()
	t.wakeWatchers()
	t.host.announce(t)
	return w
}

func (t *live) leave(w *watcher) {
	t.watchMu.Lock()
	delete(t.watchers, w)
	if len(t.watchers) == 0 && t.pollTicker != nil {
		t.pollTicker.Stop()
		t.pollTicker = nil
	}
	t.presenceRevision.Add(1)
	t.watchMu.Unlock()
	t.wakeWatchers()
	t.host.announce(t)
}

// now returns the table as it is in memory, for a request that may read older entries.
func (t *live) now(ctx context.Context) ledger.Ledger {
	return t.inMemory().WithLookback(ctx, t.host.Journal)
}

// inMemory is now for a caller that reads only what is in memory.
func (t *live) inMemory() ledger.Ledger {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.book
}

// awake is now for a table that may have begun to rest meanwhile.
func (t *live) awake(ctx context.Context) (ledger.Ledger, error) {
	b := t.now(ctx)
	for b.Seq == 0 && t.seq.Load() > 0 {
		if err := t.refresh(ctx); err != nil {
			return b, err
		}
		b = t.now(ctx)
	}
	return b, nil
}

// lockTurn waits for the turn.
func (t *live) lockTurn(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &refusal.UnavailableError{Err: context.Cause(ctx)}
	}
}

func (t *live) unlockTurn() { <-t.turn }

func (t *live) wakeWatchers() {
	t.watchMu.Lock()
	defer t.watchMu.Unlock()
	for w := range t.watchers {
		select {
		case w.wake <- struct{}{}:
		default: // a wake-up is already pending
		}
	}
}

func (t *live) behind() bool { return t.maybeStale.Load() || t.heardSeq.Load() > t.seq.Load() }
