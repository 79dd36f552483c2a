package state

import (
	"slices"
	"strconv"

	"norn/game"
	"norn/table/refusal"
)

// What a sheet may be, whoever changes it.

func (st *State) RestoreSheet(kind string, data []byte) (any, error) {
	k, ok := st.Game.Kind(kind)
	if !ok {
		return nil, refusal.Unknown("the kind of sheet %q is not known", kind)
	}
	return k.Restore(data)
}

// characters are a table's, in the order in which they were added.
type characters []*Character

type Character struct {
	ID, Kind, Name, Owner string
	Sheet                 any
	Removed               bool
	Starred               []string // ids of favourite moves
	Past                  []Touch  // what stands on what, oldest first
	as                    uint64   // seq of the entry for which this value was made
}

// change gives a character to be changed while the state after st.seq is made, which nobody else has yet; nil where there's
// no such character.
func (st *State) Alter(id string) *Character {
	i := slices.IndexFunc(st.Characters, func(c *Character) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	making := st.Seq + 1
	if st.castOf != making {
		st.Characters, st.castOf = slices.Clone(st.Characters), making
	}
	if c := st.Characters[i]; c.as != making {
		mine := *c
		mine.as = making
		st.Characters[i] = &mine
	}
	return st.Characters[i]
}

// of is the character with an id, a removed one too; nil for none.
func (all characters) Of(id string) *Character {
	if i := slices.IndexFunc(all, func(c *Character) bool { return c.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// here are those that weren't removed.
func (all characters) Here() characters {
	return slices.DeleteFunc(slices.Clone(all), func(c *Character) bool { return c.Removed })
}

func (all characters) Next() string { return "c" + strconv.Itoa(len(all)+1) }

// scene is what a rule may read of these characters now.
func (st *State) Scene(actor string, cast []*Character) game.Scene {
	s := game.Scene{Actor: actor, Cast: make(map[string]game.Member, len(cast)), Settings: st.Settings}
	for _, c := range cast {
		s.Cast[c.ID] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
	}
	return s
}

// named are those with these ids, removed ones too.
func (all characters) named(ids []string) characters {
	cast := make(characters, 0, len(ids))
	for _, id := range ids {
		if c := all.Of(id); c != nil {
			cast = append(cast, c)
		}
	}
	return cast
}
