package ledger

import (
	"slices"

	"norn/game"
)

// Vocabulary lists the kinds of entries and their events, except moves and answers, whose events
// belong to the game.
type Vocabulary struct {
	Kinds  map[string]Kind
	Events *game.Game // decodes them, as a game decodes its events
}

// NewVocabulary returns a vocabulary of kinds by their names.
func NewVocabulary(kinds map[string]Kind) *Vocabulary {
	v := &Vocabulary{Kinds: kinds, Events: &game.Game{}}
	for _, k := range kinds {
		v.Events.Events = append(v.Events.Events, slices.Concat(k.Acts, k.With)...)
	}
	return v
}

// Kind is a kind of entry that isn't of a move.
type Kind struct {
	Acts    Types // one of these is its first event, which decides about the entry
	With    Types // the further events, in this order
	Nobody  bool  // it has no seat as author
	Whisper bool  // only its author and game masters may see it, if it's secret
	Apart   bool  // only seats that get a line from it see it
	Story   bool  // it's part of the story
	Yields  bool  // it may cancel secret moves
	Silent  bool  // no seat sees it; other entries refer to it
}

// Types lists types of events.
type Types []game.EventType

func (t Types) has(event string) bool {
	return slices.ContainsFunc(t, func(a game.EventType) bool { return a.Type == event })
}
