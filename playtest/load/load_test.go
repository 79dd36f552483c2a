package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/journal/postgres/pgtest"
)

// norn is the binary, built once for all tests.
var norn string

func TestMain(m *testing.M) {
	if dir := os.Getenv(bareFolder); dir != "" { // this program is the bare server
		if err := serveBare(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "norn-load-test-")
	if err == nil {
		norn, err = build(dir)
	}
	status := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "building norn:", err)
	} else {
		status = m.Run()
	}
	_ = os.RemoveAll(dir) // in the system's temporary folder at worst
	os.Exit(status)
}

// A short run of each kind on a real norn: every frame arrives once, and all games can be played.
func TestEachKindOfLoadReceivesEveryFrameOnce(t *testing.T) {
	for _, p := range []plan{
		{
			name: "paced", game: "mix", tables: 10, seats: 4, live: 4, rate: 50, callers: 4, time: 2 * time.Second,
			journal: "sqlite", nodes: 1,
		},
		{
			name: "flat", game: "spire", tables: 10, seats: 4, live: 4, callers: 4, time: time.Second, journal: "sqlite",
			nodes: 1,
		},
		{
			name: "paced", game: "mix", tables: 10, seats: 4, live: 4, rate: 50, callers: 4, time: 2 * time.Second,
			journal: "postgres", nodes: 3,
		},
	} {
		t.Run(p.name+" on "+p.journal, func(t *testing.T) {
			r, err := run(norn, p)
			if errors.Is(err, pgtest.ErrMissing) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.made < 50 || len(r.took) != r.made || r.lost+r.repeated > 0 {
				t.Errorf("%d moves, %d of them heard by all, %d frames lost, %d told twice", r.made, len(r.took),
					r.lost, r.repeated)
			}
			if table := markdown([]*result{r}); !strings.Contains(table, "| "+p.game+" | 10 | 40 |") {
				t.Error(table)
			}
		})
	}
}

// Three tables in turn, of two games: the bytes sent to pages are counted, including those that
// their scripts request.
func TestComparisonCountsTheBytesSentToPages(t *testing.T) {
	for _, game := range []string{"mage", "spire"} {
		all, err := scriptsOf(game)
		if err != nil {
			t.Fatal(err)
		}
		c, err := compare(norn, all[0], inTurn)
		// A form's offers seldom change, so it takes more moves until a page requests them.
		for moves := 6 * inTurn; err == nil && game == "spire" && c.costs[2].requests == 0 &&
			moves <= 36*inTurn; moves *= 6 {
			c, err = compare(norn, all[0], moves)
		}
		if err != nil {
			t.Fatal(err)
		}
		nobody, api, pages := c.costs[0], c.costs[1], c.costs[2]
		if nobody.bytes()+api.asked > 0 || api.streamed == 0 || pages.streamed < api.streamed ||
			pages.entries < inTurn {
			t.Errorf("%s:\n%s", game, c.markdown())
		}
		if game == "spire" && pages.requests == 0 {
			t.Error("a sheet changes, and no page asks for its composer again")
		}
	}
}

// The fields of a page's composer are read as a browser sends them.
func TestFieldsAreReadAsABrowserSendsThem(t *testing.T) {
	got := fields(`<form><input type="hidden" name="_a" value="c1"/><select name="d"><option value="1">1<option value="2" selected>2</select>
		<input type="checkbox" name="x" value="on"><input type="checkbox" name="y" value="on" checked><input type="radio" name="z" value="3" checked/><br>
		<textarea name="t"></textarea>&nbsp;<button name="b">go</button></form>`)
	if got.Encode() != "_a=c1&d=2&t=&y=on&z=3" {
		t.Error(got.Encode())
	}
}

// Frames are identified by their seq: a skipped one is lost, a second one is repeated.
func TestLostAndRepeatedFramesAreCounted(t *testing.T) {
	p := &party{heard: []uint64{7, 7}, waiting: map[uint64]*flight{}, log: &tally{}}
	at := time.Now()
	for seq := uint64(8); seq <= 10; seq++ {
		p.waiting[seq] = &flight{at, 2}
	}
	for seat := range 2 {
		p.hear(seat, 8, true, at)
		p.hear(seat, 8, false, at) // who is online
	}
	p.hear(0, 8, true, at)
	p.hear(0, 10, true, at)
	p.hear(1, 9, true, at)
	if p.log.repeated != 1 || p.log.lost != 1 || len(p.log.took) != 2 || p.missing() != 1 {
		t.Errorf("%d repeated, %d lost, %d heard by all, %d missing", p.log.repeated, p.log.lost, len(p.log.took),
			p.missing())
	}
}

// Events are parsed the same however they are split.
func TestEventsAreParsedHoweverTheyAreSplit(t *testing.T) {
	text := "id: 3\nevent: view\ndata: {\"seq\":3}\n\n: quiet\n\nid: 4\nevent: entry\ndata: {\"id\":\"" +
		strings.Repeat("y", 50) + "\"}\n\n" +
		"id: 5\nevent: entry\ndata: {}\n\n"
	const want = "[3 false][4 true][5 true]"
	for size := 1; size <= len(text); size++ {
		got := ""
		e := &ear{hear: func(seq uint64, entry bool, _ time.Time) { got += fmt.Sprint([]any{seq, entry}) }}
		for piece := range slices.Chunk([]byte(text), size) {
			if err := e.take(piece, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("in pieces of %d: %s, want %s", size, got, want)
		}
	}
	if err := (&ear{}).take([]byte("id: four\n"), time.Time{}); err == nil {
		t.Error("an id that is no number was read")
	}
}

func TestYardstickMeasuresNornAndABareServer(t *testing.T) {
	p := plan{
		game: "spire", tables: 4, seats: 4, live: 4, callers: 4, time: rounds * 100 * time.Millisecond,
		journal: "sqlite", nodes: 1,
	}
	m, err := yardstick(norn, p)
	if err != nil {
		t.Fatal(err)
	}
	if m.moves[0] < rounds || m.moves[1] < rounds || len(m.ratios) != rounds ||
		!strings.Contains(m.markdown(), "| spire |") {
		t.Errorf("%+v\n%s", m, m.markdown())
	}
}
