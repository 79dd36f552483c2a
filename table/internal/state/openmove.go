package state

import (
	"maps"
	"slices"
	"sync"

	"norn/game"
	"norn/rule"
)

// mostSecrets is how many of the newest secret moves the state knows.
const mostSecrets = 100

// begin opens a record's move on the state as it stands. One that ends with the
// record that opened it is never underway.
func (st *State) begin(r *Record) (u *OpenMove) {
	if !r.Done {
		u = st.NewOpenMove(r.Of)
		st.OpenMoves = append(slices.Clip(st.OpenMoves), u)
	}
	for _, id := range r.Of.Cast {
		st.Touch(r, id, OfSheet)
	}
	if st.Begun = true; r.Of.Secret {
		st.Secrets = append(slices.Clip(st.Secrets[max(len(st.Secrets)+1-mostSecrets, 0):]), r.Seq)
		return u
	}
	st.Openly = true
	if c := st.CallMetBy(r.Of.Def, r.Of.Actor, r.Of.Args); c != nil {
		st.Calls = st.Calls.Altered(c.ID, func(c *Call) { c.met = r.Seq })
	}
	return u
}

// NewOpenMove is that of a move which begins on the state as it stands.
func (st *State) NewOpenMove(m *Move) *OpenMove {
	u := &OpenMove{Move: m, Scene: st.Scene(m.Actor, st.Characters.named(m.Cast)), EventCounts: map[string]int{}, Throws: map[string]int{}}
	u.Scene.Secret = m.Secret
	by := st.Seats.Of(m.Seat)
	u.Scene.Ruled = st.Ruled(m.Def, m.Actor, m.Args, by != nil && by.Role == game.Master)
	return u
}

// goOn has an open move go on with a record's answer.
func (st *State) goOn(r *Record) *OpenMove {
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
		u.events = append(u.events, rule.Told{Part: stored.Part, N: stored.N, Event: r.Decoded[i]})
		if threw, ok := r.Decoded[i].(game.Threw); ok {
			u.noteThrower(stored.Part, threw)
		}
	}
}

// noteThrower keeps who throws in a part from here on.
func (m *OpenMove) noteThrower(part string, threw game.Threw) {
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

// A move may have somebody join who is named by an answer (game.Name). From then on the move holds them, and their past knows of it: their
// sheet is what it was just before that entry, and undoing goes back to that. The answer itself says who it is, so its entry says nothing more.

// JoinedBy is the move once those have joined whom a step names, by their sheets as they stand.
func (m *OpenMove) JoinedBy(st *State, step rule.Step) *OpenMove {
	ids := slices.DeleteFunc(m.Def.Joining(step), m.Has)
	if len(ids) == 0 {
		return m
	}
	joined := *m
	joined.Joined = slices.Concat(m.Joined, ids)
	joined.Scene = m.Scene.Joined(Met(st.Characters.named(ids))...)
	return &joined
}

// Met are characters as rules meet them.
func Met(characters []*Character) []game.Member {
	members := make([]game.Member, len(characters))
	for i, c := range characters {
		members[i] = game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
	}
	return members
}
