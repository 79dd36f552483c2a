package state

import (
	"slices"

	"norn/game"
	"norn/journal"
	"norn/rule"
	"norn/table/view"
)

// Record is a decoded entry. It doesn't change after it was folded.
type Record struct {
	journal.Entry // without its body
	*Decoding

	Edition      string                // id of its edition
	Of           *Move                 // the move that it belongs to
	ThrowsBefore map[string]int        // number of earlier throws by part; a part without any is missing
	Throwers     map[string]rule.Event // by part, the last earlier event that says who rolls, if it isn't the actor
	Result       *rule.Outcome         // outcome in it; nearly always points to came
	came         rule.Outcome
	HeadlineAt   int // index of the event with that outcome, -1 for none

	Yielded []*Move // moves that it cancels
	Undoes  *Record // the first record of what it undoes
	// records that the current session's tallies stop counting, or count differently; only until
	// it's folded
	Uncounted []*Record
	Reverted  []string // characters that it changed back
	Touched   []string // characters that it changes, if it isn't of a move
	Facets    Facet    // what of them it changes
}

// Decoding is the content of an entry.
type Decoding struct {
	EntryBody
	Args     any // of an opening
	Decoded  []rule.Event
	Parts    map[int]string // parts of those events that say something about the dice of a part
	LuckView view.Luck      // computed from the body's Luck; empty if that is ""
}

// Since returns the first seq of what a record is about: of its move, or its own.
func (r *Record) Since() uint64 {
	if r.Of != nil {
		return r.Of.Seq
	}
	return r.Seq
}

// toucher is an act that changes characters: which ones, and which facets.
type toucher interface{ Touches() ([]string, Facet) }

// NewRecord returns an entry with its content, but without what that refers to.
func NewRecord(e journal.Entry, s *Decoding) *Record {
	e.Body = nil
	r := &Record{Entry: e, Decoding: s, Edition: s.EntryBody.edition(), HeadlineAt: -1}
	switch r.Kind {
	case view.KindMove, view.KindAnswer:
		r.Facets = OfSheet
	case view.KindCharacter:
		if len(s.Decoded) > 0 {
			if ev, ok := s.Decoded[0].(toucher); ok {
				r.Touched, r.Facets = ev.Touches()
			}
		}
	}
	return r
}

// FindParts notes the parts of events that turn a die, or say who rolls or how dice count. It
// leaves out those that say the default: the actor, in the main part.
func (s *Decoding) FindParts() {
	for i, event := range s.Decoded {
		switch event := event.(type) {
		case game.FaceTurner:
			if was, _ := event.TurnedFace(); was == 0 {
				continue
			}
		case game.DiceEvent:
			_, marks := event.(game.Marked)
			if _, some := event.(game.SomeDice); s.Opening != nil && event.Thrower() == s.Opening.Actor && !some &&
				(!marks || s.Events[i].Part == "") {
				continue
			}
		default:
			continue
		}
		if s.Parts == nil {
			s.Parts = map[int]string{}
		}
		s.Parts[i] = s.Events[i].Part
	}
}

// Undoable reports whether a first record made changes that can be undone: of sheets, names,
// owners, settings or things such as clocks.
func (r *Record) Undoable() bool {
	return r.Of != nil || r.Kind == view.KindSettings || r.OfThing() || r.Kind == view.KindCharacter &&
		len(r.Touched) > 0
}

// OfThing reports whether a record changed a thing that game masters keep.
func (r *Record) OfThing() bool {
	return r.Kind == view.KindClock || r.Kind == view.KindScene || r.Kind == view.KindList
}

// GaveWay reports whether a record cancels a move.
func GaveWay(r *Record, id string) bool {
	return slices.ContainsFunc(r.Yielded, func(m *Move) bool { return m.ID == id })
}
