package ledger

import (
	"errors"
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/refusal"
)

// vocabulary is what can be said of a table in entries of its own, other than moves and answers, whose events are the game's.
type vocabulary struct {
	Kinds  map[string]Kind
	Events *game.Game // reads them back, as a game does its own
}

func NewVocabulary(kinds map[string]Kind) *vocabulary {
	v := &vocabulary{Kinds: kinds, Events: &game.Game{}}
	for _, k := range kinds {
		v.Events.Events = append(v.Events.Events, slices.Concat(k.Acts, k.With)...)
	}
	return v
}

// Some of what an entry says has more to it than what it says.
type (
	// restoring has members that the game reads.
	restoring interface {
		Restore(st *state.State) (rule.Event, error)
	}
	// finding is about something that must be there for the entry to be read at all.
	finding interface {
		Find(b Ledger, r *state.Record) error
	}
	// playing is about a game, as the first entry is, which no other precedes.
	playing interface{ Plays() *game.Game }
	// concerning is about a move, or known to game masters alone.
	Concerning interface {
		About(b Ledger) (move string, secret bool)
	}
)

// kind is a kind of entries of the table's own.
type Kind struct {
	Acts    Types // one of which it says first, and which answers for all
	With    Types // that come with it, in turn
	Nobody  bool  // no seat makes it
	Whisper bool  // it may be kept among game masters and who makes it
	Apart   bool  // only those know of it to whom it has something to tell
	Story   bool  // it's part of a table's story
	Yields  bool  // moves may give way to it
}

type Types []game.EventType

func (t Types) has(event string) bool {
	return slices.ContainsFunc(t, func(a game.EventType) bool { return a.Type == event })
}

// decodeOwn holds an entry of the table's own to the events that its kind has, and to nothing of a move.
func (b Ledger) decodeOwn(r *state.Record) error {
	of, known := b.Words.Kinds[r.Kind]
	if !known {
		return refusal.Unknown("entries of the kind %q are not known", r.Kind)
	}
	if len(r.Decoded) != 1+len(of.With) || len(r.Steps) > 0 || r.Opening != nil || r.Outcome != nil || len(r.Asks) > 0 || r.Answers != "" || !r.Done || r.Luck != "" {
		return errOtherEvents
	}
	for i, stored := range r.Events {
		allowed := of.Acts
		if i > 0 {
			allowed = of.With[i-1 : i]
		}
		if !allowed.has(stored.Type) || stored.Part != "" || stored.N != i {
			return errOtherEvents
		}
	}
	if finds, ok := r.Decoded[0].(finding); ok {
		return finds.Find(b, r)
	}
	return nil
}

var errOtherEvents = errors.New("its events aren't those of its kind")
