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

// OpenMove is a move while it's open.
type OpenMove struct {
	*Move
	Scene       game.Scene // as it stood at the opening
	Joined      []string   // by answers that named them, beside the cast
	Trail       rule.Trail
	EventCounts map[string]int        // events of each part
	events      []rule.PlacedEvent    // those events
	Asks        []Ask                 // what the entries say to be open
	Throws      map[string]int        // throws of each part
	Released    []string              // whom it has let go of
	throwers    map[string]rule.Event // that told last whose dice fall in a part, where it isn't who acts
	Resolved    *rule.Outcome         // of its actor, told before the end

	Pending   []rule.Open // made by FindPending
	Forecasts *sync.Map   // what the open questions come to, worked out once and only when somebody may see it
	Fault     error       // why these rules can't go on with it
}

// An open move holds its cast. Whom its rule says it won't change again it lets
// go of: the entry with which that comes names them, and others may act with them
// while its questions are open. What does so stands on the move, which then can
// be neither cancelled nor undone before it. A secret move lets go of nobody: it
// gives way instead, see package act.

// maxSecrets is how many of the newest secret moves the state knows.
const maxSecrets = 100

// beginMove opens a record's move on the state as it stands. One that ends with the
// record that opened it is never underway.
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
		st.Calls = st.Calls.With(c.ID, func(c *Call) { c.met = r.Seq })
	}
	return u
}

// NewOpenMove is that of a move which begins on the state as it stands.
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

// continueMove has an open move go on with a record's answer.
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
	for _, id := range st.OpenMoves[i].Joined {
		st.Touch(r, id, OfSheet) // which keeps how it was before the first of them
	}
	return st.OpenMoves[i]
}

// carryOn takes a record's steps, events and outcome into its move, and ends that where it ends.
func (st *State) carryOn(u *OpenMove, r *Record) {
	u.Carry(r)
	if r.Done {
		st.End(u.ID)
	}
}

// Carry tells a record what its move has met before, and takes what the record adds into the move.
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
		u.EventCounts[stored.Part]++
		u.events = append(u.events, rule.PlacedEvent{Part: stored.Part, N: stored.N, Event: r.Decoded[i]})
		if threw, ok := r.Decoded[i].(game.DiceEvent); ok {
			u.noteThrower(stored.Part, threw)
		}
	}
}

// noteThrower keeps who throws in a part from here on.
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

// End has a move go on no more.
func (st *State) End(id string) {
	st.OpenMoves = slices.DeleteFunc(slices.Clone(st.OpenMoves), func(u *OpenMove) bool { return u.ID == id })
}

// FindPending finds the questions of open moves by running their rules again over
// what they have met. It's called once, before anybody looks at the state.
func (all OpenMoves) FindPending() {
	for _, m := range all {
		if m.Pending != nil || m.Fault != nil {
			continue
		}
		result, err := m.rerun()
		m.Pending, m.Fault, m.Forecasts = result.Open, err, &sync.Map{}
	}
}

// A move may have somebody join who is named by an answer (game.Name). From then on the move holds
// them, and their past knows of it: their sheet is what it was just before that entry, and undoing
// goes back to that. The answer itself says who it is, so its entry says nothing more.

// JoinedBy is the move once those have joined whom a step names, by their sheets as they stand.
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

// MembersOf are characters as rules meet them.
func MembersOf(characters []*Character) []game.Member {
	members := make([]game.Member, len(characters))
	for i, c := range characters {
		members[i] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: c.Sheet}
	}
	return members
}

// Holds tells whether nobody else may act with a character as long as the move is open.
func (m *OpenMove) Holds(id string) bool {
	return m.Has(id) && !slices.Contains(m.Released, id)
}

// Releases is whom a run of an open move has let go of, and hadn't before.
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

// rerun runs the rule of an open move over what it has met. It's an error where rules that have
// changed since can't go on from there: they ask for something else, have told something else, or
// are over. They may also break off, since what they find isn't what they would have made.
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

// Describe is what a rule told, and where.
func Describe(t rule.PlacedEvent) string {
	return t.Part + "#" + strconv.Itoa(t.N) + " " + game.TypeOf(t.Event) + " " + string(JSON(t.Event))
}

// Play runs the move's rule over a trail. New dice come from source.
func (m *OpenMove) Play(trail rule.Trail, source rule.Source) (rule.Result[rule.Outcome], error) {
	return rule.Play(m.Def.Play(m.Scene, m.Args), rule.Options{Trail: trail, Source: source, Roller: m.roller})
}

// IsSealed tells whether plans are still being closed in the move: till then nobody
// sees another's, nor odds that would tell of it.
func (m *OpenMove) IsSealed() bool {
	return slices.ContainsFunc(m.Pending, func(o rule.Open) bool { return o.Sealed })
}

// roller is who types in a throw made by hand: who throws it by the rule or else
// who acts, but the GM where players mustn't see it.
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

// Hidden tells whether players mustn't see a throw.
func (m *OpenMove) Hidden(p dice.Pool) bool {
	return m.Def != &game.Plain &&
		!m.View.SeesThrow(game.Viewer{Role: game.Player}, m.Scene.Settings, rule.Throw{For: p.For, Sides: p.Sides})
}

// NewAsks are the questions that a run left open and that weren't open before.
func (m *OpenMove) NewAsks(open []rule.Open) []Ask {
	var asks []Ask
	for _, o := range open {
		if !slices.ContainsFunc(m.Pending, func(known rule.Open) bool { return known.Place() == o.Place() }) {
			asks = append(asks, Ask{Place: o.Place(), Question: o.ID, To: o.To})
		}
	}
	return asks
}

// NewEvents are the events that a run told and the journal doesn't hold yet.
func (m *OpenMove) NewEvents(told []rule.PlacedEvent) []rule.PlacedEvent {
	var news []rule.PlacedEvent
	for _, t := range told {
		if t.N >= m.EventCounts[t.Part] {
			news = append(news, t)
		}
	}
	return news
}

// Of is the open move with an id, nil for none.
func (all OpenMoves) Of(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.ID == id })
}

// Holding is the open move that holds a character, nil for none.
func (all OpenMoves) Holding(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.Holds(id) })
}

// FindStranded are those that these rules can't go on with.
func (all OpenMoves) FindStranded() OpenMoves {
	return slices.DeleteFunc(slices.Clone(all), func(m *OpenMove) bool { return m.Fault == nil })
}

// Has tells whether a move touches a character.
func (m *OpenMove) Has(id string) bool {
	return slices.Contains(m.Cast, id) || slices.Contains(m.Joined, id)
}
