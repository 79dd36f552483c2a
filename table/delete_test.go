package table_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// polling returns a host that expects other nodes.
func polling(j journal.Journal, r relay.Relay) *table.Host {
	c := config(j, r)
	c.Poll = time.Hour
	return table.New(c)
}

// last returns the newest entry of a desk over a journal in memory.
func (d *desk) last() journal.Entry {
	entries := d.journal.(*memory).entries[d.id]
	return entries[len(entries)-1]
}

// followed reports how a seat's stream ends.
func (d *desk) followed(ctx context.Context, follow func(context.Context, uint64) (ended error)) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx, 0) }()
	return ended
}

func TestADeletedTableIsGoneForEverybody(t *testing.T) {
	d := played(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	watching := make(chan struct{})
	ended := d.followed(ctx, func(ctx context.Context, after uint64) (err error) {
		close(watching)
		for _, err = range d.anna.Watch(ctx, after) {
			if err != nil {
				return err
			}
		}
		return nil
	})
	<-watching
	if err := d.host.Delete(ctx, d.id); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; code(err) != refusal.CodeNotFound {
		t.Errorf("an open page ends with %v", err)
	}
	gone := func(when string) {
		t.Helper()
		if _, err := d.gm.View(ctx); code(err) != refusal.CodeNotFound {
			t.Errorf("%s, its seat gets %v", when, err)
		}
		if _, err := d.host.Enter(ctx, d.id, d.secrets[d.gm.ID()], "en"); code(err) != refusal.CodeNotFound {
			t.Errorf("%s, its link opens %v", when, err)
		}
		if err := d.host.Delete(ctx, d.id); code(err) != refusal.CodeNotFound {
			t.Errorf("%s, deleting it gives %v", when, err)
		}
	}
	gone("at once")
	d.host = newHost(d.journal, local.New())
	gone("after a restart")
	if all, err := d.journal.Deletions(ctx); err != nil || len(all) != 1 || all[0].Table != d.id {
		t.Errorf("recorded are %v, %v", all, err)
	}
}

// A node that didn't delete the table notices by itself, even if it hears nothing.
func TestOtherNodesNoticeADeletion(t *testing.T) {
	for name, hears := range map[string]bool{"that hear": true, "that hear nothing": false} {
		t.Run(name, func(t *testing.T) {
			d := played(t)
			wire := local.New()
			other := polling(d.journal, wire)
			defer other.Close()
			seat, err := other.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], "en")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := seat.View(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !hears {
				wire = local.New()
			}
			first := polling(d.journal, wire)
			defer first.Close()
			if err := first.Delete(t.Context(), d.id); err != nil {
				t.Fatal(err)
			}
			if _, err := other.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], "en"); code(err) != refusal.CodeNotFound {
				t.Errorf("its link opens %v", err)
			}
			if _, err := seat.View(t.Context()); code(err) != refusal.CodeNotFound {
				t.Errorf("its seat gets %v", err)
			}
		})
	}
}

func TestATableIsDeletedOnlyAtTheNamedEntry(t *testing.T) {
	d := played(t)
	last := d.view(d.gm).Seq
	if err := d.host.DeleteAt(t.Context(), d.id, last-1); !errors.As(err, new(*refusal.ConflictError)) {
		t.Errorf("it's deleted although somebody played there: %v", err)
	}
	if _, err := d.gm.View(t.Context()); err != nil {
		t.Error(err)
	}
	if err := d.host.DeleteAt(t.Context(), d.id, last); err != nil {
		t.Error(err)
	}
}

func TestATableThatCantBeReadIsDeleted(t *testing.T) {
	stored := newMemory()
	d := newDeskOver(t, stored)
	stored.entries[d.id][2].Body = []byte("{")
	host := newHost(d.journal, local.New())
	if _, err := host.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], "en"); err == nil {
		t.Fatal("it can be read")
	}
	if err := host.Delete(t.Context(), d.id); err != nil {
		t.Fatal(err)
	}
	if heads, err := d.journal.Tables(t.Context()); err != nil || len(heads) > 0 {
		t.Errorf("there are %v, %v", heads, err)
	}
}

// A table that its game master deletes can be read and saved, not written; it can be called back
// for seven days and is removed after them.
func TestADeletedTableCanBeCalledBackForSevenDays(t *testing.T) {
	stored := newMemory()
	d := newDeskOver(t, stored)
	ctx := t.Context()
	now := newClock().Now()
	c := config(stored, local.New())
	c.Now = func() time.Time { return now }
	host := table.New(c)
	t.Cleanup(func() { host.Close() })
	enter := func(seat string) *table.Seat {
		t.Helper()
		s, err := host.Enter(ctx, d.id, d.secrets[seat], "en")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	now = d.last().Time.Add(time.Hour)
	gm, anna := enter("s1"), enter("s2")
	del := func(s *table.Seat) error {
		_, err := table.Do(ctx, s, act.DeleteTable, act.Nothing{}, "")
		return err
	}
	back := func(s *table.Seat) error {
		_, err := table.Do(ctx, s, act.CallTableBack, act.Nothing{}, "")
		return err
	}
	purge := func(after time.Duration) {
		t.Helper()
		was := now
		now = now.Add(after)
		if err := host.Purge(ctx, time.Time{}); err != nil {
			t.Fatal(err)
		}
		now = was
	}
	if err := del(anna); code(err) != refusal.CodeForbidden {
		t.Errorf("a player deletes: %v", err)
	}
	if err := back(gm); code(err) != refusal.CodeRefused {
		t.Errorf("a table that stays is called back: %v", err)
	}
	purge(act.DeletionWaits * 2)
	if err := del(gm); err != nil {
		t.Fatal(err)
	}
	v, err := anna.View(ctx)
	if err != nil || v.Deleted == nil || !v.Deleted.Until.Equal(now.Add(act.DeletionWaits)) {
		t.Fatalf("it's seen as %v, %v", v, err)
	}
	if err := del(gm); code(err) != refusal.CodeRefused {
		t.Errorf("it's deleted again: %v", err)
	}
	for what, err := range map[string]error{
		"talk": func() error {
			_, err := table.Do(ctx, anna, act.Talk, act.TalkRequest{Text: "but"}, "")
			return err
		}(),
		"a move": func() error {
			_, err := anna.Make(ctx, request.Move{Move: "rest", Character: d.hero})
			return err
		}(),
		"an X-card": func() error {
			_, err := anna.RaiseX(ctx)
			return err
		}(),
	} {
		if code(err) != refusal.CodeRefused {
			t.Errorf("%s: %v", what, err)
		}
	}
	var whole, seen bytes.Buffer
	if err := errors.Join(gm.Export(ctx, &whole), anna.ExportSeen(ctx, &seen)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []*bytes.Buffer{&whole, &seen} {
		if _, err := verify.File(toys, words, bytes.NewReader(file.Bytes())); err != nil {
			t.Error(err)
		}
	}
	purge(act.DeletionWaits - time.Second)
	if err := back(gm); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(ctx, anna, act.Talk, act.TalkRequest{Text: "good"}, ""); err != nil {
		t.Error(err)
	}
	purge(act.DeletionWaits * 2)
	if err := del(gm); err != nil {
		t.Fatal(err)
	}
	restored, err := host.Restore(ctx, d.id, "s1") // an operator's new link doesn't stop it
	if err != nil || restored.Secret == "" {
		t.Fatal(err)
	}
	purge(act.DeletionWaits + time.Second)
	if _, err := anna.View(ctx); code(err) != refusal.CodeNotFound {
		t.Errorf("after its time it's %v", err)
	}
	if len(stored.entries[d.id]) > 0 {
		t.Error("its entries are there")
	}
}

// A log doesn't verify if somebody writes at a table that was deleted.
func TestLogThatGoesOnAfterADeletionDoesNotVerify(t *testing.T) {
	stored := newMemory()
	d := newDeskOver(t, stored)
	if _, err := table.Do(t.Context(), d.anna, act.Talk, act.TalkRequest{Text: "hm"}, ""); err != nil {
		t.Fatal(err)
	}
	said := d.last()
	if _, err := table.Do(t.Context(), d.gm, act.DeleteTable, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	said.Seq, said.Key, said.Time = d.last().Seq+1, "", d.last().Time
	stored.entries[d.id] = append(stored.entries[d.id], said)
	var file bytes.Buffer
	past, err := table.ReadHistory(t.Context(), toys, stored, d.id, words.In("en"))
	if err != nil {
		t.Fatal(err)
	}
	if err := past.Export(t.Context(), &file, said.Time, "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.File(toys, words, &file); !errors.As(err, new(*refusal.MisfitError)) {
		t.Errorf("it verifies: %v", err)
	}
}
