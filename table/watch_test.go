package table_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"norn/internal/relay/local"
	"norn/internal/wait"
	"norn/journal"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// watch collects a seat's updates until stop returns true.
func watch(ctx context.Context, t *testing.T, s *table.Seat, after uint64, stop func(view.Update) bool) []view.Update {
	var updates []view.Update
	for some, err := range s.WatchAll(ctx, after, true) {
		if err != nil {
			t.Errorf("watching: %v", err)
			return updates
		}
		for _, u := range some {
			if updates = append(updates, u); stop(u) {
				return updates
			}
		}
	}
	return updates
}

func entrySeqs(updates []view.Update) []uint64 {
	var seqs []uint64
	for _, u := range updates {
		if u.Entry != nil {
			seqs = append(seqs, u.Seq)
		}
	}
	return seqs
}

func seqs(entries []view.Entry) []uint64 {
	var seqs []uint64
	for _, e := range entries {
		seqs = append(seqs, e.Seq)
	}
	return seqs
}

// Each watcher gets each entry once and in order while others make moves, and can resume.
func TestConcurrentWatchersGetEachEntryOnce(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	const moves = 40
	last := func(u view.Update) bool { return u.Entry != nil && u.Entry.Name == "omen" }
	var wg sync.WaitGroup
	got := make([][]view.Update, 6)
	for i := range got {
		s := []*table.Seat{d.gm, d.anna, d.guest}[i%3]
		wg.Go(func() {
			if i < 3 {
				got[i] = watch(ctx, t, s, 0, last)
				return
			}
			for after := uint64(0); ; { // a client that keeps losing its connection
				n := 0
				part := watch(ctx, t, s, after, func(u view.Update) bool { n++; return n == 5 || last(u) })
				got[i] = append(got[i], part...)
				if ctx.Err() != nil || len(part) == 0 || last(part[len(part)-1]) {
					return
				}
				after = part[len(part)-1].Seq
			}
		})
	}
	var movers sync.WaitGroup
	for _, m := range []struct {
		s   *table.Seat
		who string
	}{{d.anna, d.hero}, {d.boris, d.other}} {
		movers.Go(func() {
			for range moves {
				if _, err := m.s.Make(ctx, request.Move{Move: "rest", Character: m.who}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	movers.Wait()
	d.make(d.gm, request.Move{Move: "omen"})
	wg.Wait()
	for i, updates := range got {
		s := []*table.Seat{d.gm, d.anna, d.guest}[i%3]
		if want, have := seqs(d.log(s)), entrySeqs(updates); !slices.Equal(want, have) {
			t.Errorf("watcher %d: %v, want %v", i, have, want)
		}
		if len(updates) > 0 && text(t, updates[len(updates)-1].Entry) != text(t, d.log(s)[len(d.log(s))-1]) {
			t.Errorf("watcher %d was told another entry than the log has", i)
		}
	}
}

// An author gets an entry twice, as the response and by each of their live streams, each time in
// that reader's language and by the state at that time.
func TestAuthorsGetTheSameEntryInResponseAndStream(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	russian, err := d.host.Enter(ctx, d.id, d.secrets[d.anna.ID()], lang.Ru)
	if err != nil {
		t.Fatal(err)
	}
	for undone := range 2 {
		made := d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
		for range undone {
			d.undo(made.Entry.Seq)
		}
		told := func(s *table.Seat) string {
			updates := watch(ctx, t, s, made.Entry.Seq-1, func(u view.Update) bool { return u.Entry != nil })
			if len(updates) == 0 {
				t.Fatal("nothing was told")
			}
			return text(t, updates[len(updates)-1].Entry)
		}
		for _, s := range []*table.Seat{d.anna, russian, d.anna, d.gm} {
			log, err := s.Log(ctx, made.Entry.Seq-1, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := told(s), text(t, log[0]); got != want {
				t.Fatalf("told:\n%s\nin the log:\n%s", got, want)
			}
		}
	}
}

// A client that resumes from a future seq misses nothing that comes.
func TestWatchFromAFutureSeqMissesNothing(t *testing.T) {
	d := newDesk(t)
	got := make(chan []view.Update)
	go func() {
		got <- watch(t.Context(), t, d.guest, 1<<40, func(u view.Update) bool { return u.Entry != nil })
	}()
	wait.Until(t, "the guest watches", func() bool { return d.view(d.gm).Seats[3].Online })
	seq := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	select {
	case updates := <-got:
		same(t, "seqs", []uint64{seq}, entrySeqs(updates))
	case <-time.After(patience):
		t.Fatal("it hears nothing")
	}
}

// An entry that a seat may not see wakes it only if a sheet that it sees has changed.
func TestHiddenEntryWakesASeatOnlyIfASheetChanged(t *testing.T) {
	d := newDesk(t)
	log := d.log(d.gm)
	after := log[len(log)-1].Seq
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	before := d.view(d.guest)
	changed := d.make(d.gm, request.Move{Move: "rest", Character: d.hero, Secret: true}).Entry.Seq
	if _, err := table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.shade, Sheet: raw(`{"hurt":3}`)}, ""); err != nil {
		t.Fatal(err)
	}
	haunted := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c3"]}`), Secret: true})
	d.answer(d.gm, haunted.Open[0].ID, `{}`) // hurts a shade that nobody sees
	if now := d.view(d.guest); now.Told != changed || now.Seq != before.Seq {
		t.Errorf("the guest's view goes from %d to %d, told of %d, not %d", before.Seq, now.Seq, now.Told, changed)
	}
	seen := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	if now := d.view(d.guest); now.Seq != seen || now.Told != seen {
		t.Errorf("the guest's view goes on to %d and %d, not %d", now.Seq, now.Told, seen)
	}
	got := watch(t.Context(), t, d.guest, after, func(u view.Update) bool { return u.Entry != nil })
	if len(got) != 2 || got[0].Seq != changed || got[0].Entry != nil || got[1].Seq != seen {
		t.Errorf("the guest is told %+v", got)
	}
}

// A change of a sheet that a seat may not read wakes it if what it sees of the sheet has changed.
func TestHiddenChangeWakesASeatThatSeesItsEffect(t *testing.T) {
	d := newDesk(t)
	d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"risen":true}`)})
	after := d.view(d.guest).Seq
	d.change(d.gm, act.ChangeRequest{
		ID:    d.shade,
		Sheet: raw(`{"hurt":3,"note":"x"}`),
	}) // a spectator only sees that it's there
	gone := d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"risen":false}`)}).Seq
	d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"hurt":4}`)})
	last := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	got := watch(t.Context(), t, d.guest, after, func(u view.Update) bool { return u.Entry != nil })
	if len(got) != 2 || got[0].Seq != gone || got[0].Entry != nil || got[1].Seq != last {
		t.Errorf("the guest is told %+v, want %d and %d", got, gone, last)
	}
}

// A change that a seat may not read wakes it if its view has changed: a number that only the game
// master may set, or a character that it doesn't see any more.
func TestHiddenChangeWakesASeatWhoseViewChanged(t *testing.T) {
	d := newDesk(t)
	log := d.log(d.gm)
	after := log[len(log)-1].Seq
	var told []uint64
	for _, c := range []struct {
		id, sheet string
		wakes     bool
	}{
		{d.hero, `{"hurt":2}`, true},
		{d.shade, `{"hurt":3}`, false},
		{d.shade, `{"risen":true}`, true},
		{d.shade, `{"hurt":4}`, false},
		{d.shade, `{"risen":false}`, true},
		{d.hero, `{"doom":"SECRET other"}`, false},
	} {
		if e := d.change(d.gm, act.ChangeRequest{ID: c.id, Sheet: raw(c.sheet)}); c.wakes {
			told = append(told, e.Seq)
		}
	}
	seen := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	var got []uint64
	for _, u := range watch(t.Context(), t, d.guest, after, func(u view.Update) bool { return u.Seq == seen }) {
		got = append(got, u.Seq)
	}
	same(t, "what the guest is told", append(told, seen), got)
}

// A player who doesn't see all of a character's sheet is woken by a hidden change that changes a
// move's options.
func TestHiddenChangeWakesThePlayerWhoseOptionsChanged(t *testing.T) {
	d := newDesk(t)
	owner := d.boris.ID()
	d.change(d.gm, act.ChangeRequest{ID: d.shade, Owner: &owner, Sheet: raw(`{"risen":true}`)})
	after := d.view(d.boris)
	d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"hurt":3,"note":"x"}`)})
	if d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"note":"y"}`)}); d.view(d.boris).Told != after.Told {
		t.Error("Boris is told of a note")
	}
	flees := d.change(d.gm, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"hurt":6}`)}).Seq
	if now := d.view(d.boris); now.Told != flees || reflect.DeepEqual(now.Characters, after.Characters) {
		t.Errorf("Boris is told up to %d, of %+v", now.Told, now.Characters)
	}
	last := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	got := watch(t.Context(), t, d.boris, after.Seq, func(u view.Update) bool { return u.Entry != nil })
	if len(got) != 2 || got[0].Seq != flees || got[0].Entry != nil || got[1].Seq != last {
		t.Errorf("Boris is told %+v, want %d and %d", got, flees, last)
	}
}

// A seat that left and came back before that was sent is shown again, even if another update came
// between.
func TestSeatThatLeftAndCameBackIsShownAgain(t *testing.T) {
	d := newDesk(t)
	_, leave := d.follow(d.anna)
	d.online(d.gm, "s2")
	news, stop := d.follow(d.gm)
	defer stop()
	leave()
	d.online(d.gm) // by the view that came with another update
	_, leave = d.follow(d.anna)
	defer leave()
	select {
	case u := <-news:
		if u.Entry != nil {
			t.Errorf("told of entry %d", u.Entry.Seq)
		}
	case <-time.After(patience):
		t.Error("the page still says that she isn't there")
	}
}

// A change that a later one depends on can't be undone and has no undo button: seats that see it
// get its card again then, and once more when nothing depends on it.
func TestWatchSendsEntriesWhoseUndoButtonChanged(t *testing.T) {
	d := newDesk(t)
	first := d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":8}`)})
	d.change(d.gm, act.ChangeRequest{ID: d.other, Sheet: raw(`{"luck":2}`)})
	second := d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":7}`)})
	back := d.undo(second.Seq)
	beneath := map[uint64][]uint64{}
	for _, u := range watch(t.Context(), t, d.anna, first.Seq, func(u view.Update) bool { return u.Seq == back.Seq }) {
		beneath[u.Seq] = u.UndoabilityChanged
	}
	if !slices.Contains(beneath[back.Seq], first.Seq) {
		t.Errorf("with what is undone comes %v, not %d", beneath, first.Seq)
	}
	third := d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":6}`)})
	for _, u := range watch(t.Context(), t, d.anna, back.Seq, func(u view.Update) bool { return u.Seq == third.Seq }) {
		if !slices.Contains(u.UndoabilityChanged, first.Seq) {
			t.Errorf("with what stands on it comes %v, not %d", u.UndoabilityChanged, first.Seq)
		}
	}
}

// A seat that hears who is online doesn't learn of entries that it may not see.
func TestPresenceRevealsNoHiddenEntry(t *testing.T) {
	d := newDesk(t)
	seen := d.view(d.guest).Seq
	news, stop := d.follow(d.guest)
	defer stop()
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	_, leave := d.follow(d.anna)
	defer leave()
	select {
	case u := <-news:
		if u.Entry != nil || u.Seq != seen {
			t.Errorf("the guest is told %+v, and has seen %d", u, seen)
		}
	case <-time.After(patience):
		t.Fatal("nobody came")
	}
}

func TestASeatIsOnlineWhileItWatches(t *testing.T) {
	d := newDesk(t)
	online := func() bool { return d.view(d.gm).Seats[1].Online }
	if online() {
		t.Fatal("Anna is there before she came")
	}
	ctx, cancel := context.WithCancel(t.Context())
	log := d.log(d.gm)
	woken := make(chan view.Update, 8)
	go func() {
		for u := range d.gm.Watch(t.Context(), log[len(log)-1].Seq) {
			woken <- u
		}
	}()
	wait.Until(t, "the game master watches", func() bool { return d.view(d.anna).Seats[0].Online })
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		watch(ctx, t, d.anna, 0, func(view.Update) bool { return false })
	}()
	if u := <-woken; u.Entry != nil || !online() {
		t.Errorf("she came: %+v, online %v", u, online())
	}
	cancel()
	<-gone
	if u := <-woken; u.Entry != nil || online() {
		t.Errorf("she went: %+v, online %v", u, online())
	}
}

func TestConcurrentWatchEndsWithItsContextSeatAndHost(t *testing.T) {
	d := newDesk(t)
	ended := make(chan error, 3)
	follow := func(ctx context.Context, s *table.Seat) {
		for u, err := range s.Watch(ctx, 0) {
			if err != nil {
				ended <- err
				return
			}
			_ = u
		}
		ended <- nil
	}
	wait := func(what string, want string) {
		t.Helper()
		select {
		case err := <-ended:
			if code(err) != want {
				t.Errorf("%s: %v, want %q", what, err, want)
			}
		case <-time.After(patience):
			t.Fatalf("%s: it goes on", what)
		}
	}
	go follow(t.Context(), d.anna)
	d.online(d.gm, d.anna.ID())
	if _, err := table.Do(t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.anna.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	wait("revoked", refusal.CodeNotFound)
	go follow(t.Context(), d.boris)
	d.online(d.gm, d.boris.ID())
	if _, err := table.Do(t.Context(), d.gm, act.RenewSeat, act.SeatNamed{Seat: d.boris.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	wait("renewed", refusal.CodeNotFound)
	ctx, cancel := context.WithCancel(t.Context())
	go follow(ctx, d.guest)
	cancel()
	wait("left", "")
	go follow(t.Context(), d.guest)
	d.online(d.gm, d.guest.ID())
	d.host.Close()
	wait("closed", "")
	if _, err := d.gm.View(t.Context()); !errors.Is(err, table.ErrClosed) || code(err) != refusal.CodeUnavailable {
		t.Errorf("after Close: %v", err)
	}
	d.host.Close()
}

// With many seats, and casts that overlap or don't, every move ends once or is refused, and nothing
// is lost.
func TestConcurrentMovesEndOnceOrAreRefused(t *testing.T) {
	d := newDesk(t)
	const each = 10
	made := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, r := range []request.Move{
		{Move: "rest", Character: d.hero},
		{Move: "swap", Character: d.hero, Args: raw(`{"with":["c2"]}`)},
		{Move: "rest", Character: d.other},
		{Move: "swap", Character: d.other, Args: raw(`{"with":["c1"]}`)},
		{Move: "omen"},
		{Move: "haunt", Args: raw(`{"who":["c1","c2"]}`)},
	} {
		wg.Go(func() {
			for n := range each {
				r := r
				r.Key = fmt.Sprint(i, " ", n)
				got, err := d.gm.Make(t.Context(), r)
				for _, q := range got.Open {
					if _, err := d.gm.Answer(t.Context(),
						request.Answer{Question: q.ID, Answer: raw(`{}`)}); err != nil {
						t.Errorf("answer: %v", err)
					}
				}
				if c := code(err); c != "" && c != refusal.CodeBusy {
					t.Errorf("%s: %v", r.Move, err)
				} else if c == "" {
					mu.Lock()
					made[r.Move]++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	logged := map[string]int{}
	for _, e := range d.log(d.gm) {
		if e.Kind == view.KindMove {
			logged[e.Name]++
		}
	}
	same(t, "moves", made, logged)
	if made["omen"] != each {
		t.Errorf("omens touch nobody, %d of %d were made", made["omen"], each)
	}
	before := text(t, d.view(d.gm), d.log(d.gm))
	d.reopen()
	same(t, "after a restart", before, text(t, d.view(d.gm), d.log(d.gm)))
}

// Two nodes write to one journal: neither loses entries, and both get the same state.
func TestConcurrentNodesOverOneJournalLoseNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		apart bool // with separate relays
	}{{"told by a relay", false}, {"told by nobody", true}} {
		d := newDesk(t)
		r := d.relay
		if c.apart {
			r = local.New()
		}
		there := newHost(d.journal, r)
		seat := func(h *table.Host, id string) *table.Seat {
			s, err := h.Enter(t.Context(), d.id, d.secrets[id], lang.En)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		gm, boris := seat(there, "s1"), seat(there, "s3")
		open := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`)})
		var wg sync.WaitGroup
		const each = 15
		for _, m := range []struct {
			s *table.Seat
			r request.Move
		}{
			{d.boris, request.Move{Move: "rest", Character: d.other}},
			{boris, request.Move{Move: "swap", Character: d.other}},
			{gm, request.Move{Move: "omen"}},
			{d.gm, request.Move{Move: "omen"}},
		} {
			wg.Go(func() {
				for range each {
					if _, err := m.s.Make(t.Context(), m.r); err != nil {
						t.Errorf("%s: %v", c.name, err)
					}
				}
			})
		}
		wg.Wait()
		_, here := d.gm.Answer(t.Context(), request.Answer{Question: open.Open[0].ID, Answer: raw(`{}`)})
		_, too := gm.Answer(t.Context(), request.Answer{Question: open.Open[0].ID, Answer: raw(`{}`)})
		if here != nil || code(too) != refusal.CodeAnswered {
			t.Errorf("%s: both answer: %v, %v", c.name, here, too)
		}
		// A write shows a node the entries that it hasn't heard of.
		if _, err := gm.Make(t.Context(), request.Move{Move: "omen"}); err != nil {
			t.Error(err)
		}
		if _, err := d.gm.Make(t.Context(), request.Move{Move: "omen"}); err != nil {
			t.Error(err)
		}
		if _, err := gm.Make(t.Context(), request.Move{Move: "omen", Key: "end"}); err != nil {
			t.Error(err)
		}
		if _, err := d.gm.Make(t.Context(), request.Move{Move: "omen", Key: "end"}); err != nil {
			t.Errorf("%s: the other node's key: %v", c.name, err)
		}
		one, err := d.gm.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		other, err := gm.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.name, text(t, one), text(t, other))
		if got, want := len(d.log(d.gm)), int(one.Seq); got != want {
			t.Errorf("%s: %d entries, seq %d", c.name, got, want)
		}
		counted := map[string]int{}
		for _, e := range d.log(d.gm) {
			if e.Kind == view.KindMove {
				counted[e.Name]++
			}
		}
		same(t, c.name, map[string]int{"rest": each, "swap": each, "omen": 2*each + 3, "haunt": 1}, counted)
	}
}

// A watcher on one node gets what was written on another.
func TestConcurrentWatchGetsEntriesOfOtherNodes(t *testing.T) {
	d := newDesk(t)
	there := newHost(d.journal, d.relay)
	s, err := there.Enter(t.Context(), d.id, d.secrets["s4"], lang.En)
	if err != nil {
		t.Fatal(err)
	}
	after := d.view(d.gm).Seq
	got := make(chan []view.Update)
	go func() {
		got <- watch(t.Context(), t, s, after, func(u view.Update) bool { return u.Entry != nil })
	}()
	seq := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	select {
	case updates := <-got:
		same(t, "seqs", []uint64{seq}, entrySeqs(updates))
	case <-time.After(patience):
		t.Fatal("it hears nothing")
	}
}

// All wake-ups between two nodes are lost: a watcher still gets everything once and in order, and a
// request on the other node finds what was written here.
func TestConcurrentWatchRecoversFromLostWakeUps(t *testing.T) {
	d := newDesk(t)
	c := config(d.journal, local.New()) // that no other node uses
	c.Poll = 30 * time.Millisecond
	there := table.New(c)
	defer there.Close()
	s, err := there.Enter(t.Context(), d.id, d.secrets["s1"], lang.En)
	if err != nil {
		t.Fatal(err)
	}
	const moves = 20
	after := d.view(d.gm).Seq
	got := make(chan []view.Update, 3)
	for range cap(got) { // they share the polling
		go func() {
			got <- watch(t.Context(), t, s, after, func(u view.Update) bool {
				return u.Entry != nil && u.Seq == after+moves
			})
		}()
	}
	var wrote []uint64
	for range moves {
		made := d.make(d.gm, request.Move{Move: "omen"})
		wrote = append(wrote, made.Entry.Seq)
		asking, err := there.Enter(t.Context(), d.id, d.secrets["s1"], lang.En)
		if err != nil {
			t.Fatal(err)
		}
		if shown, err := asking.View(t.Context()); err != nil || shown.Seq != made.Entry.Seq {
			t.Fatalf("the other node is at %d, %v; entry %d was written", shown.Seq, err, made.Entry.Seq)
		}
	}
	for range cap(got) {
		select {
		case updates := <-got:
			same(t, "seqs", wrote, entrySeqs(updates))
		case <-time.After(patience):
			t.Fatal("a watcher hears nothing")
		}
	}

	// Without requests on that node, polling alone brings updates.
	at := d.view(d.gm).Seq
	quiet := make(chan []view.Update, 1)
	go func() {
		quiet <- watch(t.Context(), t, s, at, func(u view.Update) bool { return u.Entry != nil })
	}()
	seq := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq
	select {
	case updates := <-quiet:
		same(t, "seqs", []uint64{seq}, entrySeqs(updates))
	case <-time.After(patience):
		t.Fatal("polling brings nothing")
	}
}

// With other nodes a request reads the journal once, when it enters its seat; a watcher reads when
// it's woken, however much is drawn then.
func TestEachRequestReadsTheJournalOnce(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	reads := func() int {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.reads
	}
	c := config(j, d.relay)
	c.Poll = time.Hour
	there := table.New(c)
	defer there.Close()
	for range 3 {
		before := reads()
		s, err := there.Enter(t.Context(), d.id, d.secrets["s1"], lang.En)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := s.View(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Make(t.Context(), request.Move{Move: "omen"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.View(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := reads() - before; got != 1 {
			t.Errorf("a request read %d times", got)
		}
	}
	s, err := there.Enter(t.Context(), d.id, d.secrets["s1"], lang.En)
	if err != nil {
		t.Fatal(err)
	}
	d.view(d.gm) // reads what was written on the other node
	before := reads()
	seq := d.make(d.gm, request.Move{Move: "omen"}).Entry.Seq // on the first node
	watch(t.Context(), t, s, seq-1, func(u view.Update) bool {
		if _, err := s.View(t.Context()); err != nil {
			t.Error(err)
		}
		return u.Entry != nil
	})
	if got := reads() - before; got != 1 {
		t.Errorf("a watcher read %d times", got)
	}
}

// A writer that never gets its turn gives up with its context, not before.
func TestRetryPausesEndWithTheContext(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	j.fail(&journal.ConflictError{Table: d.id}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
	defer cancel()
	_, err := d.gm.Make(ctx, request.Move{Move: "omen"})
	if code(err) != refusal.CodeUnavailable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

// When it's unknown whether an append succeeded, the table reads the journal before it continues.
func TestUnknownAppendIsResolvedByReadingTheJournal(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	r := request.Move{Move: "rest", Character: d.hero, Key: "k"}
	lost := errors.New("the line broke")
	j.fail(nil, lost)
	if _, err := d.anna.Make(t.Context(), r); code(err) != refusal.CodeUnavailable || !errors.Is(err, lost) {
		t.Errorf("written, but nobody knows: %v", err)
	}
	j.fail(nil, nil)
	if got := sheet[Hero](d, d.hero).Luck; got != 4 {
		t.Errorf("luck %d: it is written, so it counts", got)
	}
	d.make(d.anna, r)
	if got := sheet[Hero](d, d.hero).Luck; got != 4 {
		t.Errorf("luck %d: it counts once", got)
	}
	j.fail(lost, nil)
	r.Key = "l"
	if _, err := d.anna.Make(t.Context(), r); code(err) != refusal.CodeUnavailable {
		t.Errorf("not written: %v", err)
	}
	j.fail(nil, nil)
	if got := sheet[Hero](d, d.hero).Luck; got != 4 {
		t.Errorf("luck %d: nothing was written", got)
	}
	d.make(d.anna, r)
	if got := sheet[Hero](d, d.hero).Luck; got != 5 {
		t.Errorf("luck %d: the second try counts", got)
	}
}

func TestACancelledRequestChangesNothing(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.anna.Make(ctx, request.Move{Move: "rest", Character: d.hero}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	if got := sheet[Hero](d, d.hero).Luck; got != 4 {
		t.Errorf("luck %d", got)
	}
}

// A table that nobody uses is dropped, and loaded again on the next request.
func TestConcurrentTablesAreDroppedWhenIdle(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	c := config(j, d.relay)
	now := newClock()
	c.Now = now.Now
	d.host = table.New(c)
	d.gm = d.enter(d.secrets["s1"])
	reads := func() int {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.reads
	}
	before := reads()
	d.view(d.gm)
	if reads() != before {
		t.Error("a table in memory is read again")
	}
	ctx, cancel := context.WithCancel(t.Context())
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		watch(ctx, t, d.gm, 0, func(u view.Update) bool { cancel(); return false })
	}()
	<-watching
	now.add(time.Hour)
	d.view(d.gm) // drops it, and so loads it again
	if reads() != before+1 {
		t.Errorf("%d reads, want one more than %d", reads(), before)
	}
	missing := "bbbbbbbbbbbbbbbb"
	for range 3 {
		if _, err := d.host.Enter(t.Context(), missing, "x", lang.En); code(err) != refusal.CodeNotFound {
			t.Error(err)
		}
	}
}
