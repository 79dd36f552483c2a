package table

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"

	"norn/game"
	"norn/lang"
)

// state is what a table is after one of its entries. Nobody changes it once it's made: the next shares what stays as it was. Only
// the newest state has a next, so lists that only grow are shared, too.
type state struct {
	games []*game.Game

	id         string
	game       *game.Game
	name       string
	lang       lang.Lang
	seq        uint64
	edition    string // of the rules, by its id
	settings   any
	configured []configured // changes of the settings that weren't undone
	sessions   sessions     // of dice; the last one lasts
	seats      seats        // revoked ones too: the log names them
	characters characters   // removed ones too
	castOf     uint64       // seq of the entry for which that list was made
	open       underways    // moves, oldest first
	calls      calls        // met and withdrawn ones too
	notes      notes

	undone  undoings        // what was taken back, by its seqs
	shown   map[string]bool // moves that were made in secret
	secrets []uint64        // seqs of the newest moves that are secret
	begun   bool            // a move was made
	openly  bool            // and one that all may know of
	tallies []*tallied      // of the session that lasts
	deep    uint64          // the last entry before which pasts are kept whole
}

// seats are a table's, in the order in which they were added.
type seats []*seat

type seat struct {
	id, name string
	role     game.Role
	lock     lock
	revoked  bool
	owns     map[string]bool // characters that are here
}

// characters are a table's, in the order in which they were added.
type characters []*character

type character struct {
	id, kind, name, owner string
	sheet                 any
	removed               bool
	starred               []string // ids of favourite moves
	past                  []touch  // what stands on what, oldest first
	as                    uint64   // seq of the entry for which this value was made
}

// folding is what changes a state: every act of the table's own.
type folding interface{ fold(st *state, r *record) }

// next is the state after one more record. It can't fail.
func (st *state) next(r *record) *state {
	next := *st
	for _, m := range r.yields {
		next.takeBack(m.seq, r)
	}
	var u *underway
	switch r.Kind {
	case KindMove:
		u = next.begin(r)
	case KindAnswer:
		u = next.goOn(r)
	}
	for _, event := range r.events {
		if own, ok := event.(folding); ok {
			own.fold(&next, r)
		} else if change, ok := game.AsChange(event); ok {
			if c := next.touch(r, change.Whose(), ofSheet); c != nil {
				c.sheet = change.Apply(c.sheet)
			}
		}
	}
	switch {
	case u != nil:
		next.carryOn(u, r)
	case r.move != nil:
		next.carryOn(&underway{move: r.move}, r)
	case r.Kind != KindTalk: // which changes nobody's belongings
		next.deal()
	}
	if r.move != nil {
		next.count(r.move, 1, r)
	}
	next.seq = r.Seq
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

// change gives a character to be changed while the state after st.seq is made, which nobody else has yet; nil where there's
// no such character.
func (st *state) change(id string) *character {
	i := slices.IndexFunc(st.characters, func(c *character) bool { return c.id == id })
	if i < 0 {
		return nil
	}
	making := st.seq + 1
	if st.castOf != making {
		st.characters, st.castOf = slices.Clone(st.characters), making
	}
	if c := st.characters[i]; c.as != making {
		mine := *c
		mine.as = making
		st.characters[i] = &mine
	}
	return st.characters[i]
}

// alterSeat changes a seat, if there is such a one.
func (st *state) alterSeat(id string, change func(*seat)) {
	st.seats = altered(st.seats, slices.IndexFunc(st.seats, func(s *seat) bool { return s.id == id }), change)
}

// withMark is a map with one more mark.
func withMark[K comparable, V any](marks map[K]V, key K, value V) map[K]V {
	marks = maps.Clone(marks)
	if marks == nil {
		marks = map[K]V{}
	}
	marks[key] = value
	return marks
}

// of is the seat with an id, a revoked one too; nil for none.
func (all seats) of(id string) *seat {
	if i := slices.IndexFunc(all, func(s *seat) bool { return s.id == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// opened is the seat that a secret opens, by its hash; nil for none.
func (all seats) opened(key [sha256.Size]byte) *seat {
	var found *seat
	for _, s := range all { // all of them, so that the time doesn't tell which
		if s.lock.fits(key) && !s.revoked {
			found = s
		}
	}
	return found
}

// deal tells each seat what it owns.
func (st *state) deal() {
	for i, s := range st.seats {
		owns := map[string]bool{}
		for _, c := range st.characters {
			if c.owner == s.id && !c.removed {
				owns[c.id] = true
			}
		}
		if s.owns == nil || !maps.Equal(owns, s.owns) {
			st.seats = altered(st.seats, i, func(s *seat) { s.owns = owns })
		}
	}
}

// of is the character with an id, a removed one too; nil for none.
func (all characters) of(id string) *character {
	if i := slices.IndexFunc(all, func(c *character) bool { return c.id == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// here are those that weren't removed.
func (all characters) here() characters {
	return slices.DeleteFunc(slices.Clone(all), func(c *character) bool { return c.removed })
}

// here are those that weren't revoked.
func (all seats) here() seats {
	return slices.DeleteFunc(slices.Clone(all), func(s *seat) bool { return s.revoked })
}

// Ids are never used twice: what was revoked or removed still counts.
func (all seats) next() string      { return "s" + strconv.Itoa(len(all)+1) }
func (all characters) next() string { return "c" + strconv.Itoa(len(all)+1) }
func (st *state) nextMove() string  { return idOf(st.seq + 1) }

// going is the open move with an id, nil for none.
func (all underways) going(id string) *underway {
	if i := slices.IndexFunc(all, func(u *underway) bool { return u.id == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// busy is the open move that holds a character, nil for none.
func (all underways) busy(id string) *underway {
	if i := slices.IndexFunc(all, func(u *underway) bool { return u.holds(id) }); i >= 0 {
		return all[i]
	}
	return nil
}

// secretMove tells whether only GMs may know of a move; one that was shown since is no secret any more.
func (st *state) secretMove(m *move) bool { return m.secret && !st.shown[m.id] }

// secret tells whether only GMs may know of a record.
func (st *state) secret(r *record) bool {
	switch {
	case r.move != nil:
		return st.secretMove(r.move)
	case r.undoes != nil:
		return st.secret(r.undoes)
	}
	return r.Secret
}

// scene is what a rule may read of these characters now.
func (st *state) scene(actor string, cast []*character) game.Scene {
	s := game.Scene{Actor: actor, Cast: make(map[string]game.Member, len(cast)), Settings: st.settings}
	for _, c := range cast {
		s.Cast[c.id] = game.Member{ID: c.id, Kind: c.kind, Name: c.name, Sheet: c.sheet}
	}
	return s
}

// named are those with these ids, removed ones too.
func (all characters) named(ids []string) characters {
	cast := make(characters, 0, len(ids))
	for _, id := range ids {
		if c := all.of(id); c != nil {
			cast = append(cast, c)
		}
	}
	return cast
}
