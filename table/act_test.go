package table_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/internal/relay/local"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// said describes an entry, other than a move's, that a test writes by hand.
type said struct {
	kind, seat, move string
	secret           bool
	events           []any // alternating types and data
}

// says adds such an entry to the table's log in norn's format.
func (d *desk) says(edition string, s said) []journal.Entry {
	d.t.Helper()
	body := map[string]any{"v": 1, "kind": s.kind, "rules": "test", "done": true}
	if edition != "1" {
		body["edition"], body["v"] = edition, 4
	}
	if s.secret {
		body["secret"] = true
	}
	var events []any
	for i := 0; i < len(s.events); i += 2 {
		v := 1
		if s.events[i] == "table.character-removed" {
			v = 2
		}
		events = append(events, map[string]any{"n": i / 2, "type": s.events[i], "v": v, "data": s.events[i+1]})
	}
	body["events"] = events
	data, err := json.Marshal(body)
	if err != nil {
		d.t.Fatal(err)
	}
	return append(d.stored(), journal.Entry{
		Table: d.id, Time: time.Unix(0, 0).UTC(), Seat: s.seat, Move: s.move,
		Body: data,
	})
}

func smallDesk(t *testing.T) *desk { return newDeskOver(t, newMemory()) }

// fullDesk returns a desk with as many notes and characters as a table may have; one character was
// removed.
func fullDesk(t *testing.T) *desk {
	d := smallDesk(t)
	for range request.MaxNotes {
		if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "note"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Do(t.Context(), d.gm, act.RemoveCharacter, act.CharacterNamed{Character: d.shade},
		""); err != nil {
		t.Fatal(err)
	}
	for range request.MaxCharacters - 2 {
		d.add(d.gm, act.CharacterRequest{Name: "x", Kind: "shade"})
	}
	return d
}

// clockDesk returns a desk with a clock.
func clockDesk(t *testing.T) *desk {
	d := smallDesk(t)
	if _, err := table.Do(t.Context(), d.gm, act.SetClock, act.ClockRequest{Name: "The watch", Max: 4},
		""); err != nil {
		t.Fatal(err)
	}
	return d
}

// listDesk returns a desk with a list.
func listDesk(t *testing.T) *desk {
	d := smallDesk(t)
	d.sets(bag("A bone key"))
	return d
}

// listSaid returns the data of an event about a list with an id, which has a desk's rows.
func (d *desk) listSaid(id string) map[string]any {
	l := d.view(d.gm).Lists[0]
	return map[string]any{
		"id": id, "name": l.Name, "kind": l.Kind, "field": l.Field, "hash": l.Hash, "rows": l.Rows,
	}
}

// clock returns the id of a desk's clock.
func (d *desk) clock() string { return d.view(d.gm).Clocks[0].ID }

// secondEdition returns the library as its second edition.
func secondEdition() *game.Game {
	g := *library
	g.Edition = 2
	return &g
}

// readDesk returns a desk with secondEdition and long sheets.
func readDesk(t *testing.T) *desk {
	d := smallDesk(t)
	d.host.Close()
	d.journal, d.relay = newMemory(), local.New()
	c := config(d.journal, d.relay)
	c.Games = game.Fixed{secondEdition()}
	d.host = table.New(c)
	created, err := d.host.Create(t.Context(), request.NewTable{Game: "toy", Name: "Tuesday", Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	d.id, d.gm = created.ID, d.enter(created.Seat.Secret)
	return d
}

// impossibleAct is an entry that no seat can write at a desk, with the code of the expected
// refusal.
type impossibleAct struct {
	desk func(t *testing.T) *desk
	says func(d *desk) said
	code string
}

func impossibleActs() map[string]impossibleAct {
	acts := map[string]impossibleAct{}
	for _, some := range []map[string]impossibleAct{
		impossibleChanges(), impossibleEntries(), impossibleClocks(), impossibleLists(),
	} {
		maps.Copy(acts, some)
	}
	return acts
}

type object = map[string]any

// nextSeq returns the number of the entry that a log gets next.
func nextSeq(d *desk) string { return strconv.Itoa(len(d.stored()) + 1) }

// impossibleChanges lists acts of moves, notes and characters.
func impossibleChanges() map[string]impossibleAct {
	long := map[string]map[string]string{"open": {}, "close": {}}
	for _, texts := range long {
		for _, name := range strings.Split("abcdef", "") {
			texts[name] = strings.Repeat("я", form.MaxProse)
		}
	}
	return map[string]impossibleAct{
		"a player stars a game master's move": {smallDesk, func(d *desk) said {
			return said{
				kind: "star", seat: "s2",
				events: []any{"table.move-starred", object{"character": d.hero, "move": "omen", "on": true}},
			}
		}, refusal.MisfitSeat},
		"a move is starred that the character can't make": {smallDesk, func(d *desk) said {
			return said{
				kind: "star", seat: "s1",
				events: []any{"table.move-starred", object{"character": d.shade, "move": "swap", "on": true}},
			}
		}, refusal.MisfitMissing},
		"a note is thrown away that there never was": {smallDesk, func(d *desk) said {
			return said{
				kind: "note", seat: "s1", secret: true,
				events: []any{"table.note-kept", object{"id": "n" + nextSeq(d), "text": ""}},
			}
		}, refusal.MisfitRefused},
		"a note more than there may be": {fullDesk, func(d *desk) said {
			return said{
				kind: "note", seat: "s1", secret: true,
				events: []any{"table.note-kept", object{"id": "n" + nextSeq(d), "text": "x"}},
			}
		}, refusal.MisfitRefused},
		"a character comes back for whom there is no room": {fullDesk, func(d *desk) said {
			seq := 1
			for i, e := range d.stored() {
				if bytes.Contains(e.Body, []byte("table.character-removed")) {
					seq = i + 1
				}
			}
			return said{kind: "undone", seat: "s1", events: []any{"table.change-undone", object{"seq": seq}}}
		}, refusal.MisfitRefused},
		"a change of nothing": {smallDesk, func(d *desk) said {
			return said{
				kind: "character", seat: "s2",
				events: []any{"table.character-changed", object{"id": d.hero, "kind": "hero", "was": "Lira"}},
			}
		}, refusal.MisfitRefused},
		"who can't make a move is asked for it": {smallDesk, func(d *desk) said {
			return said{
				kind: "call", seat: "s1",
				events: []any{
					"table.move-called",
					object{
						"id": "call1", "move": "swap", "actor": d.shade, "args": object{}, "fixed": nil,
						"binds": true,
					},
				},
			}
		}, refusal.MisfitMissing},
		"a sheet that is too large": {readDesk, func(*desk) said {
			return said{
				kind: "character", seat: "s1",
				events: []any{"table.character-added", object{"id": "c1", "kind": "hero", "name": "x", "sheet": long}},
			}
		}, refusal.MisfitRefused},
	}
}

// impossibleEntries lists seats and imports that norn doesn't write.
func impossibleEntries() map[string]impossibleAct {
	return map[string]impossibleAct{
		"a seat that no link opens": {smallDesk, func(d *desk) said {
			return said{
				kind: "seat", seat: "s1",
				events: []any{
					"table.seat-added",
					object{"id": "s5", "name": "x", "role": "player", "lock": object{"hash": "YQ=="}},
				},
			}
		}, refusal.MisfitUnreadable},
		"an import of other entries than there are": {smallDesk, func(d *desk) said {
			return said{kind: "imported", events: []any{
				"table.imported",
				object{"exported": "2026-01-01T00:00:00Z", "norn": "test", "entries": 2},
				"table.dice-sealed",
				object{"secret": "", "commitment": strings.Repeat("ab", 32)},
			}}
		}, refusal.MisfitID},
		"an import by a seat": {smallDesk, func(d *desk) said {
			return said{kind: "imported", seat: "s1", events: []any{
				"table.imported",
				object{"exported": "2026-01-01T00:00:00Z", "norn": "test", "entries": len(d.stored())},
				"table.dice-sealed",
				object{"secret": "", "commitment": strings.Repeat("ab", 32)},
			}}
		}, refusal.MisfitSeat},
	}
}

func impossibleClocks() map[string]impossibleAct {
	return map[string]impossibleAct{
		"a player ticks a clock": {clockDesk, func(d *desk) said {
			return said{kind: "clock", seat: "s2", events: []any{
				"table.clock-ticked", object{"id": d.clock(), "name": "The watch", "max": 4, "at": 1, "was": 0},
			}}
		}, refusal.MisfitSeat},
		"a clock is ticked from where it isn't": {clockDesk, func(d *desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-ticked", object{"id": d.clock(), "name": "The watch", "max": 4, "at": 3, "was": 2},
			}}
		}, refusal.MisfitRefused},
		"a clock is ticked beyond its end": {clockDesk, func(d *desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-ticked", object{"id": d.clock(), "name": "The watch", "max": 4, "at": 5, "was": 0},
			}}
		}, refusal.MisfitRefused},
		"a clock is ticked that there isn't": {smallDesk, func(*desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-ticked", object{"id": "k1", "name": "The watch", "max": 4, "at": 1, "was": 0},
			}}
		}, refusal.MisfitMissing},
		"a clock has three segments": {smallDesk, func(d *desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-set", object{"id": "k" + nextSeq(d), "name": "The watch", "max": 3, "at": 0},
			}}
		}, refusal.MisfitRefused},
		"a clock has the id of an older entry": {smallDesk, func(*desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-set", object{"id": "k1", "name": "The watch", "max": 4, "at": 0},
			}}
		}, refusal.MisfitMissing},
		"another clock is removed": {clockDesk, func(d *desk) said {
			return said{kind: "clock", seat: "s1", events: []any{
				"table.clock-removed", object{"id": d.clock(), "name": "The fire", "max": 4, "at": 0},
			}}
		}, refusal.MisfitRefused},
	}
}

func impossibleLists() map[string]impossibleAct {
	return map[string]impossibleAct{
		"a player sets a list": {listDesk, func(d *desk) said {
			return said{kind: "list", seat: "s2", events: []any{"table.list-set", d.listSaid("l" + nextSeq(d))}}
		}, refusal.MisfitSeat},
		"a list has the id of an older entry": {listDesk, func(d *desk) said {
			return said{kind: "list", seat: "s1", events: []any{"table.list-set", d.listSaid("l1")}}
		}, refusal.MisfitMissing},
		"a list has rows that aren't there": {listDesk, func(d *desk) said {
			l := d.listSaid("l" + nextSeq(d))
			l["hash"] = strings.Repeat("ab", 32)
			return said{kind: "list", seat: "s1", events: []any{"table.list-set", l}}
		}, refusal.MisfitRefused},
		"a list has more rows than are there": {listDesk, func(d *desk) said {
			l := d.listSaid("l" + nextSeq(d))
			l["rows"] = 9
			return said{kind: "list", seat: "s1", events: []any{"table.list-set", l}}
		}, refusal.MisfitRefused},
		"a list is for a field that there isn't": {listDesk, func(d *desk) said {
			l := d.listSaid("l" + nextSeq(d))
			l["field"] = "spells"
			return said{kind: "list", seat: "s1", events: []any{"table.list-set", l}}
		}, refusal.MisfitMissing},
		"another list is removed": {listDesk, func(d *desk) said {
			l := d.listSaid(d.view(d.gm).Lists[0].ID)
			l["name"] = "Gear"
			return said{kind: "list", seat: "s1", events: []any{"table.list-removed", l}}
		}, refusal.MisfitRefused},
	}
}

// A log with an act that the table would refuse doesn't verify.
func TestLogWithAnImpossibleActDoesNotVerify(t *testing.T) {
	for name, c := range impossibleActs() {
		t.Run(name, func(t *testing.T) {
			d := c.desk(t)
			edition, games := "1", toys
			if strings.Contains(name, "too large") {
				edition, games = "2", []*game.Game{secondEdition()}
			}
			s := c.says(d)
			_, err := verify.File(games, words, bytes.NewReader(d.file(d.stored())))
			if err != nil {
				t.Fatalf("without it: %v", err)
			}
			entries := d.says(edition, s)
			_, err = verify.File(games, words, bytes.NewReader(d.file(entries)))
			if misfit, ok := err.(*refusal.MisfitError); !ok || misfit.Code != c.code ||
				misfit.Seq != uint64(len(entries)) {
				t.Errorf("got %v, want %s of entry %d", err, c.code, len(entries))
			}
		})
	}
}
