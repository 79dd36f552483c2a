package table_test

import (
	"bytes"
	"strings"
	"testing"

	"norn/game"
	"norn/internal/relay/local"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
	"norn/table/view"
)

// A blanked person's name and words are in no entry any more, on no node, and the log verifies.
func TestABlankedPersonIsInNoEntry(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	wire := local.New()
	other := polling(d.journal, wire)
	defer other.Close()
	const name, words1, words2 = "Oksana Unusual", "I was there in spring", "only for you"
	invited, err := table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, "k")
	if err != nil {
		t.Fatal(err)
	}
	seat := d.enter(invited.Secret)
	rename := func(to string) {
		t.Helper()
		if _, err := table.Do(ctx, seat, act.RenameSeat, act.RenameRequest{Seat: seat.ID(), Name: to}, ""); err != nil {
			t.Fatal(err)
		}
	}
	rename(name + " the Second")
	rename(name)
	for _, r := range []act.TalkRequest{{Text: words1}, {Text: words2, To: d.anna.ID()}} {
		if _, err := table.Do(ctx, seat, act.Talk, r, "key of "+r.To); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Do(ctx, d.anna, act.Talk, act.TalkRequest{Text: "who stays"}, ""); err != nil {
		t.Fatal(err)
	}
	d.code(seat, "code")
	elsewhere, err := other.Enter(ctx, d.id, d.secrets[d.gm.ID()], "en")
	if err != nil {
		t.Fatal(err)
	}
	if all := shownTo(t, elsewhere); !strings.Contains(all, words1) || !strings.Contains(all, name) {
		t.Fatalf("the other node shows %s", all)
	}

	blank := func(s *table.Seat, id, to string) error {
		_, err := table.Do(ctx, s, act.BlankSeat, act.RenameRequest{Seat: id, Name: to}, "")
		return err
	}
	if err := blank(d.anna, seat.ID(), "Former"); code(err) != refusal.CodeForbidden {
		t.Errorf("a player blanks: %v", err)
	}
	if err := blank(d.gm, "s99", "Former"); code(err) != refusal.CodeInvalid {
		t.Errorf("nobody is blanked: %v", err)
	}
	if err := blank(d.gm, seat.ID(), ""); code(err) != refusal.CodeInvalid {
		t.Errorf("without a name: %v", err)
	}
	if _, err := table.Do(ctx, d.gm, act.RevokeSeat, act.SeatNamed{Seat: seat.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	if err := blank(d.gm, seat.ID(), "Former player"); err != nil {
		t.Fatal(err)
	}
	for _, e := range d.stored() {
		for _, gone := range []string{name, words1, words2} {
			if bytes.Contains(e.Body, []byte(gone)) {
				t.Errorf("entry %d still has %q: %s", e.Seq, gone, e.Body)
			}
		}
	}
	again, err := other.Enter(ctx, d.id, d.secrets[d.gm.ID()], "en")
	if err != nil {
		t.Fatal(err)
	}
	for node, s := range map[string]*table.Seat{"this node": d.gm, "another": again} {
		all := shownTo(t, s)
		if strings.Contains(all, name) || strings.Contains(all, words1) {
			t.Errorf("%s shows %s", node, all)
		}
		if !strings.Contains(all, "who stays") || !strings.Contains(all, "Former player") {
			t.Errorf("%s lacks what stays: %s", node, all)
		}
	}
	log, err := d.gm.Last(ctx, 1)
	if err != nil || len(log) != 1 || log[0].Kind != view.KindBlanked {
		t.Errorf("the log says %+v, %v", log, err)
	}
	var seen bytes.Buffer
	if err := d.anna.ExportSeen(ctx, &seen); err != nil {
		t.Fatal(err)
	}
	for what, file := range map[string][]byte{"the table": d.export(), "what Anna saw": seen.Bytes()} {
		if _, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
			t.Errorf("%s doesn't verify: %v", what, err)
		}
		if bytes.Contains(file, []byte(name)) || bytes.Contains(file, []byte(words2)) {
			t.Errorf("%s has the words", what)
		}
	}
	d.reopen()
	if all := shownTo(t, d.gm); strings.Contains(all, name) {
		t.Errorf("after a restart it shows %s", all)
	}
}

// shownTo returns a seat's view and log as text.
func shownTo(t *testing.T, s *table.Seat) string {
	t.Helper()
	v, err := s.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.Log(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return text(t, v, entries)
}
