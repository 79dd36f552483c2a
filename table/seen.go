package table

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"time"

	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/rule"
)

// seenBody is a line of a seat's file: an entry as the seat sees it, and where
// that ends a move of which it sees all, what it takes to make the move again.
type seenBody struct {
	V     int       `json:"v"`
	Entry Entry     `json:"entry"`
	Again *seenMove `json:"again,omitempty"`
}

// seenVersion is the newest that is written. A line of a later one is not checked, so each says the least that it takes: 2
// where its entry was made by another edition of the rules than the first.
const seenVersion = 2

func seenVersionOf(e Entry) int {
	if e.Edition == "" || e.Edition == firstEdition {
		return 1
	}
	return 2
}

// seenMove is a whole move, with the table as it stood when it was opened.
type seenMove struct {
	Move     string          `json:"move"`
	Actor    string          `json:"actor,omitempty"`
	Args     json.RawMessage `json:"args"`
	Settings json.RawMessage `json:"settings"`
	Secret   bool            `json:"secret,omitempty"` // it was made in secret, and shown since
	Ruled    game.Ruled      `json:"ruled,omitzero"`
	Cast     []seenMember    `json:"cast"`
	Steps    rule.Trail      `json:"steps"`
	Events   []eventBody     `json:"events"`
	Outcome  rule.Outcome    `json:"outcome"`
}

type seenMember struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Sheet json.RawMessage `json:"sheet"`
}

// writeSeen writes what a seat sees as it looks now; then is how it saw the table at an earlier revision.
func writeSeen(ctx context.Context, w io.Writer, now eye, then func(ledger) (eye, error), from Entries, at time.Time, norn string) error {
	lines := 0
	for r := range now.st.after(0, pageOf) {
		if now.seesEntry(r) {
			lines++
		}
	}
	out, err := archive.NewWriter(w, archive.Header{
		Table: now.st.id, Game: now.st.game.ID, Name: now.st.name, Exported: at, Norn: norn, Seat: now.seat.id, Entries: lines,
	})
	if err != nil {
		return err
	}
	past := &witness{then: then, st: newLedger(now.st.id, now.st.games, kinds).looking(ctx, from), moves: map[string]*witnessed{}}
	past.st.deep = now.st.deep
	for past.st.seq < now.st.seq {
		entries, err := from.Read(ctx, now.st.id, past.st.seq, int(min(pageOf, now.st.seq-past.st.seq)))
		if err != nil {
			return unavailable(now.st.id, past.st.seq, err)
		}
		for _, e := range entries {
			r, err := past.st.decode(e, nil)
			if err != nil {
				return &UnreadableError{Table: now.st.id, Seq: e.Seq, Err: err}
			}
			past.opens(r)
			past.st.follow(r)
			past.goesOn(r)
			if err := past.write(now, r, out); err != nil {
				return err
			}
		}
		past.st.forget()
	}
	return out.Close()
}

// witness folds a table's log for one seat and keeps what its moves began with,
// which the table itself forgets when they end.
type witness struct {
	then  func(ledger) (eye, error)
	st    ledger
	moves map[string]*witnessed // that are open, by their ids
}

// witnessed is a move as it was recorded.
type witnessed struct {
	again seenMove
	cast  map[string]any // sheets as they stood
	args  any
	whole bool // the seat saw all of them then
	last  *record
}

// opens keeps the table as it stands before a record that opens a move.
func (p *witness) opens(r *record) {
	if r.Kind != KindMove {
		return
	}
	st := p.st.without(r.yields)
	scene := st.underway(r.move).scene
	w := &witnessed{cast: map[string]any{}, args: r.args, again: seenMove{
		Move: r.move.def.ID, Actor: r.move.actor, Args: r.Opening.Args, Settings: encoded(scene.Settings), Secret: r.Secret, Ruled: scene.Ruled, Cast: []seenMember{},
	}}
	e, err := p.then(st)
	w.whole = err == nil
	for _, id := range scene.IDs() {
		m := scene.Cast[id]
		w.cast[id] = m.Sheet
		w.again.Cast = append(w.again.Cast, seenMember{ID: id, Kind: m.Kind, Name: m.Name, Sheet: encoded(m.Sheet)})
		w.whole = w.whole && seesWhole(e, id, m.Sheet)
	}
	p.moves[r.move.id] = w
}

// goesOn keeps what a record adds to its move.
func (p *witness) goesOn(r *record) {
	if r.move == nil {
		return
	}
	w := p.moves[r.move.id]
	w.again.Steps = append(w.again.Steps, r.Steps...)
	w.again.Events = append(w.again.Events, r.Events...)
	if r.Done && r.Outcome != nil {
		w.again.Outcome, w.last = *r.Outcome, r
	}
}

// write writes a record as the seat sees it now.
func (p *witness) write(now eye, r *record, out *archive.Writer) error {
	entry, ok := entryOf(now, r)
	var seen *witnessed
	if r.move != nil {
		seen = p.moves[r.move.id]
	}
	if seen != nil && r.Done {
		delete(p.moves, r.move.id)
	}
	if !ok {
		return nil
	}
	body := seenBody{V: seenVersionOf(entry), Entry: entry}
	if seen != nil && seen.last == r && seesAll(now, r.move, seen) {
		body.Again = &seen.again
	}
	data, err := json.Marshal(body)
	if err != nil {
		return &UnreadableError{Table: r.Table, Seq: r.Seq, Err: err}
	}
	return out.Write(journal.Entry{Table: r.Table, Seq: r.Seq, Time: entry.Time, Seat: entry.Seat.ID, Move: entry.Move, Body: data})
}

// untold tells whether a game shows an event to nobody: what it does is seen on
// sheets.
func untold(g *game.Game, settings any, event rule.Event) bool {
	_, told := g.View.ShowEvent(game.Viewer{Role: game.Master}, settings, event)
	return !told
}

// seesWhole tells whether the seat sees all of a sheet of a character.
func seesWhole(e eye, id string, sheet any) bool {
	if e.viewer.IsGM() {
		return true
	}
	shown := e.st.game.View.ShowSheet(e.viewer, e.st.settings, id, sheet)
	return e.sees(id) && shown != nil && len(e.unseen(nil, sheet, shown)) == 0
}

// seesAll tells whether nothing of a move is hidden from the seat, now or when
// it began: sheets, arguments, dice, answers, what was told.
func seesAll(e eye, m *move, w *witnessed) bool {
	if e.viewer.IsGM() {
		return true
	}
	if !w.whole || e.st.secretMove(m) {
		return false
	}
	for id, sheet := range w.cast {
		if !seesWhole(e, id, sheet) {
			return false
		}
	}
	f := m.def.Form.For(form.AtTable)
	if !reflect.DeepEqual(e.without(f.Stated().Fields, f.Fill(w.args)), f.Fill(w.args)) {
		return false
	}
	for _, step := range w.again.Steps {
		switch {
		case step.Dice != nil && !e.seesThrow(m, *step.Dice):
			return false
		case step.Answer != nil && step.Answer.Seat != e.seat.id:
			return false
		}
	}
	return m.def == &game.Plain || !slices.ContainsFunc(w.again.Events, func(stored eventBody) bool {
		event, err := e.st.game.Decode(stored.Type, stored.V, stored.Data)
		if err != nil {
			return true
		}
		if seen, ok := e.event(event); ok {
			return !reflect.DeepEqual(event, seen)
		}
		return !untold(e.st.game, e.st.settings, event)
	})
}
