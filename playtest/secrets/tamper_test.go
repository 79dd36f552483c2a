package secrets

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/games"
	"norn/journal"
	"norn/journal/archive"
	"norn/table/verify"
)

var tampered = flag.Int("tampered", 16, "of so many changes to a log one is tried")

// free matches changes of a log that nobody can detect, since only the host vouches for the data
// (docs/export-format.md): a path in an entry's body after its kind, in which [] is any index and
// <…> an event's type, and the kind of change.
var free = regexp.MustCompile(strings.Join([]string{
	`\.rules `, `\.request `, `@time `, `@key `, // the norn that wrote it, its time and its key
	// no move depends on these
	`^(call|note|scene|clock|list|star|talk|seat|settings|character|share|shown|session) @(dropped|swapped|doubled) `,
	`^(undone|cancelled) @(dropped|swapped|doubled) `,
	`\.edits removed`, `\.letGo removed`, `\.notation removed`, // which older entries don't have
	`<table\.character-(added|changed)>\.data\.(name|owner|sheet)\b`, // what people wrote
	`<table\.scene-prepared>\.data\.(title|note)\b`,
	`<table\.clock-set>\.data\.(name|at|max|number|hidden)\b`,
	`<table\.list-set>\.data\.(name|hash|hidden)\b`, // the hash of another list's rows
	`<table\.(opened|settings-changed)>\.data\.settings\b`,
	`<table\.(move-called|move-starred|talk-said|note-kept)>\.data\b`,
	`<table\.(seat-added|seat-renewed|seat-restored)>\.data\.(name|role|lock)\b`, `<table\.seat-renamed>\.data\.name `,
	`<table\.opened>\.data\.lang `, `<table\.change-undone>\.data\.seq `, // what else can be undone
	`^(move|talk)\.secret `, `^(move|talk) \+secret`, // who may see it
	`^move\.opening\.args\b`,              // what its rule doesn't ask for
	`^move\.opening\.(nonce|byHand) `,     // of a move without norn's dice
	`^answer\.steps\[\]\.answer\.value\b`, // the same
	`data sealed\.commitment as `,         // a commitment to something that isn't revealed
	`by hand\.faces\b`,                    // what people typed
	`^(call|note|scene|clock|list|settings|character|talk|seat) @swapped`, // the order of entries without norn's dice
}, "|"))

// sample returns n to try one of n changes.
func sample() int {
	if testing.Short() {
		return 4 * *tampered
	}
	return *tampered
}

// norn verify detects any single change of a real log with correct checksums, except for what is
// free.
func TestVerifyDetectsEveryChangeOfALog(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			p := gather(t, g, g, 1)
			p.behind()
			for _, at := range p.Perm(len(g.Moves)) {
				if m := &g.Moves[at]; m.AtTable && !p.makes(m, 6) {
					p.stages(m)
				}
				p.answers()
			}
			for range 12 {
				p.step()
			}
			p.shows()
			for range 3 {
				p.undoes()
			}
			p.endsSession()
			p.behind()
			for try := 0; try < 20 && !p.makes(&g.Moves[try%len(g.Moves)], 6); try++ {
			}
			p.answers()
			p.endsSession()
			text, err := p.gm.exported()
			must(t, err)
			l := readLog(t, text)
			found, err := verify.File(games.All(), spoken(), strings.NewReader(text))
			must(t, err)
			if found.Sealed > 0 || found.Dice < 4 {
				t.Errorf("the log has %d sealed dice and %d others", found.Sealed, found.Dice)
			}
			l.changesAll(t)
			t.Logf("%d entries, %d of %d changes tried, %d of them free and unnoticed", len(l.entries), l.tried, l.n,
				l.passed)
			if l.tried < 1600/sample() {
				t.Errorf("only %d changes were tried", l.tried)
			}
		})
	}
}

// exportedLog is a log that can be changed.
type exportedLog struct {
	head             archive.Header
	entries          []journal.Entry
	n, tried, passed int
}

func readLog(t *testing.T, text string) *exportedLog {
	in, err := archive.NewReader(strings.NewReader(text))
	must(t, err)
	l := &exportedLog{head: in.Header()}
	for {
		e, err := in.Next()
		if err == io.EOF {
			return l
		}
		must(t, err)
		l.entries = append(l.entries, e)
	}
}

// file returns the log with other entries, with new numbers and checksums.
func (l *exportedLog) file(t *testing.T, entries []journal.Entry) []byte {
	var b bytes.Buffer
	head := l.head
	head.Entries = len(entries)
	w, err := archive.NewWriter(&b, head)
	must(t, err)
	for i, e := range entries {
		e.Seq = uint64(i + 1)
		must(t, w.Write(e))
	}
	must(t, w.Close())
	return b.Bytes()
}

// try verifies a changed log.
func (l *exportedLog) try(t *testing.T, what string, entries []journal.Entry) {
	l.n++
	if l.n%sample() != 0 {
		return
	}
	l.tried++
	if _, err := verify.File(games.All(), spoken(), bytes.NewReader(l.file(t, entries))); err != nil {
		return
	}
	l.passed++
	if !free.MatchString(what) {
		t.Errorf("nobody notices %s", what)
	}
}

// place is a position in a log: an entry, and the path in it.
type place struct {
	at   int
	path []any
}

func (l *exportedLog) changesAll(t *testing.T) {
	sites, values := map[string][]place{}, map[string][]any{}
	kinds := map[string][]int{}
	for i, e := range l.entries {
		body := decoded(t, e)
		kind := body["kind"].(string)
		kinds[kind] = append(kinds[kind], i)
		walk(kind, nil, body, func(pattern string, path []any, value any) {
			sites[pattern] = append(sites[pattern], place{i, path})
			if !slices.Contains(values[pattern], value) {
				values[pattern] = append(values[pattern], value)
			}
		})
	}
	for _, pattern := range slices.Sorted(maps.Keys(sites)) {
		all := sites[pattern]
		for _, at := range []place{all[0], all[len(all)-1]}[max(0, 2-len(all)):] {
			l.changes(t, pattern, at, values[pattern])
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, i := range slices.Compact([]int{kinds[kind][0], kinds[kind][len(kinds[kind])-1]}) {
			l.adds(t, kind, i)
			l.moves(t, kind, i)
		}
	}
}

func decoded(t *testing.T, e journal.Entry) map[string]any {
	var body map[string]any
	must(t, json.Unmarshal(e.Body, &body))
	return body
}

// walk calls give with every value in a body, its pattern and its path. Lists and objects can't be
// compared, so their JSON is passed where needed.
func walk(pattern string, path []any, value any, give func(string, []any, any)) {
	if len(path) > 0 {
		shown := value
		switch value.(type) {
		case map[string]any, []any:
			shown = nil
		}
		give(pattern, slices.Clone(path), shown)
	}
	switch value := value.(type) {
	case map[string]any:
		if kind, ok := value["type"].(string); ok {
			pattern += "<" + kind + ">"
		}
		if value["hand"] == true {
			pattern += " by hand"
		}
		if value["commitment"] != nil && value["secret"] == "" {
			pattern += " sealed"
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			walk(pattern+"."+name, append(slices.Clone(path), name), value[name], give)
		}
	case []any:
		for i := range value {
			walk(pattern+"[]", append(slices.Clone(path), i), value[i], give)
		}
	}
}

// with returns the log with another value at a place; nil removes it.
func (l *exportedLog) with(t *testing.T, at place, value any) []journal.Entry {
	entries := slices.Clone(l.entries)
	body := decoded(t, entries[at.at])
	var in any = body
	for _, step := range at.path[:len(at.path)-1] {
		in = inside(in, step)
	}
	switch last := at.path[len(at.path)-1].(type) {
	case string:
		in.(map[string]any)[last] = value
		if value == nil {
			delete(in.(map[string]any), last)
		}
	case int:
		in.([]any)[last] = value
	}
	data, err := json.Marshal(body)
	must(t, err)
	entries[at.at].Body = data
	return entries
}

func inside(in, step any) any {
	if name, ok := step.(string); ok {
		return in.(map[string]any)[name]
	}
	return in.([]any)[step.(int)]
}

// changes tries other values at a place.
func (l *exportedLog) changes(t *testing.T, pattern string, at place, others []any) {
	var was any = decoded(t, l.entries[at.at])
	for _, step := range at.path {
		was = inside(was, step)
	}
	put := func(how string, value any) {
		l.try(t, pattern+" "+how+", entry "+strconv.Itoa(at.at+1), l.with(t, at, value))
	}
	if _, ok := at.path[len(at.path)-1].(string); ok && !empty(was) { // otherwise nothing is removed
		put("removed", nil)
	}
	switch was := was.(type) {
	case string:
		put("longer", was+"z")
		if i := slices.IndexFunc(others, func(other any) bool { return other != any(was) }); i >= 0 {
			put(fmt.Sprint("as ", others[i]), others[i])
		}
	case float64:
		put("one more", was+1)
		put("one less", was-1)
	case bool:
		put("turned", !was)
	case []any:
		if len(was) == 0 {
			break
		}
		put("shorter", was[:len(was)-1])
		put("longer", append(slices.Clone(was), was[len(was)-1]))
		turned := slices.Clone(was)
		slices.Reverse(turned)
		if fmt.Sprint(turned) != fmt.Sprint(was) {
			put("turned round", turned)
		}
	}
}

// empty reports whether a value means the same as none.
func empty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			if !empty(inner) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	}
	return value == nil || value == "" || value == 0.0 || value == false
}

// adds tries members that an entry doesn't have.
func (l *exportedLog) adds(t *testing.T, kind string, i int) {
	body := decoded(t, l.entries[i])
	added := map[string]any{
		"secret": true, "answers": "0:0", "luck": "1: 1 1", "outcome": map[string]any{"outcome": "x", "n": 0},
		"extra": 1, "Steps": []any{1}, "DONE": false,
		"asks":    []any{map[string]any{"place": "", "question": "", "to": ""}},
		"opening": map[string]any{"move": "x", "args": 1}, "yields": []any{"m1"},
	}
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if _, there := body[name]; !there {
			l.try(t, kind+" +"+name+", entry "+strconv.Itoa(i+1), l.with(t, place{i, []any{name}}, added[name]))
		}
	}
}

// moves tries an entry elsewhere, by another seat or at another time.
func (l *exportedLog) moves(t *testing.T, kind string, i int) {
	try := func(how string, change func(all []journal.Entry, e *journal.Entry) []journal.Entry) {
		entries := slices.Clone(l.entries)
		l.try(t, kind+" @"+how+" , entry "+strconv.Itoa(i+1), change(entries, &entries[i]))
	}
	e := l.entries[i]
	for _, seat := range []string{"s4", "s99", ""} { // a spectator, and nobody
		if seat != e.Seat {
			try("seat "+seat, func(all []journal.Entry, e *journal.Entry) []journal.Entry { e.Seat = seat; return all })
		}
	}
	for _, move := range []string{"m1", "m9999", ""} {
		if move != e.Move {
			try("move "+move, func(all []journal.Entry, e *journal.Entry) []journal.Entry { e.Move = move; return all })
		}
	}
	try("key", func(all []journal.Entry, e *journal.Entry) []journal.Entry { e.Key += "x"; return all })
	try("time", func(all []journal.Entry, e *journal.Entry) []journal.Entry {
		e.Time = e.Time.Add(-time.Hour)
		return all
	})
	if i == 0 || i > len(l.entries)*3/4 { // an entry that no later one depends on may be left out
		return
	}
	try("dropped", func(all []journal.Entry, _ *journal.Entry) []journal.Entry { return slices.Delete(all, i, i+1) })
	try("swapped", func(all []journal.Entry, _ *journal.Entry) []journal.Entry {
		all[i-1], all[i] = all[i], all[i-1]
		return all
	})
	try("doubled", func(all []journal.Entry, e *journal.Entry) []journal.Entry {
		again := *e
		again.Key = ""
		return slices.Insert(all, i+1, again)
	})
}
