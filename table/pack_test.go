package table_test

import (
	"strconv"
	"testing"

	"norn/table"
)

// What is old is packed in memory, and everybody sees it as before.
func TestOldRecordsArePacked(t *testing.T) {
	d := newDesk(t)
	first := table.Request{Move: "swap", Character: d.hero, Nonce: "n", Key: "first"}
	made := d.make(d.anna, first)
	d.brawl()
	seq := d.brawl().Seq
	d.make(d.gm, table.Request{Move: "omen", Secret: true})
	for n := range 30 {
		d.talk(d.gm, table.Talk{Text: strconv.Itoa(n)})
	}
	d.undo(seq)
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		bare, packed, err := s.Bare(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if packed < 4 {
			t.Errorf("%d records are packed", packed)
		}
		if have, want := text(t, d.log(s)), text(t, bare); have != want {
			t.Errorf("%s sees\n%s\nand where nothing is packed\n%s", s.ID(), have, want)
		}
	}
	if again := d.make(d.anna, first); again.Entry.Seq != made.Entry.Seq {
		t.Errorf("sent again, entry %d is %d", made.Entry.Seq, again.Entry.Seq)
	}
	first.Nonce = "m"
	if _, err := d.anna.Make(t.Context(), first); code(err) != table.CodeKeyReused {
		t.Error(err)
	}
}
