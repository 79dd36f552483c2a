package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"norn/journal"
	"norn/relay"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/refusal"
)

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
	fault error            // why it can't be read; guarded by turn
	doors seatsWithoutGame // guarded by turn
	views viewCache

	seq          atomic.Uint64 // book.seq, for who has no lock
	heardSeq     atomic.Uint64 // the highest seq that others told of
	maybeStale   atomic.Bool   // the journal may hold more: never read, or an append's fate isn't known
	broken       atomic.Bool   // fault is set
	resting      atomic.Bool   // book has left memory, see rest
	snapshotSeq  atomic.Uint64 // seq of the last snapshot
	snapshotting atomic.Bool   // one is being made
	journalUses  atomic.Uint64 // how often the journal was read or written to, each counted when it begins

	watchMu          sync.Mutex
	watchers         map[*watcher]struct{}
	visitors         map[string]*visitor   // by seats
	pollTicker       *time.Ticker          // runs while somebody watches, if the Host polls
	remoteNodes      map[string]remoteNode // who watches on other nodes
	presenceRevision atomic.Uint64         // counts who joined and left: while it stands, the same are online
}

// watcher is somebody who watches the table.
type watcher struct {
	seat string
	away bool             // nobody looks: a page behind others, or no page
	wake chan struct{}    // capacity 1: it says that there's something, not what
	poll <-chan time.Time // shared by the table's watchers: a tick tells one of them to read again
}

// remoteNode is who watches a table on another node.
type remoteNode struct {
	seats []string // sorted; those that don't look begin with awayMark
	until time.Time
}

func newLive(h *Host, id string) *live {
	t := &live{
		host: h, id: id, turn: make(chan struct{}, 1), book: ledger.New(id, h.Games.Games(), act.Vocabulary),
		watchers: map[*watcher]struct{}{}, visitors: map[string]*visitor{}, remoteNodes: map[string]remoteNode{},
	}
	t.maybeStale.Store(true)
	t.unfollow = h.Relay.Follow(id, t.hear)
	return t
}

// rest lets the table leave memory although somebody may watch it: nothing has happened for long.
// Who asks for it has it opened again. It does nothing while something happens.
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

// dormant tells whether the table rests and the journal holds nothing new of it, for who watches.
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
	entries, err := t.host.read(ctx, t.id, t.seq.Load(), 1)
	if err != nil || len(entries) > 0 || !t.resting.Load() {
		return false
	}
	t.maybeStale.Store(false)
	t.heardSeq.CompareAndSwap(known, t.seq.Load())
	return true
}

// ready brings the table up to date for who comes in and tells whether it's there.
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

// refresh reads what the journal holds beyond the state, if anything may be
// there.
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

// opensWithoutGame tells whether a key opens a seat of a table whose game isn't here.
func (t *live) opensWithoutGame(ctx context.Context, key [sha256.Size]byte) (bool, error) {
	if err := t.lockTurn(ctx); err != nil {
		return false, err
	}
	defer t.unlockTurn()
	return t.doors.opens(ctx, t.host.Journal, t.id, key)
}

// refreshFromJournal is refresh for who can't rely on being told: what stands in the journal
// when it's called is in the state when it returns. Those who wait together
// share one look.
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

// catchUp is refresh for who has the turn.
func (t *live) catchUp(ctx context.Context) error {
	if t.fault != nil && t.seq.Load() > 0 {
		return t.fault
	}
	if t.fault != nil { // nothing of it could be read, its game maybe wasn't there: it may have come since
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
	b, err := b.FoldOn(func(after uint64, most int) ([]journal.Entry, error) {
		return t.host.read(ctx, t.id, after, most)
	})
	if err := t.publish(b, err); err != nil {
		return err
	}
	t.maybeStale.Store(false)
	// What was told of but isn't there was never written.
	t.heardSeq.CompareAndSwap(known, t.seq.Load())
	return nil
}

// publish makes a ledger the table's, and wakes who waits for it. With an error it's as far as it could be read.
func (t *live) publish(b ledger.Ledger, err error) error {
	if errors.As(err, new(*refusal.UnreadableError)) {
		t.fault = err
		t.broken.Store(true)
	}
	if b.State != nil && (b.Seq > t.seq.Load() || t.resting.Load() && b.Seq == t.seq.Load()) {
		b.OpenMoves.FindPending()
		b.Lookback = nil
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

// hear is told by the relay that the table has moved on somewhere, or who
// watches it there.
func (t *live) hear(m relay.Message) {
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

// now is the table as it is in memory, for one who asks and may look back.
func (t *live) now(ctx context.Context) ledger.Ledger {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.book.WithLookback(ctx, t.host.Journal)
}

// awake is now of a table that may rest since it was asked for.
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
		default: // it has been told already
		}
	}
}

func (t *live) behind() bool { return t.maybeStale.Load() || t.heardSeq.Load() > t.seq.Load() }
