// Package state has a table at one revision, without its log, as a value.
//
// A State never changes after it was made. An entry makes the next one, which shares what is
// unchanged. Only the newest state gets a successor, so lists that only grow are shared, too.
// Folding reads no clock, rolls no dice and can't fail. Encoding and decoding a state gives the
// same state.
//
// A decoded entry is a Record, its content in the journal an EntryBody. The package knows no single
// act: an act changes the state by its Fold. It has no locks, and imports neither the log nor what
// seats see.
package state

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"norn/game"
	"norn/lang"
	"norn/table/refusal"
	"norn/table/view"
)

// IsTableID reports whether a text can be a table's id. Nothing else reaches the journal.
func IsTableID(id string) bool {
	return len(id) == 16 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// State is a table after one of its entries. It never changes after it was made: the next one
// shares what is unchanged. Only the newest state gets a successor, so lists that only grow are
// shared, too.
type State struct {
	Games []*game.Game `json:"-"`

	ID         string           `json:"id"`
	Game       *game.Game       `json:"-"`
	Name       string           `json:"name"`
	Lang       lang.Lang        `json:"lang"`
	Seq        uint64           `json:"seq"`
	Edition    string           `json:"edition"`           // id of the edition that the table plays by
	Older      []*game.Game     `json:"-"`                 // texts of the game that it played by before, oldest first
	Unread     json.RawMessage  `json:"-"`                 // settings of a text that isn't available yet
	Brought    []byte           `json:"brought,omitempty"` // the newest text, if the table doesn't play by it
	Settings   any              `json:"-"`
	Configured []SettingsChange `json:"configured,omitempty"` // changes of the settings that can be undone
	Sessions   Sessions         `json:"sessions"`             // of dice; the last one is the current one
	Seats      Seats            `json:"seats"`                // includes revoked ones, which the log names
	Characters Characters       `json:"characters,omitempty"` // includes removed ones
	castOf     uint64           // seq of the entry that made that list
	OpenMoves  OpenMoves        `json:"-"`                // oldest first
	Calls      Calls            `json:"calls,omitempty"`  // includes met and withdrawn ones
	Offers     Offers           `json:"offers,omitempty"` // includes taken and ended ones
	Plain
}

// Plain is the part of the state that knows no game.
type Plain struct {
	Notes        Notes             `json:"notes,omitempty"`
	Attachments  Attachments       `json:"attached,omitempty"` // whose bytes are in the journal
	Pictures     []Picture         `json:"pictures,omitempty"` // that were shown
	Handouts     Handouts          `json:"handouts,omitempty"`
	X            XCard             `json:"x,omitzero"`
	Undone       Undoings          `json:"undone,omitempty"`  // what was undone, by seq
	ShownMoves   map[string]bool   `json:"shown,omitempty"`   // secret moves that were revealed
	Secrets      []uint64          `json:"secrets,omitempty"` // seqs of the newest moves that are secret
	Begun        bool              `json:"begun,omitempty"`   // a move was made
	Openly       bool              `json:"openly,omitempty"`  // a move was made that isn't secret
	Tallies      []*CharacterTally `json:"tallies,omitempty"` // of the current session
	Drawn        OrderThrows       `json:"drawn,omitempty"`   // rolls for the order of turns in the current session
	Values       view.Values       `json:"values,omitzero"`
	Clocks       Clocks            `json:"clocks,omitempty"`
	Scenes       Scenes            `json:"scenes,omitempty"` // prepared
	CurrentScene *Scene            `json:"scene,omitempty"`  // that everybody sees, nil for none
	ScenesSeen   []SceneSeen       `json:"seen,omitempty"`   // one for each picture
	Lists        Lists             `json:"lists,omitempty"`  // whose rows are attachments
	ThingChanges []ThingChange     `json:"thingChanges,omitempty"`
	WholeBefore  uint64            `json:"deep,omitempty"` // the last entry before which everything is remembered
}

// SecretMove reports whether only GMs may know of a move: it's secret and wasn't revealed.
func (st *State) SecretMove(m *Move) bool { return m.Secret && !st.ShownMoves[m.ID] }

// IsSecret reports whether only GMs may know of a record.
func (st *State) IsSecret(r *Record) bool {
	switch {
	case r.Of != nil:
		return st.SecretMove(r.Of)
	case r.Undoes != nil:
		return st.IsSecret(r.Undoes)
	}
	return r.Secret
}

// RestoreSheet decodes a sheet.
func RestoreSheet(g *game.Game, kind string, data []byte) (any, error) {
	k, ok := g.Kind(kind)
	if !ok {
		return nil, refusal.Unknown("the kind of sheet %q is not known", kind)
	}
	return k.Restore(data)
}

// Scene returns what a rule may read of these characters now.
func (st *State) Scene(actor string, cast []*Character) game.Scene {
	s := game.Scene{Actor: actor, Cast: make(map[string]game.Member, len(cast)), Settings: st.Settings}
	for _, c := range cast {
		s.Cast[c.ID] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: c.Sheet}
	}
	return s
}

// Alter returns a character that may be changed while the next state is made, which nobody else has
// yet; nil for an unknown one.
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

// updateOwns updates which characters each seat owns.
func (st *State) updateOwns() {
	for i, s := range st.Seats {
		owns := map[string]bool{}
		for _, c := range st.Characters {
			if c.Owner == s.ID && !c.Removed {
				owns[c.ID] = true
			}
		}
		if s.Owns == nil || !maps.Equal(owns, s.Owns) {
			st.Seats = altered(st.Seats, i, func(s *Seat) { s.Owns = owns })
		}
	}
}

// IsOutdated reports whether the table plays by an older edition than this norn's.
func (st *State) IsOutdated() bool { return st.Edition != st.Game.EditionID() }

// CallsOpen returns the calls that no move has met, oldest first.
func (st *State) CallsOpen() []*Call {
	var open []*Call
	for _, c := range st.Calls {
		actor := st.Characters.Of(c.Actor)
		if !c.Withdrawn && (c.Met == 0 || st.Undone.By(c.Met) > 0) && actor != nil && !actor.Removed {
			open = append(open, c)
		}
	}
	return open
}

// XCard says whether an X-card is on the table.
type XCard struct {
	Seq uint64    `json:"seq,omitempty"` // of the entry that raised it, 0 for none
	At  time.Time `json:"at,omitzero"`   // time of its last change

	Seconded bool `json:"seconded,omitempty"` // it was raised again, so it can't be taken back
}

// RuledArgs says which of a new move's arguments a game master has decided.
func (st *State) RuledArgs(def *game.Move, actor string, args any, own bool) game.Ruled {
	if own {
		return game.Ruled{All: true}
	}
	if c := st.CallMetBy(def, actor, args); c != nil {
		return game.Ruled{Asked: true, Fixed: c.Fixed}
	}
	return game.Ruled{}
}

// CallMetBy returns the oldest open call that a move meets, or nil.
func (st *State) CallMetBy(def *game.Move, actor string, args any) *Call {
	return first(st.CallsOpen(), func(c *Call) bool { return c.MetBy(def, actor, args) })
}
