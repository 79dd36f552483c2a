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
	case KindUndone, KindCancelled:
		st.takeBack(r.undoes, r)
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
	case opened:
		st.name, st.lang, st.settings, st.edition = e.Name, e.Lang, e.settings, r.Edition
	case editionTaken:
		st.edition = e.Is
	case diceSealed:
		st.sessions = append(st.sessions, &session{n: len(st.sessions) + 1, commitment: e.Commitment, seal: e.seal, from: r.Seq, began: r.Time})
	case tableImported:
		st.now().to = r.Seq
	case sessionEnded:
		st.now().to = r.Seq
	case shareAdded:
		now := st.now()
		now.seats, now.shares = append(now.seats, e.Seat), append(now.shares, e.Share)
	case seatAdded:
		st.seats = append(st.seats, &seat{id: e.ID, name: e.Name, role: e.Role, lock: e.Lock})
	case seatRenamed:
		if s := st.seat(e.ID); s != nil {
			s.name = e.Name
		}
	case seatRevoked:
		st.revoke(e.ID)
	case seatRenewed:
		if s := st.seat(e.ID); s != nil {
			s.lock = e.Lock
		}
	case seatRestored:
		if s := st.seat(e.ID); s != nil {
			s.lock = e.Lock
		}
	case characterAdded:
		st.characters = append(st.characters, &character{id: e.ID, kind: e.Kind, name: e.Name, owner: e.Owner, sheet: e.sheet})
	case characterChanged:
		st.changeCharacter(r, e)
	case characterRemoved:
		if c := st.character(e.ID); c != nil {
			st.touch(r, c, whole)
			for _, change := range st.frees(c) {
				if held := st.character(change.Whose()); slices.Contains(e.Frees, held.id) {
					st.touch(r, held, ofSheet)
					held.sheet = change.Apply(held.sheet)
				}
			}
			c.removed = true
		}
	case settingsChanged:
		st.configured = append(st.configured, configured{by: r, was: st.settings})
		st.settings = e.settings
	case moveShown:
		if m := st.moves[e.Move]; m != nil {
			m.secret = false
		}
	case moveCalled:
		def, _ := st.game.Move(e.Move)
		st.calls = append(st.calls, &call{id: e.ID, actor: e.Actor, text: e.Text, def: def, args: e.args, fixed: e.Fixed, binds: e.Binds})
	case callWithdrawn:
		if c := st.call(e.ID); c != nil {
			c.withdrawn = true
		}
	case noteKept:
		st.keepNote(r, e)
	case moveStarred:
		st.star(e)
	case game.Change:
		if c := st.character(e.Whose()); c != nil {
			st.touch(r.head(), c, ofSheet)
			c.sheet = e.Apply(c.sheet)
		}
	}
}

func (st *state) revoke(id string) {
	if s := st.seat(id); s != nil {
		s.revoked = true
	}
	for _, c := range st.characters {
		if c.owner == id {
			c.owner = ""
		}
	}
}

func (st *state) changeCharacter(r *record, e characterChanged) {
	c := st.character(e.ID)
	if c == nil {
		return
	}
	if e.Name != nil {
		st.touch(r, c, ofName)
		c.name = *e.Name
	}
	if e.Owner != nil {
		st.touch(r, c, ofOwner)
		c.owner = *e.Owner
	}
	if e.Sheet != nil {
		st.touch(r, c, ofSheet)
		c.sheet = e.sheet
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

func (st *state) masters() int {
	n := 0
	for _, s := range st.seated() {
		if s.role == game.Master {
			n++
		}
	}
	return n
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
