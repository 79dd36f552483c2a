package table

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"norn/table/internal/projection"
	"norn/table/internal/visibility"
	"norn/table/view"
)

const (
	watchBatch    = 64                     // entries that a watcher takes at once
	presenceDelay = 200 * time.Millisecond // delay of news about who is online, so that reloading a page sends none
)

// Watch yields what happens after a seq as it happens: each entry that the seat may see, once and
// in order, and an Update without an entry if only the view has changed. Who is online is compared
// with the Seat's last View, if there was one. The seat is online while it runs. It ends without an
// error with ctx and with the Host, and with an error when the seat's link isn't valid any more or
// the table can't be read. Only WatchAll computes UndoabilityChanged.
func (s *Reader) Watch(ctx context.Context, after uint64) iter.Seq2[view.Update, error] {
	return func(yield func(view.Update, error) bool) {
		for updates, err := range s.watch(ctx, after, true, false) {
			for _, u := range updates {
				if !yield(u, err) {
					return
				}
			}
		}
	}
}

// Follow yields for every change that the seat may notice, so that a service outside can react: the
// seq grows with each entry that the seat may see, and with each change of its view. It doesn't
// make the seat online. It ends as Watch does.
func (s *Reader) Follow(ctx context.Context, after uint64) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		elsewhere := *s
		elsewhere.present = &atomic.Pointer[string]{}
		elsewhere.offline = true
		for u, err := range elsewhere.Watch(ctx, after) {
			if !yield(u.Seq, err) || err != nil {
				return
			}
		}
	}
}

// WatchAll is Watch in batches of at least one update. away means that nobody is looking at the
// updates.
func (s *Reader) WatchAll(ctx context.Context, after uint64, away bool) iter.Seq2[[]view.Update, error] {
	return s.watch(ctx, after, away, true)
}

// watch is WatchAll; with undo, updates also list the changes whose MayUndo may have changed.
func (s *Reader) watch(ctx context.Context, after uint64, away, undo bool) iter.Seq2[[]view.Update, error] {
	return func(yield func([]view.Update, error) bool) {
		fails := func(err error) { yield([]view.Update{{Seq: after}}, err) }
		t, err := s.host.acquire(ctx, s.table)
		if err != nil {
			fails(err)
			return
		}
		defer s.host.release(t)
		id := s.id
		if s.offline {
			id = ""
		}
		w := t.join(id, away)
		defer t.leave(w)
		revision, present := t.presenceRevision.Load(), presence(t.online(), s.id)
		shown := s.present.Load()
		if shown != nil { // somebody may have come since
			revision, present = 0, *shown
		}
		after = min(after, t.seq.Load())
		// entries that the seat doesn't see move after on, and the seat must not learn how far
		told, err := toldUpTo(ctx, s, t, after)
		if err != nil {
			fails(err)
			return
		}
		renewed, err := renewedAt(ctx, s, t)
		if err != nil {
			fails(err)
			return
		}
		var later <-chan time.Time // when to look who is online
		for {
			updates, upTo, more, err := updatesAfter(ctx, s, t, after, undo)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				fails(err)
				return
			}
			after = upTo
			if len(updates) > 0 {
				told = updates[len(updates)-1].Seq
				if !yield(updates, nil) {
					return
				}
			}
			if more {
				continue
			}
			if later == nil && t.presenceRevision.Load() != revision {
				later = time.After(presenceDelay)
			}
			select {
			case <-w.wake:
			case <-w.poll:
				t.maybeStale.Store(true)
			case <-renewed:
				if renewed, err = renewedAt(ctx, s, t); err != nil {
					fails(err)
					return
				}
				if !yield([]view.Update{{Seq: told}}, nil) {
					return
				}
			case <-later:
				later, revision = nil, t.presenceRevision.Load()
				now, last := presence(t.online(), s.id), s.present.Load()
				// An update that was sent meanwhile has shown who is online.
				if viewed := last != shown && *last != now; now != present || viewed {
					shown, present = last, now
					if !yield([]view.Update{{Seq: told}}, nil) {
						return
					}
				}
			case <-ctx.Done():
				return
			}
			if s.host.isClosed() {
				return
			}
		}
	}
}

// renewedAt returns a channel that is closed when the table's own game gets another text.
func renewedAt(ctx context.Context, s *Reader, t *live) (renewed <-chan struct{}, err error) {
	err = lookAt(ctx, s, t, func(e *visibility.Eye) error {
		renewed = e.Table.Game.NextText()
		return nil
	})
	return renewed, err
}

// toldUpTo returns the seq up to which the seat has seen everything, at most upTo: a client that
// names a seq beyond the end must not learn how long the log is.
func toldUpTo(ctx context.Context, s *Reader, t *live, upTo uint64) (told uint64, err error) {
	err = lookAt(ctx, s, t, func(e *visibility.Eye) error {
		_, told = projection.LastSeen(e)
		return nil
	})
	return min(upTo, told), err
}

// updatesAfter returns the updates after a seq that the seat notices, from at most a batch of entries. It
// also returns the seq of the last of these entries, and whether there are more.
func updatesAfter(ctx context.Context, s *Reader, t *live, after uint64, undo bool) (updates []view.Update,
	upTo uint64, more bool, err error,
) {
	if t.dormant(ctx) {
		return nil, after, false, nil
	}
	if err := t.refresh(ctx); err != nil {
		return nil, after, false, err
	}
	upTo = after
	err = lookAt(ctx, s, t, func(e *visibility.Eye) error {
		records := e.Table.Span(after+1, after+watchBatch)
		more = after+watchBatch < e.Table.Seq
		for _, r := range records {
			upTo = r.Seq
			u := view.Update{Seq: r.Seq, Entry: projection.EntryOnce(e, r)}
			if u.Entry == nil && !projection.ChangesSeenSheet(e, r) {
				continue
			}
			if u.Entry != nil && undo {
				u.UndoabilityChanged = projection.UndoabilityChanged(e, r)
			}
			updates = append(updates, u)
		}
		return nil
	})
	return updates, upTo, more, err
}
