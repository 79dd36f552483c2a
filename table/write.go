package table

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"norn/internal/relay"
	"norn/journal"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// maxTries bounds the tries of a writer when others write first. Each lost try means that another
// entry was written, so people make progress. maxPause bounds the wait between two tries.
const (
	maxTries = 100
	maxPause = 32 * time.Millisecond
)

// write writes one entry: plan validates the request by the current state and returns the draft. If
// another writer was first, it's called again with the new state. A repeated key returns the
// existing entry; request must be the same then.
func (s *Seat) write(ctx context.Context, key, op string, request any,
	plan func(*visibility.Eye) (ledger.Draft, error),
) (_ *state.Record, err error) {
	defer func() {
		if refusal, ok := errors.AsType[refusal.Error](err); ok {
			s.host.Meter.CountRefusal(refusal.Code())
		}
	}()
	if err := act.CheckKey("key", key); err != nil {
		return nil, err
	}
	by := author{seat: s.id, pays: s.id, key: key, eye: func(b ledger.Ledger) (*visibility.Eye, error) {
		return eyeOf(&s.Reader, b)
	}}
	if key != "" {
		by.request = fingerprint(op, request)
	}
	return s.host.write(ctx, s.table, by, plan)
}

// author is the seat that writes an entry, and its key.
type author struct {
	seat, key string
	pays      string // the seat whose write limit the entry counts against, "" for none
	request   string // hash of the request, for its key
	eye       func(ledger.Ledger) (*visibility.Eye, error)
}

// nobody writes entries without a seat.
var nobody = author{eye: func(b ledger.Ledger) (*visibility.Eye, error) {
	return visibility.Of(b, &state.Seat{}, lang.Speaker{}), nil
}}

// write writes one entry: plan returns its draft, from what its author sees of the current table. A
// used key returns the existing entry. If that isn't in memory, the journal finds it: when it
// refuses the new entry, or when plan returns an error, since the act may not be possible any more.
func (h *Host) write(ctx context.Context, table string, by author,
	plan func(*visibility.Eye) (ledger.Draft, error),
) (_ *state.Record, err error) {
	defer ledger.Catch(&err)
	t, err := h.acquire(ctx, table)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	answered, err := t.admit(ctx, by)
	if err != nil {
		return nil, err
	}
	if err := t.lockTurn(ctx); err != nil {
		return nil, err
	}
	defer t.unlockTurn()
	for try := range maxTries {
		if try > 0 {
			if err := h.pause(ctx, try); err != nil {
				return nil, err
			}
		}
		if err := t.catchUp(ctx); err != nil {
			return nil, err
		}
		b := t.now(ctx)
		e, err := by.eye(b)
		if err != nil {
			return nil, err
		}
		if r := ledger.RecordOfKey(b.Recent, by.seat, by.key); r != nil {
			return r, by.checkSameRequest(r)
		}
		if answered {
			return t.storedUnderKey(ctx, by, &refusal.ConflictError{})
		}
		d, err := plan(e)
		now := h.Now()
		if err == nil {
			d.Content.Request, d.Content.Agent = by.request, by.seat != "" && byAgent(ctx)
			d.Content.Sign(editionOf(b, d), h.Version)
			// moves and answers are checked while they're made
			if d.Content.Kind == view.KindMove || d.Content.Kind == view.KindAnswer {
				err = act.CheckStays(b.State, d.Content.Kind, false)
			} else {
				err = act.Judge(e, d, now)
			}
		}
		if err != nil {
			return t.storedUnderKey(ctx, by, err)
		}
		r, err := t.append(ctx, b, d, by, now)
		if _, used := errors.AsType[*journal.DuplicateError](err); used {
			return t.storedUnderKey(ctx, by, &refusal.ConflictError{})
		}
		if err != nil || r != nil {
			return r, err
		}
	}
	return nil, &refusal.ConflictError{}
}

// admit charges the write limit for one try, before it waits for the turn, so that a seat that
// floods a table doesn't slow down others. A repeated request with its key is free. For an entry
// that isn't in memory that takes a read of the journal, so it's only checked if the limit refuses;
// answered reports that.
func (t *live) admit(ctx context.Context, by author) (answered bool, err error) {
	if r := ledger.RecordOfKey(t.inMemory().Recent, by.seat, by.key); r != nil && r.Request == by.request {
		return false, nil
	}
	if ctx.Value(freeKey{}) != nil {
		return false, nil
	}
	err = t.host.spend(t.id, by.pays)
	if err == nil || by.key == "" {
		return false, err
	}
	stored, failed := t.host.Journal.Find(ctx, t.id, by.seat, by.key)
	var content struct {
		Request string `json:"request"`
	}
	if failed != nil || json.Unmarshal(stored.Body, &content) != nil || content.Request != by.request {
		return false, err
	}
	return true, nil
}

// spend charges the write limit for one try of a seat. The error is a *refusal.TooOftenError.
func (h *Host) spend(table, seat string) error {
	if h.Writes == nil || seat == "" {
		return nil
	}
	if wait := h.Writes.Write(table, seat); wait > 0 {
		return &refusal.TooOftenError{After: wait}
	}
	return nil
}

// storedUnderKey returns the entry in the journal with the author's key, or else the error
// otherwise. An act may have been done before and not be possible any more.
func (t *live) storedUnderKey(ctx context.Context, by author, otherwise error) (*state.Record, error) {
	if by.key == "" {
		return nil, otherwise
	}
	found, err := t.host.Journal.Find(ctx, t.id, by.seat, by.key)
	switch {
	case errors.Is(err, journal.ErrNotFound):
		return nil, otherwise
	case err != nil:
		return nil, refusal.Unavailable(t.id, t.seq.Load(), err)
	}
	if err := t.catchUp(ctx); err != nil {
		return nil, err
	}
	r := t.now(ctx).Record(found.Seq)
	return r, by.checkSameRequest(r)
}

// checkSameRequest returns an error if a record is of another request than the author's.
func (a author) checkSameRequest(r *state.Record) error {
	if r.Request != a.request {
		return &refusal.KeyReusedError{Key: a.key, Seq: r.Seq}
	}
	return nil
}

// editionOf returns the edition that makes a draft.
func editionOf(b ledger.Ledger, d ledger.Draft) string {
	if d.Content.Kind == view.KindEdition {
		if taken, ok := d.Events[0].(interface{ Edition() string }); ok {
			return taken.Edition()
		}
	}
	return b.Edition
}

// pause waits for a random time before another try, so that nodes that collided don't collide
// again; the bound doubles with each try.
func (h *Host) pause(ctx context.Context, try int) error {
	drawn, err := state.RandomBytes(h.Entropy, 4)
	if err != nil {
		return err
	}
	bound := min(time.Millisecond/4<<min(try, 10), maxPause)
	wait := time.NewTimer(time.Duration(uint64(bound) * uint64(binary.LittleEndian.Uint32(drawn)) >> 32))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return &refusal.UnavailableError{Err: context.Cause(ctx)}
	}
}

type agentKey struct{}

// ByAgent marks each entry that is written with the context as made by an agent in its seat's
// place.
func ByAgent(ctx context.Context) context.Context { return context.WithValue(ctx, agentKey{}, true) }

func byAgent(ctx context.Context) bool { return ctx.Value(agentKey{}) != nil }

type freeKey struct{}

// Free exempts writes with the context from the write limit: norn itself makes them, as when it
// plays a demo's story.
func Free(ctx context.Context) context.Context { return context.WithValue(ctx, freeKey{}, true) }

type billKey struct{}

// WithBill calls bill with the size of each entry that is written with the context, to charge the
// client's address. Config.Writes charges the seat.
func WithBill(ctx context.Context, bill func(bytes int)) context.Context {
	return context.WithValue(ctx, billKey{}, bill)
}

// append writes a draft after the current state b, folds it and wakes others. It returns no record if
// somebody else wrote first, and a *journal.DuplicateError if the key was used. The caller holds
// the turn.
func (t *live) append(ctx context.Context, b ledger.Ledger, d ledger.Draft, by author, at time.Time) (*state.Record,
	error,
) {
	data, err := json.Marshal(&d.Content)
	if err != nil {
		return nil, &refusal.UnreadableError{Table: t.id, Seq: t.seq.Load() + 1, Err: err}
	}
	if len(data) > journal.MaxBody {
		return nil, &refusal.TooManyError{What: "bytes", Max: journal.MaxBody}
	}
	// cloned, so that the request's memory can be freed
	entry := journal.Entry{Time: at, Seat: by.seat, Move: d.Move, Key: strings.Clone(by.key), Body: data}
	t.journalUses.Add(1)
	var stored []journal.Entry
	blanks := d.Content.Kind == view.KindBlanked
	if blanks {
		stored, err = t.blank(ctx, d, entry)
	} else {
		stored, err = t.host.append(ctx, t.id, t.seq.Load(), entry)
	}
	if err != nil || blanks {
		t.maybeStale.Store(true)
	}
	switch {
	case err == nil: // first, since As allocates
	case errors.As(err, new(*journal.ConflictError)):
		return nil, nil
	case errors.As(err, new(*journal.DuplicateError)):
		return nil, err
	case errors.As(err, new(*refusal.UnreadableError)):
		return nil, err
	default: // it may have been written all the same
		return nil, refusal.Unavailable(t.id, t.seq.Load(), err)
	}
	if blanks {
		err = t.catchUp(ctx)
	} else {
		err = t.publish(b.Fold(stored, d.AsRead()))
	}
	if err != nil {
		t.maybeStale.Store(true)
		return nil, err
	}
	// pictures have a limit of their own
	if t.host.Writes != nil && by.pays != "" && d.Content.Kind != view.KindAttached {
		t.host.Writes.Wrote(t.id, by.pays, len(data))
	}
	if bill, ok := ctx.Value(billKey{}).(func(bytes int)); ok {
		bill(len(data))
	}
	t.host.Meter.CountEntry(d.Content.Kind)
	t.host.Relay.Publish(relay.Message{Table: t.id, Seq: stored[0].Seq})
	t.host.OnWrite(t.id)
	return t.book.Recent[len(t.book.Recent)-1], nil
}
