package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/internal/relay"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

func (d *desk) undo(seq uint64) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(seq)}, "")
	if err != nil {
		d.t.Fatalf("undo %d: %v", seq, err)
	}
	return e
}

func (d *desk) change(s *table.Seat, c act.ChangeRequest, key ...string) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), s, act.ChangeCharacter, c, strings.Join(key, ""))
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

// find returns an entry as a seat sees it now.
func (d *desk) find(s *table.Seat, seq uint64) view.Entry {
	d.t.Helper()
	for _, e := range d.log(s) {
		if e.Seq == seq {
			return e
		}
	}
	d.t.Fatalf("%s doesn't see entry %d", s.Role(), seq)
	panic("unreachable")
}

// brawl makes a complete strike that hurts both sides.
func (d *desk) brawl() view.Entry {
	d.t.Helper()
	made := d.hit()
	for range 9 {
		v := d.view(d.gm)
		if len(v.Questions) == 0 {
			return made.Entry
		}
		q, answer := v.Questions[0], `{"n":2}`
		switch q.Question {
		case "toy.dodge":
			answer = `{"dodge":false}`
		case "dice":
			answer = `{"faces":[3]}`
		}
		d.answer(d.gm, q.ID, answer)
	}
	d.t.Fatal("the blow doesn't end")
	panic("unreachable")
}

func TestUndoOfAMoveRestoresWhatItChanged(t *testing.T) {
	d := newDesk(t)
	before := text(t, d.view(d.gm).Characters)
	blow := d.brawl()
	if got := sheet[Hero](d, d.other); got.Hurt == 0 {
		t.Fatal("nobody was hurt")
	}
	last := d.log(d.gm)[len(d.log(d.gm))-1]
	if last.Move != blow.Move || !last.MayUndo || last.MayCancel || d.find(d.anna, last.Seq).MayUndo {
		t.Errorf("who may undo: %+v", last)
	}
	for _, s := range []*table.Seat{d.anna, d.boris, d.guest} {
		if _, err := table.Do(t.Context(), s, act.Undo, act.UndoRequest{Seq: int(blow.Seq)},
			""); code(err) != refusal.CodeForbidden {
			t.Errorf("%s undoes a move: %v", s.ID(), err)
		}
	}
	undone := d.undo(last.Seq) // any entry of the move will do
	same(t, "as before", before, text(t, d.view(d.gm).Characters))
	if undone.Kind != view.KindUndone || undone.Move != blow.Move || undone.Undoes != blow.Seq ||
		undone.Name != "strike" ||
		undone.Character != d.hero || len(undone.Lines) != 1 || undone.Secret {
		t.Errorf("the entry: %+v", undone)
	}
	for _, e := range d.log(d.guest) {
		if of := e.Move == blow.Move && e.Seq != undone.Seq; of != (e.Undone != nil) {
			t.Errorf("%d undone: %+v", e.Seq, e.Undone)
		} else if of && (e.Undone.Seq != undone.Seq || e.Undone.Seat.Name != "GM" || e.Undone.Cancelled ||
			len(e.Throws) == 0 && e.Kind == view.KindMove) {
			t.Errorf("%d: %+v", e.Seq, e)
		}
		if e.MayUndo {
			t.Errorf("a guest may undo %d", e.Seq)
		}
	}
	for _, seq := range []uint64{blow.Seq, undone.Seq, 1, 2} {
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(seq)},
			""); code(err) != refusal.CodeRefused {
			t.Errorf("undo %d: %v", seq, err)
		}
	}
	for _, seq := range []uint64{0, 999} {
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(seq)},
			""); code(err) != refusal.CodeInvalid {
			t.Errorf("undo %d: %v", seq, err)
		}
	}
	seen := text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna))
	d.reopen()
	same(t, "after a restart", seen, text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna)))
	if again := d.brawl(); again.Move == blow.Move {
		t.Error("made again it's the same move")
	}
}

// Changes that depend on a move must be undone first, newest first.
func TestUndoIsRefusedWhileLaterChangesDependOnIt(t *testing.T) {
	d := newDesk(t)
	start := text(t, d.view(d.gm).Characters)
	blow := d.brawl()
	// about a shade, and so independent of the strike
	aside := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c3"]}`)})
	d.answer(d.gm, aside.Open[0].ID, `{}`)
	rested := d.make(d.anna, request.Move{Move: "rest", Character: d.hero}).Entry
	edit := d.change(d.gm, act.ChangeRequest{ID: d.other, Sheet: raw(`{"luck":7}`)})
	removed, err := table.Do(t.Context(), d.gm, act.RemoveCharacter, act.CharacterNamed{Character: d.other}, "")
	if err != nil {
		t.Fatal(err)
	}
	name := "Lyra"
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Name: &name}) // a name isn't part of a sheet

	_, err = table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(blow.Seq)}, "")
	var later *refusal.LaterError
	if !errors.As(err, &later) {
		t.Fatalf("undo: %v", err)
	}
	seqs := []uint64{}
	for _, l := range later.Later {
		seqs = append(seqs, l.Seq)
	}
	same(t, "what stands on it", []uint64{rested.Seq, edit.Seq, removed.Seq}, seqs)
	if said := refusal.Say(table.VoiceOf(words.In("en")), err); !strings.Contains(said,
		"Lyra, “⟨toy.move.rest⟩” (no.\u00a016)") ||
		!strings.Contains(said, "a change to Orm (no.\u00a017)") {
		t.Error(said)
	}
	if d.find(d.gm, blow.Seq).MayUndo || !d.find(d.gm, rested.Seq).MayUndo || d.find(d.gm, edit.Seq).MayUndo {
		t.Error("the log offers to undo what can't be, or not what can")
	}
	if back := d.undo(removed.Seq); back.Lines[0].Text != "Orm is back in play" {
		t.Errorf("%+v", back.Lines)
	}
	d.undo(edit.Seq)
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(blow.Seq)}, ""); !errors.As(err,
		&later) || len(later.Later) != 1 {
		t.Fatalf("undo: %v", err)
	}
	d.undo(rested.Seq)
	d.undo(blow.Seq)
	d.undo(aside.Entry.Seq)
	same(t, "as before but for the name", strings.ReplaceAll(start, "Lira", "Lyra"), text(t, d.view(d.gm).Characters))
}

func TestChangeIsUndoneOnlyByItsAuthorOrAGM(t *testing.T) {
	d := newDesk(t)
	mine := d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":8}`)})
	if !d.find(d.anna, mine.Seq).MayUndo || d.find(d.boris, mine.Seq).MayUndo {
		t.Error("who made a change may undo it, and no other player")
	}
	if _, err := table.Do(t.Context(), d.boris, act.Undo, act.UndoRequest{Seq: int(mine.Seq)},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("Boris undoes it: %v", err)
	}
	name, boris := "Lyra", d.boris.ID()
	given := d.change(d.gm, act.ChangeRequest{ID: d.hero, Name: &name, Owner: &boris})
	if _, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(mine.Seq)},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("Anna undoes it while Boris plays her hero: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(given.Seq)},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("Anna undoes what the GM did: %v", err)
	}
	d.undo(given.Seq)
	if c := d.view(d.anna).Characters[0]; c.Name != "Lira" || !c.Mine || sheet[Hero](d, d.hero).Luck != 8 {
		t.Errorf("the name and the player are back, the sheet stays: %+v", c)
	}
	undone, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(mine.Seq)}, "k")
	if err != nil || sheet[Hero](d, d.hero).Luck != 3 || undone.Lines[0].Text != "A change to Lira is undone" {
		t.Errorf("%+v, %v", undone, err)
	}
	if again, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(mine.Seq)}, "k"); err != nil ||
		again.Seq != undone.Seq {
		t.Errorf("the same request again: %+v, %v", again, err)
	}

	// A change that a player may not see also prevents undoing, without a name.
	mine = d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)})
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"doom":"SECRET other"}`)})
	_, err = table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(mine.Seq)}, "")
	var later *refusal.LaterError
	if !errors.As(err, &later) || len(later.Later) != 0 {
		t.Errorf("%v", err)
	}

	// A revoked player doesn't get the character back.
	gone := d.change(d.gm, act.ChangeRequest{ID: d.other, Owner: new("")})
	if _, err := table.Do(t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.boris.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	d.undo(gone.Seq)
	if owner := d.view(d.gm).Characters[1].Owner; owner != "" {
		t.Errorf("Orm is played by %q", owner)
	}
}

func TestSettingsAreUndoneNewestFirst(t *testing.T) {
	d := newDesk(t)
	var seqs []uint64
	for _, limit := range []string{"7", "2"} {
		e, err := table.Do(t.Context(), d.gm, act.Configure,
			act.ConfigureRequest{Settings: raw(`{"limit":` + limit + `}`)}, "")
		if err != nil {
			t.Fatal(err)
		}
		if said := lines(e); !strings.HasSuffix(said, ": "+limit) {
			t.Errorf("limit %s: %q", limit, said)
		}
		seqs = append(seqs, e.Seq)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(seqs[0])},
		""); code(err) != refusal.CodeLater {
		t.Errorf("the first with the second on it: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(seqs[1])},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("by a player: %v", err)
	}
	slices.Reverse(seqs)
	for i, limit := range []int{7, 5} {
		d.undo(seqs[i])
		if got := d.view(d.anna).Settings.(House).Limit; got != limit {
			t.Errorf("limit %d, want %d", got, limit)
		}
	}
}

// Undoing a secret move is secret, and is revealed with the move.
func TestUndoOfASecretMoveIsSecret(t *testing.T) {
	d := newDesk(t)
	before := text(t, d.log(d.anna))
	made := d.make(d.gm, request.Move{Move: "rest", Character: d.hero, Args: raw(`{"n":3}`), Secret: true})
	d.undo(made.Entry.Seq)
	heard := watch(t.Context(), t, d.anna, made.Entry.Seq, func(view.Update) bool { return true })
	if len(heard) != 1 || heard[0].Entry != nil {
		t.Errorf("Anna hears only that a sheet has changed: %+v", heard)
	}
	hidden := d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"doom":"SECRET other"}`)})
	d.undo(hidden.Seq)
	open := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`), Secret: true})
	if _, err := table.Do(t.Context(), d.anna, act.Cancel, act.CancelRequest{Move: open.Entry.Move},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("a player knows of a secret move: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: open.Entry.Move}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "Anna’s log", before, text(t, d.log(d.anna)))
	for _, seq := range []uint64{made.Entry.Seq, hidden.Seq, open.Entry.Seq} {
		if _, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(seq)},
			""); code(err) != refusal.CodeInvalid {
			t.Errorf("a player knows of the hidden entry %d: %v", seq, err)
		}
	}
	if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: made.Entry.Move}, ""); err != nil {
		t.Fatal(err)
	}
	if e := d.find(d.anna, made.Entry.Seq); e.Undone == nil {
		t.Error("it was shown, but not that it was undone")
	}
}

func TestCancellingAMoveRestoresWhatItChanged(t *testing.T) {
	d := newDesk(t)
	before := text(t, d.view(d.gm).Characters)
	made := d.hit()
	landed := d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{"n":2}`)
	dodge := d.answer(d.boris, d.view(d.boris).Questions[0].ID, `{}`)
	hand := slices.IndexFunc(d.view(d.anna).Questions, func(q view.Question) bool { return q.Question == "dice" })
	d.answer(d.anna, d.view(d.anna).Questions[hand].ID, `{"faces":[6]}`)
	if sheet[Hero](d, d.other).Hurt == 0 {
		t.Fatal("nobody was hurt yet")
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(made.Entry.Seq)},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("undo of an open move: %v", err)
	}
	if _, err := table.Do(t.Context(), d.boris, act.Cancel, act.CancelRequest{Move: made.Entry.Move},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("Boris cancels Anna’s move: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.Cancel, act.CancelRequest{Move: made.Entry.Move},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("Anna cancels a throw: %v", err)
	}
	for _, id := range []string{"m999", ""} {
		if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: id},
			""); code(err) != refusal.CodeInvalid {
			t.Errorf("cancel %q: %v", id, err)
		}
	}
	question := d.view(d.anna).Questions[0].ID
	e, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "k")
	if err != nil || e.Kind != view.KindCancelled || e.Move != made.Entry.Move || e.Undoes != made.Entry.Seq {
		t.Fatalf("%+v, %v", e, err)
	}
	same(t, "as before", before, text(t, d.view(d.gm).Characters))
	if v := d.view(d.gm); len(v.Questions)+len(v.Waiting) != 0 {
		t.Error("questions are left")
	}
	first := d.find(d.guest, made.Entry.Seq)
	if first.Undone == nil || !first.Undone.Cancelled || len(first.Throws) != 1 ||
		len(d.find(d.guest, dodge.Entry.Seq).Undone.Seat.Name) == 0 {
		t.Errorf("its dice stay: %+v", first)
	}
	if d.find(d.guest, landed.Entry.Seq).Undone == nil {
		t.Error("all of it is cancelled")
	}
	if _, err := d.anna.Answer(t.Context(),
		request.Answer{Question: question, Answer: raw(`{}`)}); code(err) != refusal.CodeInvalid {
		t.Errorf("an answer to a cancelled move: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("twice: %v", err)
	}
	if again, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move},
		"k"); err != nil || again.Seq != e.Seq {
		t.Errorf("the same request again: %+v, %v", again, err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(made.Entry.Seq)},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("undo of a cancelled move: %v", err)
	}
	seen := text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna))
	d.reopen()
	same(t, "after a restart", seen, text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna)))
}

// A move that the current rules can't continue can still be cancelled.
func TestMoveThatRulesCannotContinueIsCancelled(t *testing.T) {
	d := newDesk(t)
	seq := d.view(d.gm).Seq
	stuck := `{"v":1,"kind":"move","opening":{"move":"rest","actor":"c1","cast":["c1"],"args":{"n":1}},
		"steps":[{"dice":{"for":"pool","sides":6,"faces":[3]}}],"events":[{"n":0,"type":"toy.rested","v":1,"data":{"who":"c1","n":1}}]}`
	if _, err := d.journal.Append(t.Context(), d.id, seq,
		journal.Entry{Time: time.Now(), Seat: "s2", Move: "m8", Body: []byte(stuck)}); err != nil {
		t.Fatal(err)
	}
	d.relay.Publish(relay.Message{Table: d.id, Seq: seq + 1})
	if _, err := d.gm.Answer(t.Context(),
		request.Answer{Question: "m8::0", Answer: raw(`{}`)}); code(err) != refusal.CodeRefused {
		t.Fatalf("the move isn't stuck: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: "m8"}, ""); err != nil {
		t.Fatal(err)
	}
	if got := sheet[Hero](d, d.hero).Luck; got != 3 {
		t.Errorf("luck %d", got)
	}
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
}

// A player may cancel a move as long as it has no roll and no answer.
func TestPlayersCancelMovesWithoutRollsOrAnswers(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		ByHand: true,
	})
	if len(made.Open) != 1 || !d.find(d.anna, made.Entry.Seq).MayCancel || d.find(d.boris, made.Entry.Seq).MayCancel {
		t.Fatalf("made: %+v", made)
	}
	if _, err := table.Do(t.Context(), d.anna, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, ""); err != nil {
		t.Error(err)
	}
}
