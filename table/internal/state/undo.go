package state

import (
	"cmp"
	"iter"
	"slices"

	"norn/table/view"
)

// Facet is an aspect of a character that an entry changes or depends on.
type Facet uint8

const (
	OfSheet Facet = 1 << iota
	OfName
	OfOwner
	OfBeing // whether it's in play
	Whole   = OfSheet | OfName | OfOwner | OfBeing
)

// Touch is an item in a character's past: an entry or a move that changed it or read its sheet, and
// what it was before. Undo removes it.
type Touch struct {
	By     uint64 `json:"by"`               // first seq of the entry or move
	Move   bool   `json:"move,omitempty"`   // it's a move
	Secret bool   `json:"secret,omitempty"` // it's secret
	Facets Facet  `json:"facets"`
	Sheet  any    `json:"-"`
	Name   string `json:"name"`
	Owner  string `json:"owner,omitempty"`
	Came   bool   `json:"came,omitempty"` // the character came by it
}

// SettingsChange is a change of the game's settings or the table's values, with what they were
// before.
type SettingsChange struct {
	By     uint64      `json:"by"`
	Before any         `json:"-"`
	Values view.Values `json:"values,omitzero"`
}

// NoteSettings remembers settings and values before a record changes them.
func (st *State) NoteSettings(r *Record) {
	st.Configured = append(st.Configured, SettingsChange{r.Seq, st.Settings, st.Values})
	if n := len(st.Configured); n > view.MostTouches && st.Seq >= st.WholeBefore {
		st.Configured = slices.Clone(st.Configured[n-view.MostTouches:])
	}
}

// Undoing has the first seq of what was undone, and the seq of the entry that did it. 32 bits keep
// the many of an old table small: with one entry a second they last 136 years.
type Undoing [2]uint32

// Undoings are sorted by what was undone.
type Undoings []Undoing

// By returns the seq of the entry that undid what began with a seq, 0 for none.
func (all Undoings) By(since uint64) uint64 {
	if i, undone := all.index(since); undone {
		return uint64(all[i][1])
	}
	return 0
}

// With returns what was undone by the same entry as what began with a seq, oldest first.
func (all Undoings) With(since uint64) []uint64 {
	var others []uint64
	by := all.By(since)
	for _, u := range all {
		if by > 0 && uint64(u[1]) == by && uint64(u[0]) != since {
			others = append(others, uint64(u[0]))
		}
	}
	return others
}

// Has reports whether what a record is about was undone.
func (all Undoings) Has(r *Record) bool { return all.By(r.Since()) > 0 }

func (all Undoings) index(since uint64) (int, bool) {
	return slices.BinarySearchFunc(all, since, func(t Undoing, since uint64) int {
		return cmp.Compare(uint64(t[0]), since)
	})
}

// Touch returns a character for a record to change, and remembers what it was before; nil for an
// unknown one.
func (st *State) Touch(r *Record, id string, f Facet) *Character {
	c := st.Alter(id)
	if c == nil {
		return nil
	}
	if f&OfSheet != 0 {
		c.noteSessionStart(st.Sessions.Now().N)
	}
	by := r.Since()
	if i := c.TouchedBy(by); i < 0 {
		if n := len(c.Past); n == cap(c.Past) { // room for a few, since the array keeps dropped sheets in memory
			c.Past = append(make([]Touch, 0, n+8), c.Past...)
		}
		c.Past = append(c.Past, Touch{
			By: by, Move: r.Of != nil, Secret: r.Secret, Facets: f, Sheet: c.Sheet,
			Name: c.Name, Owner: c.Owner,
		})
		if st.Seq >= st.WholeBefore {
			c.shorten(st.OpenMoves)
		}
	} else if c.Past[i].Facets&f == 0 {
		c.Past = slices.Clone(c.Past)
		c.Past[i].Facets |= f
	}
	return c
}

// NoteArrival keeps that a character came by a record, so that this can be undone.
func (st *State) NoteArrival(r *Record, id string) {
	if c := st.Touch(r, id, Whole); c != nil {
		c.Past[len(c.Past)-1].Came = true
	}
}

// shorten drops touches of a character's past that are too old. Those of open moves stay.
func (c *Character) shorten(open OpenMoves) {
	if len(c.Past) <= view.MostTouches {
		return
	}
	var n [Whole]int
	for i, t := range slices.Backward(c.Past) {
		needed := false
		for f := OfSheet; f < Whole; f <<= 1 {
			if t.Facets&f != 0 {
				n[f]++
				needed = needed || n[f] <= view.MostTouches
			}
		}
		if !needed && open.Of(MoveID(t.By)) == nil {
			begun := slices.IndexFunc(c.Past, func(other Touch) bool { return other.By == t.By })
			within := slices.DeleteFunc(slices.Clone(c.Past[begun:i]), func(other Touch) bool { // what others did within a move
				return other.By == t.By || other.Facets == OfSheet && open.Of(MoveID(other.By)) == nil
			})
			if older := slices.Concat(c.Past[:begun], within); len(older) > 0 {
				c.Past = slices.Concat(older, c.Past[i+1:])
			} else {
				c.Past = c.Past[i+1:]
			}
			return
		}
	}
}

// Remembers reports whether the state knows everything as it was before what a record is about.
// That must not be undone.
func (st *State) Remembers(r *Record) bool {
	ids := r.Touched
	if r.Of != nil {
		ids = r.Of.Cast
	}
	for _, id := range ids {
		if c := st.Characters.Of(id); c != nil && c.TouchedBy(r.Since()) < 0 {
			return false
		}
	}
	if r.OfThing() {
		return len(st.ThingsChangedBy(r.Seq)) > 0
	}
	return r.Kind != view.KindSettings || slices.ContainsFunc(st.Configured, func(c SettingsChange) bool {
		return c.By == r.Seq
	})
}

// TakeBack undoes by a record what began with a seq, and the moves entangled with it: everything that
// they changed is as before.
func (st *State) TakeBack(since uint64, by *Record) {
	for _, each := range st.Entangled(since) {
		st.takeBack(each, by)
	}
}

func (st *State) takeBack(since uint64, by *Record) {
	i, _ := st.Undone.index(since)
	st.Undone = slices.Insert(slices.Clone(st.Undone), i, Undoing{uint32(since), uint32(by.Seq)})
	if u := st.OpenMoves.Of(MoveID(since)); u != nil {
		st.tallyOpen(u, -1)
		st.End(u.ID)
	} else if counted := recordsOf(by.Uncounted, since); len(counted) > 0 {
		st.Tally(counted[0].Of, -1, counted...)
	}
	st.returnLent(since)
	if slices.ContainsFunc(st.Drawn, func(d OrderThrow) bool { return d.By == since }) {
		st.Drawn = slices.DeleteFunc(slices.Clone(st.Drawn), func(d OrderThrow) bool { return d.By == since })
	}
	mine := func(t Touch) bool { return t.By == since }
	for _, c := range st.Characters {
		if c.TouchedBy(since) < 0 {
			continue
		}
		i := slices.IndexFunc(c.Past, mine)
		c, was := st.Alter(c.ID), c.Past[i]
		for _, later := range c.Past[i+1:] { // changes by others since the move released it stay
			if !mine(later) {
				was.Facets &^= later.Facets
			}
		}
		c.Revert(was, st.Seats)
		c.Past = slices.DeleteFunc(slices.Clone(c.Past), mine)
		if !slices.Contains(by.Reverted, c.ID) {
			by.Reverted = append(by.Reverted, c.ID)
		}
	}
	st.revertThings(since)
	if i := slices.IndexFunc(st.Configured, func(c SettingsChange) bool { return c.By == since }); i >= 0 {
		next := st.Values.Next
		st.Settings, st.Values = st.Configured[i].Before, st.Configured[i].Values
		st.Values.Next = next
		st.Configured = slices.Delete(slices.Clone(st.Configured), i, i+1)
	}
}

// recordsOf returns the records of the move that began with a seq.
func recordsOf(records []*Record, since uint64) []*Record {
	return slices.DeleteFunc(slices.Clone(records), func(r *Record) bool { return r.Since() != since })
}

// Above yields the later changes that depend on what a record is about or is entangled with, for each
// character newest first: those that touched what it changed and weren't undone, and moves that
// took its offers.
func (st *State) Above(r *Record) iter.Seq[Touch] {
	return func(yield func(Touch) bool) {
		all := st.Entangled(r.Since())
		if oldest := all[len(all)-1]; oldest != r.Since() && !yield(Touch{By: oldest, Move: true}) {
			return // the others are undone by undoing that one
		}
		for _, since := range all {
			for t := range st.above(since, r.Of != nil, r.Facets) {
				if !slices.Contains(all, t.By) && !yield(t) {
					return
				}
			}
		}
		if r.Kind == view.KindSettings {
			for _, t := range slices.Backward(st.Configured) {
				if t.By <= r.Seq || !yield(Touch{By: t.By}) {
					return
				}
			}
		}
	}
}

// above yields the later changes that depend on what began with a seq.
func (st *State) above(since uint64, move bool, f Facet) iter.Seq[Touch] {
	return func(yield func(Touch) bool) {
		for _, id := range st.Characters.TouchedSince(since) {
			for _, t := range slices.Backward(st.Characters.Of(id).Past) {
				if t.By == since {
					break
				}
				if t.Facets&f != 0 && !yield(t) {
					return
				}
			}
		}
		for _, o := range st.Offers {
			if move && o.Since == since && st.stands(o.Taken) &&
				!yield(Touch{By: o.Taken, Move: true, Secret: o.Secret}) {
				return
			}
		}
		for _, c := range st.ThingChangesAfter(since) {
			if !yield(Touch{By: c.By, Move: c.Move, Secret: c.Secret}) {
				return
			}
		}
	}
}

// Revert restores a character to what it was before a touch. The former owner gets it back, unless
// that seat is revoked.
func (c *Character) Revert(t Touch, seats Seats) {
	if t.Facets&OfSheet != 0 {
		c.Write(t.Sheet)
	}
	if t.Facets&OfName != 0 {
		c.Name = t.Name
	}
	if t.Facets&OfOwner != 0 {
		c.Owner = ""
		if s := seats.Of(t.Owner); s != nil && !s.Revoked {
			c.Owner = t.Owner
		}
	}
	if t.Facets&OfBeing != 0 {
		c.Removed = t.Came
	}
}
