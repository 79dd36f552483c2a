package table_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// haunted returns a desk where the GM's secret move holds both heroes.
func haunted(t *testing.T) (d *desk, secret string) {
	d = newDesk(t)
	made := d.make(d.gm, request.Move{
		Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`),
		Secret: true, Nonce: "n",
	})
	return d, made.Entry.Move
}

// A player's request gets the same response whether a secret move holds their character or not:
// that move is cancelled.
func TestSecretMoveIsCancelledForAPlayersRequest(t *testing.T) {
	bold := "Lira the Bold"
	for name, act := range map[string]func(d *desk) (any, error){
		"a move": func(d *desk) (any, error) {
			return d.anna.Make(t.Context(), request.Move{Move: "rest", Character: d.hero, Key: "k"})
		},
		"a move against another": func(d *desk) (any, error) {
			return d.anna.Make(t.Context(),
				request.Move{
					Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
					Dice: []int{6, 1}, Key: "k",
				})
		},
		"a move that the rules refuse": func(d *desk) (any, error) {
			return d.anna.Make(t.Context(),
				request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.hero + `"}`), Key: "k"})
		},
		"a change of the sheet": func(d *desk) (any, error) {
			return table.Do(t.Context(), d.anna, act.ChangeCharacter,
				act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)}, "k")
		},
		"a change of the name": func(d *desk) (any, error) {
			return table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Name: &bold}, "k")
		},
		"a key used twice": func(d *desk) (any, error) {
			if _, err := d.anna.Make(t.Context(), request.Move{Move: "rest", Character: d.hero, Key: "k"}); err != nil {
				return nil, err
			}
			return d.anna.Make(t.Context(), request.Move{Move: "rest", Character: d.hero, Key: "k"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			with, _ := haunted(t)
			without := newDesk(t)
			got, gotErr := act(with)
			want, wantErr := act(without)
			same(t, "the answer", numbers(t, want), numbers(t, got))
			same(t, "the error", code(wantErr), code(gotErr))
			same(t, "the log", numbers(t, without.log(without.anna)), numbers(t, with.log(with.anna)))
			same(t, "the view", numbers(t, without.view(without.anna)), numbers(t, with.view(with.anna)))
			if strings.Contains(text(t, got, with.log(with.anna), with.log(with.guest)), "yield") {
				t.Error("players hear of what gave way")
			}
		})
	}
}

// counted matches numbers of entries and moves, times, and values that depend on them, which differ
// between two tables.
var counted = regexp.MustCompile(`"(seq|time|commitment|id|nonce)":("[^"]*"|\d+)|"m\d+"|#[^"]*"`)

// numbers returns the JSON of a value, without them.
func numbers(t *testing.T, value any) string {
	t.Helper()
	return counted.ReplaceAllString(text(t, value), "_")
}

// GMs see the cancelled move, its changes are undone, and it can be made again. The log verifies,
// but not with a cancelled move that blocked nobody.
func TestGMsSeeCancelledSecretMovesAndTheirUndo(t *testing.T) {
	d, secret := haunted(t)
	d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{}`)
	if sheet[Hero](d, d.hero).Hurt == 0 {
		t.Fatal("nobody is hurt")
	}
	rest := d.make(d.boris, request.Move{Move: "rest", Character: d.other, Key: "k"})
	same(t, "what it had done", 0, sheet[Hero](d, d.hero).Hurt)
	log := d.log(d.gm)
	last := log[len(log)-1]
	same(t, "its seq", rest.Entry.Seq, last.Seq)
	same(t, "what gave way", []string{secret}, last.Yields)
	line := last.Lines[len(last.Lines)-1]
	same(t, "the line", "A secret move gave way to this, and is cancelled: “⟨toy.move.haunt⟩” (no.\u00a0"+
		strings.TrimPrefix(secret, "m")+")", line.Text)
	i := slices.IndexFunc(log, func(e view.Entry) bool { return e.Move == secret })
	if u := log[i].Undone; u == nil || !u.Cancelled || !u.Yielded || u.Seq != last.Seq {
		t.Errorf("the secret move isn't shown as cancelled: %+v", u)
	}
	if q := d.view(d.gm).Questions; len(q) > 0 {
		t.Errorf("its questions are still open: %v", q)
	}
	// a player undoes a change that a secret move depends on
	changed := d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)})
	again := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.hero + `"]}`), Secret: true})
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(changed.Seq)},
		""); code(err) != refusal.CodeLater {
		t.Errorf("the GM knows of it: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.Undo, act.UndoRequest{Seq: int(changed.Seq)}, ""); err != nil {
		t.Error(err)
	}
	log = d.log(d.gm)
	same(t, "what gave way to an undo", []string{again.Entry.Move}, log[len(log)-1].Yields)

	before := text(t, d.log(d.gm), d.view(d.gm))
	d.reopen()
	same(t, "after a restart", before, text(t, d.log(d.gm), d.view(d.gm)))
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func(b map[string]any){
		"to nobody":                          func(b map[string]any) { b["yields"] = []string{secret, secret} },
		"an open secret move is walked over": func(b map[string]any) { delete(b, "yields") },
	} {
		entries := d.stored()
		var b map[string]any
		if err := json.Unmarshal(entries[last.Seq-1].Body, &b); err != nil {
			t.Fatal(err)
		}
		change(b)
		entries[last.Seq-1].Body = raw(plain(t, b))
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); err == nil {
			t.Errorf("%s: it's taken", what)
		}
	}
}
