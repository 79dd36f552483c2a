package table_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// A secret move is only for the GM until the GM reveals it; then everybody sees all of it, at its
// place in the log.
func TestSecretMoveIsSeenByAllOnceTheGMShowsIt(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.gm, request.Move{Move: "rest", Character: d.hero, Secret: true})
	log := func() string {
		entries, err := d.anna.Log(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(entries)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if id := made.Entry.Move; !made.Entry.Secret || strings.Contains(log(), `"`+id+`"`) {
		t.Fatalf("%s isn't secret: %s", id, log())
	}
	var forbidden *refusal.ForbiddenError
	if _, err := table.Do(t.Context(), d.anna, act.ShowMove, act.MoveNamed{Move: made.Entry.Move}, ""); !errors.As(err,
		&forbidden) {
		t.Errorf("a player shows a secret: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: made.Entry.Move}, "once"); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: made.Entry.Move}, "once"); err != nil {
		t.Errorf("the same request again: %v", err)
	}
	if got := log(); strings.Count(got, `"move":"`+made.Entry.Move+`"`) < 2 ||
		!strings.Contains(got, `"kind":"shown"`) {
		t.Errorf("what was shown isn't there: %s", got)
	}
	var invalid *refusal.InvalidError
	for _, id := range []string{made.Entry.Move, "m999", ""} {
		if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: id}, ""); !errors.As(err, &invalid) {
			t.Errorf("showing %q, which is no secret: %v", id, err)
		}
	}

	open := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.hero + `"]}`), Secret: true})
	var refused *refusal.RefusedError
	if _, err := table.Do(t.Context(), d.gm, act.ShowMove, act.MoveNamed{Move: open.Entry.Move}, ""); !errors.As(err,
		&refused) {
		t.Errorf("showing a move that is still open: %v", err)
	}
}

// Players know nothing of a secret move, so its questions are for the GM, even those to a player's
// character.
func TestQuestionsOfASecretMoveAreForTheGM(t *testing.T) {
	for _, secret := range []bool{false, true} {
		d := newDesk(t)
		d.make(d.gm, request.Move{
			Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.shade + `"]}`),
			Secret: secret,
		})
		asked := d.view(d.gm).Questions
		if len(asked) != 2 || asked[0].To != d.hero || asked[0].Mine != secret || !asked[1].Mine {
			t.Fatalf("secret %v: the GM is asked %+v", secret, asked)
		}
		if theirs := d.view(d.anna).Questions; (len(theirs) == 0) != secret {
			t.Errorf("secret %v: Anna is asked %+v", secret, theirs)
		}
		_, err := d.anna.Answer(t.Context(), request.Answer{Question: asked[0].ID, Answer: raw(`{"dodge":true}`)})
		if (err != nil) != secret {
			t.Errorf("secret %v: Anna answers: %v", secret, err)
			continue
		}
		for _, q := range d.view(d.gm).Questions {
			d.answer(d.gm, q.ID, `{"dodge":true}`)
		}
		if left := d.view(d.gm); len(left.Questions) != 0 {
			t.Errorf("secret %v: still open: %+v", secret, left.Questions)
		}
	}
}
