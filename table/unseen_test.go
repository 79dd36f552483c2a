package table_test

import (
	"bytes"
	"testing"

	"norn/table/request"
	"norn/table/verify"
)

// A move only about characters that players don't see is secret; with another character in it, it
// isn't.
func TestMoveOnlyAboutHiddenCharactersIsSecret(t *testing.T) {
	d := newDesk(t)
	hidden := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.shade + `"]}`)}).Entry
	open := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["` + d.hero + `"]}`)}).Entry
	if !hidden.Secret || open.Secret {
		t.Errorf("secret: %t, %t", hidden.Secret, open.Secret)
	}
	for _, e := range d.log(d.anna) {
		if e.Seq == hidden.Seq {
			t.Errorf("a player is told %+v", e)
		}
	}
	d.answerOf(d.shade)
	d.answerOf(d.hero)
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}
