package ledger_test

import (
	"errors"
	"slices"
	"testing"

	"norn/game"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Older records are read again on demand: what they say is the same as when they were new.
func TestForgottenRecordsAreReadAgainUnchanged(t *testing.T) {
	tb := tabletest.New(t)
	opened := tb.Strike(t)
	answers := []*state.Record{
		tb.Answer(t, tabletest.GM, game.GM, `{"n":2}`),
		tb.Answer(t, tabletest.Boris, tabletest.Orm, `{"dodge":true}`),
	}
	undone := tabletest.Do(t, tb, tabletest.GM, act.Cancel, act.CancelRequest{Move: opened.Move})
	tabletest.Do(t, tb, tabletest.GM, act.EndSession, act.Nothing{})
	says(t, tb, 80)
	for _, want := range append(answers, opened, undone) {
		tb.Forget()
		got := tb.Record(want.Seq)
		if got == nil || got == want || got.Kind != want.Kind || got.Seat != want.Seat ||
			(got.Of == nil) != (want.Of == nil) ||
			len(got.Decoded) != len(want.Decoded) || len(got.ThrowsBefore) != len(want.ThrowsBefore) {
			t.Errorf("entry %d: %+v, want %+v", want.Seq, got, want)
		}
		if got.Of != nil && (got.Of.ID != want.Of.ID || got.Of.Session.N != 1 || got.HeadlineAt != want.HeadlineAt) {
			t.Errorf("entry %d is of %+v", want.Seq, got.Of)
		}
		if want.Undoes != nil && (got.Undoes == nil || got.Undoes.Seq != want.Undoes.Seq) {
			t.Errorf("entry %d undoes %+v", want.Seq, got.Undoes)
		}
	}
	tb.Forget()
	m := tb.Move(opened.Move)
	about := []uint64{opened.Seq, answers[0].Seq, answers[1].Seq, undone.Seq}
	if got := seqs(tb.RecordsAbout(m)); !slices.Equal(got, about) {
		t.Errorf("about the move: %v", got)
	}
	if got := seqs(tb.RecordsOf(m)); !slices.Equal(got, about[:3]) {
		t.Errorf("of the move: %v", got)
	}
	for _, id := range []string{"", "m1", "m9999", "x"} {
		if got := tb.Move(id); got != nil {
			t.Errorf("there is a move %q: %+v", id, got)
		}
	}
}

func TestReadersReturnOldAndNewRecordsInOrder(t *testing.T) {
	tb := tabletest.New(t)
	says(t, tb, 40)
	ended := tabletest.Do(t, tb, tabletest.GM, act.EndSession, act.Nothing{}).Seq
	says(t, tb, 300)
	last := tb.Seq
	var after, before, of []uint64
	for r := range tb.After(2, 3) {
		after = append(after, r.Seq)
	}
	for r := range tb.Before(last, 3) {
		before = append(before, r.Seq)
	}
	for r := range tb.OfSession(1) {
		of = append(of, r.Seq)
	}
	slices.Reverse(before)
	for name, c := range map[string]struct{ got, want []uint64 }{
		"after 2":                    {after, upTo(3, last)},
		"before the last":            {before, upTo(1, last-1)},
		"of the first session":       {of, upTo(1, ended-1)},
		"a span of old ones":         {seqs(tb.Span(5, 9)), upTo(5, 9)},
		"a span of old and new ones": {seqs(tb.Span(last-60, last)), upTo(last-60, last)},
		"a span past both ends":      {seqs(tb.Span(0, last+9)), upTo(1, last)},
		"no span":                    {seqs(tb.Span(9, 8)), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v", name, c.got)
		}
	}
	for range tb.OfSession(3) {
		t.Error("there is a third session")
	}
	for r := range tb.Before(last, 3) {
		if r.Seq < last-1 {
			t.Error("a reader that stops gets more")
		}
		break
	}
}

// A reader gets an error where older entries can't be read; any other panic goes on.
func TestReaderReturnsTheJournalsError(t *testing.T) {
	tb := tabletest.New(t)
	says(t, tb, 80)
	look := func(from ledger.Entries) (err error) {
		defer ledger.Catch(&err)
		b := tb.WithLookback(t.Context(), from)
		b.Record(3)
		return nil
	}
	if err := look(&tb.Entries); err != nil {
		t.Error(err)
	}
	if err := look(&failing{err: errors.New("gone")}); !errors.As(err, new(*refusal.UnavailableError)) {
		t.Errorf("a journal that can't be read: %v", err)
	}
	if err := look(&failing{}); !errors.Is(err, ledger.ErrNoEntry) || !errors.As(err, new(*refusal.UnreadableError)) {
		t.Errorf("a journal that has lost an entry: %v", err)
	}
	defer func() {
		if recover() != "other" {
			t.Error("another panic is caught")
		}
	}()
	func() (err error) {
		defer ledger.Catch(&err)
		panic("other")
	}()
}

// An attachment's bytes aren't read again: the state knows its entry.
func TestBytesOfAttachmentsAreNotReadAgain(t *testing.T) {
	tb := tabletest.New(t)
	tb.Attach(t, tabletest.Anna, 7)
	seq := tb.Seq
	says(t, tb, 80)
	tb.Entries[seq-1].Body = []byte("its bytes")
	again := tb.Record(seq)
	if again == nil || again.Kind != view.KindAttached || again.Seat != tabletest.Anna || len(again.Decoded) > 0 {
		t.Errorf("read again: %+v", again)
	}
	if got := seqs(tb.Span(seq-1, seq+1)); !slices.Equal(got, upTo(seq-1, seq+1)) {
		t.Errorf("around it: %v", got)
	}
}

// What depends on a change, newest last; a table without an open move is as before it.
func TestLaterListsWhatDependsOnAChange(t *testing.T) {
	tb := tabletest.New(t)
	change := func(luck string) *state.Record {
		return tabletest.Do(t, tb, tabletest.GM, act.ChangeCharacter,
			act.ChangeRequest{ID: tabletest.Lira, Sheet: []byte(`{"luck":` + luck + `}`)})
	}
	first, second := change("1"), change("2")
	rests := tb.Make(t, tabletest.Anna, request.Move{Move: "rest", Character: tabletest.Lira, Args: []byte(`{"n":2}`)})
	opened := tb.Strike(t)
	if got := seqs(tb.Later(first)); !slices.Equal(got, []uint64{second.Seq, rests.Seq, opened.Seq}) {
		t.Errorf("later than the first: %v", got)
	}
	if got := tb.CountedRecords(rests.Of); len(got) != 1 || tb.CountedRecords(opened.Of) != nil {
		t.Errorf("counted in the session: %v", seqs(got))
	}
	without := tb.Without([]*state.Move{opened.Of})
	if len(without.OpenMoves) > 0 || len(tb.OpenMoves) != 1 ||
		without.Characters.Of(tabletest.Lira) == tb.Characters.Of(tabletest.Lira) {
		t.Error("a table without its open move shares what changed")
	}
	if sheet := without.Characters.Of(tabletest.Lira).Sheet.(tabletest.Hero); sheet.Luck != 4 {
		t.Errorf("without it: %+v", sheet)
	}
}
