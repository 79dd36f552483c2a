package state

import (
	"encoding/json"
	"slices"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/rule"
	"norn/table/view"
)

type hero struct {
	Luck int `json:"luck" form:"max=99"`
}

type house struct {
	Limit int `json:"limit" form:"max=99"`
}

// stung is an event that takes luck from a hero.
type stung struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

func (stung) Type() string    { return "toy.stung" }
func (e stung) Whose() string { return e.Who }
func (e stung) Apply(sheet any) any {
	return game.On(sheet, func(h hero) hero { h.Luck -= e.N; return h })
}

// aim holds the arguments of each move except join.
type aim struct {
	Target form.Ref `json:"target" form:"required,table"`
}

type block struct {
	Block bool `json:"block"`
}

type guest struct {
	Who form.Ref `json:"who" form:"of=hero"`
}

var stings = []game.OutcomeKind{{ID: "stung", Counts: true, Tone: game.Good}}

// sting has no dice. duel rolls, asks the target, stings it, releases it and asks the game master.
// tempt offers a sting to the actor, which calm ends. lots rolls for the order of turns. join asks
// who joins, and stings them.
var (
	sting = game.Define(game.MoveSpec[aim]{
		ID: "sting", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings,
		Play: func(r *rule.Run, _ game.Scene, a aim) rule.Outcome {
			r.Record(stung{string(a.Target), 1})
			return rule.Outcome{ID: "stung", N: 1}
		},
	})
	duel = game.Define(game.MoveSpec[aim]{
		ID: "duel", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings,
		Play: func(r *rule.Run, s game.Scene, a aim) rule.Outcome {
			n := r.Sum(dice.Pool{N: 1, Sides: 6, For: "pool"})
			if !rule.Ask(r, rule.Question[block]{ID: "toy.block", To: string(a.Target), Sealed: true}).Block {
				r.Record(stung{string(a.Target), n})
			}
			r.Release(string(a.Target))
			rule.Ask(r, rule.Question[block]{ID: "toy.after", To: game.GM})
			return game.RecordOutcome(r, s, rule.Outcome{ID: "stung", N: n})
		},
	})
	tempt = game.Define(game.MoveSpec[aim]{
		ID: "tempt", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings,
		Play: func(r *rule.Run, s game.Scene, a aim) rule.Outcome {
			game.Offer(r, s.Actor, "sting", s.Actor, a)
			return rule.Outcome{ID: "stung"}
		},
	})
	calm = game.Define(game.MoveSpec[aim]{
		ID: "calm", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings, Ends: []string{"sting"},
		Play: func(*rule.Run, game.Scene, aim) rule.Outcome { return rule.Outcome{ID: "stung"} },
	})
	lots = game.Define(game.MoveSpec[aim]{
		ID: "lots", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings, Order: game.OrderThrown,
		Play: func(r *rule.Run, _ game.Scene, _ aim) rule.Outcome {
			return rule.Outcome{ID: "stung", N: r.Sum(dice.Pool{N: 1, Sides: 6, For: "pool"})}
		},
	})
	join = game.Define(game.MoveSpec[struct{}]{
		ID: "join", AtTable: true, Kinds: []string{"hero"}, Outcomes: stings,
		Joins: map[string]any{"toy.guest": guest{}},
		Play: func(r *rule.Run, s game.Scene, _ struct{}) rule.Outcome {
			came, _ := game.Name(r, s, rule.Question[guest]{ID: "toy.guest", To: s.Actor, Form: form.Of[guest]()})
			r.Record(stung{string(came.Who), 1})
			return rule.Outcome{ID: "stung"}
		},
	})
)

var toy = &game.Game{
	ID: "toy", Kinds: []game.Kind{game.KindOf("hero", true, hero{}, nil)},
	Moves:  []game.Move{sting, duel, tempt, calm, lots, join},
	Events: []game.EventType{game.EventOf[stung]()}, Settings: game.SettingsOf(house{Limit: 5}),
}

// start returns a table with three heroes: c1 of seat s2, c2 of seat s3, and c3 of nobody.
func start() *State {
	st := &State{
		Games: []*game.Game{toy}, ID: "aaaaaaaaaaaaaaaa", Game: toy, Name: "Tuesday", Lang: "en", Seq: 1,
		Edition: FirstEdition, Settings: house{Limit: 5}, Sessions: Sessions{{N: 1, From: 1}},
		Seats: Seats{
			{ID: "s1", Name: "GM", Role: game.Master},
			{ID: "s2", Name: "Anna", Role: game.Player},
			{ID: "s3", Name: "Boris", Role: game.Player},
		},
		Characters: Characters{
			{ID: "c1", Kind: "hero", Name: "Lira", Owner: "s2", Sheet: hero{9}},
			{ID: "c2", Kind: "hero", Name: "Orm", Owner: "s3", Sheet: hero{9}},
			{ID: "c3", Kind: "hero", Name: "Stray", Sheet: hero{9}},
		},
	}
	st.updateOwns()
	return st
}

// does is an act that changes the state.
type does func(st *State, r *Record)

func (do does) Fold(st *State, r *Record) { do(st, r) }

// entry returns the next record, of an entry that isn't of a move.
func entry(st *State, kind string, events ...rule.Event) *Record {
	return NewRecord(journal.Entry{Table: st.ID, Seq: st.Seq + 1, Seat: "s1"},
		&Decoding{EntryBody: EntryBody{V: 1, Kind: kind, Done: true}, Decoded: events})
}

// changes returns the next record, which changes facets of a character.
func changes(st *State, id string, f Facet, do func(c *Character)) *Record {
	r := entry(st, view.KindCharacter, does(func(st *State, r *Record) { do(st.Touch(r, id, f)) }))
	r.Touched, r.Facets = []string{id}, f
	return r
}

func edits(st *State, id string, luck int) *Record {
	return changes(st, id, OfSheet, func(c *Character) { c.Write(hero{luck}) })
}

func renames(st *State, id, name string) *Record {
	return changes(st, id, OfName, func(c *Character) { c.Name = name })
}

// undoes returns the next record, which undoes what another began.
func undoes(st *State, first *Record) *Record {
	r := entry(st, view.KindUndone, does(func(st *State, r *Record) { st.TakeBack(r.Undoes.Seq, r) }))
	r.Undoes = first
	return r
}

// made returns the next record, which opens a move of c1 with typed faces. Its target is c2.
func made(t testing.TB, st *State, def game.Move, faces ...int) *Record {
	m := newMove(st, &def)
	return run(t, st, view.KindMove, st.NewOpenMove(m), nil, faces)
}

func newMove(st *State, def *game.Move) *Move {
	m := &Move{
		ID: MoveID(st.Seq + 1), Seq: st.Seq + 1, Def: def, Seat: "s1", Actor: "c1", Cast: []string{"c1", "c2"},
		Args: aim{"c2"}, ByHand: true, View: &toy.View, Session: st.Sessions.At(st.Seq + 1),
	}
	if def.ID == "join" {
		m.Cast, m.Args = []string{"c1"}, struct{}{}
	}
	return m
}

// answers returns the next record, which answers the first question of the only open move.
func answers(t testing.TB, st *State, answer string) *Record {
	t.Helper()
	u := st.OpenMoves[0]
	step, err := u.Pending[0].Step(json.RawMessage(answer), "s1")
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, st, view.KindAnswer, u.JoinedBy(st, step), append(slices.Clip(u.Trail), step), nil)
	r.Steps, r.Answers = append(rule.Trail{step}, r.Steps...), u.Pending[0].Place()
	return r
}

// run runs a rule, and returns the record of what it added.
func run(t testing.TB, st *State, kind string, u *OpenMove, trail rule.Trail, faces []int) *Record {
	t.Helper()
	result, err := u.Play(trail, rule.HandSource(dice.NewHand(faces), true))
	if err != nil {
		t.Fatal(err)
	}
	news := u.NewEvents(result.Events)
	stored, err := EncodeEvents(news, toy.Version)
	if err != nil {
		t.Fatal(err)
	}
	r := entry(st, kind)
	r.Move, r.Of = u.ID, u.Move
	r.Steps, r.Events, r.Asks = result.New, stored, u.NewAsks(result)
	r.Done, r.LetGo, r.Secret = result.Done, u.Releases(result), u.Secret
	if r.Done {
		r.Outcome = &result.Value
	}
	for _, e := range news {
		r.Decoded = append(r.Decoded, e.Event)
	}
	return r
}

// after returns the state after records, each made for the state before it.
func after(st *State, next ...func(*State) *Record) *State {
	for _, make := range next {
		st = st.Next(make(st))
		st.OpenMoves.FindPending()
	}
	return st
}

// encoded returns a state's encoding: by its parts, each with what the game reads of it, and as a text.
func encoded(t testing.TB, st *State) (map[string]any, string) {
	t.Helper()
	data, err := st.Encode()
	if err != nil {
		t.Fatal(err)
	}
	parts := Members(json.RawMessage(data))
	delete(parts, "ofGame")
	sheets := []any{parts["characters"]}
	for _, c := range st.Characters {
		sheets = append(sheets, c.Sheet)
		for _, t := range c.Past {
			sheets = append(sheets, t.Sheet)
		}
		for _, s := range c.Began {
			sheets = append(sheets, s.Sheet)
		}
	}
	parts["settings"], parts["characters"] = st.Settings, sheets
	return parts, string(data)
}

func luck(st *State, id string) int { return st.Characters.Of(id).Sheet.(hero).Luck }
