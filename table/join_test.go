package table_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// lured returns a desk where Anna's hero has made the move lure and nobody has come yet.
func lured(t *testing.T, r request.Move) (d *desk, lure view.Made) {
	d = newDesk(t)
	d.change(d.gm, act.ChangeRequest{ID: d.other, Sheet: raw(`{"hurt":1}`)})
	r.Move, r.Character = "lure", d.hero
	lure = d.make(d.anna, r)
	return d, lure
}

// sound verifies the log, folds it on another norn, and compares all ways to read the table.
func (d *desk) sound() {
	d.t.Helper()
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(d.stored()))); err != nil {
		d.t.Error(err)
	}
	if len(d.busy()) == 0 { // an open move keeps the table where it is
		if _, err := verify.ReadImport(toys, words, bytes.NewReader(d.export()), true); err != nil {
			d.t.Error(err)
		}
	}
	if _, err := table.Refold(d.t.Context(), toys, d.id, d.stored(), func(uint64) bool { return true }); err != nil {
		d.t.Error(err)
	}
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris} {
		if _, err := verify.File(toys, words, bytes.NewReader(d.seen(s))); err != nil {
			d.t.Error(err)
		}
	}
}

// busy returns the characters in open moves, as the game master sees it.
func (d *desk) busy() (ids []string) {
	d.t.Helper()
	for _, c := range d.view(d.gm).Characters {
		if c.Busy != "" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func offered(q view.Question) (ids []string) {
	f, _ := q.Form.Field("who")
	for _, o := range f.Options {
		ids = append(ids, o.Value)
	}
	return ids
}

// A character that an answer names is free before; then it's held as it is at that moment, and
// released like others.
func TestCharacterNamedInAnAnswerJoinsTheMove(t *testing.T) {
	for _, hand := range []bool{false, true} {
		d, lure := lured(t, request.Move{ByHand: hand})
		falls := func() { // for typed dice
			if hand {
				d.answer(d.anna, d.view(d.anna).Questions[0].ID, `{"faces":[5]}`)
			}
		}
		falls()
		same(t, "held before", []string{d.hero}, d.busy())
		d.change(d.gm, act.ChangeRequest{ID: d.other, Sheet: raw(`{"hurt":2}`)}) // meanwhile
		question := d.view(d.anna).Questions[0].ID
		d.answer(d.anna, question, `{"who":"`+d.other+`"}`)
		same(t, "held then", []string{d.hero, d.other}, d.busy())
		if _, err := d.boris.Make(t.Context(),
			request.Move{Move: "rest", Character: d.other}); code(err) != refusal.CodeBusy {
			t.Errorf("Orm is in it: %v", err)
		}
		d.sound()
		d.reopen()
		d.answer(d.anna, d.view(d.anna).Questions[0].ID, `{}`)
		falls()
		d.sound()
		if got := sheet[Hero](d, d.other).Hurt; got < 2+2+2 || hand && got != 2+5+2+5 {
			t.Errorf("hurt by what was known when they were named: %d", got)
		}
		same(t, "let go", []string{d.hero}, d.busy())

		rest := d.make(d.boris, request.Move{Move: "rest", Character: d.other}).Entry
		var later *refusal.LaterError
		if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: lure.Entry.Move},
			""); !errors.As(err, &later) || len(later.Later) != 1 || later.Later[0].Seq != rest.Seq {
			t.Errorf("it's cancelled beneath a rest: %v", err)
		}
		d.undo(rest.Seq)
		if hand {
			if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: lure.Entry.Move},
				""); err != nil {
				t.Fatal(err)
			}
		} else {
			d.answer(d.anna, d.view(d.anna).Questions[0].ID, `{}`)
			d.undo(lure.Entry.Seq)
		}
		same(t, "as it was when they were named", 2, sheet[Hero](d, d.other).Hurt)
		same(t, "held after", 0, len(d.busy()))
		d.sound()
		d.reopen()
		same(t, "and after a restart", 2, sheet[Hero](d, d.other).Hurt)
	}
}

// A seat can name only characters that it sees, and doesn't learn of others.
func TestSeatCanNameOnlyCharactersItSees(t *testing.T) {
	d, lure := lured(t, request.Move{})
	question := lure.Open[0]
	same(t, "offered to Anna", []string{d.other}, offered(question))
	same(t, "offered to the game master", []string{d.other, d.shade}, offered(d.view(d.gm).Questions[0]))
	var refusals []form.Problems
	for _, who := range []string{d.shade, "c99", d.hero} {
		_, err := d.anna.Answer(t.Context(),
			request.Answer{Question: question.ID, Answer: raw(`{"who":"` + who + `"}`)})
		var invalid *refusal.InvalidError
		if !errors.As(err, &invalid) || invalid.Problems[0].Path != "answer.who" ||
			invalid.Problems[0].Code != form.NoChoice {
			t.Fatalf("%s: %v", who, err)
		}
		invalid.Problems[0].Given = ""
		refusals = append(refusals, invalid.Problems)
	}
	same(t, "who is hidden is nobody", refusals[1], refusals[0])
	before := text(t, d.view(d.anna).Characters)
	d.answer(d.gm, question.ID, `{"who":"`+d.shade+`"}`)
	if seen := text(t, d.view(d.anna), d.log(d.anna)); strings.Contains(seen, "SECRET") ||
		before != text(t, d.view(d.anna).Characters) {
		t.Errorf("Anna is told of the shade: %s", seen)
	}
	d.sound()
}

// A character in another open move can't be named, and trying loses nothing.
func TestCharacterInAnotherOpenMoveCannotBeNamed(t *testing.T) {
	d, lure := lured(t, request.Move{})
	theirs := d.make(d.boris, request.Move{Move: "lure", Character: d.other}).Entry
	entries := len(d.stored())
	answer := request.Answer{Question: lure.Open[0].ID, Answer: raw(`{"who":"` + d.other + `"}`)}
	_, err := d.anna.Answer(t.Context(), answer)
	var busy *refusal.BusyError
	if !errors.As(err, &busy) || busy.Character != d.other || busy.Move != theirs.Move {
		t.Fatalf("Orm is in a move of his own: %v", err)
	}
	if len(d.stored()) != entries || d.view(d.anna).Questions[0].ID != answer.Question {
		t.Error("the refused answer has left something")
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: theirs.Move}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.anna.Answer(t.Context(), answer); err != nil {
		t.Error(err)
	}
	d.sound()
}

// An answer that names a character in a secret move cancels that move; the player gets the same
// response as without it.
func TestNamingACharacterCancelsItsSecretMove(t *testing.T) {
	d, lure := lured(t, request.Move{})
	secret := d.make(d.gm, request.Move{
		Move: "haunt", Args: raw(`{"who":["` + d.other + `"]}`),
		Secret: true,
	}).Entry.Move
	answer := request.Answer{Question: lure.Open[0].ID, Answer: raw(`{"who":"` + d.other + `"}`)}
	if _, err := d.gm.Answer(t.Context(), answer); code(err) != refusal.CodeBusy {
		t.Errorf("the game master knows of it: %v", err)
	}
	made, err := d.anna.Answer(t.Context(), answer)
	if err != nil || strings.Contains(text(t, made, d.log(d.anna)), "yield") {
		t.Fatalf("%v, %s", err, text(t, made))
	}
	if last := d.log(d.gm)[len(d.log(d.gm))-1]; !slices.Equal(last.Yields, []string{secret}) {
		t.Errorf("%+v", last)
	}
	d.sound()
}

// If the state no longer remembers what a joined character was, the move can't be undone.
func TestMoveWithAForgottenJoinCannotBeUndone(t *testing.T) {
	d, lure := lured(t, request.Move{})
	d.answer(d.anna, lure.Open[0].ID, `{"who":"`+d.other+`"}`)
	for range 2 {
		d.answer(d.anna, d.view(d.anna).Questions[0].ID, `{}`)
	}
	for range view.MostTouches {
		d.make(d.boris, request.Move{Move: "rest", Character: d.other})
	}
	var refused *refusal.RefusedError
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(lure.Entry.Seq)}, ""); !errors.As(err,
		&refused) || !strings.Contains(err.Error(), "too-old") {
		t.Errorf("it's undone in part: %v", err)
	}
}

// A log in which an answer names a character that it couldn't doesn't verify.
func TestLogWithAnImpossibleNamingDoesNotVerify(t *testing.T) {
	d, lure := lured(t, request.Move{})
	d.answer(d.anna, lure.Open[0].ID, `{"who":"`+d.other+`"}`)
	for _, who := range []string{d.shade, d.hero, "c9"} {
		entries := d.stored()
		last := &entries[len(entries)-1]
		last.Body = bytes.ReplaceAll(last.Body, []byte(`"who":"`+d.other+`"`), []byte(`"who":"`+who+`"`))
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); err == nil {
			t.Errorf("%s is named and it verifies", who)
		}
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(d.stored()))); err != nil {
		t.Error(err)
	}
}
