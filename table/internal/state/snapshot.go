package state

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"norn/dice"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/table/refusal"
	"norn/table/view"
)

// Member is one of a move's characters as it was when the move began, encoded.
type Member struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Owner string          `json:"owner,omitempty"`
	Sheet json.RawMessage `json:"sheet"`
}

// A snapshot is the state after one of the table's entries, stored next to the journal so that
// opening a table needn't fold all entries. It names its norn and its entry. A snapshot that is
// damaged, of another norn, or doesn't match the journal is ignored. Only opening a table reads it.

// StateVersion must be raised with any change of the state or its encoding.
const StateVersion = 25

// snapshot is an encoded state.
type snapshot struct {
	ID         string          `json:"id"`
	Game       string          `json:"game"`
	Name       string          `json:"name"`
	Lang       lang.Lang       `json:"lang"`
	Seq        uint64          `json:"seq"`
	Edition    string          `json:"edition"`
	Texts      [][]byte        `json:"texts,omitempty"` // texts of an own game, the current one last
	Brought    []byte          `json:"brought,omitempty"`
	Settings   json.RawMessage `json:"settings"`
	Configured []keptSettings  `json:"configured,omitempty"`
	Sessions   []keptSession   `json:"sessions"`
	Seats      Seats           `json:"seats"`
	Characters []keptCharacter `json:"characters,omitempty"`
	Open       []keptMove      `json:"open,omitempty"`
	Calls      []keptCall      `json:"calls,omitempty"`
	Offers     []keptOffer     `json:"offers,omitempty"`
	Plain
}

type keptSettings struct {
	By     uint64          `json:"by"`
	Was    json.RawMessage `json:"was"`
	Values view.Values     `json:"values,omitzero"`
}

type keptSession struct {
	Commitment string    `json:"commitment"`
	Secret     string    `json:"secret,omitempty"`
	From       uint64    `json:"from"`
	Began      time.Time `json:"began"`
	To         uint64    `json:"to,omitempty"`
	Seats      []string  `json:"seats,omitempty"`
	Shares     []string  `json:"shares,omitempty"`
	At         []uint64  `json:"at,omitempty"`
}

type keptCharacter struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Owner   string          `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet"`
	Removed bool            `json:"removed,omitempty"`
	Hidden  bool            `json:"hidden,omitempty"`
	Starred []string        `json:"starred,omitempty"`
	Face    string          `json:"portrait,omitempty"`
	Past    []keptTouch     `json:"past,omitempty"`
	Began   []keptStart     `json:"began,omitempty"`
}

type keptStart struct {
	Session int             `json:"session"`
	Sheet   json.RawMessage `json:"sheet"`
}

type keptTouch struct {
	By     uint64          `json:"by"`
	Move   bool            `json:"move,omitempty"`
	Secret bool            `json:"secret,omitempty"`
	Facets Facet           `json:"facets"`
	Sheet  json.RawMessage `json:"sheet"`
	Name   string          `json:"name"`
	Owner  string          `json:"owner,omitempty"`
	Came   bool            `json:"came,omitempty"`
}

// keptMove is an open move.
type keptMove struct {
	ID       string           `json:"id"`
	Move     string           `json:"move"`
	Seat     string           `json:"seat"`
	Actor    string           `json:"actor,omitempty"`
	Cast     []string         `json:"cast,omitempty"`
	Args     json.RawMessage  `json:"args"`
	Nonce    string           `json:"nonce,omitempty"`
	ByHand   bool             `json:"byHand,omitempty"`
	Secret   bool             `json:"secret,omitempty"`
	Offer    string           `json:"offer,omitempty"`
	Scene    []Member         `json:"scene"`
	Joined   []Member         `json:"joined,omitempty"`
	Settings json.RawMessage  `json:"settings"`
	Ruled    game.Ruled       `json:"ruled,omitzero"`
	Trail    rule.Trail       `json:"trail,omitempty"`
	Met      []keptMeanwhile  `json:"met,omitempty"`
	Told     map[string]int   `json:"told,omitempty"`
	Said     []Event          `json:"said,omitempty"`
	Asked    []Ask            `json:"asked,omitempty"`
	Throws   map[string]int   `json:"throws,omitempty"`
	Gone     []string         `json:"gone,omitempty"`
	Whose    map[string]Event `json:"whose,omitempty"`
	Resolved *rule.Outcome    `json:"resolved,omitempty"`
}

// keptMeanwhile is a change by others in an open move's trail.
type keptMeanwhile struct {
	At int    `json:"at"` // index in the trail
	By uint64 `json:"by"`
	N  int    `json:"n"`
	Event
	Edit *keptEdit `json:"edit,omitempty"` // instead of an event
}

// keptEdit is a change by hand.
type keptEdit struct {
	Who string          `json:"who"`
	Was json.RawMessage `json:"was"`
	Is  json.RawMessage `json:"is"`
}

type keptCall struct {
	ID        string          `json:"id"`
	Actor     string          `json:"actor"`
	Text      string          `json:"text,omitempty"`
	Move      string          `json:"move"`
	Args      json.RawMessage `json:"args"`
	Fixed     []string        `json:"fixed"`
	Binds     bool            `json:"binds,omitempty"`
	Withdrawn bool            `json:"withdrawn,omitempty"`
	Met       uint64          `json:"met,omitempty"`
}

type keptOffer struct {
	ID     string          `json:"id"`
	Since  uint64          `json:"since"`
	Secret bool            `json:"secret,omitempty"`
	To     string          `json:"to"`
	Actor  string          `json:"actor,omitempty"`
	Move   string          `json:"move"`
	Args   json.RawMessage `json:"args"`
	Taken  uint64          `json:"taken,omitempty"`
	Ended  uint64          `json:"ended,omitempty"`
}

// Encode encodes a state. The same state always gives the same bytes.
func (st *State) Encode() (data []byte, err error) {
	k := snapshot{
		ID: st.ID, Game: st.Game.ID, Name: st.Name, Lang: st.Lang, Seq: st.Seq, Edition: st.Edition,
		Seats: st.Seats, Brought: st.Brought, Plain: st.Plain,
	}
	if st.Game.Texts != nil {
		for _, g := range append(slices.Clone(st.Older), st.Game) {
			k.Texts = append(k.Texts, g.Source)
		}
	}
	write := func(value any) json.RawMessage {
		data, e := json.Marshal(value)
		err = errors.Join(err, e)
		return data
	}
	events := func(told ...rule.PlacedEvent) []Event {
		stored, e := EncodeEvents(told, st.Game.Version)
		err = errors.Join(err, e)
		return stored
	}
	if k.Settings = st.Unread; k.Settings == nil {
		k.Settings = write(st.Settings)
	}
	for _, c := range st.Configured {
		k.Configured = append(k.Configured, keptSettings{c.By, write(c.Before), c.Values})
	}
	for _, s := range st.Sessions {
		kept := keptSession{
			Commitment: s.Commitment, From: s.From, Began: s.Began, To: s.To, Seats: s.Seats,
			Shares: s.Shares, At: s.SharedAt,
		}
		if !s.Seal.IsZero() {
			kept.Secret = s.Seal.Reveal()
		}
		k.Sessions = append(k.Sessions, kept)
	}
	for _, c := range st.Characters {
		kept := keptCharacter{
			ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: write(c.Sheet),
			Removed: c.Removed, Hidden: c.Hidden, Starred: c.Starred, Face: c.Portrait,
		}
		for _, t := range c.Past {
			kept.Past = append(kept.Past,
				keptTouch{t.By, t.Move, t.Secret, t.Facets, write(t.Sheet), t.name, t.Owner, t.Came})
		}
		for _, s := range c.Began {
			kept.Began = append(kept.Began, keptStart{s.Session, write(s.Sheet)})
		}
		k.Characters = append(k.Characters, kept)
	}
	for _, u := range st.OpenMoves {
		kept := keptMove{
			ID: u.ID, Move: u.Def.ID, Seat: u.Seat, Actor: u.Actor, Cast: u.Cast, Args: write(u.Args), Nonce: u.Nonce,
			ByHand: u.ByHand, Secret: u.Secret, Offer: u.Offer,
			Settings: write(u.Scene.Settings), Ruled: u.Scene.Ruled, Trail: u.Trail, Told: u.EventCounts,
			Said: events(u.events...), Asked: u.Asks,
			Throws: u.Throws, Gone: u.Released, Resolved: u.Resolved,
		}
		for i, step := range u.Trail {
			if m := step.Meanwhile; m != nil {
				met := keptMeanwhile{At: i, By: m.By, N: m.N}
				if edited, ok := m.Event.(game.Edited); ok {
					met.Edit = &keptEdit{edited.Who, write(edited.Was), write(edited.Is)}
				} else {
					met.Event = events(rule.PlacedEvent{Event: m.Event})[0]
				}
				kept.Met = append(kept.Met, met)
			}
		}
		for _, id := range u.Scene.IDs() {
			m := u.Scene.Cast[id]
			kept.Scene = append(kept.Scene,
				Member{ID: id, Kind: m.Kind, Name: m.Name, Owner: m.Owner, Sheet: write(m.Sheet)})
		}
		for _, id := range u.Joined {
			m := u.Scene.Apart()[id]
			kept.Joined = append(kept.Joined,
				Member{ID: id, Kind: m.Kind, Name: m.Name, Owner: m.Owner, Sheet: write(m.Sheet)})
		}
		for part, event := range u.throwers {
			if kept.Whose == nil {
				kept.Whose = map[string]Event{}
			}
			kept.Whose[part] = events(rule.PlacedEvent{Part: part, Event: event})[0]
		}
		k.Open = append(k.Open, kept)
	}
	for _, c := range st.Calls {
		k.Calls = append(k.Calls, keptCall{
			c.ID, c.Actor, c.Text, c.Def.ID, write(c.Args), c.Fixed, c.Binds,
			c.Withdrawn, c.met,
		})
	}
	for _, o := range st.Offers {
		k.Offers = append(k.Offers, keptOffer{
			o.ID, o.Since, o.Secret, o.To, o.Actor, o.Def.ID, o.JSON, o.Taken,
			o.Ended,
		})
	}
	data = write(k)
	return data, err
}

// Decode decodes a state.
func Decode(games []*game.Game, data []byte) (st *State, err error) {
	var k snapshot
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(games, func(g *game.Game) bool { return g.ID == k.Game })
	if i < 0 {
		return nil, refusal.UnknownGame(k.Game)
	}
	played, older := games[i], []*game.Game(nil)
	for _, source := range k.Texts {
		if g := played.ForEdition(game.TextOf(source), source); g != nil {
			older = append(older, g)
		}
	}
	if n := len(older); n > 0 {
		played, older = older[n-1], older[:n-1]
	}
	return decodeState(games, k, played, older)
}

// decode decodes a state by a game.
func decode(games []*game.Game, data []byte, g *game.Game) (*State, error) {
	var k snapshot
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	return decodeState(games, k, g, nil)
}

func decodeState(games []*game.Game, k snapshot, played *game.Game, older []*game.Game) (st *State, err error) {
	st = &State{
		Games: games, ID: k.ID, Game: played, Older: older, Brought: k.Brought, Name: k.Name, Lang: k.Lang, Seq: k.Seq,
		Edition: k.Edition,
		Seats:   k.Seats, Plain: k.Plain,
	}
	hear := func(e error) { err = errors.Join(err, e) }
	settings := func(data json.RawMessage) any {
		value, e := st.Game.Settings.Restore(data)
		hear(e)
		return value
	}
	sheets := map[string]any{} // caches sheets, because many touches have the same one
	sheet := func(kind string, data json.RawMessage) any {
		one := kind + " " + string(data)
		value, known := sheets[one]
		if !known {
			var e error
			value, e = RestoreSheet(st.Game, kind, data)
			hear(e)
			sheets[one] = value
		}
		return value
	}
	event := func(stored Event) rule.Event {
		value, e := st.Game.Decode(stored.Type, stored.V, stored.Data)
		hear(e)
		return value
	}
	made := func(id string, args json.RawMessage) (*game.Move, any) {
		def, ok := st.Game.Move(id)
		if !ok {
			hear(refusal.Unknown("the move %q is not known", id))
			return &game.Plain, nil
		}
		value, e := def.Restore(args)
		hear(e)
		return def, value
	}
	st.Settings = settings(k.Settings)
	for _, c := range k.Configured {
		st.Configured = append(st.Configured, SettingsChange{c.By, settings(c.Was), c.Values})
	}
	for i, s := range k.Sessions {
		one := &Session{
			N: i + 1, Commitment: s.Commitment, From: s.From, Began: s.Began, To: s.To, Seats: s.Seats,
			Shares: s.Shares, SharedAt: s.At,
		}
		if s.Secret != "" {
			seal, e := dice.ParseSecret(s.Secret)
			hear(e)
			one.Seal = seal
		}
		st.Sessions = append(st.Sessions, one)
	}
	for _, c := range k.Characters {
		one := &Character{
			ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: sheet(c.Kind, c.Sheet),
			Removed: c.Removed, Hidden: c.Hidden, Starred: c.Starred, Portrait: c.Face,
		}
		for _, t := range c.Past {
			one.Past = append(one.Past, Touch{
				t.By, t.Move, t.Secret, t.Facets, sheet(c.Kind, t.Sheet), t.Name,
				t.Owner, t.Came,
			})
		}
		for _, s := range c.Began {
			one.Began = append(one.Began, SessionStart{s.Session, sheet(c.Kind, s.Sheet)})
		}
		st.Characters = append(st.Characters, one)
	}
	for _, u := range k.Open {
		seq := MoveSeq(u.ID)
		def, args := made(u.Move, u.Args)
		one := &OpenMove{
			Move: &Move{
				ID: u.ID, Seq: seq, Def: def, Seat: u.Seat, Actor: u.Actor, Cast: u.Cast, Args: args, Nonce: u.Nonce,
				ByHand: u.ByHand, Secret: u.Secret, Offer: u.Offer,
				View: &st.Game.View, Session: st.Sessions.At(seq),
			},
			Scene: game.Scene{
				Actor: u.Actor, Cast: map[string]game.Member{}, Settings: settings(u.Settings),
				Secret: u.Secret, Ruled: u.Ruled,
			},
			Trail: u.Trail, EventCounts: u.Told, Asks: u.Asked, Throws: u.Throws, Released: u.Gone,
			Resolved: u.Resolved,
		}
		if one.EventCounts == nil {
			one.EventCounts = map[string]int{}
		}
		if one.Throws == nil {
			one.Throws = map[string]int{}
		}
		for _, m := range u.Scene {
			one.Scene.Cast[m.ID] = game.Member{
				ID: m.ID, Kind: m.Kind, Name: m.Name, Owner: m.Owner,
				Sheet: sheet(m.Kind, m.Sheet),
			}
		}
		for _, m := range u.Joined {
			one.Joined = append(one.Joined, m.ID)
			one.Scene = one.Scene.WithMembers(game.Member{
				ID: m.ID, Kind: m.Kind, Name: m.Name, Owner: m.Owner,
				Sheet: sheet(m.Kind, m.Sheet),
			})
		}
		for _, m := range u.Met {
			met := &rule.Meanwhile{By: m.By, N: m.N}
			if c := m.Edit; c != nil {
				kind := st.Characters.Of(c.Who).Kind
				met.Event = game.Edited{Who: c.Who, Was: sheet(kind, c.Was), Is: sheet(kind, c.Is)}
			} else {
				met.Event = event(m.Event)
			}
			one.Trail[m.At].Meanwhile = met
		}
		for _, stored := range u.Said {
			one.events = append(one.events, rule.PlacedEvent{Part: stored.Part, N: stored.N, Event: event(stored)})
		}
		for part, stored := range u.Whose {
			if one.throwers == nil {
				one.throwers = map[string]rule.Event{}
			}
			one.throwers[part] = event(stored)
		}
		st.OpenMoves = append(st.OpenMoves, one)
	}
	for _, c := range k.Calls {
		def, args := made(c.Move, c.Args)
		st.Calls = append(st.Calls, &Call{
			ID: c.ID, Actor: c.Actor, Text: c.Text, Def: def, Args: args, Fixed: c.Fixed,
			Binds: c.Binds, Withdrawn: c.Withdrawn, met: c.Met,
		})
	}
	for _, o := range k.Offers { // offers that a newer text of the game can't make any more are dropped
		if def, ok := st.Game.Move(o.Move); ok {
			if args, e := def.Restore(o.Args); e == nil {
				st.Offers = append(st.Offers, &Offer{
					ID: o.ID, Since: o.Since, Secret: o.Secret, To: o.To, Actor: o.Actor, Def: def, Args: args,
					JSON: o.Args, Taken: o.Taken, Ended: o.Ended,
				})
			}
		}
	}
	st.updateOwns()
	return st, err
}
