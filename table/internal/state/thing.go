package state

import (
	"cmp"
	"slices"
	"strings"

	"norn/table/view"
)

// Thing is a clock, a scene or a list of the game masters. It has no members if there is none.
type Thing struct {
	Clock *Clock `json:"clock,omitempty"`
	Scene *Scene `json:"scene,omitempty"`
	List  *List  `json:"list,omitempty"`
}

// ThingChange is a change of a thing that can be undone, with what the thing was before.
type ThingChange struct {
	By     uint64 `json:"by"`             // seq of the entry, or of the first one of the move
	Move   bool   `json:"move,omitempty"` // a move made it
	Secret bool   `json:"secret,omitempty"`
	ID     string `json:"id"` // of the thing
	Before Thing  `json:"before,omitzero"`
}

// maxThingChanges bounds the changes of things that can be undone.
const maxThingChanges = 4 * view.MostTouches

// thing returns what has an id now.
func (st *State) thing(id string) (t Thing) {
	t.Clock, t.List = st.Clocks.Find(id), st.Lists.Find(id)
	if t.Scene = st.CurrentScene; id != CurrentSceneID {
		t.Scene = st.Scenes.Find(id)
	}
	return t
}

// put gives an id to a thing, or to nothing.
func (st *State) put(id string, t Thing) {
	if id == CurrentSceneID {
		st.CurrentScene = t.Scene
		return
	}
	st.Clocks = with(st.Clocks, id, t.Clock)
	st.Scenes = with(st.Scenes, id, t.Scene)
	st.Lists = with(st.Lists, id, t.List)
}

// kept is a clock, a scene or a list.
type kept interface {
	ThingID() string
	ThingName() string // as game masters call it
}

// find returns the thing with an id, nil for none.
func find[T kept](all []T, id string) *T {
	if i := slices.IndexFunc(all, func(t T) bool { return t.ThingID() == id }); i >= 0 {
		return &all[i]
	}
	return nil
}

// with returns things of one sort with another value for one of them, nil to remove it.
func with[T kept, All ~[]T](all All, id string, value *T) All {
	all = slices.DeleteFunc(slices.Clone(all), func(t T) bool { return t.ThingID() == id })
	if value == nil {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, id, func(t T, id string) int {
		return cmp.Or(len(t.ThingID())-len(id), strings.Compare(t.ThingID(), id)) // ids count up
	})
	return slices.Insert(all, at, *value)
}

// setThing changes a thing by a record, adds it, or removes it.
func (st *State) setThing(r *Record, id string, value Thing) {
	change := ThingChange{By: r.Since(), Move: r.Of != nil, Secret: r.Secret, ID: id, Before: st.thing(id)}
	st.put(id, value)
	if slices.ContainsFunc(st.ThingChanges, func(c ThingChange) bool { return c.By == change.By && c.ID == id }) {
		return // of the same move, which keeps what was before its first change
	}
	st.ThingChanges = append(slices.Clip(st.ThingChanges), change)
	if n := len(st.ThingChanges); n > maxThingChanges && st.Seq >= st.WholeBefore {
		st.ThingChanges = slices.Clone(st.ThingChanges[n-maxThingChanges:])
	}
}

// ThingsChangedBy lists the ids of things that an entry or a move has changed, if that can still be
// undone.
func (st *State) ThingsChangedBy(since uint64) (ids []string) {
	for _, c := range st.ThingChanges {
		if c.By == since {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// ThingChangesAfter lists later changes of the things that an entry or a move has changed, newest
// first.
func (st *State) ThingChangesAfter(since uint64) (later []ThingChange) {
	for _, id := range st.ThingsChangedBy(since) {
		for _, c := range slices.Backward(st.ThingChanges) {
			if c.By == since && c.ID == id {
				break
			}
			if c.ID == id {
				later = append(later, c)
			}
		}
	}
	return later
}

// ThingChangesBefore lists, of each thing that an entry has changed, the change before that one.
func (st *State) ThingChangesBefore(since uint64, ids []string) (seqs []uint64) {
	for _, id := range ids {
		for _, c := range slices.Backward(st.ThingChanges) {
			if c.ID == id && c.By < since {
				if !c.Move {
					seqs = append(seqs, c.By)
				}
				break
			}
		}
	}
	return seqs
}

// revertThings undoes the changes of things that an entry or a move has made. A thing that changed
// again since, as when an open move is cancelled, keeps the later change.
func (st *State) revertThings(since uint64) {
	for {
		i := slices.IndexFunc(st.ThingChanges, func(c ThingChange) bool { return c.By == since })
		if i < 0 {
			return
		}
		undone := st.ThingChanges[i]
		st.ThingChanges = slices.Delete(slices.Clone(st.ThingChanges), i, i+1)
		next := slices.IndexFunc(st.ThingChanges[i:], func(c ThingChange) bool { return c.ID == undone.ID })
		if next >= 0 {
			st.ThingChanges[i+next].Before = undone.Before
			continue
		}
		st.put(undone.ID, undone.Before)
	}
}
