package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/journal"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// object is JSON.
type object = map[string]any

// note is the body of a note's entry.
func note() object {
	return object{
		"v": 1, "kind": "note", "rules": "test", "secret": true, "done": true,
		"events": []any{object{"n": 0, "type": "table.note-kept", "v": 1, "data": object{"id": "n9", "text": "x"}}},
	}
}

// move is the body of a finished move's entry.
func move() object {
	return object{
		"v": 1, "kind": "move", "rules": "test", "done": true, "outcome": object{"id": "rested", "n": 0},
		"opening": object{"move": "rest", "actor": "c1", "cast": []string{"c1"}, "args": object{"n": 1}},
		"events":  []any{object{"n": 0, "type": "toy.rested", "v": 1, "data": object{"who": "c1", "n": 1}}},
	}
}

// entry returns the next entry of a table with a body.
func entry(t *testing.T, tb *tabletest.Table, body object) journal.Entry {
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return journal.Entry{Table: tb.ID, Seq: tb.Seq + 1, Seat: tabletest.GM, Move: state.MoveID(tb.Seq + 1), Body: data}
}

func TestDecodeRefusesUnknownOrInvalidEntries(t *testing.T) {
	tb := tabletest.New(t)
	tb.Strike(t)
	if _, err := tb.Decode(entry(t, tb, note()), nil); err != nil {
		t.Fatalf("a note: %v", err)
	}
	if r, err := tb.Decode(entry(t, tb, move()), nil); err != nil || r.Of.Def.ID != "rest" || r.Of.Actor != "c1" {
		t.Fatalf("a move: %v", err)
	}
	with := func(body object, name string, value any) object {
		body[name] = value
		return body
	}
	event := func(name string, value any) object {
		body := note()
		body["events"].([]any)[0].(object)[name] = value
		return body
	}
	opening := func(name string, value any) object {
		body := move()
		body["opening"].(object)[name] = value
		return body
	}
	two := note()
	two["events"] = append(two["events"].([]any), object{"n": 1, "type": "table.note-kept", "v": 1, "data": object{}})
	for name, body := range map[string]object{
		"a later version":                   with(note(), "v", state.BodyVersion+1),
		"no version":                        with(note(), "v", 0),
		"an unknown kind":                   with(note(), "kind", "poem"),
		"another kind's event":              with(note(), "kind", "talk"),
		"an unknown event":                  event("type", "table.poem"),
		"an event of a later version":       event("v", 2),
		"an event of the game in an act":    event("type", "toy.rested"),
		"an event of a part":                event("part", "1.0"),
		"an event at another place":         event("n", 1),
		"data of another type":              event("data", object{"text": 5}),
		"two events":                        two,
		"no events":                         with(note(), "events", nil),
		"a note that isn't done":            with(note(), "done", false),
		"a note with an opening":            with(note(), "opening", object{"move": "rest", "args": object{}}),
		"a note with an outcome":            with(note(), "outcome", object{"id": "hit"}),
		"a note with an answer":             with(note(), "answers", "#0"),
		"a note with a question":            with(note(), "asks", []any{object{"place": "#0"}}),
		"a note with dice":                  with(note(), "steps", []any{object{"dice": object{"sides": 6}}}),
		"a note with luck":                  with(note(), "luck", "1/2 0 1/2"),
		"a note that cancels a move":        with(note(), "yields", []string{"m8"}),
		"a note that releases somebody":     with(note(), "letGo", []string{"c1"}),
		"a note of a trusted text":          with(note(), "trusted", true),
		"a note that seals dice again":      with(note(), "reseals", true),
		"an unknown edition":                with(note(), "edition", "7"),
		"the first edition, stored":         with(note(), "edition", "1"),
		"a second opening of the table":     with(note(), "kind", "opened"),
		"a move without an opening":         with(move(), "opening", nil),
		"an unknown move":                   opening("move", "dance"),
		"arguments of another type":         opening("args", object{"n": "many"}),
		"a move that cancels a public move": with(move(), "yields", []string{"m8"}),
		"a move that cancels no move":       with(move(), "yields", []string{"m99"}),
		"a finished move that releases":     with(move(), "letGo", []string{"c1"}),
		"a move with unreadable luck":       with(move(), "luck", "good"),
		"an answer to no open move":         with(move(), "kind", "answer"),
	} {
		if r, err := tb.Decode(entry(t, tb, body), nil); err == nil {
			t.Errorf("%s: decoded as %+v", name, r)
		}
	}
	if _, err := tb.Decode(journal.Entry{Body: []byte("{")}, nil); err == nil {
		t.Error("half an entry is decoded")
	}
	empty := ledger.New(tb.ID, []*game.Game{tabletest.Toy}, act.Vocabulary)
	if _, err := empty.Decode(entry(t, tb, note()), nil); err == nil {
		t.Error("a note opens a table")
	}
	none := ledger.New(tb.ID, nil, act.Vocabulary)
	if _, err := none.Decode(tb.Entries[0], nil); err == nil || !strings.Contains(err.Error(), "is not known") {
		t.Errorf("a table of an unknown game: %v", err)
	}
}

// A node needn't decode what it wrote, except what came from clients: answers, sheets, texts.
func TestDraftIsTheSameAsItsDecodedEntry(t *testing.T) {
	steps := func(s ...rule.Step) state.EntryBody { return state.EntryBody{Kind: view.KindAnswer, Steps: s} }
	roll := rule.Step{Dice: &rule.Throw{Sides: 6, Faces: []int{1}}}
	for name, c := range map[string]struct {
		body state.EntryBody
		want bool
	}{
		"a move":              {state.EntryBody{Kind: view.KindMove}, true},
		"faces":               {steps(roll), true},
		"an answer":           {steps(rule.Step{Answer: &rule.Answer{}}, roll), false},
		"a change of a sheet": {state.EntryBody{Kind: view.KindCharacter}, false},
		"a message":           {state.EntryBody{Kind: view.KindTalk}, false},
	} {
		d := &ledger.Draft{Content: c.body}
		if got := d.AsRead(); (got == d) != c.want || !c.want && got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	tb := tabletest.New(t)
	d, _, err := act.Make(tb.Eye(tabletest.Anna), request.Move{
		Move: "strike", Character: "c1", Args: []byte(`{"target":"c2"}`), Dice: []int{6, 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Content.Sign(tb.Edition, "test")
	data, err := json.Marshal(d.Content)
	if err != nil {
		t.Fatal(err)
	}
	e := journal.Entry{Seq: tb.Seq + 1, Seat: tabletest.Anna, Move: d.Move, Body: data}
	read, err := tb.Decode(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	drafted, err := tb.Decode(e, d.AsRead())
	if err != nil {
		t.Fatal(err)
	}
	if want, got := string(state.JSON(read.EntryBody)), string(state.JSON(drafted.EntryBody)); got != want ||
		!reflect.DeepEqual(drafted.Decoded, read.Decoded) || !reflect.DeepEqual(drafted.Args, read.Args) {
		t.Errorf("read\n%s\ndrafted\n%s", want, got)
	}
}

// says lets the game master say something n times.
func says(t *testing.T, tb *tabletest.Table, n int) {
	t.Helper()
	for i := range n {
		tabletest.Do(t, tb, tabletest.GM, act.Talk, act.TalkRequest{Text: fmt.Sprint("word ", i)})
	}
}

func seqs(records []*state.Record) (all []uint64) {
	for _, r := range records {
		all = append(all, r.Seq)
	}
	return all
}

// upTo returns the numbers from a first to a last one.
func upTo(first, last uint64) (all []uint64) {
	for n := first; n <= last; n++ {
		all = append(all, n)
	}
	return all
}

func TestLedgerKeepsOnlyTheNewestRecords(t *testing.T) {
	tb := tabletest.New(t)
	type before struct {
		b    ledger.Ledger
		seqs []uint64
	}
	var all []before
	for range 100 {
		says(t, tb, 1)
		all = append(all, before{tb.Ledger, seqs(tb.Recent)})
	}
	for _, was := range all {
		n := uint64(len(was.seqs))
		if n < min(was.b.Seq, ledger.FewestRecent) || n > 32 ||
			!slices.Equal(was.seqs, upTo(was.b.Seq+1-n, was.b.Seq)) {
			t.Errorf("after entry %d there are %v", was.b.Seq, was.seqs)
		}
		if now := seqs(was.b.Recent); !slices.Equal(now, was.seqs) {
			t.Errorf("entry %d: %v became %v", was.b.Seq, was.seqs, now)
		}
	}
}

func TestRecordIsFoundOnlyByItsSeatsKey(t *testing.T) {
	keyed := func(seq uint64, seat, key string) *state.Record {
		return &state.Record{Entry: journal.Entry{Seq: seq, Seat: seat, Key: key}}
	}
	recent := []*state.Record{keyed(1, "s1", "a"), keyed(2, "s2", "a"), keyed(3, "s2", "")}
	for _, c := range []struct {
		seat, key string
		want      uint64
	}{{"s1", "a", 1}, {"s2", "a", 2}, {"s2", "b", 0}, {"s2", "", 0}, {"", "a", 0}} {
		var got uint64
		if r := ledger.RecordOfKey(recent, c.seat, c.key); r != nil {
			got = r.Seq
		}
		if got != c.want {
			t.Errorf("key %q of %q: entry %d", c.key, c.seat, got)
		}
	}
}

// Large entries are read a few at once, others up to PageOf.
func TestNextPageIsSmallerAfterLargeEntries(t *testing.T) {
	page := func(bytes int) []journal.Entry { return []journal.Entry{{Body: make([]byte, bytes)}} }
	for _, c := range []struct {
		bytes      int
		most, want uint64
	}{
		{100, 1, 2}, {100, 128, 256}, {100, 256, 256}, {2 << 20, 256, 256}, {2<<20 + 1, 256, 2 << 20 / journal.MaxBody},
	} {
		if got := ledger.NextPage(page(c.bytes), c.most); got != c.want {
			t.Errorf("after %d bytes by %d: %d", c.bytes, c.most, got)
		}
	}
}

func TestFoldReadsPagesAndStopsAtBadEntries(t *testing.T) {
	tb := tabletest.New(t)
	says(t, tb, 600)
	var read []string
	fold := func(b ledger.Ledger, fails uint64) (ledger.Ledger, error) {
		return b.FoldOn(func(after uint64, most int) ([]journal.Entry, error) {
			read = append(read, fmt.Sprint(after, " ", most))
			if after >= fails {
				return nil, errors.New("the disk is gone")
			}
			return tb.Entries.Read(t.Context(), tb.ID, after, most)
		})
	}
	games := []*game.Game{tabletest.Toy}
	b, err := fold(ledger.New(tb.ID, games, act.Vocabulary), 1<<20)
	if err != nil || b.Seq != tb.Seq || strings.Join(read, ", ") != "0 256, 256 256, 512 256" {
		t.Errorf("folded to %d by %q, %v", b.Seq, read, err)
	}
	b, err = fold(ledger.New(tb.ID, games, act.Vocabulary), 256)
	if b.Seq != 256 || !errors.As(err, new(*refusal.UnavailableError)) {
		t.Errorf("where the journal fails: %d, %v", b.Seq, err)
	}
	tb.Entries[299].Body = []byte(`{}`)
	b, err = fold(ledger.New(tb.ID, games, act.Vocabulary), 1<<20)
	var unreadable *refusal.UnreadableError
	if b.Seq != 299 || !errors.As(err, &unreadable) || unreadable.Seq != 300 || unreadable.Table != tb.ID {
		t.Errorf("with a damaged entry: %d, %v", b.Seq, err)
	}
}

// Older norns undid what this one no longer remembers: then it folds again and remembers all.
func TestUndoOfAForgottenEntryFoldsTheWholeLog(t *testing.T) {
	tb := tabletest.New(t)
	edit := func(n int) *state.Record {
		return tabletest.Do(t, tb, tabletest.GM, act.ChangeCharacter,
			act.ChangeRequest{ID: "c1", Sheet: []byte(fmt.Sprintf(`{"luck":%d}`, n))})
	}
	first := edit(1)
	for i := range view.MostTouches + 1 {
		tabletest.Do(t, tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(edit(2 + i%2).Seq)})
	}
	for i := range view.MostTouches + 1 {
		edit(2 + i%2)
	}
	tb.Entries = append(tb.Entries, journal.Entry{
		Table: tb.ID, Seq: tb.Seq + 1, Seat: tabletest.GM,
		Body: []byte(fmt.Sprintf(`{"v":1,"kind":"undone","rules":"test",`+
			`"done":true,"events":[{"n":0,"type":"table.change-undone","v":1,"data":{"seq":%d}}]}`, first.Seq)),
	})
	if tb.Remembers(first) {
		t.Fatal("the first edit is still remembered")
	}
	b := ledger.New(tb.ID, []*game.Game{tabletest.Toy}, act.Vocabulary).WithLookback(t.Context(), &tb.Entries)
	b, err := b.FoldOn(func(after uint64, most int) ([]journal.Entry, error) {
		return tb.Entries.Read(t.Context(), tb.ID, after, most)
	})
	if err != nil || b.Seq != tb.Seq+1 || b.WholeBefore != b.Seq || b.Undone.By(first.Seq) != b.Seq {
		t.Errorf("folded to %d of %d, all remembered before %d: %v", b.Seq, tb.Seq+1, b.WholeBefore, err)
	}
}

// failing is a journal that loses entries or can't be read.
type failing struct {
	ledger.InMemory
	err error
}

func (f *failing) Read(context.Context, string, uint64, int) ([]journal.Entry, error) {
	return nil, f.err
}

func (f *failing) ReadMove(context.Context, string, string) ([]journal.Entry, error) {
	return nil, f.err
}
