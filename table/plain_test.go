package table_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

func notation(notation, nonce string) request.Move {
	return request.Move{Move: game.PlainDice, Args: raw(`{"notation":"` + notation + `"}`), Nonce: nonce}
}

// Plain dice can be rolled at every table, are visible to all whatever the game hides, and are
// derived like any others.
func TestPlainDiceRollAtEveryTableAndAreSeenByAll(t *testing.T) {
	d := newDesk(t)
	thrown := d.make(d.anna, notation("4d6kh3+2", "anna")).Entry
	if !thrown.Done || len(thrown.Throws) != 1 || thrown.Outcome == nil || thrown.Outcome.ID != "total" ||
		thrown.Luck != nil {
		t.Fatalf("thrown %+v", thrown)
	}
	total := 2
	for i, face := range thrown.Throws[0].Faces {
		switch thrown.Throws[0].Marks[i] {
		case game.Deciding:
			total += face
		case game.Cancelled:
		default:
			t.Errorf("%d is neither kept nor dropped", face)
		}
	}
	if *thrown.Outcome.N != total || thrown.Check == nil || thrown.Character != "" {
		t.Errorf("%d of %v, want %d; %+v", *thrown.Outcome.N, thrown.Throws[0], total, thrown.Check)
	}
	secret := notation("d20", "gm")
	secret.Secret = true
	hidden := d.make(d.gm, secret).Entry
	for name, seat := range map[string]*table.Seat{"anna": d.anna, "guest": d.guest} {
		log := d.log(seat)
		if !slices.ContainsFunc(log, func(e view.Entry) bool { return e.Seq == thrown.Seq && len(e.Throws) == 1 }) {
			t.Errorf("%s doesn't see what was thrown", name)
		}
		if slices.ContainsFunc(log, func(e view.Entry) bool { return e.Seq == hidden.Seq }) {
			t.Errorf("%s sees a secret throw", name)
		}
	}
	d.endSession()
	e := d.find(d.boris, thrown.Seq)
	seal, err := dice.ParseSecret(e.Check.Secret)
	if err != nil {
		t.Fatal(err)
	}
	faces := dice.NewStream(dice.Key(seal, e.Check.Shares, e.Check.Table, e.Check.Move, e.Check.Nonce,
		e.Throws[0].Place))
	for _, face := range e.Throws[0].Faces {
		if want := faces.Face(6); face != want {
			t.Errorf("%d lies where %d follows", face, want)
		}
	}
	if found, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil || found.Moves != 2 ||
		found.Dice != 5 {
		t.Errorf("verified %+v, %v", found, err)
	}
	var story strings.Builder
	if err := d.gm.Story(t.Context(), &story, request.Telling{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(story.String(), "4d6kh3+2") || strings.Contains(story.String(), "d20") {
		t.Errorf("the story tells %s", story.String())
	}
	d.undo(thrown.Seq)
	if e := d.find(d.boris, thrown.Seq); e.Undone == nil {
		t.Error("plain dice can't be undone")
	}
	for _, m := range d.view(d.anna).Moves {
		if m.ID == game.PlainDice {
			t.Error("plain dice are listed among the game's moves")
		}
	}
}

func TestInvalidPlainDiceAreRefused(t *testing.T) {
	d := newDesk(t)
	secret := notation("d6", "")
	secret.Secret = true
	acting := notation("d6", "")
	acting.Character = d.hero
	for name, each := range map[string]struct {
		seat    *table.Seat
		request request.Move
		want    string
		problem form.Problem
	}{
		"of a spectator":      {d.guest, notation("d6", ""), refusal.CodeForbidden, form.Problem{}},
		"in secret, a player": {d.anna, secret, refusal.CodeForbidden, form.Problem{}},
		"of a hero": {
			d.anna, acting, refusal.CodeInvalid,
			form.Problem{Path: "character", Code: form.NoChoice, Given: d.hero},
		},
		"nonsense": {
			d.anna, notation("3dd", ""), refusal.CodeInvalid,
			form.Problem{Path: "args.notation", Code: form.Syntax, Given: "3dd"},
		},
		"too many": {
			d.anna, notation("1001d6", ""), refusal.CodeInvalid,
			form.Problem{Path: "args.notation", Code: form.Range, Min: 1, Max: 1000, Given: "1001d6"},
		},
		"nothing": {
			d.anna, notation("", ""), refusal.CodeInvalid,
			form.Problem{Path: "args.notation", Code: form.Missing},
		},
	} {
		_, err := each.seat.Make(t.Context(), each.request)
		var refused refusal.Error
		if !errors.As(err, &refused) || refused.Code() != each.want {
			t.Errorf("%s: %v, want %s", name, err, each.want)
			continue
		}
		var invalid *refusal.InvalidError
		if errors.As(err, &invalid) &&
			(invalid.Problems[0].Path != each.problem.Path || invalid.Problems[0].Code != each.problem.Code ||
				invalid.Problems[0].Max != each.problem.Max) {
			t.Errorf("%s: %+v, want %+v", name, invalid.Problems[0], each.problem)
		}
	}
}

// The total of dice thrown by hand is enough for a sum: by a move and by an answer. It's shown as a
// total, and files with it verify.
func TestTypedTotalIsEnoughForASum(t *testing.T) {
	d := newDesk(t)
	total, _ := dice.ParseTotal("=9")
	typed := notation("2d6+3", "")
	typed.Dice = []int{total}
	thrown := d.make(d.anna, typed).Entry
	if *thrown.Outcome.N != 12 || !thrown.Throws[0].Total || thrown.Throws[0].Rule().TotalText() != "Σ 9" {
		t.Errorf("thrown %+v", thrown.Throws)
	}
	asked := notation("2d6+3", "")
	asked.ByHand = true
	q := d.make(d.gm, asked).Open[0]
	if !strings.HasSuffix(q.Text, "The total is enough, too: =7") {
		t.Errorf("asked is %q", q.Text)
	}
	if got := d.answer(d.gm, q.ID, `{"faces":["=4"]}`).Entry; *got.Outcome.N != 7 || !got.Throws[0].Total {
		t.Errorf("answered %+v", got.Throws)
	}
	typed.Args = raw(`{"notation":"4d6kh3"}`)
	var refused *refusal.RefusedError
	if _, err := d.anna.Make(t.Context(), typed); !errors.As(err, &refused) ||
		!strings.Contains(refused.Error(), "faces-needed") {
		t.Errorf("where each die counts: %v", err)
	}
	typed.Args = raw(`{"notation":"8d6"}`)
	var invalid *refusal.InvalidError
	if _, err := d.anna.Make(t.Context(), typed); err != nil || errors.As(err, &invalid) {
		t.Errorf("9 of 8d6: %v", err)
	}
	typed.Args = raw(`{"notation":"1d6"}`)
	if _, err := d.anna.Make(t.Context(), typed); !errors.As(err, &invalid) || invalid.Problems[0].Path != "dice.0" ||
		invalid.Problems[0].Max != 6 {
		t.Errorf("9 of a die: %v", err)
	}
	before := text(t, d.log(d.gm))
	d.reopen()
	same(t, "the log after a restart", before, text(t, d.log(d.gm)))
	d.endSession()
	for name, file := range map[string][]byte{"the table": d.export(), "a seat": d.seen(d.boris)} {
		if found, err := verify.File(toys, words, bytes.NewReader(file)); err != nil || found.Hand != 12 {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}
