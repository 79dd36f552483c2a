package table

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"sync/atomic"

	"norn/game"
	"norn/lang"
	"norn/rule"
)

// state is a table as its entries make it, one after another.
type state struct {
	games map[string]*game.Game

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
	moves      map[string]*move
	open       []*move // oldest first
	records    []*record
	keys       map[keyUse]*record
	calls      []*call // met and withdrawn ones too
	notes      []note
	tossed     [][]toss // that packed records share

	latest   *atomic.Pointer[common]
	authored *atomic.Pointer[authored]
}

type keyUse struct{ seat, key string }

type seat struct {
	id, name string
	role     game.Role
	lock     lock
	revoked  bool
	owns     map[string]bool // characters that are here; made anew when one is dealt, for viewers hold it
}

type character struct {
	id, kind, name, owner string
	sheet                 any
	removed               bool
	starred               []string // ids of favourite moves
	past                  []touch  // what stands on what, oldest first
}

func newState(id string, games map[string]*game.Game) *state {
	return &state{
		id: id, games: games, moves: map[string]*move{}, keys: map[keyUse]*record{},
		latest: &atomic.Pointer[common]{}, authored: &atomic.Pointer[authored]{},
	}
}

// apply folds one record in. It can't fail.
func (st *state) apply(r *record) {
	for _, m := range r.yields {
		st.takeBack(m.first, r)
	}
	switch r.Kind {
	case KindMove:
		st.begin(r)
		st.meet(r.move)
	case KindAnswer:
		r.move.answer(r)
	}
	for _, e := range r.events {
		st.change(r, e)
	}
	if r.move != nil {
		st.carryOn(r)
	}
	if r.Kind != KindMove && r.Kind != KindAnswer && r.Kind != KindTalk { // which change nobody's belongings
		st.deal()
	}
	st.seq = r.Seq
	st.records = append(st.records, r)
	if r.Key != "" {
		st.keys[keyUse{r.Seat, r.Key}] = r
	}
}

// change applies one event of a record.
func (st *state) change(r *record, event rule.Event) {
	switch e := event.(type) {
	case act:
		e.fold(st, r)
	case game.Change:
		if c := st.character(e.Whose()); c != nil {
			st.touch(r.head(), c, ofSheet)
			c.sheet = e.Apply(c.sheet)
		}
	}
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
	for _, s := range st.seats {
		s.owns = map[string]bool{}
		for _, c := range st.characters {
			if c.owner == s.id && !c.removed {
				s.owns[c.id] = true
			}
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
	here := make([]*character, 0, len(st.characters))
	for _, c := range st.characters {
		if !c.removed {
			here = append(here, c)
		}
	}
	return here
}

// seated are the seats that weren't revoked.
func (st *state) seated() []*seat {
	seated := make([]*seat, 0, len(st.seats))
	for _, s := range st.seats {
		if !s.revoked {
			seated = append(seated, s)
		}
	}
	return seated
}

// Ids are never used twice: what was revoked or removed still counts.
func (st *state) nextSeat() string      { return "s" + strconv.Itoa(len(st.seats)+1) }
func (st *state) nextCharacter() string { return "c" + strconv.Itoa(len(st.characters)+1) }
func (st *state) nextMove() string      { return "m" + strconv.FormatUint(st.seq+1, 10) }

// busy is the open move that holds a character, nil for none.
func (st *state) busy(id string) *move {
	if i := slices.IndexFunc(st.open, func(m *move) bool { return m.holds(id) }); i >= 0 {
		return st.open[i]
	}
	return nil
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
