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

// teller tells one place.
type teller struct {
	telling
	to   Platform
	stop context.CancelFunc
	wake chan struct{}
	room string // where it's told, once it's known
}

// run tells the place until its tie ends.
func (t *teller) run(ctx context.Context) {
	pause := time.Second
	for ctx.Err() == nil {
		err := t.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case refusal.IsGone(err):
			t.over(ctx, t.tie, endedSeat)
		case err != nil:
			t.failed("a place can't be told", err)
		}
		_ = Wait(ctx, pause)
		pause = min(2*pause, mostPause)
	}
}

// follow tells what is there and what comes, until something fails.
func (t *teller) follow(ctx context.Context) (err error) {
	if t.told == nil {
		if t.told, err = toldOf(ctx, t.Store, t.tie.ID); err != nil {
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
	from := t.told.At
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
			t.told.Shut = false
		case err := <-ended:
			return err
		}
	}
}

// drain tells all that there is.
func (t *teller) drain(ctx context.Context, seat *table.Seat) error {
	for ctx.Err() == nil {
		entries, err := seat.Log(ctx, t.told.At, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := t.tellAll(ctx, seat, entries); err != nil {
			return err
		}
		t.told.At = entries[len(entries)-1].Seq
		if err := keepTold(ctx, t.Store, t.tie.ID, t.told); err != nil {
			return err
		}
	}
	return nil
}

// tellAll tells entries: what stands already is edited, the rest is written in order.
func (t *teller) tellAll(ctx context.Context, seat *table.Seat, entries []view.Entry) error {
	at, err := t.looking(ctx, t.tie, seat)
	if err != nil {
		return err
	}
	var changed []*says
	var fresh []string
	for _, e := range entries {
		if slices.Contains(untold, e.Kind) {
			continue
		}
		if e.Kind == view.KindPicture { // one that was taken back is in no message above any more
			for _, s := range t.told.Said {
				if s.Refs[0][0] == 'e' && !slices.Contains(changed, s) {
					changed = append(changed, s)
				}
			}
		}
		ref := refOf(e)
		if s := t.told.about(ref); s != nil {
			if !slices.Contains(changed, s) {
				changed = append(changed, s)
			}
			for _, call := range t.told.Said { // whom it waited for
				if strings.HasPrefix(call.Refs[0], "w"+ref+"#") && !slices.Contains(changed, call) {
					changed = append(changed, call)
				}
			}
			if at.newlyAsked(e) {
				if call := "w" + ref + "#" + seqText(e.Seq); t.told.about(call) == nil {
					fresh = append(fresh, call)
				}
			}
			back := "u" + seqText(e.Seq)
			if e.Undoes > 0 && s != t.told.Said[len(t.told.Said)-1] && t.told.about(back) == nil { // it stands far above
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
		if err := t.say(ctx, at, s); err != nil {
			return err
		}
	}
	for _, refs := range t.batched(ctx, at, fresh) {
		s := &says{Refs: refs}
		if err := t.say(ctx, at, s); err != nil {
			return err
		}
		t.told.Said = append(t.told.Said, s)
		if err := keepTold(ctx, t.Store, t.tie.ID, t.told); err != nil {
			return err
		}
	}
	return nil
}

// say writes a message, or has it say what is so now.
func (t *teller) say(ctx context.Context, at *sight, s *says) error {
	m, err := t.worded(ctx, at, s.Refs, s.ID == "")
	if err != nil {
		return err
	}
	sum := short(16, encoded(m))
	if sum == s.Sum || m.Empty() && s.ID == "" {
		return nil
	}
	if t.told.Shut {
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
			t.told.Shut = true
			return nil
		case errors.As(err, &gone):
			t.over(ctx, t.tie, gone.What)
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

func (t *teller) send(ctx context.Context, s *says, m Message) error {
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
			m = said("…")
		}
		if err := t.to.Edit(ctx, t.room, s.ID, m); err != nil {
			return err
		}
		t.count(t.tie.Platform, "edited")
		return nil
	}
	id, err := t.to.Post(ctx, t.room, m, short(20, t.tie.ID, strings.Join(s.Refs, " "), seqText(uint64(s.Try))))
	if err != nil {
		return err
	}
	s.ID = id
	t.count(t.tie.Platform, "posted")
	return nil
}
