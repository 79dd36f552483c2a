// Package state is what a table is at one revision, without its log: a value.
//
// Promised: nobody changes a State once it's made. An entry makes the next, which shares what stays as it was; only the newest has a
// next, so lists that only grow are shared, too. Folding reads no clock, throws no dice and can't fail. What is encoded and decoded
// again is the same.
//
// An entry that was read is a Record, its content as the journal holds it a Content. The package knows no act of the table's own: what
// changes a state says how, by Fold. It holds no locks, and imports neither the log nor anybody who looks at a table.
package state

import (
	"maps"
	"slices"
	"strings"

	"norn/game"
	"norn/lang"
	"norn/table/view"
)

// mostSecrets is how many of the newest secret moves the state knows.
const mostSecrets = 100

// isTableID tells whether a text may be a table's id, so that nothing else
// reaches the journal.
func IsTableID(id string) bool {
	return len(id) == 16 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// state is what a table is after one of its entries. Nobody changes it once it's made: the next shares what stays as it was. Only
// the newest state has a next, so lists that only grow are shared, too.
type State struct {
	Games []*game.Game

	ID         string
	Game       *game.Game
	Name       string
	Lang       lang.Lang
	Seq        uint64
	Edition    string // of the rules, by its id
	Settings   any
	Configured []Configured // changes of the settings that weren't undone
	Sessions   sessions     // of dice; the last one lasts
	Seats      seats        // revoked ones too: the log names them
	Characters characters   // removed ones too
	castOf     uint64       // seq of the entry for which that list was made
	Open       underways    // moves, oldest first
	Calls      calls        // met and withdrawn ones too
	Notes      notes

	Undone  undoings        // what was taken back, by its seqs
	Shown   map[string]bool // moves that were made in secret
	Secrets []uint64        // seqs of the newest moves that are secret
	Begun   bool            // a move was made
	Openly  bool            // and one that all may know of
	Tallies []*Tallied      // of the session that lasts
	Deep    uint64          // the last entry before which pasts are kept whole
}

// folding is what changes a state: every act of the table's own.
type folding interface{ Fold(st *State, r *Record) }

// next is the state after one more record. It can't fail.
func (st *State) Next(r *Record) *State {
	next := *st
	for _, m := range r.Yielded {
		next.TakeBack(m.Seq, r)
	}
	var u *Underway
	switch r.Kind {
	case view.KindMove:
		u = next.begin(r)
	case view.KindAnswer:
		u = next.goOn(r)
	}
	for _, event := range r.Decoded {
		if own, ok := event.(folding); ok {
			own.Fold(&next, r)
		} else if change, ok := game.AsChange(event); ok {
			if c := next.Touch(r, change.Whose(), OfSheet); c != nil {
				c.Sheet = change.Apply(c.Sheet)
			}
		}
	}
	switch {
	case u != nil:
		next.carryOn(u, r)
	case r.Of != nil:
		next.carryOn(&Underway{Move: r.Of}, r)
	case r.Kind != view.KindTalk: // which changes nobody's belongings
		next.deal()
	}
	if r.Of != nil {
		next.Count(r.Of, 1, r)
	}
	next.Seq = r.Seq
	return &next
}

// altered is a list with a changed copy of one of its items.
func altered[T any](items []*T, i int, change func(*T)) []*T {
	if i < 0 {
		return items
	}
	one := *items[i]
	change(&one)
	items = slices.Clone(items)
	items[i] = &one
	return items
}

// withMark is a map with one more mark.
func Mark[K comparable, V any](marks map[K]V, key K, value V) map[K]V {
	marks = maps.Clone(marks)
	if marks == nil {
		marks = map[K]V{}
	}
	marks[key] = value
	return marks
}

// going is the open move with an id, nil for none.
func (all underways) Going(id string) *Underway {
	if i := slices.IndexFunc(all, func(u *Underway) bool { return u.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// busy is the open move that holds a character, nil for none.
func (all underways) Busy(id string) *Underway {
	if i := slices.IndexFunc(all, func(u *Underway) bool { return u.holds(id) }); i >= 0 {
		return all[i]
	}
	return nil
}

// secretMove tells whether only GMs may know of a move; one that was shown since is no secret any more.
func (st *State) SecretMove(m *Move) bool { return m.Secret && !st.Shown[m.ID] }

// secret tells whether only GMs may know of a record.
func (st *State) IsSecret(r *Record) bool {
	switch {
	case r.Of != nil:
		return st.SecretMove(r.Of)
	case r.Undoes != nil:
		return st.IsSecret(r.Undoes)
	}
	return r.Secret
}
