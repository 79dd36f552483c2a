package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// OpenMoves are the open moves of a table, oldest first.
type OpenMoves []*OpenMove

// OpenMove is a move that is still open.
type OpenMove struct {
	*Move
	Scene       game.Scene            `json:"-"` // of the opening
	Joined      []string              `json:"-"` // characters added by answers, in addition to the cast
	Trail       rule.Trail            `json:"trail,omitempty"`
	EventCounts map[string]int        `json:"told,omitempty"` // number of events by part, without asides
	events      []rule.PlacedEvent    // those events
	Asks        []Ask                 `json:"asked,omitempty"`  // open questions by the entries
	Throws      map[string]int        `json:"throws,omitempty"` // number of throws by part
	Released    []string              `json:"gone,omitempty"`   // characters that it won't change any more
	throwers    map[string]rule.Event // by part, the last event that says who rolls, if it isn't the actor
	Resolved    *rule.Outcome         `json:"resolved,omitempty"` // the actor's, if the rule recorded it early

	Pending   []rule.Open `json:"-"` // filled in by FindPending
	Forecasts *sync.Map   `json:"-"` // chances of the open questions, computed once and only if a seat may see them
	Fault     error       `json:"-"` // why the current rules can't continue it
}

// An open move holds its cast. It releases characters that its rule says it won't change any more:
// the entry names them, and others may act with them while the move's questions are open. Such
// later changes depend on the move, which can't be cancelled or undone before them. A secret move
// releases nobody: it's cancelled instead, see package act.

// maxSecrets bounds the newest secret moves that the state lists.
const maxSecrets = 100

// beginMove opens a record's move on this state. A move that ends with the record that opened it
// never becomes an open move.
func (st *State) beginMove(r *Record) (u *OpenMove) {
	if !r.Done {
		u = st.NewOpenMove(r.Of)
		st.OpenMoves = append(slices.Clip(st.OpenMoves), u)
	}
	for _, id := range r.Of.Cast {
		st.Touch(r, id, OfSheet)
	}
	st.meetOffers(r)
	if st.Begun = true; r.Of.Secret {
		st.Secrets = append(slices.Clip(st.Secrets[max(len(st.Secrets)+1-maxSecrets, 0):]), r.Seq)
		return u
	}
	st.Openly = true
	if c := st.CallMetBy(r.Of.Def, r.Of.Actor, r.Of.Args); c != nil {
		st.Calls = st.Calls.With(c.ID, func(c *Call) { c.Met = r.Seq })
	}
	return u
}

// NewOpenMove returns a move that begins on this state.
func (st *State) NewOpenMove(m *Move) *OpenMove {
	u := &OpenMove{
		Move: m, Scene: st.Scene(m.Actor, st.Characters.WithIDs(m.Cast)), EventCounts: map[string]int{},
		Throws: map[string]int{},
	}
	u.Scene.Secret = m.Secret
	by := st.Seats.Of(m.Seat)
	u.Scene.Ruled = st.RuledArgs(m.Def, m.Actor, m.Args, by != nil && by.Role == game.Master)
	return u
}

// continueMove adds a record's answer to an open move.
func (st *State) continueMove(r *Record) *OpenMove {
	i := slices.IndexFunc(st.OpenMoves, func(u *OpenMove) bool { return u.ID == r.Of.ID })
	st.OpenMoves = altered(st.OpenMoves, i, func(u *OpenMove) {
		u.Trail, u.events, u.Released = slices.Clip(u.Trail), slices.Clip(u.events), slices.Clip(u.Released)
		u.EventCounts, u.Throws, u.throwers = maps.Clone(u.EventCounts), maps.Clone(u.Throws), maps.Clone(u.throwers)
		u.Asks = slices.DeleteFunc(slices.Clone(u.Asks), func(a Ask) bool { return a.Place == r.Answers })
		u.Pending = nil
		for _, step := range r.Steps {
			*u = *u.JoinedBy(st, step)
		}
	})
	u := st.OpenMoves[i]
	for _, id := range u.Joined {
		st.Touch(r, id, OfSheet) // remembers the sheet before the first of its changes
	}
	st.touchAgain(r, u)
	return u
}

// carryOn adds a record's steps, events and outcome to its move, and ends the move if the record
// does.
func (st *State) carryOn(u *OpenMove, r *Record) {
	u.Carry(r)
	if r.Done {
		st.End(u.ID)
	}
}

// Carry adds to a record what its move has met before, and to the move what the record adds.
func (u *OpenMove) Carry(r *Record) {
	for _, step := range r.Steps {
		if before := u.Throws[step.Part]; step.Dice != nil && before > 0 {
			if r.ThrowsBefore == nil {
				r.ThrowsBefore = map[string]int{}
			}
			r.ThrowsBefore[step.Part] = before
		}
		if told := u.throwers[step.Part]; step.Dice != nil && told != nil {
			if r.Throwers == nil {
				r.Throwers = map[string]rule.Event{}
			}
			r.Throwers[step.Part] = told
		}
	}
	for i, stored := range r.Events {
		told, ok := r.Decoded[i].(game.Resolved)
		if ok && stored.Part == "" && told.Who == u.Actor && u.Resolved == nil {
			r.came, r.HeadlineAt = told.Outcome, i
			u.Resolved, r.Result = &r.came, &r.came
		}
	}
	if r.Done {
		switch {
		case r.Outcome == nil:
		case u.Resolved == nil:
			r.came = *r.Outcome
			r.Result = &r.came
		case *u.Resolved != *r.Outcome:
			r.Result = r.Outcome
		}
		return
	}
	u.Released = append(u.Released, r.LetGo...)
	u.Trail = append(u.Trail, r.Steps...)
	u.Asks = append(u.Asks, r.Asks...)
	for _, step := range r.Steps {
		if step.Dice != nil {
			u.Throws[step.Part]++
		}
	}
	for i, stored := range r.Events {
		if stored.N >= 0 {
			u.EventCounts[stored.Part]++
		}
		u.events = append(u.events, rule.PlacedEvent{Part: stored.Part, N: stored.N, Event: r.Decoded[i]})
		if threw, ok := r.Decoded[i].(game.DiceEvent); ok {
			u.noteThrower(stored.Part, threw)
		}
	}
}

// noteThrower remembers who rolls in a part from now on.
func (m *OpenMove) noteThrower(part string, threw game.DiceEvent) {
	switch event, _ := threw.(rule.Event); {
	case threw.Thrower() == m.Actor:
		delete(m.throwers, part)
	case m.throwers == nil:
		m.throwers = map[string]rule.Event{part: event}
	default:
		m.throwers[part] = event
	}
}

// End removes a move from the open moves.
func (st *State) End(id string) {
	st.OpenMoves = slices.DeleteFunc(slices.Clone(st.OpenMoves), func(u *OpenMove) bool { return u.ID == id })
}

// FindPending finds the questions of open moves by running their rules again over the trails. It's
// called once, before the state is shared.
func (all OpenMoves) FindPending() {
	for _, m := range all {
		if m.Pending != nil || m.Fault != nil {
			continue
		}
		result, err := m.rerun()
		m.Pending, m.Fault, m.Forecasts = result.Open, err, &sync.Map{}
	}
}

// An answer may add the characters that it names to a move (game.Name). From then on the move holds
// them, and it's in their past: their sheet is as just before that entry, and undo restores it. The
// answer itself names them, so its entry needs nothing more.

// JoinedBy returns the move with the characters that a step names, with their current sheets.
func (m *OpenMove) JoinedBy(st *State, step rule.Step) *OpenMove {
	ids := slices.DeleteFunc(m.Def.Joining(step), m.Has)
	if len(ids) == 0 {
		return m
	}
	joined := *m
	joined.Joined = slices.Concat(m.Joined, ids)
	joined.Scene = m.Scene.WithMembers(MembersOf(st.Characters.WithIDs(ids))...)
	return &joined
}

// MembersOf returns characters as rules see them.
func MembersOf(characters []*Character) []game.Member {
	members := make([]game.Member, len(characters))
	for i, c := range characters {
		members[i] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: c.Sheet}
	}
	return members
}

// Holds reports whether the move keeps others from acting with a character while it's open.
func (m *OpenMove) Holds(id string) bool {
	return m.Has(id) && !slices.Contains(m.Released, id)
}

// Releases returns the characters that a run of an open move has newly released.
func (m *OpenMove) Releases(result rule.Result[rule.Outcome]) []string {
	if result.Done || m.Secret {
		return nil
	}
	var gone []string
	for _, id := range result.Released {
		if m.Holds(id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// rerun runs the rule of an open move over its trail. It fails if changed rules can't continue it:
// they ask for something else, record something else, or have ended. They may also panic, because
// they find what they wouldn't have made.
func (m *OpenMove) rerun() (result rule.Result[rule.Outcome], err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = rule.Result[rule.Outcome]{}, fmt.Errorf("the rule breaks off: %v", p)
		}
	}()
	var source rule.Source
	if m.ByHand {
		source = rule.HandSource(dice.NewHand(nil), true)
	}
	result, err = m.Play(m.Trail, source)
	if err == nil && result.Done {
		err = &rule.TrailError{Want: "the end", Have: "open"}
	}
	if err != nil {
		return rule.Result[rule.Outcome]{}, err
	}
	for _, said := range m.events {
		i := slices.IndexFunc(result.Events, func(t rule.PlacedEvent) bool {
			return t.Part == said.Part && t.N == said.N
		})
		if i < 0 || Describe(result.Events[i]) != Describe(said) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't tell %s", Describe(said))
		}
	}
	for _, id := range m.Released {
		if !slices.Contains(result.Released, id) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't let go of %s", id)
		}
	}
	return result, nil
}

// Describe returns an event with its place, for comparison.
func Describe(t rule.PlacedEvent) string {
	return t.Part + "#" + strconv.Itoa(t.N) + " " + game.TypeOf(t.Event) + " " + string(JSON(t.Event))
}

// Play runs the move's rule over a trail. New dice come from source.
func (m *OpenMove) Play(trail rule.Trail, source rule.Source) (rule.Result[rule.Outcome], error) {
	return rule.Play(m.Def.Play(m.Scene, m.Args), rule.Options{Trail: trail, Source: source, Roller: m.roller})
}

// IsSealed reports whether the move still collects sealed answers. Until then nobody sees another's
// answer, nor odds that would reveal it.
func (m *OpenMove) IsSealed() bool {
	return slices.ContainsFunc(m.Pending, func(o rule.Open) bool { return o.Sealed })
}

// roller returns who types in a throw: the one that the rule names, or the actor, or the GM if
// players may not see it.
func (m *OpenMove) roller(p dice.Pool, by string) string {
	switch {
	case m.Hidden(p):
		return game.GM
	case by != "":
		return by
	case m.Actor == "":
		return game.GM
	}
	return m.Actor
}

// Hidden reports whether players may not see a throw.
func (m *OpenMove) Hidden(p dice.Pool) bool {
	return m.Def != &game.Plain &&
		!m.View.SeesThrow(game.Viewer{Role: game.Player}, m.Scene.Settings, rule.Throw{For: p.For, Sides: p.Sides})
}

// NewAsks returns the questions of a run that weren't open before.
func (m *OpenMove) NewAsks(result rule.Result[rule.Outcome]) []Ask {
	var asks []Ask
	for _, o := range result.Open {
		if !slices.ContainsFunc(m.Pending, func(known rule.Open) bool { return known.Place() == o.Place() }) {
			asks = append(asks, Ask{Place: o.Place(), Question: o.ID, To: o.To, Lends: m.newlyLent(o, result)})
		}
	}
	return asks
}

// NewEvents returns the events of a run that the journal doesn't have yet.
func (m *OpenMove) NewEvents(told []rule.PlacedEvent) []rule.PlacedEvent {
	var news []rule.PlacedEvent
	for _, t := range told {
		known := t.N < m.EventCounts[t.Part]
		if t.N < 0 { // an aside
			known = slices.ContainsFunc(m.events, func(e rule.PlacedEvent) bool { return e.Part == t.Part && e.N == t.N })
		}
		if !known {
			news = append(news, t)
		}
	}
	return news
}

// Of returns the open move with an id, or nil.
func (all OpenMoves) Of(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.ID == id })
}

// Holding returns the open move that holds a character, or nil.
func (all OpenMoves) Holding(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.Holds(id) })
}

// FindStranded returns the moves that the current rules can't continue.
func (all OpenMoves) FindStranded() OpenMoves {
	return slices.DeleteFunc(slices.Clone(all), func(m *OpenMove) bool { return m.Fault == nil })
}

// Has reports whether a character takes part in the move.
func (m *OpenMove) Has(id string) bool {
	return slices.Contains(m.Cast, id) || slices.Contains(m.Joined, id)
}
