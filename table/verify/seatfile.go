package verify

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
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// seatLine is a line of a seat's file: an entry as the seat sees it. The last entry of a move of
// which the seat sees everything also has what is needed to run the move again.
type seatLine struct {
	V     int        `json:"v"`
	Entry view.Entry `json:"entry"`
	Again *seatMove  `json:"again,omitempty"`
}

// seatVersion is the newest version that is written. An older norn doesn't check a line of a later
// version, so each line has the lowest one that it needs: 2 where another edition than the first
// made its entry, 3 where answers added characters to the move.
const seatVersion = 3

func (b seatLine) version() int {
	switch {
	case b.Again != nil && len(b.Again.Joined) > 0:
		return 3
	case b.Entry.Edition != "" && b.Entry.Edition != state.FirstEdition:
		return 2
	}
	return 1
}

// seatMove is a whole move, with the state of the table when it was opened.
type seatMove struct {
	Move     string          `json:"move"`
	Actor    string          `json:"actor,omitempty"`
	Args     json.RawMessage `json:"args"`
	Settings json.RawMessage `json:"settings"`
	Secret   bool            `json:"secret,omitempty"` // it was made in secret and revealed later
	Ruled    game.Ruled      `json:"ruled,omitzero"`
	Cast     []state.Member  `json:"cast"`
	Joined   []state.Member  `json:"joined,omitempty"` // characters that answers added, as they were then
	Steps    rule.Trail      `json:"steps"`
	Events   []state.Event   `json:"events"`
	Outcome  rule.Outcome    `json:"outcome"`
}

// WriteSeen writes the file of a seat's own log. The seat sees entries as now does; then returns
// how it saw the table at an earlier revision.
func WriteSeen(ctx context.Context, w io.Writer, now *visibility.Eye, then func(ledger.Ledger) (*visibility.Eye, error),
	from ledger.Entries, at time.Time, norn string,
) error {
	lines := 0
	for r := range now.Table.After(0, ledger.PageOf) {
		if now.SeesEntry(r) {
			lines++
		}
	}
	out, err := archive.NewWriter(w, archive.Header{
		Table: now.Table.ID, Game: now.Table.Game.ID, Name: now.Table.Name, Exported: at, Norn: norn, Seat: now.Seat.ID,
		Entries: lines,
	})
	if err != nil {
		return err
	}
	past := &witness{
		then: then, st: ledger.New(now.Table.ID, now.Table.Games, act.Vocabulary).WithLookback(ctx, from),
		moves: map[string]*witnessed{},
	}
	past.st.WholeBefore = now.Table.WholeBefore
	for most := uint64(ledger.PageOf); past.st.Seq < now.Table.Seq; {
		entries, err := from.Read(ctx, now.Table.ID, past.st.Seq, int(min(most, now.Table.Seq-past.st.Seq)))
		if err != nil {
			return refusal.Unavailable(now.Table.ID, past.st.Seq, err)
		}
		most = ledger.NextPage(entries, most)
		for _, e := range entries {
			r, err := past.st.Decode(e, nil)
			if err != nil {
				return &refusal.UnreadableError{Table: now.Table.ID, Seq: e.Seq, Err: err}
			}
			past.opens(r)
			past.st.Append(r)
			past.goesOn(r)
			if err := past.write(now, r, out); err != nil {
				return err
			}
		}
		past.st.Forget()
	}
	return out.Close()
}

// witness folds a table's log for one seat and remembers how moves began, which the table itself
// forgets when they end.
type witness struct {
	then  func(ledger.Ledger) (*visibility.Eye, error)
	st    ledger.Ledger
	moves map[string]*witnessed // open ones, by id
}

// witnessed is a move as it was recorded.
type witnessed struct {
	again seatMove
	cast  map[string]any // sheets when the move began
	args  any
	whole bool // the seat saw all of the sheets then
	met   bool // others acted with its characters meanwhile, which the steps don't have
	last  *state.Record
}

// opens remembers the table before a record that opens a move.
func (p *witness) opens(r *state.Record) {
	st := p.st.Without(r.Yielded)
	switch r.Kind {
	case view.KindAnswer:
		p.joins(st, r)
		return
	case view.KindMove:
	default:
		return
	}
	scene := st.NewOpenMove(r.Of).Scene
	w := &witnessed{cast: map[string]any{}, args: r.Args, again: seatMove{
		Move: r.Of.Def.ID, Actor: r.Of.Actor, Args: r.Opening.Args, Settings: state.JSON(scene.Settings),
		Secret: r.Secret, Ruled: scene.Ruled, Cast: []state.Member{},
	}}
	e, err := p.then(st)
	w.whole = err == nil
	for _, id := range scene.IDs() {
		m := scene.Cast[id]
		w.cast[id] = m.Sheet
		w.again.Cast = append(w.again.Cast,
			state.Member{ID: id, Kind: m.Kind, Name: m.Name, Owner: m.Owner, Sheet: state.JSON(m.Sheet)})
		w.whole = w.whole && seesWhole(e, id, m.Sheet)
	}
	p.moves[r.Of.ID] = w
}

// joins remembers the characters that a record's answer adds to the move, as they are before it.
func (p *witness) joins(st ledger.Ledger, r *state.Record) {
	w, m := p.moves[r.Of.ID], st.OpenMoves.Of(r.Of.ID)
	now := m
	for _, step := range r.Steps {
		now = now.JoinedBy(st.State, step)
	}
	for _, id := range now.Joined[len(m.Joined):] {
		e, err := p.then(st)
		one := now.Scene.Apart()[id]
		w.cast[id] = one.Sheet
		w.again.Joined = append(w.again.Joined,
			state.Member{ID: id, Kind: one.Kind, Name: one.Name, Owner: one.Owner, Sheet: state.JSON(one.Sheet)})
		w.whole = w.whole && err == nil && seesWhole(e, id, one.Sheet)
	}
}

// goesOn adds a record to what is remembered of its move.
func (p *witness) goesOn(r *state.Record) {
	if r.Of == nil {
		return
	}
	w := p.moves[r.Of.ID]
	if m := p.st.OpenMoves.Of(r.Of.ID); m != nil {
		w.met = w.met || slices.ContainsFunc(m.Trail, func(s rule.Step) bool { return s.Meanwhile != nil })
	}
	w.again.Steps = append(w.again.Steps, r.Steps...)
	w.again.Events = append(w.again.Events, r.Events...)
	if r.Done && r.Outcome != nil {
		w.again.Outcome, w.last = *r.Outcome, r
	}
}

// write writes a record as the seat sees it now.
func (p *witness) write(now *visibility.Eye, r *state.Record, out *archive.Writer) error {
	entry := projection.Entry(now, r)
	var seen *witnessed
	if r.Of != nil {
		seen = p.moves[r.Of.ID]
	}
	if seen != nil && r.Done {
		delete(p.moves, r.Of.ID)
	}
	if entry == nil {
		return nil
	}
	body := seatLine{Entry: *entry}
	if seen != nil && seen.last == r && !seen.met && seesAll(now, r.Of, seen) {
		body.Again = &seen.again
	}
	body.V = body.version()
	data, err := json.Marshal(body)
	if err != nil {
		return &refusal.UnreadableError{Table: r.Table, Seq: r.Seq, Err: err}
	}
	return out.Write(journal.Entry{
		Table: r.Table, Seq: r.Seq, Time: entry.Time, Seat: entry.Seat.ID, Move: entry.Move,
		Body: data,
	})
}

// isShownToNobody reports whether a game shows an event to nobody: its effect is seen on sheets.
func isShownToNobody(g *game.Game, settings any, event rule.Event) bool {
	switch event.(type) {
	case game.OfferMade: // shown as a button while it can be taken
		return true
	case game.RolledBy: // shown next to its dice
		return true
	}
	_, told := g.View.ShowEvent(game.Viewer{Role: game.Master}, settings, event)
	return !told
}

// seesWhole reports whether the seat sees all of a character's sheet.
func seesWhole(e *visibility.Eye, id string, sheet any) bool {
	return e.Viewer.IsGM() || e.Sees(id) && e.SeesWhole(id, sheet)
}

// seesAll reports whether the seat sees everything of a move, now and when it began: sheets,
// arguments, dice, answers and events.
func seesAll(e *visibility.Eye, m *state.Move, w *witnessed) bool {
	if e.Viewer.IsGM() {
		return true
	}
	if !w.whole || e.Table.SecretMove(m) {
		return false
	}
	for id, sheet := range w.cast {
		if !seesWhole(e, id, sheet) {
			return false
		}
	}
	f := m.Def.Form.For(form.AtTable)
	if !reflect.DeepEqual(e.WithoutUnseen(f.WithoutAssumed().Fields, f.Fill(w.args)), f.Fill(w.args)) {
		return false
	}
	for _, step := range w.again.Steps {
		switch {
		case step.Dice != nil && !e.SeesThrow(m, *step.Dice):
			return false
		case step.Answer != nil && step.Answer.Seat != e.Seat.ID:
			return false
		}
	}
	return m.Def == &game.Plain || !slices.ContainsFunc(w.again.Events, func(stored state.Event) bool {
		event, err := e.Table.Game.Decode(stored.Type, stored.V, stored.Data)
		if err != nil {
			return true
		}
		if seen, ok := e.Event(event); ok {
			return !reflect.DeepEqual(event, seen)
		}
		return !isShownToNobody(e.Table.Game, e.Table.Settings, event)
	})
}
