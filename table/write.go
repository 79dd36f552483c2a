package table

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"norn/form"
	"norn/journal"
	"norn/relay"
	"norn/rule"
)

// draft is an entry before the journal has it. Who writes it needn't read it
// back where it's known what that would give.
type draft struct {
	move   string
	body   body
	args   any          // of an opening; nil where they're to be read
	events []rule.Event // those of the body; likewise
	luck   Luck         // of the body's
}

// mostTries is how often a writer tries when others are first. Each time it
// lost to an entry that counts, so people get on. mostPause bounds the wait
// between two tries.
const (
	mostTries = 100
	mostPause = 32 * time.Millisecond
)

// write makes one entry: plan judges the request on the state as it stands,
// and says what to write. Where another writer was first it's asked again, on
// the new state. The same key gives the entry that stands; request is what must
// be the same then.
func (s *Seat) write(ctx context.Context, key, op string, request any, plan func(eye) (draft, error)) (_ *record, err error) {
	defer func() {
		if refusal := Refusal(nil); errors.As(err, &refusal) {
			s.host.Meter.Refused(refusal.Code())
		}
	}()
	if err := checkKey("key", key); err != nil {
		return nil, err
	}
	hash := ""
	if key != "" {
		hash = fingerprint(op, request)
	}
	return s.host.write(ctx, s.table, key, func(b ledger) (eye, draft, *record, error) {
		e, err := s.eye(b)
		if err != nil {
			return e, draft{}, nil, err
		}
		if r := b.keys[keyUse{s.id, key}]; key != "" && r != nil {
			if b.whole(r).Request != hash {
				return e, draft{}, nil, &KeyReusedError{Key: key, Seq: r.Seq}
			}
			return e, draft{}, r, nil
		}
		d, err := plan(e)
		d.body.Request = hash
		return e, d, nil, err
	})
}

// write makes one entry: plan says by whose eye and what, on the table as it stands, or gives the entry that stands there already.
func (h *Host) write(ctx context.Context, table, key string, plan func(ledger) (eye, draft, *record, error)) (*record, error) {
	t, err := h.acquire(ctx, table)
	if err != nil {
		return nil, err
	}
	defer h.release(t)
	if err := t.take(ctx); err != nil {
		return nil, err
	}
	defer t.give()
	for try := range mostTries {
		if try > 0 {
			if err := h.pause(ctx, try); err != nil {
				return nil, err
			}
		}
		if err := t.catchUp(ctx); err != nil {
			return nil, err
		}
		e, d, r, err := plan(t.book)
		if err != nil || r != nil {
			return r, err
		}
		edition := t.book.edition
		if d.body.Kind == KindEdition {
			edition = t.book.game.EditionID()
		}
		d.body.sign(edition, h.Version)
		if d.body.Kind != KindMove && d.body.Kind != KindAnswer { // which are judged as they're made
			if err := e.judge(d); err != nil {
				return nil, err
			}
		}
		if r, err := t.append(ctx, d, e.seat.id, key); err != nil || r != nil {
			return r, err
		}
	}
	return nil, &ConflictError{}
}

// pause waits before another try, for a time that is drawn, so that nodes that
// met don't meet again; the bound doubles with each try.
func (h *Host) pause(ctx context.Context, try int) error {
	drawn, err := draw(h.Entropy, 4)
	if err != nil {
		return err
	}
	bound := min(time.Millisecond/4<<min(try, 10), mostPause)
	wait := time.NewTimer(time.Duration(uint64(bound) * uint64(binary.LittleEndian.Uint32(drawn)) >> 32))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return &UnavailableError{context.Cause(ctx)}
	}
}

type billKey struct{}

// Billed has bill told how large each entry is that is written with the context.
func Billed(ctx context.Context, bill func(bytes int)) context.Context {
	return context.WithValue(ctx, billKey{}, bill)
}

// append writes a draft behind the state, folds it in and tells the others. No
// record means that somebody else has written first. The caller has the turn.
func (t *live) append(ctx context.Context, d draft, seat, key string) (*record, error) {
	data, err := json.Marshal(&d.body)
	if err != nil {
		return nil, &UnreadableError{Table: t.id, Seq: t.at.Load() + 1, Err: err}
	}
	if len(data) > journal.MaxBody {
		return nil, &TooManyError{What: "bytes", Max: journal.MaxBody}
	}
	entry := journal.Entry{Time: t.host.Now(), Seat: seat, Move: d.move, Key: strings.Clone(key), Body: data} // what it came with needn't stay
	t.looks.Add(1)
	stored, err := t.host.append(ctx, t.id, t.at.Load(), entry)
	var (
		conflict  *journal.ConflictError
		duplicate *journal.DuplicateError
	)
	switch {
	case errors.As(err, &conflict) || errors.As(err, &duplicate):
		t.doubt.Store(true)
		return nil, nil
	case err != nil: // it may be there all the same
		t.doubt.Store(true)
		return nil, unavailable(t.id, t.at.Load(), err)
	}
	if err := t.fold(stored, d.asRead()); err != nil {
		return nil, err
	}
	if bill, ok := ctx.Value(billKey{}).(func(bytes int)); ok {
		bill(len(data))
	}
	t.host.Meter.Wrote(d.body.Kind)
	t.host.Relay.Publish(relay.Message{Table: t.id, Seq: stored[0].Seq})
	return t.book.records[len(t.book.records)-1], nil
}

// asRead is a draft whose entry decode would read back as it is, nil where that's only known by
// reading: an answer, a sheet, a text are as somebody sent them.
func (d *draft) asRead() *draft {
	if d.body.Kind != KindMove && d.body.Kind != KindAnswer || slices.ContainsFunc(d.body.Steps, func(s rule.Step) bool { return s.Answer != nil }) {
		return nil
	}
	return d
}

// checkKey holds a key or a nonce to what the journal takes.
func checkKey(path, text string) error {
	switch {
	case len(text) > journal.MaxText:
		return invalid(path, form.TooLong, func(p *form.Problem) { p.Max, p.Given = journal.MaxText, "…" })
	case !utf8.ValidString(text):
		return invalid(path, form.UTF8)
	case strings.ContainsRune(text, 0):
		return invalid(path, form.Control)
	}
	return nil
}
