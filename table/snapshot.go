package table

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"norn/dice"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// A snapshot is a state as it stood after one of its entries, kept beside the journal so that a table needn't be folded from its
// first entry on. It says of which norn it is, and of which entry: whatever isn't whole, is another norn's, or doesn't stand on what
// the journal holds, is as good as none. Nobody but a table that is opened ever reads one.

// stateVersion is raised with any change of what a state is, or how it's written here.
const stateVersion = 1

// written is a state as it's written down.
type written struct {
	ID         string          `json:"id"`
	Game       string          `json:"game"`
	Name       string          `json:"name"`
	Lang       lang.Lang       `json:"lang"`
	Seq        uint64          `json:"seq"`
	Edition    string          `json:"edition"`
	Settings   json.RawMessage `json:"settings"`
	Configured []keptSettings  `json:"configured,omitempty"`
	Sessions   []keptSession   `json:"sessions"`
	Seats      []keptSeat      `json:"seats"`
	Characters []keptCharacter `json:"characters,omitempty"`
	Open       []keptMove      `json:"open,omitempty"`
	Calls      []keptCall      `json:"calls,omitempty"`
	Notes      []keptNote      `json:"notes,omitempty"`
	Undone     []taken         `json:"undone,omitempty"`
	Shown      map[string]bool `json:"shown,omitempty"`
	Secrets    []uint64        `json:"secrets,omitempty"`
	Begun      bool            `json:"begun,omitempty"`
	Openly     bool            `json:"openly,omitempty"`
	Tallies    []*tallied      `json:"tallies,omitempty"`
	Deep       uint64          `json:"deep,omitempty"`
}

type keptSettings struct {
	By  uint64          `json:"by"`
	Was json.RawMessage `json:"was"`
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

type keptSeat struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Role    game.Role `json:"role"`
	Lock    lock      `json:"lock"`
	Revoked bool      `json:"revoked,omitempty"`
}

type keptCharacter struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Owner   string          `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet"`
	Removed bool            `json:"removed,omitempty"`
	Starred []string        `json:"starred,omitempty"`
	Past    []keptTouch     `json:"past,omitempty"`
}

type keptTouch struct {
	By     uint64          `json:"by"`
	Move   bool            `json:"move,omitempty"`
	Secret bool            `json:"secret,omitempty"`
	Facets facet           `json:"facets"`
	Sheet  json.RawMessage `json:"sheet"`
	Name   string          `json:"name"`
	Owner  string          `json:"owner,omitempty"`
}

// keptMove is an open move.
type keptMove struct {
	ID       string               `json:"id"`
	Move     string               `json:"move"`
	Seat     string               `json:"seat"`
	Actor    string               `json:"actor,omitempty"`
	Cast     []string             `json:"cast,omitempty"`
	Args     json.RawMessage      `json:"args"`
	Nonce    string               `json:"nonce,omitempty"`
	ByHand   bool                 `json:"byHand,omitempty"`
	Secret   bool                 `json:"secret,omitempty"`
	Scene    []seenMember         `json:"scene"`
	Settings json.RawMessage      `json:"settings"`
	Ruled    game.Ruled           `json:"ruled,omitzero"`
	Trail    rule.Trail           `json:"trail,omitempty"`
	Told     map[string]int       `json:"told,omitempty"`
	Said     []eventBody          `json:"said,omitempty"`
	Asked    []ask                `json:"asked,omitempty"`
	Throws   map[string]int       `json:"throws,omitempty"`
	Gone     []string             `json:"gone,omitempty"`
	Whose    map[string]eventBody `json:"whose,omitempty"`
	Resolved *rule.Outcome        `json:"resolved,omitempty"`
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

type keptNote struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
}

// encode writes a state down: the same state always in the same way.
func (st *state) encode() (data []byte, err error) {
	k := written{
		ID: st.id, Game: st.game.ID, Name: st.name, Lang: st.lang, Seq: st.seq, Edition: st.edition, Undone: st.undone, Shown: st.shown,
		Secrets: st.secrets, Begun: st.begun, Openly: st.openly, Tallies: st.tallies, Deep: st.deep,
	}
	write := func(value any) json.RawMessage {
		data, e := json.Marshal(value)
		err = errors.Join(err, e)
		return data
	}
	events := func(told ...rule.Told) []eventBody {
		stored, e := encode(told, st.game.Version)
		err = errors.Join(err, e)
		return stored
	}
	k.Settings = write(st.settings)
	for _, c := range st.configured {
		k.Configured = append(k.Configured, keptSettings{c.by, write(c.was)})
	}
	for _, s := range st.sessions {
		kept := keptSession{Commitment: s.commitment, From: s.from, Began: s.began, To: s.to, Seats: s.seats, Shares: s.shares, At: s.at}
		if !s.seal.IsZero() {
			kept.Secret = s.seal.Reveal()
		}
		k.Sessions = append(k.Sessions, kept)
	}
	for _, s := range st.seats {
		k.Seats = append(k.Seats, keptSeat{s.id, s.name, s.role, s.lock, s.revoked})
	}
	for _, c := range st.characters {
		kept := keptCharacter{ID: c.id, Kind: c.kind, Name: c.name, Owner: c.owner, Sheet: write(c.sheet), Removed: c.removed, Starred: c.starred}
		for _, t := range c.past {
			kept.Past = append(kept.Past, keptTouch{t.by, t.move, t.secret, t.facets, write(t.sheet), t.name, t.owner})
		}
		k.Characters = append(k.Characters, kept)
	}
	for _, u := range st.open {
		kept := keptMove{
			ID: u.id, Move: u.def.ID, Seat: u.seat, Actor: u.actor, Cast: u.cast, Args: write(u.args), Nonce: u.nonce, ByHand: u.byHand, Secret: u.secret,
			Settings: write(u.scene.Settings), Ruled: u.scene.Ruled, Trail: u.trail, Told: u.told, Said: events(u.said...), Asked: u.asked,
			Throws: u.throws, Gone: u.gone, Resolved: u.resolved,
		}
		for _, id := range u.scene.IDs() {
			m := u.scene.Cast[id]
			kept.Scene = append(kept.Scene, seenMember{ID: id, Kind: m.Kind, Name: m.Name, Sheet: write(m.Sheet)})
		}
		for part, event := range u.whose {
			if kept.Whose == nil {
				kept.Whose = map[string]eventBody{}
			}
			kept.Whose[part] = events(rule.Told{Part: part, Event: event})[0]
		}
		k.Open = append(k.Open, kept)
	}
	for _, c := range st.calls {
		k.Calls = append(k.Calls, keptCall{c.id, c.actor, c.text, c.def.ID, write(c.args), c.fixed, c.binds, c.withdrawn, c.met})
	}
	for _, n := range st.notes {
		k.Notes = append(k.Notes, keptNote{n.id, n.text, n.seq, n.at})
	}
	data = write(k)
	return data, err
}

// restored is a state that was written down.
func restored(games []*game.Game, data []byte) (st *state, err error) {
	var k written
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(games, func(g *game.Game) bool { return g.ID == k.Game })
	if i < 0 {
		return nil, unknown("the game %q is not known", k.Game)
	}
	st = &state{
		games: games, id: k.ID, game: games[i], name: k.Name, lang: k.Lang, seq: k.Seq, edition: k.Edition, undone: k.Undone, shown: k.Shown,
		secrets: k.Secrets, begun: k.Begun, openly: k.Openly, tallies: k.Tallies, deep: k.Deep,
	}
	hear := func(e error) { err = errors.Join(err, e) }
	settings := func(data json.RawMessage) any {
		value, e := st.game.Settings.Restore(data)
		hear(e)
		return value
	}
	sheets := map[string]any{} // many touches change none
	sheet := func(kind string, data json.RawMessage) any {
		one := kind + " " + string(data)
		value, known := sheets[one]
		if !known {
			var e error
			value, e = st.restoreSheet(kind, data)
			hear(e)
			sheets[one] = value
		}
		return value
	}
	event := func(stored eventBody) rule.Event {
		value, e := st.game.Decode(stored.Type, stored.V, stored.Data)
		hear(e)
		return value
	}
	made := func(id string, args json.RawMessage) (*game.Move, any) {
		def, ok := st.game.Move(id)
		if !ok {
			hear(unknown("the move %q is not known", id))
			return &game.Plain, nil
		}
		value, e := def.Restore(args)
		hear(e)
		return def, value
	}
	st.settings = settings(k.Settings)
	for _, c := range k.Configured {
		st.configured = append(st.configured, configured{c.By, settings(c.Was)})
	}
	for i, s := range k.Sessions {
		one := &session{n: i + 1, commitment: s.Commitment, from: s.From, began: s.Began, to: s.To, seats: s.Seats, shares: s.Shares, at: s.At}
		if s.Secret != "" {
			seal, e := dice.ParseSecret(s.Secret)
			hear(e)
			one.seal = seal
		}
		st.sessions = append(st.sessions, one)
	}
	for _, s := range k.Seats {
		st.seats = append(st.seats, &seat{id: s.ID, name: s.Name, role: s.Role, lock: s.Lock, revoked: s.Revoked})
	}
	for _, c := range k.Characters {
		one := &character{id: c.ID, kind: c.Kind, name: c.Name, owner: c.Owner, sheet: sheet(c.Kind, c.Sheet), removed: c.Removed, starred: c.Starred}
		for _, t := range c.Past {
			one.past = append(one.past, touch{t.By, t.Move, t.Secret, t.Facets, sheet(c.Kind, t.Sheet), t.Name, t.Owner})
		}
		st.characters = append(st.characters, one)
	}
	for _, u := range k.Open {
		seq := seqOf(u.ID)
		def, args := made(u.Move, u.Args)
		one := &underway{
			move: &move{
				id: u.ID, seq: seq, def: def, seat: u.Seat, actor: u.Actor, cast: u.Cast, args: args, nonce: u.Nonce, byHand: u.ByHand, secret: u.Secret,
				view: &st.game.View, session: st.sessions.at(seq),
			},
			scene: game.Scene{Actor: u.Actor, Cast: map[string]game.Member{}, Settings: settings(u.Settings), Secret: u.Secret, Ruled: u.Ruled},
			trail: u.Trail, told: u.Told, asked: u.Asked, throws: u.Throws, gone: u.Gone, resolved: u.Resolved,
		}
		if one.told == nil {
			one.told = map[string]int{}
		}
		if one.throws == nil {
			one.throws = map[string]int{}
		}
		for _, m := range u.Scene {
			one.scene.Cast[m.ID] = game.Member{ID: m.ID, Kind: m.Kind, Name: m.Name, Sheet: sheet(m.Kind, m.Sheet)}
		}
		for _, stored := range u.Said {
			one.said = append(one.said, rule.Told{Part: stored.Part, N: stored.N, Event: event(stored)})
		}
		for part, stored := range u.Whose {
			if one.whose == nil {
				one.whose = map[string]rule.Event{}
			}
			one.whose[part] = event(stored)
		}
		st.open = append(st.open, one)
	}
	for _, c := range k.Calls {
		def, args := made(c.Move, c.Args)
		st.calls = append(st.calls, &call{id: c.ID, actor: c.Actor, text: c.Text, def: def, args: args, fixed: c.Fixed, binds: c.Binds, withdrawn: c.Withdrawn, met: c.Met})
	}
	for _, n := range k.Notes {
		st.notes = append(st.notes, note{n.ID, n.Text, n.Seq, n.At})
	}
	st.deal()
	return st, err
}
