package state

import (
	"slices"

	"norn/game"
	"norn/journal"
	"norn/rule"
	"norn/table/view"
)

// Record is an entry, decoded. Once it has been folded in it doesn't change.
type Record struct {
	journal.Entry // without its body
	*Decoding

	Edition      string                // by its id
	Of           *Move                 // that it belongs to
	ThrowsBefore map[string]int        // how many throws each part had before; none where it isn't there
	Throwers     map[string]rule.Event // that told before whose dice fall in its parts, where it isn't who acts
	Result       *rule.Outcome         // that came out with it; nearly always came
	came         rule.Outcome
	HeadlineAt   int // which of its events told that outcome, -1 for none

	Yielded []*Move // that give way to it
	Undoes  *Record // the first record of what it takes back
	// of the session that lasts: records that count no more since, or otherwise; till it's folded
	// in
	Uncounted []*Record
	Reverted  []string // characters out of whose past it took something
	Touched   []string // of a character's change: in whose past it stands
	Facets    Facet    // by which
}

// Decoding is what an entry says.
type Decoding struct {
	EntryBody
	Args     any // of an opening
	Decoded  []rule.Event
	Parts    map[int]string // of the events that say something of a part's dice
	LuckView view.Luck      // reckoned from the body's; none where that is ""
}

// Since is the seq with which what a record is about began: its move, or itself.
func (r *Record) Since() uint64 {
	if r.Of != nil {
		return r.Of.Seq
	}
	return r.Seq
}

// toucher is an act that changes characters: which, and by which facets.
type toucher interface{ Touches() ([]string, Facet) }

// NewRecord is an entry with what it says, and nothing yet of what that is about.
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

// FindParts finds the parts of the events that turn a die or tell whose dice
// they are and how they count, where an opening doesn't say it: who acts, in the
// main part.
func (s *Decoding) FindParts() {
	for i, event := range s.Decoded {
		switch event := event.(type) {
		case game.FaceTurner:
			if was, _ := event.TurnedFace(); was == 0 {
				continue
			}
		case game.DiceEvent:
			_, marks := event.(game.Marked)
			if s.Opening != nil && event.Thrower() == s.Opening.Actor && (!marks || s.Events[i].Part == "") {
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

// Undoable tells whether a first record changed something that can be taken
// back: sheets, names, players, settings, clocks.
func (r *Record) Undoable() bool {
	return r.Of != nil || r.Kind == view.KindSettings || r.Kind == view.KindClock || r.Kind == view.KindCharacter &&
		len(r.Touched) > 0
}

// GaveWay tells whether a move gives way to a record.
func GaveWay(r *Record, id string) bool {
	return slices.ContainsFunc(r.Yielded, func(m *Move) bool { return m.ID == id })
}
