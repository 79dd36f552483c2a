package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/herald/keep"
	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
)

// What a place was told lies in the store: how far, and which messages say what of late, so that after a restart it goes on where it was, and
// what moves on is edited where it stands.

// told is what a tie's place was told.
type told struct {
	At   uint64  `json:"at"` // all entries up to it were
	Said []*says `json:"said"`
	Shut bool    `json:"shut,omitempty"` // the person's private place isn't open to us
}

// says is a message that stands in a place.
type says struct {
	ID   string   `json:"id"`            // of the platform; "" for what was told elsewhere, or not at all
	Refs []string `json:"refs"`          // what it's about: "m12", "e15"
	Sum  string   `json:"sum"`           // of what it says
	Try  int      `json:"try,omitempty"` // how often it had to be written anew
}

const (
	mostSaid  = 80 // messages that may still be edited
	atOnce    = 64 // entries that are read at once
	floods    = 4  // new messages from which on they're joined
	joinedTo  = 10 // so many things to a message
	mostPause = time.Minute
	keepTime  = 5 * time.Second
)

func (b *Bridge) toldOf(ctx context.Context, id string) (*told, error) {
	all, err := b.Store.All(ctx, ofTold)
	if err != nil {
		return nil, err
	}
	t := &told{}
	for _, kept := range all {
		if kept.ID == id {
			_ = json.Unmarshal([]byte(kept.Data), t) // what can't be read begins anew
		}
	}
	return t, nil
}

func (b *Bridge) keepTold(ctx context.Context, id string, t *told) error {
	if n := len(t.Said) - mostSaid; n > 0 {
		t.Said = slices.Clone(t.Said[n:])
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime) // what stands in a place is known after a stop, too
	defer cancel()
	return b.Store.Put(ctx, keep.Thing{Scope: ofTold, ID: id, Data: encoded(t)})
}

// teller tells one place.
type teller struct {
	*Bridge
	tie  *Tie
	to   Platform
	told *told
	stop context.CancelFunc
	wake chan struct{}

	room   string   // where it's told, once it's known
	coming []string // what is told next
}

// settle has each tie told whose platform this node leads, and no others.
func (b *Bridge) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted := map[string]bool{}
	for id, t := range b.ties {
		p := b.platforms[t.Platform]
		if p == nil || !p.leads || t.Ended != "" || b.ctx.Err() != nil {
			continue
		}
		wanted[id] = true
		if b.tellers[id] == nil {
			ctx, cancel := context.WithCancel(b.ctx)
			one := &teller{Bridge: b, tie: t, to: p.Platform, stop: cancel, wake: make(chan struct{}, 1)}
			b.tellers[id] = one
			b.done.Go(func() { one.run(ctx) })
		}
	}
	for id, one := range b.tellers {
		if !wanted[id] {
			one.stop()
			delete(b.tellers, id)
		}
	}
}

// heard opens a person's private place again: they have spoken.
func (b *Bridge) heard(t *Tie) {
	b.mu.Lock()
	one := b.tellers[t.ID]
	b.mu.Unlock()
	if one != nil {
		select {
		case one.wake <- struct{}{}:
		default:
		}
	}
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
			return
		case err != nil:
			t.failed("a place can't be told", err)
		}
		wait(ctx, pause)
		pause = min(2*pause, mostPause)
	}
}

// follow tells what is there and what comes, until something fails.
func (t *teller) follow(ctx context.Context) (err error) {
	if t.told == nil {
		if t.told, err = t.toldOf(ctx, t.tie.ID); err != nil {
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
		if err := t.keepTold(ctx, t.tie.ID, t.told); err != nil {
			return err
		}
	}
	return nil
}

// refOf names what an entry is about: a move with all that comes of it, or itself.
func refOf(e view.Entry) string {
	if e.Move != "" {
		return e.Move
	}
	if e.Undoes > 0 {
		return "e" + seqText(e.Undoes)
	}
	return "e" + seqText(e.Seq)
}

// about finds the message that is about something.
func (t *told) about(ref string) *says {
	for _, s := range slices.Backward(t.Said) {
		if slices.Contains(s.Refs, ref) {
			return s
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
	for _, refs := range t.joined(ctx, at, fresh) {
		s := &says{Refs: refs}
		if err := t.say(ctx, at, s); err != nil {
			return err
		}
		t.told.Said = append(t.told.Said, s)
		if err := t.keepTold(ctx, t.tie.ID, t.told); err != nil {
			return err
		}
	}
	return nil
}

// joined puts what is new into messages: each thing into one of its own, but of many at once several into one; what waits for somebody always stands
// alone.
func (t *teller) joined(ctx context.Context, at *sight, fresh []string) [][]string {
	var all [][]string
	small := func(ref string) bool { return false }
	if len(fresh) > 1 {
		open := map[string]bool{}
		for _, q := range at.view.Questions {
			open[q.Move] = true
		}
		for _, w := range at.view.Waiting {
			open[w.Move] = true
		}
		flood := len(fresh) > floods
		small = func(ref string) bool {
			if ref[0] == 'm' {
				return flood && !open[ref]
			}
			if flood {
				return true
			}
			m, err := t.one(ctx, at, ref)
			return err == nil && m.Quiet && m.Head == ""
		}
	}
	for _, ref := range fresh {
		n := len(all)
		if n > 0 && len(all[n-1]) < joinedTo && small(ref) && small(all[n-1][0]) {
			all[n-1] = append(all[n-1], ref)
			continue
		}
		all = append(all, []string{ref})
	}
	return all
}

// one is the message about one thing; empty where the seat sees nothing of it.
func (t *teller) one(ctx context.Context, at *sight, ref string) (Message, error) {
	if ref[0] == 'm' {
		entries, err := at.seat.Whole(ctx, ref)
		if err != nil || len(entries) == 0 {
			return Message{}, err
		}
		return at.move(ref, entries), nil
	}
	if ref[0] == 'w' {
		return t.waited(ctx, at, ref)
	}
	seq := seqOf(ref)
	entries, err := at.seat.Log(ctx, seq-1, 1)
	if err != nil || len(entries) == 0 || entries[0].Seq != seq {
		return Message{}, err
	}
	if ref[0] == 'u' { // something above was taken back
		return at.takenBack(entries[0]), nil
	}
	return at.entry(entries[0]), nil
}

// newlyAsked tells whether an entry of a move that stands in the place already asks somebody who plays from there: an edit calls nobody.
func (s *sight) newlyAsked(e view.Entry) bool {
	if s.tie.Place == "" {
		return false
	}
	for _, q := range e.Questions {
		if q.Open && len(s.callsBut(q.To, e.Seat.ID)) > 0 {
			return true
		}
	}
	return false
}

// waited is the message that calls whom a move waits for, and stays without its button when they have answered.
func (t *teller) waited(ctx context.Context, at *sight, ref string) (Message, error) {
	move, _, _ := strings.Cut(ref[1:], "#")
	m := Message{Quiet: true}
	entries, err := at.seat.Whole(ctx, move)
	if err != nil || len(entries) == 0 {
		return m, err
	}
	m.Head = at.move(move, entries[:1]).Head
	newest := true
	later := func(other string) {
		if strings.HasPrefix(other, "w"+move+"#") && seqOf(other[strings.Index(other, "#")+1:]) > seqOf(ref[strings.Index(ref, "#")+1:]) {
			newest = false
		}
	}
	for _, s := range t.told.Said {
		later(s.Refs[0])
	}
	for _, other := range t.coming {
		later(other)
	}
	if newest && entries[0].Undone == nil {
		at.waits(&m, move)
		m.Quiet = len(m.Calls) == 0
	}
	if len(m.Lines) == 0 {
		m.Lines = []Line{{Text: at.say.Say("bridge.went-on"), Weight: Small}}
	}
	return m, nil
}

// takenBack says in a line what somebody has taken back.
func (s *sight) takenBack(e view.Entry) Message {
	what := ""
	if e.Name != "" {
		what = s.say.Say(s.seat.Game().Word("move", e.Name))
		if e.Character != "" {
			what = s.voice.Name(e.Character) + " · " + what
		}
	}
	text := s.say.Say("bridge.took-back", "Name", e.Seat.Name, "What", what)
	if what == "" {
		text = s.say.Say("bridge.took-back-change", "Name", e.Seat.Name)
	}
	return Message{Lines: []Line{{Text: text, Weight: Small}}, Quiet: true}
}

// worded is the message about several things, as the tie's seat sees them. What people read in a place beside isn't told a person anew.
func (t *teller) worded(ctx context.Context, at *sight, refs []string, anew bool) (Message, error) {
	var (
		whole  Message
		others *sight
	)
	if anew {
		others = t.beside(ctx, at)
	}
	n := 0
	for _, ref := range refs {
		m, err := t.one(ctx, at, ref)
		if err != nil {
			return Message{}, err
		}
		if m.Empty() {
			continue
		}
		if others != nil {
			theirs, err := t.one(ctx, others, ref)
			if err != nil {
				return Message{}, err
			}
			if sameSaid(m, theirs) {
				continue
			}
		}
		if n++; n == 1 {
			whole = m
			continue
		}
		if n == 2 {
			whole = Message{Lines: brief(whole), Quiet: whole.Quiet}
		}
		whole.Lines, whole.Quiet = append(whole.Lines, brief(m)...), whole.Quiet && m.Quiet
	}
	return whole, nil
}

// beside is how the place on the same platform sees the table, where there is one: its people are told there; nil where a person is told all.
func (t *teller) beside(ctx context.Context, at *sight) *sight {
	if t.tie.Person == "" {
		return nil
	}
	place := t.find(func(other *Tie) bool {
		return other.Place != "" && other.Platform == t.tie.Platform && other.Table == t.tie.Table
	})
	if place == nil {
		return nil
	}
	seat, err := t.Host.Enter(ctx, place.Table, place.Secret, t.tie.Lang)
	if err != nil {
		return nil
	}
	others, err := t.looking(ctx, place, seat)
	if err != nil {
		return nil
	}
	others.say = at.say
	return others
}

// sameSaid tells whether two seats see the same of something, but for whom it waits.
func sameSaid(a, b Message) bool {
	a.Lines, b.Lines = a.done(), b.done()
	return a.plain() == b.plain()
}

// done are the lines but those that say what is waited for.
func (m Message) done() []Line {
	if m.asks > 0 {
		return m.Lines[:m.asks-1]
	}
	return m.Lines
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
			wait(ctx, min(max(later.After, 50*time.Millisecond), 10*time.Minute))
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
			wait(ctx, pause)
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
