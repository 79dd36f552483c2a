package table

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/rule"
)

// Sum folds the entries of one table by its game and returns a checksum of what
// comes out: seats, characters, settings, sessions of dice, moves with what
// they still ask, keys. The same entries give the same sum on every machine of
// the same norn. An error is an *UnreadableError.
func Sum(games []*game.Game, id string, entries []journal.Entry) (sum [sha256.Size]byte, err error) {
	b, err := readBack(games, id, entries)
	if err != nil {
		return sum, err
	}
	b.settle()
	data, err := json.Marshal(b.picture())
	if err != nil {
		return sum, &UnreadableError{Table: id, Seq: b.seq, Err: err}
	}
	return sha256.Sum256(data), nil
}

// picture is a state as values that JSON writes in one way only.
type picture struct {
	ID, Game, Name string
	Lang           lang.Lang
	Edition        string
	Seq            uint64
	Settings       any
	Sessions       []pictureSession
	Seats          []pictureSeat
	Characters     []pictureCharacter
	Moves          []pictureMove
	Keys           []pictureKey
	Calls          []pictureCall
	Notes          []pictureNote
	Undone         map[uint64]uint64
	Shown          map[string]bool
}

type pictureCall struct {
	ID, Move, Actor, Text, Met string
	Args                       any
	Fixed                      []string
	Withdrawn                  bool
}

type pictureNote struct{ ID, Text string }

type pictureSession struct {
	N             int
	Secret        string
	From, To      uint64
	Seats, Shares []string
}

type pictureSeat struct {
	ID, Name string
	Role     game.Role
	Lock     lock
	Revoked  bool
}

type pictureCharacter struct {
	ID, Kind, Name, Owner string
	Sheet                 any
	Removed               bool
	Starred               []string
}

type pictureMove struct {
	ID, Name, Seat, Actor string
	Cast                  []string
	Args                  any
	Nonce                 string
	ByHand, Secret        bool
	Trail                 rule.Trail
	Told                  map[string]int
	Open                  []string // places of what it asks
}

type pictureKey struct {
	Seat, Key string
	Seq       uint64
}

func (st ledger) picture() picture {
	p := picture{ID: st.id, Name: st.name, Lang: st.lang, Edition: st.edition, Seq: st.seq, Settings: st.settings, Undone: st.undone, Shown: st.shown}
	if st.game != nil {
		p.Game = st.game.ID
	}
	for _, s := range st.sessions {
		p.Sessions = append(p.Sessions, pictureSession{N: s.n, Secret: s.seal.Reveal(), From: s.from, To: s.to, Seats: s.seats, Shares: s.shares})
	}
	for _, s := range st.seats {
		p.Seats = append(p.Seats, pictureSeat{ID: s.id, Name: s.name, Role: s.role, Lock: s.lock, Revoked: s.revoked})
	}
	for _, c := range st.characters {
		p.Characters = append(p.Characters, pictureCharacter{ID: c.id, Kind: c.kind, Name: c.name, Owner: c.owner, Sheet: c.sheet, Removed: c.removed, Starred: c.starred})
	}
	for _, m := range st.open {
		shown := pictureMove{
			ID: m.id, Name: m.def.ID, Seat: m.seat, Actor: m.actor, Cast: m.cast, Args: m.args, Nonce: m.nonce,
			ByHand: m.byHand, Secret: m.secret, Trail: m.trail, Told: m.told,
		}
		for _, o := range m.open {
			shown.Open = append(shown.Open, o.Place())
		}
		p.Moves = append(p.Moves, shown)
	}
	for _, c := range st.calls {
		shown := pictureCall{ID: c.id, Move: c.def.ID, Actor: c.actor, Text: c.text, Args: c.args, Fixed: c.fixed, Withdrawn: c.withdrawn}
		if c.met != nil {
			shown.Met = c.met.id
		}
		p.Calls = append(p.Calls, shown)
	}
	for _, n := range st.notes {
		p.Notes = append(p.Notes, pictureNote{ID: n.id, Text: n.text})
	}
	for use, r := range st.keys {
		p.Keys = append(p.Keys, pictureKey{Seat: use.seat, Key: use.key, Seq: r.Seq})
	}
	slices.SortFunc(p.Keys, func(a, b pictureKey) int {
		if by := strings.Compare(a.Seat, b.Seat); by != 0 {
			return by
		}
		return strings.Compare(a.Key, b.Key)
	})
	return p
}
