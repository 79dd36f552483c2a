package projection

import (
	"maps"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// ChangesSeenSheet reports whether a record that the seat may not see has changed a sheet that it
// sees, or saw before.
func ChangesSeenSheet(e *visibility.Eye, r *state.Record) bool {
	switch {
	case r.Undoes == nil:
		return seesChange(e, r) || r.Of == nil && slices.ContainsFunc(r.Touched, func(id string) bool {
			return changesSeen(e, e.Table.Characters.Of(id), r)
		})
	case r.Undoes.Of == nil:
		return slices.ContainsFunc(r.Undoes.Touched, func(id string) bool {
			return e.Sees(id) || givesTo(r.Undoes, id, e.Seat)
		})
	}
	for _, of := range e.Table.RecordsOf(r.Undoes.Of) {
		if seesChange(e, of) {
			return true
		}
	}
	return false
}

// givesTo reports whether a record makes a seat the owner of a character.
func givesTo(r *state.Record, id string, to *state.Seat) bool {
	return slices.ContainsFunc(r.Decoded, func(event rule.Event) bool {
		change, ok := event.(act.CharacterChanged)
		return ok && change.ID == id && change.Owner != nil && *change.Owner == to.ID
	})
}

// changesSeen reports whether a record changed what the seat sees of a character: the character
// itself, its sheet, or the moves that it's offered.
func changesSeen(e *visibility.Eye, c *state.Character, r *state.Record) bool {
	i := c.TouchedBy(r.Seq)
	if i < 0 { // undone since
		return e.SeesCharacter(c)
	}
	now := state.Touch{Sheet: c.Sheet, Owner: c.Owner}
	if i+1 < len(c.Past) {
		now = c.Past[i+1]
	}
	before, saw := seenAsOf(e, c, c.Past[i])
	after, sees := seenAsOf(e, c, now)
	return saw != sees || saw && !reflect.DeepEqual(before, after)
}

// seenAsOf returns what the seat would see of a character at an earlier touch: the sheet and the
// offered moves, and whether it would see the character at all.
func seenAsOf(e *visibility.Eye, c *state.Character, was state.Touch) ([]any, bool) {
	then, st := *c, *e.Table.State
	then.Sheet = was.Sheet
	st.Characters = slices.Clone(st.Characters)
	st.Characters[slices.Index(st.Characters, c)] = &then
	past := *e
	past.Table.State = &st
	past.Sheets = nil
	past.Viewer.Owns = maps.Clone(e.Viewer.Owns)
	if past.Viewer.Owns == nil {
		past.Viewer.Owns = map[string]bool{}
	}
	past.Viewer.Owns[c.ID] = was.Owner == e.Seat.ID
	return []any{past.Sheet(&then), offeredForms(&past, &then)}, past.SeesCharacter(&then)
}

// seesChange reports whether a record's events changed a sheet or a clock that the seat sees.
func seesChange(e *visibility.Eye, r *state.Record) bool {
	return slices.ContainsFunc(r.Decoded, func(event rule.Event) bool {
		change, ok := game.AsChange(event)
		return ok && e.Sees(change.Whose())
	}) || ticksSeenClock(e, r)
}

// UndoabilityChanged returns the seqs of changes that a record is the first to depend on, or that
// nothing depends on any more since it undid the last. Whether they may be undone has changed.
func UndoabilityChanged(e *visibility.Eye, r *state.Record) []uint64 {
	of, touched, facets := r, e.Table.Characters.TouchedSince(r.Since()), r.Facets
	switch {
	case r.Undoes != nil:
		of, touched, facets = r.Undoes, r.Reverted, r.Undoes.Facets
	case r.Kind == view.KindEdition:
		touched, facets = r.Reverted, state.OfSheet
	}
	seqs := slices.Clone(act.RewordedEntries(r))
	for _, id := range touched {
		c := e.Table.Characters.Of(id)
		past := c.Past
		if i := c.TouchedBy(of.Since()); i >= 0 {
			past = past[:i]
		}
		rest := facets
		for _, t := range slices.Backward(past) {
			if t.Facets&rest != 0 && !t.Move && !slices.Contains(seqs, t.By) {
				seqs = append(seqs, t.By)
			}
			if e.SeesTouch(t) { // an entry that the seat may not know of doesn't count
				rest &^= t.Facets
			}
			if rest == 0 {
				break
			}
		}
	}
	if thing := act.ThingOf(of); thing != "" {
		seqs = append(seqs, e.Table.ThingChangesBefore(of.Seq, []string{thing})...)
	} else {
		seqs = append(seqs, e.Table.ThingChangesBefore(of.Since(), e.Table.ThingsChangedBy(of.Since()))...)
	}
	if of.Kind == view.KindSettings {
		for _, t := range slices.Backward(e.Table.Configured) {
			if t.By < of.Seq {
				seqs = append(seqs, t.By)
				break
			}
		}
	}
	return seqs
}

// LastSeen returns the seq of the last entry that the seat may see, and that of the last entry that
// it noticed, if only by a change of its view.
func LastSeen(e *visibility.Eye) (seq, told uint64) {
	for r := range e.Table.Before(e.Table.Seq+1, ledger.FewestRecent) {
		if e.SeesEntry(r) {
			return r.Seq, max(told, r.Seq)
		}
		if told == 0 && ChangesSeenSheet(e, r) {
			told = r.Seq
		}
	}
	return 0, told
}

// offeredForms returns the forms of the moves with a character that the seat plays but may not see
// completely, such as a game master's: their options may depend on what it doesn't see.
func offeredForms(e *visibility.Eye, c *state.Character) (forms [][]form.Field) {
	if kind, ok := e.Table.Game.Kind(c.Kind); !ok || kind.Player || e.Viewer.IsGM() || !e.Plays(c.ID) {
		return nil
	}
	for i := range e.Table.Game.Moves {
		if def := &e.Table.Game.Moves[i]; slices.Contains(def.Kinds, c.Kind) && act.OffersMove(e, def) {
			forms = append(forms, act.MoveForm(e, def, c.ID).Fields)
		}
	}
	return forms
}
