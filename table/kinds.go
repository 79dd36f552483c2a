package table

import (
	"errors"
	"slices"

	"norn/game"
	"norn/rule"
)

// vocabulary is what can be said of a table in entries of its own, other than moves and answers, whose events are the game's.
type vocabulary struct {
	kinds  map[string]kind
	events *game.Game // reads them back, as a game does its own
}

func newVocabulary(kinds map[string]kind) *vocabulary {
	v := &vocabulary{kinds: kinds, events: &game.Game{}}
	for _, k := range kinds {
		v.events.Events = append(v.events.Events, slices.Concat(k.acts, k.with)...)
	}
	return v
}

// Some of what an entry says has more to it than what it says.
type (
	// restoring has members that the game reads.
	restoring interface {
		restore(st *state) (rule.Event, error)
	}
	// finding is about something that must be there for the entry to be read at all.
	finding interface {
		find(b ledger, r *record) error
	}
	// playing is about a game, as the first entry is, which no other precedes.
	playing interface{ plays() *game.Game }
	// concerning is about a move, or known to game masters alone.
	concerning interface {
		about(b ledger) (move string, secret bool)
	}
)

// kind is a kind of entries of the table's own.
type kind struct {
	acts    types // one of which it says first, and which answers for all
	with    types // that come with it, in turn
	nobody  bool  // no seat makes it
	whisper bool  // it may be kept among game masters and who makes it
	apart   bool  // only those know of it to whom it has something to tell
	story   bool  // it's part of a table's story
	yields  bool  // moves may give way to it
}

type types []game.EventType

func (t types) has(event string) bool {
	return slices.ContainsFunc(t, func(a game.EventType) bool { return a.Type == event })
}

// decodeOwn holds an entry of the table's own to the events that its kind has, and to nothing of a move.
func (b ledger) decodeOwn(r *record) error {
	of, known := b.words.kinds[r.Kind]
	if !known {
		return unknown("entries of the kind %q are not known", r.Kind)
	}
	if len(r.events) != 1+len(of.with) || len(r.Steps) > 0 || r.Opening != nil || r.Outcome != nil || len(r.Asks) > 0 || r.Answers != "" || !r.Done || r.Luck != "" {
		return errOtherEvents
	}
	for i, stored := range r.Events {
		allowed := of.acts
		if i > 0 {
			allowed = of.with[i-1 : i]
		}
		if !allowed.has(stored.Type) || stored.Part != "" || stored.N != i {
			return errOtherEvents
		}
	}
	if finds, ok := r.events[0].(finding); ok {
		return finds.find(b, r)
	}
	return nil
}

var errOtherEvents = errors.New("its events aren't those of its kind")
