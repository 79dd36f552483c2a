package table_test

import (
	"errors"
	"io"
	"strconv"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// Old entries are read from the journal again, and everybody sees them as if they were in memory.
func TestOldEntriesAreReadAgainFromTheJournal(t *testing.T) {
	d := newDesk(t)
	first := request.Move{Move: "swap", Character: d.hero, Nonce: "n", Key: "first"}
	made := d.make(d.anna, first)
	d.brawl()
	seq := d.brawl().Seq
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	for n := range 100 {
		d.talk(d.gm, act.TalkRequest{Text: strconv.Itoa(n)})
	}
	d.undo(seq)
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		bare, recent, err := s.Bare(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if recent > 64 {
			t.Errorf("%d records are in memory", recent)
		}
		if have, want := text(t, d.log(s)), text(t, bare); have != want {
			t.Errorf("%s sees\n%s\nand where all is in memory\n%s", s.ID(), have, want)
		}
	}
	dice := 0
	for _, e := range d.log(d.gm) {
		for _, thrown := range e.Throws {
			if e.Undone == nil {
				dice += len(thrown.Faces)
			}
		}
	}
	tallies, err := d.gm.Tally(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range tallies {
		dice -= each.Dice
	}
	if dice != 0 {
		t.Errorf("the log shows %d dice more than %+v", dice, tallies)
	}
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} { // everything that reads old records
		_, errs := s.Find(t.Context(), request.Search{Text: "0"})
		_, lucks := s.Luck(t.Context(), 1)
		if err := errors.Join(errs, lucks, s.Story(t.Context(), io.Discard, request.Telling{}),
			s.ExportSeen(t.Context(), io.Discard)); err != nil {
			t.Errorf("%s: %v", s.ID(), err)
		}
		d.view(s)
		whole, err := s.EntriesOfMove(t.Context(), made.Entry.Move)
		if err != nil || len(whole) != 1 || whole[0].Seq != made.Entry.Seq {
			t.Errorf("%s sees of the first move %+v, %v", s.ID(), whole, err)
		}
	}
	if again := d.make(d.anna, first); again.Entry.Seq != made.Entry.Seq {
		t.Errorf("sent again, entry %d is %d", made.Entry.Seq, again.Entry.Seq)
	}
	first.Nonce = "m"
	if _, err := d.anna.Make(t.Context(), first); code(err) != refusal.CodeKeyReused {
		t.Error(err)
	}
}
