package visibility

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/view"
)

// SeesEntry reports whether the seat may know of a record.
func (e *Eye) SeesEntry(r *state.Record) bool {
	if e.Table.Vocabulary.Kinds[r.Kind].Silent {
		return false
	}
	if e.Viewer.IsGM() {
		return true
	}
	if e.Table.IsSecret(r) {
		return r.Kind == view.KindTalk && e.Seat.ID != "" &&
			(r.Seat == e.Seat.ID || r.Decoded[0].(whisperer).WhisperedTo() == e.Seat.ID)
	}
	if r.Undoes != nil {
		return e.SeesEntry(r.Undoes)
	}
	if !e.Table.Vocabulary.Kinds[r.Kind].Apart {
		return true
	}
	return slices.ContainsFunc(r.Decoded, func(event rule.Event) bool { return len(OwnLines(e, event)) > 0 })
}

// whisperer is a message, which may be to one seat.
type whisperer interface{ WhisperedTo() string }

// WithoutUnseen returns the values of a form without characters that the seat doesn't see. A
// reference that isn't a character's id is a place on a sheet and stays. It doesn't change filled.
func (e *Eye) WithoutUnseen(fields []form.Field, filled map[string]any) map[string]any {
	seen, own := filled, false
	put := func(name string, value any) {
		if !own {
			seen, own = maps.Clone(filled), true
		}
		seen[name] = value
	}
	for i := range fields {
		f := &fields[i]
		if f.GM && !e.Viewer.IsGM() {
			if value, there := filled[f.Name]; !there || !reflect.DeepEqual(value, f.Default) {
				put(f.Name, f.Default)
			}
			continue
		}
		switch value := filled[f.Name].(type) {
		case string:
			if f.Kind.IsRef() && e.hidden(value) {
				put(f.Name, "")
			}
		case []string:
			if slices.ContainsFunc(value, e.hidden) {
				put(f.Name, slices.DeleteFunc(slices.Clone(value), e.hidden))
			}
		case map[string]any:
			put(f.Name, e.WithoutUnseen(f.Fields, value))
		case []map[string]any:
			items := slices.Clone(value)
			for i, item := range items {
				items[i] = e.WithoutUnseen(f.Fields, item)
			}
			put(f.Name, items)
		}
	}
	return seen
}

// SeesThrow reports whether the seat sees a throw of a move that it sees.
func (e *Eye) SeesThrow(m *state.Move, t rule.Throw) bool {
	return m.Def == &game.Plain || e.Table.Game.View.SeesThrow(e.Viewer, e.Table.Settings, t)
}

// Resolution returns the outcome of a roll as the game shows it to the seat; false for not at all.
func (e *Eye) Resolution(m *state.Move, told game.Resolved) (game.Resolved, bool) {
	if m.Def == &game.Plain {
		return told, true
	}
	event, ok := e.Event(told)
	if !ok {
		return told, false
	}
	told, ok = event.(game.Resolved)
	return told, ok
}

// lineTeller is an act that has lines in the log.
type lineTeller interface{ Lines(e *Eye) []view.Line }

// OwnLines returns the lines that a seat sees of an act.
func OwnLines(e *Eye, event rule.Event) []view.Line { return event.(lineTeller).Lines(e) }

// SeesOdds reports whether the seat may ask for a move's odds.
func (e *Eye) SeesOdds(def *game.Move) bool {
	return def.Price != nil && (def == &game.Plain || e.Table.Game.View.SeesOdds(e.Viewer, e.Table.Settings, def.ID))
}

// SeesTouch reports whether the seat may know of what touched a character.
func (e *Eye) SeesTouch(t state.Touch) bool {
	switch {
	case e.Viewer.IsGM():
		return true
	case t.Move:
		return !t.Secret || e.Table.ShownMoves[state.MoveID(t.By)]
	}
	return e.SeesEntry(e.Table.Record(t.By))
}

// MoveText returns a move's name with its number, in the reader's language.
func (e *Eye) MoveText(m *state.Move) string {
	seq, what := strconv.FormatUint(m.Seq, 10), e.Word("move", m.Def.ID)
	if m.Actor != "" {
		return e.Voice.Say("table.later.move-of", "Name", e.Name(m.Actor), "Move", what, "Seq", seq)
	}
	return e.Voice.Say("table.later.move", "Move", what, "Seq", seq)
}
