package bridge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
)

const (
	atOnce    = 64 // entries that are read at once
	mostPause = time.Minute
)

// publisher tells one place.
type publisher struct {
	composer
	to   Platform
	stop context.CancelFunc
	wake chan struct{}
	room string // where it's told, once it's known
}

// run tells the place until its tie ends.
func (t *publisher) run(ctx context.Context) {
	pause := time.Second
	for ctx.Err() == nil {
		err := t.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case refusal.IsGone(err):
			t.endTie(ctx, t.tie, endedSeat)
		case err != nil:
			t.failed("a place can't be told", err)
		}
		_ = Wait(ctx, pause)
		pause = min(2*pause, mostPause)
	}
}

// follow tells what is there and what comes, until something fails.
func (t *publisher) follow(ctx context.Context) (err error) {
	if t.delivery == nil {
		if t.delivery, err = loadDelivery(ctx, t.Store, t.tie.ID); err != nil {
			return err
		}
	}
	seat, err := t.Host.Enter(ctx, t.tie.Table, t.tie.Secret, t.tie.Lang)
	if err != nil {
		return err
	}
	watching, end := context.WithCancel(ctx)
	defer end()
	news, ended := make(chan struct{}, 1), make(chan error, 1)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer end()
	from := t.delivery.At
	watch.Go(func() {
		for _, err := range seat.Follow(watching, from) {
			if err != nil {
				ended <- err
				return
			}
			select {
			case news <- struct{}{}:
			default:
			}
		}
		ended <- nil
	})
	for {
		if err := t.drain(ctx, seat); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-news:
		case <-t.wake:
			t.delivery.Shut = false
		case err := <-ended:
			return err
		}
	}
}

// drain tells all that there is.
func (t *publisher) drain(ctx context.Context, seat *table.Seat) error {
	for ctx.Err() == nil {
		entries, err := seat.Log(ctx, t.delivery.At, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := t.deliverAll(ctx, seat, entries); err != nil {
			return err
		}
		t.delivery.At = entries[len(entries)-1].Seq
		if err := saveDelivery(ctx, t.Store, t.tie.ID, t.delivery); err != nil {
			return err
		}
	}
	return nil
}

// deliverAll tells entries: what stands already is edited, the rest is written in order.
func (t *publisher) deliverAll(ctx context.Context, seat *table.Seat, entries []view.Entry) error {
	at, err := t.look(ctx, t.tie, seat)
	if err != nil {
		return err
	}
	var changed []*deliveredMessage
	var fresh []string
	for _, e := range entries {
		if slices.Contains(untold, e.Kind) {
			continue
		}
		if e.Kind == view.KindPicture { // one that was taken back is in no message above any more
			for _, s := range t.delivery.Messages {
				if s.Refs[0][0] == 'e' && !slices.Contains(changed, s) {
					changed = append(changed, s)
				}
			}
		}
		ref := refOf(e)
		if s := t.delivery.about(ref); s != nil {
			if !slices.Contains(changed, s) {
				changed = append(changed, s)
			}
			for _, call := range t.delivery.Messages { // whom it waited for
				if strings.HasPrefix(call.Refs[0], "w"+ref+"#") && !slices.Contains(changed, call) {
					changed = append(changed, call)
				}
			}
			if at.newlyAsked(e) {
				if call := "w" + ref + "#" + seqText(e.Seq); t.delivery.about(call) == nil {
					fresh = append(fresh, call)
				}
			}
			back := "u" + seqText(e.Seq)
			if e.Undoes > 0 && s != t.delivery.Messages[len(t.delivery.Messages)-1] && t.delivery.about(back) == nil { // it stands far above
				fresh = append(fresh, back)
			}
			continue
		}
		if !slices.Contains(fresh, ref) {
			fresh = append(fresh, ref)
		}
	}
	t.coming = fresh
	for _, s := range changed {
		if err := t.deliver(ctx, at, s); err != nil {
			return err
		}
	}
	for _, refs := range t.batches(ctx, at, fresh) {
		s := &deliveredMessage{Refs: refs}
		if err := t.deliver(ctx, at, s); err != nil {
			return err
		}
		t.delivery.Messages = append(t.delivery.Messages, s)
		if err := saveDelivery(ctx, t.Store, t.tie.ID, t.delivery); err != nil {
			return err
		}
	}
	return nil
}

// deliver writes a message, or has it deliver what is so now.
func (t *publisher) deliver(ctx context.Context, at *seatView, s *deliveredMessage) error {
	m, err := t.messageOfAll(ctx, at, s.Refs, s.ID == "")
	if err != nil {
		return err
	}
	sum := shortHash(16, encodeJSON(m))
	if sum == s.Sum || m.Empty() && s.ID == "" {
		return nil
	}
	if t.delivery.Shut {
		return nil
	}
	for pause := time.Second; ; pause = min(2*pause, mostPause) {
		err := t.send(ctx, s, m)
		var (
			later *Later
			gone  *Gone
		)
		switch {
		case err == nil:
			s.Sum = sum
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &later):
			t.count(t.tie.Platform, "later")
			_ = Wait(ctx, min(max(later.After, 50*time.Millisecond), 10*time.Minute))
			pause = time.Second
		case errors.As(err, &gone) && gone.Message:
			if m.Empty() {
				return nil
			}
			s.ID, s.Try = "", s.Try+1
		case errors.As(err, &gone) && t.tie.Person != "": // they may still play in the channel
			t.delivery.Shut = true
			return nil
		case errors.As(err, &gone):
			t.endTie(ctx, t.tie, gone.What)
			return ctx.Err()
		default:
			t.count(t.tie.Platform, "failed")
			t.failed("a message can't be written", err)
			_ = Wait(ctx, pause)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (t *publisher) send(ctx context.Context, s *deliveredMessage, m Message) error {
	if t.room == "" {
		t.room = t.tie.Place
		if t.tie.Person != "" {
			room, err := t.to.Private(ctx, t.tie.Person)
			if err != nil {
				return err
			}
			t.room = room
		}
	}
	if s.ID != "" {
		if m.Empty() {
			m = textMessage("…")
		}
		if err := t.to.Edit(ctx, t.room, s.ID, m); err != nil {
			return err
		}
		t.count(t.tie.Platform, "edited")
		return nil
	}
	id, err := t.to.Post(ctx, t.room, m, shortHash(20, t.tie.ID, strings.Join(s.Refs, " "), seqText(uint64(s.Try))))
	if err != nil {
		return err
	}
	s.ID = id
	t.count(t.tie.Platform, "posted")
	return nil
}
