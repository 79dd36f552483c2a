package state

import (
	"cmp"
	"iter"
	"slices"

	"norn/table/view"
)

// Facet is a side of a character that an entry changes, or stands on.
type Facet uint8

const (
	OfSheet Facet = 1 << iota
	OfName
	OfOwner
	OfBeing // whether it's in play
	Whole   = OfSheet | OfName | OfOwner | OfBeing
)

// Touch is an entry of a character's past: what changed it or read its sheet,
// and how it was before. What was undone is no part of the past.
type Touch struct {
	By     uint64 // seq of the first entry of its move
	Move   bool   // it was one
	Secret bool   // made in secret
	Facets Facet
	Sheet  any
	name   string
	Owner  string
}

// SettingsChange is a change of the game's settings or of the table's values, and what they were before.
type SettingsChange struct {
	By     uint64
	Before any
	Values view.Values
}

// NoteSettings keeps how settings and values are before a record changes them.
func (st *State) NoteSettings(r *Record) {
	st.Configured = append(st.Configured, SettingsChange{r.Seq, st.Settings, st.Values})
	if n := len(st.Configured); n > view.MostTouches && st.Seq >= st.WholeBefore {
		st.Configured = slices.Clone(st.Configured[n-view.MostTouches:])
	}
}

// Undoing says what was taken back, by the seq of its first entry, and by which entry. A table has
// many of them as the years go by, and never as many entries as these can count: with one a second
// it takes 136 years.
type Undoing [2]uint32

// Undoings are by what was taken back.
type Undoings []Undoing

// By is the seq of the entry that has taken back what began with a seq, 0 for none.
func (all Undoings) By(since uint64) uint64 {
	if i, undone := all.index(since); undone {
		return uint64(all[i][1])
	}
	return 0
}

// Has tells whether what a record is about was taken back.
func (all Undoings) Has(r *Record) bool { return all.By(r.Since()) > 0 }

func (all Undoings) index(since uint64) (int, bool) {
	return slices.BinarySearchFunc(all, since, func(t Undoing, since uint64) int {
		return cmp.Compare(uint64(t[0]), since)
	})
}

// Touch gives a character to be changed by a record, and keeps how it was before; nil where there's no such character.
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
		c.Past = append(c.Past, Touch{
			By: by, Move: r.Of != nil, Secret: r.Secret, Facets: f, Sheet: c.Sheet,
			name: c.Name, Owner: c.Owner,
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

// shorten drops a touch of a character's past that has become too old, if there is one. What an
// open move has touched stays.
func (c *Character) shorten(open OpenMoves) {
	if len(c.Past) <= view.MostTouches {
		return
	}
	n := map[Facet]int{}
	for i, t := range slices.Backward(c.Past) {
		needed := open.Of(MoveID(t.By)) != nil
		for f := OfSheet; f < Whole; f <<= 1 {
			if t.Facets&f != 0 {
				n[f]++
				needed = needed || n[f] <= view.MostTouches
			}
		}
		if !needed {
			c.Past = append(slices.Clone(c.Past[:i]), c.Past[i+1:]...)
			return
		}
	}
}

// Remembers tells whether the state knows how all was before what a record is about, which wasn't undone.
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
	if r.Kind == view.KindClock {
		return len(st.ClocksChangedBy(r.Seq)) > 0
	}
	return r.Kind != view.KindSettings || slices.ContainsFunc(st.Configured, func(c SettingsChange) bool {
		return c.By == r.Seq
	})
}

// TakeBack undoes what began with a seq, by a record: everything that it changed becomes what it was before.
func (st *State) TakeBack(since uint64, by *Record) {
	i, _ := st.Undone.index(since)
	st.Undone = slices.Insert(slices.Clone(st.Undone), i, Undoing{uint32(since), uint32(by.Seq)})
	if u := st.OpenMoves.Of(MoveID(since)); u != nil {
		st.tallyOpen(u, -1)
		st.End(u.ID)
	} else if by.Undoes != nil && by.Undoes.Seq == since && len(by.Uncounted) > 0 {
		st.Tally(by.Uncounted[0].Of, -1, by.Uncounted...)
	}
	if slices.ContainsFunc(st.Drawn, func(d OrderThrow) bool { return d.By == since }) {
		st.Drawn = slices.DeleteFunc(slices.Clone(st.Drawn), func(d OrderThrow) bool { return d.By == since })
	}
	for _, c := range st.Characters {
		i := c.TouchedBy(since)
		if i < 0 {
			continue
		}
		c, was := st.Alter(c.ID), c.Past[i]
		for _, later := range c.Past[i+1:] { // what others have changed since the move let go of it stays
			was.Facets &^= later.Facets
		}
		c.Revert(was, st.Seats)
		c.Past = slices.Delete(slices.Clone(c.Past), i, i+1)
		by.Reverted = append(by.Reverted, c.ID)
	}
	st.revertClocks(since)
	if i := slices.IndexFunc(st.Configured, func(c SettingsChange) bool { return c.By == since }); i >= 0 {
		next := st.Values.Next
		st.Settings, st.Values = st.Configured[i].Before, st.Configured[i].Values
		st.Values.Next = next
		st.Configured = slices.Delete(slices.Clone(st.Configured), i, i+1)
	}
}

// Above gives what stands on what a record is about, newest first in each thing touched: what came
// after it, wasn't undone, and touched what it changed; also moves that took its offers.
func (st *State) Above(r *Record) iter.Seq[Touch] {
	return func(yield func(Touch) bool) {
		for _, id := range st.Characters.TouchedSince(r.Since()) {
			for _, t := range slices.Backward(st.Characters.Of(id).Past) {
				if t.By == r.Since() {
					break
				}
				if t.Facets&r.Facets != 0 && !yield(t) {
					return
				}
			}
		}
		for _, o := range st.Offers {
			if r.Of != nil && o.Since == r.Since() && st.stands(o.Taken) &&
				!yield(Touch{By: o.Taken, Move: true, Secret: o.Secret}) {
				return
			}
		}
		for _, c := range st.ClockChangesAfter(r.Since()) {
			if !yield(Touch{By: c.By, Move: c.Move, Secret: c.Secret}) {
				return
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

// Revert makes of a character what it was before a touch. Who played it then plays it again, unless
// their seat is revoked.
func (c *Character) Revert(t Touch, seats Seats) {
	if t.Facets&OfSheet != 0 {
		c.Write(t.Sheet)
	}
	if t.Facets&OfName != 0 {
		c.Name = t.name
	}
	if t.Facets&OfOwner != 0 {
		c.Owner = ""
		if s := seats.Of(t.Owner); s != nil && !s.Revoked {
			c.Owner = t.Owner
		}
	}
	if t.Facets&OfBeing != 0 {
		c.Removed = false
	}
}
