package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"norn/game"
	"norn/internal/relay/local"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// kept waits for a snapshot of a table with at least a seq.
func (d *desk) kept(seq uint64, j *memory) {
	d.t.Helper()
	for d.host.Kept(d.id) < seq {
		select {
		case <-d.t.Context().Done():
			d.t.Fatal("no snapshot is made")
		case <-time.After(time.Millisecond):
		}
	}
	if _, err := j.Snapshot(d.t.Context(), d.id); err != nil {
		d.t.Fatal(err)
	}
}

// oldDesk is a desk with 1,000 entries after its first ones, and a snapshot of nearly all of them.
type oldDesk struct {
	*desk
	memory               *memory
	first                request.Move // the first of all moves
	oldest, secret, open view.Made
	seq                  uint64 // the last entry's number
}

func newOldDesk(t *testing.T) *oldDesk {
	j := newMemory()
	d := &oldDesk{desk: newDeskOver(t, j), memory: j}
	d.first = request.Move{Move: "swap", Character: d.hero, Nonce: "n", Key: "first"}
	d.oldest = d.make(d.anna, d.first)
	d.secret = d.make(d.gm, request.Move{Move: "omen", Secret: true})
	d.open = d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.other + `"]}`), Nonce: "n"})
	d.talk(d.boris, act.TalkRequest{Text: "A rare word: halcyon"})
	for n := range 1000 {
		if n%2 == 1 {
			d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(fmt.Sprintf(`{"luck":%d}`, n%7))},
				fmt.Sprint("luck ", n))
			continue
		}
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero, Key: fmt.Sprint("rest ", n)})
	}
	d.seq = d.view(d.gm).Seq
	d.kept(d.seq-500, j)
	return d
}

// Old entries can be undone, cancelled, shown, found and verified after a restart from a snapshot.
func TestOldEntriesStillWorkAfterARestartFromASnapshot(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	d := newOldDesk(t)
	d.step("everybody sees the same after a restart from the snapshot", d.restartsTheSame)
	d.step("what is too old to undo says so", func(t *testing.T) {
		entries := d.all(d.gm)
		of := func(made view.Made) view.Entry { return entries[made.Entry.Seq-1] }
		if e := of(d.oldest); e.MayUndo || !e.TooOld {
			t.Errorf("the oldest move may be undone: %t, is too old: %t", e.MayUndo, e.TooOld)
		}
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(d.oldest.Entry.Seq)},
			""); code(err) != refusal.CodeRefused {
			t.Errorf("undoing what is too old: %v", err)
		}
		if e := entries[len(entries)-1]; !e.MayUndo || e.TooOld {
			t.Errorf("the newest: %+v", e)
		}
		if e := of(d.secret); e.TooOld || !e.MayUndo { // it touched nobody
			t.Errorf("a move that touched nobody: %+v", e)
		}
	})
	d.step("the newest are undone, and no more", func(t *testing.T) {
		cast := text(t, d.view(d.gm).Characters)
		for n := range view.MostTouches {
			if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(d.seq - uint64(n))},
				""); err != nil {
				t.Fatalf("undoing the last but %d: %v", n, err)
			}
		}
		if text(t, d.view(d.gm).Characters) == cast {
			t.Error("nothing was undone")
		}
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(d.seq - view.MostTouches)},
			""); code(err) != refusal.CodeRefused {
			t.Errorf("undoing one more: %v", err)
		}
	})
	d.step("a key used long ago is known", func(t *testing.T) {
		if again := d.make(d.anna, d.first); again.Entry.Seq != d.oldest.Entry.Seq {
			t.Errorf("sent again, entry %d is %d", d.oldest.Entry.Seq, again.Entry.Seq)
		}
		another := d.first
		another.Nonce = "m"
		if _, err := d.anna.Make(t.Context(), another); code(err) != refusal.CodeKeyReused {
			t.Errorf("another request under an old key: %v", err)
		}
		if used, err := d.anna.KeyUsed(t.Context(), "first"); err != nil || !used {
			t.Errorf("an old key is used: %t, %v", used, err)
		}
		if used, err := d.boris.KeyUsed(t.Context(), "first"); err != nil || used {
			t.Errorf("another seat's old key is used: %t, %v", used, err)
		}
	})
	d.step("a secret of long ago is shown", func(t *testing.T) {
		if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: d.secret.Entry.Move},
			""); err != nil {
			t.Error(err)
		}
		if whole, err := d.boris.EntriesOfMove(t.Context(), d.secret.Entry.Move); err != nil || len(whole) != 2 {
			t.Errorf("of what was shown there is %v, %v", whole, err)
		}
	})
	d.step("a move left open long ago is cancelled", func(t *testing.T) {
		if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: d.open.Entry.Move},
			""); err != nil {
			t.Error(err)
		}
		if whole, err := d.gm.EntriesOfMove(t.Context(), d.open.Entry.Move); err != nil || len(whole) < 2 ||
			whole[0].Undone == nil || !whole[0].Undone.Cancelled {
			t.Errorf("what was cancelled is %+v, %v", whole, err)
		}
	})
	d.step("a search finds a word said long ago", d.findsAWord)
	d.step("a search for throws finds each of them", d.findsEveryThrow)
	d.step("its exports verify", d.exportsVerify)
}

func (d *oldDesk) restartsTheSame(t *testing.T) {
	before := map[string]string{}
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		before[s.ID()] = text(t, d.view(s), d.all(s))
	}
	reads := d.memory.reads
	d.reopen()
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		if now := text(t, d.view(s), d.all(s)); now != before[s.ID()] {
			t.Errorf("%s sees\n%s\nnot\n%s", s.ID(), now, before[s.ID()])
		}
	}
	if d.host.Kept(d.id) < d.seq-500 {
		t.Errorf("it was folded from the first of %d entries on, with %d reads", d.seq, d.memory.reads-reads)
	}
}

func (d *oldDesk) findsAWord(t *testing.T) {
	search := request.Search{Text: "HALCYON", Most: 5}
	found, err := d.boris.Find(t.Context(), search)
	for tries := 0; err == nil && found.N == 0 && found.More && tries < 100; tries++ {
		search.Before = found.Looked
		found, err = d.boris.Find(t.Context(), search)
	}
	if err != nil || found.N != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func (d *oldDesk) findsEveryThrow(t *testing.T) {
	all := request.Search{Part: request.Throws, Most: 300}
	var seqs []uint64
	for {
		found, err := d.gm.Find(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range slices.Backward(found.Entries) {
			seqs = append(seqs, e.Seq)
		}
		if !found.More {
			break
		}
		all.Before = found.Looked
	}
	var want []uint64
	things := map[string]bool{}
	for _, e := range slices.Backward(d.all(d.gm)) {
		if e.Move != "" && len(e.Throws) > 0 {
			things[e.Move] = true
		}
	}
	for _, e := range d.all(d.gm) {
		if things[e.Move] {
			want = append(want, e.Seq)
		}
	}
	slices.Sort(seqs)
	same(t, "throws that a search goes through", want, seqs)
}

func (d *oldDesk) exportsVerify(t *testing.T) {
	var file bytes.Buffer
	if err := d.gm.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if v, err := verify.File([]*game.Game{toy}, words, &file); err != nil || v.Moves < 500 {
		t.Errorf("verified %+v, %v", v, err)
	}
	file.Reset()
	if err := d.boris.ExportSeen(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.File([]*game.Game{toy}, words, &file); err != nil {
		t.Error(err)
	}
}

// all returns the whole log, page by page.
func (d *desk) all(s *table.Seat) []view.Entry {
	d.t.Helper()
	var all []view.Entry
	for after := uint64(0); ; after = all[len(all)-1].Seq {
		page, err := s.Log(d.t.Context(), after, 300)
		if err != nil {
			d.t.Fatal(err)
		}
		if all = append(all, page...); len(page) == 0 || len(all) == 0 {
			return all
		}
	}
}

// An invalid snapshot changes nothing.
func TestInvalidSnapshotsChangeNothing(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	for range 450 {
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	d.kept(400, j)
	want := text(t, d.view(d.gm), d.all(d.gm))
	good, err := j.Snapshot(t.Context(), d.id)
	if err != nil {
		t.Fatal(err)
	}
	torn := slices.Clone(good)
	torn[len(torn)/2] ^= 1
	for name, data := range map[string][]byte{
		"none": nil, "rubbish": []byte("rubbish"), "cut off": good[:len(good)-3], "torn": torn,
		"another norn's": bytes.Replace(good, []byte(`"norn":"test"`), []byte(`"norn":"tess"`), 1),
		"older":          bytes.Replace(good, []byte(`"state":1`), []byte(`"state":0`), 1),
		"of another way": bytes.Replace(good, []byte(`"last":"`), []byte(`"last":"AAAA`), 1),
	} {
		if err := j.KeepSnapshot(t.Context(), d.id, data); err != nil {
			t.Fatal(err)
		}
		h := newHost(j, local.New())
		gm, err := h.Enter(t.Context(), d.id, d.secrets["s1"], "en")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shown, err := gm.View(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		entries, err := gm.Log(t.Context(), 0, 1000)
		if have := text(t, shown, entries); err != nil || have != want {
			t.Errorf("%s: it shows\n%s\nnot\n%s", name, have, want)
		}
		h.Close()
	}
}

// forgetful is a journal that loses its snapshots, and can't store any.
type forgetful struct{ *memory }

func (forgetful) Snapshot(context.Context, string) ([]byte, error) { return nil, errors.New("no room") }

func (forgetful) KeepSnapshot(context.Context, string, []byte) error {
	return &journal.UnavailableError{Err: errors.New("no room"), Unwritable: true}
}

func TestATableIsTheSameWithoutSnapshots(t *testing.T) {
	d := newDeskOver(t, forgetful{newMemory()})
	for range 900 {
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	want := text(t, d.view(d.anna), d.all(d.anna))
	d.reopen()
	if have := text(t, d.view(d.anna), d.all(d.anna)); have != want {
		t.Error("it's another table")
	}
}

// Older norns remembered everything and so could undo more than can be undone now: their logs fold
// as they folded them.
func TestOldLogsThatUndidMoreStillFoldTheSame(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	var changes []view.Entry
	for n := range 60 {
		changes = append(changes, d.change(d.gm,
			act.ChangeRequest{ID: d.hero, Sheet: raw(fmt.Sprintf(`{"luck":%d}`, n%7))}, fmt.Sprint(n)))
	}
	want := func(n int) {
		t.Helper()
		for _, c := range d.view(d.gm).Characters {
			if c.ID == d.hero && !bytes.Contains([]byte(text(t, c.Sheet)), fmt.Appendf(nil, `"luck":%d,`, n%7)) {
				t.Errorf("the sheet is %s, want luck %d", text(t, c.Sheet), n%7)
			}
		}
	}
	want(59)
	d.undo(changes[59].Seq)
	one := j.entries[d.id][len(j.entries[d.id])-1]
	for n := 58; n >= 5; n-- {
		e := journal.Entry{Time: one.Time, Seat: one.Seat}
		e.Body = bytes.Replace(one.Body, fmt.Appendf(nil, `"seq":%d`, changes[59].Seq),
			fmt.Appendf(nil, `"seq":%d`, changes[n].Seq), 1)
		if _, err := j.Append(t.Context(), d.id, uint64(len(j.entries[d.id])), e); err != nil {
			t.Fatal(err)
		}
	}
	d.reopen()
	want(4)
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":6}`)}, "after")
	d.reopen()
	want(6)
	if _, err := verify.File([]*game.Game{toy}, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}
