package ledger

import (
	"slices"

	"norn/game"
)

// Vocabulary is what can be said of a table in entries of its own, other than moves and answers,
// whose events are the game's.
type Vocabulary struct {
	Kinds  map[string]Kind
	Events *game.Game // reads them back, as a game does its own
}

// NewVocabulary makes a vocabulary of kinds by their names.
func NewVocabulary(kinds map[string]Kind) *Vocabulary {
	v := &Vocabulary{Kinds: kinds, Events: &game.Game{}}
	for _, k := range kinds {
		v.Events.Events = append(v.Events.Events, slices.Concat(k.Acts, k.With)...)
	}
	return v
}

// Kind is a kind of entries of the table's own.
type Kind struct {
	Acts    Types // one of which it says first, and which answers for all
	With    Types // that come with it, in turn
	Nobody  bool  // no seat makes it
	Whisper bool  // it may be kept among game masters and who makes it
	Apart   bool  // only those know of it to whom it has something to tell
	Story   bool  // it's part of a table's story
	Yields  bool  // moves may give way to it
	Silent  bool  // nobody is told of it: it's there for others to name
}

// Types are types of acts.
type Types []game.EventType

func (t Types) has(event string) bool {
	return slices.ContainsFunc(t, func(a game.EventType) bool { return a.Type == event })
}
