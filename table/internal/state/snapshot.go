package state

import (
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"norn/dice"
	"norn/game"
	"norn/rule"
	"norn/table/refusal"
)

// A snapshot is the state after one of the table's entries, stored next to the journal so that
// opening a table needn't fold all entries. It names its norn and its entry. A snapshot that is
// damaged, of another norn, or doesn't match the journal is ignored. Only opening a table reads it.

// layout must be raised when State.values gets another order.
const layout = 26

// Version returns a hash of the layout and the types of a snapshot. Those of another one are ignored.
var Version = sync.OnceValue(func() string {
	h := sha256.New()
	fmt.Fprintln(h, layout)
	writeType(h, reflect.TypeFor[snapshot](), map[reflect.Type]bool{})
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
})

// writeType writes a type and those that it consists of, except where another module or the type
// itself decides how it's encoded.
func writeType(w io.Writer, t reflect.Type, written map[reflect.Type]bool) {
	fmt.Fprintln(w, t)
	if written[t] || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return
	}
	written[t] = true
	switch t.Kind() {
	case reflect.Map:
		writeType(w, t.Key(), written)
		writeType(w, t.Elem(), written)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		writeType(w, t.Elem(), written)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Tag.Get("json") != "-" && (f.IsExported() || f.Anonymous) {
				fmt.Fprintln(w, f.Name, f.Tag)
				writeType(w, f.Type, written)
			}
		}
	}
}

// snapshot is an encoded state.
type snapshot struct {
	Game  string   `json:"game"`
	Texts [][]byte `json:"texts,omitempty"` // texts of an own game, the current one last
	*State
	Seals  []string          `json:"seals"`  // of the sessions of dice
	OfGame []json.RawMessage `json:"ofGame"` // in the order of State.values
	Open   []storedMove      `json:"open,omitempty"`
}

// storedMove is an open move, with JSON of what only its game can read.
type storedMove struct {
	*OpenMove
	Args     json.RawMessage   `json:"args"`
	Scene    []Member          `json:"scene"`
	Joined   []Member          `json:"joined,omitempty"`
	Settings json.RawMessage   `json:"settings"`
	Ruled    game.Ruled        `json:"ruled,omitzero"`
	Met      []storedMeanwhile `json:"met,omitempty"`
	Said     []Event           `json:"said,omitempty"`
	Whose    map[string]Event  `json:"whose,omitempty"`
}

// storedMeanwhile is a change by others in an open move's trail. One by hand has an event without a
// type.
type storedMeanwhile struct {
	At    int    `json:"at"` // index in the trail
	By    uint64 `json:"by"`
	N     int    `json:"n"`
	Event Event  `json:"event"`
}

// Member is one of a move's characters as it was when the move began, encoded.
type Member struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Owner string          `json:"owner,omitempty"`
	Sheet json.RawMessage `json:"sheet"`
}

// values calls each with every value that only the game can read, except those of open moves, always
// in the same order, and with what reads it by r.
func (st *State) values(r *reader, each func(value *any, read func(data []byte) any)) {
	each(&st.Settings, r.settings)
	for i := range st.Configured {
		each(&st.Configured[i].Before, r.settings)
	}
	for _, c := range st.Characters {
		sheet := func(data []byte) any { return r.sheet(c.Kind, data) }
		each(&c.Sheet, sheet)
		for i := range c.Past {
			each(&c.Past[i].Sheet, sheet)
		}
		for i := range c.Began {
			each(&c.Began[i].Sheet, sheet)
		}
	}
	for _, c := range st.Calls {
		each(&c.Args, func(data []byte) any { return r.args(c.Def, data) })
	}
}

// Encode encodes a state. The same state always gives the same bytes.
func (st *State) Encode() (data []byte, err error) {
	stored := *st
	k := snapshot{Game: st.Game.ID, State: &stored}
	if st.Unread != nil {
		stored.Settings = st.Unread
	}
	if st.Game.Texts != nil {
		for _, g := range append(slices.Clone(st.Older), st.Game) {
			k.Texts = append(k.Texts, g.Source)
		}
	}
	for _, s := range st.Sessions {
		k.Seals = append(k.Seals, s.Seal.Reveal())
	}
	write := func(value any) json.RawMessage {
		data, e := json.Marshal(value)
		err = errors.Join(err, e)
		return data
	}
	stored.values(nil, func(value *any, _ func([]byte) any) { k.OfGame = append(k.OfGame, write(*value)) })
	events := func(told ...rule.PlacedEvent) []Event {
		stored, e := EncodeEvents(told, st.Game.Version)
		err = errors.Join(err, e)
		return stored
	}
	member := func(m game.Member) Member { return Member{m.ID, m.Kind, m.Name, m.Owner, write(m.Sheet)} }
	for _, u := range st.OpenMoves {
		move := storedMove{
			OpenMove: u, Args: write(u.Args), Settings: write(u.Scene.Settings), Ruled: u.Scene.Ruled,
			Said: events(u.events...),
		}
		for i, step := range u.Trail {
			if m := step.Meanwhile; m != nil {
				met := storedMeanwhile{At: i, By: m.By, N: m.N}
				if edited, ok := m.Event.(game.Edited); ok {
					met.Event.Data = write(edited)
				} else {
					met.Event = events(rule.PlacedEvent{Event: m.Event})[0]
				}
				move.Met = append(move.Met, met)
			}
		}
		for _, id := range u.Scene.IDs() {
			move.Scene = append(move.Scene, member(u.Scene.Cast[id]))
		}
		for _, id := range u.Joined {
			move.Joined = append(move.Joined, member(u.Scene.Apart()[id]))
		}
		for part, event := range u.throwers {
			if move.Whose == nil {
				move.Whose = map[string]Event{}
			}
			move.Whose[part] = events(rule.PlacedEvent{Part: part, Event: event})[0]
		}
		k.Open = append(k.Open, move)
	}
	data = write(k)
	return data, err
}

// Decode decodes a state.
func Decode(games []*game.Game, data []byte) (st *State, err error) {
	return decode(games, data, nil)
}

// decode decodes a state by a game, or by its own if that is nil.
func decode(games []*game.Game, data []byte, by *game.Game) (st *State, err error) {
	st = &State{Games: games, Game: by}
	k := snapshot{State: st}
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	if by == nil {
		i := slices.IndexFunc(games, func(g *game.Game) bool { return g.ID == k.Game })
		if i < 0 {
			return nil, refusal.UnknownGame(k.Game)
		}
		st.Game = games[i]
		for _, source := range k.Texts {
			if g := st.Game.ForEdition(game.TextOf(source), source); g != nil {
				st.Older = append(st.Older, g)
			}
		}
		if n := len(st.Older); n > 0 {
			st.Game, st.Older = st.Older[n-1], st.Older[:n-1]
		}
	}
	return st, st.restore(&k)
}

// reader reads what only a game can read, and collects the errors.
type reader struct {
	*game.Game
	sheets map[[2]string]any // by kind and JSON, because many touches have the same one
	err    error
}

func (r *reader) hear(err error) { r.err = errors.Join(r.err, err) }

func (r *reader) settings(data []byte) any {
	value, err := r.Settings.Restore(data)
	r.hear(err)
	return value
}

func (r *reader) sheet(kind string, data []byte) any {
	value, known := r.sheets[[2]string{kind, string(data)}]
	if !known {
		var err error
		value, err = RestoreSheet(r.Game, kind, data)
		r.hear(err)
		r.sheets[[2]string{kind, string(data)}] = value
	}
	return value
}

func (r *reader) event(stored Event) rule.Event {
	value, err := r.Decode(stored.Type, stored.V, stored.Data)
	r.hear(err)
	return value
}

func (r *reader) args(of *game.Move, data []byte) any {
	value, err := of.Restore(data)
	r.hear(err)
	return value
}

// restore reads what only the game can read.
func (st *State) restore(k *snapshot) error {
	r := &reader{Game: st.Game, sheets: map[[2]string]any{}}
	if len(k.Seals) != len(st.Sessions) {
		return errors.New("not each session has a seal")
	}
	for i, secret := range k.Seals {
		if secret != "" {
			seal, err := dice.ParseSecret(secret)
			r.hear(err)
			st.Sessions[i].Seal = seal
		}
	}
	defs := func(def **game.Move) {
		known, ok := st.Game.Move((*def).ID)
		if !ok {
			r.hear(refusal.Unknown("the move %q is not known", (*def).ID))
			return
		}
		*def = known
	}
	for _, c := range st.Calls {
		defs(&c.Def)
	}
	for _, u := range k.Open {
		defs(&u.Def)
	}
	if r.err != nil {
		return r.err
	}
	at := 0
	st.values(r, func(value *any, read func([]byte) any) {
		if at < len(k.OfGame) {
			*value = read(k.OfGame[at])
		}
		at++
	})
	if at != len(k.OfGame) {
		return fmt.Errorf("it has %d values of %d", len(k.OfGame), at)
	}
	member := func(m Member) game.Member {
		return game.Member{ID: m.ID, Kind: m.Kind, Name: m.Name, Owner: m.Owner, Sheet: r.sheet(m.Kind, m.Sheet)}
	}
	for _, u := range k.Open {
		one := u.OpenMove
		one.Seq, one.View = MoveSeq(one.ID), &st.Game.View
		one.Session = st.Sessions.At(one.Seq)
		one.Args = r.args(one.Def, u.Args)
		one.Scene = game.Scene{
			Actor: one.Actor, Cast: map[string]game.Member{}, Settings: r.settings(u.Settings), Secret: one.Secret,
			Ruled: u.Ruled,
		}
		if one.EventCounts == nil {
			one.EventCounts = map[string]int{}
		}
		if one.Throws == nil {
			one.Throws = map[string]int{}
		}
		for _, m := range u.Scene {
			one.Scene.Cast[m.ID] = member(m)
		}
		for _, m := range u.Joined {
			one.Joined = append(one.Joined, m.ID)
			one.Scene = one.Scene.WithMembers(member(m))
		}
		for _, m := range u.Met {
			met := &rule.Meanwhile{By: m.By, N: m.N}
			if m.Event.Type == "" {
				var was, is json.RawMessage
				edited := game.Edited{Was: &was, Is: &is}
				r.hear(json.Unmarshal(m.Event.Data, &edited))
				kind := st.Characters.Of(edited.Who).Kind
				met.Event = game.Edited{Who: edited.Who, Was: r.sheet(kind, was), Is: r.sheet(kind, is)}
			} else {
				met.Event = r.event(m.Event)
			}
			one.Trail[m.At].Meanwhile = met
		}
		for _, stored := range u.Said {
			one.events = append(one.events, rule.PlacedEvent{Part: stored.Part, N: stored.N, Event: r.event(stored)})
		}
		for part, stored := range u.Whose {
			if one.throwers == nil {
				one.throwers = map[string]rule.Event{}
			}
			one.throwers[part] = r.event(stored)
		}
		st.OpenMoves = append(st.OpenMoves, one)
	}
	st.Offers = slices.DeleteFunc(st.Offers, func(o *Offer) bool { // that a newer text can't make any more
		def, ok := st.Game.Move(o.Def.ID)
		if !ok {
			return true
		}
		args, e := def.Restore(o.JSON)
		o.Def, o.Args = def, args
		return e != nil
	})
	st.updateOwns()
	return r.err
}
