package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// parted returns a desk with an open move that is finished for one hero but not for the other.
func parted(t *testing.T) (d *desk, haunt view.Entry) {
	d = newDesk(t)
	haunt = d.make(d.gm, request.Move{
		Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`),
		Nonce: "n",
	}).Entry
	d.answerOf(d.hero)
	return d, haunt
}

// answerOf answers the question to a character.
func (d *desk) answerOf(who string) {
	d.t.Helper()
	for _, q := range d.view(d.gm).Questions {
		if q.To == who {
			d.answer(d.gm, q.ID, `{}`)
			return
		}
	}
	d.t.Fatalf("nothing is asked of %s", who)
}

// Others may act with a character that an open move has released; the others in it are busy.
func TestReleasedCharacterMayActAgain(t *testing.T) {
	d, haunt := parted(t)
	hurt := sheet[Hero](d, d.hero).Hurt
	if hurt == 0 {
		t.Fatal("nobody is hurt")
	}
	for _, c := range d.view(d.gm).Characters {
		want := ""
		if c.ID == d.other {
			want = haunt.Move
		}
		if c.ID != d.shade {
			same(t, c.Name+" is in", want, c.Busy)
		}
	}
	if _, err := d.boris.Make(t.Context(),
		request.Move{Move: "rest", Character: d.other}); code(err) != refusal.CodeBusy {
		t.Errorf("Orm is still in it: %v", err)
	}
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	edit := d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":7}`)})
	d.reopen()
	d.undo(edit.Seq)
	if got := sheet[Hero](d, d.hero); got.Luck != 4 || got.Hurt != hurt {
		t.Errorf("what the open move did is gone with what stood on it: %+v", got)
	}
	d.answerOf(d.other)
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// A move can't be cancelled or undone before later changes that depend on it.
func TestCancelIsRefusedWhileLaterChangesDependOnAMove(t *testing.T) {
	d, haunt := parted(t)
	before := text(t, d.view(d.gm).Characters)
	rest := d.make(d.anna, request.Move{Move: "rest", Character: d.hero}).Entry
	var later *refusal.LaterError
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: haunt.Move}, ""); !errors.As(err,
		&later) || len(later.Later) != 1 || later.Later[0].Seq != rest.Seq {
		t.Errorf("it's cancelled beneath a rest: %v", err)
	}
	d.undo(rest.Seq)
	same(t, "as before the rest", before, text(t, d.view(d.gm).Characters))

	rest = d.make(d.anna, request.Move{Move: "rest", Character: d.hero}).Entry
	d.answerOf(d.other)
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(haunt.Seq)}, ""); !errors.As(err,
		&later) {
		t.Errorf("it's undone beneath a rest: %v", err)
	}
	d.undo(rest.Seq)
	d.undo(haunt.Seq)
	if got := sheet[Hero](d, d.hero); got.Luck != 3 || got.Hurt != 0 {
		t.Errorf("after both: %+v", got)
	}

	again := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`)}).Entry
	d.answerOf(d.hero)
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: again.Move}, ""); err != nil {
		t.Errorf("nothing stands on it: %v", err)
	}
	same(t, "after the cancelled one", 0, sheet[Hero](d, d.hero).Hurt)
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// A secret move releases nobody: it's cancelled instead.
func TestSecretMoveIsCancelledInsteadOfReleasing(t *testing.T) {
	d, secret := haunted(t)
	d.answerOf(d.hero)
	if _, err := d.gm.Make(t.Context(), request.Move{Move: "rest", Character: d.hero}); code(err) != refusal.CodeBusy {
		t.Errorf("the GM acts with who is in it: %v", err)
	}
	rest := d.make(d.anna, request.Move{Move: "rest", Character: d.hero}).Entry
	same(t, "what it had done", 0, sheet[Hero](d, d.hero).Hurt)
	same(t, "what gave way", []string{secret}, d.find(d.gm, rest.Seq).Yields)
}

// The released characters in a log are checked by the rules; a log of older rules, which released
// nobody, is still valid.
func TestReleasedCharactersInALogAreVerified(t *testing.T) {
	d, _ := parted(t)
	d.answerOf(d.other)
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	entries := d.stored()
	at := -1
	for i, e := range entries {
		var b map[string]any
		if err := json.Unmarshal(e.Body, &b); err != nil {
			t.Fatal(err)
		}
		if b["letGo"] != nil {
			same(t, "its version", any(3.0), b["v"])
			at = i
		}
	}
	if at < 0 {
		t.Fatal("no entry lets go of anybody")
	}
	for what, c := range map[string]struct {
		v    int
		gone []string
		fits bool
	}{
		"as it was":          {3, []string{d.hero}, true},
		"by older rules":     {1, nil, true},
		"of another":         {3, []string{d.other}, false},
		"of who isn't in it": {3, []string{d.shade}, false},
		"twice":              {3, []string{d.hero, d.hero}, false},
		"in an older body":   {1, []string{d.hero}, false},
	} {
		forged := d.stored()
		var b map[string]any
		if err := json.Unmarshal(forged[at].Body, &b); err != nil {
			t.Fatal(err)
		}
		b["v"], b["letGo"] = c.v, c.gone
		if c.gone == nil {
			delete(b, "letGo")
		}
		forged[at].Body = raw(plain(t, b))
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(forged))); (err == nil) != c.fits {
			t.Errorf("%s: %v", what, err)
		}
	}
}
