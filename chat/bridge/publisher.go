package bridge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/internal/rescue"
	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
)

const (
	atOnce   = 64 // entries that are read at once
	maxPause = time.Minute
)

// publisher posts to one place.
type publisher struct {
	composer
	to   Platform
	stop context.CancelFunc
	wake chan struct{}
	room string // the chat where it posts, once known
}

// run posts to the place until its tie ends.
func (p *publisher) run(ctx context.Context) {
	pause := time.Second
	for ctx.Err() == nil {
		err := p.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case refusal.IsGone(err):
			p.endTie(ctx, p.tie, endedSeat)
		case err != nil:
			p.logFailure("a place can't be told", err)
		}
		_ = Wait(ctx, pause)
		pause = min(2*pause, maxPause)
	}
}

// follow posts everything up to now and what comes, until something fails.
func (p *publisher) follow(ctx context.Context) (err error) {
	if p.delivery == nil {
		if p.delivery, err = loadDelivery(ctx, p.Store, p.tie.ID); err != nil {
			return err
		}
	}
	seat, err := p.Host.Enter(ctx, p.tie.Table, p.tie.Secret, p.tie.Lang)
	if err != nil {
		return err
	}
	watching, end := context.WithCancel(ctx)
	defer end()
	news, ended := make(chan struct{}, 1), make(chan error, 1)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer end()
	from := p.delivery.At
	watch.Go(func() {
		ended <- rescue.Run(p.Log, "chat publisher", func() error {
			for _, err := range seat.Follow(watching, from) {
				if err != nil {
					return err
				}
				select {
				case news <- struct{}{}:
				default:
				}
			}
			return nil
		})
	})
	for {
		if err := p.drain(ctx, seat); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-news:
		case <-p.wake:
			p.delivery.Shut = false
		case err := <-ended:
			return err
		}
	}
}

// drain posts all new entries.
func (p *publisher) drain(ctx context.Context, seat *table.Seat) error {
	for ctx.Err() == nil {
		entries, err := seat.Log(ctx, p.delivery.At, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := p.deliverAll(ctx, seat, entries); err != nil {
			return err
		}
		p.delivery.At = entries[len(entries)-1].Seq
		if err := saveDelivery(ctx, p.Store, p.tie.ID, p.delivery); err != nil {
			return err
		}
	}
	return nil
}

// deliverAll posts entries: existing messages are edited, new ones are written in order.
func (p *publisher) deliverAll(ctx context.Context, seat *table.Seat, entries []view.Entry) error {
	at, err := p.look(ctx, p.tie, seat, p.to.Lead(cmp.Or(p.tie.Place, p.tie.Person)))
	if err != nil {
		return err
	}
	var changed []*deliveredMessage
	var fresh []string
	for _, e := range entries {
		if slices.Contains(unshown, e.Kind) {
			continue
		}
		if e.Kind == view.KindPicture { // after a picture was withdrawn, no message above has it
			for _, s := range p.delivery.Messages {
				if s.Refs[0][0] == 'e' && !slices.Contains(changed, s) {
					changed = append(changed, s)
				}
			}
		}
		if from, _, took := strings.Cut(e.Takes, ":"); took { // the move whose offer was taken
			if s := p.delivery.about(from); s != nil && !slices.Contains(changed, s) {
				changed = append(changed, s)
			}
		}
		ref := refOf(e)
		if s := p.delivery.about(ref); s != nil {
			if !slices.Contains(changed, s) {
				changed = append(changed, s)
			}
			for _, call := range p.delivery.Messages { // remove the call's button
				if strings.HasPrefix(call.Refs[0], "w"+ref+"#") && !slices.Contains(changed, call) {
					changed = append(changed, call)
				}
			}
			if at.asksAnew(e) {
				if call := "w" + ref + "#" + seqText(e.Seq); p.delivery.about(call) == nil {
					fresh = append(fresh, call)
				}
			}
			back := "u" + seqText(e.Seq)
			// its message is far above
			if e.Undoes > 0 && s != p.delivery.Messages[len(p.delivery.Messages)-1] && p.delivery.about(back) == nil {
				fresh = append(fresh, back)
			}
			continue
		}
		if !slices.Contains(fresh, ref) {
			fresh = append(fresh, ref)
		}
	}
	p.coming = fresh
	for _, s := range changed {
		if err := p.deliver(ctx, at, s); err != nil {
			return err
		}
	}
	for _, refs := range p.batches(ctx, at, fresh) {
		s := &deliveredMessage{Refs: refs}
		if err := p.deliver(ctx, at, s); err != nil {
			return err
		}
		p.delivery.Messages = append(p.delivery.Messages, s)
		if err := saveDelivery(ctx, p.Store, p.tie.ID, p.delivery); err != nil {
			return err
		}
	}
	return nil
}

// deliver writes a message, or edits it if it has changed.
func (p *publisher) deliver(ctx context.Context, at *seatView, s *deliveredMessage) error {
	m, err := p.messageOfAll(ctx, at, s.Refs, s.ID == "")
	if err != nil {
		return err
	}
	sum := shortHash(16, encodeJSON(m))
	if sum == s.Sum || m.Empty() && s.ID == "" {
		return nil
	}
	if p.delivery.Shut {
		return nil
	}
	for pause := time.Second; ; pause = min(2*pause, maxPause) {
		err := p.send(ctx, s, m)
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
			p.count(p.tie.Platform, "later")
			_ = Wait(ctx, min(max(later.After, 50*time.Millisecond), 10*time.Minute))
			pause = time.Second
		case errors.As(err, &gone) && gone.Message:
			if m.Empty() {
				return nil
			}
			s.ID, s.Try = "", s.Try+1
		case errors.As(err, &gone) && p.tie.Person != "": // the person may still play in the channel
			p.delivery.Shut = true
			return nil
		case errors.As(err, &gone):
			p.endTie(ctx, p.tie, gone.What)
			return ctx.Err()
		default:
			p.count(p.tie.Platform, "failed")
			p.logFailure("a message can't be written", err)
			_ = Wait(ctx, pause)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (p *publisher) send(ctx context.Context, s *deliveredMessage, m Message) error {
	if p.room == "" {
		p.room = p.tie.Place
		if p.tie.Person != "" {
			room, err := p.to.Private(ctx, p.tie.Person)
			if err != nil {
				return err
			}
			p.room = room
		}
	}
	if s.ID != "" {
		if m.Empty() {
			m = textMessage("…")
		}
		if err := p.to.Edit(ctx, p.room, s.ID, m); err != nil {
			return err
		}
		p.count(p.tie.Platform, "edited")
		return nil
	}
	id, err := p.to.Post(ctx, p.room, m, shortHash(20, p.tie.ID, strings.Join(s.Refs, " "), seqText(uint64(s.Try))))
	if err != nil {
		return err
	}
	s.ID = id
	p.count(p.tie.Platform, "posted")
	return nil
}
