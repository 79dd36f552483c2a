package state

import (
	"slices"

	"norn/game"
	"norn/rule"
)

// A move may have somebody join who is named by an answer (game.Name). From then on the move holds them, and their past knows of it: their
// sheet is what it was just before that entry, and undoing goes back to that. The answer itself says who it is, so its entry says nothing more.

// Has tells whether a move touches a character.
func (m *Underway) Has(id string) bool {
	return slices.Contains(m.Cast, id) || slices.Contains(m.Joined, id)
}

// JoinedBy is the move once those have joined whom a step names, by their sheets as they stand.
func (m *Underway) JoinedBy(st *State, step rule.Step) *Underway {
	ids := slices.DeleteFunc(m.Def.Joining(step), m.Has)
	if len(ids) == 0 {
		return m
	}
	joined := *m
	joined.Joined = slices.Concat(m.Joined, ids)
	joined.Scene = m.Scene.Joined(Met(st.Characters.named(ids))...)
	return &joined
}

// Met are characters as rules meet them.
func Met(characters []*Character) []game.Member {
	members := make([]game.Member, len(characters))
	for i, c := range characters {
		members[i] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
	}
	return members
}
