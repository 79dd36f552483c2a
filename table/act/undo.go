package act

import (
	"errors"
	"slices"
	"strconv"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

type moveUndone struct{ ofMove }

// changeUndone undoes a change of a character or of the settings.
type changeUndone struct {
	Seq uint64 `json:"seq"` // of the change
}

func (moveUndone) Type() string { return "table.move-undone" }

func (changeUndone) Type() string { return "table.change-undone" }

// ofMove names the move that is undone.
type ofMove struct {
	Move string `json:"move"`
}

func (of ofMove) Subject(b ledger.Ledger) (move string, secret bool) {
	m := b.Move(of.Move)
	return of.Move, m != nil && b.SecretMove(m)
}

func (ofMove) Fold(st *state.State, r *state.Record) { st.TakeBack(r.Undoes.Seq, r) }

func (changeUndone) Fold(st *state.State, r *state.Record) { st.TakeBack(r.Undoes.Seq, r) }

func (of ofMove) Target(b ledger.Ledger) *state.Record {
	if m := b.Move(of.Move); m != nil {
		return b.Record(m.Seq)
	}
	return nil
}

func (ev changeUndone) Target(b ledger.Ledger) *state.Record { return b.Record(ev.Seq) }

// Find finds what is undone: a finished move, an open one if it's cancelled, or a change. It must
// not be undone yet.
func (of ofMove) Find(b ledger.Ledger, r *state.Record) error {
	first := of.Target(b)
	if first == nil || b.Undone.Has(first) || (b.OpenMoves.Of(of.Move) != nil) != (r.Kind == view.KindCancelled) {
		return errNothingToUndo
	}
	r.Undoes = first
	for _, since := range b.Entangled(first.Since()) {
		with := first
		if since != first.Since() {
			with = b.Record(since)
		}
		if with.Of != nil {
			r.Uncounted = append(r.Uncounted, b.CountedRecords(with.Of)...)
		}
	}
	return b.CheckRemembered(r)
}

func (ev changeUndone) Find(b ledger.Ledger, r *state.Record) error {
	first := ev.Target(b)
	if first == nil || first.Of != nil || !first.Undoable() || b.Undone.Has(first) {
		return errNothingToUndo
	}
	r.Undoes = first
	return b.CheckRemembered(r)
}

var errNothingToUndo = errors.New("there is nothing that it could undo")

// UndoRequest names a move or a change by the seq of any of its entries.
type UndoRequest struct {
	Seq int `json:"seq" form:"min=1,max=2147483647,required" doc:"of any entry of it, as in the log"`
}

// Undo undoes a move with all its effects, or a change of a character or of the settings. A game
// master may; players may undo their own changes of characters that they play. The entries stay in
// the log, as undone.
var Undo = Define(Spec[UndoRequest, view.Entry]{
	Name: "undo", Op: "undo",
	Route: Route{
		Method: "POST", Path: "/undo", Tag: "moves", Tool: "undo", Body: "UndoRequest",
		Summary: "Take back a move, or a change of a character or of the settings",
		Text: "By the seq of any of its entries. Everything becomes what it was before; the entries stay in the log, as undone. " +
			"Later entries that depend on it must be undone first: the problem then has the code later and names them. " +
			"What was done while a move waited, before it went on, is undone with it. " +
			"A game master may undo anything; a player their own changes of their own characters.",
		Example: map[string]any{"seq": 12, "key": "c40d"},
	},
	Key:   func(r UndoRequest) any { return r.Seq },
	Build: func(c Call, r UndoRequest) (ledger.Draft, error) { return undo(c.Eye, uint64(max(r.Seq, 0))) },
})

// undo builds the entry that undoes what an entry belongs to.
func undo(e *visibility.Eye, seq uint64) (ledger.Draft, error) {
	first, err := undoingOf(e, seq)
	if err != nil {
		return ledger.Draft{}, err
	}
	if m := first.Of; m != nil {
		return draft(e, view.KindUndone, moveUndone{ofMove{m.ID}})
	}
	d, err := draft(e, view.KindUndone, changeUndone{Seq: first.Seq})
	for _, by := range e.Table.Later(first) {
		if givesWay(e, by) {
			d.Content.Yields = append(d.Content.Yields, by.Of.ID)
		}
	}
	return d, err
}

func (moveUndone) judge(p *Proposal) error { return p.judgeUndo() }

func (changeUndone) judge(p *Proposal) error { return p.judgeUndo() }

// judgeUndo checks that the seat may undo what the record undoes, and that no later change depends
// on it.
func (p *Proposal) judgeUndo() error {
	first := p.Record.Undoes
	if !mayTakeBack(p.Eye, first) {
		return &refusal.ForbiddenError{}
	}
	if err := p.checkNothingAbove(first); err != nil {
		return err
	}
	if first.OfThing() {
		if removed, ok := first.Decoded[0].(thingRemoved); ok {
			if err := removed.checkRoom(p); err != nil {
				return err
			}
		}
	}
	if first.Facets&state.OfBeing != 0 && !isArrival(first) && len(p.Characters()) >= request.MaxCharacters {
		return &refusal.TooManyError{What: "characters", Max: request.MaxCharacters}
	}
	return nil
}

// checkNothingAbove refuses to undo what later changes depend on. Secret moves that the record
// cancels don't count.
func (p *Proposal) checkNothingAbove(first *state.Record) error {
	later := slices.DeleteFunc(p.Table.Later(first), func(by *state.Record) bool {
		return by.Of != nil && state.GaveWay(p.Record, by.Of.ID)
	})
	for _, since := range p.Table.Entangled(first.Since()) {
		if with := p.Table.Record(since); since != first.Since() && !mayTakeBack(p.Eye, with) {
			later = append(later, with)
		}
	}
	if len(later) > 0 {
		return laterError(p.Eye, later)
	}
	return nil
}

func (ev moveUndone) Lines(e *visibility.Eye) []view.Line {
	return append(e.Line(ev, "move-undone", nil, view.Data{"move": ev.Move}), ev.within(e)...)
}

// alsoUndone is the type of a line about what was undone with a move. It's never stored.
type alsoUndone struct{}

func (alsoUndone) Type() string { return "table.also-undone" }

// within returns lines about what was undone with it.
func (of ofMove) within(e *visibility.Eye) []view.Line {
	var lines []view.Line
	for _, since := range e.Table.Undone.With(e.Table.Move(of.Move).Seq) {
		if r := e.Table.Record(since); e.SeesEntry(r) {
			lines = append(lines, e.Line(alsoUndone{}, "also-undone", view.Data{"Move": laterText(e, r)},
				view.Data{"seq": since})...)
		}
	}
	return lines
}

// Lines shows which change was undone.
func (ev changeUndone) Lines(e *visibility.Eye) []view.Line {
	first, shown := ev.Target(e.Table), view.Data{"seq": ev.Seq}
	if first.Kind == view.KindSettings {
		return e.Line(ev, "settings-undone", nil, shown)
	}
	if thing, ok := first.Decoded[0].(thingEvent); ok {
		return e.Line(ev, first.Kind+"-undone", view.Data{"Name": nameFor(e, thing)}, shown)
	}
	var lines []view.Line
	for _, id := range first.Touched {
		if !e.Sees(id) {
			continue
		}
		word := "change-undone"
		if isArrival(first) {
			word = "arrival-undone"
		} else if first.Facets&state.OfBeing != 0 {
			word = "removal-undone"
		}
		lines = append(lines, e.Line(ev, word, view.Data{"Name": e.Name(id)}, view.Data{"seq": ev.Seq, "id": id})...)
	}
	return lines
}

// undoingOf returns the record that the seat asks to undo, by the seq of one of its entries.
func undoingOf(e *visibility.Eye, seq uint64) (*state.Record, error) {
	r := e.Table.Record(seq)
	if r == nil || !e.SeesEntry(r) {
		return nil, refusal.NoChoice("seq", strconv.FormatUint(seq, 10), nil)
	}
	switch {
	case !mayTakeBack(e, r):
		return nil, &refusal.ForbiddenError{}
	case !r.Undoable():
		return nil, refusal.Refuse("no-undo", nil)
	case e.Table.Undone.Has(r):
		return nil, refusal.Refuse("undone", nil)
	case r.Of != nil && e.Table.OpenMoves.Of(r.Of.ID) != nil:
		return nil, refusal.Refuse("open-to-undo", nil)
	case !e.Table.Remembers(r):
		return nil, refusal.Refuse("too-old-to-undo", view.Data{"N": view.MostTouches})
	}
	return r, nil
}

// mayTakeBack reports whether the seat may undo such a record in general.
func mayTakeBack(e *visibility.Eye, first *state.Record) bool {
	if e.Viewer.IsGM() {
		return true
	}
	return first.Kind == view.KindCharacter && first.Seat == e.Seat.ID &&
		!slices.ContainsFunc(first.Touched, func(id string) bool { return !e.Plays(id) })
}

// MayUndo reports whether Undo would succeed now, as far as the seat may know.
func MayUndo(e *visibility.Eye, first *state.Record) bool {
	if !MightUndo(e, first) || !e.Table.Remembers(first) {
		return false
	}
	for by := range e.Table.Above(first) {
		if e.SeesTouch(by) {
			return false
		}
	}
	return true
}

// MightUndo is MayUndo without the conditions that nothing depends on the record and that it isn't
// too old.
func MightUndo(e *visibility.Eye, r *state.Record) bool {
	return mayTakeBack(e, r) && r.Undoable() && !e.Table.Undone.Has(r) &&
		(r.Of == nil || e.Table.OpenMoves.Of(r.Of.ID) == nil)
}

// laterError lists what depends on a record, as far as the seat may know.
func laterError(e *visibility.Eye, later []*state.Record) error {
	err := &refusal.LaterError{}
	for _, r := range later {
		if e.SeesEntry(r) {
			err.Later = append(err.Later, refusal.Later{Seq: r.Seq, Move: r.Move, Text: laterText(e, r)})
		}
	}
	return err
}

// laterText names a record in the reader's language.
func laterText(e *visibility.Eye, r *state.Record) string {
	seq := strconv.FormatUint(r.Seq, 10)
	switch {
	case r.Of != nil:
		return e.MoveText(r.Of)
	case r.Kind == view.KindSettings:
		return e.Voice.Say("table.later.settings", "Seq", seq)
	case r.OfThing():
		return e.Voice.Say("table.later."+r.Kind, "Name", nameFor(e, r.Decoded[0].(thingEvent)), "Seq", seq)
	}
	name := ""
	for _, id := range r.Touched {
		name = e.Name(id)
	}
	return e.Voice.Say("table.later.change", "Name", name, "Seq", seq)
}
