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
	sessions   []*session   // of dice; the last one lasts
	seats      []*seat      // revoked ones too: the log names them
	characters []*character // removed ones too
	castOf     uint64       // seq of the entry for which that list was made
	open       []*underway  // moves, oldest first
	calls      []*call      // met and withdrawn ones too
	notes      []note

	undone  []taken         // what was taken back, by its seqs
	shown   map[string]bool // moves that were made in secret
	secrets []uint64        // seqs of the newest moves that are secret
	begun   bool            // a move was made
	openly  bool            // and one that all may know of
	tallies []*tallied      // of the session that lasts
	deep    uint64          // the last entry before which pasts are kept whole
}

type seat struct {
	id, name string
	role     game.Role
	lock     lock
	revoked  bool
	owns     map[string]bool // characters that are here
}

type character struct {
	id, kind, name, owner string
	sheet                 any
	removed               bool
	starred               []string // ids of favourite moves
	past                  []touch  // what stands on what, oldest first
	as                    uint64   // seq of the entry for which this value was made
}

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
		if own, ok := event.(act); ok {
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

// seat finds a seat, revoked ones too.
func (st *state) seat(id string) *seat {
	if i := slices.IndexFunc(st.seats, func(s *seat) bool { return s.id == id }); i >= 0 {
		return st.seats[i]
	}
	return nil
}

// opened is the seat that a secret opens, by its hash; nil for none.
func (st *state) opened(key [sha256.Size]byte) *seat {
	var found *seat
	for _, s := range st.seats { // all of them, so that the time doesn't tell which
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

// character finds a character, removed ones too.
func (st *state) character(id string) *character {
	if i := slices.IndexFunc(st.characters, func(c *character) bool { return c.id == id }); i >= 0 {
		return st.characters[i]
	}
	return nil
}

// here are the characters that weren't removed.
func (st *state) here() []*character {
	return slices.DeleteFunc(slices.Clone(st.characters), func(c *character) bool { return c.removed })
}

// seated are the seats that weren't revoked.
func (st *state) seated() []*seat {
	return slices.DeleteFunc(slices.Clone(st.seats), func(s *seat) bool { return s.revoked })
}

// Ids are never used twice: what was revoked or removed still counts.
func (st *state) nextSeat() string      { return "s" + strconv.Itoa(len(st.seats)+1) }
func (st *state) nextCharacter() string { return "c" + strconv.Itoa(len(st.characters)+1) }
func (st *state) nextMove() string      { return "m" + strconv.FormatUint(st.seq+1, 10) }

// going is an open move, nil for one that isn't.
func (st *state) going(id string) *underway {
	if i := slices.IndexFunc(st.open, func(u *underway) bool { return u.id == id }); i >= 0 {
		return st.open[i]
	}
	return nil
}

// busy is the open move that holds a character, nil for none.
func (st *state) busy(id string) *underway {
	if i := slices.IndexFunc(st.open, func(u *underway) bool { return u.holds(id) }); i >= 0 {
		return st.open[i]
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

// cast are the characters with these ids, removed ones too.
func (st *state) cast(ids []string) []*character {
	cast := make([]*character, 0, len(ids))
	for _, id := range ids {
		if c := st.character(id); c != nil {
			cast = append(cast, c)
		}
	}
	return cast
}
