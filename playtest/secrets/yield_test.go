package secrets

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/wait"
	"norn/table/view"
)

// A player whose character is held by a game master's secret move is sent the same bytes as one
// whose character isn't: every answer of the API and the pages, and every event of both streams
// (docs/adr/0025-cancel-secret-moves-that-block-players.md). In the twin the secret move holds another character, so
// that both tables have the same number of entries.
func TestPlayerHeldByASecretMoveReceivesTheSameBytes(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			held, free := newTwin(t, g), newTwin(t, g)
			if held.id != free.id || held.own != free.own {
				t.Fatal("the twins differ before anything happened")
			}
			behind := held.waits(t)
			acts, ways := 12, 6
			if testing.Short() {
				acts, ways = 6, 2
			}
			for n := range acts {
				behind[0].by, behind[1].by = held.own, free.other
				held.hides(t, behind[0])
				free.hides(t, behind[1])
				seed := uint64(n)
				compare(t, fmt.Sprintf("act %d", n), held.acts(t, seed), free.acts(t, seed))
				held.ends(t)
				free.ends(t)
				compare(t, fmt.Sprintf("streams of act %d", n), held.streamed(t), free.streamed(t))
			}
			if held.gaveWay < ways || held.gaveWay <= free.gaveWay {
				t.Errorf("of %d secret moves %d gave way, and %d of the twin's", acts, held.gaveWay, free.gaveWay)
			}
		})
	}
}

// formUsual says in an event that the untouched move form isn't what it was. A busy server has no time
// to look, and says it of any.
const formUsual = " data-usual"

// compare compares two lists of sent data, byte for byte, except whether the untouched form is
// what it was.
func compare(t *testing.T, what string, held, free []string) {
	t.Helper()
	if len(held) != len(free) {
		t.Fatalf("%s: %d answers, and %d to the twin", what, len(held), len(free))
	}
	for i := range held {
		l, r := held[i], free[i]
		l, r = strings.ReplaceAll(l, formUsual, ""), strings.ReplaceAll(r, formUsual, "")
		if l == r {
			continue
		}
		at := 0
		for at < min(len(l), len(r)) && l[at] == r[at] {
			at++
		}
		t.Errorf("%s, %d: these are told apart:\n%.400s\nand:\n%.400s", what, i, l[max(0, at-200):], r[max(0, at-200):])
	}
}

// twin is a table where anna owns the character own. Nobody owns other, which is of the same kind.
type twin struct {
	*world
	id, own, other string
	heard          []*heard
	secret         string // the open secret move, "" for none
	gaveWay        int
}

func newTwin(t *testing.T, g *game.Game) *twin {
	w := newWorld(t, g, 1)
	tw := &twin{world: w, id: w.guests["gm"].table}
	now, err := w.guests["gm"].seat.View(t.Context())
	must(t, err)
	for _, c := range now.Characters {
		kind, _ := g.Kind(c.Kind)
		switch {
		case !kind.Player:
		case c.Owner != "" && tw.own == "":
			tw.own = c.ID
		case c.Owner == "" && tw.other == "":
			tw.other = c.ID
		}
	}
	if tw.own == "" || tw.other == "" {
		t.Fatal("nobody to be held")
	}
	for _, name := range []string{"anna", "watcher"} {
		a := w.guests[name]
		tw.heard = append(tw.heard,
			a.hear(t, "/api/v1/tables/"+tw.id+"/live?after=0", http.DefaultClient),
			a.hear(t, "/t/"+tw.id+"/live", a.pages))
	}
	tw.streamed(t)
	return tw
}

// behindTheScreen is a secret move of a game master with real dice, so that it stays open.
type behindTheScreen struct {
	move, by string
	args     map[string]any
}

// waits finds such a move, twice the same, that holds only its own character and has changed
// nothing yet that players see.
func (tw *twin) waits(t *testing.T) [2]behindTheScreen {
	gm := tw.guests["gm"]
	now, err := gm.seat.View(t.Context())
	must(t, err)
	m := maker{Rand: rand.New(rand.NewPCG(7, 7)), text: func() string { return "words" }}
	for _, shown := range now.Moves {
		if !slices.Contains(shown.Characters, tw.own) || !slices.Contains(shown.Characters, tw.other) {
			continue
		}
		f, err := gm.seat.MoveForm(t.Context(), shown.ID, tw.own)
		must(t, err)
		alone := slices.DeleteFunc(slices.Clone(f.Fields), func(f form.Field) bool {
			return f.Kind == form.KindRef || f.Kind == form.KindRefs
		})
		probe := newWorld(t, gameOf(t, now.Game), 1) // a table of its own, so that the twins stay the same
		sees := func() string { return string(probe.guests["anna"].api("GET", "", nil).body) }
		for range 20 {
			before := sees()
			try := behindTheScreen{move: shown.ID, args: m.fill(alone)}
			waits := func(by string) bool {
				got := probe.guests["gm"].api("POST", "/moves",
					map[string]any{"move": try.move, "character": by, "args": try.args, "secret": true, "byHand": true})
				return got.status == http.StatusAccepted
			}
			switch own, other := waits(tw.own), waits(tw.other); {
			case own && other && sees() == before:
				return [2]behindTheScreen{try, try}
			case own || other:
				probe = newWorld(t, gameOf(t, now.Game), 1)
			}
		}
	}
	t.Fatal("no move waits")
	return [2]behindTheScreen{}
}

func gameOf(t *testing.T, id string) *game.Game {
	g, ok := game.Find(games.All(), id)
	if !ok {
		t.Fatalf("no game %s", id)
	}
	return g
}

// hides begins a secret move that stays open.
func (tw *twin) hides(t *testing.T, m behindTheScreen) {
	got := tw.guests["gm"].api("POST", "/moves",
		map[string]any{"move": m.move, "character": m.by, "args": m.args, "secret": true, "byHand": true, "nonce": "n"})
	if got.status != http.StatusAccepted {
		t.Fatalf("%s by %s: %d %s", m.move, m.by, got.status, got.body)
	}
	var made view.Entry
	must(t, json.Unmarshal(got.body, &made))
	tw.secret = made.Move
	tw.settles(t)
}

// ends writes one entry that players don't see: the secret move's end, or something else if it was
// cancelled. It cancels other open moves.
func (tw *twin) ends(t *testing.T) {
	gm := tw.guests["gm"]
	now, err := gm.seat.View(t.Context())
	must(t, err)
	open := map[string]bool{}
	for _, q := range now.Questions {
		open[q.Move] = true
	}
	if open[tw.secret] {
		tw.taken(t, gm.api("POST", "/cancel", map[string]any{"move": tw.secret, "key": "end " + tw.secret}))
	} else {
		tw.gaveWay++
		tw.taken(t, gm.api("POST", "/talk",
			map[string]any{"text": "to myself", "secret": true, "key": "end " + tw.secret}))
	}
	delete(open, tw.secret)
	for _, move := range slices.Sorted(maps.Keys(open)) {
		tw.taken(t, gm.api("POST", "/cancel", map[string]any{"move": move}))
	}
}

// taken waits until a request that had to succeed has arrived on all streams: how many entries are
// drawn at once depends on how busy the machine is.
func (tw *twin) taken(t *testing.T, got sent) {
	t.Helper()
	if got.status != http.StatusOK {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	tw.settles(t)
}

// acts lets anna do something with her character and read everything before and after, and returns
// what she and the watcher were sent.
func (tw *twin) acts(t *testing.T, seed uint64) (told []string) {
	m := maker{Rand: rand.New(rand.NewPCG(seed, 11)), text: func() string { return "words" }}
	anna, base := tw.guests["anna"], "/t/"+tw.id
	add := func(s sent) sent {
		told = append(told, steady(s))
		tw.settles(t)
		return s
	}
	looks := func() {
		for _, name := range []string{"anna", "watcher"} {
			g := tw.guests[name]
			script := map[string]string{"HX-Request": "true"}
			add(g.api("GET", "", nil))
			add(g.api("GET", "/log?limit=1000", nil))
			add(g.api("GET", "/luck", nil))
			add(g.page("GET", base+"?_log=9&_tab=cast&_c="+tw.own+"&_a="+tw.own, nil, nil))
			add(g.page("GET", base+"/character?_edit=1&_c="+tw.own, nil, script))
			add(g.page("GET", base+"/story.md", nil, nil))
			add(g.page("GET", base+"/seen.jsonl", nil, nil))
		}
	}
	looks()
	key := "k" + strconv.FormatUint(seed, 10)
	now, err := anna.seat.View(t.Context())
	must(t, err)
	var hers []string
	for _, shown := range now.Moves {
		if slices.Contains(shown.Characters, tw.own) {
			hers = append(hers, shown.ID)
		}
	}
	switch seed % 4 {
	case 0: // changes of the sheet, and one undo
		add(anna.api("PATCH", "/characters/"+tw.own, map[string]any{"sheet": changes(t, m, anna, tw.own), "key": key}))
		add(anna.api("PATCH", "/characters/"+tw.own, map[string]any{"name": "Another name " + key}))
		log, err := anna.seat.Last(t.Context(), 1)
		must(t, err)
		add(anna.api("POST", "/undo", map[string]any{"seq": log[0].Seq}))
	case 1: // a move through the page
		move := hers[m.IntN(len(hers))]
		values := url.Values{"_move": {move}, "_character": {tw.own}, "_key": {key}, "_nonce": {"mine"}}
		f, err := anna.seat.MoveForm(t.Context(), move, tw.own)
		must(t, err)
		for name, value := range m.fill(f.Fields) {
			values.Set(name, fmt.Sprint(value))
		}
		add(anna.page("POST", base+"/move", values, map[string]string{"HX-Request": "true"}))
	default: // moves through the API, until one is accepted
		for range 12 {
			move := hers[m.IntN(len(hers))]
			f, err := anna.seat.MoveForm(t.Context(), move, tw.own)
			must(t, err)
			got := add(anna.api("POST", "/moves", map[string]any{
				"move": move, "character": tw.own, "args": m.fill(f.Fields), "nonce": "mine", "byHand": seed%4 == 3,
				"key": key,
			}))
			if got.status < 300 {
				break
			}
		}
	}
	looks()
	return told
}

// changes returns a change of a number, a mark or a text of a sheet.
func changes(t *testing.T, m maker, g *guest, id string) map[string]any {
	now, err := g.seat.View(t.Context())
	must(t, err)
	i := slices.IndexFunc(now.Characters, func(c view.CharacterShown) bool { return c.ID == id })
	kind, _ := gameOf(t, now.Game).Kind(now.Characters[i].Kind)
	for _, f := range kind.Form.Fields {
		if f.Kind == form.KindInt || f.Kind == form.KindBool || f.Kind == form.KindText || f.Kind == form.KindProse {
			return map[string]any{f.Name: m.value(f)}
		}
	}
	t.Fatal("nothing on the sheet can be changed")
	return nil
}

var drawnHere = regexp.MustCompile(`(name="_(?:key|nonce)" value=")[^"]*"`)

// steady returns an answer with its headers, without random parts.
func steady(s sent) string {
	header := s.header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length", "Content-Encoding"} {
		header.Del(name)
	}
	var b strings.Builder
	fmt.Fprintln(&b, s.status)
	_ = header.Write(&b)
	b.WriteString(newKey.ReplaceAllString(drawnHere.ReplaceAllString(string(s.body), "$1"), ""))
	return b.String()
}

// heard records a stream.
type heard struct {
	mu    sync.Mutex
	lines []string // those that weren't taken yet
	seq   uint64   // of the last event that has one
	told  string   // the id of the last event that was taken
}

// hear follows the table as a guest until the test ends.
func (g *guest) hear(t *testing.T, path string, client *http.Client) *heard {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", g.url+path, nil)
	must(t, err)
	r.Header.Set("Accept-Language", g.lang)
	r.Header.Set("Authorization", "Bearer "+g.secret)
	r.Header.Set("HX-Request", "true")
	endless := *client
	endless.Timeout = 0
	response, err := endless.Do(r)
	must(t, err)
	h, done := &heard{}, make(chan struct{})
	t.Cleanup(func() {
		cancel()
		<-done
	})
	go func() {
		defer close(done)
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			h.mu.Lock()
			if !strings.HasPrefix(lines.Text(), ":") { // not a keep-alive comment
				h.lines = append(h.lines, lines.Text())
			}
			if seq, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				h.seq, _ = strconv.ParseUint(seq, 10, 64)
			}
			h.mu.Unlock()
		}
	}()
	return h
}

// asOf matches the seq of a drawn piece: that of its event, or of a public one right before. The
// count of the view's changes stays.
var asOf = regexp.MustCompile(`( at:)\d+`)

// present lists the parts of a page with who is online, which are sent at intervals.
var present = []string{`"#online"`, `".online-menu"`, "[data-invitation="}

// journaled returns the news of entries, whichever event contained them: an event about who is
// online, without an id or with the previous one, contains other news too. How a burst was split
// into events depends on how busy the machine is and is removed: of each part of the page only the
// last content counts. The caller holds mu.
func (h *heard) journaled() string {
	var told []string
	entries := ""             // whether any came with pieces
	shown := map[string]int{} // index of a place in told
	for event := range strings.SplitSeq(strings.Join(h.lines, "\n"), "\n\n") {
		event = strings.Trim(event, "\n") // the end of a keep-alive comment
		id, _, _ := strings.Cut(event, "\n")
		named := strings.HasPrefix(id, "id: ") && id != h.told
		if named {
			h.told = id
		}
		event = asOf.ReplaceAllString(newKey.ReplaceAllString(drawnHere.ReplaceAllString(event, "$1"), ""), "$1")
		head, parts, pieces := strings.Cut(event, "<hx-partial ")
		if pieces && strings.Contains(head, "event: entry") {
			entries = "an entry was told of"
		}
		if !pieces {
			if named && !strings.Contains(event, "<i></i>") { // it isn't only the position of the stream
				told = append(told, event)
			}
			continue
		}
		for part := range strings.SplitSeq(parts, "<hx-partial ") {
			part = strings.TrimRight(part, "\n ")
			place, _, _ := strings.Cut(part, ">")
			if slices.ContainsFunc(present, func(p string) bool { return strings.Contains(place, p) }) {
				continue
			}
			at, again := shown[place]
			switch {
			case strings.Contains(place, "before") || strings.Contains(place, "after"): // next to existing content
				told = append(told, part)
			case again:
				told[at] = part
			default:
				shown[place] = len(told)
				told = append(told, part)
			}
		}
	}
	h.lines = nil
	slices.Sort(told)
	return strings.Join(append(told, entries, h.told), "\n")
}

// settles waits until all streams have sent everything up to now: a page draws a burst at once.
func (tw *twin) settles(t *testing.T) {
	now, err := tw.guests["anna"].seat.View(t.Context())
	must(t, err)
	for _, h := range tw.heard {
		wait.Until(t, fmt.Sprintf("a stream brings entry %d", now.Seq), func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.seq >= now.Seq && (len(h.lines) == 0 || h.lines[len(h.lines)-1] == "")
		})
	}
}

// streamed returns the streams' data since the last call, after a line that all receive.
func (tw *twin) streamed(t *testing.T) (all []string) {
	tw.taken(t, tw.guests["gm"].api("POST", "/talk", map[string]any{"text": "heard by all"}))
	for _, h := range tw.heard {
		h.mu.Lock()
		all = append(all, h.journaled())
		h.mu.Unlock()
	}
	return all
}
