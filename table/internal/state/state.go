// Package state is what a table is at one revision, without its log: a value.
//
// Promised: nobody changes a State once it's made. An entry makes the next, which shares what stays
// as it was; only the newest has a next, so lists that only grow are shared, too. Folding reads no
// clock, throws no dice and can't fail. What is encoded and decoded again is the same.
//
// An entry that was read is a Record, what the journal holds of it an EntryBody. The package knows
// no act of the table's own: what changes a state says how, by Fold. It holds no locks, and imports
// neither the log nor anybody who looks at a table.
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

// IsTableID tells whether a text may be a table's id, so that nothing else
// reaches the journal.
func IsTableID(id string) bool {
	return len(id) == 16 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// State is what a table is after one of its entries. Nobody changes it once it's made: the next
// shares what stays as it was. Only the newest state has a next, so lists that only grow are
// shared, too.
type State struct {
	Games []*game.Game

	ID         string
	Game       *game.Game
	Name       string
	Lang       lang.Lang
	Seq        uint64
	Edition    string          // of the rules, by its id
	Older      []*game.Game    // texts of the game by which it was played before, oldest first
	Unread     json.RawMessage // the settings, as the text left them that isn't read yet
	Brought    []byte          // the text that was brought last and isn't played
	Settings   any
	Configured []SettingsChange // changes of the settings that weren't undone
	Sessions   Sessions         // of dice; the last one lasts
	Seats      Seats            // revoked ones too: the log names them
	Characters Characters       // removed ones too
	castOf     uint64           // seq of the entry for which that list was made
	OpenMoves  OpenMoves        // moves, oldest first
	Calls      Calls            // met and withdrawn ones too
	Offers     Offers           // taken and ended ones too
	Plain
}

// Plain is what is written down as it is.
type Plain struct {
	Notes        Notes             `json:"notes,omitempty"`
	Attachments  Attachments       `json:"attached,omitempty"` // which stand in the journal
	Pictures     []Picture         `json:"pictures,omitempty"` // that were shown
	Handouts     Handouts          `json:"handouts,omitempty"`
	X            XCard             `json:"x,omitzero"`
	Undone       Undoings          `json:"undone,omitempty"`  // what was taken back, by its seqs
	ShownMoves   map[string]bool   `json:"shown,omitempty"`   // moves that were made in secret
	Secrets      []uint64          `json:"secrets,omitempty"` // seqs of the newest moves that are secret
	Begun        bool              `json:"begun,omitempty"`   // a move was made
	Openly       bool              `json:"openly,omitempty"`  // and one that all may know of
	Tallies      []*CharacterTally `json:"tallies,omitempty"` // of the session that lasts
	Drawn        OrderThrows       `json:"drawn,omitempty"`   // for the order in which people act, in the session that lasts
	Values       view.Values       `json:"values,omitzero"`
	Clocks       Clocks            `json:"clocks,omitempty"`
	ClockChanges []ClockChange     `json:"clockChanges,omitempty"`
	WholeBefore  uint64            `json:"deep,omitempty"` // the last entry before which pasts are kept whole
}

// SecretMove tells whether only GMs may know of a move; one that was shown since is no secret any more.
func (st *State) SecretMove(m *Move) bool { return m.Secret && !st.ShownMoves[m.ID] }

// IsSecret tells whether only GMs may know of a record.
func (st *State) IsSecret(r *Record) bool {
	switch {
	case r.Of != nil:
		return st.SecretMove(r.Of)
	case r.Undoes != nil:
		return st.IsSecret(r.Undoes)
	}
	return r.Secret
}

// RestoreSheet reads a sheet that was written down.
func RestoreSheet(g *game.Game, kind string, data []byte) (any, error) {
	k, ok := g.Kind(kind)
	if !ok {
		return nil, refusal.Unknown("the kind of sheet %q is not known", kind)
	}
	return k.Restore(data)
}

// Scene is what a rule may read of these characters now.
func (st *State) Scene(actor string, cast []*Character) game.Scene {
	s := game.Scene{Actor: actor, Cast: make(map[string]game.Member, len(cast)), Settings: st.Settings}
	for _, c := range cast {
		s.Cast[c.ID] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: c.Sheet}
	}
	return s
}

// Alter gives a character to be changed while the state after st.seq is made, which nobody else has
// yet; nil where there's no such character.
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

// updateOwns tells each seat what it owns.
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

// IsOutdated tells whether the table is still played by an older edition than this norn's.
func (st *State) IsOutdated() bool { return st.Edition != st.Game.EditionID() }

// CallsOpen are those that wait for their move, oldest first.
func (st *State) CallsOpen() []*Call {
	var open []*Call
	for _, c := range st.Calls {
		actor := st.Characters.Of(c.Actor)
		if !c.Withdrawn && (c.met == 0 || st.Undone.By(c.met) > 0) && actor != nil && !actor.Removed {
			open = append(open, c)
		}
	}
	return open
}

// XCard is whether an X-card lies on the table.
type XCard struct {
	Seq uint64    `json:"seq,omitempty"` // of the entry that laid it there, 0 for none
	At  time.Time `json:"at,omitzero"`   // since when it's so

	Seconded bool `json:"seconded,omitempty"` // it was raised again while it lay there, so nobody takes it back
}

// RuledArgs is what of a move's arguments stands by a game master's word, as it's opened.
func (st *State) RuledArgs(def *game.Move, actor string, args any, own bool) game.Ruled {
	if own {
		return game.Ruled{All: true}
	}
	if c := st.CallMetBy(def, actor, args); c != nil {
		return game.Ruled{Asked: true, Fixed: c.Fixed}
	}
	return game.Ruled{}
}

// CallMetBy is the oldest open call that a move meets, nil for none.
func (st *State) CallMetBy(def *game.Move, actor string, args any) *Call {
	return first(st.CallsOpen(), func(c *Call) bool { return c.MetBy(def, actor, args) })
}
