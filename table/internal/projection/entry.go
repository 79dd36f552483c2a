// Package projection makes everything that one seat sees: views, entries, questions, advice, odds,
// luck, stories, searches. No other package does.
//
// A projection is of one revision and one seat's Eye, and has nothing that the seat may not know.
// Nothing here changes a table, and no act or check depends on what is shown.
package projection

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Entry returns what a seat sees of a record; nil for nothing. No other function makes entries.
func Entry(e *visibility.Eye, r *state.Record) *view.Entry {
	if !e.SeesEntry(r) {
		return nil
	}
	shown := &view.Entry{
		Seq: r.Seq, Time: r.Time, Kind: r.Kind,
		Seat: view.Author{ID: r.Seat, Name: e.Table.Seats.Name(r.Seat), Agent: r.Agent}, Move: r.Move,
		Throws: []view.Throw{}, Lines: []view.Line{}, Questions: []view.Asked{}, Done: r.Done,
		Secret: e.Table.IsSecret(r), Rules: r.Rules, Edition: r.Edition,
	}
	showUndo(e, r, shown)
	if said, ok := act.Speech(r); ok {
		if e.Sees(said.Character) {
			shown.Character = said.Character
		}
		if to := e.Table.Seats.Of(said.To); to != nil {
			shown.To = &view.Author{ID: to.ID, Name: to.Name}
		}
	}
	if r.Of == nil {
		for _, event := range r.Decoded {
			shown.Lines = append(shown.Lines, visibility.OwnLines(e, event)...)
		}
		showYields(e, r, shown)
		return shown
	}
	m := r.Of
	shown.Name = m.Def.ID
	if e.Sees(m.Actor) {
		shown.Character = m.Actor
	}
	all := sharedPartsOf(e.Table, r)
	if r.Kind == view.KindMove {
		fields := m.Def.Form.For(form.AtTable).WithoutAssumed().Fields
		shown.Args = withoutSealed(e, m, fields, e.WithoutUnseen(fields, all.args))
		shown.Takes = m.Offer
	}
	shown.Throws = throwsSeen(e, r, all.throws)
	if slices.ContainsFunc(shown.Throws, func(t view.Throw) bool { return !t.Hand }) {
		shown.Check = all.check
	}
	if r.Result != nil {
		shown.Outcome = all.outcomeSeen(e, r)
	}
	if shown.Outcome != nil {
		shown.Luck = luckSeen(e, r)
	}
	shown.Lines = linesOf(e, r, all)
	u := e.Table.OpenMoves.Of(m.ID)
	for _, a := range r.Asks {
		asked := view.Asked{To: e.Addressee(a.To)}
		if e.MayAnswer(m, a.To) {
			asked.ID = state.QuestionID(m, a.Place)
		}
		asked.Open = u != nil && slices.ContainsFunc(u.Pending, func(o rule.Open) bool { return o.Place() == a.Place })
		shown.Questions = append(shown.Questions, asked)
	}
	if r.Kind == view.KindAnswer {
		showAnswer(e, r, shown)
	}
	showYields(e, r, shown)
	return shown
}

// authorsEntry caches an entry as its author saw it at a revision.
type authorsEntry struct {
	record  *state.Record
	seq     uint64
	speaker lang.Speaker
	entry   *view.Entry
}

// EntryOnce is Entry for an author, who gets an entry twice, as the response and by the live
// stream: it's made once. The result must not be changed.
func EntryOnce(e *visibility.Eye, r *state.Record) *view.Entry {
	own := r.Seat == e.Seat.ID
	if own {
		if last, _ := e.Table.Shared.AuthorsEntry.Load().(*authorsEntry); last != nil && last.record == r &&
			last.seq == e.Table.Seq && last.speaker == e.Voice.Speaker {
			e.Table.Shared.AuthorsEntry.CompareAndSwap(last, (*authorsEntry)(nil)) // nobody needs it a third time
			return last.entry
		}
	}
	shown := Entry(e, r)
	if shown != nil && own { // clipped, so that appending to a copy leaves it unchanged
		shown.Throws, shown.Lines, shown.Questions = slices.Clip(shown.Throws), slices.Clip(shown.Lines),
			slices.Clip(shown.Questions)
		e.Table.Shared.AuthorsEntry.Store(&authorsEntry{r, e.Table.Seq, e.Voice.Speaker, shown})
	}
	return shown
}

// showUndo shows what an entry undoes, whether it was undone, and whether the seat may undo it.
func showUndo(e *visibility.Eye, r *state.Record, shown *view.Entry) {
	if r.Undoes != nil {
		shown.Undoes = r.Undoes.Seq
		if m := r.Undoes.Of; m != nil {
			shown.Name = m.Def.ID
			if e.Sees(m.Actor) {
				shown.Character = m.Actor
			}
		}
		return
	}
	shown.MayUndo = act.MayUndo(e, r)
	shown.TooOld = !shown.MayUndo && act.MightUndo(e, r) && !e.Table.Remembers(r)
	shown.MayCancel = r.Of != nil && act.MayCancel(e, r.Of)
	if by := e.Table.Record(e.Table.Undone.By(r.Since())); by != nil {
		direct := by.Undoes != nil && by.Undoes.Seq == r.Since()
		shown.Undone = &view.Undone{
			Seq: by.Seq, Time: by.Time, Seat: view.Author{ID: by.Seat, Name: e.Table.Seats.Name(by.Seat)},
			Cancelled: !direct || by.Kind == view.KindCancelled, Yielded: !direct && by.Kind != view.KindEdition,
		}
	}
}

// showAnswer shows which question was answered. The answer itself is for its author and, once the
// move collects no more sealed answers, for GMs.
func showAnswer(e *visibility.Eye, r *state.Record, shown *view.Entry) {
	step := r.Steps[0]
	switch {
	case step.Dice != nil:
		shown.Question = rule.DiceQuestion
	case step.Answer != nil:
		shown.Question = step.Answer.Question
		u := e.Table.OpenMoves.Of(r.Of.ID)
		if e.Viewer.IsGM() && (u == nil || !u.IsSealed()) || r.Seat == e.Seat.ID {
			shown.Answer = step.Answer.Value
		}
	}
}

// sharedParts are the parts of a record that are the same for all seats that may see it. They must
// not be changed. Every seat gets a new move, so they're cached.
type sharedParts struct {
	seq, by uint64         // of the record, and of the state
	args    map[string]any // of an opening, complete
	throws  []view.Throw   // of the whole record
	check   *view.Check
	data    []json.RawMessage // of unredacted events; nil for events that can't be compared with what a seat sees
	texts   []atomic.Pointer[wording]
	outcome atomic.Pointer[wordedOutcome] // of the move, as the last seat saw it
}

// wordedOutcome is an outcome in words for a speaker, for those who see the same of it.
type wordedOutcome struct {
	speaker lang.Speaker
	seen    game.Resolved
	shown   *view.Outcome
}

// wording is the text of an unredacted event for a speaker and names.
type wording struct {
	speaker lang.Speaker
	names   []string // ids and names, alternating
	text    string
}

// textOf returns the text of an event that the seat sees unredacted. It reuses another seat's text
// if that is the same: only the speaker and the names matter.
func textOf(e *visibility.Eye, event rule.Event, last *atomic.Pointer[wording]) string {
	if t := last.Load(); t != nil && t.speaker == e.Voice.Speaker && knowsNames(e, t.names) {
		return t.text
	}
	now := &wording{speaker: e.Voice.Speaker}
	now.text, _ = game.Voice{Speaker: e.Voice.Speaker, Game: e.Voice.Game, Name: func(id string) string {
		name := e.Name(id)
		now.names = append(now.names, id, name)
		return name
	}}.Speak(event)
	last.Store(now)
	return now.text
}

// knowsNames reports whether the seat knows these characters by these names.
func knowsNames(e *visibility.Eye, names []string) bool {
	for pair := range slices.Chunk(names, 2) {
		if e.Name(pair[0]) != pair[1] {
			return false
		}
	}
	return true
}

// sharedPartsOf returns the parts of a move's record that are the same for all seats, made once for
// each revision.
func sharedPartsOf(st ledger.Ledger, r *state.Record) *sharedParts {
	last, _ := st.Shared.SharedParts.Load().(*sharedParts)
	if last == nil || last.seq != r.Seq || last.by != st.Seq {
		last = &sharedParts{
			seq: r.Seq, by: st.Seq, throws: allThrows(st, r), check: checkOf(st.State, r.Of),
			data: make([]json.RawMessage, len(r.Decoded)), texts: make([]atomic.Pointer[wording], len(r.Decoded)),
		}
		for i, event := range r.Decoded {
			if i != r.HeadlineAt && isComparable(reflect.TypeOf(event)) {
				last.data[i] = state.JSON(event)
			}
		}
		if r.Kind == view.KindMove {
			last.args = r.Of.Def.Form.For(form.AtTable).WithoutAssumed().Fill(r.Of.Args)
		}
		st.Shared.SharedParts.Store(last)
	}
	return last
}

// comparables caches isComparable, since looking at a type's fields allocates.
var comparables sync.Map // of reflect.Type, bool

// isComparable reports whether all values of a type can be compared: it has no slice, map, function
// or interface.
func isComparable(t reflect.Type) bool {
	if known, ok := comparables.Load(t); ok {
		return known.(bool)
	}
	is := t.Comparable() && t.Kind() != reflect.Interface
	switch t.Kind() {
	case reflect.Array:
		is = is && isComparable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			is = is && isComparable(t.Field(i).Type)
		}
	}
	comparables.Store(t, is)
	return is
}

// withoutSealed removes the actor's sealed arguments while others still give theirs. It doesn't
// change filled.
func withoutSealed(e *visibility.Eye, m *state.Move, fields []form.Field, filled map[string]any) map[string]any {
	if u := e.Table.OpenMoves.Of(m.ID); u == nil || !u.IsSealed() || e.Plays(m.Actor) {
		return filled
	}
	seen := maps.Clone(filled)
	for i := range fields {
		if fields[i].Sealed {
			delete(seen, fields[i].Name)
		}
	}
	return seen
}

// linesOf returns the events of a move's record as the game shows them to the seat, without the
// move's own outcome. all is what all seats share.
func linesOf(e *visibility.Eye, r *state.Record, all *sharedParts) []view.Line {
	lines := make([]view.Line, 0, len(r.Decoded))
	for i, event := range r.Decoded {
		if i == r.HeadlineAt {
			continue
		}
		if told, ok := event.(game.Resolved); ok {
			if o := outcomeSeen(e, r.Of, told); o != nil {
				told, _ = e.Resolution(r.Of, told)
				lines = append(lines, view.Line{
					Type: game.TypeOf(event), Outcome: o, Data: state.JSON(told),
					Text: e.Voice.Say("table.event.resolved", "Name", e.Name(told.Who), "Outcome", o.Text),
				})
			}
			continue
		}
		switch event.(type) {
		case game.OfferMade, game.RolledBy: // see offersSeen and throwsSeen
			continue
		}
		seen, ok := e.Event(event)
		if !ok {
			continue
		}
		line := view.Line{Type: game.TypeOf(seen)}
		if all.data[i] != nil && seen == event {
			line.Data = all.data[i]
			line.Text = textOf(e, seen, &all.texts[i])
		} else {
			line.Data = state.JSON(seen)
			line.Text, _ = e.Voice.Speak(seen)
		}
		if part, ok := r.Parts[i]; ok {
			if turned, ok := seen.(game.FaceTurner); ok {
				was, is := turned.TurnedFace()
				line.Turned = &view.Turned{Part: part, Was: was, Is: is}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// showYields adds to an entry the moves that it cancelled: secret ones for game masters, those that
// a newer edition couldn't continue for all who know of them.
func showYields(e *visibility.Eye, r *state.Record, shown *view.Entry) {
	word := "move-yielded"
	if r.Kind == view.KindEdition {
		word = "edition-cancels"
	}
	for _, m := range r.Yielded {
		if e.Viewer.IsGM() || r.Kind == view.KindEdition && !e.Table.SecretMove(m) {
			shown.Yields = append(shown.Yields, m.ID)
			shown.Lines = append(shown.Lines,
				e.Line(act.MoveYielded{}, word, view.Data{"Move": e.MoveText(m)}, view.Data{"move": m.ID})...)
		}
	}
}
