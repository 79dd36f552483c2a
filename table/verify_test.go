package table_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

var toys = []*game.Game{toy}

// stored returns the table's entries from the journal.
func (d *desk) stored() []journal.Entry {
	d.t.Helper()
	stored, err := d.journal.Read(d.t.Context(), d.id, 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	return slices.Clone(stored)
}

// file returns entries in the format of an export, whatever they contain.
func (d *desk) file(entries []journal.Entry) []byte {
	d.t.Helper()
	return d.fileOf(d.id, entries)
}

// fileOf is file for a table with another id.
func (d *desk) fileOf(id string, entries []journal.Entry) []byte {
	d.t.Helper()
	var b bytes.Buffer
	w, err := archive.NewWriter(&b,
		archive.Header{Table: id, Game: "toy", Name: "Tuesday", Entries: len(entries), Exported: time.Unix(0, 0)})
	if err != nil {
		d.t.Fatal(err)
	}
	for i, e := range entries {
		e.Table, e.Seq = id, uint64(i+1)
		if err := w.Write(e); err != nil {
			d.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		d.t.Fatal(err)
	}
	return b.Bytes()
}

// export returns the GM's export.
func (d *desk) export() []byte {
	d.t.Helper()
	var b bytes.Buffer
	if err := d.gm.Export(d.t.Context(), &b); err != nil {
		d.t.Fatal(err)
	}
	return b.Bytes()
}

// played returns a desk where a bit of everything has happened, in two sessions of which the first
// is opened: a share, strikes with norn's dice up to one that hits and its answers, a strike with
// typed dice that misses, a secret omen, a change and its undo, the end of the session and a swap
// in the second.
func played(t testing.TB) *desk {
	d := newDesk(t)
	d.share(d.anna, "a share")
	nonce := 0
	var made view.Made
	for made = d.strike(nonce); len(made.Open)+len(made.Waiting) == 0; made = d.strike(nonce) {
		if nonce++; nonce > 20 {
			t.Fatal("the hero never hits")
		}
	}
	for {
		open := d.view(d.gm).Questions
		if len(open) == 0 {
			break
		}
		answer := `{"dodge":true}`
		if open[0].Question == "toy.weight" {
			answer = `{"n":2,"note":"SECRET note"}`
		}
		d.answer(d.gm, open[0].ID, answer)
	}
	d.make(d.boris, request.Move{
		Move: "strike", Character: d.other, Args: raw(`{"target":"` + d.hero + `"}`),
		Dice: []int{1, 2},
	})
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	e := d.change(d.anna, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)}, "k")
	d.undo(e.Seq)
	d.endSession()
	d.make(d.anna, request.Move{Move: "swap", Character: d.hero, Nonce: "n"})
	return d
}

func (d *desk) strike(nonce int) view.Made {
	d.t.Helper()
	return d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":3}`),
		Nonce: "nonce " + strconv.Itoa(nonce),
	})
}

func TestExportedLogVerifies(t *testing.T) {
	d := played(t)
	got, err := verify.File(toys, words, bytes.NewReader(d.export()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Entries != len(d.stored()) || got.Moves < 4 || got.Sessions != 2 || got.Hand != 2 || got.Sealed != 3 ||
		got.Dice < 8 {
		t.Errorf("got %+v", got)
	}
	// Once the second session is opened, nothing is sealed.
	d.endSession()
	opened, err := verify.File(toys, words, bytes.NewReader(d.export()))
	if err != nil || opened.Sealed != 0 || opened.Dice != got.Dice+3 {
		t.Errorf("got %+v, %v", opened, err)
	}
}

// Verifying and importing accept the same files.
func TestVerifyRefusesWhatImportRefuses(t *testing.T) {
	d := newDesk(t)
	whole := d.stored()
	d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		ByHand: true,
	}) // stays open
	for name, file := range map[string][]byte{
		"a move open":   d.file(d.stored()),
		"whole":         d.file(whole),
		"no table's id": d.fileOf("Not/an id", whole),
		"a long id":     d.fileOf(strings.Repeat("a", 64), whole),
		"nothing":       nil,
		"half":          d.file(whole)[:500],
	} {
		_, verified := verify.File(toys, words, bytes.NewReader(file))
		_, imported := verify.ReadImport(toys, words, bytes.NewReader(file), true)
		if fmt.Sprint(verified) != fmt.Sprint(imported) {
			t.Errorf("%s: verify says %v, import %v", name, verified, imported)
		}
		if good := name == "whole" || name == "a move open"; (verified == nil) != good {
			t.Errorf("%s: %v", name, verified)
		}
	}
}
