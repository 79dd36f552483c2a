package tables

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/games"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table/request"
)

// anEntry is an entry that any table may have after its first.
var anEntry = json.RawMessage(`{"v":1,"kind":"talk","rules":"test","done":true,"events":[{"n":0,"type":"table.talk-said","v":1,"data":{"text":"Well?"}}]}`)

// written is a journal that others write to while it is read, and that becomes unavailable after
// some reads.
type written struct {
	journal.Journal
	left int
	busy journal.Head
}

func (w *written) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	if w.left--; w.left < 0 {
		return nil, &journal.UnavailableError{Err: errors.New("the line broke")}
	}
	entries, err := w.Journal.Read(ctx, table, after, limit)
	if w.busy.Table != "" {
		_, refused := w.Append(ctx, w.busy.Table, w.busy.Seq, journal.Entry{Time: time.Unix(9, 0), Body: anEntry})
		err, w.busy = errors.Join(err, refused), journal.Head{}
	}
	return entries, err
}

// A move reports a table that somebody writes to meanwhile. A source that becomes unavailable ends
// the move at once, with complete tables only.
func TestMoveReportsTablesThatChangeAndLostSources(t *testing.T) {
	norn, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{
		Wired: norn, Speaker: norn.Words.In(lang.En), Out: cli.NewScreen(io.Discard, nil),
		Err: cli.NewScreen(io.Discard, nil),
	}
	here, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	host, closeIt := storage.OpenHost(p, here, nil)
	defer closeIt()
	for range 5 {
		if _, err := host.Create(t.Context(),
			request.NewTable{Game: norn.Games[0].ID, Name: "Three bells", Lang: lang.En}); err != nil {
			t.Fatal(err)
		}
	}
	heads, err := here.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	move := func(source journal.Journal) (problems []string, arrived []journal.Head) {
		t.Helper()
		target, err := sqlite.Open(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		problems = moveTables(t.Context(), p, &end{source, "here"}, &storage.Store{Journal: target}, heads, true)
		if arrived, err = target.Tables(t.Context()); err != nil {
			t.Fatal(err)
		}
		return problems, arrived
	}
	problems, arrived := move(&written{Journal: here, left: 2})
	if want := "table " + heads[2].Table + ": broke off: the line broke; tables after it that were not tried: " +
		strconv.Itoa(len(heads)-3); len(problems) != 1 || !strings.HasSuffix(problems[0], want) {
		t.Errorf("it says %q, want %q", problems, want)
	}
	if !slices.Equal(arrived, heads[:2]) {
		t.Errorf("%v arrived", arrived)
	}
	problems, arrived = move(&written{Journal: here, left: 100, busy: heads[0]})
	if want := "table " + heads[0].Table +
		" was written to in here while it was copied: stop the nodes that serve it there"; len(problems) != 1 ||
		problems[0] != want {
		t.Errorf("it says %q, want %q", problems, want)
	}
	if !slices.Equal(arrived, heads) {
		t.Errorf("%v arrived", arrived)
	}
}
